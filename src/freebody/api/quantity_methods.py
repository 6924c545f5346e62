"""Methods of compiled functions, one for each quantity. Generated from the table of quantities: do not edit.

    python docs/make_methods.py > src/freebody/api/quantity_methods.py
"""

from collections.abc import Sequence
from typing import Any, Unpack

from numpy.typing import ArrayLike

from freebody.api.native import native, native_dict
from freebody.api.quantities import Array, CallOptions, Centroidal, QuantityCalls
from freebody.keywords import hint_keywords


@hint_keywords
class QuantityMethods(QuantityCalls):
    """Functions of the state, each compiled at its first call.

    All take one state, or arrays with a leading batch axis, and the options ``out`` and ``threads``. Spatial vectors
    have their angular part first. A point is a body (itself or its name) and a position ``at`` along its axes (numbers,
    or texts of parameters); ``frame`` are the axes of the components: "ground", "body" (its own) or another body.
    """

    @native
    def mass_matrix(
        self, q: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None,
        **options: Unpack[CallOptions],
    ) -> Array:
        """M of M u̇ = f + tau."""
        return self._array("mass_matrix", {"q": q, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def bias(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """f of M u̇ = f + tau."""
        return self._array("bias", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def q_dot(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """q̇ = N(q) u + n."""
        return self._array("q_dot", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def state_dot(
        self, t: ArrayLike, x: ArrayLike, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """ẋ of x = [q, u, z]."""
        return self._array("state_dot", {"t": t, "x": x, "inputs": inputs}, **options)

    @native_dict
    def energies(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> dict[str, Array]:
        """Kinetic and potential energy."""
        return self._dict("energies", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native_dict
    def momenta(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> dict[str, Array]:
        """Linear and angular momentum, the latter about the ground's origin."""
        return self._dict("momenta", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native_dict
    def reactions(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike | None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, multipliers: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> dict[str, Array]:
        """The force and torque of each joint on its body, along the body's axes at its origin, and the drive forces of
        prescribed and coupled joints (``body.drive_force``): as tau on the same joint left free they give the same
        motion. With constraints the multipliers are needed, those of ``multipliers(q, u, tau)``; of a joint that closes
        a loop the result has its force and torque on its second body, along that body's axes at the joint's origin
        there."""
        groups = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs, "multipliers": multipliers}
        return self._dict("reactions", groups, **options)

    @native
    def multipliers(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """The multipliers of the constraints: λ of M u̇ = f + tau + Gᵀλ."""
        return self._array("multipliers", {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}, **options)

    @native_dict
    def constraint(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> dict[str, Array]:
        """Of the equations of constraints: the residuals phi, the matrix G, and gamma of G u̇ = gamma. Rows of
        constraints that are released are zero."""
        return self._dict("constraint", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def project(
        self, t: ArrayLike, x: ArrayLike, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """One Newton step of a state towards its constraints; repeat it until nothing changes."""
        return self._array("project", {"t": t, "x": x, "inputs": inputs}, **options)

    @native
    def to_standard(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """The standard speeds for u, the speeds of these equations."""
        return self._array("to_standard", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def from_standard(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """The speeds of these equations for u, the standard speeds."""
        return self._array("from_standard", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def mass_solve(
        self, q: ArrayLike, b: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """M⁻¹ b; with constraints u̇ for generalised forces b, less that at b = 0."""
        return self._array("mass_solve", {"q": q, "b": b, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def mass_inverse(
        self, q: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None,
        **options: Unpack[CallOptions],
    ) -> Array:
        """M⁻¹; with constraints ∂u̇/∂tau = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹, whose rank is the number of freedoms."""
        return self._array("mass_inverse", {"q": q, "t": t, "z": z, "inputs": inputs}, **options)

    def operational_inertia(
        self, q: ArrayLike, places: Sequence[Any], frame: Any = "ground", t: ArrayLike = 0.0,
        z: ArrayLike | None = None, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """Λ⁻¹ = J M⁻¹ Jᵀ of one point or several, each a body or (body, point of it): six rows and columns for each;
        M⁻¹ is that of ``mass_inverse``."""
        groups = {"q": q, "t": t, "z": z, "inputs": inputs}
        return self._array("operational_inertia", groups, {"places": places, "frame": frame}, **options)

    @native_dict
    def reaction_matrices(
        self, q: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None,
        **options: Unpack[CallOptions],
    ) -> dict[str, Array]:
        """Of all equations of constraints, those that are left out among them: G, and for each reaction (named as in
        ``reactions``; ``name.multipliers`` of constraints without a force at a point) the matrix of its components per
        multiplier."""
        return self._dict("reaction_matrices", {"q": q, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def coriolis(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """C of M u̇ + C u + c₀ = …, with Ṁ − 2C skew."""
        return self._array("coriolis", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def coriolis_offset(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """c₀, the part of the inertia forces by prescribed motions beside C u; zero where there are none."""
        return self._array("coriolis_offset", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def centre_of_mass(
        self, q: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None,
        **options: Unpack[CallOptions],
    ) -> Array:
        """The mass centre of the whole system, in the ground."""
        return self._array("centre_of_mass", {"q": q, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def centre_velocity(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """The velocity of the mass centre of the whole system."""
        return self._array("centre_velocity", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    def centroidal(
        self, q: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None,
        **options: Unpack[CallOptions],
    ) -> Centroidal:
        """A_G and the locked inertia, both about the mass centre."""
        return Centroidal(**self._dict("centroidal", {"q": q, "t": t, "z": z, "inputs": inputs}, **options))

    @native
    def centroidal_momentum(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """(angular, linear) momentum about the mass centre, along the ground's axes."""
        return self._array("centroidal_momentum", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def regressor(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike | None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """Y of tau = Y π + τ₀, ten columns for each body: m, h, J about its origin (docs/quantities.md)."""
        return self._array("regressor", {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}, **options)

    @native
    def regressor_offset(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike | None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """τ₀ of tau = Y π + τ₀: armatures times u̇ less the forces of loads and joints on the speeds."""
        groups = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return self._array("regressor_offset", groups, **options)

    @native
    def inertial_parameters(self, **options: Unpack[CallOptions]) -> Array:
        """π of tau = Y π + τ₀ (``Equations.inertial_parameters`` has their names)."""
        return self._array("inertial_parameters", {}, **options)

    def spatial_velocity(
        self, q: ArrayLike, u: ArrayLike, body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = "ground",
        t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """(ω, v) of a body and its point relative to the ground."""
        groups = {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}
        return self._array("spatial_velocity", groups, {"body": body, "at": at, "frame": frame}, **options)

    def spatial_acceleration(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike | None, body: Any, at: Sequence[Any] = (0, 0, 0),
        frame: Any = "ground", t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None,
        **options: Unpack[CallOptions],
    ) -> Array:
        """(α, a) of a body and its point relative to the ground, without gravity. None for u̇: zero."""
        groups = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return self._array("spatial_acceleration", groups, {"body": body, "at": at, "frame": frame}, **options)

    def jacobian(
        self, q: ArrayLike, body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = "ground", t: ArrayLike = 0.0,
        z: ArrayLike | None = None, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """J (6 × nu) of (ω, v) = J u + o."""
        groups = {"q": q, "t": t, "z": z, "inputs": inputs}
        return self._array("jacobian", groups, {"body": body, "at": at, "frame": frame}, **options)

    def jacobian_offset(
        self, q: ArrayLike, body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = "ground", t: ArrayLike = 0.0,
        z: ArrayLike | None = None, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """o of (ω, v) = J u + o: the velocity by prescribed motions alone."""
        groups = {"q": q, "t": t, "z": z, "inputs": inputs}
        return self._array("jacobian_offset", groups, {"body": body, "at": at, "frame": frame}, **options)

    def jacobian_rate(
        self, q: ArrayLike, u: ArrayLike, body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = "ground",
        t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """J̇ (6 × nu), the rate of each entry of J along the motion."""
        groups = {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}
        return self._array("jacobian_rate", groups, {"body": body, "at": at, "frame": frame}, **options)

    def jacobian_offset_rate(
        self, q: ArrayLike, u: ArrayLike, body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = "ground",
        t: ArrayLike = 0.0, z: ArrayLike | None = None, inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """ȯ: the components of (ω, v) change at J u̇ + J̇ u + ȯ."""
        groups = {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}
        return self._array("jacobian_offset_rate", groups, {"body": body, "at": at, "frame": frame}, **options)

    @native_dict
    def forward_derivatives(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, by: Sequence[str] = ("q", "u", "tau"), **options: Unpack[CallOptions],
    ) -> dict[str, Array]:
        """``u_dot``, and ∂u̇/∂x for each x of ``by``: q (along q̇ = N δ), u, tau, t, z, inputs, parameters. With
        constraints also ``multipliers`` and ``multipliers_by_x``."""
        groups = {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}
        return self._by_variable("forward_derivatives", groups, {"by": by}, **options)

    @native
    def forward_jacobian(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Unpack[CallOptions],
    ) -> Array:
        """[∂u̇/∂q, ∂u̇/∂u, ∂u̇/∂tau, u̇] as one array, nu × (3 nu + 1); q along q̇ = N δ."""
        groups = {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}
        return self._array("forward_jacobian", groups, **options)

    @native_dict
    def inverse_derivatives(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike | None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, by: Sequence[str] = ("q", "u", "u_dot"), **options: Unpack[CallOptions],
    ) -> dict[str, Array]:
        """``tau``, and ∂τ/∂x for each x of ``by``: q (along q̇ = N δ), u, u_dot, t, z, inputs, parameters."""
        groups = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return self._by_variable("inverse_derivatives", groups, {"by": by}, **options)
