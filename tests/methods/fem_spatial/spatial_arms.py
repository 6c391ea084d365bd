"""Arms in space for the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexarm as fa

STEEL = {"E": 207e9, "density": 7850.0, "nu": 0.3}
TUBE = {"area": 915e-6, "inertia": 1.08e-6, "torsion": 2.16e-6, "shear_factor": 0.54, "fibre": 0.05}
ROD = {"area": 315e-6, "inertia": 1e-8, "torsion": 2e-8, "shear_factor": 0.7078}
ALUMINIUM = {"E": 70e9, "density": 2700.0, "nu": 0.3}


def beam(name: str, dh: dict[str, float] | None = None, section: Any = None, **more: Any) -> dict[str, Any]:
    """A flexible link."""
    joint = {**more.pop("joint", {}), **({"dh": dh} if dh is not None else {})}
    return {
        "name": name,
        "section": section or ROD,
        "material": more.pop("material", ALUMINIUM),
        "joint": joint,
        **more,
    }


def scenario(links: list[Any], drives: list[Any], end: float = 0.2, step: float = 1e-3, **more: Any) -> fa.Scenario:
    """A scenario of the method fem."""
    arm = {"links": links, **more.pop("arm", {})}
    method = {"name": "fem", "resolution": 4, **more.pop("method", {})}
    time = {"end": end, "step": step, **more.pop("time", {})}
    data = {"name": "test", "arm": arm, "drive": drives, "method": method, "time": time, **more}
    return fa.Scenario.model_validate(data)


def error_mm(result: fa.Result) -> np.ndarray:
    """Tip error (nt, 3) in mm."""
    return 1e3 * result.data.tip_error.values
