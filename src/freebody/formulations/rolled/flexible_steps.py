"""The steps at a cluster with flexible bodies in the passes that compute u̇, with modes eliminated with ports.

Each pass repeats the trace of the passes before it, in the same order and in a new graph, so that a node has the same
handle in all of them. What a pass needs of earlier ones is then found by handles (``carry``), not passed by name.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from freebody.formulations.rolled.arrays import of_member
from freebody.formulations.rolled.steps import ClusterSteps
from freebody.program.assemble import Kernel, Rows
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.ops import ADD, CONST, MUL, NEG, SUB, SYMBOL
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import live, operands
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Twist, Vec, Wrench
from freebody.tree.elimination import Elimination, LinkTotals
from freebody.tree.motion import LinkMotion, Motion, refer
from freebody.tree.newton_euler import link_wrench, load_wrenches
from freebody.tree.tree import Link


class ReferenceState(NamedTuple):
    """The motion of the links at u̇₀, u̇₀ itself, the accelerations that resting links do without, and what the motion
    requires: wrenches, and forces on bodies' own speeds."""

    motions: list[LinkMotion]
    rates: list[Node]
    jumps: dict[int, Twist]
    inertias: list[RigidInertia]
    forces: list[Wrench]
    own_forces: Mapping[int, Node]


class FlexibleSteps(ClusterSteps):
    """The steps of a kind that is ``flexible``."""

    def divide(self, link: Link, inertia: RigidInertia) -> tuple[RigidInertia, RigidInertia | None]:
        """Nothing moves to a port, which has no inertia."""
        on_port = link.parent is not None and link.parent.is_port
        return (inertia, None) if on_port else super().divide(link, inertia)

    def refer(self, at_rest: bool = False) -> None:
        for k, (shape, m) in enumerate(zip(self.shapes, self._reference().motions, strict=True)):
            if not shape.leaf:
                self.step.write_row(self.rows.motion, of_member("own", k), m.w.c + m.alpha.c + m.a.c)

    def condense(self, tau: Rows | None, loaded: bool = True) -> None:
        self.pass_inertia(self._eliminated(tau)[1])

    def accelerate(
        self, result: Rows, tau: Rows | None, added: Rows | None = None, from_reference: bool = True
    ) -> None:
        elimination, _, rates = self._eliminated(tau)
        self.expand(elimination, self.reached(), lambda: rates, result)

    def _reference(self) -> ReferenceState:
        zero, motions, jumps = self.graph.zero, list[LinkMotion](), dict[int, Twist]()
        rates = [zero] * sum(map(len, self.cell.speeds))
        for link, rests in zip(self.links, self.kind.resting, strict=True):
            motion, own_rates = refer(link, self.parent_motion(link, motions))
            for speed, rate in own_rates.items():
                rates[speed] = rate
            if rests:
                jumps[link.index] = Twist.of(motion.alpha, motion.a)
                motion = LinkMotion(motion.w, Vec.zero(link.frame), Vec.zero(link.frame))
            motions.append(motion)
        inertias, own_forces = self.inertias(), dict[int, Node]()
        forces, loads = list[Wrench](), load_wrenches(Motion(self.cell.tree))
        for link, motion, inertia, load in zip(self.links, motions, inertias, loads, strict=True):
            wrench, required = link_wrench(link, motion, inertia)
            forces.append(wrench - load)
            own_forces |= required
        return ReferenceState(motions, rates, jumps, inertias, forces, own_forces)

    def _eliminated(self, tau: Rows | None) -> tuple[Elimination, LinkTotals | None, list[Node]]:
        """The elimination, what it passes to the parent, and u̇₀."""
        known = self._reference()
        elimination = Elimination(
            self.cell.tree, known.inertias, jumps=known.jumps, ports=True, added=self.by_speed(self.rows.added)
        )
        passed = self.eliminate(elimination, tau, True, known.forces, known.own_forces)
        return elimination, passed, known.rates


class Carried(NamedTuple):
    """What one pass stores for later ones and loads of earlier ones: nodes, with their places in a row of numbers."""

    stored: dict[Node, int]
    loaded: dict[Node, int]


def carry(kernels: Sequence[Kernel]) -> list[Carried]:
    """What the kernels of one kind, in the order of their passes, leave for each other: each loads what an earlier one
    has computed."""
    g = kernels[-1].graph
    for kernel in kernels:
        count = len(kernel.graph)
        assert g.op[:count] == kernel.graph.op and g.a[:count] == kernel.graph.a, "the passes were traced differently"
    places, computed, result = dict[Node, int](), dict[Node, int](), [Carried({}, {}) for _ in kernels]
    for k, kernel in enumerate(kernels):
        leaves = {*kernel.loads, *computed}
        for i in live(g, [s.value for s in kernel.stores], leaves):
            if i in computed:
                place = places.setdefault(i, len(places))
                result[computed[i]].stored[i] = result[k].loaded[i] = place
            elif i not in leaves and _is_worth_storing(g, i):
                computed[i] = k
    return result


def _is_worth_storing(g: Graph, i: Node) -> bool:
    """Whether a node takes more than one operation on what every pass can read; signs and what depends on parameters
    alone are cheap or computed beforehand."""
    if g.mask[i] <= PARAMETERS_ONLY or g.op[i] in (CONST, SYMBOL, NEG):
        return False
    simple = g.op[i] in (ADD, SUB, MUL)
    return not simple or any(g.op[k] != SYMBOL and g.number(k) is None for k in operands(g, i))
