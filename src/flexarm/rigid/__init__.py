"""The same arm with stiff links: kinematics, loops and inverse dynamics.

Serves paths and feed-forward, the rule for servo gains, the tip error, and the 'rigid' line of torque plots.
Planar trees with loops and spatial serial arms share one set of recursions, vectorised over time.
"""

from flexarm.rigid.closing import LoopRank, close_loops, loop_rank
from flexarm.rigid.dynamics import inertia_about, inverse_dynamics, mass_matrix
from flexarm.rigid.frames import Frames, forward, tip, tip_motion, tips
from flexarm.rigid.inverse import inverse
from flexarm.rigid.loops import driven_joints, passive_joints
from flexarm.rigid.mechanism import complete_motion
from flexarm.rigid.task import joint_rates, tip_joints

__all__ = [
    "Frames",
    "LoopRank",
    "close_loops",
    "complete_motion",
    "driven_joints",
    "forward",
    "inertia_about",
    "inverse",
    "inverse_dynamics",
    "joint_rates",
    "loop_rank",
    "mass_matrix",
    "passive_joints",
    "tip",
    "tip_joints",
    "tip_motion",
    "tips",
]
