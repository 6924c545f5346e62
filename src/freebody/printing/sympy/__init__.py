"""To SymPy and back, node by node, never through text.

Symbols are real and keep their names; ``where`` is a Piecewise; tables and user functions are undefined functions of
the same name.
"""

from freebody.printing.sympy.expressions import from_sympy, to_sympy
from freebody.printing.sympy.programs import program_to_sympy, source

__all__ = ["from_sympy", "program_to_sympy", "source", "to_sympy"]
