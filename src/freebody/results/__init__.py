"""What a run leaves: arrays with names and units, and plain facts about the system that made them."""

from freebody.results.about import About, Element, Variable
from freebody.results.trajectory import Events, Statistics, Trajectory, UnknownNameError

__all__ = ["About", "Element", "Events", "Statistics", "Trajectory", "UnknownNameError", "Variable"]
