"""Frequencies, numerical damping, tip errors and misprints, ours beside what the paper states."""

from __future__ import annotations

from flexarm.papers.errata import errata_table
from flexarm.papers.li_zhang.checks import data
from flexarm.papers.li_zhang.newmark import vibration
from flexarm.papers.li_zhang.runs import PAIRS, Runs, exact_beam, extremes
from flexarm.papers.paper import Row, Table

ENDS = {"literal": "as printed", "root": "half spring at the root", "both": "half springs", "half": "half segments"}


def tables(runs: Runs) -> tuple[Table, ...]:
    """All tables, none worked out yet."""
    return (_beam(runs), _three(runs), _ends(runs), errata_table("li_zhang"))


def _beam(runs: Runs) -> Table:
    published = data()["published"]

    def rows() -> list[Row]:
        found: list[Row] = [
            ("paper, theory", published["hz theory"], "–"), ("paper, experiment", published["hz measured"], "–"),
            ("paper, simulation", published["hz simulated"], "–"), ("closed form, 70 GPa", exact_beam(), 0.0),
            ("closed form, 69 GPa", exact_beam(69e9), 0.0),
        ]  # fmt: skip
        for beta, gamma in PAIRS:
            for ends in ("literal", "root", "half"):
                ring = runs.ring(beta, gamma, ends)
                found.append((f"beta {beta}, gamma {gamma}, {ENDS[ends]}", ring.frequency, ring.log_decrement))
            found.append((f"beta {beta}, gamma {gamma}, predicted", *vibration(beta, gamma, exact_beam(), 2e-3)))
        return found

    return Table(
        "beam", "Single beam: frequency and numerical damping of its ringing", ("From", "Frequency (Hz)", "Log decrement"),
        rows, "60 segments, 70 GPa, steps of 2 ms. All damping is that of the time scheme.",
    )  # fmt: skip


def _three(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for name, what in {"ex": "tip error x (mm)", "ey": "tip error y (mm)", "d1": "link 1 (mm)", "d2": "link 2 (mm)",
                           "d3": "link 3 (mm)"}.items():  # fmt: skip
            parts = [1e3 * extremes(runs.three(joints), name) for joints in ("rigid", "flexible")]
            found.append((what, *(float(v) for part in parts for v in part)))
        return found

    heads = [f"{word}, {joints}" for joints in ("rigid", "flexible") for word in ("Greatest", "Least", "Residual")]
    return Table(
        "three-links", "Three links: tip error and deformation of the links, rigid and flexible joints", ("Signal", *heads), rows,
        "Sound form, 20 segments per link, steps of 0.5 ms. Residual: greatest size after 0.4 s.",
    )  # fmt: skip


def _ends(runs: Runs) -> Table:
    def rows() -> list[Row]:
        right = extremes(runs.three("rigid", segments=80), "ex")[2]
        found: list[Row] = []
        for ends, words in ENDS.items():
            residual = extremes(runs.three("rigid", "paper", "newton", ends), "ex")[2]
            hz = runs.frequencies("rigid", "final", ends)[0]
            found.append((words, float(hz), 1e3 * float(residual), 100.0 * float(residual / right - 1.0)))
        return found

    return Table(
        "ends", "Three links with rigid joints: what stands at the ends of the links",
        ("Ends", "First frequency (Hz)", "Residual tip error x (mm)", "Off (%)"), rows,
        "The paper's scheme with 20 segments per link, beta 0.7, gamma 0.51, steps of 1 ms; off from 80 half-ended segments.",
    )  # fmt: skip
