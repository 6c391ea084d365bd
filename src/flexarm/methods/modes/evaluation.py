"""What is evaluated at one instant, for arms in the plane and in space alike: the rest of the method knows these names only.

Equations: M3.
"""

from __future__ import annotations

from flexarm.methods.modes import dynamics as planar
from flexarm.methods.modes.loop_rows import place_all as place_in_plane
from flexarm.methods.modes.spatial import dynamics as spatial
from flexarm.methods.modes.spatial.kinematics import place_all as place_in_space
from flexarm.numerics.by_kind import ByKind
from flexarm.numerics.jit import njit, njit_part

place_all = ByKind(Parts=place_in_plane, SpatialParts=place_in_space)
"""Frames of all bodies and the loop equations: ``place_all(part, work, q, v)``."""
assemble = ByKind(Parts=planar.assemble, SpatialParts=spatial.assemble)
"""The same with mass matrix and velocity terms; gives the potential of gravity: ``assemble(part, work, q, v)``."""
rotor_torque = ByKind(Parts=planar.rotor_torque, SpatialParts=spatial.rotor_torque)
"""Torque that a rotor takes on the slow side of its gear: ``rotor_torque(part, work, joint, a)``."""


@njit_part
def kinetic_energy(M, v):
    """v^T M v / 2."""
    total = 0.0
    for i in range(v.shape[0]):
        for j in range(v.shape[0]):
            total += 0.5 * v[i] * M[i, j] * v[j]
    return total


@njit
def evaluate_poses(part, work, q, v, out):
    """Kinetic energy and potential of gravity for each row of q and v (n, size), into out (n, 2).

    `work` keeps frames, mass matrix, velocity terms and loop equations of the last row.
    """
    for k in range(q.shape[0]):
        potential = assemble(part, work, q[k], v[k])
        out[k, 0], out[k, 1] = kinetic_energy(work.mass, v[k]), potential
