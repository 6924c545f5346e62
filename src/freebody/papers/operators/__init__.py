"""Spatial operators of a tree as numbers at one state (Rodriguez, Jain, Kreutz): each a matrix, and a sweep along the
tree that multiplies a vector without forming it."""

from freebody.papers.operators.bodies import BodyNumbers, TreeShape, program
from freebody.papers.operators.closures import Closures
from freebody.papers.operators.linear_maps import Operator
from freebody.papers.operators.spatial import Operators

__all__ = ["BodyNumbers", "Closures", "Operator", "Operators", "TreeShape", "program"]
