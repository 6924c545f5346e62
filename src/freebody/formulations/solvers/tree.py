"""Joint coordinates: multipliers are eliminated with the tree's speeds, in the formulation's own way."""

from freebody.formulations.entries import Solver

SOLVER = Solver("tree", "aba", loops=True)
