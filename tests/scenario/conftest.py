"""Shared helpers of the scenario tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from flexarm.errors import ScenarioError
from flexarm.scenario import load, loads

TEXT = """\
name: One link
arm:
  links:
    - name: link
      length: 960 mm
      section: {area: 61.544 mm^2, inertia: 51.924 mm^4}
      material: {E: 71.1 GPa, density: 2710 kg/m^3, nu: 0.33}
      joint: {hub_inertia: 5.86e-4 kg*m^2}
  payload: {mass: 10 g}
drive:
  - joint: link
    torque: {profile: bang-bang, amplitude: 0.1 N*m, duration: 0.6 s}
method: {name: fd, resolution: 19}
time: {end: 1.2 s}
output: {every: 1 ms, gauges: [{link: link, at: 0.5}]}
"""


@pytest.fixture
def text() -> str:
    """A good scenario file."""
    return TEXT


@pytest.fixture
def refused(tmp_path: Path) -> Callable[..., ScenarioError]:
    """A function that changes the good file in some places, loads it, and gives the error back."""

    def load_changed(*changes: tuple[str, str]) -> ScenarioError:
        content = TEXT
        for old, new in changes:
            assert old in content
            content = content.replace(old, new, 1)
        path = tmp_path / "arm.yaml"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ScenarioError) as caught:
            load(path)
        with pytest.raises(ScenarioError):
            loads(content)
        error = caught.value
        assert Path(error.file).name == "arm.yaml"
        assert "Traceback" not in str(error)
        return error

    return load_changed
