"""What a tree can tell beside its equations of motion, as users ask for it: poses, Jacobians, momenta, derivatives, …

Spatial vectors put the angular part first. Everything takes one state, or arrays with a leading batch axis.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.api.native import native
from freebody.errors import ArgumentError
from freebody.run.numbers import seeded

if TYPE_CHECKING:
    from freebody.formulations.equations import Equations as Catalogue
    from freebody.program.count import Operations
    from freebody.program.program import Program
    from freebody.quantities.regressor import BaseParameters

Array = NDArray[np.float64]
Given = dict[str, ArrayLike | None]
Wrenches = Mapping[Any, Sequence[Any]]
"""By body: torque and force, and the point where they act if it is not the body's origin."""
ORIGIN = (0, 0, 0)
GROUND = "ground"


class Pose(NamedTuple):
    """``R`` maps a body's components to the ground's; ``p`` is a point's place in the ground."""

    R: Array
    p: Array


class Centroidal(NamedTuple):
    """Momentum about the mass centre is ``matrix`` @ u (and what prescribed motions add); ``inertia`` is that of the
    system with all joints held, about its mass ``centre``; all along the ground's axes."""

    matrix: Array
    inertia: Array
    centre: Array
    mass: Array


class Inertial(NamedTuple):
    """The inertial parameters π by name: ten for each body, about its origin along its axes."""

    names: tuple[str, ...]
    values: Array


class Known(ABC):
    """What equations know beside their programs: their cost, their inertial parameters, and which can be told."""

    catalogue: "Catalogue"
    values: dict[str, float]

    def count(self, quantity: str, **arguments: Any) -> "Operations":
        """Operations of a call; arguments are those of ``program``."""
        from freebody.program.count import count
        from freebody.program.stage import stage

        return count(stage(self.program(quantity, **arguments)).main)

    def inertial_parameters(self, parameters: Mapping[str, float] | None = None) -> Inertial:
        """π of tau = Y π + τ₀ (docs/quantities.md)."""
        from freebody.quantities.regressor import names

        found = self.compile("numpy", parameters)._array("inertial_parameters", {})
        return Inertial(names(self.catalogue), found)

    def base_parameters(self, parameters: Mapping[str, float] | None = None, seed: int = 0) -> "BaseParameters":
        """The fewest combinations of inertial parameters that tau depends on, found at random states."""
        from freebody.quantities.regressor import base_parameters, random_regressors

        f, e = self.compile("numpy", parameters), self.catalogue
        W = random_regressors(e, lambda t, q, u, u_dot: f.regressor(q, u, u_dot, t), seeded(seed))
        return base_parameters(e, W)

    @abstractmethod
    def program(self, quantity: str = "forward_dynamics", **arguments: Any) -> "Program":
        """A quantity's program."""

    @abstractmethod
    def compile(self, backend: str = "llvm", parameters: Mapping[str, float] | None = None, **options: Any) -> Any:
        """The quantities as functions."""


class Quantities(ABC):
    """Functions of the state beside the equations of motion.

    A place is a body (by name), a point ``at`` of it (numbers along its axes, or texts of parameters), and with
    ``frame`` the axes of what is told: "ground", "body" (its own) or another body's name.
    """

    @abstractmethod
    def _call(self, quantity: str, given: Given, arguments: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """A quantity's outputs: arguments say which program, ``given`` its groups by name."""

    def _array(self, quantity: str, given: Given, arguments: Mapping[str, Any] | None = None, **options: Any) -> Array:
        found: Array = self._call(quantity, given, arguments, **options)
        return found

    # Motion of points

    def pose(self, q: ArrayLike, body: Any, t: ArrayLike = 0.0, at: Sequence[Any] = ORIGIN) -> Pose:
        """Orientation of a body, and place of its point."""
        return Pose(**self._call("pose", {"q": q, "t": t}, {"body": body, "at": at}))

    def spatial_velocity(
        self, q: ArrayLike, u: ArrayLike, body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND,
        t: ArrayLike = 0.0, **options: Any,
    ) -> Array:  # fmt: skip
        """(ω, v) of a body and its point, in the ground."""
        place = {"body": body, "at": at, "frame": frame}
        return self._array("spatial_velocity", {"q": q, "u": u, "t": t}, place, **options)

    def spatial_acceleration(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike | None, body: Any, at: Sequence[Any] = ORIGIN,
        frame: Any = GROUND, t: ArrayLike = 0.0, **options: Any,
    ) -> Array:  # fmt: skip
        """(α, a) of a body and its point, as seen from the ground; gravity is no part of it. None for u̇: zero."""
        place = {"body": body, "at": at, "frame": frame}
        return self._array("spatial_acceleration", {"q": q, "u": u, "u_dot": u_dot, "t": t}, place, **options)

    def jacobian(
        self, q: ArrayLike, body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND, t: ArrayLike = 0.0,
        **options: Any,
    ) -> Array:  # fmt: skip
        """J (6 × nu) of (ω, v) = J u + o."""
        return self._array("jacobian", {"q": q, "t": t}, {"body": body, "at": at, "frame": frame}, **options)

    def jacobian_offset(
        self, q: ArrayLike, body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND, t: ArrayLike = 0.0,
        **options: Any,
    ) -> Array:  # fmt: skip
        """o of (ω, v) = J u + o: what prescribed motions alone give."""
        return self._array("jacobian_offset", {"q": q, "t": t}, {"body": body, "at": at, "frame": frame}, **options)

    def jacobian_rate(
        self, q: ArrayLike, u: ArrayLike, body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND,
        t: ArrayLike = 0.0, **options: Any,
    ) -> Array:  # fmt: skip
        """J̇ (6 × nu), the rate of each entry of J along the motion."""
        place = {"body": body, "at": at, "frame": frame}
        return self._array("jacobian_rate", {"q": q, "u": u, "t": t}, place, **options)

    def jacobian_offset_rate(
        self, q: ArrayLike, u: ArrayLike, body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND,
        t: ArrayLike = 0.0, **options: Any,
    ) -> Array:  # fmt: skip
        """ȯ: the components of (ω, v) change at J u̇ + J̇ u + ȯ."""
        place = {"body": body, "at": at, "frame": frame}
        return self._array("jacobian_offset_rate", {"q": q, "u": u, "t": t}, place, **options)

    # Wrenches

    def generalised_force(self, q: ArrayLike, wrenches: Wrenches, frame: Any = GROUND, t: ArrayLike = 0.0) -> Array:
        """Σ Jᵀ w of wrenches by body: ``{"hand": (torque, force)}`` at its origin, or (torque, force, point of it);
        components along the ground's axes, or with ``frame`` along the bodies' own or another body's."""
        if not isinstance(wrenches, Mapping) or not wrenches:
            raise ArgumentError("generalised_force() needs wrenches: give them by body, {'hand': (torque, force)}")
        parts = [self._wrench(q, body, given, frame, t) for body, given in wrenches.items()]
        total: Array = np.sum(np.broadcast_arrays(*parts), axis=0)
        return total

    def _wrench(self, q: ArrayLike, body: Any, given: Sequence[Any], frame: Any, t: ArrayLike) -> Array:
        if isinstance(given, str | Mapping) or not isinstance(given, Sized) or len(given) not in (2, 3):
            raise ArgumentError(f"a wrench on '{body}' is (torque, force) or (torque, force, point), not {given!r}")
        try:
            parts = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in given[:2]))
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"a wrench on '{body}' is made of numbers, not of {given!r}") from None
        if parts[0].shape[-1:] != (3,):
            raise ArgumentError(f"a wrench on '{body}' is a torque and a force of three components each, not {given!r}")
        place = {"body": body, "at": given[2] if len(given) == 3 else ORIGIN, "frame": frame}
        return self._array("generalised_force", {"q": q, "t": t, "wrench": np.concatenate(parts, axis=-1)}, place)

    # Inertia

    @native
    def mass_solve(self, q: ArrayLike, b: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """M⁻¹ b."""
        return self._array("mass_solve", {"q": q, "b": b, "t": t}, **options)

    @native
    def mass_inverse(self, q: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """M⁻¹."""
        return self._array("mass_inverse", {"q": q, "t": t}, **options)

    def operational_inertia(
        self, q: ArrayLike, places: Sequence[Any], frame: Any = GROUND, t: ArrayLike = 0.0, **options: Any
    ) -> Array:
        """Λ⁻¹ = J M⁻¹ Jᵀ of one place or several, each a body or (body, point of it): six rows and columns for each."""
        return self._array("operational_inertia", {"q": q, "t": t}, {"places": places, "frame": frame}, **options)

    @native
    def coriolis(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """C of M u̇ + C u + c₀ = …, with Ṁ − 2C skew."""
        return self._array("coriolis", {"q": q, "u": u, "t": t}, **options)

    @native
    def coriolis_offset(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """c₀: what prescribed motions add to C u; zero where there are none."""
        return self._array("coriolis_offset", {"q": q, "u": u, "t": t}, **options)

    # The mass centre

    @native
    def centre_of_mass(self, q: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """Of the whole system, in the ground."""
        return self._array("centre_of_mass", {"q": q, "t": t}, **options)

    @native
    def centre_velocity(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """Of the system's mass centre."""
        return self._array("centre_velocity", {"q": q, "u": u, "t": t}, **options)

    def centroidal(self, q: ArrayLike, t: ArrayLike = 0.0) -> Centroidal:
        """A_G and the locked inertia, both about the mass centre."""
        return Centroidal(**self._call("centroidal", {"q": q, "t": t}))

    @native
    def centroidal_momentum(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """(angular, linear) momentum about the mass centre, along the ground's axes."""
        return self._array("centroidal_momentum", {"q": q, "u": u, "t": t}, **options)

    # Derivatives

    def forward_derivatives(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, by: Sequence[str] = ("q", "u", "tau"), **options: Any,
    ) -> dict[str, Array]:  # fmt: skip
        """``u_dot``, and ∂u̇/∂x for each x of ``by``: q (along q̇ = N δ), u, tau, t, z, inputs, parameters."""
        given = {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}
        return _by(self._call("forward_derivatives", given, {"by": tuple(by)}, **options))

    def inverse_derivatives(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, by: Sequence[str] = ("q", "u", "u_dot"), **options: Any,
    ) -> dict[str, Array]:  # fmt: skip
        """``tau``, and ∂τ/∂x for each x of ``by``: q (along q̇ = N δ), u, u_dot, t, z, inputs, parameters."""
        given = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return _by(self._call("inverse_derivatives", given, {"by": tuple(by)}, **options))

    # Identification

    @native
    def regressor(self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """Y of tau = Y π + τ₀, ten columns for each body: m, h, J about its origin (docs/quantities.md)."""
        return self._array("regressor", {"q": q, "u": u, "u_dot": u_dot, "t": t}, **options)

    @native
    def regressor_offset(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Any,
    ) -> Array:  # fmt: skip
        """τ₀: armatures times u̇ less what loads and joints put on the speeds."""
        given = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return self._array("regressor_offset", given, **options)


def _by(found: Mapping[str, Array]) -> dict[str, Array]:
    """By what they are derivatives by."""
    return {name.removeprefix("by_"): value for name, value in found.items()}
