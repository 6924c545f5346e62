"""The equations of the bodies and joints of one cluster in a rolled program: inertia, forces and the rows of joints, as
coefficients of the unknown accelerations of its bodies and of the one that carries it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple, TypeVar

import numpy as np

from freebody.formulations.rolled.arrays import BodyRows, TracedStep, of_member
from freebody.formulations.rolled.cell import OUTER, STUB
from freebody.formulations.rolled.steps import ClusterSteps
from freebody.formulations.solvers.absolute import Array, JointWrench, duals, finite_values, resisted
from freebody.formulations.solvers.bodies import add_multiple
from freebody.formulations.solvers.sparse_unknowns import WHO, End, lower_triangle
from freebody.model.constraints.complement import far_coordinates
from freebody.program.assemble import Rows
from freebody.program.ldl import Entry
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY
from freebody.scalar.walk import somewhere
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Transform, Vec, Wrench
from freebody.spatial.vector import components
from freebody.tree.joint_forces import armatures, joint_forces
from freebody.tree.passes import LinkPose, pose
from freebody.tree.tree import Link

SAMPLES = 3
"""States at which the columns of joints are evaluated."""

Reference = tuple[int, int]
"""An unknown in a step: the number of a link or of an end of a constraint (``STUB``: of the parent), whose body has it,
or ``ROW``; and its index among those of the body, or among the rows."""

ROW = -2
Nodes = dict[Reference, Node]
Dual = TypeVar("Dual", Wrench, RigidInertia)


class ClusterKey(NamedTuple):
    """Clusters whose equations have the same form: their kind, the links, those to whose inertia other clusters add,
    and the parent."""

    kind: int
    links: tuple[End, ...]
    loaded: tuple[bool, ...]
    parent: End


class ClusterEquations:
    """The equations of the bodies and joints of one cluster, while its step is traced. ``poses`` are those of carried
    links in their heads; ``first`` are the links of the first cluster of the kind."""

    def __init__(self, steps: ClusterSteps, key: ClusterKey, poses: BodyRows, first: Sequence[Link]) -> None:
        self.steps, self.key, self.poses, self.first = steps, key, poses, first
        self.graph, self.links, self.cell = steps.graph, steps.links, steps.cell
        steps.step.reuse("pose", self.cell.pose)

    def at_head(self, link: Link, value: Dual) -> tuple[int, Dual] | None:
        """A wrench or an inertia of a link where the unknowns of its body are: the number of the link, or ``STUB``;
        None if no speed moves it."""
        return (link.index, value) if link.u else self._at_parent(link, value)

    def _at_parent(self, link: Link, value: Dual) -> tuple[int, Dual] | None:
        inner, end = self.cell.shapes[link.index].parent, self.key.parent
        if link.parent is None:
            return None
        value = value.back(link.X)
        if inner != OUTER:
            return self.at_head(self.links[inner], value)
        if not end.components:
            return None
        return STUB, moved_to_head(self.steps.step, self.poses, "parent", value) if end.carried else value

    def _parts(self, placed: tuple[int, Wrench] | None) -> Nodes:
        if placed is None:
            return {}
        k, W = placed
        return unknown_parts(W, k, (self.key.parent if k == STUB else self.key.links[k]).components)

    def on_body(self, link: Link, W: Wrench) -> Nodes:
        """A wrench on a link, as coefficients of unknowns."""
        return self._parts(self.at_head(link, W))

    def on_both(self, link: Link, wrench: JointWrench) -> Nodes:
        """A wrench of a joint on its link and the reaction on the parent, as coefficients of unknowns."""
        W = Wrench(link.frame, components(wrench.torque, link.frame) + components(wrench.force, link.frame))
        total = self.on_body(link, W)
        add_multiple(self.graph, total, self._parts(self._at_parent(link, W)), self.graph.neg(self.graph.one))
        return total

    @cached_property
    def speeds(self) -> dict[int, Nodes]:
        """Each u̇ of the cluster as coefficients of unknowns. A force on a speed acts by the same coefficients."""
        result = dict[int, Nodes]()
        for link in self.links:
            if link.u and link.body.coupling is None:
                each = zip(link.u, duals(link), strict=True)
                result |= {speed: self.on_both(link, wrench) for speed, wrench in each}
        return result

    def inertia(self) -> dict[int, dict[Entry, Node]]:
        """The lower triangle of each body's inertia, by the number of its link; what is added to that of the parent, at
        ``STUB``. Entries that vanish are left out, unless others are added to them."""
        total, result = dict[int, RigidInertia](), dict[int, dict[Entry, Node]]()
        for link, own in zip(self.links, self.steps.inertias(), strict=True):
            placed = self.at_head(link, own)
            if placed is not None:
                k, own = placed
                total[k] = total[k] + own if k in total else own
        for k, inertia in total.items():
            end, loaded = (self.key.parent, True) if k == STUB else (self.key.links[k], self.key.loaded[k])
            triangle = lower_triangle(inertia, end.components)
            result[k] = {at: x for at, x in triangle.items() if loaded or not self.graph.vanishes(x)}
        return result

    def rows(self) -> list[tuple[Nodes, Node | None]]:
        """H of joints and the diagonal of D (None: zero): motions that they resist, couplings, rotors, and speeds that
        are held. The multiplier of a rotor is −u̇: a u̇ + a λ = 0 with a the armature."""
        g, rows = self.graph, list[tuple[Nodes, Node | None]]()
        for link in (link for link in self.links if link.u):
            spec, some = self.first[link.index].body.spec, self.key.links[link.index].components
            initial = spec.joint.initial or [0.0] * len(link.body.q)
            at_states = partial(sample, g, dict(zip([q.handle for q in link.body.q], initial, strict=True)))
            for wrenches in resisted(link, link.frame, some, at_states, WHO, self.first[link.index].described.name):
                own = [coefficients for wrench in wrenches if (coefficients := self.on_both(link, wrench))]
                if len(own) <= len(some) - len(link.free):
                    break
            rows += [(coefficients, None) for coefficients in own]
            if link.body.coupling is not None:
                coefficients = self.on_both(link, duals(link)[0])
                add_multiple(g, coefficients, self.speeds[link.u[0]], g.neg(link.gain))
                rows.append((coefficients, None))
        for speed, armature in armatures(self.cell.tree).items():
            coefficients = Nodes()
            add_multiple(g, coefficients, self.speeds[speed], armature)
            rows.append((coefficients, g.neg(g.where(armature, armature, g.one))))
        for speed, stiff in enumerate(self.steps.by_speed(self.steps.rows.added)):
            rows.append(({at: g.where(stiff, x, g.zero) for at, x in self.speeds[speed].items()}, None))
        return [row for row in rows if row[0]]

    def forces(self, tau: Rows | None) -> Nodes:
        """F at u̇ = 0: loads and forces of joints, less what the motion requires."""
        g, total, on_speeds = self.graph, Nodes(), joint_forces(self.cell.tree)
        for link, required in zip(self.links, self.steps.forces()[0], strict=True):
            add_multiple(g, total, self.on_body(link, required), g.neg(g.one))
        for k, force in enumerate(self.steps.by_speed(tau)):
            on_speeds[k] = g.add(on_speeds[k], force)
        for speed, coefficients in self.speeds.items():
            add_multiple(g, total, coefficients, on_speeds[speed])
        return total

    def leave_poses(self) -> None:
        """Poses of carried links in their heads."""
        step, known = self.steps.step, dict[int, LinkPose]()
        for link, shape, end in zip(self.links, self.cell.shapes, self.key.links, strict=True):
            if not end.carried:
                continue
            P = known.get(shape.parent, LinkPose.at(link.base))
            if shape.parent == OUTER and self.key.parent.carried:
                c = step.read_row(self.poses, "parent")
                x, y, z = (Vec(link.base, c[i : i + 3]) for i in (0, 3, 6))
                P = LinkPose((x, y, z), Vec(self.cell.tree.root, c[9:]))
            known[link.index] = P = pose(link, P)
            step.write_row(
                self.poses, of_member("own", link.index), [*(x for axis in P.axes for x in axis.c), *P.origin.c]
            )


def unknown_parts(W: Wrench, of: int, some: Sequence[int]) -> Nodes:
    """The power of a wrench per unit of the unknowns of a body."""
    return {(of, n): W.c[k] for n, k in enumerate(some) if W.c[k] != W.frame.S.zero}


def moved_to_head(step: TracedStep, poses: BodyRows, at: str, value: Dual) -> Dual:
    """A wrench or an inertia of a carried link, about the origin of its head along the head's axes."""
    c, head = step.read_row(poses, at), Frame("head", step.graph)
    tip = head.oriented("carried", [c[k : k + 3] for k in (0, 3, 6)])
    return type(value)(tip, value.c).back(Transform(head, tip, Vec(head, c[9:])))


def sample(g: Graph, initial: Mapping[Node, float], nodes: Sequence[Node]) -> tuple[list[Array], Iterator[Array]]:
    """The values of nodes at a few coordinates, the initial ones among them, and at others far from these if they
    depend on them, with random values of all else that a step reads."""
    near = list[Array]()
    for seed in range(SAMPLES):
        state = {h: x + 0.3 * seed * float(somewhere(seed)(str(h))) for h, x in initial.items()}
        near += finite_values(g, nodes, [state], seed)
    if all(g.mask[h] <= PARAMETERS_ONLY for h in nodes):
        return near, iter(())
    far = (dict(zip(initial, row, strict=True)) for row in far_coordinates(np.array([*initial.values()])).tolist())
    return near, finite_values(g, nodes, far)
