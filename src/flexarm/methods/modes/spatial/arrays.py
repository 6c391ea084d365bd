"""What travels through the kernels of an arm in space beside what all arms have."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.methods.modes.arrays import Common, CommonWorkspace, common_arrays

RHO, MOVED, BENT, TURN, SPIN, SPUN, MOTION = 0, 3, 6, 9, 12, 15, 18
"""Places of the vectors of a section in the axes of its body: where it is, its velocity, the part of its acceleration that is not D q'',
the vector of its turn, its spin, and the part of the spin's rate that is not W q''."""


class SpatialParts(Common):
    """Constants of an arm in space. Coordinates, bodies and sections are given by number, -1 means none.

    Coordinates stand in the matrices of the kernels in the order of the tree, each after those that carry it:
    coordinate : number of each of them

    Bodies:
    parent, mount : body that carries it, and the section on it; place, rot : from there to the joint, in the axes of the section
    hinge : coordinate of its joint in the order of the tree; slides : whether it slides; offset : constant part of its position
    post, lever : from the joint to the body, the lever in the axes of the body
    first, count : its shapes, the first by its number; start : turns of its root section per shape
    columns, column_count : all coordinates that move it, in the order of the tree: those of its parent, its joint, its shapes
    mass, S, I0 : of a rigid body, first moments and tensor about its origin

    Sections: r0 : where they are undeformed; first_order : displacement and turn per shape, (n, 6); second : b and Psi, (n, n, 6)
    first_point : first section of each body that is a mass point, and after the last body their number
    point_mass, point_offset, point_tensor : mass, its centre from the section and tensor about the centre, in the axes of the section

    Spinners, inertias that turn about the axes of joints alone (hubs, rotors): spin_body : body behind the joint; spin_coordinate :
    coordinate in the order of the tree with which they turn against the carrier; spin_ratio, spin_inertia
    rotor_spin : spinner that is the rotor of each joint
    """

    coordinate: np.ndarray
    parent: np.ndarray
    mount: np.ndarray
    place: np.ndarray
    rot: np.ndarray
    hinge: np.ndarray
    slides: np.ndarray
    offset: np.ndarray
    post: np.ndarray
    lever: np.ndarray
    first: np.ndarray
    count: np.ndarray
    start: np.ndarray
    columns: np.ndarray
    column_count: np.ndarray
    mass: np.ndarray
    S: np.ndarray
    I0: np.ndarray
    r0: np.ndarray
    first_order: np.ndarray
    second: np.ndarray
    first_point: np.ndarray
    point_mass: np.ndarray
    point_offset: np.ndarray
    point_tensor: np.ndarray
    spin_body: np.ndarray
    spin_coordinate: np.ndarray
    spin_ratio: np.ndarray
    spin_inertia: np.ndarray
    rotor_spin: np.ndarray


class SpatialWorkspace(CommonWorkspace):
    """Where the kernels of an arm in space work.

    Frames of the bodies: origin, turned (rotation), spin, J (per column velocity and spin); gamma (parts of acceleration and of the
    spin's rate that are not J q''); axis, carrier_spin, carrier_gamma, carrier_row, carrier_gyro : of the joint and of what carries it
    One section: D, W : displacement and spin per rate of each shape; motion; T : its rotation
    One body: inertia (mass, S, tensor), N, P, Q : blocks of its mass matrix; force : on its frame; shape_force; local : columns of J in
    its axes; column : one column of M_b J
    tree_mass, tree_bias, rates : M, h and q' in the order of the tree
    """

    origin: np.ndarray
    turned: np.ndarray
    spin: np.ndarray
    J: np.ndarray
    gamma: np.ndarray
    axis: np.ndarray
    carrier_spin: np.ndarray
    carrier_gamma: np.ndarray
    carrier_row: np.ndarray
    carrier_gyro: np.ndarray
    D: np.ndarray
    W: np.ndarray
    motion: np.ndarray
    T: np.ndarray
    inertia: np.ndarray
    N: np.ndarray
    P: np.ndarray
    Q: np.ndarray
    force: np.ndarray
    shape_force: np.ndarray
    local: np.ndarray
    column: np.ndarray
    tree_mass: np.ndarray
    tree_bias: np.ndarray
    rates: np.ndarray


def make_spatial_workspace(part: SpatialParts, channels: int) -> SpatialWorkspace:
    """Workspace for an arm in space."""
    n, width, bodies = part.size, max(1, part.first_order.shape[1]), len(part.parent)
    shapes: dict[str, Any] = {
        "origin": (bodies, 3), "turned": (bodies, 9), "spin": (bodies, 3), "J": (bodies, n, 6), "gamma": (bodies, 6),
        "axis": (bodies, 3), "carrier_spin": (bodies, 3), "carrier_gamma": bodies, "carrier_row": (bodies, n),
        "carrier_gyro": (bodies, n), "D": (width, 3), "W": (width, 3), "motion": MOTION, "T": (1, 9),
        "inertia": 10, "N": (width, 3), "P": (width, 3), "Q": (width, width), "force": 6, "shape_force": width,
        "local": (n, 6), "column": 6 + width, "tree_mass": (n, n), "tree_bias": n, "rates": n,
    }  # fmt: skip
    return SpatialWorkspace(
        **common_arrays(part, channels), **{name: np.zeros(shape) for name, shape in shapes.items()}
    )
