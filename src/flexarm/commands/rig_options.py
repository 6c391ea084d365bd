"""Options that the commands of the test bench share: the gauge's electronics, the motor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.analysis.gauge import GaugeChain

Factor = Annotated[float, typer.Option(metavar="K", help="Gauge factor.")]
Bridge = Annotated[str, typer.Option(metavar="KIND", help="quarter, half or full.")]
Excitation = Annotated[float, typer.Option(metavar="VOLT", help="Voltage across the bridge.")]
Gain = Annotated[float, typer.Option(metavar="FACTOR", help="Gain of the amplifier.")]
Offset = Annotated[float, typer.Option(metavar="VOLT", help="Output without strain.")]
Bits = Annotated[int, typer.Option(metavar="COUNT", help="Bits of the converter.")]
Range = Annotated[str, typer.Option("--range", metavar="LOW,HIGH", help="Range of the converter, V.")]
Joint = Annotated[str | None, typer.Option(metavar="NAME", help="Joint with the motor.", show_default=False)]
PerTurn = Annotated[
    int | None, typer.Option("--steps-per-turn", metavar="COUNT", help="Full steps per turn.", show_default=False)
]
Half = Annotated[bool | None, typer.Option("--half/--full", help="Half or full steps.", show_default=False)]
Ratio = Annotated[
    float | None, typer.Option(metavar="N", help="Turns of the motor per turn of the joint.", show_default=False)
]
Sweeps = Annotated[
    int, typer.Option(metavar="COUNT", min=0, help="There and back so many times; 0: as the motion says.")
]
Overhead = Annotated[str, typer.Option(metavar="TIME", help="Time per step beside the wait, for example 120us.")]


def gauge_chain(
    factor: float, bridge: str, excitation: float, gain: float, offset: float, bits: int, limits: str
) -> GaugeChain:
    """Bridge, amplifier and converter from options."""
    from flexarm.analysis.gauge import GaugeChain

    parts = options.listed(limits)
    try:
        low, high = (float(part.rstrip("V ")) for part in parts)
    except ValueError:
        raise FlexarmError(f"'{limits}' is no range; write two voltages such as -5,5", field="--range") from None
    return GaugeChain(factor, bridge, excitation, gain, offset, bits, low, high)  # type: ignore[arg-type]
