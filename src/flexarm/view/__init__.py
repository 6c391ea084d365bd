"""Figures and animations from a result. No physics: what is drawn was computed before."""

from flexarm.view.animation import animate
from flexarm.view.files import save
from flexarm.view.linear import pole_map, response_figure
from flexarm.view.move_residual import residual_over_time
from flexarm.view.nyquist import nyquist
from flexarm.view.overlay import overlay
from flexarm.view.path_poles import path_poles
from flexarm.view.registry import FIGURES, Entry, available, draw, figure
from flexarm.view.shaper import sensitivity
from flexarm.view.show import show
from flexarm.view.step_responses import step_responses

__all__ = [
    "FIGURES", "Entry", "animate", "available", "draw", "figure", "nyquist", "overlay", "path_poles", "pole_map", "residual_over_time",
    "response_figure", "save", "sensitivity", "show", "step_responses",
]  # fmt: skip
