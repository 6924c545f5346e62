"""Strains and section forces of beams as functions of the position along x, for each mode.

Strains are the stretch ε, the shear strains γ, the twist rate θ' and the curvatures κ_y = −ψ_w' and κ_z = ψ_v', the
rates of the section's rotations about y and z. Forces and moments are those of the outer part of the beam (larger x) on
the inner part, along the axes of the undeformed body:

    N = EA ε      M_x = GJ θ'      M_y = EI κ_y      M_z = EI κ_z
    V = GA γ in Timoshenko's beams, otherwise V_y = −M_z', V_z = M_y'
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from freebody.fem.beam_modes import KindOfModes, Panels

Array = NDArray[np.float64]
STRETCH, SHEAR_Y, SHEAR_Z, TWIST, CURVATURE_Y, CURVATURE_Z = range(6)
FORCES = ("axial", "shear_y", "shear_z", "torsion", "moment_y", "moment_z")


@dataclass(frozen=True, eq=False)
class BeamSections:
    """Strains of a beam's modes at the Gauss points of its panels, and the stiffness of each panel."""

    panels: Panels
    strains: Array  # (points, 6, n)
    stiffness: Array  # (panels, 6): EA, GA along y and z (0 without shear), GJ, EI about y and about z

    @classmethod
    def of_modes(cls, kinds: Sequence[KindOfModes], panels: Panels, stiffness: Array) -> "BeamSections":
        """The strains of modes of several kinds, in their order."""
        points, columns = len(panels.x), [np.zeros((len(panels.x), 6, 0))]
        for one in kinds:
            strains = np.zeros((points, 6, len(one.squares)))
            if one.kind == "bending y":
                strains[:, CURVATURE_Z], strains[:, SHEAR_Y] = one.strain[:points], one.shear[:points]
            elif one.kind == "bending z":
                strains[:, CURVATURE_Y], strains[:, SHEAR_Z] = -one.strain[:points], one.shear[:points]
            else:
                strains[:, STRETCH if one.kind == "axial" else TWIST] = one.strain[:points]
            columns.append(strains)
        return cls(panels, np.concatenate(columns, axis=2), stiffness)

    @property
    def length(self) -> float:
        return float(self.panels.edges[-1])

    def in_basis(self, T: Array) -> "BeamSections":
        """The same strains for the coordinates ξ of η = T ξ."""
        return replace(self, strains=self.strains @ T)

    def strain(self, x: float, y: float, z: float) -> Array:
        """The normal strain ε + z κ_y − y κ_z at a point of the section at x, for each mode (n)."""
        at = self.panels.at(np.array([x]), self.strains)[0]
        return np.asarray(at[STRETCH] + z * at[CURVATURE_Y] - y * at[CURVATURE_Z])

    def forces(self, x: float) -> Array:
        """The section forces at x for each mode (6, n), in the order of ``FORCES``. At a change of the section they are
        those of the outer segment."""
        at = np.array([x])
        stiffness = self.stiffness[self.panels.panel(at)[0][0], :, None]
        forces = stiffness * self.panels.at(at, self.strains)[0]
        rates = stiffness * self.panels.rate_at(at, self.strains)[0]
        for shear, rate in ((SHEAR_Y, -rates[CURVATURE_Z]), (SHEAR_Z, rates[CURVATURE_Y])):
            if stiffness[shear] == 0:
                forces[shear] = rate
        return np.asarray(forces)

    def carries(self, force: str) -> bool:
        """Whether the modes contain the strain of a section force."""
        bending = {"shear_y": CURVATURE_Z, "shear_z": CURVATURE_Y}
        return bool(np.any(self.strains[:, bending.get(force, FORCES.index(force))]))
