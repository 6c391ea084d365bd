"""Paths of the tip: shapes in space, their timing, and the joint motions that follow them."""

from flexarm.drive.paths.motion import JointPath, PathMotion, start_on_path
from flexarm.drive.paths.shapes import CirclePath, LinePath, PolygonPath, SplinePath, SquarePath
from flexarm.drive.paths.table import TablePath
from flexarm.drive.paths.union import PATH_SHAPES, TipPath

__all__ = [
    "PATH_SHAPES",
    "CirclePath",
    "JointPath",
    "LinePath",
    "PathMotion",
    "PolygonPath",
    "SplinePath",
    "SquarePath",
    "TablePath",
    "TipPath",
    "start_on_path",
]
