"""Table 3.1 beside our numbers, shares of strain energy, peaks of the motions, misprints."""

from __future__ import annotations

from flexarm.papers.errata import errata_table
from flexarm.papers.lee_huggins_book import actuators
from flexarm.papers.lee_huggins_book.runs import CASES, LINKS, Runs, data
from flexarm.papers.paper import Row, Table


def tables(runs: Runs) -> tuple[Table, ...]:
    """All tables, none worked out yet."""
    return (_table_three(runs), actuators.table(), _shares(runs), _peaks(runs), errata_table("lee_huggins_book"))


def _table_three(runs: Runs) -> Table:
    def rows() -> list[Row]:
        printed = data()["published"]["table 3.1"]
        ours = {
            "finite elements": runs.frequencies(scenario="ralf-fem", resolution=12, order=3).hz,
            "constrained": runs.frequencies().hz,
            "unconstrained": runs.frequencies(loops="cut-absolute").hz,
        }
        found: list[Row] = []
        for name, values in ours.items():
            found.append((name, "printed", *map(float, printed[name])))
            found.append((name, "computed", *map(float, values)))
        whole = runs.frequencies(weight=True, scenario="ralf-fem", resolution=12, order=3).hz
        return [*found, ("all effects, with weight", "computed", *map(float, whole))]

    return Table(
        "table-3.1", "Table 3.1: natural frequencies with the cylinders held (Hz)",
        ("Model", "From", *(f"{k}" for k in range(1, 7))), rows,
        "Computed: the arm of the scenario ralf without weight, two shapes per link; finite elements: twelve cubic "
        "elements per link, by the method fem, closed loop included. Sizes and masses are fitted to the printed table.",
    )  # fmt: skip


def _shares(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found = runs.frequencies()
        share = found.strain_share
        assert share is not None
        return [
            (k + 1, float(hz), *(float(share.sel(mode=k + 1, link=n)) for n in LINKS)) for k, hz in enumerate(found.hz)
        ]

    return Table(
        "shares", "Share of the links in the strain energy of each mode",
        ("Mode", "Frequency (Hz)", *LINKS), rows, "Constrained, two shapes per link, without weight.",
    )  # fmt: skip


def _peaks(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for case in CASES:
            for words, changes in (
                ("none", {}),
                ("static", {"method__stiffening": "static"}),
                ("second-order", {"method__stiffening": "second-order"}),
            ):
                found.append((case, words, *map(float, runs.peaks(case, **changes))))
        return found

    return Table(
        "peaks", "Peaks of the mid-link strain without its static part (1e-6)", ("Motion", "Stiffening", *LINKS), rows,
        "The paper shows such strains without numbers that could be compared.",
    )  # fmt: skip
