"""Work side by side: answers in any order, what is said on the way, failures, and breaking it off."""

from __future__ import annotations

import os
import time

import pytest

from flexarm.errors import FlexarmError, OutputError
from flexarm.processes import side_by_side


def square(item, tell, cancel):
    tell(item, os.getpid())
    return item * item, os.getpid()


def refuses(item, tell, cancel):
    raise OutputError("the disk is full", field="here")


def dies(item, tell, cancel):
    os._exit(7)


def sleeps(item, tell, cancel):
    tell(item)
    time.sleep(60.0)


def waits(item, tell, cancel):
    tell(item)
    while not cancel():
        time.sleep(0.01)
    return "stopped"


def test_each_item_gets_its_answer_from_another_process():
    said = []
    answers = dict(side_by_side(square, [3, 1, 2], lambda *message: said.append(message), workers=2))
    assert {number: answer for number, (answer, _) in answers.items()} == {0: 9, 1: 1, 2: 4}
    assert sorted(said) == sorted((item, answers[k][1]) for k, item in enumerate([3, 1, 2]))
    assert os.getpid() not in [process for _, process in answers.values()]


def test_one_worker_is_this_process():
    assert list(side_by_side(square, [3, 1], workers=1)) == [(0, (9, os.getpid())), (1, (1, os.getpid()))]


def test_failures_come_back_as_they_are():
    with pytest.raises(OutputError, match="here: the disk is full"):
        list(side_by_side(refuses, [1, 2], workers=2))
    with pytest.raises(FlexarmError, match=r"ended in the middle of its work \(exit code 7\)"):
        list(side_by_side(dies, [1, 2], workers=2))


def test_work_that_listens_is_kept_when_it_is_broken_off():
    begun = []
    answers = list(side_by_side(waits, [1, 2, 3], begun.append, lambda: len(begun) == 2, workers=2))
    assert sorted(answers) == [(0, "stopped"), (1, "stopped")], "the third was never begun"


def test_work_that_does_not_listen_is_ended():
    begun, before = [], time.monotonic()
    assert list(side_by_side(sleeps, [1, 2], begun.append, lambda: len(begun) == 2, workers=2, grace=0.1)) == []
    assert time.monotonic() - before < 30.0
