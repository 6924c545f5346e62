"""``freebody completion``: the script with which a shell completes commands, options, files of models and names."""

import os
import re
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from typer.completion import completion_init, get_completion_script  # type: ignore[attr-defined]

from freebody.cli.output import CommandOutput, usage

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_FREEBODY_COMPLETE"
"""The environment variable by which the script asks for completions."""
PLAIN = re.compile(r"[\w.,+@/-]*")
"""Names that need no quotes in any shell. The shells complete others themselves."""


def one_of_names(names: Callable[[], Sequence[str]]) -> Callable[[str], list[str]]:
    """What completes the value of an option to one of some names."""
    return lambda incomplete: [name for name in names() if name.startswith(incomplete)]


def files_with(*suffixes: str) -> Callable[[str], list[str]]:
    """What completes a path to folders, and to files with these suffixes."""

    def complete(incomplete: str) -> list[str]:
        folder, slash, start = incomplete.rpartition("/")
        paths = list[str]()
        try:
            with os.scandir(folder + slash or ".") as entries:
                for entry in entries:
                    hidden = entry.name.startswith((".", "__")) and not start.startswith(entry.name[0])
                    if entry.name.startswith(start) and not hidden:
                        if entry.is_dir():
                            paths.append(f"{folder}{slash}{entry.name}/")
                        elif entry.name.endswith(suffixes):
                            paths.append(f"{folder}{slash}{entry.name}")
        except OSError:
            return []
        if not all(map(PLAIN.fullmatch, paths)):
            return []
        if len(paths) == 1 and paths[0].endswith("/"):
            return complete(paths[0])
        return sorted(paths)

    return complete


Shell = Annotated[
    str,
    typer.Argument(
        metavar="|".join(SHELLS), show_default=False, autocompletion=one_of_names(lambda: SHELLS), help="The shell."
    ),
]


def completion(shell: Shell) -> None:
    """Print the script with which a shell completes commands, options, files of models and names of methods.

    Example: eval "$(freebody completion bash)"
    """
    with CommandOutput("completion") as out:
        if shell not in SHELLS:
            raise usage(f"there is no completion for '{shell}'; the shells are {', '.join(SHELLS)}")
        out.text(get_completion_script(prog_name="freebody", complete_var=VARIABLE, shell=shell) + "\n")


def prepare() -> None:
    """Let a call that asks for completions find the shells."""
    if VARIABLE in os.environ:
        completion_init()
