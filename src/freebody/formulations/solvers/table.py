"""The solvers by name. A solver's module is imported when the solver is looked up."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from freebody.errors import ModelError
from freebody.formulations.solvers.base import Solver


CORE = ("sparse", "tree")
PACKAGES = "freebody.papers.solvers", __package__


class SolverTable(Mapping[str, Solver]):
    """The solvers by name: each is the ``SOLVER`` of a module with that name, with ``_`` for ``-``, of this package or
    of ``papers.solvers``."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __getitem__(self, name: str) -> Solver:
        if name not in self.names:
            raise KeyError(name)
        return cast(Solver, import_module(f"{PACKAGES[name in CORE]}.{name.replace('-', '_')}").SOLVER)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


SOLVERS = SolverTable(
    "sparse", "hinge-forces", "mixed", "tree", "compliance", "barycentric", "relative", "null-space", "independent",
    "penalty",
)  # fmt: skip
"""All members of the family; each is a module."""

AUTO = "auto"
solvers = (AUTO, *SOLVERS)
"""The names that ``derive(solver=…)`` accepts."""


def find_solver(name: object) -> Solver | None:
    """The solver of this name; None for the automatic choice."""
    if name is None or name == AUTO:
        return None
    if not isinstance(name, str) or name not in SOLVERS:
        raise ModelError(f"there is no solver {name!r}; there are {', '.join(solvers)}")
    return SOLVERS[name]
