"""Reference figures of identification, with their inputs and tolerances."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def reference() -> dict[str, Any]:
    return json.loads((Path(__file__).parent / "identification.json").read_text(encoding="utf-8"))
