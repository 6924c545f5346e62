"""Equilibria, linearisation, feedback and symmetries of equations of motion."""
