"""States of many bodies that satisfy their constraints: steps that change the kinetic energy of the changes least, by
the same loops over bodies that project states during a run."""

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from freebody.backends import Function, compile
from freebody.errors import ArgumentError
from freebody.formulations.derivation import Derivation
from freebody.names import Q
from freebody.program.program import Program
from freebody.tree.assembly import HALVINGS, ITERATIONS, LONGEST, angular_speeds, move
from freebody.tree.continuation import CONTRACTION, CORRECTIONS, SMALL, HeldPath, PathDirection, follow
from freebody.tree.independence import dependence
from freebody.tree.tree import quaternions

if TYPE_CHECKING:
    from freebody.formulations.rolled.equations import Rolled

Array = NDArray[np.float64]

PROBE = 1e-4
"""The part of a path's rate by which held coordinates are displaced to find how the others follow."""

CLOSED, SETTLED = 1e-9, 1e-14
"""The largest residual of an assembled state, and that which is taken for rounding, times 1 + |q| or 1 + |u|."""


class RolledAssembler:
    """Makes states consistent with the constraints of rolled equations."""

    def __init__(self, e: "Rolled") -> None:
        self.e, self.n, self.m = e, len(e.layout.q), len(e.layout.u)
        self.names = list(dependence(e.tree.model).names.values())
        self.constraints = [key.constraint for key in dependence(e.tree.model).names]
        self.angles = angular_speeds(e.tree)

    @classmethod
    def supports(cls, e: Derivation) -> "TypeGuard[Rolled]":
        """Whether equations are loops over so many bodies that they are assembled in this way."""
        return e.is_cheaper and not e.state_corrections and not e.layout.held

    @cached_property
    def _closing(self) -> Function:
        return self._compiled(self.e.programs.keep("closing", lambda _: self.e.closing()))

    @cached_property
    def _assembling(self) -> Function:
        return self._compiled(self.e.programs.keep("assembling", lambda _: self.e.assembling()))

    def _compiled(self, program: Program) -> Function:
        return compile(program, "llvm", staged=False)

    def _call(self, f: Function, **values: Array) -> dict[str, Array]:
        return cast(dict[str, Array], f(*(values.get(g.name, np.zeros(g.size)) for g in f.groups)))

    def state(
        self,
        x: Array,
        held: Collection[int],
        parameters: Array,
        t: float,
        inputs: Array,
        modal: Collection[int],
        base: Array | None = None,
    ) -> Array:
        """The state x = [q, u, z] moved to the constraints, and its speeds changed as little as they require; raises an
        error that names a constraint if there is none with what is held, among them the states ``modal`` of modes."""
        self.bends = not modal
        held = {*held, *modal}
        q, u, z = x[: self.n], x[self.n : self.n + self.m], x[self.n + self.m :]
        values = {"parameters": parameters, "t": np.array([t]), "inputs": inputs, "z": z}
        indices = sorted(k for k in held if k < self.n)
        if base is not None and not np.array_equal(base[indices], q[indices]):
            q = self._followed(base[: self.n], q, indices, self._held_speeds(held), values)
        q = self._coordinates(q, self._held_speeds(held), values)
        u = self._speeds(q, u, [k - self.n for k in held if self.n <= k < self.n + self.m], values)
        return np.concatenate([q, u, z])

    def _held_speeds(self, held: Collection[int]) -> list[int]:
        """The speeds whose coordinates are held: that of the coordinate, or all of its joint if they are not rates."""
        names, speeds, found = self.e.layout.q, {n: k for k, n in enumerate(self.e.layout.u)}, set[int]()
        wanted = {names[k] for k in held if k < self.n}
        for spec in self.e.tree.model.bodies.values():
            own_q, own_u = spec.names
            if wanted.intersection(own_q):
                every = ((n, s) for n in own_q for s in own_u)
                paired = zip(own_q, own_u, strict=True) if spec.freedoms.rates else every
                found |= {speeds[s] for n, s in paired if n in wanted and s in speeds}
        return sorted(found)

    def _stiff(self, speeds: Collection[int]) -> Array:
        stiff = np.zeros(self.m)
        stiff[list(speeds)] = np.inf
        return stiff

    def _followed(self, base: Array, q: Array, indices: list[int], held: list[int], values: dict[str, Array]) -> Array:
        """The coordinates to which the path from the base leads while held ones move to their values in q; q itself
        where the base cannot be closed."""
        exact = np.abs(self._call(self._closing, q=base, **values)["phi"]).max(initial=0.0) < CLOSED
        try:
            start = self._coordinates(base, held, values)
        except ArgumentError:
            return q
        way = HeldPath.between(indices, start, q, quaternions(self.e.tree))
        path = follow(RolledFollower(self, indices, self._stiff(held), values), way, start, np.ones(self.n))
        if path.arrived:
            there = path.end.q.copy()
            there[indices] = q[indices]
            return there
        if not exact:
            return q
        self._coordinates(q, held, values)  # cannot be satisfied, or on another branch
        end_of_path = path.end.q if path.points else start
        names = ", ".join(f"{Q(self.e.layout.q[k])} = {end_of_path[k]:.4g}" for k in indices[:4] if base[k] != q[k])
        raise ArgumentError(
            f"{self.e.tree.model.name}: no continuous motion from the guess reaches these values: it ends at"
            f" {names}, where"
            " the constraints allow no further motion. They are possible on another branch; if you mean that one, give"
            " a guess on it:"
            " q, u = s.assemble({…}, guess=[…])"
        )

    def _coordinates(self, q: Array, held: Collection[int], values: dict[str, Array]) -> Array:
        stiff = self._stiff(held)

        def residuals(q: Array) -> Array:
            at = self._call(self._closing, q=q, **values)
            turned = np.flatnonzero(at["cosine"] < 0)
            if len(turned) and np.abs(at["phi"]).max(initial=0.0) < CLOSED:
                raise ArgumentError(
                    f"{self.e.tree.model.name}: constraint '{self.constraints[turned[0]]}' closes here only half a"
                    " turn away: the axes of its joint in the two bodies are opposite. Give a guess nearer to the"
                    " closed position, or turn one side of the joint by orient or orient_to"
                )
            return at["phi"]

        phi = residuals(q)
        for _ in range(ITERATIONS):
            if np.abs(phi).max(initial=0.0) <= SETTLED * (1 + np.abs(q).max(initial=0.0)):
                break
            step = self._call(self._assembling, q=q, held=stiff, **values)["coordinates"]
            if not np.isfinite(step).all():
                break
            length = min(1.0, LONGEST / max(float(np.abs(step[self.angles]).max(initial=0.0)), LONGEST))
            for _ in range(HALVINGS):
                trial = move(self.e.tree, q, length * step)
                there = residuals(trial)
                if there @ there < phi @ phi:
                    break
                length /= 2
            else:
                break
            q, phi = trial, there
        self._require(phi, q, "cannot be satisfied: it is off by", held)
        return q

    def _speeds(self, q: Array, u: Array, held: Collection[int], values: dict[str, Array]) -> Array:
        stiff = self._stiff(held)
        for _ in range(3):
            rates = self._call(self._closing, q=q, u=u, **values)["speed"]
            if np.abs(rates).max(initial=0.0) <= SETTLED * (1 + np.abs(u).max(initial=0.0)):
                return u
            u = u + self._call(self._assembling, q=q, u=u, held=stiff, **values)["speeds"]
        rates = self._call(self._closing, q=q, u=u, **values)["speed"]
        self._require(rates, u, "does not allow these speeds: it changes at", held)
        return u

    def _require(self, residuals: Array, x: Array, what: str, held: Collection[int]) -> None:
        sizes = np.where(np.isfinite(residuals), np.abs(residuals), np.inf)
        worst = int(np.argmax(sizes)) if len(sizes) else 0
        if len(sizes) and not sizes[worst] <= CLOSED * (1 + np.abs(x).max(initial=0.0)):
            fixed = f", with the speeds of {', '.join(self.e.layout.u[k] for k in held)} held" if held else ""
            bend = "" if self.bends else ", let flexible bodies bend (q, u = s.assemble(…, modes='free'))"
            raise ArgumentError(
                f"{self.e.tree.model.name}: constraint '{self.constraints[worst]}' ({self.names[worst]}) {what}"
                f" {sizes[worst]:.3g}{fixed}. Give a guess nearer to an assembled state, free what is held{bend}, or"
                " change lengths; it may contradict other constraints"
            )


class RolledFollower:
    """The least change along a path, by differences of the steps that close the loops."""

    determined = False

    def __init__(self, of: RolledAssembler, held: list[int], stiff: Array, values: dict[str, Array]) -> None:
        self.of, self.held, self.stiff, self.values = of, held, stiff, values

    def _step(self, q: Array) -> Array:
        return self.of._call(self.of._assembling, q=q, held=self.stiff, **self.values)["coordinates"]

    def direction(self, q: Array, held_rate: Array) -> PathDirection | None:
        ends = list[Array]()
        for sign in (1.0, -1.0):
            displaced = q.copy()
            displaced[self.held] += sign * PROBE * held_rate
            step = self._step(displaced)
            if not np.isfinite(step).all():
                return None
            ends.append(move(self.of.e.tree, displaced, step))
        return PathDirection((ends[0] - ends[1]) / (2 * PROBE))

    def correct(self, q: Array) -> Array | None:
        values, last = q[self.held], np.inf
        for _ in range(CORRECTIONS):
            step = self._step(q)
            size = float(np.abs(step).max(initial=0.0))
            if not size <= max(CONTRACTION * last, SMALL):
                return None
            q, last = move(self.of.e.tree, q, step), size
            q[self.held] = values
            phi = self.of._call(self.of._closing, q=q, **self.values)["phi"]
            if np.abs(phi).max(initial=0.0) <= CLOSED / 100 * (1 + np.abs(q).max(initial=0.0)):
                return q
        return None

    def landed(self, q: Array) -> bool:
        return True
