"""`flexarm static`."""

from __future__ import annotations

import json

import pytest

import flexarm as fa


def test_table_and_json_say_the_same_as_python(call, folder):
    load = "link@0.5=1N,-2N,0.3N*m"
    page = call("static", "tokhi-azad", "--hold", "--load", load, "--pose", "20deg").stdout
    data = json.loads(call("static", "tokhi-azad", "--hold", "--load", load, "--pose", "20deg", "--json").stdout)
    given = {"link": "link", "at": 0.5, "force": [1, -2], "moment": 0.3}
    found = fa.static(fa.load("tokhi-azad"), loads=[given], pose=[0.3490658503988659], stations=5, hold=True)
    assert data["tip_displacement"] == pytest.approx(found.tip_displacement.tolist())
    assert data["reaction_moment"] == pytest.approx(found.reaction_moment)
    assert data["section_forces"][0]["bending_moment"] == pytest.approx(float(found.forces["bending_moment"][0]))
    assert len(data["displacement"]) == 5
    assert f"{1e3 * found.tip_displacement[0]:.6g}" in page
    assert "Section forces" in page and "bending moment, N*m" in page
    assert max(len(line) for line in page.splitlines()) <= 80


def test_tip_alone_means_the_last_link_and_files_are_written(call, folder):
    call("static", "tokhi-azad", "--hold", "--load", "tip=0,-0.1N", "--out", "answers")
    data = json.loads((folder / "answers" / "static.json").read_text())
    assert data["loads"] == [{"link": "link", "at": 1.0, "force": [0.0, -0.1], "moment": 0.0}]
    assert data["tip_displacement"][1] < 0
    call("static", "tokhi-azad", "--hold", "--load", "tip=0,-0.1N", "--out", "answers", code=2)


def test_buckling_is_said(call):
    assert "unstable" in call("static", "tokhi-azad", "--hold", "--load", "tip=-100N,0").stdout
    assert "unstable" not in call("static", "tokhi-azad", "--hold", "--load", "tip=-1N,0").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--load", "tip=1"], "write LINK@PLACE=FX,FY"),
        (["--load", "upper"], "write LINK@PLACE=FX,FY"),
        (["--load", "upper@tip=1,2"], "no link 'upper'"),
        (["--load", "tip=1kg,2"], "wants N"),
        (["--load", "tip=1,2,3N"], "wants N*m"),
        (["--method", "fd"], "does not support loads at points; use fem"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(call, arguments, words):
    assert words in call("static", "tokhi-azad", "--hold", *arguments, code=2).stderr


def test_a_mechanism_that_is_free_to_move_is_refused(call):
    said = call("static", "tokhi-azad", "--load", "tip=0,-0.1N", code=2).stderr
    assert "joint 'link' is free to move" in said and "--hold" in said
    call("static", "naganathan-flexible", "--load", "tip=0,-0.1N")  # its joints follow motions


def test_an_arm_in_space(call):
    page = call("static", "naganathan-3r", "--load", "tip=0,10N,-5N").stdout
    data = json.loads(call("static", "naganathan-3r", "--load", "tip=0,10N,-5N,0,0,1N*m", "--json").stdout)
    assert "tip turns by" in page and "Mz, N*m" in page
    assert max(len(line) for line in page.splitlines()) <= 80
    assert data["loads"][0]["moment"] == [0.0, 0.0, 1.0] and len(data["tip_rotation"]) == 3
    assert set(data["roots"]["column"]) == {"x", "y", "z", "moment_x", "moment_y", "moment_z"}
    assert "write LINK@PLACE=FX,FY,FZ" in call("static", "naganathan-3r", "--load", "tip=1,2", code=2).stderr
