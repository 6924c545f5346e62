"""The programs of implicit steps of fixed size with contact (``formulations.contact_step``), under the laws of a run's
inputs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from freebody.errors import ArgumentError, ExpressionError
from freebody.formulations.contact_rows import LawfulPair
from freebody.formulations.contact_step import ContactStep, ImplicitForce, Iteration, StopEnd
from freebody.formulations.spring_law import SpringLaw, StopLaw
from freebody.hybrid.system import Deferred, StepSystem
from freebody.model.contact.contact import Contact
from freebody.model.contact.joint_stop import JointStop
from freebody.model.element import map_expressions
from freebody.model.model import Model
from freebody.names import Z
from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.run.programs import RunPrograms
from freebody.scalar.derivative import jacobian, jvp
from freebody.scalar.expr import Expr, where
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import CONST
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import live, operands, substitute, transfer
from freebody.tree.joint_forces import joint_forces
from freebody.tree.tree import Tree, span


class StepPrograms:
    """The programs of one step. What the later ones need of ``free`` is in its last output numbers, ``kept``."""

    def __init__(self, run: RunPrograms, tree: Tree, pairs: Sequence[LawfulPair], stops: Sequence[StopEnd]) -> None:
        self.run, self.tree, self.graph = run, tree, tree.graph
        self._inputs = {h: run.laws[n] for n in run.laws if (h := tree.graph.named(n)) is not None}
        damping = self._damping()
        self.step = ContactStep(tree, pairs, stops, {k: pair for k, (pair, _) in damping.items()})
        self._symbols = {s: x for pair, values in damping.values() for s, x in zip(pair, values, strict=True)}
        self.delta = [self.graph.symbol(f"step.delta.{k}", Kind.INTERMEDIATE) for k in range(len(tree.layout.u))]

    # Nodes of the tree under the laws of inputs

    def _under_laws(self, nodes: Sequence[Node], more: Mapping[Node, Node] = MappingProxyType({})) -> list[Node]:
        """Nodes of the tree, in the graph of the run's scope, with laws in place of inputs."""
        known = transfer(self.graph, nodes, self.run.scope.graph, {**self._inputs, **more})
        return [known[n] for n in nodes]

    def _damping(self) -> dict[int, tuple[ImplicitForce, tuple[Node, Node]]]:
        """By speed the symbols of the implicit parts of the force along it, and their values under the laws of inputs:
        how much it falls with the speed, and with the coordinate whose rate the speed is."""
        tree, g, layout = self.tree, self.run.scope.graph, self.tree.layout
        own = [k.u[0] for k in tree.links if len(k.u) == 1 and not k.shared and k.internal_dynamics is None]
        forces = self._under_laws(joint_forces(tree))
        rates = {rate: q for q, rate in zip(layout.q_handles, layout.q_dot, strict=True)}
        found = dict[int, tuple[ImplicitForce, tuple[Node, Node]]]()
        zero = Expr(g, g.zero)
        for k in own:
            u = layout.u_handles[k]
            variables = self._under_laws([u, *([rates[u]] if u in rates else [])])
            try:
                slopes = jacobian(g, [forces[k]], variables)
            except ExpressionError:  # a function of the user without derivative: explicit
                continue
            falls = [-Expr(g, slopes.get((0, j), g.zero)) for j in range(2)]
            values = tuple((x if is_positive(x) else where(x > 0, x, zero)).handle for x in falls)
            if values != (g.zero, g.zero):
                what = "of the force along"
                names = (f"step.damping.{k}", f"step.stiffness.{k}")
                damping, stiffness = (
                    self.graph.symbol(n, Kind.INTERMEDIATE, f"{what} {layout.u[k]}") if v != g.zero else self.graph.zero
                    for n, v in zip(names, values, strict=True)
                )
                found[k] = ImplicitForce(damping, stiffness), (values[0], values[1])
        return found

    # Programs

    def system(self) -> StepSystem:
        g, step = self.graph, self.step
        at = dict(zip(step.velocity, self._iteration.velocity, strict=True))
        impulses, bounds = self._impulses
        after, limits = (substitute(g, some, at) for some in self._impulses)
        iterate = [*self._iteration.velocity, *self._iteration.impulses, *after, *limits, *self._iteration.delta]
        law, end = [*impulses, *bounds], self._ended
        late = [*step.velocity, *step.before, *step.bound, *self.delta]
        kept = carried(g, [*iterate, *law, *end], late)
        symbols = {h: g.symbol(f"step.kept.{k}", Kind.INTERMEDIATE) for k, h in enumerate(kept)}
        passed = [g.symbol(f"step.passed.{k}", Kind.INTERMEDIATE) for k in range(len(self._others))]
        every = [*symbols.values(), *passed] or [g.symbol("step.nothing", Kind.INTERMEDIATE)]
        velocity = step.velocity or [g.symbol("step.no velocity", Kind.INTERMEDIATE)]
        contact = {"velocity": velocity, "bound": step.bound or [g.symbol("step.no bound", Kind.INTERMEDIATE)]}
        before = step.before or [g.symbol("step.no velocity before", Kind.INTERMEDIATE)]
        late_groups = {**contact, "kept": every}
        return StepSystem(
            step.count,
            len(step.bound),
            self._free(kept),
            self._late("iterate", {**contact, "before": before, "kept": every}, iterate, symbols),
            self._late("law", late_groups, law, symbols),
            self._late("end", {**late_groups, "delta": self.delta}, self._in_order(end, passed), symbols),
            Deferred(self.tangent),
        )

    @cached_property
    def _iteration(self) -> Iteration:
        return self.step.iterate()

    @cached_property
    def _impulses(self) -> tuple[list[Node], list[Node]]:
        return self.step.impulses(self.step.velocity)

    @cached_property
    def _ended(self) -> list[Node]:
        q, u, bristles = self.step.end(self.delta)
        return [*q, *u, *bristles]

    @cached_property
    def _others(self) -> list[Node]:
        """The extra states that are not bristles, at the end of the step, in the graph of the scope."""
        run, own = self.run, set(self._bristle_states)
        scope, h = run.scope.graph, self._under_laws([self.step.size])[0]
        z, rates = run.scope.copy(run.e.groups()["z"]), run.insert_in_scope(run.e.state_rates)
        each = zip(run.e.layout.z, z, rates, strict=True)
        return [scope.add(x, scope.mul(h, rate)) for name, x, rate in each if name not in own]

    def _in_order(self, ended: Sequence[Node], others: Sequence[Node]) -> list[Node]:
        """q, u and all extra states in the order of the equations."""
        n, waiting = len(self.tree.layout.q) + len(self.tree.layout.u), iter(others)
        own = dict(zip(self._bristle_states, ended[n:], strict=True))
        return [*ended[:n], *(own[name] if name in own else next(waiting) for name in self.run.e.layout.z)]

    def tangent(self) -> Program:
        """The state at the end of a step and its change along a direction of the state and of the inputs, given the
        velocities at which the first and the second solution were found: there an iteration does not depend on them to
        first order, so that its derivative is that of the step."""
        g, step, scope = self.graph, self.step, self.run.scope.graph
        first = [g.symbol(f"step.first.{k}", Kind.INTERMEDIATE) for k in range(step.count)]
        changed = self._iteration.velocity
        once = dict(zip(step.velocity, first, strict=True)) | dict(zip(step.bound, step.first_bounds, strict=True))
        once |= dict(zip(step.before, first, strict=True))
        before = dict(zip(step.velocity, substitute(g, changed, once), strict=True))
        bounds = dict(zip(step.bound, substitute(g, self._impulses[1], before), strict=True))
        again = bounds | dict(zip(step.before, step.velocity, strict=True))
        delta, velocity = (substitute(g, some, again) for some in (self._iteration.delta, changed))
        found = dict(zip(self.delta, delta, strict=True)) | dict(zip(step.velocity, velocity, strict=True)) | bounds
        ended = self._under_laws(substitute(g, self._ended, found), self._symbols)
        groups = self.run.groups(scope)
        groups.pop("called", None)
        seeds, directions = dict[Node, Node](), dict[str, list[Node]]()
        for name in ("x", "inputs"):
            symbols = [scope.symbol(f"direction.{name}.{k}", Kind.INTERMEDIATE) for k in range(len(groups[name]))]
            directions[f"direction_{name}"] = symbols
            seeds |= dict(zip(groups[name], symbols, strict=True))
        given = self._under_laws([*first, *step.velocity])
        where = {"first": given[: step.count], "velocity": given[step.count :]}
        a = Assembly("tangent", scope, {**groups, "solution": self._under_laws([step.size]), **where, **directions})
        after = self._in_order(ended, self._others)
        a.output("change", jvp(scope, after, seeds))
        a.output("after", after)
        return a.program()

    @cached_property
    def _bristle_states(self) -> list[str]:
        """The names of the states of bristles, in the order of the candidates."""
        g = self.graph
        names = list[str]()
        every = [bristles for pair in self.step.pairs for bristles in pair.bristles]
        for k, bristles in enumerate(every):
            for i, w in enumerate(bristles):
                number = g.number(w.handle)
                names.append(f"none.{k}.{i}" if number is not None else Z.strip(g.symbols[g.a[w.handle]].name))
        return names

    def _free(self, kept: Sequence[Node]) -> Program:
        step, scope = self.step, self.run.scope.graph
        groups = self.run.groups(scope)
        groups.pop("called", None)
        a = Assembly("free", scope, {**groups, "solution": self._under_laws([step.size])})
        nodes = self._under_laws([*step.start, *step.first_bounds, *kept], self._symbols)
        a.output("values", [*nodes, *self._others] or [scope.zero])
        return a.program()

    def _late(
        self, name: str, groups: Mapping[str, Sequence[Node]], nodes: Sequence[Node], symbols: Mapping[Node, Node]
    ) -> Program:
        a = Assembly(name, self.graph, groups)
        a.output("values", substitute(self.graph, nodes, symbols) or [self.graph.zero])
        return a.program()


def is_positive(x: Expr) -> bool:
    """Whether a value is a number that is not negative."""
    number = x.graph.number(x.handle)
    return number is not None and number >= 0


def carried(g: Graph, roots: Sequence[Node], late: Sequence[Node]) -> list[Node]:
    """The nodes that the roots need, that depend on none of the ``late`` ones, and that others do not need alone."""
    depends, order = set(late), live(g, roots)
    for i in order:
        if any(k in depends for k in operands(g, i)):
            depends.add(i)
    needed = dict[Node, None]()
    for i in order:
        if i in depends:
            needed |= dict.fromkeys(k for k in operands(g, i) if k not in depends and g.op[k] != CONST)
    needed |= dict.fromkeys(r for r in roots if r not in depends and g.op[r] != CONST)
    return list(needed)


def free_model(model: Model, without: Sequence[str]) -> Model:
    """The model without some loads."""
    return replace(model, loads=MappingProxyType({n: x for n, x in model.loads.items() if n not in without}))


def free_tree(model: Model, without: Sequence[str]) -> Tree:
    return span(free_model(model, without))


def step_system(run: RunPrograms) -> StepSystem:
    """The programs of steps of the method "contact"."""
    model = run.e.tree.model
    if model.point_contacts:
        name = next(iter(model.point_contacts))
        raise ArgumentError(
            f"{model.name}: method='contact' has no exact impacts, which the point contact '{name}' has; describe it"
            " with its compliance, s.contact(…), or use method='dop853'"
        )
    tree = free_tree(model, (*model.contacts, *model.joint_stops))
    flexible = next((link.described.name for link in tree.links if link.is_flexible), None)
    if flexible is not None:
        raise ArgumentError(
            f"{model.name}: method='contact' does not support flexible bodies, and '{flexible}' is one; use another"
            " method, such as 'rodas5p'"
        )
    pairs = [_pair(model, tree, name, load) for name, load in model.contacts.items()]
    stopped = [stop for name, load in model.joint_stops.items() for stop in _stops(model, tree, name, load)]
    return StepPrograms(run, tree, pairs, stopped).system()


def _stops(model: Model, tree: Tree, name: str, load: JointStop) -> list[StopEnd]:
    """The ends of a stop with their laws, in the graph of a tree."""
    g, layout, coordinate = tree.graph, tree.layout, load.coordinate_name
    if coordinate not in layout.u or coordinate not in layout.q:
        raise ArgumentError(
            f"{model.name}: method='contact' has stops of free joints only, and the motion of '{coordinate}', on which"
            f" the stop '{name}' acts, is given or coupled to another; remove the stop, or use another method"
        )
    own, scalar = map_expressions(load, lambda x: Expr(g, x.handle)), tree.placed.scalar
    q, speed = Expr(g, layout.q_handles[layout.q.index(coordinate)]), layout.u.index(coordinate)
    law = StopLaw(scalar(own["stiffness"]), scalar(own.dissipation))
    lower, upper = own.ends
    stops = [] if lower is None else [StopEnd(speed, 1, scalar(lower) - q, law)]
    return stops if upper is None else [*stops, StopEnd(speed, -1, q - scalar(upper), law)]


def _pair(model: Model, tree: Tree, name: str, load: Contact) -> LawfulPair:
    """The candidates of a contact with their laws, in the graph of a tree."""
    g = tree.graph
    own = map_expressions(load, lambda x: Expr(g, x.handle))
    material, scalar, zero = own.material, tree.placed.scalar, Expr(g, g.zero)
    if material.has_rolling_friction or material.has_torsional_friction:
        raise ArgumentError(
            f"{model.name}: method='contact' has no rolling and no torsional friction, which the material of contact"
            f" '{name}' has; leave them out, or use another method"
        )
    tangential = material.stiffness if material.tangential_stiffness is None else material.tangential_stiffness
    has_two = material.static_friction is not None
    law = SpringLaw(
        scalar(material.stiffness),
        scalar(material.dissipation),
        scalar(material.friction),
        scalar(material.static_friction) if has_two else None,
        scalar(material.stribeck_velocity) if has_two else None,
        scalar(tangential),
        (zero, zero),
    )
    states = {n: Expr(g, state.symbol.handle) for n, state in model.states.items() if state.symbol is not None}
    bristles = list[tuple[Expr, Expr]]()
    for names in own.bristles:
        a, b = (states[n] for n in names) if names else (zero, zero)
        bristles.append((a, b))
    return LawfulPair(own.first_body, own.second_body, own.candidates, law, bristles, own.used_slots)
