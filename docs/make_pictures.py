"""The pictures of README and pages, drawn by the package itself: ``python docs/make_pictures.py``."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image

import flexarm as fa
from flexarm.view import figure, show
from flexarm.view.arm import arm

FOLDER = Path(__file__).parent / "images"
DPI, GAP = 150, 40
SLENDER = """
name: A slender link turned by 90 degrees
arm:
  damping: {ratio: 1 %}
  links:
    - name: link
      length: 1 m
      section: {shape: rectangle, width: 25 mm, height: 3 mm}
      material: aluminium
      joint: {hub_inertia: 1e-3 kg*m^2}
  payload: {mass: 60 g}
drive: [{joint: link, motion: {profile: quintic, by: 90 deg, duration: 1.3 s}}]
method: {name: fd, resolution: 60}
time: {end: 1.3 s}
output: {every: 2 ms}
"""


def drawn(made: Any) -> Image.Image:
    """A figure as a picture."""
    memory = io.BytesIO()
    made.savefig(memory, format="png", dpi=DPI)
    return Image.open(memory).convert("RGB")


def beside(*pictures: Image.Image) -> Image.Image:
    """Pictures in a row, centred in height."""
    height = max(picture.height for picture in pictures)
    width = sum(picture.width for picture in pictures) + GAP * (len(pictures) - 1)
    whole = Image.new("RGB", (width, height), "white")
    x = 0
    for picture in pictures:
        whole.paste(picture, (x, (height - picture.height) // 2))
        x += picture.width + GAP
    return whole


def save(name: str, picture: Image.Image) -> None:
    """Write a small PNG: few colours are enough for lines and a colour map."""
    path = FOLDER / f"{name}.png"
    picture.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {picture.width} x {picture.height}, {path.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Draw everything anew."""
    FOLDER.mkdir(exist_ok=True)
    scenario = fa.load("tokhi-azad", {"method.resolution": 60})
    result, modes = fa.simulate(scenario), fa.frequencies(scenario, n=6, joints="free")
    turned = fa.simulate(fa.loads(SLENDER))
    instants = [0.0, 0.3, 0.45, 0.55, 0.65, 0.75, 0.85, 1.0, 1.3]
    strobe = drawn(arm(turned, size="column", at=instants))
    save("overview", beside(strobe, drawn(figure(result, "surface", size="column"))))
    save("tip", drawn(figure(result, "tip")))
    save("show", drawn(show(fa.load("naganathan-3r"))))
    save("modes", drawn(figure(result, "modes", modes)))


if __name__ == "__main__":
    main()
