"""Sums of stages as text, in the order in which the compiled integrators add them."""

from collections.abc import Callable

from freebody.integrate.tableaus import Row


def weighted_sum(weights: Row, row: Callable[[int], str], number: Callable[[float], str]) -> str:
    """Σ w_k row_k; negative weights are subtracted."""
    text = ""
    for k, w in weights.items():
        sign = (" - " if w < 0 else " + ") if text else ("-" if w < 0 else "")
        text += f"{sign}{row(k)}*{number(abs(w))}"
    return text
