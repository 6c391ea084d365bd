"""Forward kinematics: where the links, their tips and their places are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.rigid.beam import legs, place_point, tip_point
from flexarm.rigid.chain import Chain, joint_values, link_index
from flexarm.rigid.kinematics import Motion, move


@dataclass(frozen=True)
class Frames:
    """Poses of all links; the leading time axis is there if the joint values had one.

    Attributes
    ----------
    root : ndarray, shape (..., nl, 3)
        The joint at the root of each link, m. A prismatic link begins where it leaves its joint.
    rotation : ndarray, shape (..., nl, 3, 3)
        Columns are the link's x, y and z axes in world axes. Planar: x along the link. Spatial: the joint's frame after the joint
        has moved; with `dh` z along the joint axis, x along the common normal (before the twist alpha).
    axis : ndarray, shape (..., nl, 3)
        Axis of the joint at the root of each link, in world axes.
    tip : ndarray, shape (..., nl, 3)
        End of each link's beam, of the link that carries it the tool, m.
    angle : ndarray, shape (..., nl)
        Planar arms: absolute angle of each link, the sum of joint angles, not reduced to one turn, rad.
        Spatial arms: zeros.
    """

    chain: Chain
    root: np.ndarray
    rotation: np.ndarray
    axis: np.ndarray
    tip: np.ndarray
    angle: np.ndarray
    _motion: Motion
    _single: bool

    def place(self, link: str, place: float | str = "tip") -> np.ndarray:
        """World position (..., 3) of ``tip``, ``root``, a fraction of the length or a named point, m.

        Fractions of a prismatic link count along its whole material, rear end first.
        """
        i = link_index(self.chain.arm, link)
        body = place_point(self.chain.arm.links[i], place, self.chain.arm.spatial)
        return self._shaped(self._motion.point(i, body))

    def points(self, link: str, places: np.ndarray) -> np.ndarray:
        """World positions (..., n, 3) of places (n, 3) in the axes of a link, m."""
        i = link_index(self.chain.arm, link)
        return self._shaped(np.stack([self._motion.point(i, place) for place in places], axis=1))

    def along(self, link: str, fractions: Any) -> np.ndarray:
        """World positions (..., n, 3) of the undeformed beam axis, m.

        Parameters
        ----------
        link : str
            Name of the link.
        fractions : array_like, shape (n,)
            Fractions of the beam's length; of a prismatic link, of the length that stands out of the joint.
        """
        i, s = link_index(self.chain.arm, link), np.asarray(fractions, dtype=float)
        motion = self._motion
        stretches = legs(self.chain.arm.links[i], self.chain.arm.spatial)
        link_of = self.chain.arm.links[i]
        begin = motion.joint[i] if link_of.beam is None else motion.point(i, stretches[0].start)
        corners = [begin, *(motion.point(i, leg.point(leg.last)) for leg in stretches)]
        if self.chain.slides[i]:
            corners[1:] = [motion.origin[i], motion.point(i, tip_point(link_of, True))]
        points = np.stack(corners, axis=1)
        lengths = np.linalg.norm(np.diff(points, axis=1), axis=-1)
        ends = np.concatenate([np.zeros((len(points), 1)), np.cumsum(lengths, axis=1)], axis=1)
        wanted = ends[:, -1:] * s
        out = np.repeat(points[:, :1], len(s), axis=1)
        for k in range(lengths.shape[1]):
            share = np.clip(wanted - ends[:, k : k + 1], 0.0, lengths[:, k : k + 1])
            length = np.where(lengths[:, k] > 0.0, lengths[:, k], 1.0)[:, None]
            out += (share / length)[..., None] * (points[:, k + 1] - points[:, k])[:, None, :]
        return self._shaped(out)

    def _shaped(self, array: np.ndarray) -> np.ndarray:
        return array[0] if self._single else array


def forward(arm: Arm, q: Any) -> Frames:
    """Poses of all links of the stiff arm.

    Parameters
    ----------
    arm : Arm
        The arm.
    q : array_like, shape (nj,) or (nt, nj)
        Joint positions in the order of ``arm.joints``, rad or m. Loops are not closed here.

    Returns
    -------
    Frames
        With a leading time axis if `q` has one.

    Examples
    --------
    >>> from flexarm.arm import Arm
    >>> rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    >>> arm = Arm(links=[{"name": "upper", **rod}, {"name": "fore", **rod}])
    >>> forward(arm, [0.0, 1.5707963267948966]).tip.round(6)[1]
    array([1., 1., 0.])
    """
    chain = Chain.of(arm)
    values = joint_values(arm, q)
    motion = move(chain, values)
    single = np.ndim(q) == 1
    angle = np.zeros((len(values), len(arm.links)))
    if not arm.spatial:
        for i, p in enumerate(chain.parent):
            turn = values[:, chain.column[i]] if chain.column[i] >= 0 else 0.0
            angle[:, i] = chain.angle[i] + turn + (angle[:, p] if p >= 0 else 0.0)
    tips = np.stack([motion.point(i, chain.tip[i]) for i in range(len(arm.links))], axis=1)
    of_links = (np.moveaxis(part, 0, 1) for part in (motion.joint, motion.rotation, motion.axes))
    root, rotation, axis, tip, angle = (part[0] if single else part for part in (*of_links, tips, angle))
    return Frames(chain, root, rotation, axis, tip, angle, motion, single)


def tips(arm: Arm, q: Any) -> np.ndarray:
    """Positions of the payload link's tip (end of the beam, without payload offset), m.

    Parameters
    ----------
    arm : Arm
        The arm.
    q : array_like, shape (nt, nj)
        Joint positions, rad or m.

    Returns
    -------
    ndarray, shape (nt, 3)
    """
    chain = Chain.of(arm)
    i = link_index(arm, arm.payload_link.name)
    return move(chain, joint_values(arm, q)).point(i, chain.tip[i])


def tip(arm: Arm, q: Any) -> np.ndarray:
    """Position (3,) of the payload link's tip for one set of joint positions (nj,), m."""
    return tips(arm, q)[0]


def tip_motion(arm: Arm, q: Any, qd: Any, qdd: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, velocity and acceleration (nt, 3) of the payload link's tip, from those of the joints."""
    chain = Chain.of(arm)
    i = link_index(arm, arm.payload_link.name)
    rates = (joint_values(arm, qd, "qd"), joint_values(arm, qdd, "qdd"))
    motion, place = move(chain, joint_values(arm, q), *rates), chain.tip[i]
    return motion.point(i, place), motion.point_velocity(i, place), motion.point_acceleration(i, place)
