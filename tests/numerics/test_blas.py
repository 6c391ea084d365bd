"""Threads of the BLAS: one while the package computes, and what the user had set afterwards."""

from __future__ import annotations

import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import flexarm as fa
from flexarm.numerics import blas
from flexarm.numerics.blas import one_blas_thread, with_one_blas_thread


def threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.fixture(autouse=True)
def two_threads():
    blas._libraries()
    with threadpool_limits(2, user_api="blas"):
        yield


def test_one_inside_and_what_was_found_afterwards():
    with one_blas_thread():
        assert set(threads()) == {1}
        with one_blas_thread():
            pass
        assert set(threads()) == {1}
    assert set(threads()) == {2}


def test_an_error_inside_puts_back_what_was_found():
    @with_one_blas_thread
    def fails() -> None:
        raise ValueError(threads())

    with pytest.raises(ValueError, match="1"):
        fails()
    assert set(threads()) == {2}


def test_calls_that_overlap_in_several_threads():
    """The first that ends must not give the other one its threads back, the last must."""
    first_in, second_in, first_out = threading.Event(), threading.Event(), threading.Event()
    seen = []

    def first() -> None:
        with one_blas_thread():
            first_in.set()
            second_in.wait(5.0)
        first_out.set()

    def second() -> None:
        first_in.wait(5.0)
        with one_blas_thread():
            second_in.set()
            first_out.wait(5.0)
            seen.extend(threads())

    workers = [threading.Thread(target=each) for each in (first, second)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert set(seen) == {1} and set(threads()) == {2}


@pytest.mark.parametrize("verb", ["simulate", "frequencies", "static"])
def test_verbs_compute_with_one_thread(verb, monkeypatch):
    seen = []
    told = blas.one_blas_thread

    def watched():
        seen.append(verb)
        return told()

    monkeypatch.setattr(blas, "one_blas_thread", watched)
    scenario = fa.load("tapered-link")
    if verb == "static":
        fa.static(scenario.arm, method="fem")
    else:
        getattr(fa, verb)(scenario)
    assert seen and set(threads()) == {2}
