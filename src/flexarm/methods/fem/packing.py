"""The arm as the kernels read it: tables of joints and unknowns, and the workspace.

Equations: E8, E10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import GROUND
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.loads import load_tables
from flexarm.methods.fem.matrices import band_forms, sparse
from flexarm.methods.fem.mesh import Mesh, reach
from flexarm.methods.law_table import law_row
from flexarm.numerics import laws
from flexarm.numerics.kept import kept

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""


def pack(model: FemModel) -> at.Parts:
    """What the kernels read."""
    arm, mesh, options, constant, held = model.arm, model.mesh, model.options, model.constant, model.constraints
    joint, joint_data, law = _joints(model)
    (mass, offsets, diagonals), (turn_at, turn_link, turn_mass), roots, seats = kept(
        (mesh, constant.mass), "packed",
        lambda: (band_forms(constant.mass, mesh.half_width), sparse(constant.rotary), _roots(mesh), _seats(mesh)),
    )  # fmt: skip
    rho, payload = options.spectral_radius, arm.payload
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    if options.integrator == "newmark":
        am = af = 0.0
    tip = arm.index(arm.payload_link.name)
    return at.Parts(
        connection=mesh.connection, owner=mesh.link, properties=constant.properties, shape=constant.shape,
        root_at=roots, root_row=constant.base_row, joint=joint, joint_data=joint_data, weight=constant.weight,
        payload=mesh.nodes[tip][-1].copy(), mass=mass, offsets=offsets, diagonals=diagonals, turn_at=turn_at,
        turn_link=turn_link, turn_mass=turn_mass, turn_total=constant.rotary_total, law=law, seat=seats,
        lengths=np.array([reach(link) for link in arm.links]), far_nodes=mesh.far_nodes, ends=mesh.ends, side=held.side,
        side_data=held.data, copies=held.copies, theory=at.THEORIES.index(options.theory), links=model.links,
        iterations=options.iterations, by_energy=options.criterion == "energy",
        carries=payload.mass + payload.inertia_z > 0.0, damped=False, friction=bool(np.any(law[:, laws.FRICTION])),
        starting_steps=False, payload_link=tip, payload_mass=payload.mass, payload_inertia=payload.inertia_z,
        payload_x=payload.offset_vector[0], payload_y=payload.offset_vector[1], gravity_x=arm.gravity[0],
        gravity_y=arm.gravity[1], tolerance=options.tolerance, reach=sum(link.span for link in arm.links),
        beta=0.25 * (1.0 - am + af) ** 2, gamma=0.5 - am + af, alpha_m=am, alpha_f=af, loads=len(model.wiring.patches),
        **load_tables(model),
    )  # fmt: skip


def workspace(model: FemModel) -> at.Workspace:
    """Room for the kernels: vectors of unknowns, links and constraints, then what has a shape of its own."""
    parts, size, links, state = model.parts, model.size, model.links, model.empty()
    rows = model.constraints.rows + int(np.sum(parts.joint[:, at.J_BORDER] >= 0))
    vectors = {
        "residual copy shift start_q start_v start_fc start_fd stage_v stage_a": size,
        "start_tc start_td stage_power drive_angle command_angle": links,
        "slope_position slope_rate slope_motor friction_torque friction_rate unread": links,
        "gap gap_rate gap_acceleration right wanted unread_forces": rows,
    }
    given = {name: np.zeros(length) for names, length in vectors.items() for name in names.split()}
    return at.Workspace(
        **given, G=np.zeros((rows, size)), D=np.zeros((rows, size)), W=np.zeros((rows, size)), S=np.zeros((rows, rows)),
        pivots=np.zeros(rows, dtype=np.int64), stage_loss=np.zeros(1), point=np.zeros(10), force=np.zeros(10),
        point_tangent=np.zeros((5, 5)), root_motion=np.zeros((4, links)), law_work=np.zeros((laws.ORDER + 2, laws.ORDER)),
        band=np.zeros_like(parts.mass), start_x=state.x, start_z=state.z, rows=np.zeros((2, max(1, model.channels), laws.WIDEST)),
        answers=np.zeros((links, size)), load=np.zeros(size), start_loads=np.zeros(size),
        start_sizes=np.zeros(parts.loads), start_theta=np.zeros(links),
        now=at.parts_of(np.zeros_like(state.x), size, links, parts.loads),
    )  # fmt: skip


def _roots(mesh: Mesh) -> np.ndarray:
    """Unknowns whose inertia the first section of every link feels, (links, 3 (order + 1)); -1: none."""
    roots = np.full((len(mesh.counts), 3 * (mesh.order + 1)), -1, dtype=np.int64)
    for i, place in enumerate(mesh.joints):
        roots[i, 2] = place.base
        if mesh.counts[i]:
            roots[i] = mesh.connection[mesh.first(i)]
    return roots


def _seats(mesh: Mesh) -> np.ndarray:
    """Link, axis and distance from the joint of every unknown, (size, 3); those of roots belong to the link before."""
    seat = np.tile([0.0, 2.0, 0.0], (mesh.size, 1))
    for i, table in enumerate(mesh.nodes):
        for a, node in enumerate(table):
            for axis, index in enumerate(node):
                if index >= 0 and not (a == 0 and axis < 2):
                    seat[index] = i, axis, mesh.places[i][a]
    return seat


def _joints(model: FemModel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tables of the joints: whole numbers and others (see `layout`), and the laws of the channels."""
    arm, mesh, wired_joints = model.arm, model.mesh, model.wiring.joints
    joint, data = np.full((model.links, at.J_SIZE), -1, dtype=np.int64), np.zeros((model.links, at.DATA_SIZE))
    law = np.zeros((max(1, len(wired_joints)), laws.LAW_SIZE))
    border = model.constraints.rows
    channels = {wired.name: k for k, wired in enumerate(wired_joints)}
    start = dict(zip(arm.joints, model.pose, strict=True))
    for i, link in enumerate(arm.links):
        place, parent, k = mesh.joints[i], arm.parent(link.name), channels.get(link.name, -1)
        wired = wired_joints[k] if k >= 0 else None
        prescribed = wired is not None and wired.mode == "motion"
        acts = wired is not None and not prescribed
        rule = wired.law if wired is not None else None
        chord = rule is not None and rule.sensor == "chord" and rule.period == 0
        outside = acts and (chord or place.separate)
        framed = prescribed or (acts and rule is not None and rule.kind != "external")
        joint[i] = (
            place.base, place.tip, place.motor, place.own, acts, k,
            rule is not None and rule.sensor == "motor", prescribed, framed,
            -1 if parent == GROUND else arm.index(parent), border if outside else -1, chord,
            mesh.nodes[i][0, 0], mesh.nodes[i][-1, 0],
        )  # fmt: skip
        border += bool(outside)
        spring = link.joint.stiffness or 0.0 if wired is not None and wired.spring else 0.0
        data[i] = spring, link.joint.damping, start.get(link.name, link.joint.start), *link.joint.rotor[::2]
        if wired is not None:
            law[k] = law_row(rule, FRICTION_RATE)
    return joint, data, law
