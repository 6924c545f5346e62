"""Compiled functions of the state, one method for each quantity."""

from collections.abc import Callable, Hashable, Mapping, Sequence, Sized
from dataclasses import replace
from functools import partial
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.api.actuation import actuated_speeds, actuator_forces
from freebody.api.native import SLOT, builtin, install, native, native_dict
from freebody.api.quantities import CallOptions, Groups, Pose, by_variable
from freebody.api.quantity_methods import QuantityMethods
from freebody.backends import Bound, compile
from freebody.errors import ArgumentError, choices
from freebody.formulations.quantity import OPTIONAL, Quantity
from freebody.keywords import hint_keywords
from freebody.program.stage import HOISTED
from freebody.quantities import GROUND, ORIGIN, QUANTITIES, named
from freebody.run.arguments import require_names
from freebody.tables import CELL, listed, shorten

if TYPE_CHECKING:
    from freebody.api.equations import Equations
    from freebody.backends.llvm.method import MethodCode, Methods

Array = NDArray[np.float64]
Values = Mapping[str, float]
Wrenches = Mapping[Any, Sequence[Any]]
"""By body: torque and force, and the point where they act if it is not the body's origin."""


@hint_keywords
class Compiled(QuantityMethods):
    """Functions of the state: f.forward_dynamics(q, u, tau), f.mass_matrix(q), …; each compiled at its first call.

    One state, or arrays with a leading batch axis. Left out, tau and inputs are 0, t is 0, z is its initial value, and
    constraints that can be switched are engaged or released as at the start of a run. Inputs may be given by name,
    ``{"engaged.latch": 1}``; in arrays the held values of constraints follow the user's inputs and may be left out.
    """

    __slots__ = (SLOT,)
    _methods: "Methods"

    def __init__(self, equations: "Equations", backend: str, values: Values, options: Mapping[str, Any]) -> None:
        unknown = [n for n in values if n not in equations.values]
        if unknown:
            raise ArgumentError(f"'{unknown[0]}' is not a parameter; {choices(list(equations.values))}")
        self.equations, self.backend, self.values, self.options = equations, backend, dict(values), dict(options)
        installed = install(Compiled) if backend == "llvm" else None
        if installed is not None:
            self._methods = installed.connectable()
        self._functions: dict[Hashable, Bound] = {}
        self._calls: dict[Hashable, Callable[..., Any]] = {}
        for quantity in QUANTITIES.values():
            if quantity.name not in METHODS:
                setattr(self, quantity.name, self._method(quantity))

    def __repr__(self) -> str:
        name = self.equations.derivation.tree.model.name
        values = listed([f"{n} = {v:g}" for n, v in self.values.items()])
        return f"<Compiled functions of {shorten(name, CELL)} ({self.backend}){': ' + values if values else ''}>"

    def _repr_html_(self) -> str:
        from freebody.api.notebook import functions_html

        return functions_html(self)

    def __copy__(self) -> "Compiled":
        return type(self)(self.equations, self.backend, self.values, self.options)

    def __deepcopy__(self, memo: object) -> "Compiled":
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "compiled functions are machine code in this process and cannot be pickled: pickle their"
            " equations, and compile these in the other process"
        )

    def function(self, quantity: str, **arguments: Any) -> Bound:
        """The compiled function of a quantity (docs/quantities.md), its parameters bound."""
        key = self._key(quantity, arguments)
        if key not in self._functions:
            f = compile(self.equations.program(quantity, **arguments), self.backend, **self.options)
            self._functions[key] = f.bind(self.values) if self.values else Bound(f, {})
        return self._functions[key]

    def _key(self, quantity: str, arguments: Mapping[str, Any]) -> Hashable:
        return (quantity, *named(quantity).chosen(arguments).items()) if arguments else (quantity,)

    def _call(
        self, quantity: str, groups: Groups, arguments: Mapping[str, Any] | None = None, **options: Unpack[CallOptions]
    ) -> Any:
        if not arguments:
            return self._evaluate(quantity, None, groups, options)
        try:
            call = self._calls[quantity, *arguments.values()]
        except KeyError:
            call = self._calls[quantity, *arguments.values()] = self._builtin(quantity, arguments, list(groups))
        except TypeError:  # an argument that cannot be hashed, such as a list
            if not any(isinstance(value, list) for value in arguments.values()):
                return self._evaluate(quantity, arguments, groups, options)
            tuples = {name: tuple(value) if isinstance(value, list) else value for name, value in arguments.items()}
            return self._call(quantity, groups, tuples, **options)
        return call(*groups.values(), **options)

    def _method(self, quantity: Quantity) -> Callable[..., Any]:
        """The method of a quantity that was added to the table after the class was generated."""
        signature = quantity.signature

        def method(*values: Any, out: Any = None, threads: int = 1, **named: Any) -> Any:
            try:
                bound = signature.bind(*values, **named).arguments
            except TypeError as error:
                raise TypeError(f"{quantity.name}() {error}") from None
            groups = {name: bound.pop(name, None) for name in quantity.takes}
            return self._call(quantity.name, groups, bound, out=out, threads=threads)

        method.__name__, method.__doc__ = quantity.name, quantity.meaning
        options = [Parameter(n, Parameter.KEYWORD_ONLY, default=d) for n, d in (("out", None), ("threads", 1))]
        whole = signature.replace(parameters=[*signature.parameters.values(), *options])
        method.__signature__ = whole  # type: ignore[attr-defined]
        if self.backend != "llvm" or quantity.choose is not None:
            return method
        required = [name for name in quantity.takes if name not in OPTIONAL]
        code = partial(self._code, quantity.name, None, required, True)
        return builtin(method, code, quantity.name, list(signature.parameters), whole)

    def _builtin(self, quantity: str, arguments: Mapping[str, Any], names: list[str]) -> Callable[..., Any]:
        """A quantity with these arguments as a function of its groups."""

        def method(*values: ArrayLike | None, **options: Any) -> Any:
            return self._evaluate(quantity, arguments, dict(zip(names, values, strict=True)), options)

        if self.backend != "llvm":
            return method
        code = partial(self._code, quantity, arguments, [n for n in names if n in ("q", "u", "wrench")], True)
        return builtin(method, code, quantity, names, Signature())

    def _evaluate(
        self, quantity: str, arguments: Mapping[str, Any] | None, groups: Groups, options: Mapping[str, Any]
    ) -> Any:
        f = self.function(quantity, **(arguments or {}))
        values = ((g, groups.get(g.name)) for g in f.groups)
        arrays = {g.name: self._default(g.name, g.size) if value is None else value for g, value in values}
        if "inputs" in arrays:
            arrays["inputs"] = self._inputs(arrays["inputs"])
        return f(*arrays.values(), **options)

    def _inputs(self, values: Any) -> Any:
        """All inputs, from those of the user alone or with the held values, or from values by name."""
        layout = self.equations.derivation.layout
        if isinstance(values, Mapping):
            require_names(layout.inputs, values, "input", "inputs")
            defaults = dict(zip(layout.inputs, layout.default_inputs, strict=True))
            rows = np.broadcast_arrays(*({**defaults, **values}.values()))
            return np.stack(rows, axis=-1) if rows else np.empty(0)
        try:
            array = np.asarray(values, dtype=float)
        except (TypeError, ValueError, OverflowError):
            return values  # refused by the function, which names the group
        if not layout.held or array.shape[-1:] != (len(layout.user_inputs),):
            return values
        held = np.broadcast_to([*layout.held.values()], (*array.shape[:-1], len(layout.held)))
        return np.concatenate([array, held], axis=-1)

    def _code(
        self, quantity: str, arguments: Mapping[str, Any] | None, required: Sequence[str], single: bool
    ) -> "MethodCode | None":
        """The code and default arguments of a compiled quantity for builtins; None where it is not compiled yet."""
        from freebody.backends.llvm.method import MethodCode

        described = QUANTITIES[quantity]
        chosen = described.chosen({}) if arguments is None and described.result == "derivatives" else arguments or {}
        f = self._functions.get(self._key(quantity, chosen))
        if f is None:
            return None
        bound, groups, outputs = {**f.parameters, HOISTED: f.hoisted}, f.staged.main.groups, f.program.outputs
        if described.result == "derivatives":
            outputs = tuple(replace(output, name=by_variable(output.name)) for output in outputs)
        needed = {*required, *(g.name for g in groups if g.name == "multipliers" and g.size)}
        defaults = {g.name: bound.get(g.name, self._default(g.name, g.size)) for g in groups if g.name not in needed}
        return MethodCode(groups, outputs, defaults, f.main.entries, single and len(outputs) == 1)

    def _default(self, name: str, size: int) -> Array:
        if name == "multipliers" and size:
            raise ArgumentError(
                f"the system has constraints ({', '.join(self.equations.derivation.tree.model.constraints)}), whose"
                " forces are needed here: add multipliers=f.multipliers(q, u, tau), with the tau of u̇"
            )
        if name == "inputs" and size:
            return np.array(self.equations.derivation.layout.default_inputs)
        return np.array(self.equations.start, dtype=float) if name == "z" else np.zeros(size)

    @native
    def forward_dynamics(
        self,
        q: ArrayLike,
        u: ArrayLike,
        tau: ArrayLike | None = None,
        t: ArrayLike = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        wrenches: Wrenches | None = None,
        frame: Any = GROUND,
        **options: Unpack[CallOptions],
    ) -> Array:
        """u̇; with ``wrenches`` on bodies beside tau, as ``generalised_force`` takes them."""
        tau = self._forces(q, (t, z, inputs), tau, wrenches, frame)
        return self._call("forward_dynamics", {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs}, **options)  # type: ignore[no-any-return]

    def _forces(
        self,
        q: ArrayLike,
        other: tuple[ArrayLike, ArrayLike | None, ArrayLike | None],
        tau: ArrayLike | None,
        wrenches: Wrenches | None,
        frame: Any,
    ) -> ArrayLike | None:
        """tau plus the generalised forces of wrenches on bodies; ``other`` are t, z and inputs."""
        if not wrenches:
            return tau
        force = self.generalised_force(q, wrenches, frame, *other)
        return force if tau is None else np.asarray(tau, dtype=float) + force

    @native
    def inverse_dynamics(
        self,
        q: ArrayLike,
        u: ArrayLike,
        u_dot: ArrayLike,
        t: ArrayLike = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        wrenches: Wrenches | None = None,
        frame: Any = GROUND,
        actuated: Sequence[str] | str | None = None,
        **options: Unpack[CallOptions],
    ) -> Array:
        """tau for which u̇ are the accelerations; with ``wrenches``, beside these.

        Without ``actuated`` this is M u̇ − f, without the forces of constraints. With names of speeds, only these have
        an actuator: tau is zero elsewhere, and tau and the forces of constraints together produce u̇ (``multipliers``
        under this tau returns the latter). It is unique if there are as many independent actuators as freedoms; of
        more actuators it is the one of least norm, Σ tau². Raises ``ArgumentError`` if the constraints do not allow u̇,
        or the actuators cannot produce it."""
        groups: Groups = {"q": q, "u": u, "u_dot": u_dot, "t": t, "z": z, "inputs": inputs}
        tau = self._array("inverse_dynamics", groups, **options)
        if wrenches:
            force = self.generalised_force(q, wrenches, frame, t, z, inputs)
            tau = np.subtract(tau, force, out=tau if tau.ndim >= force.ndim else None)
        if actuated is None:
            return tau
        speeds, rows = self.equations.u, self.equations.derivation.named_constraints.names
        actuators, bias = actuated_speeds(actuated, speeds), self.bias(q, u, t, z, inputs)
        forces = actuator_forces(tau, bias, u_dot, self.constraint(q, u, t, z, inputs), actuators, speeds, rows)
        if options.get("out") is None:
            return forces
        tau[...] = forces
        return tau

    def least_norm_reactions(
        self,
        q: ArrayLike,
        u: ArrayLike,
        u_dot: ArrayLike | None,
        t: ArrayLike = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        multipliers: ArrayLike | None = None,
    ) -> dict[str, Array]:
        """The smallest reactions where redundant constraints share the load: as ``reactions``, but of all that balance
        the bodies those of which the sum of the squares of forces (N) and torques (N·m) of all joints and constraints
        is least, with the multipliers of constraints that have no reaction (``rod.multipliers``). They do not depend on
        the joint at which a loop is cut. ``Equations.undetermined_reactions`` names the components that the motion
        does not determine; the others are those of ``reactions``."""
        from freebody.quantities.redundancy import least_norm
        from freebody.tree.independence import dependence

        reactions, e = self.reactions(q, u, u_dot, t, z, inputs, multipliers=multipliers), self.equations.derivation
        if multipliers is None or not e.tree.model.constraints:
            return reactions
        matrices, rows = self.reaction_matrices(q, t, z, inputs), dependence(e.tree.model).names
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in reactions.values()))
        given = np.zeros((*batch, len(rows)))
        known = e.named_constraints.rows
        given[..., [k for k, key in enumerate(rows) if key in known]] = multipliers
        every = {name: np.broadcast_to(x, (*batch, x.shape[-1])) for name, x in reactions.items()}
        each = {name: np.broadcast_to(x, (*batch, *x.shape[-2:])) for name, x in matrices.items()}
        smallest = [
            least_norm({n: x[at] for n, x in every.items()}, given[at], {n: x[at] for n, x in each.items()})
            for at in np.ndindex(batch)
        ]
        return {n: np.reshape([one[n] for one in smallest], (*batch, -1)) for n in smallest[0]} if smallest else every

    @native_dict
    def outputs(
        self,
        q: ArrayLike,
        u: ArrayLike,
        t: ArrayLike = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        wrenches: Wrenches | None = None,
        frame: Any = GROUND,
    ) -> dict[str, Array]:
        """The user's outputs by name; vectors along the ground's axes. Where they use accelerations or reactions, these
        are those of ``forward_dynamics`` under tau, inputs and wrenches."""
        tau = self._forces(q, (t, z, inputs), tau, wrenches, frame)
        values = self._call("outputs", {"q": q, "u": u, "tau": tau, "t": t, "z": z, "inputs": inputs})
        return values if isinstance(values, dict) else {self.equations.program("outputs").outputs[0].key: values}

    def pose(
        self,
        q: ArrayLike,
        body: Any,
        t: ArrayLike = 0.0,
        at: Sequence[Any] = ORIGIN,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
    ) -> Pose:
        """Orientation of a body, and position of its point."""
        return Pose(**self._dict("pose", {"q": q, "t": t, "z": z, "inputs": inputs}, {"body": body, "at": at}))

    def generalised_force(
        self,
        q: ArrayLike,
        wrenches: Wrenches,
        frame: Any = GROUND,
        t: ArrayLike = 0.0,
        z: ArrayLike | None = None,
        inputs: ArrayLike | None = None,
    ) -> Array:
        """Σ Jᵀ w of wrenches by body: ``{"hand": (torque, force)}`` at its origin, or (torque, force, point of it);
        components along the ground's axes, or with ``frame`` along those of each body or of another one."""
        if not isinstance(wrenches, Mapping) or not wrenches:
            raise ArgumentError("generalised_force() needs wrenches: give them by body, {'hand': (torque, force)}")
        parts = []
        for body, wrench in wrenches.items():
            context = f"a wrench on '{body}' is"
            if isinstance(wrench, str | Mapping) or not isinstance(wrench, Sized) or len(wrench) not in (2, 3):
                raise ArgumentError(f"{context} (torque, force) or (torque, force, point), not {wrench!r}")
            try:
                rows = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in wrench[:2]))
            except (TypeError, ValueError, OverflowError):
                raise ArgumentError(f"{context} made of numbers, not of {wrench!r}") from None
            if rows[0].shape[-1:] != (3,):
                raise ArgumentError(f"{context} a torque and a force of three components each, not {wrench!r}")
            point = {"body": body, "at": wrench[2] if len(wrench) == 3 else ORIGIN, "frame": frame}
            groups: Groups = {"q": q, "wrench": np.concatenate(rows, axis=-1), "t": t, "z": z, "inputs": inputs}
            parts.append(self._array("generalised_force", groups, point))
        total: Array = np.sum(np.broadcast_arrays(*parts), axis=0)
        return total


METHODS = frozenset(dir(Compiled))
"""Names of the class; quantities that are added to the table later become methods of each instance."""
