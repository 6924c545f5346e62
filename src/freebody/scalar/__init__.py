"""Expressions: a shared graph of operations, symbols, parsing, derivatives, and printing of expressions."""

from freebody.scalar.derivative import gradient, jacobian, jvp
from freebody.scalar.expr import Expr, symbol, symbols
from freebody.scalar.functions import Callback, Table, callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.small import first_order
from freebody.scalar.symbol import Kind

__all__ = [
    "Callback", "Expr", "Graph", "Kind", "Table", "callback", "first_order", "gradient", "jacobian", "jvp",
    "parse", "symbol", "symbols", "table",
]  # fmt: skip
