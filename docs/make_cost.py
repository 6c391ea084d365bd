"""Error against cost of all methods on bundled scenarios: ``python docs/make_cost.py`` measures and draws them anew.

Writes one figure per scenario into docs/images, with the date and the machine in it, and prints the table of the page
`choosing.md`. Times depend on the machine and on what else it does; ratios much less.
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

import flexarm as fa
from flexarm.benchmarks.measure import processor
from flexarm.view.cost import cost
from flexarm.view.files import save
from flexarm.view.style import FAINT

FOLDER = Path(__file__).parent / "images"
SCENARIOS = {"tokhi-azad": 2e-3, "pd-hub": 2e-3, "li-zhang-three-link": 3e-4, "naganathan-flexible": 3e-4}
"""Scenarios and the accuracy that is asked for."""


def main() -> None:
    """Measure, draw, and print the table."""
    names = sys.argv[1:] or list(SCENARIOS)
    print("| scenario | asked for | seconds of each method that reaches it | largest distance from the median |")
    print("|---|---|---|---|")
    for name in names:
        fa.compare(name, target=5e-2)  # loads kernels, so that no compilation is measured
        found = fa.compare(name, target=SCENARIOS[name])
        figure = cost(found)
        figure.text(
            0.995, 0.005, f"{date.today().isoformat()}, {processor()}", ha="right", va="bottom", fontsize=5, color=FAINT
        )
        save(figure, FOLDER / f"cost-{name}.svg", force=True, title=f"{name}: error against cost")
        reached = {method: found.cost(method) for method, item in found.refinements.items() if item.reached}
        told = ", ".join(f"`{method}` {reached[method]:.2g}" for method in sorted(reached, key=lambda m: reached[m]))
        off = max(abs(found.difference(method, "tip_deflection_peak")) for method in found.refinements)
        print(f"| `{name}` | {100 * found.target:g} % | {told} | {100 * off:.2g} % |", flush=True)


if __name__ == "__main__":
    main()
