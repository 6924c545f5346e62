"""Functions of the state, by quantity."""

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.api.quantities import GROUND, Given, Quantities, Wrenches
from freebody.backends import Bound, Function, compile
from freebody.errors import ArgumentError

if TYPE_CHECKING:
    from freebody.api.equations import Equations

Array = NDArray[np.float64]
Values = Mapping[str, float]


class Compiled(Quantities):
    """Functions of the state: f.forward_dynamics(q, u, tau), f.mass_matrix(q), …; each compiled at its first call.

    One state, or arrays with a leading batch axis. Left out, tau and inputs are 0, t is 0, z is its initial value.
    """

    def __init__(self, equations: "Equations", backend: str, values: Values, options: Mapping[str, Any]) -> None:
        unknown = [n for n in values if n not in equations.values]
        if unknown:
            raise ArgumentError(f"'{unknown[0]}' is no parameter; there are {', '.join(equations.values) or 'none'}")
        self.equations, self.backend, self.values, self.options = equations, backend, dict(values), dict(options)
        self._functions: dict[Hashable, Function] = {}

    @cached_property
    def _sizes(self) -> dict[str, int]:
        layout = self.equations.catalogue.layout
        return {"q": len(layout.q), "u": len(layout.u), "z": len(layout.z), "inputs": len(layout.inputs)}

    def function(self, quantity: str, **arguments: Any) -> Function:
        """The compiled function of a quantity (docs/quantities.md), its parameters bound."""
        key = (quantity, *_settled(quantity, arguments).items()) if arguments else (quantity,)
        if key not in self._functions:
            made = compile(self.equations.program(quantity, **arguments), self.backend, **self.options)
            self._functions[key] = made.bind(self.values) if self.values else Bound(made, {})
        return self._functions[key]

    def _call(self, quantity: str, given: Given, arguments: Mapping[str, Any] | None = None, **options: Any) -> Any:
        f = self.function(quantity, **(arguments or {}))
        values = [given.get(g.name) for g in f.groups]
        filled = [self._default(g.name, g.size) if v is None else v for g, v in zip(f.groups, values, strict=True)]
        return f(*filled, **options)

    def _default(self, name: str, size: int) -> Array:
        return np.array(self.equations.start, dtype=float) if name == "z" else np.zeros(size)

    def forward_dynamics(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, wrenches: Wrenches | None = None, frame: Any = GROUND, **options: Any,
    ) -> Array:  # fmt: skip
        """u̇; with ``wrenches`` on bodies beside tau, as ``generalised_force`` takes them."""
        if wrenches:
            felt = self.generalised_force(q, wrenches, frame, t)
            tau = felt if tau is None else np.asarray(tau, dtype=float) + felt
        return self._call("forward_dynamics", {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}, **options)  # type: ignore[no-any-return]

    def inverse_dynamics(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, wrenches: Wrenches | None = None, frame: Any = GROUND, **options: Any,
    ) -> Array:  # fmt: skip
        """tau that makes u̇ happen; with ``wrenches`` what is left to do beside them."""
        given: Given = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        found = self._array("inverse_dynamics", given, **options)
        if not wrenches:
            return found
        felt = self.generalised_force(q, wrenches, frame, t)
        return np.subtract(found, felt, out=found if found.ndim >= felt.ndim else None)

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
        """What each joint passes to its body, force and torque along the body's axes at its origin, and what drives and
        ties must supply (``body.effort``): as tau on the same joint left free it gives the same motion."""
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


def _settled(quantity: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    from freebody.formulations.quantities import settled

    return settled(quantity, arguments)
