"""Functions of the state, by quantity."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.api.native import SLOT, builtin, install, native, native_dict
from freebody.api.quantities import GROUND, Given, Quantities, Wrenches
from freebody.backends import Bound, compile
from freebody.errors import ArgumentError
from freebody.formulations.quantity import OPTIONAL, Quantity
from freebody.program.stage import HOISTED
from freebody.quantities import QUANTITIES, named

if TYPE_CHECKING:
    from freebody.api.equations import Equations
    from freebody.backends.llvm.method import Code, Methods

Array = NDArray[np.float64]
Values = Mapping[str, float]


class Compiled(Quantities):
    """Functions of the state: f.forward_dynamics(q, u, tau), f.mass_matrix(q), …; each compiled at its first call.

    One state, or arrays with a leading batch axis. Left out, tau and inputs are 0, t is 0, z is its initial value.
    """

    __slots__ = (SLOT,)
    _methods: "Methods"

    def __init__(self, equations: "Equations", backend: str, values: Values, options: Mapping[str, Any]) -> None:
        unknown = [n for n in values if n not in equations.values]
        if unknown:
            raise ArgumentError(f"'{unknown[0]}' is no parameter; there are {', '.join(equations.values) or 'none'}")
        self.equations, self.backend, self.values, self.options = equations, backend, dict(values), dict(options)
        installed = install(Compiled) if backend == "llvm" else None
        if installed is not None:
            self._methods = installed.connectable()
        self._functions: dict[Hashable, Bound] = {}
        self._calls: dict[Hashable, Callable[..., Any]] = {}
        for quantity in QUANTITIES.values():
            if quantity.name not in METHODS:
                setattr(self, quantity.name, self._method(quantity))

    def __copy__(self) -> "Compiled":
        return type(self)(self.equations, self.backend, self.values, self.options)

    def __reduce__(self) -> NoReturn:
        raise TypeError("compiled functions are machine code in this process and cannot be pickled: send their model")

    def function(self, quantity: str, **arguments: Any) -> Bound:
        """The compiled function of a quantity (docs/quantities.md), its parameters bound."""
        key = self._key(quantity, arguments)
        if key not in self._functions:
            made = compile(self.equations.program(quantity, **arguments), self.backend, **self.options)
            self._functions[key] = made.bind(self.values) if self.values else Bound(made, {})
        return self._functions[key]

    def _key(self, quantity: str, arguments: Mapping[str, Any]) -> Hashable:
        return (quantity, *named(quantity).chosen(arguments).items()) if arguments else (quantity,)

    def _call(self, quantity: str, given: Given, arguments: Mapping[str, Any] | None = None, **options: Any) -> Any:
        if not arguments:
            return self._evaluated(quantity, None, given, options)
        try:
            call = self._calls[quantity, *arguments.values()]
        except KeyError:
            call = self._calls[quantity, *arguments.values()] = self._builtin(quantity, arguments, list(given))
        except TypeError:  # a point as a list
            return self._evaluated(quantity, arguments, given, options)
        return call(*given.values(), **options)

    def _method(self, quantity: Quantity) -> Callable[..., Any]:
        """The method of a quantity that has none written by hand: what its description says a call takes."""
        signature = quantity.signature

        def method(*given: Any, out: Any = None, threads: int = 1, **more: Any) -> Any:
            try:
                bound = signature.bind(*given, **more).arguments
            except TypeError as error:
                raise TypeError(f"{quantity.name}() {error}") from None
            groups = {name: bound.pop(name, None) for name in quantity.takes}
            return self._call(quantity.name, groups, bound, out=out, threads=threads)

        method.__name__, method.__doc__ = quantity.name, quantity.meaning
        options = [Parameter(n, Parameter.KEYWORD_ONLY, default=d) for n, d in (("out", None), ("threads", 1))]
        shown = signature.replace(parameters=[*signature.parameters.values(), *options])
        method.__signature__ = shown  # type: ignore[attr-defined]
        if self.backend != "llvm" or quantity.choose is not None:
            return method
        required = [name for name in quantity.takes if name not in OPTIONAL]
        code = partial(self._code, quantity.name, None, required, True)
        return builtin(method, code, quantity.name, list(signature.parameters), shown)

    def _builtin(self, quantity: str, arguments: Mapping[str, Any], names: list[str]) -> Callable[..., Any]:
        """A quantity of these arguments as a function of its groups."""

        def method(*given: ArrayLike | None, **options: Any) -> Any:
            return self._evaluated(quantity, arguments, dict(zip(names, given, strict=True)), options)

        if self.backend != "llvm":
            return method
        code = partial(self._code, quantity, arguments, [n for n in names if n in ("q", "u", "wrench")], True)
        return builtin(method, code, quantity, names, Signature())

    def _evaluated(
        self, quantity: str, arguments: Mapping[str, Any] | None, given: Given, options: Mapping[str, Any]
    ) -> Any:
        f = self.function(quantity, **(arguments or {}))
        values = [given.get(g.name) for g in f.groups]
        filled = [self._default(g.name, g.size) if v is None else v for g, v in zip(f.groups, values, strict=True)]
        return f(*filled, **options)

    def _code(
        self, quantity: str, arguments: Mapping[str, Any] | None, required: Sequence[str], single: bool
    ) -> "Code | None":
        """What builtins need of a compiled quantity; None where it is not compiled yet."""
        from freebody.backends.llvm.method import Code

        f = self._functions.get(self._key(quantity, arguments or {}))
        if f is None:
            return None
        held = {**f.parameters, HOISTED: f.hoisted}
        groups = f.staged.main.groups
        defaults = {g.name: held.get(g.name, self._default(g.name, g.size)) for g in groups if g.name not in required}
        outputs = f.program.outputs
        return Code(groups, outputs, defaults, f.main.entries, single and len(outputs) == 1)

    def _default(self, name: str, size: int) -> Array:
        return np.array(self.equations.start, dtype=float) if name == "z" else np.zeros(size)

    @native
    def forward_dynamics(
        self, q: ArrayLike, u: ArrayLike, tau: ArrayLike | None = None, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, wrenches: Wrenches | None = None, frame: Any = GROUND, **options: Any,
    ) -> Array:  # fmt: skip
        """u̇; with ``wrenches`` on bodies beside tau, as ``generalised_force`` takes them."""
        tau = self._forces(q, t, tau, wrenches, frame)
        return self._call("forward_dynamics", {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}, **options)  # type: ignore[no-any-return]

    def _forces(
        self, q: ArrayLike, t: ArrayLike, tau: ArrayLike | None, wrenches: Wrenches | None, frame: Any
    ) -> ArrayLike | None:
        """tau and what wrenches on bodies add to it."""
        if not wrenches:
            return tau
        felt = self.generalised_force(q, wrenches, frame, t)
        return felt if tau is None else np.asarray(tau, dtype=float) + felt

    @native
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

    @native
    def mass_matrix(self, q: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """M of M u̇ = f + tau."""
        return self._call("mass_matrix", {"q": q, "t": t}, **options)  # type: ignore[no-any-return]

    @native
    def bias(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Any,
    ) -> Array:  # fmt: skip
        """f of M u̇ = f + tau."""
        return self._call("bias", {"q": q, "u": u, "t": t, "z": z, "inputs": inputs}, **options)  # type: ignore[no-any-return]

    @native
    def q_dot(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """q̇ = N(q) u + n."""
        return self._call("q_dot", {"q": q, "u": u, "t": t}, **options)  # type: ignore[no-any-return]

    @native_dict
    def energies(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> dict[str, Array]:
        """Kinetic and potential energy."""
        return self._call("energies", {"q": q, "u": u, "t": t}, **options)  # type: ignore[no-any-return]

    @native_dict
    def momenta(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> dict[str, Array]:
        """Linear and angular momentum, about the ground's origin."""
        return self._call("momenta", {"q": q, "u": u, "t": t}, **options)  # type: ignore[no-any-return]

    @native_dict
    def reactions(
        self, q: ArrayLike, u: ArrayLike, u_dot: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, **options: Any,
    ) -> dict[str, Array]:  # fmt: skip
        """What each joint passes to its body, force and torque along the body's axes at its origin, and what drives and
        ties must supply (``body.effort``): as tau on the same joint left free it gives the same motion."""
        given = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        return self._call("reactions", given, **options)  # type: ignore[no-any-return]

    @native_dict
    def outputs(
        self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, z: ArrayLike | None = None,
        inputs: ArrayLike | None = None, tau: ArrayLike | None = None, wrenches: Wrenches | None = None,
        frame: Any = GROUND,
    ) -> dict[str, Array]:  # fmt: skip
        """The user's outputs by name; vectors along the ground's axes. Where they use accelerations or reactions, these
        are those of ``forward_dynamics`` under tau, inputs and wrenches."""
        tau = self._forces(q, t, tau, wrenches, frame)
        found = self._call("outputs", {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs})
        return found if isinstance(found, dict) else {self.equations.program("outputs").outputs[0].name: found}

    @native
    def to_standard(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """The standard speeds for u, which are these equations' own."""
        return self._array("to_standard", {"q": q, "u": u, "t": t}, **options)

    @native
    def from_standard(self, q: ArrayLike, u: ArrayLike, t: ArrayLike = 0.0, **options: Any) -> Array:
        """These equations' own speeds for u, which are the standard ones."""
        return self._array("from_standard", {"q": q, "u": u, "t": t}, **options)

    @native
    def inertial_parameters(self, **options: Any) -> Array:
        """π of tau = Y π + τ₀ (``Equations.inertial_parameters`` has their names)."""
        return self._array("inertial_parameters", {}, **options)

    @native
    def state_dot(self, t: ArrayLike, x: ArrayLike, inputs: ArrayLike | None = None) -> Array:
        """ẋ of x = [q, u, z]."""
        return self._call("state_dot", {"t": t, "x": x, "inputs": inputs})  # type: ignore[no-any-return]


METHODS = frozenset(dir(Compiled))
"""Quantities whose methods are written out above, with their types; the others' are made from their descriptions."""
