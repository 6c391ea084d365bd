"""Commented files to begin with: `flexarm new` writes them, and they run as they are."""

from __future__ import annotations

import json

from flexarm.errors import ScenarioError

_HEAD = """\
# A scenario of flexarm. A number may carry its unit (960 mm, 71.1 GPa, 30 deg, 5 %); a bare number is SI.
# Lines that begin with '# ' and a key show what else can be written there.
name: {title}
about: what it shows, and where its figures come from

"""

_ARM = """\
arm:
  # gravity: [0, -9.81, 0]           # default none: the arm moves in a horizontal plane
  damping: {ratio: 1 %, mode: 1}     # of the first elastic mode; or {time: 1e-4 s}; leave it out for none
  links:
    - name: link                     # the joint at its root has the same name
      length: 1 m
      section: {shape: rectangle, width: 30 mm, height: 4 mm}   # height: in the plane of bending
      # section: {shape: circle, diameter: 10 mm}
      # section: {shape: tube, diameter: 20 mm, thickness: 1 mm}
      # section: {area: 61.5 mm^2, inertia: 51.9 mm^4}
      # section: [{at: 0, shape: circle, diameter: 12 mm}, {at: 1, shape: circle, diameter: 6 mm}]   # tapered
      material: aluminium            # or steel, titanium, carbon-fibre, ...
      # material: {E: 71.1 GPa, density: 2710 kg/m^3, nu: 0.33}
      joint:
        hub_inertia: 1e-3 kg*m^2     # on the link side
        # position: 20 deg           # at the start
        # stiffness: 100 N*m/rad     # a spring between motor and link; then also give
        # rotor_inertia: 1e-4 kg*m^2   # on the motor side
      # masses: [{at: 0.5, mass: 10 g}]   # lumps on the link
  payload: {mass: 50 g}              # also inertia: 1e-5 kg*m^2 and offset: 20 mm beyond the tip

"""

_TORQUE = """\
drive:
  - joint: link
    torque: {profile: bang-bang, amplitude: 0.2 N*m, duration: 1 s}   # also constant, sine, versine, ...
    # torque: {table: torque.csv, column: torque}    # samples from a file beside this one
    # in place of a torque, a prescribed motion of the joint:
    # motion: {profile: cycloid, by: 45 deg, duration: 1 s}
    # or a motion with a control law:
    # control: {type: pd, sensor: hub, kp: 3 N*m/rad, kv: 0.5 N*m*s/rad, limit: 2 N*m}

"""

_CONTROL = """\
drive:
  - joint: link
    motion: {profile: quintic, by: 45 deg, duration: 1 s}   # also cycloid, versine, sine, table, ...
    control:
      type: pd                       # or pid with ki, or external: a controller given when the run starts
      sensor: hub                    # what is fed back: hub, motor (before a spring) or chord (to the tip)
      kp: 3 N*m/rad
      kv: 0.6 N*m*s/rad
      limit: 2 N*m                   # largest torque of the motor
      # period: 1 ms                 # sampled control; continuous when left out
      # feedforward: true            # add the torque that the rigid arm needs

"""

_REST = """\
# events:                            # the payload changes on the way
#   - {at: 0.5 s, payload: {mass: 70 g}, rule: at-rest}   # or matched, released

method: {name: fd, resolution: 30}   # resolution: how finely the link is divided
time: {end: 2 s}                     # also step: 0.1 ms (default auto), start: equilibrium
output:
  every: 2 ms                        # default: every step
  gauges: [{link: link, at: 0.1}]    # strain gauges: at a fraction of the length
  # sensors: [{name: mid, link: link, at: 0.5, kind: displacement}]   # or slope, strain
  # stations: 21                     # points along the link where its shape is kept
"""

_BODIES = {"single-link": _ARM + _TORQUE + _REST, "position-control": _ARM + _CONTROL + _REST}
KINDS = tuple(_BODIES)
"""Kinds of templates: a link driven by a torque, and a link under position control."""


def template(kind: str = "single-link", title: str = "My flexible arm") -> str:
    """A commented scenario file that loads and runs without change.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    title : str
        Value of ``name``.
    """
    if kind not in _BODIES:
        raise ScenarioError(f"there is no template '{kind}'; there are {', '.join(KINDS)}")
    return _HEAD.replace("{title}", json.dumps(title, ensure_ascii=False)) + _BODIES[kind]
