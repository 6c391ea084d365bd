"""Robots as URDF files: read as data, turned into an arm, and written back.

A URDF is one of the forms in which an arm stands in a file, as YAML is another; so it is read here, where files become scenarios, with
the same care: data, never code, nothing opened that it names, and every refusal with file, line and remedy.
"""

from flexarm.scenario.urdf.convert import Understood, understand
from flexarm.scenario.urdf.robot import Robot, read_robot, robot_file
from flexarm.scenario.urdf.write import urdf_text

__all__ = ["Robot", "Understood", "read_robot", "robot_file", "understand", "urdf_text"]
