"""Poincaré's equations: Lagrange's in speeds that need not be rates of coordinates."""

from freebody.formulations.poincare.chain import Chain, Segment, poses, product
from freebody.formulations.poincare.equations import Poincare
from freebody.formulations.poincare.explicit import Explicit

__all__ = ["Chain", "Explicit", "Poincare", "Segment", "poses", "product"]
