"""What the drives of an arm with loops feel: virtual work over the motions that the loops allow.

With J the Jacobian of the loop equations, the joints' velocities satisfy J q' = 0. The torques of the drives
do the same work as those of the tree with its loops cut, in every such motion.
"""

from __future__ import annotations

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.rigid.chain import Chain, joint_index
from flexarm.rigid.closing import loop_equations


def transmission(chain: Chain, q: np.ndarray, driven: tuple[str, ...]) -> np.ndarray:
    """Velocities of all joints per velocity of each driven joint, (nt, nj, nd)."""
    arm = chain.arm
    drives = [joint_index(arm, name) for name in driven]
    others = [j for j in range(len(arm.joints)) if j not in drives]
    jac = loop_equations(chain).evaluate(q)[1]
    out = np.zeros((len(q), len(arm.joints), len(drives)))
    out[:, drives] = np.eye(len(drives))
    out[:, others] = -np.linalg.pinv(jac[:, :, others], rcond=1e-10) @ jac[:, :, drives]
    return out


def project(chain: Chain, q: np.ndarray, torque: np.ndarray, driven: tuple[str, ...]) -> np.ndarray:
    """Torques of the drives that do the work of the cut tree's torques in every motion that the loops allow.

    With P the projector on those motions and S the choice of driven joints: P S^T tau = P tau_tree, in the
    least squares sense where the drives are more than the freedoms.
    """
    arm = chain.arm
    drives = [joint_index(arm, name) for name in driven]
    jac = loop_equations(chain).evaluate(q)[1]
    allowed = np.eye(len(arm.joints)) - np.linalg.pinv(jac, rcond=1e-10) @ jac
    wanted = allowed @ torque[:, :, None]
    felt = allowed[:, :, drives]
    drive = np.linalg.pinv(felt, rcond=1e-9) @ wanted
    missing = np.abs(felt @ drive - wanted).max(initial=0.0)
    if missing > 1e-6 * np.abs(torque).max(initial=0.0) + 1e-12:
        names = ", ".join(driven) or "none"
        raise FlexarmError(
            f"the driven joints ({names}) cannot make this motion: {missing:.3g} N m are missing "
            "elsewhere; drive more joints"
        )
    out = np.zeros_like(torque)
    out[:, drives] = drive[:, :, 0]
    return out
