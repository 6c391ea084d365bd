"""Many variants of one scenario at a fixed step: what does not change is built once, and only what was asked for is kept."""

from flexarm.simulation.batch.runner import Block, LeanRunner, Run, Runner

__all__ = ["Block", "LeanRunner", "Run", "Runner"]
