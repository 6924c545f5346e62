"""Results of runs: arrays with names and units, and facts about the system behind them."""

from freebody.results.about import About, BodyInfo, Variable
from freebody.results.trajectory import Events, RunResult, Statistics, UnknownNameError

__all__ = ["About", "BodyInfo", "Events", "RunResult", "Statistics", "UnknownNameError", "Variable"]
