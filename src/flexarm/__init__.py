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
    from flexarm.analysis.workspace import WorkspaceMap, workspace_map
    from flexarm.arm import Arm, Joint, Link, Material, Payload, Section
    from flexarm.control.experiment import Proposal, propose_experiment
    from flexarm.control.files import load_state_space
    from flexarm.control.fit import fit
    from flexarm.control.fit_result import Fit
    from flexarm.control.identify_modes import IdentifiedModes, identify_modes
    from flexarm.control.inversion import Inverse, inverse
    from flexarm.control.margins import Loop, Margins, loop_margins, open_loops
    from flexarm.control.move_residual import MoveResidual, move_residual
    from flexarm.control.observer_law import Check, ObserverLaw, lqg
    from flexarm.control.poles_along import PathPoles, poles_along
    from flexarm.control.reduction import Reduced
    from flexarm.control.rest_to_rest import RestToRest, rest_to_rest
    from flexarm.control.shapers import Shaper, shaper
    from flexarm.control.state_feedback import StateFeedback, lqr, place
    from flexarm.control.state_space import StateSpace, state_space
    from flexarm.control.step_responses import StepComparison, step_comparison
    from flexarm.control.tuning import Tuned, tune
    from flexarm.errors import FlexarmError
    from flexarm.methods import get_method, method_names
    from flexarm.methods.base import Outcome
    from flexarm.result import Result, open_result
    from flexarm.scenario import Scenario, bundled, load, loads
    from flexarm.simulation.compiled_law import CompiledLaw, controller
    from flexarm.simulation.control_loops.stability import Stability, stability
    from flexarm.simulation.online import Simulator
    from flexarm.simulation.run import simulate
    from flexarm.studies.optimise import Optimum, optimise
    from flexarm.studies.result import StudyResult, open_study
    from flexarm.studies.study import study

_PLACES = {
    "Arm": "flexarm.arm",
    "Bode": "flexarm.analysis.bode",
    "Check": "flexarm.control.observer_law",
    "Comparison": "flexarm.analysis.compare",
    "CompiledLaw": "flexarm.simulation.compiled_law",
    "Convergence": "flexarm.analysis.convergence",
    "Fit": "flexarm.control.fit_result",
    "FlexarmError": "flexarm.errors",
    "Frequencies": "flexarm.analysis.frequencies",
    "GaugeChain": "flexarm.analysis.gauge",
    "Inverse": "flexarm.control.inversion",
    "IdentifiedModes": "flexarm.control.identify_modes",
    "Joint": "flexarm.arm",
    "Link": "flexarm.arm",
    "Load": "flexarm.analysis.loads",
    "Log": "flexarm.analysis.measured",
    "Loop": "flexarm.control.margins",
    "Margins": "flexarm.control.margins",
    "Material": "flexarm.arm",
    "MoveResidual": "flexarm.control.move_residual",
    "ObserverLaw": "flexarm.control.observer_law",
    "Optimum": "flexarm.studies.optimise",
    "Outcome": "flexarm.methods.base",
    "PathFrequencies": "flexarm.analysis.along",
    "PathPoles": "flexarm.control.poles_along",
    "Payload": "flexarm.arm",
    "RestToRest": "flexarm.control.rest_to_rest",
    "Reduced": "flexarm.control.reduction",
    "Proposal": "flexarm.control.experiment",
    "Result": "flexarm.result",
    "Scenario": "flexarm.scenario",
    "Section": "flexarm.arm",
    "Shaper": "flexarm.control.shapers",
    "Simulator": "flexarm.simulation.online",
    "Stability": "flexarm.simulation.control_loops.stability",
    "StateFeedback": "flexarm.control.state_feedback",
    "StateSpace": "flexarm.control.state_space",
    "StudyResult": "flexarm.studies.result",
    "StaticResult": "flexarm.analysis.static",
    "StepComparison": "flexarm.control.step_responses",
    "SweptSine": "flexarm.analysis.swept_sine",
    "Tuned": "flexarm.control.tuning",
    "bode": "flexarm.analysis.bode",
    "bundled": "flexarm.scenario",
    "compare": "flexarm.analysis.compare",
    "controller": "flexarm.simulation.compiled_law",
    "convergence": "flexarm.analysis.convergence",
    "compare_log": "flexarm.analysis.log_comparison",
    "compare_logs": "flexarm.analysis.log_comparison",
    "fit": "flexarm.control.fit",
    "frequencies": "flexarm.analysis.frequencies",
    "frequencies_along": "flexarm.analysis.along",
    "get_method": "flexarm.methods",
    "inverse": "flexarm.control.inversion",
    "identify_modes": "flexarm.control.identify_modes",
    "load": "flexarm.scenario",
    "load_state_space": "flexarm.control.files",
    "loads": "flexarm.scenario",
    "loop_margins": "flexarm.control.margins",
    "lqg": "flexarm.control.observer_law",
    "lqr": "flexarm.control.state_feedback",
    "method_names": "flexarm.methods",
    "motor_steps": "flexarm.analysis.motor_steps",
    "move_residual": "flexarm.control.move_residual",
    "open_loops": "flexarm.control.margins",
    "open_result": "flexarm.result",
    "open_study": "flexarm.studies.result",
    "place": "flexarm.control.state_feedback",
    "poles_along": "flexarm.control.poles_along",
    "optimise": "flexarm.studies.optimise",
    "propose_experiment": "flexarm.control.experiment",
    "read_dump": "flexarm.analysis.measured",
    "read_gauge": "flexarm.analysis.gauge",
    "read_log": "flexarm.analysis.measured",
    "rest_to_rest": "flexarm.control.rest_to_rest",
    "shaper": "flexarm.control.shapers",
    "simulate": "flexarm.simulation.run",
    "stability": "flexarm.simulation.control_loops.stability",
    "state_space": "flexarm.control.state_space",
    "static": "flexarm.analysis.static",
    "WorkspaceMap": "flexarm.analysis.workspace",
    "workspace_map": "flexarm.analysis.workspace",
    "study": "flexarm.studies.study",
    "step_comparison": "flexarm.control.step_responses",
    "swept_sine": "flexarm.analysis.swept_sine",
    "tune": "flexarm.control.tuning",
}

__all__ = [
    "Arm",
    "Bode",
    "Check",
    "Comparison",
    "CompiledLaw",
    "Convergence",
    "Fit",
    "FlexarmError",
    "Frequencies",
    "GaugeChain",
    "Inverse",
    "IdentifiedModes",
    "Joint",
    "Link",
    "Load",
    "Log",
    "Loop",
    "Margins",
    "Material",
    "MoveResidual",
    "ObserverLaw",
    "Optimum",
    "Outcome",
    "PathFrequencies",
    "PathPoles",
    "Payload",
    "RestToRest",
    "Reduced",
    "Proposal",
    "Result",
    "Scenario",
    "Section",
    "Shaper",
    "Simulator",
    "Stability",
    "StateFeedback",
    "StateSpace",
    "StaticResult",
    "WorkspaceMap",
    "StudyResult",
    "StepComparison",
    "SweptSine",
    "Tuned",
    "__version__",
    "bode",
    "bundled",
    "compare",
    "controller",
    "convergence",
    "compare_log",
    "compare_logs",
    "fit",
    "frequencies",
    "frequencies_along",
    "get_method",
    "inverse",
    "identify_modes",
    "load",
    "load_state_space",
    "loads",
    "loop_margins",
    "lqg",
    "lqr",
    "method_names",
    "motor_steps",
    "move_residual",
    "open_loops",
    "open_result",
    "open_study",
    "optimise",
    "place",
    "poles_along",
    "propose_experiment",
    "read_dump",
    "read_gauge",
    "read_log",
    "rest_to_rest",
    "shaper",
    "simulate",
    "stability",
    "state_space",
    "static",
    "workspace_map",
    "study",
    "step_comparison",
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
