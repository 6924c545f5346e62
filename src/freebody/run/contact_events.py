"""Contacts of points as rules of a hybrid system: touch, stick, slip and lift-off, with the impulses of impacts.

The equations of a contact that slides have its friction (``formulations/friction.py``); here its flags and the
direction of its slip are chosen, by numbers: M, the rows G of all contacts, and multipliers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.errors import SimulationWarning, warn
from freebody.formulations.friction import factor_symbol
from freebody.hybrid.system import Deferred
from freebody.hybrid.triggers import Crossing
from freebody.hybrid.updates import Change, RefusedError, Rule
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.mechanics import MechanicsFunctions, MechanicsPrograms
from freebody.model.constraints.point_contact import STILL
from freebody.names import ENGAGED, GRIPPING
from freebody.program.program import Program
from freebody.run.contact_impact import impact
from freebody.run.instants import Instants
from freebody.run.programs import RunPrograms
from freebody.run.switching import programs_of_impulses
from freebody.scalar.expr import Expr, sqrt, where
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.tree.constraints import ConstraintEquations, RowKey
from freebody.tree.energy import kinetic

Array = NDArray[np.float64]
SLOW = 1e-6
"""The slip (m/s) below which a contact that slides is examined whether it sticks."""

BEYOND = 1e-6
"""How far a point may be beyond its plane at the start of a run without a warning."""

DEPTH = 1e-9
"""The penetration (m) at which a contact touches; one that others hold at its zero stays above it."""

JAM = 1e-6
"""The smallest factor D by which friction divides the normal force."""

DEPENDENT = 1e-10
"""Singular values of rows of constraints below this fraction of the largest are none."""

HELD = 1e-9
"""The mobility of a point along the normal, relative to that without other contacts, that is none."""

TOGETHER = 1e-4
"""The slip (m/s) of other contacts that ends together with one that is slow."""

EXACT = 1e-9
"""Forces and excesses of this fraction of the largest force are none."""

SHARES, SHARED = 2000, 1e-6
"""The most projections for a share of forces within all cones, and how far outside it may be."""

MOST = 8
"""Contacts at rest that are decided together."""

INSTANT = 1e-7
"""How far a state is followed for rates of slip, relative to the state and its rates."""

TURNS, ALIGNED = 50, 1e-6
"""The most iterations for the directions in which slips begin, and 1 − the cosine to which they are found."""

VALUES = 8
"""Numbers of each contact in its program: φ, its rate, two slips, three multipliers, μ."""


class ContactRows(NamedTuple):
    """A contact: its rows in G (None: left out, as nothing moves along it), and the numbers of its law."""

    name: str
    rows: tuple[int | None, int | None, int | None]
    restitution: float
    rest_speed: float
    rubs: bool
    slip_names: tuple[str, str]


@dataclass(frozen=True)
class ContactProgram:
    """``VALUES`` numbers of each contact, and the kinetic energy."""

    program: Program
    contacts: tuple[ContactRows, ...]


def contact_program(run: RunPrograms) -> ContactProgram:
    """The program of all contacts of a system."""
    e, g, motion = run.e, run.e.graph, run.e.formulation.motion
    equations, keys = ConstraintEquations(motion), list(e.constraints.rows)
    places = {key: k for k, key in enumerate(equations.rows)}
    nodes, contacts = list[Node](), list[ContactRows]()
    for name, contact in e.tree.model.point_contacts.items():
        own = [RowKey(name, k) for k in range(3)]
        normal = equations.residuals[places[own[0]]]
        assert normal is not None
        speeds = [equations.velocities[places[key]] if key in places else g.zero for key in own]
        names = [f"{name}.{label}" for label in ("normal", "t1", "t2")]
        forces = [e.shared_multipliers.get(one, g.zero) for one in names]
        nodes += [normal, *speeds, *forces, motion.scalar(contact.friction).handle]
        rows = tuple(keys.index(key) if key in keys else None for key in own)
        law = contact.restitution, contact.rest_speed, contact.rubs, contact.slip_names
        contacts.append(ContactRows(name, rows, *law))  # type: ignore[arg-type]
    return ContactProgram(run.update("contacts", [*nodes, kinetic(motion)]), tuple(contacts))


def contact_rules(
    run: RunPrograms, first: int, program: Deferred[ContactProgram], mechanics: MechanicsPrograms
) -> tuple[list[Node], list[Rule]]:
    """The conditions of contacts, nodes of the scope, and their rules; ``first`` is the row of the first condition."""
    e, g, motion = run.e, run.e.graph, run.e.formulation.motion
    nodes, rules = list[Node](), list[Rule]()
    equations: ConstraintEquations | None = None
    for name, contact in e.tree.model.point_contacts.items():
        equations = equations or ConstraintEquations(motion)
        places = {key: k for k, key in enumerate(equations.rows)}
        engaged, gap = contact.flag(g), equations.residuals[places[RowKey(name, 0)]]
        assert engaged is not None and gap is not None
        one = Expr(g, g.one)

        def force(label: str, name: str = name) -> Expr:
            return Expr(g, e.shared_multipliers.get(f"{name}.{label}", g.zero))

        conditions = [
            ("touch", where(engaged, one, Expr(g, gap) + DEPTH)),
            ("lift", where(engaged, force("normal"), one)),
        ]
        if contact.rubs:
            grips = contact.row_flag(g, 1)
            assert grips is not None
            slides = where(grips, 0, engaged)
            v1, v2 = (Expr(g, equations.velocities[places[RowKey(name, k)]]) for k in (1, 2))
            s1, s2 = (Expr(g, g.symbol(n, Kind.INPUT)) for n in contact.slip_names)
            speed, begins = sqrt(v1 * v1 + v2 * v2), s1 * s1 + s2 * s2 > 0.5
            f1, f2, mu = force("t1"), force("t2"), motion.scalar(contact.friction)
            conditions += [
                ("slip", where(grips, mu * force("normal") - sqrt(f1 * f1 + f2 * f2), one)),
                ("stick", where(slides, where(begins, v1 * s1 + v2 * s2 + STILL / 2, speed - SLOW), one)),
                ("slide", where(slides, where(begins, 2 * SLOW - speed, one), one)),
                ("jam", where(slides, Expr(g, factor_symbol(g, name)) - JAM, one)),
            ]
        for what, condition in conditions:
            trigger = Crossing(first + len(nodes), -1, False, what in ("lift", "slip", "jam"))
            update = ContactUpdate(what, name, program, mechanics)
            rules.append(Rule(f"{name}: {what}", trigger, (update,)))
            nodes.append(run.scope.copy(e.in_own_speeds([condition.handle]))[0])
    return nodes, rules


def warn_of_points_beyond(instants: Instants, t: float, x: Array) -> None:
    """Warn of points that are beyond their planes at the start: they touch only where they come from the other side."""
    touches = {
        k: update.name
        for k, rule in enumerate(instants.rules)
        for update in rule.updates
        if isinstance(update, ContactUpdate) and update.what == "touch"
    }
    if not touches:
        return
    conditions = instants.conditions(t, x)
    for k, name in touches.items():
        if conditions[k] < -BEYOND:
            warn(
                f"{instants.compiled.about.system}: the point of '{name}' starts {-conditions[k]:.3g} m beyond its"
                " plane, where it does not touch it: start on the plane or above it, or turn its normal",
                SimulationWarning,
            )


@dataclass(frozen=True, eq=False)
class ContactUpdate:
    """What happens to a contact: it touches, lifts off, slips, sticks or jams."""

    what: str
    name: str
    program: Deferred[ContactProgram]
    mechanics: MechanicsPrograms

    @property
    def sets(self) -> tuple[str, ...]:
        return (ENGAGED(self.name),) if self.what == "touch" else ()

    @property
    def clears(self) -> tuple[str, ...]:
        return (ENGAGED(self.name),) if self.what == "lift" else ()

    @property
    def rebounds(self) -> bool:
        return self.what == "touch"

    @property
    def programs(self) -> tuple[Program, ...]:
        return programs_of_impulses(self.program.value.program, self.mechanics)

    def __repr__(self) -> str:
        return f"ContactUpdate{self.what, self.name}"

    def changes_states(self, count: int) -> bool:
        return self.what in ("touch", "stick")

    def __call__(self, compiled: CompiledSystem, t: float, x: Array, d: Array) -> Change:
        """The change, with the impulse of each equation of the constraints and the kinetic energy that is lost."""
        contacts = Contacts(compiled, self.program.value, self.mechanics, t, x, d)
        own = next(one for one in contacts.every if one.name == self.name)
        if self.what == "jam":
            raise contacts.jams(own)
        if self.what == "lift":
            contacts.release(own)
            contacts.settle()
        elif self.what == "touch":
            contacts.touch(own)
        elif self.what == "slip":
            contacts.settle(slips=own)
        elif self.what == "slide":
            contacts.d[[contacts.index[name] for name in own.slip_names]] = 0.0
        else:
            contacts.stop()
        return contacts.change()


class Contacts:
    """The contacts of a system at an instant: a state and a row of inputs and held values that are being changed."""

    def __init__(
        self,
        compiled: CompiledSystem,
        program: ContactProgram,
        mechanics: MechanicsPrograms,
        t: float,
        x: Array,
        d: Array,
    ) -> None:
        self.compiled, self.every, self._program = compiled.scratch, program.contacts, program.program
        self.t, self.x, self.d, self._before = t, x.copy(), d.copy(), (x, d)
        self.index, self.speeds = compiled.system.row.index, compiled.system.speeds
        functions = MechanicsFunctions(self.compiled, mechanics)
        self.M = functions.mass_matrix(t, x)
        self.compiled.d[:] = d
        for one in self.every:
            self.compiled.d[[self.index[name] for name in self._flags(one)]] = 1.0
        rows = functions.constraint(t, x)
        assert rows is not None
        self.G = rows["G"]
        self.start = self.values()

    def _flags(self, one: ContactRows) -> list[str]:
        return [ENGAGED(one.name), *([GRIPPING(one.name)] if one.rubs else [])]

    def values(self) -> Mapping[str, Array]:
        """The numbers of each contact at the present state, and the kinetic energy under ""."""
        self.compiled.d[:] = self.d
        row = np.array(self.compiled.rows(self._program, {"t": np.array([self.t]), "x": self.x}))
        row = row.reshape(-1)
        parts = {one.name: row[VALUES * k : VALUES * (k + 1)] for k, one in enumerate(self.every)}
        return {**parts, "": row[-1:]}

    def is_on(self, flag: str) -> bool:
        return bool(self.d[self.index[flag]])

    def slides(self, one: ContactRows) -> bool:
        return self.is_on(ENGAGED(one.name)) and one.rubs and not self.is_on(GRIPPING(one.name))

    def release(self, one: ContactRows) -> None:
        for name in self._flags(one):
            self.d[self.index[name]] = 0.0

    # Rows of constraints and their forces

    def _row(self, one: ContactRows, k: int) -> Array:
        row = one.rows[k]
        return np.zeros(len(self.speeds)) if row is None else self.G[row]

    def _slip(self, one: ContactRows) -> Array:
        """The direction in which a contact slips."""
        v = self.values()[one.name][2:4]
        size = float(np.hypot(*v))
        return np.array(v / size) if size > SLOW else self.d[[self.index[name] for name in one.slip_names]]

    def _held(self, without: ContactRows) -> tuple[Array, Array, list[ContactRows | None]]:
        """The rows of all that holds beside a contact, the forces of their multipliers, friction included, and the
        contact of each row if it is a normal one."""
        own = {row for one in self.every for row in one.rows}
        rows = [self.G[k] for k in range(len(self.G)) if k not in own]
        forces, contacts = list(rows), list[ContactRows | None]([None] * len(rows))
        for one in self.every:
            if one is without or not self.is_on(ENGAGED(one.name)):
                continue
            normal = force = self._row(one, 0)
            if self.slides(one):
                s = self._slip(one)
                force = normal - self._mu(one) * (s[0] * self._row(one, 1) + s[1] * self._row(one, 2))
            rows, forces, contacts = [*rows, normal], [*forces, force], [*contacts, one]
            if one.rubs and self.is_on(GRIPPING(one.name)):
                tangents = [self._row(one, 1), self._row(one, 2)]
                rows, forces, contacts = [*rows, *tangents], [*forces, *tangents], [*contacts, None, None]
        n = len(self.speeds)
        return np.reshape(rows, (-1, n)), np.reshape(forces, (-1, n)), contacts

    def _mu(self, one: ContactRows) -> float:
        return float(self.start[one.name][7])

    def _responses(self, one: ContactRows, J: Array) -> tuple[Array, Array, list[ContactRows | None]]:
        """The changes of the speeds by unit impulses of the rows J, and those of what else holds: (n, rows), (held,
        rows)."""
        rows, forces, contacts = self._held(one)
        free, columns = np.linalg.solve(self.M, J.T), np.linalg.solve(self.M, forces.T)
        reactions = -np.linalg.pinv(rows @ columns, rcond=DEPENDENT) @ (rows @ free)
        return free + columns @ reactions, reactions, contacts

    # What happens

    def touch(self, one: ContactRows) -> None:
        """An impact, with what holds already; contacts that would have to pull let go, unless it is so slow that
        rocking ends."""
        v, J = self.start[one.name][1:4].copy(), np.array([self._row(one, k) for k in range(3)])
        approach = max(0.0, -float(v[0]))
        e = one.restitution if one.restitution * approach > one.rest_speed else 0.0
        impulse = np.zeros(3)
        while approach > 0:
            response, reactions, contacts = self._responses(one, J)
            if J[0] @ response[:, 0] <= HELD * (J[0] @ np.linalg.solve(self.M, J[0])):
                break  # others hold the point already
            impulse = impact(J @ response, v, self._mu(one) if one.rubs else 0.0, e)
            shares = zip(contacts, reactions @ impulse, strict=True)
            pulls = [c for c, r in shares if c is not None and r < -DEPENDENT and approach > one.rest_speed]
            if not pulls:
                self.x[self.speeds] += response @ impulse
                break
            for other in pulls:
                self.release(other)
        if e == 0:
            self.d[self.index[ENGAGED(one.name)]] = 1.0
        self.settle(approach)

    def stop(self) -> None:
        """Slips that have become slow end, all at once: bodies that turn as they slide come to rest at several points
        at nearly the same time."""
        here, own = self.values(), {row for one in self.every for row in one.rows}
        rows = [self.G[k] for k in range(len(self.G)) if k not in own]
        speeds = [0.0] * len(rows)
        for one in self.every:
            if not self.is_on(ENGAGED(one.name)):
                continue
            v = here[one.name][1:4]
            ends = one.rubs and (not self.slides(one) or float(np.hypot(*v[1:])) <= TOGETHER)
            for k in range(3 if ends else 1):
                rows, speeds = [*rows, self._row(one, k)], [*speeds, float(v[k])]
        R = np.reshape(rows, (-1, len(self.speeds)))
        columns = np.linalg.solve(self.M, R.T)
        self.x[self.speeds] -= columns @ np.linalg.pinv(R @ columns, rcond=DEPENDENT) @ np.array(speeds)
        self.settle()

    def settle(self, approach: float = 0.0, slips: ContactRows | None = None) -> None:
        """Which contacts stick and which slide, and in which directions; those that would have to pull let go. One that
        ``slips`` has reached the limit of its friction."""
        again = True
        while again:
            engaged, here = [one for one in self.every if self.is_on(ENGAGED(one.name))], self.values()
            slow = list[ContactRows]()
            for one in engaged:
                if one.rubs and float(np.hypot(*here[one.name][2:4])) <= SLOW + 1e-9 * approach:
                    slow.append(one)
                elif one.rubs:
                    self._slide(one, np.zeros(2))
            again = self._decide(engaged, slow, slips)
            slips = None
        for one in self.every:
            if self.slides(one) and self._factor(one) < JAM:
                raise self.jams(one)

    def _lets_go(self, engaged: list[ContactRows]) -> bool:
        """Release a contact that would have to pull, and that separates when it is released; whether there is one.
        Where others hold it too, so that it would stay where it is, its share of their forces may be negative."""
        here = self.values()
        forces = {one.name: float(here[one.name][4]) for one in engaged}
        largest = max(map(abs, forces.values()), default=0.0)
        for one in sorted(engaged, key=lambda one: forces[one.name]):
            if forces[one.name] >= -EXACT * largest:
                break
            known = self.d.copy()
            self.release(one)
            if self._rates([one])[one.name][0] > 0:
                return True
            self.d = known
        return False

    def _slide(self, one: ContactRows, direction: Array) -> None:
        self.d[self.index[GRIPPING(one.name)]] = 0.0
        self.d[[self.index[name] for name in one.slip_names]] = direction

    def _grip(self, one: ContactRows) -> None:
        self.d[self.index[GRIPPING(one.name)]] = 1.0
        self.d[[self.index[name] for name in one.slip_names]] = 0.0

    def _decide(self, engaged: list[ContactRows], slow: list[ContactRows], slips: ContactRows | None) -> bool:
        """Of contacts without slip, as few as possible slide: those that stick have forces within their cones, and
        those that slide begin to do so against their friction. Where several contacts share forces that equations do
        not determine, some share within the cones is enough. Returns whether one had to let go instead, so that the
        others are to be decided again."""
        if len(slow) > MOST:
            raise RefusedError(
                f"{len(slow)} contacts are at rest at once, and at most {MOST} are decided together whether they stick;"
                " describe them with their compliance, s.contact(…)"
            )
        needed, choices = dict[str, Array](), list[tuple[bool, Array]]()
        for mask in sorted(range(2 ** len(slow)), key=int.bit_count):
            sliding = [one for k, one in enumerate(slow) if mask >> k & 1]
            for one in slow:
                self._grip(one)
            for one in sliding:
                self._slide(one, -needed[one.name])
            if not self._begins(sliding):
                continue
            here = self.values()
            if not mask:
                forces = {one.name: here[one.name][5:7] for one in slow}
                needed = {name: f / max(float(np.hypot(*f)), 1e-300) for name, f in forces.items()}
            inside = self._share(engaged, here) <= EXACT
            if inside and (slips is None or slips in sliding):
                return False
            choices.append((inside, self.d.copy()))
        for inside, d in sorted(choices, key=lambda choice: not choice[0]):
            self.d = d.copy()
            if inside or self._share(engaged, self.values(), SHARES) <= SHARED:
                return False
        for _, d in choices:
            self.d = d.copy()
            if self._lets_go(engaged):
                return True
        for one in engaged:
            if self.slides(one) and self._factor(one) < JAM:
                raise self.jams(one)
        names = ", ".join(f"'{one.name}'" for one in engaged)
        raise RefusedError(
            f"contacts {names} can neither stick nor slide nor let go in any combination, so that rigid bodies have no"
            " motion from here. Describe them with their compliance: s.contact(…)"
        )

    def _share(self, engaged: list[ContactRows], here: Mapping[str, Array], turns: int = 1) -> float:
        """How far the forces of contacts are outside their cones, relative to all forces: the least that projections to
        the cones and to the forces with the same effect on the motion, in turn, reach."""
        columns, parts, force = list[Array](), list[tuple[int, float]](), list[float]()
        for one in engaged:
            parts.append((len(columns), self._mu(one) if one.rubs and self.is_on(GRIPPING(one.name)) else -1.0))
            normal = self._row(one, 0)
            if self.slides(one):
                s = self._slip(one)
                normal = normal - self._mu(one) * (s[0] * self._row(one, 1) + s[1] * self._row(one, 2))
            columns.append(normal)
            force.append(float(here[one.name][4]))
            if parts[-1][1] >= 0:
                columns += [self._row(one, 1), self._row(one, 2)]
                force += here[one.name][5:7].tolist()
        f = np.array(force)
        scale = float(np.abs(f).max(initial=0.0))
        if not scale:
            return 0.0
        C, least = np.array(columns).T, np.inf
        inverse, total = np.linalg.pinv(C, rcond=DEPENDENT), C @ f
        for _ in range(turns):
            inside = f.copy()
            for k, mu in parts:
                inside[k : k + (3 if mu >= 0 else 1)] = _in_cone(f[k : k + (3 if mu >= 0 else 1)], mu)
            least = min(least, float(np.abs(inside - f).max()) / scale)
            if least <= EXACT:
                break
            f = inside - inverse @ (C @ inside - total)
        return least

    def _begins(self, sliding: list[ContactRows]) -> bool:
        """Turn the directions in which contacts slide, at rest, until their slips begin in them; whether they do."""
        for _ in range(TURNS if sliding else 0):
            rates, turned = self._rates(sliding), False
            for one in sliding:
                rate, direction = rates[one.name][1:], self.d[[self.index[name] for name in one.slip_names]]
                size = float(np.hypot(*rate))
                if size > 0 and rate @ direction < (1 - ALIGNED) * size:
                    both = direction + rate / size
                    length = float(np.hypot(*both))
                    self._slide(one, both / length if length > ALIGNED else rate / size)
                    turned = True
            if not turned:
                return True
        return not sliding

    def _rates(self, contacts: list[ContactRows]) -> dict[str, Array]:
        """The rates of the normal speed and of the slips of contacts; 0 where they are only what rounding leaves."""
        here, x = self.values(), self.x
        rate = self.compiled.x_dot(self.t, self.x)
        largest = float(np.abs(rate).max(initial=0.0))
        step = INSTANT * max(1.0, float(np.abs(x).max(initial=0.0))) / max(1.0, largest)
        self.x = x + step * rate
        later, self.x = self.values(), x
        rates = {one.name: (later[one.name] - here[one.name])[1:4] / step for one in contacts}
        return {name: np.where(np.abs(v) < 1e-6 * largest, 0.0, v) for name, v in rates.items()}

    def _factor(self, one: ContactRows) -> float:
        """D of a contact that slides, with what else holds: the change of its normal speed by a normal impulse with its
        friction, over that without friction."""
        s, J = self._slip(one), np.array([self._row(one, k) for k in range(3)])
        response, _, _ = self._responses(one, J)
        W = J @ response
        return float(W[0] @ np.array([1.0, *(-self._mu(one) * s)]) / W[0, 0])

    def jams(self, one: ContactRows) -> RefusedError:
        """The error of a contact whose friction prevents a normal force (Painlevé)."""
        return RefusedError(
            f"contact '{one.name}' jams: in the direction in which it slips, its friction (μ = {self._mu(one):g})"
            " presses the bodies together by more than its normal force separates them (Painlevé's paradox), so that"
            " rigid bodies have no motion from here. Describe the contact with its compliance: s.contact(…,"
            " material=fb.ContactMaterial(stiffness=…, friction=…))"
        )

    def change(self) -> Change:
        x, _ = self._before
        if np.array_equal(self.x, x):
            return Change(self.x, self.d)
        change = self.M @ (self.x[self.speeds] - x[self.speeds])
        impulses: Array = np.linalg.lstsq(self.G.T, change, rcond=DEPENDENT)[0].astype(float)
        lost = float(self.start[""][0] - self.values()[""][0])
        facts: dict[str, Any] = {"impulses": impulses, "lost": lost}
        return Change(self.x, self.d, facts)


def _in_cone(force: Array, mu: float) -> Array:
    """The nearest force (normal, and along both tangents) in the cone of friction; a normal force alone must push."""
    if len(force) == 1:
        return np.maximum(force, 0.0)
    n, t = float(force[0]), float(np.hypot(*force[1:]))
    if t <= mu * n:
        return force
    if mu * t <= -n:
        return np.zeros(3)
    normal = (n + mu * t) / (1 + mu * mu)
    return np.array([normal, *(mu * normal / t * force[1:])])
