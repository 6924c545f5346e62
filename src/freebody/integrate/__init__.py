"""Integrators as machine code, for one state or several at once, and the implicit methods of other libraries."""
