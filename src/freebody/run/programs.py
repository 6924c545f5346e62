"""The programs of a run: ẋ with its inputs driven, what is recorded, events and their resets, exact Jacobians."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property, partial, reduce
from typing import NamedTuple

from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.derivation import Derivation, projection
from freebody.hybrid.variables import Variable
from freebody.model.constraints.point_contact import TANGENTS
from freebody.model.joints.base import scalar
from freebody.model.signals import SignalSource
from freebody.names import ENGAGED, POSE, POSE_OF, U_DOT, Q, Z, companions
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.run.held_names import held_columns, recorded_samples, sampled_variables
from freebody.run.initial import modal_stiffness, state_keys
from freebody.run.inputs import XYZ, RunScope, driven_slots
from freebody.run.rate_jumps import MomentumProgram, TimedProgram
from freebody.run.switching import SwitchProgram, SwitchRow
from freebody.scalar.derivative import gradient, jacobian, jvp
from freebody.scalar.expr import Expr, sqrt, where
from freebody.scalar.expr import max as largest_of
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute, symbols_of, transfer
from freebody.spatial.resolved import Vec
from freebody.spatial.scalars import dot3
from freebody.spatial.vector import Vector, components
from freebody.tables import listed
from freebody.tree.constraints import ConstraintEquations, RowInfo
from freebody.tree.energy import forces_of_drives, kinetic, momentum, potential, powers, strain, whole_momentum
from freebody.tree.inertia import link_inertia
from freebody.tree.joint_forces import along_speed, driven_coordinates, driven_speeds
from freebody.tree.passes import LinkPose, inwards, outwards, pose, to_parent
from freebody.tree.tree import Tree, quaternions

ALONG = "along the ground's axes"
FORCES = {"m": "N", "m/s": "N", "rad": "N·m", "rad/s": "N·m", "": "N·m"}
"""Units of multipliers by that of their equation: a multiplier times its residual is an energy."""

UNDETERMINED = "not determined by the motion: the least-squares share"
"""What is recorded of a multiplier that shares its load with others."""


Slot = tuple[Variable, Callable[[], list[Node]]]
"""A recorded variable, and what returns its nodes in the equations."""


def body_poses(tree: Tree) -> list[list[Node]]:
    """Of each body its rotation matrix, row by row, and its position in the ground, as nodes."""
    poses, link_poses = list[list[Node]](), outwards(tree.links, pose, LinkPose.at(tree.root))
    for *_, link in tree.bodies:
        here, shift = link_poses[link.index], Vec(link.frame, components(-link.shift, link.frame))
        axes = [axis.in_(link.body.frame).c for axis in here.axes]
        poses.append([*(x for row in axes for x in row), *(here.origin + here.to_root(shift)).c])
    return poses


def neglected_terms(e: Derivation) -> str:
    """The flexible bodies of orders that neglect terms, in words; empty if there are none."""
    orders = dict[str, list[str]]()
    for *_, link in e.tree.bodies:
        spec = link.body.spec.described
        if spec.flexible is not None and spec.order != "full":
            orders.setdefault(spec.order, []).append(f"'{spec.name}'")
    return " and ".join(f"order='{order}' of {listed(names)}" for order, names in orders.items())


def quaternion(*turn: Expr) -> list[Expr]:
    """(w, x, y, z) of a rotation matrix, row by row, from the largest of its four components, as
    ``spatial.quaternions`` computes it."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = turn
    squares = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz]
    wx, wy, wz, sx, sy, sz = zy - yz, xz - zx, yx - xy, xy + yx, xz + zx, yz + zy
    w, x, y, z = squares
    rows = [[w, wx, wy, wz], [wx, x, sx, sy], [wy, sx, y, sz], [wz, sy, sz, z]]
    row = rows[3]
    for k in (2, 1, 0):
        first = squares[k] >= largest_of(*squares[k + 1 :])
        row = [where(first, a, b) for a, b in zip(rows[k], row, strict=True)]
    length = sqrt(sum((a * a for a in row[1:]), row[0] * row[0]))
    return [a / length for a in row]


def _alone(node: Callable[[], Node | None]) -> list[Node]:
    handle = node()
    assert handle is not None, "only variables with nodes are recorded"
    return [handle]


class GroupedSignals(NamedTuple):
    """A variable of a group of signals: its group, its name there, and the outputs that are its components."""

    group: str
    name: str
    outputs: tuple[str, ...]


def grouped_signals(e: Derivation) -> list[GroupedSignals]:
    """The signals of elements that have a group, such as contacts; components .x, .y, .z are one vector."""
    variables = dict[tuple[str, str], list[str]]()
    for load in e.tree.model.loads.values():
        if not isinstance(load, SignalSource) or not load.group:
            continue
        for signal in load.own_signals():
            full = load.full_name(signal.suffix)
            if full in e.outputs:
                vector = full.removesuffix(full[-2:]) if full[-2:] in (".x", ".y", ".z") else full
                variables.setdefault((load.group, vector.removeprefix(f"{load.group}.")), []).append(full)
    return [GroupedSignals(*key, tuple(outputs)) for key, outputs in variables.items()]


class RunPrograms:
    """Programs of equations whose inputs follow laws (nodes of ``scope`` by input name); the other inputs are numbers
    passed at run time. Laws in ``rates`` may use the numbers of their own inputs. With laws the programs are assembled
    in the graph of the scope, without in that of the equations. ``called`` are symbols for the values of Python
    functions, one more group of the programs. ``written`` are inputs that timed rules write, beside those of sampled
    elements."""

    def __init__(
        self,
        scope: RunScope,
        laws: Mapping[str, Node],
        rates: Mapping[str, Node] | None = None,
        called: Sequence[Node] = (),
        written: Collection[str] = (),
    ) -> None:
        self.e, self.scope, self.called = scope.e, scope, list(called)
        self.laws = {**laws, **(rates or {})}
        self.written = {*self.e.tree.model.controlled, *written}
        inputs = dict(zip(self.e.layout.inputs, self.e.groups()["inputs"], strict=True))
        self._copied = {inputs[n]: law for n, law in self.laws.items()}
        self._laws_in_scope = {scope.copy([inputs[n]])[0]: law for n, law in self.laws.items()}
        self.graph = scope.graph if self.laws else self.e.graph
        for name, law in laws.items():
            if self._insert_laws_in_scope([law]) != [law]:
                raise ArgumentError(
                    f"input '{name}': its law uses another input that follows a law; write that law in its place"
                )

    def insert_laws(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of the equations with laws in place of inputs, in ``graph``."""
        return self._copy_with_laws(nodes) if self.laws else list(nodes)

    def _copy_with_laws(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of the equations with laws in place of inputs, in the graph of the scope."""
        self._copied = transfer(self.e.graph, nodes, self.scope.graph, self._copied)
        return [self._copied[n] for n in nodes]

    def _insert_laws_in_rows(self, rows: Sequence[Sequence[Node]]) -> list[list[Node]]:
        nodes = iter(self.insert_laws([h for row in rows for h in row]))
        return [[next(nodes) for _ in row] for row in rows]

    def _insert_laws_in_scope(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of the scope with laws in place of inputs."""
        return substitute(self.scope.graph, list(nodes), self._laws_in_scope) if self.laws else list(nodes)

    def insert_in_scope(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of the equations with laws in place of inputs, in the graph of the scope."""
        return self._insert_laws_in_scope(self.scope.copy(nodes))

    def groups(self, graph: Graph, *more: str) -> dict[str, list[Node]]:
        """Parameters, t, x = [q, u, z], inputs, and more groups by name, as symbols of a graph."""
        groups = self.e.groups(*more)
        x = [*groups.pop("q"), *groups.pop("u"), *groups.pop("z")]
        groups = {"parameters": groups.pop("parameters"), "t": groups.pop("t"), "x": x, **groups}
        if graph is self.e.graph:
            return groups
        return {n: self.scope.copy(h) for n, h in groups.items()} | ({"called": self.called} if self.called else {})

    def with_called_values(self) -> "RunPrograms":
        """The same with the values of the Python functions in the laws as one more group, ``called``: its programs call
        no function."""
        g, nodes = self.scope.graph, self.scope.called_nodes(self.laws.values())
        if not nodes:
            return self
        what = "value of a Python function"
        symbols = {node: g.symbol(f"called.{k + 1}", Kind.INPUT, what) for k, node in enumerate(nodes)}
        laws = dict(zip(self.laws, substitute(g, list(self.laws.values()), symbols), strict=True))
        return RunPrograms(self.scope, {}, laws, list(symbols.values()), self.written)

    def _assembly(self, name: str, *more: str) -> Assembly:
        return Assembly(name, self.graph, self.groups(self.graph, *more))

    @cached_property
    def z_dot(self) -> list[Node]:
        return self.insert_laws(self.e.state_rates)

    def state_dot(self) -> Program:
        a = self._assembly("state_dot")
        u_dot = self.e.u_dot(a, (), self.insert_laws)
        a.output("x_dot", [*self.insert_laws(self.e.q_dot), *u_dot, *self.z_dot])
        return self.e.finish(a.program())

    def solution(self) -> Program:
        """u̇ and the multipliers of constraints."""
        a = self._assembly("solution")
        u_dot, multipliers, _ = self.e.solution(a, (), self.insert_laws)
        a.output("u_dot", u_dot)
        a.output("multipliers", multipliers)
        return a.program()

    def stage_solution(self) -> Program:
        """u̇ and the multipliers of constraints in one row, at the flags of constraints."""
        a = self._assembly("stage_solution")
        u_dot, multipliers, _ = self.e.solution(a, (), self.insert_laws)
        a.output("solution", [*u_dot, *multipliers])
        return a.program()

    def switching(self) -> SwitchProgram:
        """What switching of constraints needs to know at a state."""
        e, a, motion = self.e, self._assembly("switching"), self.e.formulation.motion
        constraints = {name: c for name, c in e.tree.model.constraints.items() if c.engaged is not None}
        equations = ConstraintEquations(motion)
        phi, velocities, rows = list[Node](), list[Node](), list[SwitchRow]()
        cosines, turned = list[Node](), list[str]()
        every = zip(equations.rows.items(), equations.residuals, equations.velocities, strict=True)
        for (key, row), residual, velocity in every:
            if key.constraint in constraints:
                phi.append(e.graph.zero if residual is None else residual)
                velocities.append(velocity)
                rows.append(SwitchRow(key.constraint, row.label, row.unit))
        for name, constraint in constraints.items():
            own = [cosine.handle for cosine in constraint.cosines(motion)]
            cosines, turned = [*cosines, *own], [*turned, *[name] * len(own)]
        closures = [c for c in constraints.values() if c.captures]
        poses = [c.meeting_pose(motion) for c in closures]
        a.output("phi", self.insert_laws(phi))
        a.output("velocities", self.insert_laws(velocities))
        a.output("cosines", self.insert_laws(cosines))
        a.output("poses", self._insert_laws_in_rows(poses), (len(poses), 12))
        a.output("kinetic", self.insert_laws([kinetic(motion)])[0])
        states, first = list(e.layout.z), len(e.layout.q) + len(e.layout.u)
        zeros = tuple({first + states.index(n): x for n, x in c.captured_states.items()} for c in closures)
        corrections = {n: own for n, own in equations.corrections_by_constraint.items() if n in constraints}
        a.output("corrections", self.insert_laws([h for own in corrections.values() for h in own.values()]))
        names = {h: e.graph.symbols[e.graph.a[h]].name for own in corrections.values() for h in own}
        followers = {n: tuple(first + states.index(names[h]) for h in own) for n, own in corrections.items()}
        posed = tuple(c.name for c in closures)
        return SwitchProgram(a.program(), tuple(rows), tuple(turned), posed, zeros, followers, modal_stiffness(e))

    def project(self) -> Program:
        """One correction of a state towards the constraints."""
        return projection(self.e, self._assembly("project"), self.insert_laws)

    def moving_inputs(self) -> tuple[list[int], Program] | None:
        """The inputs that move joints, at a time: their places among all inputs, and their values; None where there are
        none, or these do not follow laws."""
        e = self.e
        names = [n for name in e.tree.model.driving for n in (name, *companions(name)[:2]) if n in self.laws]
        if not names:
            return None
        inputs, a = dict(zip(e.layout.inputs, e.groups()["inputs"], strict=True)), self._assembly("moving_inputs")
        a.output("values", self.insert_laws([inputs[n] for n in names]))
        return [e.layout.inputs.index(n) for n in names], a.program()

    def drift(self) -> Program:
        """φ, and G u + offset, also of equations that are left out as they follow from others."""
        e, a, others = self.e, self._assembly("drift"), self.e.equations_left_out
        positions = [h for h in others.held([h or e.graph.zero for h in others.residuals]) if not e.graph.vanishes(h)]
        a.output("position", self.insert_laws([*e.residuals, *positions]))
        a.output("speed", self.insert_laws([*e.velocities, *e.in_own_speeds(others.held(others.velocities))]))
        return a.program()

    def left_out(self) -> tuple[tuple[str, ...], Program] | None:
        """The names of the equations that are left out although some speed or time changes them, and how far a state is
        from them: |φ|, or |G u + offset| of equations of speeds, over the sum of the derivatives. None if there are
        none."""
        e, g, a = self.e, self.e.graph, self._assembly("left_out")
        equations, distances = e.equations_left_out, list[Node]()
        if not equations.rows:
            return None
        values = [v if h is None else h for h, v in zip(equations.residuals, equations.velocities, strict=True)]
        for value, row in zip(equations.held(values), equations.rows.values(), strict=True):
            size = sum((abs(Expr(g, x)) for x in equations.forces_of(row).values()), Expr(g, g.zero))
            distances.append((abs(Expr(g, value)) / where(size > 0, size, 1)).handle)
        a.output("distances", self.insert_laws(e.in_own_speeds(distances)))
        return equations.names, a.program()

    def conditions(self, nodes: Sequence[Node]) -> Program:
        """The functions of events whose zeros are located, nodes of the scope. Accelerations are those under the
        laws."""
        a = Assembly("events", self.scope.graph, self.groups(self.scope.graph))
        a.output("g", self.e.insert_u_dot(a, self._insert_laws_in_scope(nodes), insert_laws=self._copy_with_laws))
        return a.program()

    def values(self, name: str, nodes: Sequence[Node]) -> Program:
        """The values of nodes of the scope in one row, accelerations included."""
        a = Assembly(name, self.scope.graph, self.groups(self.scope.graph))
        a.output("values", self.e.insert_u_dot(a, self._insert_laws_in_scope(nodes), insert_laws=self._copy_with_laws))
        return a.program()

    def reset(self, changes: Mapping[int, Node]) -> Program:
        """The state after an event: some entries of x replaced by nodes of the scope."""
        groups = self.groups(self.scope.graph)
        a = Assembly("reset", self.scope.graph, groups)
        after = self._insert_laws_in_scope([changes.get(k, h) for k, h in enumerate(groups["x"])])
        a.output("after", self.e.insert_u_dot(a, after, insert_laws=self._copy_with_laws))
        return a.program()

    def update(self, name: str, nodes: Sequence[Node]) -> Program:
        """The values of nodes of the equations in one row, accelerations included, under the laws."""
        a = self._assembly(name)
        values = self.insert_laws(self.e.in_own_speeds(nodes))
        a.output("after", self.e.insert_u_dot(a, values, insert_laws=self.insert_laws))
        return a.program()

    def present(self, nodes: Sequence[Node]) -> Program:
        """Nodes of the scope, whose inputs have their laws in place, in one row, ``now``."""
        a = Assembly("values", self.scope.graph, self.groups(self.scope.graph))
        a.output("now", self.e.insert_u_dot(a, list(nodes), insert_laws=self._copy_with_laws))
        return a.program()

    def nodes_of_text(self, text: str) -> list[Node]:
        """A text as a node of the scope."""
        return self._insert_laws_in_scope([self.scope.node(text, f"'{text}'", accelerations=True)])

    def nodes_of_variable(self, key: str) -> list[Node]:
        """The numbers of a recorded variable that follows from the state, as nodes of the scope."""
        nodes = self._copy_with_laws(self._unit_nodes[key]())
        if not POSE_OF.holds(key):
            return nodes
        g = self.scope.graph
        turn = quaternion(*(Expr(g, x) for x in nodes[:9]))
        return [*nodes[9:], *(x.handle for x in turn)]

    @cached_property
    def _unit_nodes(self) -> dict[str, Callable[[], list[Node]]]:
        """The nodes of each recorded variable in the equations; of a pose, its rotation matrix and its position."""
        e, motion = self.e, self.e.formulation.motion
        groups = e.groups()
        states = [*groups["q"], *groups["u"], *groups["z"]]
        nodes: dict[str, Callable[[], list[Node]]] = {
            key: partial(list, [node]) for key, node in zip(state_keys(e), states, strict=True)
        }
        inputs = dict(zip(e.layout.inputs, groups["inputs"], strict=True))
        held = held_columns(e).items()
        nodes |= {column: partial(list, [inputs[name]]) for name, column in held if name in inputs}
        nodes |= {U_DOT(n): partial(list, [a]) for n, a in zip(e.layout.u, e.accelerations, strict=True)}
        nodes |= {variable.key: of for variable, of in self.slots}

        def energies(kinds: str) -> list[Node]:
            parts = [kinetic(motion)] * ("k" in kinds) + [potential(motion)] * ("p" in kinds)
            return [reduce(e.graph.add, parts)]

        for name, kinds in (("kinetic", "k"), ("potential", "p"), ("total", "kp")):
            nodes[f"energy.{name}"] = partial(energies, kinds)
        nodes["momentum.linear"] = lambda: list(whole_momentum(motion).linear.c)
        nodes["momentum.angular"] = lambda: list(whole_momentum(motion).angular.c)
        for k, (*_, link) in enumerate(e.tree.bodies):
            nodes[POSE_OF(link.name)] = partial(lambda k: body_poses(e.tree)[k], k)
        return nodes

    def jacobian(self) -> Program | None:
        """M, and ∂(q̇, f − M u̇, ż)/∂x for fixed u̇: M⁻¹ times its middle rows are ∂u̇/∂x, exactly and without the
        derivative of a factorisation. With constraints also G, and ∂(q̇, f + Gᵀλ − M u̇, ż, γ − G u̇)/∂x for fixed u̇ and
        λ. None for a user's function without derivative, and for so many bodies that they are rolled: implicit methods
        take differences then."""
        e, g, constrained = self.e, self.graph, bool(self.e.tree.model.constraints)
        if e.is_cheaper:
            return None
        a = self._assembly("jacobian", "u_dot", *["multipliers"][:constrained])
        forces, accelerations = e.balance
        x = self.groups(g)["x"]
        functions = [*self.insert_laws([*e.q_dot, *forces]), *self.z_dot, *self.insert_laws(accelerations)]
        try:
            entries = jacobian(g, functions, x)
        except ExpressionError:
            return None
        a.output("M", self._insert_laws_in_rows(e.full_mass()))
        a.output("J", [[entries.get((i, j), g.zero) for j in range(len(x))] for i in range(len(functions))])
        if constrained:
            a.output("G", self._insert_laws_in_rows(e.jacobian), (len(e.jacobian), len(e.layout.u)))
        return a.program()

    @cached_property
    def position_rows(self) -> tuple[int, ...]:
        """The indices of constraints' equations that have a multiplier μ: those of positions (``integrate.sundials``).
        Stabilised equations have none."""
        stabilised = self.e.formulation.stabilisation is not None
        rows = [] if stabilised else enumerate(self.e.constraints.residuals)
        return tuple(k for k, residual in rows if residual is not None)

    @cached_property
    def _position_multipliers(self) -> list[Node]:
        """The symbols of μ: those of ``position_rows``, and one for each quaternion."""
        g, count = self.e.graph, len(self.position_rows) + len(quaternions(self.e.tree))
        about = "multiplier of an equation of positions"
        return [g.symbol(f"position_multiplier.{k + 1}", Kind.ACCELERATION, about) for k in range(count)]

    @cached_property
    def _dae(self) -> list[Node]:
        """N (u + Gᵀμ) + n, f + Gᵀλ − M u̇, ż, and for each λ and μ an equation: G u + offset and φ, or γ − G u̇ in
        stabilised equations. A quaternion p has the term p μ, and the equation (p·p − 1)/2 = 0."""
        e, g, mu, n = self.e, self.e.graph, self._position_multipliers, len(self.position_rows)
        (forces, equations), delta = e.balance, [g.zero] * len(e.layout.u)
        positions = [e.residuals[k] for k in self.position_rows]
        for k, multiplier in zip(self.position_rows, mu[:n], strict=True):
            delta = [g.add(d, g.mul(x, multiplier)) for d, x in zip(delta, e.jacobian[k], strict=True)]
        if e.formulation.stabilisation is None:
            equations = e.velocities
        q_dot = [*map(g.add, e.q_dot, jvp(g, e.q_dot, dict(zip(e.layout.u_handles, delta, strict=True))))]
        for k, multiplier in zip(quaternions(e.tree), mu[n:], strict=True):
            p, square = range(k, k + 4), g.neg(g.one)
            for i in p:
                square = g.add(square, g.mul(e.layout.q_handles[i], e.layout.q_handles[i]))
                q_dot[i] = g.add(q_dot[i], g.mul(e.layout.q_handles[i], multiplier))
            positions.append(g.div(square, g.const(2)))
        return [*self.insert_laws([*q_dot, *forces]), *self.z_dot, *self.insert_laws([*equations, *positions])]

    def _dae_groups(self) -> dict[str, list[Node]]:
        mu, groups = self._position_multipliers, self.groups(self.graph, "u_dot", "multipliers")
        return {**groups, "mu": mu if self.graph is self.e.graph else self.scope.copy(mu)}

    def dae(self) -> Program | None:
        """The equations of ``_dae`` in x, u̇, λ and μ; None for so many bodies that they are rolled."""
        if self.e.is_cheaper:
            return None
        a = Assembly("dae", self.graph, self._dae_groups())
        a.output("right", self._dae)
        return a.program()

    def dae_jacobian(self) -> Program | None:
        """Their derivatives by x, λ and μ, row by row, and M behind; None for a user's function without derivative."""
        if self.e.is_cheaper:
            return None
        g, groups = self.graph, self._dae_groups()
        a, unknowns = Assembly("dae_jacobian", g, groups), [*groups["x"], *groups["multipliers"], *groups["mu"]]
        try:
            entries = jacobian(g, self._dae, unknowns)
        except ExpressionError:
            return None
        J = [entries.get((i, j), g.zero) for i in range(len(self._dae)) for j in range(len(unknowns))]
        a.output("derivatives", [*J, *(x for row in self._insert_laws_in_rows(self.e.full_mass()) for x in row)])
        return a.program()

    def record(self) -> Program:
        """``x_dot``; ``poses``: the rotation of each body (9, row by row) and its origin's position in the ground;
        ``energy``: kinetic and potential; ``momentum``: linear, and angular about the ground's origin; ``slots``."""
        a, e, motion = self._assembly("record"), self.e, self.e.formulation.motion
        momentum, solution = whole_momentum(motion), e.solution(a, (), self.insert_laws)
        a.output("x_dot", [*self.insert_laws(e.q_dot), *solution.u_dot, *self.z_dot])
        poses = [self._known(row) for row in body_poses(e.tree)]
        a.output("poses", self._insert_laws_in_rows(poses))
        a.output("energy", self.insert_laws(self._known([kinetic(motion), potential(motion)])))
        a.output("momentum", self.insert_laws(self._known([*momentum.linear.c, *momentum.angular.c])))
        nodes = self.insert_laws([h for _, nodes in self.slots for h in nodes()])
        a.output("slots", e.insert_u_dot(a, nodes, solution, insert_laws=self.insert_laws))
        return a.program()

    def _known(self, nodes: Sequence[Node]) -> list[Node]:
        """Nodes of the equations with 0 in place of those that depend on omitted coordinates, which ``variables``
        leaves out."""
        if not self._omitted:
            return list(nodes)
        return [self.e.graph.zero if self._needs_omitted([h]) else h for h in nodes]

    def _needs_omitted(self, nodes: Sequence[Node]) -> bool:
        """Whether nodes of the equations depend on coordinates that are omitted."""
        g = self.e.graph
        return bool(self._omitted) and not self._omitted.isdisjoint(symbols_of(g, nodes))

    @cached_property
    def _omitted(self) -> set[int]:
        return {h for n in self.e.tree.model.omitted if (h := self.e.graph.named(Q(n))) is not None}

    def balance(self) -> Program | None:
        """Kinetic energy, potential energy, and the sum of the powers that change them; None where this calls users'
        functions, where it depends on omitted coordinates, and for flexible bodies of orders whose energy does not
        balance."""
        a, g, motion = self._assembly("balance"), self.e.graph, self.e.formulation.motion
        if neglected_terms(self.e):
            return None
        total = reduce(g.add, self._powers.values(), g.zero)
        own = [kinetic(motion), potential(motion), total]
        if self._needs_omitted(own):
            return None
        nodes = self.insert_laws(own)
        a.output("balance", self.e.insert_u_dot(a, nodes, insert_laws=self.insert_laws))
        program = a.program()
        return None if any(block.calls for block in program.blocks) else program

    def live(self) -> Program:
        """What a live view shows of a state, in one row: of each body its pose (12), as in ``record``, its angular
        velocity and the velocity of its origin (6) along the ground's axes; then the kinetic and the potential
        energy."""
        a, e, motion, row = self._assembly("live"), self.e, self.e.formulation.motion, list[Node]()
        for place, (*_, link) in zip(body_poses(e.tree), e.tree.bodies, strict=True):
            twist, frame = motion.twist(link), link.body.frame
            velocity = twist.linear - twist.angular.cross(Vec(link.frame, components(link.shift, link.frame)))
            along = [(place[k], place[k + 1], place[k + 2]) for k in (0, 3, 6)]  # the ground's axes in the body's frame
            row += place
            row += [dot3(e.graph, axis, v.in_(frame).xyz) for v in (twist.angular, velocity) for axis in along]
        a.output("now", self.insert_laws([*row, kinetic(motion), potential(motion)]))
        return a.program()

    def timed(self) -> TimedProgram | None:
        """What depends on time alone, or on time too; None if nothing does."""
        e, coordinates, drives, nodes = self.e, list[tuple[str, str]](), list[str](), (list[Node](), list[Node]())
        for link in e.tree.links:
            body = link.body
            if body.coupling is not None:
                continue
            for k in driven_coordinates(link):
                coordinates.append((body.spec.names[0][k], body.spec.joint.units[0][k]))
                nodes[0].append(body.q[k].handle)
            for k in driven_speeds(link):
                drives.append(body.spec.names[1][k])
                nodes[1].append(body.u[k].handle)
        timed = [
            k
            for k, pair in enumerate(zip(e.residuals, e.velocities, strict=True))
            if any(e.graph.mask[node] & Kind.TIME for node in pair)
        ]
        if not drives and not timed:
            return None
        a = self._assembly("timed")
        for name, values in zip(("q", "u"), nodes, strict=True):
            a.output(name, self.insert_laws(values))
        for name, values in (("phi", e.residuals), ("v", e.velocities)):
            a.output(name, self.insert_laws([values[k] for k in timed]))
        return TimedProgram(
            a.program(), tuple(coordinates), tuple(drives), tuple(e.constraints.names[k] for k in timed)
        )

    def momenta(self) -> MomentumProgram:
        """Momenta of free and driven speeds, and what impulses of constraints do at drives."""
        e, motion, links = self.e, self.e.formulation.motion, self.e.tree.links
        a, g, (equations, multipliers) = self._assembly("momenta", "multipliers"), self.e.graph, self.e.working
        moving = [momentum(link, motion.twist(link), link_inertia(link)) for link in links]
        totals, held = inwards(links, moving, to_parent), inwards(links, equations.loads(multipliers), to_parent)
        driven, drives, motions = list[Node](), list[Node](), list[str]()
        for link in links:
            body = link.body
            for k in (k for k, given in enumerate(body.prescribed) if given is not None):
                rotor = g.mul(scalar(g, body.spec.joint.armature), body.u[k].handle)
                driven.append(g.add(along_speed(link, k, totals[link.index]), rotor))
                drives.append(g.neg(along_speed(link, k, held[link.index])))
                motions.append(body.spec.described.name)
        powers = equations.powers(multipliers)
        a.output("free", self.insert_laws(gradient(g, kinetic(motion), e.layout.u_handles)))
        for name, nodes in (("driven", driven), ("drives", drives), ("powers", list(powers.values()))):
            a.output(name, self.insert_laws(nodes))
        return MomentumProgram(a.program(), tuple(motions), tuple(powers))

    def bodies(self) -> Program:
        """Mass, mass centre (3) and inertia about it (9) of each body: constants of the parameters."""
        a, rows = self._assembly("bodies"), []
        for *_, link in self.e.tree.bodies:
            r = link.body.spec
            rows.append([s.handle for s in (r.mass, *r.com, *(x for row in r.inertia for x in row))])
        a.output("bodies", self._insert_laws_in_rows(rows))
        return a.program()

    def followers(self, names: Sequence[str]) -> Program:
        """Coordinates that are prescribed or follow others."""
        nodes = {slot.name: nodes for slot, nodes in self.slots if slot.group == "q"}
        a = self._assembly("followers")
        a.output("q", self.insert_laws([nodes[n]()[0] for n in names]))
        return a.program()

    @cached_property
    def slots(self) -> list[Slot]:
        """Prescribed and coupled motions, inputs, outputs, loads, constraints, strain energies and powers."""
        e, motion, slots = self.e, self.e.formulation.motion, list[tuple[Variable, list[Node]]]()
        inputs = dict(zip(e.layout.inputs, e.groups()["inputs"], strict=True))
        g = e.graph
        for name in e.layout.user_inputs:
            symbol = g.symbol_named(name)
            held = name in self.written
            slots.append((Variable("input", name, symbol.unit, symbol.description, steps=held), [inputs[name]]))
        contacts = e.tree.model.point_contacts
        for name, constraint in e.tree.model.constraints.items():
            if constraint.engaged is not None:
                flag = Variable("engaged", name, "", "1 while it is engaged", steps=True)
                slots.append((flag, [inputs[ENGAGED(name)]]))
            if name in contacts and contacts[name].rubs:
                grips, slip = contacts[name].friction_names
                slots.append((Variable("gripping", name, "", "1 while it sticks", steps=True), [inputs[grips]]))
                begun = Variable("slipping", name, "", "direction in which slip has begun", TANGENTS, steps=True)
                slots.append((begun, [inputs[n] for n in slip]))
            if constraint.captures:
                what = "pose of the joint's frame in the second body"
                pose = Variable("captured", name, "", what, POSE, steps=True)
                slots.append((pose, [inputs[n] for n in constraint.pose_names]))
        units = {name: output.unit for name, output in e.tree.model.outputs.items()}
        grouped = grouped_signals(e)
        taken = {name for one in grouped for name in one.outputs}
        values = [("output", name, units[name], nodes) for name, nodes in e.outputs.items() if name not in taken]
        for one in grouped:
            parts = [e.outputs[name][0] for name in one.outputs]
            values.append((one.group, one.name, units[one.outputs[0]], parts))
        for name, load in e.tree.model.loads.items():
            if isinstance(load, SignalSource) and load.group:
                continue
            unit, value = load.unit(motion), load.value(motion)
            nodes = list(components(value, e.tree.root)) if isinstance(value, Vector) else [value.handle]
            values.append(("load", name, unit, nodes))
        for group, name, unit, nodes in values:
            slots.append((Variable(group, name, unit, *((ALONG, XYZ) if len(nodes) == 3 else ())), nodes))
        known: list[Slot] = [(variable, partial(list, nodes)) for variable, nodes in slots]
        found = self._powers.items()
        last: list[Slot] = [(Variable("power", name, "W"), partial(list, [node])) for name, node in found]
        every = [
            *driven_slots(e),
            *known,
            *self._drive_slots(),
            *self._constraint_slots(),
            *self._strain_slots(),
            *last,
        ]
        return [slot for slot in every if not self._needs_omitted(slot[1]())] if self._omitted else every

    def _drive_slots(self) -> list[Slot]:
        """The forces along prescribed speeds that their drives supply."""
        slots = list[Slot]()
        for body, k, force in forces_of_drives(self.e.formulation.motion, self.e.accelerations, *self.e.working):
            unit = body.spec.joint.units[1][k]
            variable = Variable("drive_force", body.spec.names[1][k], FORCES.get(unit, f"W/({unit})"), "of the drive")
            slots.append((variable, partial(list, [force])))
        return slots

    @cached_property
    def _powers(self) -> dict[str, Node]:
        return powers(self.e.formulation.motion, self.e.accelerations, *self.e.working)

    def _strain_slots(self) -> list[Slot]:
        """The strain energy of flexible bodies: of all, and of each if there are several."""
        g, energies = self.e.graph, strain(self.e.formulation.motion)
        if not energies:
            return []
        total = g.zero
        for node in energies.values():
            total = g.add(total, node)
        several = energies if len(energies) > 1 else {}
        nodes = {"strain": total, **{f"strain.{name}": node for name, node in several.items()}}
        about = "part of the potential energy that flexible bodies store"
        return [(Variable("energy", name, "J", about), partial(list, [node])) for name, node in nodes.items()]

    def _constraint_slots(self) -> list[Slot]:
        """Multipliers and residuals of constraints, by the name of their equation."""
        e, groups, constraints = self.e, dict[str, list[Slot]](), self.e.tree.model.constraints
        keys = {name: key for key, name in e.named_constraints.names_by_row.items()}

        @cache
        def rates() -> list[Node]:
            return e.in_own_speeds(e.named_constraints.velocities)

        undetermined = {key for keys in e.undetermined_rows for key in keys}
        every = ConstraintEquations(e.formulation.motion) if undetermined else None
        names = {} if every is None else {n: key for key, n in every.names_by_row.items() if key in undetermined}
        infos = dict(e.row_infos) if e.tree.model.constraints else {}
        rows = infos | {n: RowInfo.of(every.rows[key]) for n, key in names.items() if every is not None}
        for k, (name, row) in enumerate(rows.items()):
            force = FORCES.get(row.unit, f"J/({row.unit})") if row.unit or row.on_bodies else ""
            rate = f"{row.unit or 1}/s" if row.holonomic else row.unit
            values: list[tuple[str, str, Callable[[], Node | None]]] = [
                ("multiplier", force, lambda name=name: e.shared_multipliers[name]),  # type: ignore[misc]
                ("residual", row.unit, lambda k=k: e.named_constraints.residuals[k]),  # type: ignore[misc]
                ("residual_rate", rate, lambda k=k: rates()[k]),  # type: ignore[misc]
            ]
            used = values if row.holonomic else [values[0], values[2]]
            for group, unit, node in used if name in infos else used[:1]:
                about = ""
                if group == "multiplier":
                    owner = constraints[(names[name] if name in names else keys[name]).constraint]
                    about = "; ".join(filter(None, (UNDETERMINED if name in names else "", owner.multiplier_axes)))
                slot = Variable(group, name, unit, about), partial(_alone, node)
                groups.setdefault(group, []).append(slot)
        return [slot for slots in groups.values() for slot in slots]

    def variables(self) -> tuple[Variable, ...]:
        """All that is recorded of a run."""
        e, states = self.e, list[Variable]()
        for key in state_keys(e):
            symbol = e.graph.symbol_named(Z.strip(key))
            states.append(Variable(key[0], key[2:], symbol.unit, symbol.description if Z.holds(key) else ""))
        rates = [Variable("u_dot", v.name, f"{v.unit}²" if v.unit else "") for v in states if v.group == "u"]
        slots = [slot for slot, _ in self.slots if slot.group != "energy"]
        strains = [slot for slot, _ in self.slots if slot.group == "energy"]
        works = [Variable("work", slot.name, "J", "since the start") for slot in slots if slot.group == "power"]
        lost = Variable("energy", "lost", "J", "kinetic energy that impacts and switching took since the start")
        return self._without_omitted(
            *states,
            *rates,
            *slots,
            *recorded_samples(e.tree.model),
            *works,
            *(Variable("energy", n, "J") for n in ("kinetic", "potential", "total")),
            *strains,
            Variable("energy", "supplied", "J", "work of loads, drives and joints since the start"),
            *([lost] if e.tree.model.switched else []),
            Variable("momentum", "linear", "kg·m/s", "", XYZ),
            Variable("momentum", "angular", "kg·m²/s", "", XYZ),
            *(
                Variable("pose", link.name, "", "position and orientation in the ground", POSE)
                for *_, link in e.tree.bodies
            ),
        )

    @cached_property
    def held_variables(self) -> tuple[Variable, ...]:
        """The variables of what rules may change, in their order in the row of inputs and held values."""
        if not self.e.layout.held and not self.written:
            return ()
        slots = [slot for slot, _ in self.slots if slot.steps]
        known = {slot.name: slot for slot in slots if slot.group == "input"}
        switched = [slot for slot in slots if slot.group != "input"]
        sampled, switches = sampled_variables(self.e.tree.model), self.e.tree.model.switched
        values = [sampled[name] for name in self.e.layout.held if name not in switches]
        return (*(known[name] for name in self.e.layout.user_inputs if name in known), *switched, *values)

    def _without_omitted(self, *variables: Variable) -> tuple[Variable, ...]:
        """The variables that do not depend on omitted coordinates."""
        if not self._omitted:
            return variables
        motion, momentum = self.e.formulation.motion, whole_momentum(self.e.formulation.motion)
        stored = [potential(motion)]
        nodes = {
            f"pose.{link.name}": row
            for (*_, link), row in zip(self.e.tree.bodies, body_poses(self.e.tree), strict=True)
        }
        nodes |= {f"energy.{name}": stored for name in ("potential", "total")}
        nodes |= {"momentum.linear": list(momentum.linear.c), "momentum.angular": list(momentum.angular.c)}
        return tuple(v for v in variables if not self._needs_omitted(nodes.get(v.key, [])))
