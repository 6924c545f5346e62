"""Equilibria, where f + tau + Gᵀλ = 0 and ż = 0, and steady motions, where coordinates move at constant speeds and
this stays so: from a guess or from random starts, with their stability.

The unknowns are coordinates that are not held, extra states, and whatever may be trimmed: inputs, generalised forces,
parameters, speeds. A quaternion's four numbers are unknowns too, with its length 1 as one more equation. Constraints
add their multipliers λ to the unknowns, and to the equations φ = 0, G u + offset = 0 and γ = 0, as u̇ = 0.

With speeds, r = (f + tau + Gᵀλ, ż) must also stay zero while the coordinates move: (∂r/∂q) q̇ = 0. This holds by itself
where only cyclic coordinates move, or where the system moves along a symmetry such as a rotation about the vertical.

Stiffnesses of flexible bodies and units of modal coordinates differ by many orders of magnitude from those of joints.
Unknowns are compared by their magnitudes (``Joint.magnitudes``), and ranks and steps are computed from a scaled
Jacobian (``RestEquations.scales``).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.analysis.linear import eigenvalue_text, stability
from freebody.analysis.linearise import Linearisation, assembled
from freebody.analysis.manifold import DeformedError, NullSpace, SingularError
from freebody.analysis.state_equations import OperatingPoint, StateEquations, random_quaternion
from freebody.errors import AnalysisWarning, ArgumentError, NoEquilibriumError, warn
from freebody.names import TAU, Q, U
from freebody.rounding import rounded_by_unit
from freebody.run.arguments import generator, is_positive_integer, names, shorten
from freebody.run.initial import default_state
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.node import Node
from freebody.tables import TableRepr, TextTable, counted, listed

Array = NDArray[np.float64]
TOLERANCE = 1e-10
STEPS, HALVINGS, INCREASES, REACH = 60, 8, 15, 0.5
SHARP = {"xtol": 1e-12, "ftol": 1e-12, "gtol": 1e-12, "max_nfev": 300}
MOST = 1_000_000  # starts of a search
AT_SPEEDS = " at these speeds"
AS_IT_MOVES = " as coordinates move"
LESS_TARGET = " less what rates={…} asks for"
SAME = 1e-6
"""Two solutions closer than this are one."""
DEFORMED = 0.05
"""Random starts deform flexible bodies by up to this fraction of the magnitudes of their coordinates."""
SMALLEST = 1e-12
"""The smallest energy, in J, that is not taken as rounding: of micromechanical bodies."""
EIGENVALUES, SHOWN = 20, 12
"""Eigenvalues of an equilibrium, and values of each of several, that notebooks show."""
DEPENDENT = 1e-8
"""Singular values of the scaled Jacobian that are taken as zero."""


@dataclass(frozen=True, repr=False)
class Equilibrium:
    """A state that stays, and the inputs that hold it there, by name. ``residual`` is the largest generalised force or
    rate that remains; ``isolated`` is false where neighbours are equilibria too. ``multipliers`` are those of
    constraints; where several sets of them hold the system, the shortest. ``rates`` are the rates of the coordinates
    that move: in a steady motion."""

    q: dict[str, float]
    u: dict[str, float]
    z: dict[str, float]
    inputs: dict[str, float]
    tau: dict[str, float]
    parameters: dict[str, float]
    multipliers: dict[str, float]
    rates: dict[str, float]
    residual: float
    isolated: bool
    stability: str
    eigenvalues: NDArray[np.complex128]
    units: dict[str, str] = field(compare=False)
    point: OperatingPoint = field(compare=False)
    rest: "RestEquations | None" = field(compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Copies have the outputs instead of the equations."""
        return {**vars(self), "outputs": self.outputs, "rest": None}

    @cached_property
    def outputs(self) -> dict[str, float | Array]:
        """The outputs of the model here, by name: numbers, or three components of a vector. Accelerations are 0."""
        return {} if self.rest is None else self.rest.outputs_at(self.point)

    @property
    def shown(self) -> dict[str, float]:
        """The values by full name, for readers: rounding errors are 0; speeds and forces that are 0 are left out."""
        u, tau = ({group(n): v for n, v in held.items()} for group, held in ((U, self.u), (TAU, self.tau)))
        values, quiet = {Q(n): v for n, v in self.q.items()} | u | self.z | self.inputs | tau, u | tau
        return {n: v for n, v in rounded_by_unit(values, self.units).items() if v or n not in quiet}

    @property
    def _kind(self) -> str:
        steady, family = ", steady motion" * bool(self.rates), ", one of a family" * (not self.isolated)
        return self.stability + steady + family

    def __str__(self) -> str:
        state = ", ".join(f"{n} = {v:.6g}" for n, v in self.shown.items())
        kinds = ["steady motion"] * bool(self.rates) + ["one of a family"] * (not self.isolated)
        return f"{self.stability}: {state}" + (f" ({', '.join(kinds)})" if kinds else "")

    def __repr__(self) -> str:
        return f"Equilibrium({self._kind}: {listed([f'{n} = {v:.6g}' for n, v in self.shown.items()])})"

    def _repr_html_(self) -> str:
        """The values, with the multipliers of constraints, and the eigenvalues."""
        values = self.shown | {f"multiplier {n}": v for n, v in self.multipliers.items()}
        rows = tuple((name, f"{value:.6g}") for name, value in values.items())
        upper = [eigenvalue_text(complex(x)) for x in self.eigenvalues if x.imag >= 0]
        note = f"Eigenvalues in 1/s: {listed(upper, EIGENVALUES)}." if upper else ""
        return TextTable(f"Equilibrium ({self._kind})", ("", "value"), rows, note)._repr_html_()


class Equilibria(TableRepr, list[Equilibrium]):
    """Several equilibria of a system."""

    def _table(self) -> TextTable:
        names = list(dict.fromkeys(name for one in self for name in one.shown))
        rows = [(*(f"{one.shown.get(n, 0.0):.6g}" for n in names[:SHOWN]), one._kind) for one in self]
        note = f"{len(names) - SHOWN} more values of each are not shown." if len(names) > SHOWN else ""
        return TextTable(
            f"{counted(len(self), 'equilibrium', 'equilibria')}", (*names[:SHOWN], "stability"), tuple(rows), note
        )


class RestEquations:
    """The equations of rest, for chosen unknowns. ``hold`` names coordinates, or bodies with all of theirs, that stay
    as given; ``free`` what is trimmed. With ``speeds``, equations say that nothing changes as coordinates move, those
    of ``free_motion`` excepted, and that the rates of the coordinates ``rates`` are their ``targets``. ``at`` returns
    the equations' values r and Jacobian J at a point, ``depends`` says of each unknown whether any equation depends on
    it, ``linearisation`` decides stability."""

    targets: Array = np.zeros(0)

    def __repr__(self) -> str:
        return f"<equations of rest: {counted(len(self.unknowns), 'unknown')}>"

    def __init__(
        self,
        state: StateEquations,
        hold: Sequence[str] = (),
        free: Sequence[str] | str = (),
        free_motion: Sequence[str] | str = (),
        rates: Sequence[str] = (),
        speeds: bool = False,
    ) -> None:
        s = self.state = state
        held = {k for name in names(hold, "hold") for k in self._held(name)}
        ignored = {k for name in names(free_motion, "free_motion") for k in self._held(name, "that may move")}
        aimed = [self._coordinate(name) for name in rates]
        self.trimmed = [unknown for name in names(free, "free") for unknown in self._trimmed(name)]
        self.with_speeds = speeds
        self.moving = [k for k in range(len(s.layout.q)) if k not in held]
        moving, trimmed = [s.groups["q"][k] for k in self.moving], [s.groups[g][k] for g, k in self.trimmed]
        self.unknowns = [*moving, *s.groups["z"], *trimmed, *s.groups["multipliers"]]
        g, lengths = s.graph, list[Node]()
        for k in s.quaternions:
            if not {k, k + 1, k + 2, k + 3} <= held:
                lengths.append(g.neg(g.one))
                for h in s.groups["q"][k : k + 4]:
                    lengths[-1] = g.add(lengths[-1], g.mul(h, h))
        forces = [g.add(f, c) for f, c in zip(s.force, s.constraint_forces, strict=True)]
        z_rates = [s.corrections.get(k, rate) for k, rate in enumerate(s.z_dot)]
        along = {h: rate for k, (h, rate) in enumerate(zip(s.groups["q"], s.q_dot, strict=True)) if k not in ignored}
        changes = jvp(g, [*forces, *z_rates], along) if speeds else []
        steady = {k: h for k, h in enumerate(changes) if h != g.zero}
        equations = [*forces, *z_rates, *s.residuals, *s.velocities, *map(g.neg, s.gamma), *lengths]
        equations += [*steady.values(), *(s.q_dot[k] for k in aimed)]
        self.labels = [
            *self._force_labels(),
            *(f"the {'error' if k in s.corrections else 'rate'} of state '{n}'" for k, n in enumerate(s.layout.z)),
            *(f"the residual of {s.row_names[k]}" for k in s.holonomic_rows),
            *(f"the rate of {name}{AT_SPEEDS}" for name in s.row_names),
            *(f"the second rate of {name}{AT_SPEEDS}" for name in s.row_names),
            *["a quaternion's length"] * len(lengths),
        ]
        self.labels += [f"the rate of change of {self.labels[k]}{AS_IT_MOVES}" for k in steady]
        self.labels += [f"the rate of '{s.layout.q[k]}'{LESS_TARGET}" for k in aimed]
        others = len(self.unknowns) - len(self.moving)
        self.sizes = np.array([*(s.magnitudes[s.layout.q[k]] for k in self.moving), *[1.0] * others])
        entries = jacobian(g, equations, self.unknowns)
        columns = {j for _, j in entries}
        self.depends = [j in columns for j in range(len(self.unknowns))]
        self._values = s.function("rest", {"r": equations, "J": s.dense(entries, len(equations), len(self.unknowns))})
        self.rates = s.function("rest_rates", {"q_dot": s.q_dot})
        self.linearisation = Linearisation(s, [], [])

    def aim(self, targets: Sequence[float]) -> "RestEquations":
        """The same equations with other rates of the coordinates ``rates``."""
        aimed = copy(self)
        aimed.targets = np.array(targets, float)
        return aimed

    def at(self, point: OperatingPoint) -> dict[str, Array]:
        """The equations' values r and Jacobian J."""
        values = self._values(point)
        if not self.targets.size:
            return values
        r = values["r"].copy()
        r[-len(self.targets) :] -= self.targets
        return {**values, "r": r}

    @cached_property
    def loads(self) -> Callable[..., dict[str, Array]]:
        """f + tau and G."""
        return self.state.function("rest_loads", {"f": self.state.force, "G": self.state.constraint_matrix})

    @cached_property
    def named_multipliers(self) -> Callable[..., dict[str, Array]]:
        """The multipliers by which constraints are named, from those of the equations' rows."""
        s = self.state
        nodes = s.scope.copy(list(s.e.named_multipliers.values()))
        return s.function("rest_multipliers", {"named": nodes})

    @cached_property
    def _outputs(self) -> Callable[..., dict[str, Array]]:
        s = self.state
        of_model = s.e.tree.model.outputs
        return s.function("rest_outputs", {name: [h for _, h in s.outputs([name])] for name in of_model})

    def outputs_at(self, point: OperatingPoint) -> dict[str, float | Array]:
        """The outputs of the model at a point of rest, by name."""
        vectors = {name for name, output in self.state.e.tree.model.outputs.items() if output.is_vector}
        values = self._outputs(point).items()
        return {name: value if name in vectors else float(value.item()) for name, value in values}

    def _force_labels(self) -> list[str]:
        s, labels = self.state, list[str]()
        for i, speed in enumerate(s.layout.u):
            link = next(link for link in s.e.tree.links if i in link.u)
            labels.append(f"the generalised force on '{speed}' (joint of '{link.described.name}')")
        return labels

    def _held(self, name: str, what: str = "to hold") -> list[int]:
        """The indices in q of a coordinate, "q.arm" or "arm", or of all coordinates of a body."""
        s = self.state
        name = name if name in s.layout.q else Q.strip(name)
        of_body = [n for *_, link in s.e.tree.bodies if link.name == name for n in link.described.names[0]]
        coordinates = [name] if name in s.layout.q else [n for n in of_body if n in s.layout.q]
        if not coordinates:
            there = ", ".join(s.layout.q) or "none"
            raise ArgumentError(f"system '{s.name}' has no coordinate '{name}' {what}; its coordinates: {there}")
        return [s.layout.q.index(n) for n in coordinates]

    def _coordinate(self, name: str) -> int:
        """The index in q of a coordinate with a wanted rate, "q.chassis.z"."""
        one = self._held(name, "with a rate")
        if len(one) > 1:
            several = ", ".join(Q(self.state.layout.q[k]) for k in one)
            raise ArgumentError(f"rates={{'{name}': …}} needs the name of one coordinate, such as one of {several}")
        return one[0]

    def _trimmed(self, name: str) -> list[tuple[str, int]]:
        """Group and index of what a name lets vary beside the state."""
        s = self.state
        groups = {"inputs": list(s.layout.user_inputs), "tau": s.forces, "parameters": list(s.layout.parameters)}
        groups["u"] = list(U.all(s.layout.u))
        wanted = s.forces if name == "tau" else [name]
        unknowns = [(g, k) for n in wanted for g, there in groups.items() for k, m in enumerate(there) if m == n]
        if not unknowns:
            known = ", ".join([*groups["inputs"], "tau", *groups["tau"], *groups["parameters"], *groups["u"]])
            raise ArgumentError(f"system '{s.name}' has no '{name}' to solve for; choose from {known}")
        return unknowns

    def get(self, point: OperatingPoint) -> Array:
        """The values of the unknowns at a point."""
        trimmed = [point.groups[group][k] for group, k in self.trimmed]
        return np.array([*point.q[self.moving], *point.z, *trimmed, *point.multipliers], dtype=float)

    def put(self, point: OperatingPoint, values: Array) -> OperatingPoint:
        """The point with other values of the unknowns."""
        q, sizes = point.q.copy(), [len(self.moving), len(point.z), len(self.trimmed)]
        groups = {name: point.groups[name].copy() for name in ("inputs", "tau", "parameters", "u")}
        q[self.moving], z, trimmed, multipliers = np.split(values, np.cumsum(sizes))
        for (group, index), value in zip(self.trimmed, trimmed, strict=True):
            groups[group][index] = value
        return replace(point, q=q, z=z.copy(), multipliers=multipliers.copy(), **groups)

    def scales(self, J: Array) -> tuple[Array, Array]:
        """Factors of the equations and of the unknowns. Generalised forces become energies for changes of coordinates
        by their magnitudes; where these are larger than 1 J (or than the largest one), they are reduced to it. Rows of
        constraints and columns of multipliers then have 1 as their largest entry."""
        n, k = len(self.state.force) + len(self.state.z_dot), J.shape[1] - len(self.state.groups["multipliers"])
        rows, columns = np.ones(len(J)), self.sizes.copy()
        rows[: len(self.state.speed_sizes)] = self.state.speed_sizes
        energies = np.abs(rows[:n, None] * J[:n, :k] * columns[:k])
        one = min(1.0, max(SMALLEST, float(energies.max(initial=0.0))))
        rows[:n] /= np.sqrt(energies.max(axis=1, initial=one))
        columns[:k] /= np.sqrt(energies.max(axis=0, initial=one))
        rows[n:] = _unit_factors(np.abs(J[n:, :k] * columns[:k]).max(axis=1, initial=0.0))
        columns[k:] = _unit_factors(np.abs(J[:n, k:] * rows[:n, None]).max(axis=0, initial=0.0))
        return rows, columns

    def with_multipliers(self, point: OperatingPoint) -> OperatingPoint:
        """The point with the shortest multipliers for which f + tau + Gᵀλ is nearest to zero."""
        if not self.state.groups["multipliers"]:
            return point
        loads, sizes = self.loads(point), self.state.speed_sizes
        kernel = NullSpace(loads["G"].reshape(len(point.multipliers), len(point.u)) * sizes)
        return replace(point, multipliers=kernel.least_norm_transposed(-loads["f"] * sizes))

    def solve(self, guess: OperatingPoint) -> tuple[OperatingPoint, Array, Array]:
        """Where the equations hold, near the guess if they can, else where their squares are least; their values and
        Jacobian there. Where Newton's steps fail, as for long chains that fall from the guess, the system moves along
        its forces; trust regions also leave points where the Jacobian is singular. With constraints, the search begins
        where they are satisfied, and again at the guess itself."""
        from scipy.optimize import least_squares

        def at(values: Array) -> dict[str, Array]:
            return self.at(self.put(guess, values))

        for start in map(self.with_multipliers, self._starts(guess)):
            point = self.put(guess, self._newton(guess, self.get(start)))
            if self.unknowns and self.remaining(point, **self.at(point)):
                point = self.put(guess, self._newton(guess, self._relax(guess, self.get(start))))
            if self.unknowns and self.remaining(point, **self.at(point)):
                rows, _ = self.scales(self.at(start)["J"])
                result = least_squares(
                    lambda v, rows=rows: rows * at(v)["r"],
                    self.get(start),
                    lambda v, rows=rows: rows[:, None] * at(v)["J"],
                    x_scale=self.sizes,
                    **SHARP,
                )
                point = self.put(guess, self._newton(guess, np.asarray(result.x, float)))
            for k in self.state.quaternions:
                point.q[k : k + 4] /= np.linalg.norm(point.q[k : k + 4])
            point = self.with_multipliers(point)
            values = self.at(point)
            if not self.remaining(point, **values):
                break
        return point, values["r"], values["J"]

    def _starts(self, guess: OperatingPoint) -> Iterator[OperatingPoint]:
        """The guess moved to the constraints, as far as what is held allows it: by joints, else by bending flexible
        bodies too; then the guess."""
        if self.state.groups["multipliers"]:
            held = [k for k in range(len(guess.q)) if k not in self.moving]
            default = default_state(self.state.e)
            base = default if np.array_equal(guess.q[self.moving], default[self.moving]) else None
            for bend in (False, True) if self.linearisation.body_energies.flexible else (False,):
                with suppress(ArgumentError):
                    there = assembled(self.state, guess, held, bend=bend, base=base)
                    yield replace(guess, q=there.q, z=there.z)
                    break
        yield guess

    def _newton(self, guess: OperatingPoint, values: Array) -> Array:
        """Newton steps, of least length where there are several, none moving a coordinate by more than ``REACH`` of its
        magnitude; halved as long as they do not help."""
        n = len(self.moving)
        for _ in range(STEPS if len(values) else 0):
            at = self.at(self.put(guess, values))
            rows, columns = self.scales(at["J"])
            scaled, r = rows[:, None] * at["J"] * columns, rows * at["r"]
            step = np.where(self.depends, columns * np.linalg.lstsq(scaled, -r, rcond=1e-12)[0], 0.0)
            step *= min(1.0, REACH / max(REACH, float(np.abs(step[:n] / self.sizes[:n]).max(initial=0.0))))
            for _ in range(HALVINGS):
                there = self.at(self.put(guess, values + step))["r"]
                if np.linalg.norm(rows * there) < np.linalg.norm(r):
                    break
                step = step / 2
            else:
                return values
            values = values + step
        return values

    def _relax(self, guess: OperatingPoint, values: Array) -> Array:
        """Motion along the forces, R δ = f with resistances R that fall from step to step, by the implicit Euler
        method: steps (R − ∂f/∂q) δ = f, which are Newton's in the end. A step is repeated with a larger R if it moves a
        coordinate by more than ``REACH`` of its magnitude, or against the forces."""
        n, m, size = len(self.moving), len(self.state.layout.u), self.sizes[: len(self.moving)]
        resistance = 1.0
        for _ in range(STEPS):
            point = self.put(guess, values)
            at, N = self.at(point), self._tangent(point)["N"].reshape(-1, m)
            along = np.linalg.pinv(N)[:, self.moving]  # changes of coordinates as changes along speeds
            stiffness = np.abs(at["J"][:m, :n] @ N[self.moving]).max(axis=0, initial=0.0)
            for _ in range(INCREASES):
                J = at["J"].copy()
                J[:m, :n] -= resistance * stiffness[:, None] * along
                rows, columns = self.scales(J)
                scaled = rows[:, None] * J * columns
                step = np.where(self.depends, columns * np.linalg.lstsq(scaled, -rows * at["r"], rcond=1e-12)[0], 0.0)
                near = np.all(np.abs(step[:n]) <= REACH * size)
                if near and at["r"][:m] @ along @ step[:n] >= 0:
                    break
                resistance *= 4
            else:
                return values
            values, resistance = values + step, resistance / 3
            if np.all(np.abs(step[:n]) <= SAME * size):
                break
        return values

    @cached_property
    def _tangent(self) -> Callable[..., dict[str, Array]]:
        """N of q̇ = N u."""
        s = self.state
        return s.function("rest_tangent", {"N": s.dense(s.tangent, len(s.layout.q), len(s.layout.u))})

    def remaining(self, point: OperatingPoint, r: Array, J: Array) -> list[tuple[str, float]]:
        """The values of the equations beyond rounding, by name, the largest first."""
        scale = 1 + np.abs(J) @ np.maximum(self.sizes, np.abs(self.get(point)))
        left = [(self.labels[i], float(r[i])) for i in np.flatnonzero(~(np.abs(r) <= TOLERANCE * scale))]
        return sorted(left, key=lambda pair: -abs(pair[1]))

    def require_rest(self, guess: OperatingPoint) -> None:
        """Raises for prescribed motions under which coordinates move at the given speeds of zero."""
        s, rates = self.state, self.rates(guess)["q_dot"]
        moving = [n for n, rate in zip(s.layout.q, rates, strict=True) if abs(rate) > TOLERANCE]
        if moving and not np.any(guess.u):
            raise ArgumentError(
                f"system '{s.name}': coordinate '{moving[0]}' moves although all speeds are 0 (a prescribed motion),"
                " so that the system has no state of rest"
            )

    def explain_motion(self, point: OperatingPoint) -> str:
        """Which coordinates move, on which forces depend, and what can be done."""
        layout, n = self.state.layout, len(self.state.force) + len(self.state.z_dot)
        q_dot, J = self.rates(point)["q_dot"], self.state_jacobian(point)["J"].reshape(n, -1)
        effect = np.abs(J * q_dot).max(axis=0, initial=0.0)
        moving = [k for k in np.argsort(-effect) if effect[k] > DEPENDENT * effect.max()]
        named = listed([f"{Q(layout.q[k])} at {q_dot[k]:.4g}" for k in moving], 3)
        return (
            f" Coordinates move on which forces depend ({named} in SI units), so that the motion is not steady. Name"
            f" speeds that may change, free=['u.…'], with rates={{'{Q(layout.q[moving[0]])}': 0}} if they are not"
            f" determined, or free_motion=['{layout.q[moving[0]]}'] where that is accepted."
        )

    @cached_property
    def state_jacobian(self) -> Callable[..., dict[str, Array]]:
        """∂(f + tau + Gᵀλ, ż)/∂q."""
        s, g = self.state, self.state.graph
        nodes = [*(g.add(f, c) for f, c in zip(s.force, s.constraint_forces, strict=True)), *s.z_dot]
        rows = s.dense(jacobian(g, nodes, s.groups["q"]), len(nodes), len(s.layout.q))
        return s.function("rest_by_q", {"J": rows})

    def equilibrium(self, point: OperatingPoint, r: Array, J: Array) -> Equilibrium:
        """The equilibrium at a solution."""
        layout = self.state.layout
        rows = (
            (layout.q, point.q),
            (layout.u, point.u),
            (layout.z, point.z),
            (layout.inputs, point.inputs),
            (layout.u, point.tau),
            (layout.parameters, point.parameters),
        )
        q_dot = zip(layout.q, self.rates(point)["q_dot"].tolist(), strict=True)
        rates = {n: rate for n, rate in q_dot if abs(rate) > TOLERANCE * self.state.magnitudes[n]}
        q, u, z, inputs, tau, parameters = ({n: float(v) for n, v in zip(*row, strict=True)} for row in rows)
        inputs = {n: v for n, v in inputs.items() if n not in self.state.e.tree.model.internal}
        tau = tau if any(group == "tau" for group, _ in self.trimmed) or np.any(point.tau) else {}
        residual, k = float(np.abs(r).max(initial=0.0)), len(self.unknowns) - len(point.multipliers)
        isolated = not J.size
        if J.size:
            by_row, by_column = self.scales(J)
            scaled = by_row[:, None] * J * by_column
            parts = (scaled, scaled[:, k:])  # those of multipliers, which need not be unique
            ranks = [int(np.linalg.matrix_rank(part, DEPENDENT)) if part.size else 0 for part in parts]
            isolated = ranks[0] - ranks[1] == k
        values = self.named_multipliers(point)["named"]
        multipliers = {n: float(v) for n, v in zip(self.state.e.named_multipliers, values, strict=True)}
        try:
            A = self.linearisation.at(point).A
            found, eigenvalues = stability(A), np.asarray(np.linalg.eigvals(A), complex)
        except SingularError as error:
            if isinstance(error, DeformedError):
                warn(f"{error}. The equilibrium has no eigenvalues, and its stability is not known", AnalysisWarning)
            elif not multipliers:
                raise
            found, eigenvalues = "undecided", np.zeros(0, complex)
        return Equilibrium(
            q,
            u,
            z,
            inputs,
            tau,
            parameters,
            multipliers,
            rates,
            residual,
            isolated,
            found,
            eigenvalues,
            self.units,
            point,
            self,
        )

    @cached_property
    def units(self) -> dict[str, str]:
        """Units by full name."""
        layout, graph = self.state.layout, self.state.e.graph
        names = [*Q.all(layout.q), *U.all(layout.u), *TAU.all(layout.u), *layout.z, *layout.inputs]
        return {name: graph.symbol_named(name).unit for name in names}


def _unit_factors(largest: Array) -> Array:
    """Factors that make these largest entries 1; those that are zero up to rounding stay."""
    zero = largest <= DEPENDENT * largest.max(initial=0.0)
    return np.asarray(1 / np.where(zero, 1.0, largest))


def equilibrium(rest: RestEquations, guess: OperatingPoint) -> Equilibrium:
    """The equilibrium that the guess leads to."""
    rest.require_rest(guess)
    point, r, J = rest.solve(guess)
    remaining = rest.remaining(point, r, J)
    if remaining:
        worst = "; ".join(f"{name} is {value:.4g}" for name, value in remaining[:3])
        speeds = any(name.endswith(AT_SPEEDS) for name, _ in remaining)
        suitable = (
            " Constraints do not allow these speeds: give u={…} that they allow, or free=['u.…']" if speeds else ""
        )
        if any(name.endswith(AS_IT_MOVES) for name, _ in remaining):
            suitable = rest.explain_motion(point) + suitable
        if any(name.endswith(LESS_TARGET) for name, _ in remaining):
            suitable += " For each of the rates a speed must be in free=['u.…']."
        raise NoEquilibriumError(
            f"system '{rest.state.name}': no equilibrium was found from here: {worst}. Give another guess q={{…}}, hold"
            f" fewer coordinates, or name inputs that may be trimmed, free=[…].{suitable}"
        )
    return rest.equilibrium(point, r, J)


def equilibria(rest: RestEquations, guess: OperatingPoint, starts: int, seed: int) -> Equilibria:
    """Distinct equilibria found from the guess and random starts, those that may be stable first. Coordinates on which
    nothing depends stay at the guess; angles are in (−π, π] where that is an equilibrium too."""
    rest.require_rest(guess)
    if not is_positive_integer(starts, MOST):
        raise ArgumentError(f"starts (the number of guesses) must be from 1 to {MOST}, not {shorten(starts)}")
    s, random, distinct, ranges = rest.state, generator(seed), list[Equilibrium](), dict[int, tuple[float, float]]()
    angles = set[int]()
    for link in s.e.tree.links:
        spec = link.body.spec
        limits = spec.joint.limits
        for name, unit, size in zip(spec.names[0], spec.joint.units[0], spec.joint.magnitudes, strict=True):
            if name in s.layout.q:
                k = s.layout.q.index(name)
                if link.internal_dynamics is not None:
                    ranges[k] = (-DEFORMED * size, DEFORMED * size)
                    continue
                angles |= {k} if unit == "rad" else set()
                ranges[k] = (-np.pi, np.pi) if unit == "rad" else (-1.0, 1.0)
                if limits is not None and np.isfinite([*map(float, limits)]).all():
                    ranges[k] = float(limits[0]), float(limits[1])
    for attempt in range(starts):
        point, r, J = rest.solve(guess if attempt == 0 else _random_start(rest, guess, ranges, random))
        if not rest.remaining(point, r, J):
            q = point.q.copy()
            for k in angles.intersection(rest.moving):
                q[k] = np.pi - (np.pi - q[k]) % (2 * np.pi)
            wrapped = replace(point, q=np.where(np.abs(q + np.pi) < SAME, q + 2 * np.pi, q))
            point = point if rest.remaining(wrapped, **rest.at(wrapped)) else wrapped
            if not any(_same(rest, point, other.point) for other in distinct):
                distinct.append(rest.equilibrium(point, r, J))
    order = ("stable", "undecided", "unstable")
    return Equilibria(sorted(distinct, key=lambda e: (order.index(e.stability), tuple(np.round(e.point.x, 6)))))


def _random_start(
    rest: RestEquations, guess: OperatingPoint, ranges: dict[int, tuple[float, float]], random: np.random.Generator
) -> OperatingPoint:
    """Random values of the unknowns on which an equation depends: coordinates within their limits, any angle, a metre
    to both sides, small deformations of flexible bodies."""
    drawn, n, q = {k: float(random.uniform(*range_)) for k, range_ in ranges.items()}, len(rest.moving), guess.q.copy()
    for k in rest.state.quaternions:
        drawn |= zip(range(k, k + 4), map(float, random_quaternion(random)), strict=True)
    for depends, k in zip(rest.depends, rest.moving, strict=False):
        q[k] = drawn[k] if depends else q[k]
    values = rest.get(replace(guess, q=q))
    end = len(values) - len(guess.multipliers)
    values[n:end] += random.normal(size=end - n) * np.array(rest.depends[n:end], float)
    return rest.put(guess, values)


def _same(rest: RestEquations, a: OperatingPoint, b: OperatingPoint) -> bool:
    """Whether two solutions are one; a quaternion and its negative are the same orientation."""
    q = a.q.copy()
    for k in rest.state.quaternions:
        if q[k : k + 4] @ b.q[k : k + 4] < 0:
            q[k : k + 4] *= -1
    moved = (q - b.q)[rest.moving] / rest.sizes[: len(rest.moving)]
    gap = [moved, a.u - b.u, a.z - b.z, a.inputs - b.inputs, a.tau - b.tau, a.parameters - b.parameters]
    return bool(np.abs(np.concatenate(gap)).max(initial=0.0) < SAME)
