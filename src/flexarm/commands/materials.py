"""`flexarm materials`: the materials that a scenario can name, with their figures and where these come from."""

from __future__ import annotations

from flexarm.commands.console import out, table

COLUMNS = ("material", "E, GPa", "G, GPa", "density, kg/m³", "nu", "what it is, and source")


def materials() -> None:
    """Materials that a scenario can name."""
    from flexarm.arm.material import LIBRARY, SOURCES, Material

    rows = []
    for name in LIBRARY:
        found = Material.named(name)
        figures = (found.E / 1e9, found.shear_modulus / 1e9, found.density, found.nu)
        rows.append([name, *(f"{value:.4g}" for value in figures), SOURCES[name]])
    out().print(table(COLUMNS, rows, numbers=range(1, 5)))
    out().print()
    out().print("Typical values. Your own: material: {E: 71.1 GPa, density: 2710 kg/m^3, nu: 0.33, strength: 240 MPa},")
    out().print("or some of them in place of those of the list: material: {name: aluminium, E: 69 GPa}.")
