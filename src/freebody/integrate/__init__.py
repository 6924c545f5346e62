"""Integrators as machine code, for one state or several at once, and implicit methods of other libraries."""
