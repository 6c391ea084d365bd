"""`flexarm study`: files, answers, going on, and refusals in a sentence."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from flexarm.cli import app


def flexarm(*words: str) -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["study", *words], env={"COLUMNS": "160"})
    return answer.exit_code, answer.output


def test_files_answers_and_resume(tmp_path: Path) -> None:
    out = ("cantilever-weight", "--runs", "12", "--workers", "1", "--out", str(tmp_path / "a"))
    code, text = flexarm(*out, "--figures", "histogram")
    assert code == 0 and "12 runs" in text and "sag < 1.5 mm: missed by" in text
    names = {path.name for path in (tmp_path / "a").iterdir()}
    assert names == {"about.json", "chunks", "study.nc", "study.json", "histogram.png"}
    code, text = flexarm(*out)
    assert code == 2 and "go on with --resume" in text and "Traceback" not in text
    code, text = flexarm(*out, "--resume", "--figures", "none", "--json")
    data = json.loads(text[text.index("{") :])
    assert code == 0 and data["runs"] == 12 and data["statistics"]["sag"]["unit"] == "m"
    code, text = flexarm(*out, "--look")
    assert code == 0 and "12 runs" in text
    code, text = flexarm(*out[:2], "13", *out[3:], "--resume")
    assert code == 2 and "holds another study" in text


def test_refusals(tmp_path: Path) -> None:
    for words, told in (
        (["payload-spred"], "did you mean 'payload-spread'"),
        (["payload-spread", "--runs", "1000000000000"], "a table can hold"),
        (["payload-spread", "--figures", "histogramm"], "did you mean 'histogram'"),
        (["link-sections", "--look", "--out", str(tmp_path / "none")], "holds no study yet"),
        (["link-sections", "--resume", "--force"], "give one of them"),
    ):
        code, text = flexarm(*words)
        assert code == 2 and told in text and "Traceback" not in text, text
