"""`fem`: planar serial arms of Timoshenko beams."""

from flexarm.methods.fem.method import METHOD

__all__ = ["METHOD"]
