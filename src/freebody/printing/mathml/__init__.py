"""MathML, which browsers set without help: formulas from the LaTeX notation (``markup``), programs (``emit``)."""

from freebody.printing.mathml.emit import NOTATION, emit
from freebody.printing.mathml.read import markup

__all__ = ["NOTATION", "emit", "markup"]
