"""Triggers: when a rule of a hybrid system is applied."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Crossing:
    """Where a row of the conditions crosses zero: upwards (``direction`` 1), downwards (−1) or either way (0). A
    ``terminal`` one ends the run. ``solved``: the condition contains accelerations or multipliers, which jump where
    constraints are engaged."""

    row: int
    direction: int = 0
    terminal: bool = False
    solved: bool = False
