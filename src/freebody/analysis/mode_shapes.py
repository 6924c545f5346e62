"""Shapes of modes: how the bodies of a system move and deform in a small motion about a point, and which share of the
energy each of them has."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.state_equations import OperatingPoint, StateEquations
from freebody.backends import Function, compile
from freebody.quantities import location, program
from freebody.quantities.kinematics import Location
from freebody.tables import counted
from freebody.tree.energy import kinetic_by_body, strain

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
NONE = 1e-12
"""Displacements below this fraction of the speeds are zero."""


class BodyEnergies:
    """The kinetic energies of all bodies and the strain energies of flexible ones, as functions of a point."""

    def __init__(self, state: StateEquations) -> None:
        self.state, motion = state, state.e.formulation.motion
        self._kinetic, self._strain = kinetic_by_body(motion), strain(motion)
        self.bodies, self.flexible = list(self._kinetic), list(self._strain)
        self._jacobians = dict[Location, Function]()
        links = [link for link in state.e.tree.links if link.internal_dynamics is not None]
        self.modal = [state.layout.q.index(name) for link in links for name in link.body.spec.names[0]]

    @cached_property
    def _function(self) -> Any:
        copy, nodes = self.state.scope.copy, {"kinetic": self._kinetic, "strain": self._strain}
        return self.state.function("energies_by_body", {key: copy(list(v.values())) for key, v in nodes.items()})

    def jacobian(self, body: Any, at: Sequence[float]) -> Any:
        """J of (ω, v) = J u of a point of a body, as a compiled function."""
        where = location(body, at)
        if where not in self._jacobians:
            self._jacobians[where] = compile(program(self.state.e, "jacobian", body=body, at=at), "numpy")
        return self._jacobians[where]

    def _at(self, point: OperatingPoint, what: str, **changes: Array) -> Array:
        return np.asarray(self._function(replace(point, **changes))[what])

    def kinetic(self, point: OperatingPoint, u: Complex) -> dict[str, float]:
        """½ ūᵀ M u of each body, for complex speeds; prescribed motions are left out."""
        rest = self._at(point, "kinetic", u=np.zeros(len(u)))
        parts = [self._at(point, "kinetic", u=sign * part) - rest for part in (u.real, u.imag) for sign in (1, -1)]
        return dict(zip(self.bodies, np.maximum(sum(parts) / 2, 0.0).tolist(), strict=True))

    def strain(self, point: OperatingPoint, eta: Complex) -> dict[str, float]:
        """½ η̄ᵀ K η of each flexible body, for complex modal coordinates of all of them."""
        energies = []
        for part in (eta.real, eta.imag):
            for sign in (1, -1):
                q = point.q.copy()
                q[self.modal] = sign * part
                energies.append(self._at(point, "strain", q=q))
        q = point.q.copy()
        q[self.modal] = 0.0
        return dict(zip(self.flexible, (sum(energies) / 2 - 2 * self._at(point, "strain", q=q)).tolist(), strict=True))


@dataclass(frozen=True, repr=False)
class SmallMotions:
    """The small motions of a system about a point: ``directions`` gives the changes of all minimal states from those of
    the states of a linear system."""

    energies: BodyEnergies
    point: OperatingPoint
    directions: Array

    def __repr__(self) -> str:
        return f"<small motions of {counted(len(self.energies.bodies), 'body', 'bodies')} about a point>"

    def of(self, shape: Complex, value: complex) -> "ModeShape":
        """The motion of an eigenvector."""
        s = self.energies.state
        whole, n, m = self.directions @ shape, len(s.directions), len(s.layout.u)
        along, speeds = np.zeros(m, complex), whole[n : n + m]
        for k, (_, j) in enumerate(s.directions):
            if j >= 0:
                along[j] = whole[k]
        if not np.linalg.norm(along) > NONE * np.linalg.norm(speeds):  # no displacement: a change of speeds alone
            along = speeds if not value else speeds / value
        energies = self.energies.kinetic(self.point, along)
        total = sum(energies.values())
        largest = along[int(np.argmax(np.abs(along)))] if m else 1.0
        along = along * np.conj(largest) / (abs(largest) or 1.0) / np.sqrt(2 * total or 1.0)
        shares = {name: energy / total for name, energy in energies.items() if energy > 0} if total else {}
        return ModeShape(self, value, along, shares)


@dataclass(frozen=True)
class ModeShape:
    """The displacements of a mode along all speeds, with unit modal mass: ½ δᴴ M δ = ½, the largest one is real.
    ``kinetic`` are the shares of the bodies in the kinetic energy."""

    motions: SmallMotions = field(repr=False)
    value: complex
    along: Complex = field(repr=False)
    kinetic: dict[str, float]

    @property
    def displacements(self) -> dict[str, complex]:
        """δ by speed."""
        return dict(zip(self.motions.energies.state.layout.u, self.along.tolist(), strict=True))

    @cached_property
    def strain(self) -> dict[str, float]:
        """The strain energy of each flexible body, as a share of the mean energy ½ |λ|² δᴴ M δ of the mode. The rest is
        that of springs, gravity and stiffening."""
        if not self.value.imag:
            return {}
        energies, s = self.motions.energies, self.motions.energies.state
        index = {name: k for k, name in enumerate(s.layout.u)}
        eta = np.array([self.along[index[s.layout.q[k]]] for k in energies.modal])
        mean = abs(self.value) ** 2 / 2
        return {name: value / mean for name, value in energies.strain(self.motions.point, eta).items()}

    def motion(self, body: Any, at: Sequence[float] = (0, 0, 0)) -> Complex:
        """The small rotation and the displacement of a point of a body or node, along the ground's axes (6)."""
        point, J = self.motions.point, self.motions.energies.jacobian(body, at)
        return np.asarray(J(*(point.groups[g.name] for g in J.groups)).reshape(6, -1) @ self.along)
