"""Results of runs: arrays with names and units, and a description of the system."""

from freebody.hybrid.variables import Variable
from freebody.results.about import About, BodyInfo, ConstraintInfo, FlexibleInfo, ModeInfo
from freebody.results.trajectory import Events, RunResult, Statistics, UnknownNameError

__all__ = [
    "About", "BodyInfo", "ConstraintInfo", "Events", "FlexibleInfo", "ModeInfo", "RunResult", "Statistics",
    "UnknownNameError", "Variable",
]  # fmt: skip
