"""flexarm: simulation of flexible robot arms.

One description of an arm, several modelling methods, one labelled result:

    import flexarm as fa
    scenario = fa.load("tokhi-azad")
    result = fa.simulate(scenario)
    result.data            # xarray.Dataset

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from flexarm._version import __version__

if TYPE_CHECKING:
    from flexarm.analysis.frequencies import Frequencies, frequencies
    from flexarm.analysis.loads import Load
    from flexarm.analysis.stability import Stability, stability
    from flexarm.analysis.static import StaticResult, static
    from flexarm.analysis.tuning import Tuned, tune
    from flexarm.arm import Arm, Joint, Link, Material, Payload, Section
    from flexarm.errors import FlexarmError
    from flexarm.methods import get_method, method_names
    from flexarm.methods.base import Outcome
    from flexarm.result import Result
    from flexarm.scenario import Scenario, bundled, load, loads
    from flexarm.simulation.online import Simulator
    from flexarm.simulation.run import simulate

_PLACES = {
    "Arm": "flexarm.arm",
    "FlexarmError": "flexarm.errors",
    "Frequencies": "flexarm.analysis.frequencies",
    "Joint": "flexarm.arm",
    "Link": "flexarm.arm",
    "Load": "flexarm.analysis.loads",
    "Material": "flexarm.arm",
    "Outcome": "flexarm.methods.base",
    "Payload": "flexarm.arm",
    "Result": "flexarm.result",
    "Scenario": "flexarm.scenario",
    "Section": "flexarm.arm",
    "Simulator": "flexarm.simulation.online",
    "Stability": "flexarm.analysis.stability",
    "StaticResult": "flexarm.analysis.static",
    "Tuned": "flexarm.analysis.tuning",
    "bundled": "flexarm.scenario",
    "frequencies": "flexarm.analysis.frequencies",
    "get_method": "flexarm.methods",
    "load": "flexarm.scenario",
    "loads": "flexarm.scenario",
    "method_names": "flexarm.methods",
    "simulate": "flexarm.simulation.run",
    "stability": "flexarm.analysis.stability",
    "static": "flexarm.analysis.static",
    "tune": "flexarm.analysis.tuning",
}

__all__ = [
    "Arm",
    "FlexarmError",
    "Frequencies",
    "Joint",
    "Link",
    "Load",
    "Material",
    "Outcome",
    "Payload",
    "Result",
    "Scenario",
    "Section",
    "Simulator",
    "Stability",
    "StaticResult",
    "Tuned",
    "__version__",
    "bundled",
    "frequencies",
    "get_method",
    "load",
    "loads",
    "method_names",
    "simulate",
    "stability",
    "static",
    "tune",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        value = getattr(importlib.import_module(_PLACES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'flexarm' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
