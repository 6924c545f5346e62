"""Spatial operators of a tree as numbers at one state (Rodriguez, Jain, Kreutz): each a matrix, and a sweep along the
tree that multiplies a vector without forming it."""

from freebody.formulations.operators.algebra import Operator
from freebody.formulations.operators.bodies import Bodies, Tree, program
from freebody.formulations.operators.spatial import Operators

__all__ = ["Bodies", "Operator", "Operators", "Tree", "program"]
