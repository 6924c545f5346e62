"""The assembly of one state: coordinates at which the constraints hold, then speeds."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, ModelError
from freebody.model.cut_coordinates import settled_states
from freebody.run.assembly_equations import AssemblyEquations
from freebody.run.assembly_path import FollowedPath, follow_held, unreachable
from freebody.run.contradictions import connected, contradiction_text, smallest_contradiction
from freebody.run.initial import STIFF, state_keys
from freebody.tree.assembled_samples import pose_numbers
from freebody.tree.assembly import DEPENDENT, LinearEquations, ResidualsAt, assemble_coordinates, free_directions, move
from freebody.tree.tree import quaternions

if TYPE_CHECKING:
    from freebody.run.assembly import Assembler

Array = NDArray[np.float64]

CLOSED = 1e-9
"""The largest residual of an assembled state, as a fraction of the largest derivative in its row of G."""

SPREADS = (0.05, 0.2, 0.2, 0.8, 0.8, 0.8, 3.0, 3.0, 3.0, 3.0)
"""How far from the guess (in rad, or in lengths of the mechanism) the search begins again where it fails, or where it
closes a joint half a turn away."""

FEW_STARTS = 5
"""Starts from which some of the constraints are tried."""

LIGHT = 1e-6
"""The smallest weight of a speed, as a fraction of the largest."""

WITHIN, HARDEST = 1.0, 1e12
"""A spring with which a joint swings within this time (in s, for 1 rad) resists changes as the joint's inertia does,
others by the square of their frequency; the largest of these weights."""


class AssemblyProblem:
    """The assembly of one state x. ``held`` are the states that the user gives, ``modal`` those of modes that are held
    as well. ``base`` are the coordinates from which held ones move to their values in x, None if x is the guess."""

    def __init__(
        self,
        assembler: "Assembler",
        equations: AssemblyEquations,
        x: Array,
        held: Collection[int],
        modal: set[int],
        parameters: Array,
        t: float,
        inputs: Array,
        posed: Collection[str],
        base: Array | None = None,
    ) -> None:
        self.of, self.equations, n, m = assembler, equations, assembler.n, assembler.m
        released = {name for name, k in equations.flag_inputs.items() if not inputs[k]}
        open_, self.posed = released.union(posed), posed
        names = [row.constraint for row in equations.rows]
        self.engaged = np.array([name not in released for name in names])
        self.positioned = np.array([name not in open_ for name in (*names, *equations.turned)])
        self.inputs = inputs
        self.function, self.rows = equations.function(assembler.backend), equations.rows
        self.guess, self.u, self.z, self.held = x[:n], x[n : n + m], x[n + m :], sorted({*held, *modal})
        self.modal = modal
        self.held_q = [k for k in self.held if k < n]
        for k in quaternions(assembler.tree):
            if any(k <= i < k + 4 for i in self.held_q):
                self.held_q = sorted({*self.held_q, k, k + 1, k + 2, k + 3})
        self.held_u = [k - n for k in self.held if n <= k < n + m]
        self.values = {"parameters": parameters, "t": np.array([t]), "inputs": inputs}
        self.sizes: Array | None = None  # of the equations at the guess, by which residuals are divided
        self.t, self.base, self.path = t, base, cast(FollowedPath | None, None)
        self._last: tuple[bytes, LinearEquations] | None = None

    def at(self, q: Array) -> dict[str, Array]:
        """The program at u = 0, where G u + offset is the offset, and at extra states of constraints that follow q.
        Rows of constraints that are released are zero."""
        f = self.function

        def evaluate(z: Array) -> dict[str, Array]:
            values = {**self.values, "q": q, "z": z}
            with np.errstate(all="ignore"):
                return cast(dict[str, Array], f(*(values.get(g.name, np.zeros(g.size)) for g in f.groups)))

        if self.equations.has_states:
            self.z = settled_states(lambda z: evaluate(z)["corrections"], self.z)
        at = evaluate(self.z)
        for names, rows in ((("phi", "gradients"), self.positioned), (("G", "offset"), self.engaged)):
            if not rows.all():
                at |= {name: np.where(rows if at[name].ndim == 1 else rows[:, None], at[name], 0.0) for name in names}
        return at

    def capture(self, q: Array, at: Mapping[str, Array]) -> dict[str, Array]:
        """The program's values after the engaged closures have captured their poses."""
        self.z = self.z.copy()
        for (name, indices), pose in zip(self.equations.pose_inputs.items(), at["poses"], strict=True):
            if name in self.posed and self.inputs[self.equations.flag_inputs[name]]:
                self.inputs[indices] = pose_numbers(pose)
                for state, value in self.equations.posed_states[name].items():
                    self.z[state] = value
        return self.at(q)

    def linear(self, q: Array) -> LinearEquations:
        """The equations of coordinates at q, scaled, with their derivatives along speeds."""
        key = q.tobytes()
        if self._last is None or self._last[0] != key:
            at = self.at(q)
            if self.sizes is None:
                sizes = np.append(self.equations.scales(at["G"]), np.ones(len(self.equations.turned)))
                self.sizes = np.where(np.isfinite(sizes), sizes, 1.0)
            G, scale = at["gradients"] @ at["N"] / self.sizes[:, None], self.scale(at)
            self._last = (
                key,
                LinearEquations(at["phi"] / self.sizes, G, at["N"], scale, lambda: self.metric(q, at["N"], scale)),
            )
        return self._last[1]

    def scale(self, at: Mapping[str, Array]) -> Array:
        """1/√M_kk of each speed."""
        inertia = np.maximum(np.where(np.isfinite(at["inertia"]), at["inertia"], 0.0), 0.0)
        return np.asarray(1 / np.sqrt(np.maximum(inertia, LIGHT * (float(inertia.max(initial=0.0)) or 1.0))))

    def metric(self, q: Array, N: Array, scale: Array) -> Array:
        """R with R Rᵀ = W⁻¹, where yᵀ W y measures changes δ = scale y, whatever the units: W is 1, and K/M = ω² in
        (rad/s)² of springs, so that joints that are free follow before a spring is wound. Modes of flexible bodies
        resist even more, the softest STIFF² times as much as a joint: they bend where joints do not suffice."""
        springs, modal = self.equations.springs, scale**2 * self.equations.modal_stiffness
        W = np.diag(1 + (STIFF**2 / modal[modal > 0].min() * modal if modal.any() else modal))
        if springs is not None:
            K = springs.stiffness({**self.values, "z": self.z}, q, N)
            W += WITHIN**2 * scale[:, None] * K * scale
        elif not modal.any():
            return W
        sizes, axes = np.linalg.eigh(W)
        return np.asarray(axes / np.sqrt(np.clip(sizes, 1.0, HARDEST)))

    def position(self, q: Array) -> ResidualsAt:
        at = self.linear(q)
        return ResidualsAt(at.phi, at.G, free_directions(at.N[self.held_q], at.root))

    def move(self, q: Array, delta: Array) -> Array:
        moved = move(self.of.tree, q, delta)
        moved[self.held_q] = self.guess[self.held_q]
        return moved

    # Coordinates

    def coordinates(self) -> tuple[Array, dict[str, Array]]:
        """The coordinates, and the program's values at them."""
        self.path = follow_held(self) if self.base is not None else None
        if self.path is not None and self.path.q is not None:
            return self.path.q, self.at(self.path.q)
        first: dict[str, Array] | None = None
        for start in self.starts():
            try:
                q = self.nearest_turns(self.closed_from(start))
            except ModelError:  # a singular position of a joint's coordinates
                continue
            at = self.at(q)
            if self.is_closed(at):
                if self.path is not None and self.path.blocked:
                    raise unreachable(self, self.path, q)
                return q, at
            first = first or at
            if not self.worth_repeating(at):
                break
        raise self.failure(first or self.at(self.guess))

    def closed_from(self, start: Array) -> Array:
        """The coordinates that least-squares steps from a start lead to."""
        return assemble_coordinates(self.position, self.move, start, self.equations.angles)[0]

    def is_closed(self, at: Mapping[str, Array]) -> bool:
        return self.off(at) is None and bool(np.all(at["phi"][len(self.rows) :] > -1))

    def closed_base(self) -> tuple[Array, bool] | None:
        """Assembled coordinates near the base, and whether it is assembled itself: with held coordinates where they are
        there, or free if that is not possible."""
        assert self.base is not None
        rows = (self.base, *self.values.values(), self.positioned, np.array(self.held))
        key = tuple(row.tobytes() for row in rows)
        if self.of.base is None or self.of.base[0] != key:
            self.of.base = key, self._close_base(self.base)
        return self.of.base[1]

    def _close_base(self, base: Array) -> tuple[Array, bool] | None:
        x = np.concatenate([base, self.u, self.z])
        for held in ({*self.held}, self.modal):
            problem = AssemblyProblem(
                self.of, self.equations, x, held, self.modal, self.values["parameters"], self.t, self.inputs, self.posed
            )
            exact = problem.is_closed(problem.at(base))
            try:
                q = problem.coordinates()[0]
                self.z = problem.z
                return q, exact
            except ArgumentError:
                continue
        return None

    @cached_property
    def scales(self) -> Array:
        """What makes changes of coordinates comparable: 1 for angles, 1/length for lengths."""
        return np.where(self.equations.lengths, 1 / self.length, 1.0)

    @cached_property
    def length(self) -> float:
        """A length of the mechanism: how far angles move its equations, at most."""
        at = self.at(self.guess if self.base is None else self.base)
        sizes = np.abs((at["gradients"] @ at["N"])[:, self.equations.angles])
        return float(np.where(np.isfinite(sizes), sizes, 0.0).max(initial=0.0)) or 1.0

    def missed(self, q: Array) -> float:
        """How far held coordinates are from their values."""
        return float(np.abs((q - self.guess) * self.scales)[self.held_q].max(initial=0.0))

    def nearest_turns(self, q: Array) -> Array:
        """The coordinates with angles whole turns nearer to the guess, where the equations hold there too."""
        turns = np.where(self.equations.turning, np.round((q - self.guess) / (2 * np.pi)), 0.0)
        turns[self.held_q] = 0.0
        if not turns.any():
            return q
        nearer = q - 2 * np.pi * turns
        return nearer if self.is_closed(self.at(nearer)) else q

    def starts(self) -> Iterator[Array]:
        """The guess, and coordinates around it."""
        yield self.guess
        for seed, spread in enumerate(SPREADS):
            delta = spread * np.random.default_rng(seed).uniform(-1, 1, self.of.m)
            free = self.position(self.guess).free
            delta = free @ np.linalg.pinv(free) @ np.where(self.equations.angles, delta, self.length * delta)
            with suppress(ModelError):
                yield self.move(self.guess, delta)

    def off(self, at: Mapping[str, Array]) -> int | None:
        """The equation of coordinates with the largest residual; None if all are satisfied."""
        sizes = np.abs(at["phi"][: len(self.rows)]) / self.equations.scales(at["G"])
        k = int(np.argmax(np.where(np.isfinite(sizes), sizes, np.inf)))
        return None if sizes[k] <= CLOSED else k

    def worth_repeating(self, at: Mapping[str, Array]) -> bool:
        """Whether other coordinates may satisfy what these do not."""
        k = self.off(at)
        return len(self.held_q) < self.of.n and (k is None or self.rows[k].moves)

    def failure(self, at: Mapping[str, Array]) -> ArgumentError:
        k, system = self.off(at), f"{self.of.tree.model.name}"
        if k is None:
            name = self.equations.turned[int(np.argmin(at["phi"][len(self.rows) :]))]
            return ArgumentError(
                f"{system}: constraint '{name}' closes here only half a turn away: the axes of its joint in the two"
                f" bodies are opposite{self.with_held(self.held_q)}. Give a guess nearer to the closed position, or"
                " turn one side of the joint by orient or orient_to"
            )
        row, gap = self.rows[k], at["gaps"][k]
        off = f"is off by {abs(gap):.3g} {row.unit}".rstrip() if np.isfinite(gap) else "has no finite value"
        if not row.moves:
            return ArgumentError(
                f"{system}: {row} contradicts the joints: it {off}, and no coordinate changes it. Move one of its"
                " points, or take a joint that leaves this motion free"
                if self.of.tree.model.constraints[row.constraint].bodies()
                else f"{system}: {row} cannot be satisfied: it {off}, and no coordinate changes it. Write an expression"
                " of coordinates that can be zero, or leave the constraint out"
            )
        several = contradiction_text(self.contradicting(row.constraint))
        others = ("give a guess nearer to an assembled state",) if len(self.held_q) < self.of.n else ()
        if self.held_q:
            cannot = f"{several} ({row} {off})" if several else f"{row} cannot be satisfied: it {off}"
            return ArgumentError(
                f"{system}: {cannot}{self.with_held(self.held_q)}."
                f" {self.advice(self.held_q, 'free one of these, so that it can adjust', *others, 'change lengths')}"
            )
        if several:
            return ArgumentError(
                f"{system}: {several}; {row} {off} at the nearest. Change one of them or leave it out, or give a guess"
                " nearer to an assembled state"
            )
        return ArgumentError(
            f"{system}: {row} cannot be satisfied: it {off} at the nearest state that was reached from the guess. Give"
            " a guess nearer to an assembled state, or change lengths; it may contradict other constraints"
        )

    def contradicting(self, name: str) -> list[str]:
        """The constraints that contradict each other, among those that restrict common speeds with one that cannot be
        satisfied; it alone if it cannot be satisfied by itself."""
        engaged, every = self.positioned.copy(), [*(row.constraint for row in self.rows), *self.equations.turned]
        G = sum(np.abs(np.nan_to_num(self.at(start)["G"])) for start in islice(self.starts(), 3))
        names = connected(np.asarray(G), [row.constraint for row in self.rows], name)

        def satisfied(some: Collection[str]) -> bool:
            self.positioned, self._last = engaged & np.array([one in some for one in every]), None
            try:
                for start in islice(self.starts(), FEW_STARTS):
                    with suppress(ModelError):
                        if self.is_closed(self.at(self.closed_from(start))):
                            return True
                return False
            finally:
                self.positioned, self._last = engaged, None

        return smallest_contradiction(names, satisfied)

    def with_held(self, indices: Collection[int]) -> str:
        keys = state_keys(self.of.e)
        given = ", ".join(keys[k] for k in indices if k not in self.modal)
        parts = [f"{given} held as given"] if given else []
        parts += ["the modes of flexible bodies held"] if self.modal.intersection(indices) else []
        return f", with {' and '.join(parts)}" if parts else ""

    def advice(self, indices: Collection[int], free: str, *others: str) -> str:
        """What to do about states that are held: ``free`` those that the user gives, let bodies bend, or others."""
        bend = ["let flexible bodies bend (q, u = s.assemble(…, modes='free'))"]
        parts = [free] if not self.modal.issuperset(indices) else []
        text = ", or ".join([*parts, *(bend if self.modal.intersection(indices) else []), *others])
        return text[0].upper() + text[1:]

    # Speeds

    def contradicting_speeds(self, name: str, G: Array, offset: Array, scales: Array) -> str:
        """What to do about constraints whose equations of speeds contradict each other."""
        every = [row.constraint for row in self.rows]

        def satisfied(some: Collection[str]) -> bool:
            rows = [k for k, one in enumerate(every) if one in some]
            A, b = G[rows] / scales[rows, None], offset[rows] / scales[rows]
            left = A @ (np.linalg.pinv(A, rcond=DEPENDENT) @ b) - b
            return bool(np.abs(left).max(initial=0.0) <= CLOSED * max(1.0, float(np.abs(b).max(initial=0.0))))

        names = smallest_contradiction(connected(G, every, name), satisfied)
        if len(names) < 2:
            return "Constraints or prescribed motions contradict each other; change one"
        return f"Constraints {', '.join(map(repr, names))} contradict each other; change one of them or leave it out"

    def speeds(self, q: Array, at: Mapping[str, Array]) -> Array:
        """G u + offset = 0, with the smallest change of the speeds that are not held."""
        G, offset, u = at["G"], at["offset"], self.u.copy()
        undefined = ~np.isfinite(np.column_stack([G, offset])).all(axis=1)
        if undefined.any():
            row, model = self.rows[int(undefined.argmax())], self.of.tree.model
            smooth = ", or write an equation that is smooth where it holds: q.a - q.b, not sqrt(abs(q.a - q.b))"
            raise ArgumentError(
                f"{model.name}: the derivatives of {row} are not finite at these coordinates, so that no force can keep"
                " it. Give coordinates away from this position"
                + ("" if model.constraints[row.constraint].bodies() else smooth)
            )
        free = free_directions(np.eye(self.of.m)[self.held_u], self.linear(q).root)
        scales = self.equations.scales(G)
        inverse = np.linalg.pinv(G @ free / scales[:, None], rcond=DEPENDENT)
        for _ in range(2):  # once more, against rounding
            u -= free @ (inverse @ ((G @ u + offset) / scales))
        u[self.held_u] = self.u[self.held_u]
        left = np.abs(G @ u + offset)
        sizes = left / (scales * max(1.0, float(np.abs(u).max(initial=0.0))))
        k = int(np.argmax(sizes))
        if sizes[k] <= CLOSED:
            return u
        row, held = self.rows[k], [self.of.n + i for i in self.held_u]
        how = f"changes at {left[k]:.3g} {row.rate_unit}" if row.holonomic else f"is off by {left[k]:.3g} {row.unit}"
        advice = self.contradicting_speeds(row.constraint, G, offset, scales)
        advice = self.advice(held, "free one of these") if held else advice
        raise ArgumentError(
            f"{self.of.tree.model.name}: {row} does not allow these speeds: it {how.rstrip()}{self.with_held(held)}."
            f" {advice}"
        )
