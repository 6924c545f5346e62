"""What users import: the system they describe, its equations, and the functions these become."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, Function, c, compile, latex, text
from freebody.errors import ArgumentError, ModelError
from freebody.formulations import kane
from freebody.formulations.equations import Counts
from freebody.formulations.equations import Equations as Catalogue
from freebody.formulations.report import report
from freebody.formulations.sayers import Sayers, Speeds
from freebody.geometry.vector import Vector
from freebody.kinematics.motion import Motion, move
from freebody.model import system
from freebody.model.body import Body, Point
from freebody.scalar.program import Program
from freebody.scalar.stage import stage
from freebody.topology.forest import Forest, span

Array = NDArray[np.float64]
Values = Mapping[str, float]
FORMULATIONS = ("kane", "sayers")


class System(system.System):
    """A mechanical system: describe it, then derive its equations."""

    def derive(
        self, formulation: str = "kane", small: Sequence[str] = (), speeds: Speeds = "standard"
    ) -> "Equations":
        """The equations of motion by "kane" (fewest operations) or "sayers" (the paper's own way).

        ``small`` names coordinates (with their speeds), states or inputs whose products are dropped: M and f are then
        exact to first order in them. ``speeds="mass-centre"`` takes Sayers' speeds in place of the standard ones.
        """
        if formulation not in FORMULATIONS:
            raise ModelError(f"there is no formulation '{formulation}'; there are {', '.join(FORMULATIONS)}")
        if not self.bodies:
            raise ModelError(f"system '{self.name}' has no bodies; add some with body(…)")
        motion = move(span(self))
        by = kane.derive(motion) if (formulation, speeds) == ("kane", "standard") else Sayers(motion, speeds)
        return Equations(Catalogue(by, small), self.values, [s.initial for s in self.states.values()])

    # The motion in the user's own terms, for loads and outputs

    @property
    def _motion(self) -> Motion:
        return Motion(Forest.of(self))

    def position(self, point: Point | Body, of: Point | Body | None = None) -> Vector:
        """From the ground's origin (or another point) to a point."""
        start = self.ground.origin if of is None else _point(of)
        return self._motion.position(start, _point(point))

    def velocity(self, point: Point | Body) -> Vector:
        """Of a point in the ground."""
        return self._motion.velocity(_point(point))

    def acceleration(self, point: Point | Body) -> Vector:
        """Of a point in the ground, less the terms in u̇ (which expressions may not hold)."""
        return self._motion.acceleration_of(_point(point))

    def derivative(self, vector: Vector, seen_from: Body | None = None) -> Vector:
        """dv/dt of a vector as seen from a body (the ground by default)."""
        return self._motion.derivative(vector, self.ground if seen_from is None else seen_from)

    def angular_velocity(self, body: Body) -> Vector:
        """Of a body in the ground."""
        return self._motion.angular_velocity(body)


def _point(place: Point | Body) -> Point:
    return place.origin if isinstance(place, Body) else place


class Equations:
    """Equations of motion: read them, count them, compile them, export them."""

    def __init__(self, catalogue: Catalogue, values: Mapping[str, float], start: Sequence[float]) -> None:
        self.catalogue, self.values, self.start = catalogue, dict(values), list(start)

    @property
    def q(self) -> tuple[str, ...]:
        """Names of the coordinates, in order."""
        return self.catalogue.layout.q

    @property
    def u(self) -> tuple[str, ...]:
        """Names of the speeds, in order."""
        return self.catalogue.layout.u

    @property
    def operations(self) -> Counts:
        return self.catalogue.operations

    def program(self, quantity: str = "forward_dynamics") -> Program:
        return self.catalogue.programs[quantity]

    def __str__(self) -> str:
        return text.emit(self.program())

    def report(self) -> str:
        """Sayers' tables of the system: bodies and joints, and the terms of the kinematics, as he prints them."""
        speeds: Speeds = getattr(self.catalogue.formulation, "speeds", "standard")
        return report(Sayers(move(span(self.catalogue.forest.system)), speeds))

    def to_standard(self, x: ArrayLike) -> Array:
        """The standard state of a state x = [q, u, z] whose speeds are these equations' own."""
        return self._converted("to_standard", x)

    def from_standard(self, x: ArrayLike) -> Array:
        """The state x = [q, u, z] with these equations' own speeds, from a standard one."""
        return self._converted("from_standard", x)

    def _converted(self, quantity: str, x: ArrayLike) -> Array:
        made, n, m = np.array(x, dtype=float), len(self.q), len(self.u)
        f = self.compile("numpy").function(quantity)
        held = {"t": np.zeros(1), "q": made[:n], "u": made[n : n + m]}
        made[n : n + m] = f(*(held.get(g.name, np.zeros(g.size)) for g in f.groups))
        return made

    def to_text(self, quantity: str = "forward_dynamics") -> str:
        return text.emit(self.program(quantity))

    def to_latex(self, quantity: str = "forward_dynamics") -> str:
        return latex.emit(self.program(quantity))

    def to_sympy(self, quantity: str = "forward_dynamics") -> Any:
        from freebody.backends.sympy import program_to_sympy

        return program_to_sympy(self.program(quantity))

    def to_c(self, folder: str | Path, quantity: str = "forward_dynamics") -> list[Path]:
        """C files for a quantity, written into a folder."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        return list(c.emit(stage(self.program(quantity))).write(str(folder)))

    def compile(self, backend: str = "llvm", parameters: Values | None = None, **options: Any) -> "Compiled":
        """The quantities as functions, with the parameters' default values or others."""
        return Compiled(self, backend, {**self.values, **dict(parameters or {})}, options)


class Compiled:
    """Functions of the state: f.forward_dynamics(q, u, tau), f.mass_matrix(q), …; each compiled at its first call.

    One state, or arrays with a leading batch axis. Left out, tau and inputs are 0, t is 0, z is its initial value.
    """

    def __init__(self, equations: Equations, backend: str, values: Values, options: Mapping[str, Any]) -> None:
        unknown = [n for n in values if n not in equations.values]
        if unknown:
            raise ArgumentError(f"'{unknown[0]}' is no parameter; there are {', '.join(equations.values) or 'none'}")
        self.equations, self.backend, self.values, self.options = equations, backend, dict(values), dict(options)
        self._functions: dict[str, Function] = {}

    @cached_property
    def _sizes(self) -> dict[str, int]:
        layout = self.equations.catalogue.layout
        return {"q": len(layout.q), "u": len(layout.u), "z": len(layout.z), "inputs": len(layout.inputs)}

    def function(self, quantity: str) -> Function:
        """The compiled function of a quantity, its parameters bound."""
        if quantity not in self._functions:
            made = compile(self.equations.program(quantity), self.backend, **self.options)
            self._functions[quantity] = made.bind(self.values) if self.values else Bound(made, {})
        return self._functions[quantity]

    def _call(self, quantity: str, given: dict[str, ArrayLike | None], **options: Any) -> Any:
        f = self.function(quantity)
        values = [given.get(g.name) for g in f.groups]
        filled = [self._default(g.name, g.size) if v is None else v for g, v in zip(f.groups, values, strict=True)]
        return f(*filled, **options)

    def _default(self, name: str, size: int) -> Array:
        return np.array(self.equations.start, dtype=float) if name == "z" else np.zeros(size)

    def forward_dynamics(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Any,
    ) -> Array:  # fmt: skip
        """u̇."""
        return self._call("forward_dynamics", {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}, **options)  # type: ignore[no-any-return]

    def inverse_dynamics(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Any,
    ) -> Array:  # fmt: skip
        """tau that makes u̇ happen."""
        given = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return self._call("inverse_dynamics", given, **options)  # type: ignore[no-any-return]

    def mass_matrix(self, q: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        return self._call("mass_matrix", {"q": q, "t": t}, **options)  # type: ignore[no-any-return]

    def bias(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Any,
    ) -> Array:  # fmt: skip
        """f of M u̇ = f + tau."""
        return self._call("bias", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)  # type: ignore[no-any-return]

    def q_dot(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        return self._call("q_dot", {"q": q, "u": u, "t": t}, **options)  # type: ignore[no-any-return]

    def energies(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> dict[str, Array]:
        """Kinetic and potential energy."""
        return self._call("energies", {"q": q, "u": u, "t": t}, **options)  # type: ignore[no-any-return]

    def momenta(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> dict[str, Array]:
        """Linear and angular momentum, about the ground's origin."""
        return self._call("momenta", {"q": q, "u": u, "t": t}, **options)  # type: ignore[no-any-return]

    def reactions(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Any,
    ) -> dict[str, Array]:  # fmt: skip
        """What each joint passes to its body, force and torque along the body's axes at its origin, and the efforts of
        prescribed motions."""
        given = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return self._call("reactions", given, **options)  # type: ignore[no-any-return]

    def outputs(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
    ) -> dict[str, Array]:  # fmt: skip
        """The user's outputs by name; vectors along the ground's axes."""
        found = self._call("outputs", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs})
        return found if isinstance(found, dict) else {self.equations.program("outputs").outputs[0].name: found}

    def state_dot(self, t: ArrayLike, x: ArrayLike, inputs: ArrayLike | None = None) -> Array:
        """ẋ of x = [q, u, z]."""
        return self._call("state_dot", {"t": t, "x": x, "inputs": inputs})  # type: ignore[no-any-return]

