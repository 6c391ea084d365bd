"""Control loops at rest: how a law closes them, whether they hold the arm, and what a user should be told of them."""

from flexarm.simulation.control_loops.stability import Stability, stability
from flexarm.simulation.control_loops.warnings import (
    BEFORE_A_RUN,
    law_warnings,
    loop_facts,
    loop_stability,
    lost_advice,
)

__all__ = ["BEFORE_A_RUN", "Stability", "law_warnings", "loop_facts", "loop_stability", "lost_advice", "stability"]
