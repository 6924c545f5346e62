"""Accelerations and reactions by name: ``u_dot.arm``, ``reaction.arm.force.x``.

They are known only after M u̇ = f is solved. Outputs and events may use them; what f depends on may not: loads, joints,
the rates of extra states and the laws of inputs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from freebody.names import U_DOT
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind
from freebody.scalar.walk import symbols_of

if TYPE_CHECKING:
    from freebody.model.body import Recipe

REACTION = "reaction."


def acceleration_symbol(g: Graph, speed: str) -> int:
    """The symbol u̇ of a speed."""
    return g.symbol(U_DOT(speed), Kind.ACCELERATION, f"rate of speed {speed}")


def reaction_symbol(g: Graph, body: str, what: str) -> int:
    """The symbol of a reaction at a body's joint: ``what`` is force.x, torque.z, drive_force, …"""
    return g.symbol(f"{REACTION}{body}.{what}", Kind.ACCELERATION, f"{what} at the joint of {body}")


def reaction_components(recipe: "Recipe") -> dict[str, list[str]]:
    """What can be asked of a body's joint: the three parts of force and torque, along the body's axes, and the drive
    forces of its speeds."""
    drive = [f"drive_force.{s}" if s else "drive_force" for s in recipe.joint.speeds]
    return {**{kind: [f"{kind}.{c}" for c in "xyz"] for kind in ("force", "torque")}, "drive_force": drive}


class NameTable(Mapping[str, int]):
    """The names that texts of a system may use, as nodes of a graph: its symbols, and accelerations and reactions,
    whose symbols are declared when they are first used."""

    def __init__(self, graph: Graph, recipes: "Callable[[], Iterable[Recipe]]") -> None:
        """``recipes`` are asked for the bodies when a name is looked for."""
        self.graph, self.recipes = graph, recipes

    def __getitem__(self, name: str) -> int:
        found = self.graph.named(name)
        if found is None:
            found = self._known_later(name)
        if found is None or self.graph.mask[found] & Kind.INTERMEDIATE:
            raise KeyError(name)
        return found

    def _known_later(self, name: str) -> int | None:
        if U_DOT.holds(name):
            speed = U_DOT.strip(name)
            there = any(speed in recipe.names[1] for recipe in self.recipes())
            return acceleration_symbol(self.graph, speed) if there else None
        for recipe in self.recipes() if name.startswith(REACTION) else ():
            what = name.removeprefix(f"{REACTION}{recipe.name}.")
            if what != name and any(what in parts for parts in reaction_components(recipe).values()):
                return reaction_symbol(self.graph, recipe.name, what)
        return None

    def __iter__(self) -> Iterator[str]:
        return (s.name for s in self.graph.symbols if s.kind is not Kind.INTERMEDIATE)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def accelerations_in(g: Graph, nodes: Iterable[int]) -> list[str]:
    """The accelerations and reactions that nodes depend on, by name."""
    later = [n for n in nodes if g.mask[n] & Kind.ACCELERATION]
    return [s.name for i in symbols_of(g, later) if (s := g.symbols[g.a[i]]).kind is Kind.ACCELERATION]


def refusal_of_accelerations(names: list[str], who: str) -> str:
    """Why what f depends on may not use accelerations."""
    shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return (
        f"{who} uses accelerations or reactions ({shown}). They are known only after M u̇ = f is solved, and f depends"
        " on this. Use positions and velocities here; outputs and events may use accelerations"
    )
