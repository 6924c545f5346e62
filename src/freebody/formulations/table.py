"""The tables of formulations, of speeds and of solvers, each imported when it is looked up. To add one, write its entry
(`entries.py`) in a module of its own and a line here, or in the tables of a wing (`wings.py`)."""

from freebody.formulations.entries import STANDARD, FormulationEntry, Solver
from freebody.wings import Place, PlaceTable

HERE = "freebody.formulations"

FORMULATIONS = PlaceTable[FormulationEntry](
    "formulation",
    {
        "kane": Place(f"{HERE}.kane:FORMULATION", "Kane's equations"),
        "crba": Place(f"{HERE}.articulated:COMPOSITE", "composite bodies"),
        "aba": Place(f"{HERE}.articulated:ARTICULATED", "articulated bodies"),
        "cheapest": Place(f"{HERE}.cheapest:FORMULATION", "fewest operations of a search"),
        "gauss": Place(f"{HERE}.solvers.gauss:FORMULATION", "Gauss's principle"),
    },
)
"""All formulations. What is said about them is how they are called in texts for readers."""

SPEEDS = PlaceTable[FormulationEntry]("speeds", {})
"""Other speeds than the standard ones, each with the formulation that has them."""


def speed_names() -> tuple[str, ...]:
    """The names that ``derive(speeds=…)`` accepts."""
    return STANDARD, *SPEEDS


SOLVERS = PlaceTable[Solver](
    "solver",
    {
        "sparse": Place(
            f"{HERE}.solvers.sparse:SOLVER", "accelerations of all bodies and multipliers of all joints by one sparse"
            " L D Lᵀ",
        ),
        "tree": Place(
            f"{HERE}.solvers.tree:SOLVER", "joint coordinates; multipliers are eliminated with the tree's speeds"
        ),
    },
)  # fmt: skip
"""All solvers of the family."""

AUTO = "auto"


def solver_names() -> tuple[str, ...]:
    """The names that ``derive(solver=…)`` accepts."""
    return AUTO, *SOLVERS


def find_solver(name: object) -> Solver | None:
    """The solver of this name; None for the automatic choice."""
    if name is None or name == AUTO:
        return None
    if not isinstance(name, str) or name not in SOLVERS:
        raise SOLVERS.unknown(name, solver_names())
    return SOLVERS[name]


solvers = solver_names()
"""``fb.solvers``."""
