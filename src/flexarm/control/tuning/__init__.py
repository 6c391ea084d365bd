"""Search for gains that follow a path or a motion best, under limits of torque and stability."""

from flexarm.control.tuning.search import Tuned, tune

__all__ = ["Tuned", "tune"]
