"""Nodes as text: infix with the fewest parentheses, cut into named variables where a reader wants one.

A variable is introduced where a node is used twice or more, is labelled by a formulation, or would make a text of more
than 100 characters or 12 levels. Leaves, numbers and their negatives never become variables. The printer goes through
the nodes in order, operands first, and never recurses.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from freebody.scalar import tex
from freebody.scalar.gathered import Factor, Piece, Product, divide, multiply, number_of, wrap, write_product
from freebody.scalar.graph import Graph
from freebody.scalar.notation import ATOM, NEGATIVE, SUM, TEXT, Notation
from freebody.scalar.numbers import Number
from freebody.scalar.ops import ADD, CALL, COMPARISONS, CONST, COS, DIV, MUL, NEG, OPS, SIN, SUB, SYMBOL, TABLE, WHERE
from freebody.scalar.symbol import PARAMETERS_ONLY, Label
from freebody.scalar.table import Table
from freebody.scalar.walk import Nodes, live, operands
