"""Accelerations, reactions and multipliers by name: ``u_dot.arm``, ``reaction.arm.force.x``, ``multiplier.gear``; and
entries of the equations of motion: ``mass(arm, elbow)``.

The former are known only after M u̇ = f is solved. Outputs and events may use them; loads, joints, the rates of extra
states and the laws of inputs may not, because f depends on these. Entries of the equations are known when these have
been derived: laws may use them too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from freebody.errors import ExpressionError, choices
from freebody.model.structure_names import StructureName, is_structure
from freebody.names import U_DOT
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of
from freebody.tables import listed

if TYPE_CHECKING:
    from freebody.model.body import BodySpec
    from freebody.model.constraints import Constraint

REACTION, MULTIPLIER = "reaction.", "multiplier."


def acceleration_symbol(g: Graph, speed: str) -> Node:
    """The symbol of the rate u̇ of a speed."""
    return g.symbol(U_DOT(speed), Kind.ACCELERATION, f"rate of speed {speed}")


def reaction_symbol(g: Graph, body: str, component: str) -> Node:
    """The symbol of a reaction at a body's joint; a component is force.x, torque.z, drive_force, …"""
    return g.symbol(f"{REACTION}{body}.{component}", Kind.ACCELERATION, f"{component} at the joint of {body}")


def multiplier_symbol(g: Graph, name: str) -> Node:
    """The symbol of a multiplier: the name of its constraint, and the label of its equation if it has several."""
    return g.symbol(f"{MULTIPLIER}{name}", Kind.ACCELERATION, f"multiplier of {name}")


WRENCH = {kind: [f"{kind}.{c}" for c in "xyz"] for kind in ("force", "torque")}
"""The components of a reaction's force and torque."""


def reaction_components(spec: "BodySpec") -> dict[str, list[str]]:
    """The components of the reactions at a body's joint: force and torque along the body's axes, and the drive forces
    of its speeds."""
    drive = [f"drive_force.{s}" if s else "drive_force" for s in spec.freedoms.speeds]
    return {**WRENCH, "drive_force": drive}


class NameTable(Mapping[str, Node]):
    """The names that texts of a system may use, as nodes of a graph: its symbols, accelerations, reactions and
    multipliers. The symbols of the latter three are declared when they are first used."""

    def __init__(
        self, graph: Graph, specs: "Callable[[], Iterable[BodySpec]]", constraints: "Mapping[str, Constraint]"
    ) -> None:
        """``specs`` returns the bodies at the time when a name is looked up."""
        self.graph, self.specs, self.constraints = graph, specs, constraints

    def __repr__(self) -> str:
        return f"<names of texts: {listed(self, 20)}>"

    def __getitem__(self, name: str) -> Node:
        node = self.graph.named(name)
        if node is None:
            node = self._declare(name)
        if node is None or self.graph.mask[node] & Kind.INTERMEDIATE:
            raise KeyError(name)
        return node

    def _declare(self, name: str) -> Node | None:
        if U_DOT.holds(name):
            speed = U_DOT.strip(name)
            known = any(speed in spec.names[1] for spec in self.specs())
            return acceleration_symbol(self.graph, speed) if known else None
        if is_structure(name):
            return self._structure(name)
        for spec in self.specs() if name.startswith(REACTION) else ():
            component = name.removeprefix(f"{REACTION}{spec.name}.")
            if component != name and any(component in names for names in reaction_components(spec).values()):
                return reaction_symbol(self.graph, spec.name, component)
        for constraint in self.constraints:
            component = name.removeprefix(f"{REACTION}{constraint}.")
            if any(component in names for names in WRENCH.values()) and component != name:
                return reaction_symbol(self.graph, constraint, component)
            if name == f"{MULTIPLIER}{constraint}" or name.startswith(f"{MULTIPLIER}{constraint}."):
                return multiplier_symbol(self.graph, name.removeprefix(MULTIPLIER))
        return None

    def _structure(self, name: str) -> Node:
        """The symbol of an entry of the equations of motion."""
        for speed in StructureName.of(name).speeds:
            known = [n for spec in self.specs() for n in spec.names[1]]
            if speed not in known:
                raise ExpressionError(f"{name}: '{speed}' is not a speed; {choices(known)}")
        return self.graph.symbol(name, Kind.ACCELERATION, "of the equations of motion")

    def __iter__(self) -> Iterator[str]:
        return (s.name for s in self.graph.symbols if s.kind is not Kind.INTERMEDIATE)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def accelerations_in(g: Graph, nodes: Iterable[Node]) -> list[str]:
    """The names of the accelerations and reactions on which nodes depend."""
    later = [n for n in nodes if g.mask[n] & Kind.ACCELERATION]
    return [s.name for i in symbols_of(g, later) if (s := g.symbols[g.a[i]]).kind is Kind.ACCELERATION]


def refusal_of_accelerations(names: list[str], context: str) -> str:
    """The error text for accelerations where they are not allowed."""
    shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    if all(map(is_structure, names)):
        return (
            f"{context} uses {shown}, which is known only after the equations have been derived, and this is part of"
            " them. Laws of inputs, controllers, outputs and events may use it"
        )
    return (
        f"{context} uses accelerations or reactions ({shown}). They are known only after M u̇ = f is solved, and f"
        " depends on this. Use positions and velocities here; outputs and events may use accelerations"
    )
