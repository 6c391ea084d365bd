"""Inverse dynamics of the stiff arm by Newton and Euler, for many instants at once.

Outwards the motion, inwards the forces: with m, h, I of a link about its body origin (see `mass`),

    f = m a + alpha x h + w x (w x h)
    n = h x a + I alpha + w x I w

and weight enters as an acceleration -g of the ground. The drive gives the part of n along the axis (revolute)
or of f along it (prismatic), and moves what the gear of a rotor puts on the joint alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid.chain import Chain, joint_index, joint_values
from flexarm.rigid.kinematics import cross, move, rotate
from flexarm.rigid.loops import driven_joints
from flexarm.rigid.mass import Masses
from flexarm.rigid.projection import project, transmission


def _tree_torque(
    masses: Masses, q: np.ndarray, qd: np.ndarray | None, qdd: np.ndarray | None, gravity: np.ndarray
) -> np.ndarray:
    """Torques (nt, nj) of the tree with all loops cut."""
    chain = masses.chain
    motion = move(chain, q, qd, qdd, ground=-gravity)
    nl, nt = motion.origin.shape[:2]
    force, moment = np.zeros((nl, nt, 3)), np.zeros((nl, nt, 3))
    torque = np.zeros(q.shape) if qdd is None else masses.with_joint * qdd
    for i, part in enumerate(masses.at(q)):
        frame, w, al, a = motion.rotation[i], motion.omega[i], motion.alpha[i], motion.acceleration[i]
        back = np.swapaxes(frame, -1, -2)
        h = rotate(frame, part.moment)
        spin, push = rotate(back, w), rotate(back, al)
        turning = rotate(part.tensor, push) + cross(spin, rotate(part.tensor, spin))
        force[i] = part.mass[:, None] * a + cross(al, h) + cross(w, cross(w, h))
        moment[i] = cross(h, a) + rotate(frame, turning)
    for i in reversed(range(nl)):
        p, j = chain.parent[i], chain.column[i]
        if j >= 0:
            load = force[i] if chain.slides[i] else moment[i]
            torque[:, j] += (motion.axis(i) * load).sum(axis=-1)
        if p >= 0:
            force[p] += force[i]
            moment[p] += moment[i] + cross(motion.origin[i] - motion.origin[p], force[i])
    return torque


def inverse_dynamics(
    arm: Arm, q: Any, qd: Any = None, qdd: Any = None, driven: Iterable[str] | None = None, *, sections: bool = False
) -> np.ndarray:
    """Torques that move the stiff arm in a given way, gravity included.

    Joint springs, friction and dampers are not counted; rotors turn with their links, at the ratio of their gear.

    Parameters
    ----------
    arm : Arm
        The arm.
    q, qd, qdd : array_like, shape (nj,) or (nt, nj)
        Joint positions, velocities and accelerations in the order of ``arm.joints``. Velocities and
        accelerations that are left out are zero: what remains is the holding torque. An arm with loops needs
        a motion that keeps them closed (`complete_motion` makes one).
    driven : iterable of str, optional
        The joints that have a drive; a motion that needs a torque elsewhere is refused. Default: all that do
        not follow from closing a loop.
    sections : bool
        Count the rotary inertia of the cross sections of flexible links as well, which a beam theory with shear has.

    Returns
    -------
    ndarray, shape of `q`
        N m, or N for prismatic joints. Joints without a drive have zero. If more joints are driven than the
        mechanism has freedoms, the torques are the smallest ones (in the sum of squares).
    """
    rows = joint_values(arm, q)
    rate = None if qd is None else joint_values(arm, qd, "qd")
    push = None if qdd is None else joint_values(arm, qdd, "qdd")
    for part, name in ((rate, "qd"), (push, "qdd")):
        if part is not None and part.shape != rows.shape:
            raise FlexarmError(f"'{name}' has {len(part)} rows where 'q' has {len(rows)}")
    torque = _tree_torque(Masses.of(arm, sections), rows, rate, push, np.array(arm.gravity))
    if arm.loops or driven is not None:
        torque = project(Chain.of(arm), rows, torque, driven_joints(arm) if driven is None else tuple(driven))
    return torque[0] if np.ndim(q) == 1 else torque


def mass_matrix(arm: Arm, q: Any) -> np.ndarray:
    """Mass matrix of the stiff arm with all loops cut.

    Parameters
    ----------
    arm : Arm
        The arm.
    q : array_like, shape (nj,) or (nt, nj)
        Joint positions, rad or m.

    Returns
    -------
    ndarray, shape (nj, nj) or (nt, nj, nj)
        kg m^2 (revolute), kg (prismatic) or kg m (mixed). Of a prismatic link with ``retracted: massless``
        only the part that is outside counts.
    """
    rows = joint_values(arm, q)
    nt, nj = rows.shape
    unit = np.tile(np.eye(nj), (nt, 1))
    columns = _tree_torque(Masses.of(arm), np.repeat(rows, nj, axis=0), None, unit, np.zeros(3))
    matrix = columns.reshape(nt, nj, nj)
    return matrix[0] if np.ndim(q) == 1 else matrix


def inertia_about(arm: Arm, joint: str, q: Any) -> float:
    """Inertia that the motor of a joint has to move while all other drives hold still.

    For an open chain this is the joint's diagonal entry of the mass matrix. In an arm with loops the joints
    without a drive follow, and their links count with the square of their speed ratio.

    Parameters
    ----------
    arm : Arm
        The arm.
    joint : str
        Name of the joint (of the link at whose root it sits).
    q : array_like, shape (nj,)
        Joint positions, rad or m; loops closed.

    Returns
    -------
    float
        kg m^2, or kg for a prismatic joint.
    """
    j = joint_index(arm, joint)
    matrix = mass_matrix(arm, np.ravel(q))
    if not arm.loops:
        return float(matrix[j, j])
    driven = driven_joints(arm)
    if joint not in driven:
        raise FlexarmError(f"joint '{joint}' follows from closing a loop and has no motor of its own")
    ratio = transmission(Chain.of(arm), joint_values(arm, np.ravel(q)), driven)[0][:, driven.index(joint)]
    return float(ratio @ matrix @ ratio)
