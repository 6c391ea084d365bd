"""Figures and animations from a result. No physics: what is drawn was computed before."""

from flexarm.view.animation import animate
from flexarm.view.files import save
from flexarm.view.overlay import overlay
from flexarm.view.registry import FIGURES, Entry, available, draw, figure
from flexarm.view.shaper import sensitivity
from flexarm.view.show import show

__all__ = ["FIGURES", "Entry", "animate", "available", "draw", "figure", "overlay", "save", "sensitivity", "show"]
