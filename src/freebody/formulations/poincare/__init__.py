"""Poincaré's equations: Lagrange's in speeds that need not be rates of coordinates."""

from freebody.formulations.poincare.equations import Poincare

__all__ = ["Poincare"]
