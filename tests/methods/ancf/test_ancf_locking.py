"""Linear cantilevers: the locking table, tapered links, payloads."""

import numpy as np
import pytest
from ancf_arms import FIGURES, SQUARE, bar, build, tip_of

import flexarm as fa
from flexarm.methods.ancf.linear import static_state

OPTIONS = {
    "paper-stress": {"variant": "paper"},
    "paper-strain": {"variant": "paper", "plane": "strain"},
    "shear": {"element": "shear"},
    "cable": {"element": "cable"},
}


def tip_deflection(arm, force, **options):
    """Deflection of the tip under a small force across the bar."""
    model = build(arm, **options)
    push = np.zeros(model.size)
    push[tip_of(model)] = 0.0, force
    return float(static_state(model, [0.0], force=push).x[tip_of(model)][1])


def bent(row, **options):
    """Error of the tip deflection of a cantilever of the table against the Timoshenko beam, %."""
    material, L = row["material"], row["length"]
    EI, GA = material["E"] * 0.05**4 / 12, material["E"] / (2 * (1 + material["nu"])) * 0.05**2 * 5 / 6
    P = 1e-4 * EI / L**2
    found = tip_deflection(bar(L, material), P, resolution=row["elements"], **options)
    return 100 * (found / (P * L**3 / (3 * EI) + P * L / GA) - 1)


@pytest.mark.parametrize("row", FIGURES["locking"], ids=lambda r: f"{r['element']}-{r['length']}-{r['elements']}")
def test_the_locking_table(row):
    assert bent(row, **OPTIONS[row["element"]]) == pytest.approx(row["tip_percent"], abs=2e-3)
    options = {"resolution": row["elements"], **OPTIONS[row["element"]]}
    first = 2 * np.pi * fa.frequencies(bar(row["length"], row["material"]), method="ancf", n=1, options=options).hz[0]
    assert 100 * (first / row["first_rad_s"] - 1) == pytest.approx(row["first_frequency_percent"], abs=2e-3)


def test_default_element_in_the_papers_meshes():
    for row in FIGURES["locking"]:
        if row["element"] == "shear":
            assert abs(bent(row)) < 0.1


def test_notes_tell_of_locking_and_of_cables():
    material = FIGURES["locking"][0]["material"]
    paper = build(bar(0.4, material), variant="paper", resolution=2)
    assert any("locks" in note and "12.1 %" in note for note in paper.notes)
    slender, stout = build(bar(1.6, material)), build(bar(1.4, material))
    assert any("cable" in note and "bar" in note for note in slender.notes)
    assert not any("cable" in note for note in stout.notes)
    assert not slender.mesh.sheared[0]
    assert stout.mesh.sheared[0]


@pytest.mark.parametrize(("elements", "percent"), [(1, -1.8), (2, -0.25), (4, -0.021)])
def test_tapered_height(elements, percent):
    E, L, P = 70e9, 1.5, 1.0
    ends = [dict(SQUARE, at=0.0), dict(SQUARE, at=1.0, height=0.025)]
    arm = bar(L, {"E": E, "nu": 0.3, "density": 2700}, ends)
    x = (np.arange(20000) + 0.5) / 20000
    local = arm.links[0].properties(x)
    exact = np.sum(P * (L * (1 - x)) ** 2 / local["EI"] + P / local["GA"]) * L / len(x)
    found = tip_deflection(arm, P, element="shear", resolution=elements)
    assert 100 * (found / exact - 1) == pytest.approx(percent, rel=0.2)


def test_payload_with_inertia_and_offset_has_the_frequencies_of_the_exact_link():
    arm = bar(1.0, {"E": 70e9, "nu": 0.3, "density": 2700}, {"shape": "rectangle", "width": 0.03, "height": 0.01},
              payload={"mass": 0.5, "inertia": 0.02, "offset": 0.1})  # fmt: skip
    ours = fa.frequencies(arm, method="ancf", n=3, options={"resolution": 8}).hz
    beams = fa.frequencies(arm, method="fem", n=3, options={"resolution": 16, "order": 3}).hz
    assert ours == pytest.approx(beams, rel=1e-3)
