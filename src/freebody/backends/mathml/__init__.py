"""MathML, which browsers set without help: formulas from the LaTeX notation (``markup``), programs (``emit``)."""

from freebody.backends.mathml.emit import NOTATION, emit
from freebody.backends.mathml.read import markup

__all__ = ["NOTATION", "emit", "markup"]
