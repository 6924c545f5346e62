"""The catalogue of quantities a formulation gives: each a program, derived when it is first asked for."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property

from freebody.errors import ModelError
from freebody.formulations.formulation import Entry, Formulation
from freebody.formulations.independent import require_independent
from freebody.formulations.memo import Memo
from freebody.formulations.quantity import Quantity
from freebody.formulations.solve import solved
from freebody.model.accelerations import REACTION, acceleration_symbol, accelerations_in, reaction_components
from freebody.names import TAU, Q, U
from freebody.program.assemble import Assembly
from freebody.program.count import Operations, count
from freebody.program.program import Program
from freebody.program.stage import stage
from freebody.scalar.derivative import jvp
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import substitute
from freebody.spatial.vector import components, vector
from freebody.tree.energy import kinetic, potential, whole_momentum
from freebody.tree.forest import Forest, Link, require_own
from freebody.tree.inertia import own
from freebody.tree.joint_forces import drive_forces
from freebody.tree.motion import Motion
from freebody.tree.newton import Newton

UNROLLED = 32
"""Systems of up to this many speeds are solved symbolically; larger ones by a Solve region."""

InsertLaws = Callable[[Sequence[int]], Sequence[int]]


class Derivation:
    """The equations of motion of one system. ``programs[name]`` derives a quantity; ``operations[name]`` counts it."""

    def __init__(self, formulation: Formulation, small: Sequence[str] = ()) -> None:
        self.formulation = formulation
        self.forest: Forest = formulation.motion.forest
        self.graph: Graph = self.forest.graph
        self.layout = self.forest.layout
        self.small = self._small(small)
        self.programs = Catalogue(self)
        self.memo = Memo()

    @property
    def fastest(self) -> "Derivation":
        """The equations to move with: these, unless others have fewer operations."""
        return self

    @property
    def operations(self) -> "Counts":
        """The cost of each quantity per call, parameter-only work not counted."""
        return Counts(self.programs)

    # M u̇ = f + tau

    @cached_property
    def mass(self) -> dict[Entry, int]:
        entries = dict(self.formulation.mass)
        self._require_inertia(entries)
        made = dict(zip(entries, self._truncated(list(entries.values())), strict=True))
        for (i, j), node in made.items():
            rows = self.layout.u[i], self.layout.u[j]
            self.graph.label(node, f"M_{i + 1}_{j + 1}", f"mass matrix, row {rows[0]}, column {rows[1]}")
        return made

    @cached_property
    def force(self) -> list[int]:
        made = self._truncated(list(self.formulation.force))
        for k, (node, name) in enumerate(zip(made, self.layout.u, strict=True)):
            self.graph.label(node, f"f_{k + 1}", f"generalised force on {name}")
        return made

    @cached_property
    def q_dot(self) -> list[int]:
        return self._truncated(list(self.formulation.q_dot))

    @cached_property
    def standard(self) -> list[int]:
        """The standard speeds as functions of this formulation's own."""
        return list(self.formulation.standard)

    def in_own_speeds(self, nodes: Sequence[int]) -> list[int]:
        """Nodes written in standard speeds, their rates and reactions, in this formulation's own speeds and their rates
        (``accelerations``)."""
        names = accelerations_in(self.graph, nodes)
        if any(n.startswith(REACTION) for n in names):
            nodes = substitute(self.graph, list(nodes), self._reactions(names))
        if self.standard == list(self.layout.u_handles):
            return list(nodes)
        own = dict(zip(self.layout.u_handles, self.standard, strict=True))
        own |= dict(zip(self.accelerations, self._standard_rates, strict=True)) if names else {}
        return substitute(self.graph, list(nodes), own)

    @cached_property
    def _standard_rates(self) -> list[int]:
        """The rates of the standard speeds as functions of this formulation's own speeds and their rates."""
        state = (*self.layout.q_handles, *self.layout.u_handles)
        seeds = dict(zip(state, (*self.q_dot, *self.accelerations), strict=True))
        return jvp(self.graph, self.standard, {**seeds, self.forest.t: self.graph.one})

    def _reactions(self, names: Sequence[str]) -> dict[int, int]:
        """The symbols of reactions, and what they are."""
        spelled: dict[str, list[str]] = {}
        for stages in self.forest.bodies:
            body = stages[-1].body
            recipe = body.recipe.described
            known, speeds = reaction_components(recipe), recipe.names[1]
            driven = [link.body.recipe.names[1][k] for link in stages for k in driven_speeds(link)]
            spelled |= {f"{body.name}.{kind}": known[kind] for kind in ("force", "torque")}
            spelled[f"{body.name}.drive_force"] = [known["drive_force"][speeds.index(name)] for name in driven]
        values = {
            f"{REACTION}{key.rpartition('.')[0]}.{name}": node
            for key, parts in spelled.items() if parts for name, node in zip(parts, self.reactions[key], strict=True)
        }  # fmt: skip
        wrong = [n for n in names if n.startswith(REACTION) and n not in values]
        if wrong:
            raise ModelError(
                f"system '{self.forest.model.name}': there is no '{wrong[0]}': only joints that are coupled or whose"
                " motion is prescribed have a drive force. Take a component of the reaction force or torque"
            )
        return {h: values[n] for n in names if n in values and (h := self.graph.named(n)) is not None}

    @cached_property
    def reactions(self) -> dict[str, list[int]]:
        """What each joint passes to its body, along the body's axes at its origin, and what drives and couplings must
        supply, by name: for u̇ of the standard speeds, by Newton and Euler on the bodies as the user gave them."""
        made: dict[str, list[int]] = {}
        motion = Motion(self.forest, self.accelerations)
        passed = Newton(motion, [own(link) for link in self.forest.links]).through_joints()
        supplied = drive_forces(self.forest, passed, self.accelerations)
        for *_, link in self.forest.bodies:
            F = passed[link.index]
            force = vector(link.frame, F.linear.c)
            torque = vector(link.frame, F.angular.c) + link.shift.cross(force)
            made[f"{link.name}.force"] = list(components(force, link.body.frame))
            made[f"{link.name}.torque"] = list(components(torque, link.body.frame))
        for stages in self.forest.bodies:
            drive = [supplied[link.index, k] for link in stages for k in driven_speeds(link)]
            if drive:
                made[f"{stages[-1].name}.drive_force"] = drive
        return made

    @cached_property
    def tau(self) -> list[int]:
        return [self.graph.symbol(TAU(n), Kind.INPUT, f"generalised force on {n}") for n in self.layout.u]

    @cached_property
    def accelerations(self) -> list[int]:
        return [acceleration_symbol(self.graph, n) for n in self.layout.u]

    def _small(self, names: Sequence[str]) -> list[int]:
        """The symbols that count as small: the named ones; with a coordinate its speed."""
        found: list[int] = []
        for name in names:
            require_own(self.forest, name, "small")
            handles = [self.graph.named(n) for n in (Q(name), U(name), name)]
            if all(h is None for h in handles):
                raise ModelError(f"'{name}' cannot be small: it is not a coordinate, state, input or parameter here")
            found += [h for h in handles if h is not None]
        return found

    def _truncated(self, nodes: list[int]) -> list[int]:
        if not self.small:
            return nodes
        from freebody.scalar.small import first_order

        return first_order(self.graph, nodes, self.small)

    def _require_inertia(self, entries: Mapping[Entry, int]) -> None:
        require_independent(self.forest)
        for link in self.forest.links:
            for k, place in zip(link.free, link.u, strict=True):
                if (place, place) not in entries:
                    what = "rotation" if link.body.placement.turns[k] else "translation"
                    body, parent = link.described.name, link.described.parent
                    raise ModelError(
                        f"joint '{body}' ({body} on {parent}): its inertia is 0. It allows {what}"
                        f" ({self.layout.u[place]}), but {body} and its outboard bodies resist none. Give {body} mass"
                        " or inertia, or use Weld."
                    )

    # Programs

    def groups(self, *more: str) -> dict[str, list[int]]:
        """The input groups every quantity has, and more by name."""
        layout = self.layout
        extra = {"tau": self.tau if "tau" in more else [], "u_dot": self.accelerations if "u_dot" in more else []}
        return {
            "parameters": self._named(layout.parameters), "t": [self.forest.t], "q": list(layout.q_handles),
            "u": list(layout.u_handles), "z": self._named(layout.z), "inputs": self._named(layout.inputs),
            **{name: extra[name] for name in more},
        }  # fmt: skip

    def _named(self, names: Sequence[str]) -> list[int]:
        return [h for n in names if (h := self.graph.named(n)) is not None]

    def assembly(self, name: str, *more: str) -> Assembly:
        return Assembly(name, self.graph, self.groups(*more))

    def solve(self, assembly: Assembly, right: Sequence[int], insert_laws: InsertLaws = list) -> list[int]:
        """u̇ = M⁻¹ right. ``insert_laws`` returns the nodes of the assembly's graph for nodes of the derivation, with
        laws in place of inputs: a symbolic solution inserts them afterwards, a Solve region before."""
        if len(right) <= UNROLLED:
            return list(insert_laws(solved(self.graph, self.mass, right))) if right else []
        mass = dict(zip(self.mass, insert_laws(list(self.mass.values())), strict=True))
        found: list[int] = assembly.solve("u_dot", mass, list(insert_laws(right)))
        return found

    def u_dot(self, assembly: Assembly, tau: Sequence[int] = (), insert_laws: InsertLaws = list) -> list[int]:
        """u̇ under generalised forces tau: the formulation's own way, else M⁻¹ (f + tau)."""
        g = self.graph
        if self.formulation.recursive and not self.small:
            self._require_inertia(self.formulation.mass)
            return list(insert_laws(self.formulation.forward(tau)))
        right = [g.add(f, t) for f, t in zip(self.force, tau, strict=True)] if tau else self.force
        return self.solve(assembly, right, insert_laws)

    def insert_u_dot(
        self, assembly: Assembly, nodes: Sequence[int], rates: Sequence[int] | None = None, tau: Sequence[int] = (),
        insert_laws: InsertLaws = list,
    ) -> list[int]:  # fmt: skip
        """Nodes of the assembly's graph with u̇ in the places of its symbols: ``rates`` where they are known already,
        else what moves under tau. Nodes without accelerations are left as they are."""
        g = assembly.graph
        if not any(g.mask[n] & Kind.ACCELERATION for n in nodes):
            return list(nodes)
        found = self.u_dot(assembly, tau, insert_laws) if rates is None else rates
        return substitute(g, list(nodes), dict(zip(insert_laws(self.accelerations), found, strict=True)))

    @cached_property
    def outputs(self) -> dict[str, list[int]]:
        """The user's outputs by name, in this formulation's speeds and their rates: one node of a scalar, three of a
        vector, along the ground's axes."""
        placed, root, every = self.forest.placed, self.forest.root, self.forest.model.outputs
        parts = {n: components(placed.vector(v), root) if isinstance(v, tuple) else [v.handle]
                 for n, v in every.items()}  # fmt: skip
        nodes = iter(self.in_own_speeds([h for some in parts.values() for h in some]))
        return {n: [next(nodes) for _ in some] for n, some in parts.items()}

    def uses_u_dot(self, nodes: Sequence[int]) -> bool:
        """Whether nodes depend on accelerations."""
        return any(self.graph.mask[n] & Kind.ACCELERATION for n in nodes)

    def finish(self, program: Program) -> Program:
        """A quantity's program as it is used; here as it is."""
        return program

    def full_mass(self) -> list[list[int]]:
        n, zero = len(self.layout.u), self.graph.zero
        return [[self.mass.get((max(i, j), min(i, j)), zero) for j in range(n)] for i in range(n)]


class Catalogue(Mapping[str, Program]):
    """Quantities by name, each derived once."""

    def __init__(self, equations: Derivation) -> None:
        self.equations = equations
        self._made: dict[str, Program] = {}
        self._kept: dict[Hashable, Program] = {}

    def keep(self, key: Hashable, make: Callable[[Derivation], Program]) -> Program:
        """A quantity beside the catalogue's, made once for each key (its name and arguments)."""
        if key not in self._kept:
            self._kept[key] = make(self.equations)
        return self._kept[key]

    def __getitem__(self, name: str) -> Program:
        if name not in QUANTITIES:
            raise KeyError(f"there is no quantity '{name}'; there are {', '.join(QUANTITIES)}")
        if name not in self._made:
            self._made[name] = self.equations.finish(QUANTITIES[name].program(self.equations, {}))
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in QUANTITIES

    def __iter__(self) -> Iterator[str]:
        return iter(QUANTITIES)

    def __len__(self) -> int:
        return len(QUANTITIES)


class Counts(Mapping[str, Operations]):
    """Operations per call of each quantity."""

    def __init__(self, programs: Mapping[str, Program]) -> None:
        self.programs = programs

    def __getitem__(self, name: str) -> Operations:
        return count(stage(self.programs[name]).main)

    def __contains__(self, name: object) -> bool:
        return name in self.programs

    def __iter__(self) -> Iterator[str]:
        return iter(self.programs)

    def __len__(self) -> int:
        return len(self.programs)


def driven_speeds(link: Link) -> list[int]:
    """Which of a joint's speeds are prescribed or coupled to others."""
    return [k for k, given in enumerate(link.body.prescribed) if given is not None or link.body.coupling is not None]


# The quantities


def _mass_matrix(e: Derivation) -> Program:
    a = e.assembly("mass_matrix")
    n = len(e.layout.u)
    a.output("M", e.full_mass(), (n, n))
    return a.program()


def _bias(e: Derivation) -> Program:
    """f of M u̇ = f + tau."""
    a = e.assembly("bias")
    a.output("f", e.force)
    return a.program()


def _q_dot(e: Derivation) -> Program:
    a = e.assembly("q_dot")
    a.output("q_dot", e.q_dot)
    return a.program()


def _forward_dynamics(e: Derivation) -> Program:
    a = e.assembly("forward_dynamics", "tau")
    a.output("u_dot", e.u_dot(a, e.tau))
    return a.program()


def _inverse_dynamics(e: Derivation) -> Program:
    """The formulation's own way, else tau = M u̇ − f."""
    g, a = e.graph, e.assembly("inverse_dynamics", "u_dot")
    found = None if e.small else e.formulation.inverse(e.accelerations)
    if found is not None:
        a.output("tau", list(found))
        return a.program()
    tau = []
    for row, f in zip(e.full_mass(), e.force, strict=True):
        total = g.neg(f)
        for entry, rate in zip(row, e.accelerations, strict=True):
            total = g.add(total, g.mul(entry, rate))
        tau.append(total)
    a.output("tau", tau)
    return a.program()


def _state_dot(e: Derivation) -> Program:
    """ẋ of x = [q, u, z] as a function of (t, x), parameters and inputs."""
    groups = e.groups()
    x = [*groups.pop("q"), *groups.pop("u"), *groups.pop("z")]
    held = {"parameters": groups["parameters"], "t": groups["t"], "x": x, "inputs": groups["inputs"]}
    a = Assembly("state_dot", e.graph, held)
    rates = e.in_own_speeds([s.rate.handle for s in e.forest.model.states.values()])
    a.output("x_dot", [*e.q_dot, *e.u_dot(a), *rates])
    return a.program()


def _energies(e: Derivation) -> Program:
    a = e.assembly("energies")
    for name, law in (("kinetic", kinetic), ("potential", potential)):
        a.output(name, e.in_own_speeds([law(e.formulation.motion)])[0])
    return a.program()


def _momenta(e: Derivation) -> Program:
    """Linear momentum, and angular momentum about the ground's origin, in the ground's axes."""
    a, total = e.assembly("momenta"), whole_momentum(e.formulation.motion)
    a.output("linear", e.in_own_speeds(list(total.linear.c)))
    a.output("angular", e.in_own_speeds(list(total.angular.c)))
    return a.program()


def _outputs(e: Derivation) -> Program:
    """The user's outputs; where one uses accelerations, those of u̇ under tau."""
    if not e.outputs:
        raise ModelError(f"system '{e.forest.model.name}' has no outputs; add some with output(name, expression)")
    nodes = [h for some in e.outputs.values() for h in some]
    moved = e.uses_u_dot(nodes)
    a = e.assembly("outputs", *["tau"][:moved])
    values = iter(e.insert_u_dot(a, nodes, tau=e.tau if moved else ()))
    for name, value in e.forest.model.outputs.items():
        a.output(name, [next(values) for _ in range(3)] if isinstance(value, tuple) else next(values))
    return a.program()


def _to_standard(e: Derivation) -> Program:
    """The standard speeds of a state whose speeds are this formulation's own."""
    a = e.assembly("to_standard")
    a.output("speeds", e.standard)
    return a.program()


def _from_standard(e: Derivation) -> Program:
    """This formulation's own speeds of a standard state."""
    a = e.assembly("from_standard")
    a.output("speeds", list(e.formulation.from_standard(e.layout.q_handles, e.layout.u_handles)))
    return a.program()


def _reactions(e: Derivation) -> Program:
    """What each joint passes to its body, for given u̇."""
    if e.standard != list(e.layout.u_handles):
        raise ModelError("reactions need standard speeds: derive again without speeds=…")
    a = e.assembly("reactions", "u_dot")
    for name, nodes in e.reactions.items():
        a.output(name, nodes)
    return a.program()


STATE, LOADED = ("q", "u", "t"), ("t", "z", "inputs")
QUANTITIES: dict[str, Quantity] = {
    q.name: q
    for q in (
        Quantity("forward_dynamics", _forward_dynamics, ("q", "u", "tau", *LOADED), "u̇ from q, u, τ", listed=True,
                 result=""),
        Quantity("inverse_dynamics", _inverse_dynamics, ("q", "u", "u_dot", *LOADED), "τ from q, u, u̇", listed=True,
                 result=""),
        Quantity("mass_matrix", _mass_matrix, ("q", "t"), "M", listed=True, doc="M of M u̇ = f + tau."),
        Quantity("bias", _bias, ("q", "u", *LOADED), "f", listed=True, doc="f of M u̇ = f + tau."),
        Quantity("q_dot", _q_dot, STATE, "q̇", listed=True, doc="q̇ = N(q) u + n."),
        Quantity("state_dot", _state_dot, ("t", "x", "inputs"), "ẋ of [q, u, z]", listed=True,
                 doc="ẋ of x = [q, u, z]."),
        Quantity("energies", _energies, STATE, "kinetic and potential", listed=True, result="dict",
                 doc="Kinetic and potential energy."),
        Quantity("momenta", _momenta, STATE, "linear and angular", listed=True, result="dict",
                 doc="Linear and angular momentum, the latter about the ground's origin."),
        Quantity("outputs", _outputs, ("q", "u", *LOADED, "tau"), "the model's outputs", listed=True, result=""),
        Quantity("reactions", _reactions, ("q", "u", "u_dot", *LOADED), "force and torque at every joint", listed=True,
                 result="dict",
                 doc="The force and torque of each joint on its body, along the body's axes at its origin, and the"
                     " drive forces of prescribed and coupled joints (``body.drive_force``): as tau on the same joint"
                     " left free they give the same motion."),
        Quantity("to_standard", _to_standard, STATE, "standard speeds of these equations' own", listed=True,
                 doc="The standard speeds for u, the speeds of these equations."),
        Quantity("from_standard", _from_standard, STATE, "these equations' own speeds of standard ones", listed=True,
                 doc="The speeds of these equations for u, the standard speeds."),
    )
}  # fmt: skip
"""The quantities of every formulation; `quantities.QUANTITIES` holds all quantities."""
