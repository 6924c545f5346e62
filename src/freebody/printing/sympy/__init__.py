"""To SymPy and back, node by node, never through text.

Symbols are real and keep their names; ``where`` is a Piecewise; tables and user functions are undefined functions of
the same name.
"""

from freebody.printing.sympy.read import from_sympy
from freebody.printing.sympy.unroll import program_to_sympy
from freebody.printing.sympy.write import to_sympy

__all__ = ["from_sympy", "program_to_sympy", "to_sympy"]
