"""Programs: expressions ordered as blocks, scans (loops) and solves; checks, staging, factoring, counting, values."""

from freebody.program.assemble import Assembly, program
from freebody.program.count import Operations, count
from freebody.program.evaluate import Evaluation, evaluate
from freebody.program.program import Block, Group, Output, Program, Scan, Solve, digest
from freebody.program.split import split
from freebody.program.stage import Staged, select, stage

__all__ = [
    "Assembly", "Block", "Evaluation", "Group", "Operations", "Output", "Program", "Scan", "Solve", "Staged", "count",
    "digest", "evaluate", "program", "select", "split", "stage",
]  # fmt: skip
