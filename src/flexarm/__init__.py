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
    from flexarm.analysis.along import PathFrequencies, frequencies_along
    from flexarm.analysis.bode import Bode, bode
    from flexarm.analysis.compare import Comparison, compare
    from flexarm.analysis.convergence import Convergence, convergence
    from flexarm.analysis.frequencies import Frequencies, frequencies
    from flexarm.analysis.gauge import GaugeChain, read_gauge
    from flexarm.analysis.loads import Load
    from flexarm.analysis.log_comparison import compare_log, compare_logs
    from flexarm.analysis.measured import Log, read_dump, read_log
    from flexarm.analysis.motor_steps import motor_steps
    from flexarm.analysis.static import StaticResult, static
    from flexarm.analysis.swept_sine import SweptSine, swept_sine
    from flexarm.analysis.tuning import Tuned, tune
    from flexarm.arm import Arm, Joint, Link, Material, Payload, Section
    from flexarm.control.experiment import Proposal, propose_experiment
    from flexarm.control.fit import fit
    from flexarm.control.fit_result import Fit
    from flexarm.control.identify_modes import IdentifiedModes, identify_modes
    from flexarm.errors import FlexarmError
    from flexarm.methods import get_method, method_names
    from flexarm.methods.base import Outcome
    from flexarm.result import Result, open_result
    from flexarm.scenario import Scenario, bundled, load, loads
    from flexarm.simulation.control_loops.stability import Stability, stability
    from flexarm.simulation.online import Simulator
    from flexarm.simulation.run import simulate

_PLACES = {
    "Arm": "flexarm.arm",
    "Bode": "flexarm.analysis.bode",
    "Comparison": "flexarm.analysis.compare",
    "Convergence": "flexarm.analysis.convergence",
    "Fit": "flexarm.control.fit_result",
    "FlexarmError": "flexarm.errors",
    "Frequencies": "flexarm.analysis.frequencies",
    "GaugeChain": "flexarm.analysis.gauge",
    "IdentifiedModes": "flexarm.control.identify_modes",
    "Joint": "flexarm.arm",
    "Link": "flexarm.arm",
    "Load": "flexarm.analysis.loads",
    "Log": "flexarm.analysis.measured",
    "Material": "flexarm.arm",
    "Outcome": "flexarm.methods.base",
    "PathFrequencies": "flexarm.analysis.along",
    "Payload": "flexarm.arm",
    "Proposal": "flexarm.control.experiment",
    "Result": "flexarm.result",
    "Scenario": "flexarm.scenario",
    "Section": "flexarm.arm",
    "Simulator": "flexarm.simulation.online",
    "Stability": "flexarm.simulation.control_loops.stability",
    "StaticResult": "flexarm.analysis.static",
    "SweptSine": "flexarm.analysis.swept_sine",
    "Tuned": "flexarm.analysis.tuning",
    "bode": "flexarm.analysis.bode",
    "bundled": "flexarm.scenario",
    "compare": "flexarm.analysis.compare",
    "convergence": "flexarm.analysis.convergence",
    "compare_log": "flexarm.analysis.log_comparison",
    "compare_logs": "flexarm.analysis.log_comparison",
    "fit": "flexarm.control.fit",
    "frequencies": "flexarm.analysis.frequencies",
    "frequencies_along": "flexarm.analysis.along",
    "get_method": "flexarm.methods",
    "identify_modes": "flexarm.control.identify_modes",
    "load": "flexarm.scenario",
    "loads": "flexarm.scenario",
    "method_names": "flexarm.methods",
    "motor_steps": "flexarm.analysis.motor_steps",
    "open_result": "flexarm.result",
    "propose_experiment": "flexarm.control.experiment",
    "read_dump": "flexarm.analysis.measured",
    "read_gauge": "flexarm.analysis.gauge",
    "read_log": "flexarm.analysis.measured",
    "simulate": "flexarm.simulation.run",
    "stability": "flexarm.simulation.control_loops.stability",
    "static": "flexarm.analysis.static",
    "swept_sine": "flexarm.analysis.swept_sine",
    "tune": "flexarm.analysis.tuning",
}

__all__ = [
    "Arm",
    "Bode",
    "Comparison",
    "Convergence",
    "Fit",
    "FlexarmError",
    "Frequencies",
    "GaugeChain",
    "IdentifiedModes",
    "Joint",
    "Link",
    "Load",
    "Log",
    "Material",
    "Outcome",
    "PathFrequencies",
    "Payload",
    "Proposal",
    "Result",
    "Scenario",
    "Section",
    "Simulator",
    "Stability",
    "StaticResult",
    "SweptSine",
    "Tuned",
    "__version__",
    "bode",
    "bundled",
    "compare",
    "convergence",
    "compare_log",
    "compare_logs",
    "fit",
    "frequencies",
    "frequencies_along",
    "get_method",
    "identify_modes",
    "load",
    "loads",
    "method_names",
    "motor_steps",
    "open_result",
    "propose_experiment",
    "read_dump",
    "read_gauge",
    "read_log",
    "simulate",
    "stability",
    "static",
    "swept_sine",
    "tune",
]


def __getattr__(name: str) -> Any:
    if name in ("methods", "view"):
        return importlib.import_module(f"flexarm.{name}")
    if name in _PLACES:
        value = getattr(importlib.import_module(_PLACES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'flexarm' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "methods", "view"])
