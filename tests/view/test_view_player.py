"""The player of a page: its numbers against the run, its arithmetic under node, and what a browser draws."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.view.gallery import Gallery, Piece
from flexarm.view.player import player_data, player_script

NODE = shutil.which("node") or shutil.which("nodejs")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine to run the player's JavaScript")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine to show the page")


@pytest.fixture(scope="module")
def link():
    return fa.simulate("tokhi-azad")


def places(line: dict, data: dict, enlarge: float = 1.0) -> np.ndarray:
    """Points of a line in m, shape (pictures, points, axes)."""
    stiff, bend = (np.reshape(line[k], (len(data["time"]), line["points"], data["axes"])) for k in ("stiff", "bend"))
    return stiff * data["unit"]["stiff"] + enlarge * bend * data["unit"]["bend"]


def test_true_size_is_the_shape_of_the_run_and_the_stiff_arm_is_straight(link):
    data = player_data(link)
    time, shape = link.data.time.values, link.data["shape"].values[:, 0, :, :2]
    for k in (0, 50, -1):
        drawn = places(data["lines"][0], data)[k]
        t = data["time"][k]
        wanted = [[np.interp(t, time, shape[:, i, a]) for a in (0, 1)] for i in range(shape.shape[1])]
        np.testing.assert_allclose(drawn, wanted, atol=0.96 / 19000)
        angle = np.interp(t, time, link.data.joint_position.values[:, 0])
        straight = 0.96 * link.data.s.values[:, None] * [np.cos(angle), np.sin(angle)]
        np.testing.assert_allclose(places(data["lines"][0], data, 0.0)[k], straight, atol=1e-4)
    peak = link.summary()["tip_deflection_peak"]
    apart = np.linalg.norm(places(data["tip"], data) - places(data["tip"], data, 0.0), axis=-1).max()
    assert apart == pytest.approx(peak, rel=0.01)
    assert data["enlarge"] * peak < 0.1 * 0.96 < 3 * data["enlarge"] * peak


def test_every_link_stays_on_its_neighbour_when_the_deflection_is_enlarged():
    """A closed loop whose bellcrank is a rigid body without a length."""
    result = fa.simulate(fa.load("ralf").with_({"time.end": "0.3 s"}))
    data = player_data(result)
    lower, bellcrank, actuating, upper = (places(line, data, 20.0) for line in data["lines"][:4])
    np.testing.assert_allclose(upper[:, 0], lower[:, -1], atol=1e-3)
    np.testing.assert_allclose(actuating[:, 0], bellcrank[:, -1], atol=1e-3)
    brackets = [line for line in data["lines"] if line["kind"] == "bracket"]
    assert brackets and not any(line["flexible"] for line in brackets)
    assert data["enlarge"] > 1


def test_a_result_without_a_scenario_is_shown_in_true_size(spatial):
    data = player_data(spatial)
    assert data["axes"] == 3 and not data["bends"] and data["enlarge"] == 1
    drawn = places(data["lines"][2], data)[-1, -1]
    np.testing.assert_allclose(drawn, spatial.data["shape"].values[-1, 2, -1], atol=1e-3)


@needs_node
def test_the_script_places_points_between_pictures(link, tmp_path):
    data = player_data(link)
    (tmp_path / "player.js").write_text(player_script(), encoding="utf-8")
    (tmp_path / "data.json").write_text(json.dumps(data))
    t = 0.4 * data["time"][10] + 0.6 * data["time"][11]
    code = f"""
      const scene = require("./player.js").Scene(require("./data.json"));
      const at = scene.at({t}, 5), trail = scene.trail({t}, 5);
      console.log(JSON.stringify([at.lines[0], at.tip, at.ghost[0], trail, scene.bounds(5), scene.at(99).tip]));"""
    told = subprocess.run([NODE, "-e", code], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    line, tip, ghost, trail, (low, high, _), end = (np.array(each, dtype=object) for each in json.loads(told))
    drawn, stiff, tips = (places(data["lines"][0], data, f) for f in (5.0, 0.0, 5.0))
    np.testing.assert_allclose(line.astype(float), 0.4 * drawn[10] + 0.6 * drawn[11], atol=1e-9)
    np.testing.assert_allclose(ghost.astype(float), 0.4 * stiff[10] + 0.6 * stiff[11], atol=1e-4)
    np.testing.assert_allclose(tip.astype(float), line[-1].astype(float), atol=2e-4)
    assert len(trail) == 12 and trail[-1].tolist() == tip.tolist()
    np.testing.assert_allclose([low, high], [tips.min(axis=(0, 1)), tips.max(axis=(0, 1))], atol=1e-3)
    np.testing.assert_allclose(end.astype(float), places(data["tip"], data)[-1, 0], atol=1e-9)


SCENARIO_OF_THE_USER = """
const data = DATA;
const player = FlexarmPlayer(document.getElementById("arm"), data), canvas = document.querySelector("canvas");
const button = document.querySelector("button"), scrub = document.querySelector("input[type=range]");
const [speed, enlarge] = document.querySelectorAll("select"), found = { texts: [] };
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) { found.texts.push(text); write.call(this, text, ...rest); };
function blue() { /* the ends of the blue link in pixels */
  const { data: rgba, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const hits = [];
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i] < 30 && Math.abs(rgba[i + 1] - 114) < 25 && Math.abs(rgba[i + 2] - 178) < 25) hits.push([(i / 4) % width, (i / 4 / width) | 0]);
  }
  hits.sort((a, b) => a[0] - b[0]);
  const mean = (part) => [0, 1].map((a) => part.reduce((sum, hit) => sum + hit[a], 0) / part.length);
  return [mean(hits.slice(0, 60)), mean(hits.slice(-60))];
}
enlarge.value = 1; enlarge.onchange();
found.texts = [];
player.seek(TIME);
found.ends = blue(); found.small = found.texts;
enlarge.value = 5; enlarge.onchange();
found.texts = []; player.seek(TIME); found.large = found.texts;
found.before = [player.state.playing, button.textContent];
button.click(); found.after = player.state.playing;
scrub.value = 0.5; scrub.oninput(); found.scrubbed = [player.state.time, player.state.playing, document.querySelector("output").textContent];
found.words = document.body.innerText;
document.body.innerHTML = ""; document.body.append(JSON.stringify(found));
"""


@needs_browser
def test_a_browser_draws_the_arm_where_it_is(link, tmp_path):
    """The drawn chord has the direction of the computed one, and the picture says how large the deflection is drawn."""
    film, time = player_data(link), 0.31
    code = SCENARIO_OF_THE_USER.replace("DATA", json.dumps(film)).replace("TIME", str(time))
    page = f'<!doctype html><meta charset="utf-8"><div id="arm"></div><script>{player_script()}</script><script>{code}</script>'
    found = json.loads(shown(page, tmp_path).partition("<body>")[2].partition("</body>")[0].replace("&gt;", ">"))
    (x0, y0), (x1, y1) = found["ends"]
    tip = link.data.tip_position.sel(time=time, method="nearest").values
    assert np.arctan2(y0 - y1, x1 - x0) == pytest.approx(np.arctan2(tip[1], tip[0]), abs=0.01)
    assert "deflection in true size" in found["small"] and "deflection drawn 5 times as large" in found["large"]
    assert found["before"] == [False, "Play"] and found["after"] is True
    assert found["scrubbed"] == [0.5, False, "t = 0.500 of 1.2 s"]
    assert "trail of the tip" in found["words"] and "rigid arm at actual joints" in found["words"]


def shown(page: str, folder: Path) -> str:
    """What a browser makes of a page, as HTML."""
    (folder / "index.html").write_text(page, encoding="utf-8")
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command += ["--virtual-time-budget=2000", "--dump-dom", (folder / "index.html").as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def test_a_page_tells_what_is_still_to_come(tmp_path, link):
    planned = [Piece("tokhi-azad", "One link"), Piece("other", "Another <arm>")]
    gallery = Gallery(tmp_path, "Arms", "Some.", planned)
    ready = Piece(
        "tokhi-azad",
        "One link",
        sentences=("It bends.",),
        film=player_data(link),
        text="name: <x>",
        command="flexarm run x",
    )
    gallery.add(ready)
    page = gallery.path.read_text(encoding="utf-8")
    assert "1 of 2 are still being computed" in page and "Another &lt;arm&gt;" in page and "location.reload" in page
    assert "It bends." in page and "name: &lt;x&gt;" in page and "http" not in page.replace("http-equiv", "")
    assert (tmp_path / "player.js").read_text(encoding="utf-8") == player_script()
    assert (tmp_path / "done.js").read_text() == "window.flexarmDone = 1;\n"
    gallery.add(ended=True)
    page = gallery.path.read_text(encoding="utf-8")
    assert "1 of 2 were not computed" in page and "location.reload" not in page
    assert (tmp_path / "done.js").read_text() == "window.flexarmDone = 2;\n", "so that an open page loads once more"
