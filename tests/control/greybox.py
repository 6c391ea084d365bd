"""Hub angle and root strain of the single link of the reference, by 20 exact modes and without a time step."""

from __future__ import annotations

import numpy as np

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink

FIBRE, ETA = 1.6e-3, 0.00031293881096
NAMES = ("arm.links.link.material.E", "arm.payload.mass", "arm.links.link.joint.hub_inertia", "arm.damping.time")
PER_E = 51.924e-12
"""Second moment of area: E times this is EI."""


def exact_readings(modes: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, hub angle, and strain at the top of the root, each (600,), Kelvin-Voigt damping in every mode.

    While the torque is constant, a mode with roots a, b and the static value s moves as s (1 + (b e^(a t) - a e^(b t))/(a - b)).
    """
    link, time = ExactLink(0.96, 3.6917964, 0.16678424, 5.86e-4, 0.02), 0.002 * np.arange(600)
    w = 2.0 * np.pi * link.frequencies(modes)
    slope, curvature = (link.shapes(modes, 0.0, derivative=k) for k in (1, 2))
    half = 0.5 * ETA * w**2
    swing = np.sqrt(w**2 - half**2 + 0j)
    a, b = -half + 1j * swing, -half - 1j * swing
    angle, strain = np.zeros(600), np.zeros(600)
    for begin, jump in ((0.0, 0.1), (0.3, -0.2), (0.6, 0.1)):
        t = np.maximum(time - begin, 0.0)
        q = jump * slope / w**2 * (1.0 + (b * np.exp(np.outer(t, a)) - a * np.exp(np.outer(t, b))) / (a - b)).real
        angle += 0.5 * jump * t**2 / link.total_inertia + q @ slope
        strain -= FIBRE * (q @ curvature)
    return time, angle, strain


def noisy_logs(seed: int) -> dict[str, fa.Log]:
    """Both with the noise of the reference."""
    time, angle, strain = exact_readings()
    random = np.random.default_rng(seed)
    angle = angle + random.normal(0.0, 1e-4, 600)
    strain = strain + random.normal(0.0, 1e-6, 600)
    return {"joint_position:link": fa.Log("hub", time, angle, "rad"), "strain:root": fa.Log("gauge", time, strain)}


def arm(method: str, resolution: int) -> fa.Scenario:
    """The same link with the true parameters."""
    return fa.load("tokhi-azad-20g").with_(
        {
            "method": {"name": method, "resolution": resolution},
            "arm.damping": {"time": f"{ETA!r} s"},
            "arm.links.link.section.fibre": f"{FIBRE!r} m",
            "output": {"gauges": [{"link": "link", "at": 0, "name": "root"}]},
        }
    )


def fitted(method: str, resolution: int, given: dict) -> tuple[fa.Fit, np.ndarray, np.ndarray]:
    """The fit of the reference, from its start values; stated estimates and standard deviations."""
    unit = np.array([1.0 / PER_E, 1.0, 1.0, 1.0])
    start = dict(zip(NAMES, (np.array(given["true"]) * given["start_factors"] * unit).tolist(), strict=True))
    sigma = {"joint_position:link": 1e-4, "strain:root": 1e-6}
    found = fa.fit(arm(method, resolution), noisy_logs(7), start, sigma=sigma)
    return found, np.array(given["estimate_seed7"]) * unit, np.array(given["sd"]) * unit
