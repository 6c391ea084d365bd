"""Position, velocity and acceleration of every link, from the ground outwards, for many instants at once.

With p the carrying link, z the joint's axis, q the joint's value and d the vector from p's origin to the joint:

    revolute    w = w_p + z q'      alpha = alpha_p + z q'' + w_p x z q'
    prismatic   v = v_joint + w x z q + z q'
                a = a_joint + alpha x z q + w x (w x z q) + 2 w x z q' + z q''
    any joint   v_joint = v_p + w_p x d     a_joint = a_p + alpha_p x d + w_p x (w_p x d)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.rigid.chain import Chain


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross product over the last axis; quicker than numpy's for many short vectors."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


def rotate(rotation: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Matrix times vector over leading axes that broadcast; column by column, which is quicker for many small ones."""
    x, y, z = (rotation[..., k] * vector[..., k, None] for k in range(3))
    return x + y + z


@dataclass(frozen=True)
class Motion:
    """Motion of the body axes of all links; arrays (nl, nt, ...) in world axes.

    `origin` and `rotation` are the body axes, `joint` the place of the joint (it differs from the origin only
    where the joint slides), `axes` the axis of the joint, `omega` and `alpha` angular velocity and acceleration, `velocity` and
    `acceleration` those of the origin.
    """

    origin: np.ndarray
    rotation: np.ndarray
    joint: np.ndarray
    axes: np.ndarray
    omega: np.ndarray
    alpha: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray

    def axis(self, i: int) -> np.ndarray:
        """Joint axis of link `i`, shape (nt, 3)."""
        return self.axes[i]

    def point(self, i: int, place: np.ndarray) -> np.ndarray:
        """World position (nt, 3) of a place given in the body axes of link `i`."""
        return self.origin[i] + rotate(self.rotation[i], place)

    def point_velocity(self, i: int, place: np.ndarray) -> np.ndarray:
        """World velocity (nt, 3) of a place fixed to link `i`."""
        return self.velocity[i] + cross(self.omega[i], rotate(self.rotation[i], place))

    def point_acceleration(self, i: int, place: np.ndarray) -> np.ndarray:
        """World acceleration (nt, 3) of a place fixed to link `i`."""
        arm, w = rotate(self.rotation[i], place), self.omega[i]
        return self.acceleration[i] + cross(self.alpha[i], arm) + cross(w, cross(w, arm))


def move(
    chain: Chain,
    q: np.ndarray,
    qd: np.ndarray | None = None,
    qdd: np.ndarray | None = None,
    ground: np.ndarray | None = None,
) -> Motion:
    """Motion of all links for joint values and their rates, each of shape (nt, nj).

    Parameters
    ----------
    ground : ndarray, shape (3,), optional
        Acceleration of the ground; minus gravity makes weight appear as inertia.
    """
    nl, nt = len(chain.parent), len(q)
    out = Motion(*(np.zeros((nl, nt, *tail)) for tail in ((3,), (3, 3), (3,), (3,), (3,), (3,), (3,), (3,))))
    at_rest = np.zeros((nt, 3))
    base = np.broadcast_to(np.zeros(3) if ground is None else ground, (nt, 3))
    moving = qd is not None or qdd is not None or ground is not None
    zero = np.zeros(nt)
    for i, p in enumerate(chain.parent):
        j = chain.column[i]
        value, rate, push = (a[:, j] if a is not None and j >= 0 else zero for a in (q, qd, qdd))
        slides = chain.slides[i]
        _pose(out, chain, i, value)
        if not moving:
            continue
        z = out.axis(i)
        if p >= 0:
            w, al, v, a = out.omega[p], out.alpha[p], out.velocity[p], out.acceleration[p]
            d = out.joint[i] - out.origin[p]
            v, a = v + cross(w, d), a + cross(al, d) + cross(w, cross(w, d))
        else:
            w, al, v, a = at_rest, at_rest, at_rest, base
        zr, zp = z * rate[:, None], z * push[:, None]
        if slides:
            s = out.origin[i] - out.joint[i]
            v = v + cross(w, s) + zr
            a = a + cross(al, s) + cross(w, cross(w, s) + 2.0 * zr) + zp
        else:
            al = al + zp + cross(w, zr)
            w = w + zr
        out.omega[i], out.alpha[i], out.velocity[i], out.acceleration[i] = w, al, v, a
    return out


def _pose(out: Motion, chain: Chain, i: int, value: np.ndarray) -> None:
    """Write position and orientation of link `i`."""
    p, slides = chain.parent[i], chain.slides[i]
    if p >= 0:
        frame = out.rotation[p] @ chain.twist[i]
        out.joint[i] = out.origin[p] + rotate(out.rotation[p], chain.mount[i])
    else:
        frame = np.broadcast_to(chain.twist[i], out.rotation[i].shape)
        out.joint[i] = chain.mount[i]
    if not chain.aligned:
        frame = frame @ chain.align[i]
    theta = chain.angle[i] + (0.0 if slides else value)
    c, s = np.cos(theta)[..., None], np.sin(theta)[..., None]
    x, y, z = frame[..., 0], frame[..., 1], frame[..., 2]
    out.rotation[i, ..., 0], out.rotation[i, ..., 1], out.rotation[i, ..., 2] = (
        c * x + s * y,
        c * y - s * x,
        z,
    )
    out.axes[i] = z
    if not chain.aligned:
        out.rotation[i] = out.rotation[i] @ chain.align[i].T
    out.origin[i] = out.joint[i] + (z * (chain.offset[i] + value)[:, None] if slides else 0.0)


def jacobian(chain: Chain, motion: Motion, i: int, place: np.ndarray) -> np.ndarray:
    """Derivative of the world position of a place of link `i` with respect to the joints, (nt, 3, nj)."""
    x = motion.point(i, place)
    out = np.zeros((len(x), 3, len(chain.arm.joints)))
    for k in chain.path(i):
        if chain.column[k] >= 0:
            z = motion.axis(k)
            out[:, :, chain.column[k]] = z if chain.slides[k] else cross(z, x - motion.joint[k])
    return out
