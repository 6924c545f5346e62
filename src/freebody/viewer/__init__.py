"""Plots of runs and diagrams of systems, from results alone."""

from freebody.viewer.diagram import Diagram, diagram
from freebody.viewer.plots import plot

__all__ = ["Diagram", "diagram", "plot"]
