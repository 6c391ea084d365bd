"""Stiffness and mass of the elements, and the rigid bodies that hang on frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.fem.corrected import Property, bending_stiffness, mean_stiffness, nodal_masses
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.mesh import Mesh
from flexarm.methods.fem.spatial.sliding_material import sliding_length
from flexarm.methods.fem.spatial.travel import limits
from flexarm.numerics.gauss import gauss
from flexarm.rigid.beam import carried, legs, place_point, section_place, tip_axes, tip_point, tool_pose
from flexarm.rigid.inertia import NOTHING, Inertia, MassLine, point_mass, rod


def element_properties(arm: Arm, mesh: Mesh, corrected: Sequence[bool]) -> np.ndarray:
    """Table (elements, M_SIZE), with corrected elements for some links; Kelvin-Voigt times are filled in later."""
    table = np.zeros((len(mesh.elements), at.M_SIZE))
    xi, weights = gauss(3)
    left, right = 0.5 * (1.0 - xi), 0.5 * (1.0 + xi)
    for e, row in enumerate(mesh.elements):
        link = arm.links[row[at.E_LINK]]
        first, last = mesh.places[e]
        h = (last - first) * link.span
        middle = link.properties([0.5 * (first + last)])
        for k, name in enumerate(("EA", "GA", "GA_z", "GJ", "EI_y", "EI")):
            table[e, at.M_EA + k] = middle[name][0]
        table[e, at.M_LENGTH] = h
        local = link.properties(first + right * (last - first))
        w = 0.5 * weights
        for place, shape in ((at.M_11, left * left), (at.M_12, left * right), (at.M_22, right * right)):
            table[e, place] = np.sum(w * shape * local["rhoA"])
        for place, shape in ((at.M_J11, left * left), (at.M_J12, left * right), (at.M_J22, right * right)):
            for k, name in enumerate(("rhoJ", "rhoI_y", "rhoI")):
                table[e, place + k] = np.sum(w * shape * local[name])
        table[e, at.M_W1], table[e, at.M_W2] = np.sum(w * left * local["rhoA"]), np.sum(w * right * local["rhoA"])
        table[e, at.M_RHO] = middle["rhoA"][0]
    for i, link in enumerate(arm.links):
        if link.flexible:
            if corrected[i]:
                own = np.flatnonzero(mesh.elements[:, at.E_LINK] == i)
                for leg in np.split(own, np.flatnonzero(mesh.elements[own[1:], at.E_ROOT]) + 1):
                    _correct(link, mesh, table, leg)
            _spread_lumps(arm, mesh, table, i, link)
    return table


def _correct(link: Link, mesh: Mesh, table: np.ndarray, own: np.ndarray) -> None:
    """Stiffnesses and masses in the nodes of the elements `own` of a leg of a link (see `corrected`); elements share what a node has."""

    def of(name: str) -> Property:
        return lambda x: link.properties(x / link.span)[name]

    h, places = table[own, at.M_LENGTH], link.span * np.append(mesh.places[own, 0], mesh.places[own[-1], 1])
    for place, name in ((at.M_EA, "EA"), (at.M_GJ, "GJ")):
        table[own, place] = mean_stiffness(places, of(name))
    table[own, at.M_EIZ], table[own, at.M_GA] = bending_stiffness(places, of("EI"), of("GA"))
    table[own, at.M_EIY], table[own, at.M_GA2] = bending_stiffness(places, of("EI_y"), of("GA_z"))
    masses, beside = nodal_masses(places, of("rhoA"))
    masses[1:-1] *= 0.5
    table[own, at.M_11], table[own, at.M_12], table[own, at.M_22] = masses[:-1] / h, beside / h, masses[1:] / h
    table[own, at.M_W1], table[own, at.M_W2] = (masses[:-1] + beside) / h, (masses[1:] + beside) / h


def _spread_lumps(arm: Arm, mesh: Mesh, table: np.ndarray, i: int, link: Link) -> None:
    """Lumps on the axis of a beam, by the shape functions; those at the tip or beside the axis are bodies (see `rigid_bodies`)."""
    for lump in link.masses:
        if _at_tip(link, lump.at):
            continue
        fraction, beside = section_place(link, lump.at)
        if np.any(beside):
            continue
        if link.joint.type == "prismatic":
            raise CapabilityError(
                "the method fem takes lumped masses of a sliding link at its tip only",
                field=f"arm.links.{link.name}.masses",
            )
        own = np.flatnonzero(mesh.elements[:, at.E_LINK] == i)
        e = own[min(int(np.searchsorted(mesh.places[own, 1], fraction)), len(own) - 1)]
        first, last = mesh.places[e]
        right = (fraction - first) / (last - first)
        h = table[e, at.M_LENGTH]
        shares = ((1.0 - right) ** 2, right * (1.0 - right), right**2)
        for place, rotary, share in zip(
            (at.M_11, at.M_12, at.M_22), (at.M_J11, at.M_J12, at.M_J22), shares, strict=True
        ):
            table[e, place] += lump.mass * share / h
            table[e, rotary : rotary + 3] += lump.inertia * share / h
        table[e, at.M_W1] += lump.mass * (1.0 - right) / h
        table[e, at.M_W2] += lump.mass * right / h


def _at_tip(link: Link, place: float | str) -> bool:
    return place == "tip" or place == 1.0


def rigid_bodies(arm: Arm, wiring: Wiring, mesh: Mesh) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frames (nb,) and properties (nb, B_SIZE) of all rigid bodies, and the flexible links of which they are the hubs, or -1."""
    found: list[tuple[int, np.ndarray, int]] = []
    own_rotor = {joint.name for joint in wiring.joints if joint.spring or arm.link(joint.name).joint.gear is not None}

    def add(frame: int, mass: float, centre: np.ndarray, tensor: np.ndarray, root: int = -1) -> None:
        if mass or np.any(tensor):
            row = np.zeros(at.B_SIZE)
            row[at.B_MASS], row[at.B_CENTRE : at.B_CENTRE + 3] = mass, centre
            row[at.B_TENSOR :] = tensor.ravel()
            found.append((frame, row, root))

    zero = np.zeros(3)
    for i, link in enumerate(arm.links):
        joint, stretches = link.joint, legs(link, True)
        axes = stretches[0].axes if link.flexible else tip_axes(link, True)
        axis = joint.align[:, 2]
        hub = joint.hub_inertia + (0.0 if link.name in own_rotor else joint.rotor_inertia)
        if joint.type == "prismatic" and hub:
            raise CapabilityError(
                "a sliding joint has no rotary inertia about its axis: use motor_mass",
                field=f"arm.links.{link.name}.joint.{'hub' if joint.hub_inertia else 'rotor'}_inertia",
            )
        add(int(mesh.roots[i]), 0.0, zero, hub * np.outer(axes.T @ axis, axes.T @ axis), i if link.flexible else -1)
        carrier = int(mesh.frames[mesh.roots[i], at.F_PARENT])
        if mesh.owners[carrier] >= 0:
            add(carrier, joint.motor_mass, zero, joint.motor_inertia * np.eye(3))
        for lump in link.masses if link.flexible else ():
            fraction, beside = section_place(link, lump.at)
            if _at_tip(link, lump.at) or (np.any(beside) and fraction):
                add(int(mesh.ends[i]), lump.mass, tip_axes(link, True).T @ beside, lump.inertia * np.eye(3))
            elif np.any(beside):
                add(int(mesh.roots[i]), lump.mass, axes.T @ beside, lump.inertia * np.eye(3), i)
        if not link.flexible:
            add(int(mesh.ends[i]), *_rigid_body(link))
        if link.name == arm.payload_link.name:
            add(int(mesh.tips[i]), arm.payload.mass, *payload_at_tip(arm))
    frames, rows, roots = zip(*found, strict=True) if found else ((), (), ())
    return np.array(frames, dtype=np.int64), np.array(rows).reshape(-1, at.B_SIZE), np.array(roots, dtype=np.int64)


def payload_at_tip(arm: Arm) -> tuple[np.ndarray, np.ndarray]:
    """Centre of the payload from the tip and tensor about it, in the axes of the frame there."""
    axes, (centre, tensor) = tip_axes(arm.payload_link, True), carried(arm)
    if arm.tool is not None:
        axes = tool_pose(arm)[1]
    return axes.T @ centre, axes.T @ tensor @ axes


def _rigid_body(link: Link) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre from the tip and tensor about the centre of a rigid link with its lumps, in the axes at its tip."""
    total: Inertia = NOTHING
    if link.body is not None:
        total += point_mass(link.body.mass, link.body.place, link.body.tensor)
    elif link.section is not None:
        line = MassLine(link)
        total += sum((rod(line, leg, leg.first) for leg in legs(link, True)), NOTHING)
    for lump in link.masses:
        total += point_mass(lump.mass, place_point(link, lump.at, True), lump.inertia)
    mass, axes = float(total.mass[0]), tip_axes(link, True)
    centre = total.moment[0] / mass if mass else np.zeros(3)
    tensor = total.tensor[0] - mass * ((centre @ centre) * np.eye(3) - np.outer(centre, centre))
    return mass, axes.T @ (centre - tip_point(link, True)), axes.T @ tensor @ axes


def joint_tables(arm: Arm, wiring: Wiring, mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Integers (links, J_INTS) and data (links, K_SIZE) of the joints."""
    joints = np.full((len(arm.links), at.J_INTS), -1, dtype=np.int64)
    data = np.zeros((len(arm.links), at.K_SIZE))
    channels = {wired.name: k for k, wired in enumerate(wiring.joints)}
    for i, link in enumerate(arm.links):
        k = channels.get(link.name, -1)
        wired = wiring.joints[k] if k >= 0 else None
        prescribed = wired is not None and wired.mode == "motion"
        acts = wired is not None and wired.mode != "motion"
        rule = wired.law if wired is not None else None
        nominal = prescribed or (acts and rule is not None and rule.kind != "external")
        slides, spec = link.joint.type == "prismatic", link.joint
        retracted = slides and link.flexible and spec.retracted == "rigid"
        joints[i] = (
            mesh.psi[i], mesh.turn[i], k, acts, rule is not None and rule.sensor == "motor", prescribed, nominal, slides,
            mesh.roots[i], retracted,
        )  # fmt: skip
        spring = spec.stiffness or 0.0 if wired is not None and wired.spring else 0.0
        offset = spec.dh.d if slides and spec.dh is not None else 0.0
        data[i, :5] = spring, spec.damping, spec.start, spec.rotor_inertia, offset
        data[i, at.K_RATIO] = spec.ratio if spring or spec.gear is not None else 0.0
        stops = spec.limits if spec.limits is not None and spec.limits.stiffness else None
        data[i, at.K_VISCOUS], data[i, at.K_LOWER], data[i, at.K_UPPER] = spec.viscous, -np.inf, np.inf
        if stops is not None:
            data[i, at.K_LOWER], data[i, at.K_UPPER], data[i, at.K_STOP] = *stops.ends, stops.stiffness or 0.0
        if retracted:
            data[i, at.K_MATERIAL] = sliding_length(link)
        data[i, at.K_LEAST], data[i, at.K_MOST] = limits(link) if slides and link.flexible else (-np.inf, np.inf)
    return joints, data
