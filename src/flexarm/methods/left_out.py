"""What a model leaves out, said with a number: shear and rotary inertia, axial vibration, large deflections.

Every flexible link is looked at as a clamped beam that carries on its tip all that is beyond it. With mu the mass carried over
the modal mass of the beam, 0.2427 rho A L, Rayleigh's quotient of its first mode gives for shear and rotary inertia

    (f_without / f)^2 = 1 + ((4.648 + 3 mu) EI / (G A_s) + 4.648 rho I / (rho A)) / (L^2 (1 + mu))

its axial vibration is at 2 pi f = sqrt(EA / (L (m + rho A L / 3))), and weight bends it by what force, moment and its own weight do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexarm.rigid.beam import carried as payload_centre
from flexarm.rigid.beam import section_place
from flexarm.rigid.chain import Chain
from flexarm.rigid.kinematics import move
from flexarm.rigid.mass import Masses

if TYPE_CHECKING:
    from flexarm.arm import Arm, Link
    from flexarm.methods.base import Model

MOST_SHEAR = 0.01
"""Share by which a first frequency may be too high without a word."""
MOST_SAG = {1: 0.05, 2: 0.1}
"""Share of its length by which weight may bend a link without a word, by the order to which deflections are counted."""
SHAPE, MODAL_MASS = 4.648, 0.2427
"""Of the first mode of a clamped beam: int psi'^2 L^2 / int psi^2, and int psi^2 / (psi(L)^2 L)."""
THIRD = 49.965
"""Square of the wave number of the third mode of a clamped beam whose heavy load stays where it is."""


class Counted(NamedTuple):
    """What a model counts of a link: shear with rotary inertia, stretch, and deflections up to which order (None: all)."""

    shear: bool = False
    stretch: bool = False
    order: int | None = None


class Beyond(NamedTuple):
    """What a link carries in the start pose: mass, kg, and its first moment about the tip of the link, kg m, (3,)."""

    mass: float
    moment: np.ndarray


def left_out(model: Model) -> Iterator[str]:
    """One sentence for everything that matters to a link and is not counted."""
    arm = model.arm
    for i, link in enumerate(arm.links):
        counted = model.counted(i)
        if not link.flexible or counted == Counted(True, True, None):
            continue
        places = (np.arange(16) + 0.5) / 16.0
        mean = {
            name: float(1.0 / np.mean(1.0 / values))
            for name, values in link.properties(places).items()
            if name != "fibre"
        }
        carried, mass, length = beyond(arm, i), link.mass, link.span
        if not counted.shear:
            mu = carried.mass / (MODAL_MASS * mass)
            shear, rotary = mean["EI"] / mean["GA"], mean["rhoI"] / mean["rhoA"]
            share = ((SHAPE + 3.0 * mu) * shear + SHAPE * rotary) / (length**2 * (1.0 + mu))
            high = np.sqrt(1.0 + share) - 1.0
            if high > MOST_SHEAR:
                yield (
                    f"link '{link.name}' is stubby: shear and rotary inertia of its sections, which are left out here, would lower "
                    f"the first frequency of such a link by about {100 * high / (1.0 + high):.2g} %; fem and ancf have them"
                )
        if not counted.stretch:
            axial = np.sqrt(mean["EA"] / (length * (carried.mass + mass / 3.0))) / (2.0 * np.pi)
            third = THIRD / length**2 * np.sqrt(mean["EI"] * length / mass) / (2.0 * np.pi)
            if axial < third:
                yield (
                    f"link '{link.name}' keeps its length here: its axial vibration with what it carries, at about {axial:.3g} Hz, "
                    f"is missing, though its third bending mode is at about {third:.3g} Hz; fem and ancf have it"
                )
        if counted.order is not None and any(arm.gravity):
            sag = _sag(arm, i, carried, mass, mean["EI"]) / length
            if sag > MOST_SAG[counted.order]:
                yield (
                    f"its weight bends link '{link.name}' by about {100 * sag:.2g} % of its length in the start pose, and deflections are "
                    f"counted to {'first' if counted.order == 1 else 'second'} order here; fem and ancf are not limited"
                )


def beyond(arm: Arm, i: int) -> Beyond:
    """What hangs on link i, its own lumps beyond its middle included."""
    chain, pose = Chain.of(arm), np.array(arm.pose)[None]
    motion, parts, link = move(chain, pose), Masses.of(arm).at(pose), arm.links[i]
    tip, mass, moment = motion.point(i, chain.tip[i])[0], 0.0, np.zeros(3)
    for k, part in enumerate(parts):
        if k != i and i in chain.path(k) and part.mass[0] > 0.0:
            own = float(part.mass[0]) + arm.links[k].joint.motor_mass
            mass += own
            moment += own * (motion.point(k, part.moment[0] / float(part.mass[0]))[0] - tip)
    mass += sum(lump.mass for lump in link.masses if _fraction(arm, link, lump.at) > 0.5)
    if link.name == arm.payload_link.name:
        mass += arm.payload.mass
        moment += arm.payload.mass * (motion.rotation[i][0] @ payload_centre(arm)[0])
    return Beyond(mass, moment)


def _fraction(arm: Arm, link: Link, place: float | str) -> float:
    return section_place(link, place)[0] if arm.spatial else link.place(place)[0] / link.span


def _sag(arm: Arm, i: int, beyond: Beyond, mass: float, EI: float) -> float:
    """Deflection of link i by weight in the start pose, m."""
    chain, length, gravity = Chain.of(arm), arm.links[i].span, np.array(arm.gravity)
    motion = move(chain, np.array(arm.pose)[None])
    axis = motion.point(i, chain.tip[i])[0] - motion.origin[i][0]
    axis = axis / max(float(np.linalg.norm(axis)), 1e-300)
    pull = gravity - axis * float(gravity @ axis)
    turn = np.cross(np.cross(beyond.moment, gravity), axis)
    bent = (beyond.mass * length**3 / 3.0 + mass * length**3 / 8.0) * pull + 0.5 * length**2 * turn
    return float(np.linalg.norm(bent)) / EI
