"""Groups of commands whose help loads nothing heavy."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class LightGroup(TyperGroup):
    """A group of commands."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option --help; without a default the help of a command would load pydantic to find one."""
        option = super().get_help_option(ctx)
        if option is not None and option.default is None:
            option.default = False
        return option
