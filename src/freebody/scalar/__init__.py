"""The alphabet and its sentences: expressions as a shared graph, and programs made of them."""

from freebody.scalar.assemble import Assembly, program
from freebody.scalar.callback import Callback, callback
from freebody.scalar.count import Operations, count
from freebody.scalar.dead import select
from freebody.scalar.derivative import gradient, hessian, jacobian, jvp
from freebody.scalar.digest import digest
from freebody.scalar.evaluate import Evaluation, evaluate
from freebody.scalar.expr import Expr, symbol, symbols
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.program import Block, Group, Output, Program, Scan, Solve
from freebody.scalar.small import first_order
from freebody.scalar.split import split
from freebody.scalar.stage import Staged, stage
from freebody.scalar.symbol import Kind
from freebody.scalar.table import Table, table

__all__ = [
    "Assembly", "Block", "Callback", "Evaluation", "Expr", "Graph", "Group", "Kind", "Operations", "Output", "Program",
    "Scan", "Solve", "Staged", "Table", "callback", "count", "digest", "evaluate", "first_order", "gradient", "hessian",
    "jacobian", "jvp", "parse", "program", "select", "split", "stage", "symbol", "symbols", "table",
]  # fmt: skip
