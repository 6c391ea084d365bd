"""Scenarios: the file reader, the model, the bundled library."""

from flexarm.scenario.model import Scenario
from flexarm.scenario.parts import Gauge, MethodChoice, Output, SensorPoint, Timing
from flexarm.scenario.reader import Bundled, as_scenario, bundled, load, load_tree, loads
from flexarm.scenario.schema import json_schema
from flexarm.scenario.template import KINDS, template

__all__ = [
    "Bundled",
    "Gauge",
    "KINDS",
    "MethodChoice",
    "Output",
    "Scenario",
    "SensorPoint",
    "Timing",
    "as_scenario",
    "bundled",
    "json_schema",
    "load",
    "load_tree",
    "loads",
    "template",
]
