"""Results of runs: arrays with names and units, and a description of the system."""

from freebody.results.about import About, BodyInfo, ConstraintInfo, Variable
from freebody.results.trajectory import Events, RunResult, Statistics, UnknownNameError

__all__ = [
    "About", "BodyInfo", "ConstraintInfo", "Events", "RunResult", "Statistics", "UnknownNameError", "Variable",
]  # fmt: skip
