"""Arms in space for the tests, with figures of an independent implementation that agrees with fem, extrapolated, and with Exudyn."""

from __future__ import annotations

import numpy as np

import flexarm as fa
from flexarm.rigid import tips

TUBE = "section: {{shape: tube, diameter: {} mm, thickness: 1.5 mm, shear_factor: 0.53}}, material: {{E: 70 GPa, density: 2700, nu: 0.3}}"
SIX = f"""
name: Six joints, two flexible links
arm:
  gravity: [0, 0, -9.81]
  damping: {{time: 1e-4 s}}
  payload: {{mass: 3, inertia: [0.006, 0.006, 0.004], offset: [0, 0.02, 0.05]}}
  links:
    - {{name: base, flexible: false, body: {{mass: 3.7, center: [0, 0, 0.06], inertia: [0.0102, 0.0102, 0.0067]}},
       joint: {{position: 0, hub_inertia: 0.5, dh: {{d: 0.089159, alpha: 90 deg}}}}}}
    - {{name: upper, {TUBE.format(50)}, masses: [{{at: tip, mass: 2.3, inertia: 0.004}}],
       joint: {{position: 60 deg, hub_inertia: 0.5, dh: {{a: 0.425}}}}}}
    - {{name: fore, {TUBE.format(45)}, joint: {{position: -80 deg, hub_inertia: 0.2, dh: {{a: 0.39225}}}}}}
    - {{name: wrist1, flexible: false, body: {{mass: 1.219, center: [0, 0.005, 0.09], inertia: [0.003, 0.003, 0.002]}},
       joint: {{position: -60 deg, hub_inertia: 0.05, dh: {{d: 0.10915, alpha: 90 deg}}}}}}
    - {{name: wrist2, flexible: false, body: {{mass: 1.219, center: [0, -0.005, 0.08], inertia: [0.003, 0.003, 0.002]}},
       joint: {{position: 70 deg, hub_inertia: 0.05, dh: {{d: 0.09465, alpha: -90 deg}}}}}}
    - {{name: wrist3, flexible: false, body: {{mass: 0.188, center: [0, 0, 0.06], inertia: [0.0003, 0.0003, 0.0002]}},
       joint: {{position: 20 deg, hub_inertia: 0.05, dh: {{d: 0.0823}}}}}}
drive:
  - {{joint: base, motion: {{profile: quintic, by: 90 deg, duration: 0.8 s, start: 0.05 s}}}}
  - {{joint: upper, motion: {{profile: quintic, by: -30 deg, duration: 0.8 s, start: 0.05 s}}}}
  - {{joint: fore, motion: {{profile: quintic, by: 50 deg, duration: 0.8 s, start: 0.05 s}}}}
  - {{joint: wrist1, motion: {{profile: quintic, by: 40 deg, duration: 0.8 s, start: 0.05 s}}}}
  - {{joint: wrist2, motion: {{profile: quintic, by: -100 deg, duration: 0.8 s, start: 0.05 s}}}}
  - {{joint: wrist3, motion: {{profile: quintic, by: 60 deg, duration: 0.8 s, start: 0.05 s}}}}
time: {{end: 1.2 s, step: 0.5 ms, start: equilibrium}}
output: {{every: 2 ms}}
method: {{name: modes}}
"""
POSES = {
    (0, 60, -80, -60, 70, 20): (
        (12.27094430302563, 12.601305812688288, 29.983382674292002, 35.558649935759036, 56.27995008902709, 80.31506642092664),
        (0.2679119295581067, -0.041892209894173194, -1.246393886420949),
        (0.0, 34.101039086856915, 16.8135540457042, -3.8997321707101333, 1.149274442164701, 0.15291917020899257),
    ),
    (0, 30, -30, -20, -30, 80): (
        (9.171253988625164, 9.646343824352982, 31.431817451325408, 34.26281398220419, 55.89389068080323, 100.47851890543902),
        (-0.05432482547318429, 0.2104545498269328, -2.8325382312860414),
        (0.0, 52.054284803814284, 22.144889144584283, 0.07874102472799042, 1.2798882006883103, -0.5132461508423178),
    ),
    (0, 0, 0, 0, 90, 0): (
        (10.450179247342676, 10.960509293804144, 34.465596319085066, 43.42289634973756, 56.56876331485306, 103.23396139327821),
        (-0.38125948245471, 0.14739088570565884, -2.1348765716208087),
        (0.0, 52.605999650955596, 18.10874484305926, -3.9574646878581827, 0.006107017344404307, 0.000911302437704098),
    ),
}  # fmt: skip
"""Pose in deg: frequencies with held joints (Hz), sag of the tip (mm), holding torques (N m)."""
DRIVEN = {
    "peak": (3.257175269456347, 1.5956520807559604, 3.3259170261772386), "final": (0.3723531335386443, -0.25595911763065526, -2.561146225775829),
    0.48: (0.317262, -0.108192, -2.057773), 0.72: (-3.197596, 1.296022, -3.296743), 0.96: (-0.112323, -0.090684, -2.840859),
    "torque": (63.48715651476583, 69.67509655583332, 24.762619345660337, 7.743766533606294, 7.952664405652878, 1.8921334682216355),
}  # fmt: skip
PD = {
    "kp": (40000.0, 40000.0, 20000.0, 3000.0, 3000.0, 1000.0), "kv": (400, 400, 200, 30, 30, 10),
    "peak": (4.563110803808668, 2.4562491167614553, 4.848091979931413), "final": (-0.5155653620069478, 0.09949187262048298, -4.326184495848789),
}  # fmt: skip
BLADE = """
name: Spin-up of a tilted blade with a load beside its tip
arm:
  gravity: [0, 0, -9.81]
  payload: {mass: 0.1, inertia: 1e-5, offset: [0.0, 0.0, 0.03]}
  links:
    - {name: hub, flexible: false, body: {mass: 1, inertia: 0.01}, joint: {position: 0, dh: {d: 0.1, alpha: 70 deg}}}
    - name: blade
      section: {area: 180 mm^2, inertia: 540 mm^4, inertia_y: 13500 mm^4, torsion: 1900 mm^4, shear_factor: 0.85}
      material: {E: 70 GPa, density: 2700, nu: 0.3}
      joint: {type: fixed, dh: {a: 1 m, theta: 3 deg}}
drive:
  - {joint: hub, motion: {profile: spin-up, speed: 30 rad/s, duration: 1 s}}
time: {end: 1.6 s, step: 0.25 ms, start: equilibrium}
output: {every: 1 ms}
method: {name: modes, resolution: 5, torsion_modes: 3}
"""


def bent(result):
    """Tip minus the tip of the stiff arm with the same joints, mm."""
    data = result.data
    return 1e3 * (data.tip_position.values - tips(result.scenario.arm, data.joint_position.values))


def six(**changes):
    return fa.loads(SIX).with_(changes)


def posed(pose):
    """The six-joint arm at rest in a pose in deg."""
    arm = six()
    names = [link.name for link in arm.arm.links]
    return arm.with_(
        {f"arm.links.{name}.joint.position": float(np.radians(a)) for name, a in zip(names, pose, strict=True)}
    )
