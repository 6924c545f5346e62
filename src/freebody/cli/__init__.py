"""The ``freebody`` command. Each subcommand has a file; `command_line.py` brings them together when it is first needed,
so that a command of a wing can import its options from here first."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from freebody.cli.command_line import app

__all__ = ["app", "main"]


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module 'freebody.cli' has no attribute '{name}'")
    from freebody.cli.command_line import app

    return app


def main() -> None:
    """The command ``freebody``."""
    from freebody.cli.command_line import app

    app(prog_name="freebody")
