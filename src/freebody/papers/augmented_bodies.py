"""Trees of bodies whose joints are rotations about points: augmented bodies, barycentres, and the matrix K of K ω̇ = …,
in the angular accelerations of bodies (Mufti 1983, Eqs 28–38, 69–72, and Remark 3 for trees that are attached).

The augmented body i is body i with the masses of all outboard bodies at the points of their joints on it. About the
point of its own joint it has a first moment s_i and a constant inertia J_i. If a tree moves freely, the mass of the
inboard bodies is at the point of the joint as well; then all augmented bodies have the mass m of the tree, and the
barycentre of body i is at s_i/m.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from freebody.errors import ExpressionError, ModelError
from freebody.model.constraints import ConstraintRow
from freebody.model.joints.base import scalar
from freebody.scalar.node import Node
from freebody.scalar.walk import somewhere, values
from freebody.spatial.frame import Frame
from freebody.spatial.inertia import RigidInertia
from freebody.spatial.resolved import Vec, Wrench
from freebody.spatial.scalars import PAIRS, Scalar, Six, full, times3
from freebody.spatial.vector import Vector, components
from freebody.tree.inertia import has_fixed_origin, link_inertia, six
from freebody.tree.motion import Motion
from freebody.tree.newton_euler import NewtonEuler
from freebody.tree.passes import inwards
from freebody.tree.tree import Link, Tree, quaternions

UNIT_QUATERNION = (2 / 9, 4 / 9, 5 / 9, 6 / 9)
SAMPLES, ROUNDING = 2, 1e-12
"""Random states, and the size of components of unit vectors that count as zero."""


@dataclass(eq=False)
class HingedTree:
    """Links whose joints have free speeds, the root first. ``translations`` are the axes of the root's frame along
    which it moves freely: all three, or two if the whole tree turns about the third alone. If there are none, the point
    of the root's joint is fixed in the ground or in a body whose motion is prescribed."""

    translations: tuple[int, ...]
    nodes: list[Link] = field(default_factory=list)

    @property
    def root(self) -> Link:
        return self.nodes[0]

    @property
    def free(self) -> bool:
        return bool(self.translations)


class Hinges:
    """The trees of bodies on the ground. A link without free speeds turns with its ``carrier``, the nearest inboard
    link that has some; one that has no carrier (None) moves as prescribed, and carries further trees. Errors of joints
    that are not supported begin with ``what`` needs them, and end with a ``way_out``. ``sliding``: whether speeds may
    slide (Remark 5), each of them along a direction without a turn; points of joints may then move on their bodies."""

    def __init__(self, tree: Tree, what: str, way_out: str, sliding: bool = False) -> None:
        self.tree, self.what, self.way_out, self.trees = tree, what, way_out, list[HingedTree]()
        self.sliding = sliding
        self.carrier: dict[int, Link | None] = {}
        self.hinged_of: dict[int, HingedTree] = {}
        for link in tree.links:
            outer = None if link.parent is None else self.carrier[link.parent.index]
            self.carrier[link.index] = link if link.u else outer
            self._refuse_flexible(link)
            if not link.u:
                continue
            if outer is None:
                self.trees.append(HingedTree(self._translations(link)))
            hinged = self.trees[-1] if outer is None else self.hinged_of[outer.index]
            hinged.nodes.append(link)
            self.hinged_of[link.index] = hinged
            if any(link.slides) and not (hinged.free and link is hinged.root):
                self._require_slides(link)
            if outer is not None and not (sliding or has_fixed_origin(link)):
                self._refuse(link, "is at a point that moves on its parent")

        for hinged in self.trees:
            self._require_plane(hinged)

    def _translations(self, link: Link) -> tuple[int, ...]:
        """The axes along which a root moves freely: three with three rotations, or two with the rotation about the
        third one, if all its speeds are free."""
        both = list(zip(link.turns, link.slides, strict=True))
        turns, slides = sum(bool(t) and not s for t, s in both), sum(bool(s) and not t for t, s in both)
        if not slides or turns + slides < len(link.body.u) or (turns, slides) not in ((3, 3), (1, 2)):
            return ()
        if scalar(link.graph, link.body.spec.joint.armature) != link.graph.zero:
            self._refuse(link, "has an armature, which acts on translations")
        moves = [c.twist.linear.c for c in link.columns]
        return tuple(k for k in range(3) if any(not link.graph.vanishes(v[k]) for v in moves))

    def _require_slides(self, link: Link) -> None:
        """Refuse speeds that slide where they are not supported."""
        if not self.sliding:
            self._refuse(link, "has speeds that slide")
        if any(slide and turn for turn, slide in zip(link.turns, link.slides, strict=True)):
            self._refuse(link, "has a speed that turns and slides at once", "Speeds that only turn or only slide")
        if link.shared:
            self._refuse(link, "slides and is coupled", "Speeds that slide alone")

    def _require_plane(self, hinged: HingedTree) -> None:
        """Where a root moves in a plane, and a body of its tree leaves it, the root's translations are speeds that
        slide, or it is refused."""
        turns = [v.in_(hinged.root.frame) for node in hinged.nodes for v in directions(node).values()]
        inside = [turn.c[k] for turn in turns for k in hinged.translations]
        across = [k for k in range(3) if k not in hinged.translations]
        slides = (v for node in hinged.nodes[1:] for v in slide_directions(node).values())
        inside += [v.in_(hinged.root.frame).c[k] for v in slides for k in across]
        if len(hinged.translations) == 2 and any(differ_from_zero(self.tree, inside)):
            if self.sliding:
                hinged.translations = ()
                self._require_slides(hinged.root)
                return
            self._refuse(hinged.root, "moves it in a plane in which some body of its tree does not stay")

    def _refuse_flexible(self, link: Link) -> None:
        if link.is_flexible or link.is_node:
            raise ModelError(
                f"{self.what}: '{link.name}' is flexible, and only rigid bodies are supported; {self.way_out}"
            )

    def _refuse(self, link: Link, why: str, supported: str = "") -> None:
        body, joint = link.described, link.body.spec.joint.kind
        only = "rotations about a point that is fixed in both bodies are supported (a root may also move freely, or"
        only = f"only {only} freely in the plane of its tree)" if not supported else f"{supported} are supported"
        raise ModelError(
            f"{self.what}: the joint of '{body.name}' on '{body.parent}' ({joint}) {why}, and {only}; {self.way_out}"
        )

    # Inboard and outboard

    def inboard(self, node: Link) -> Link | None:
        """The node to which a node's joint connects it; None for a root."""
        return None if node.parent is None else self.carrier[node.parent.index]

    def way(self, node: Link) -> list[Link]:
        """A node, the next inboard one, and so on to the root."""
        nodes = [node]
        while (inner := self.inboard(nodes[-1])) is not None:
            nodes.append(inner)
        return nodes

    def towards(self, node: Link, other: Link) -> Link:
        """The node at whose joint a node is connected, directly or not, to another one: an outboard neighbour, or the
        node itself for its own joint."""
        way = self.way(other)
        return way[way.index(node) - 1] if node in way else node

    # Augmented bodies

    @cached_property
    def augmented(self) -> list[RigidInertia]:
        """For each node the augmented body with the mass of the outboard bodies, about the point of its joint, in its
        link's frame; what turns with it by prescribed motions belongs to it. Of other links that of the part itself."""

        def step(link: Link, inertia: RigidInertia) -> RigidInertia | None:
            if link.parent is None:
                return None
            return (_point(inertia) if link.u else inertia).back(link.X)

        return inwards(self.tree.links, [link_inertia(link) for link in self.tree.links], step)

    @cached_property
    def moved(self) -> list[RigidInertia]:
        """Inertia of links with the same motion and generalised forces: what is at points, or fixed, of its parent is
        added to the parent's. Of a node only s and J of the augmented body are left."""
        left: dict[int, RigidInertia] = {}

        def step(link: Link, inertia: RigidInertia) -> RigidInertia | None:
            left[link.index], point = inertia, _point(inertia)
            if link.parent is None or not has_fixed_origin(link):
                return None
            if link.u:
                left[link.index] = inertia - point
                return point.back(link.X)
            if any(link.body.placement.turns):
                return None
            left[link.index] = RigidInertia.zero(link.frame)
            return inertia.back(link.X)

        inwards(self.tree.links, [link_inertia(link) for link in self.tree.links], step)
        return [left[link.index] for link in self.tree.links]


def _point(inertia: RigidInertia) -> RigidInertia:
    """The mass at the origin."""
    zero = inertia.frame.S.zero
    return RigidInertia(inertia.frame, (inertia.m, *[zero] * 10))


class Applied(NamedTuple):
    """Torques on nodes by their indices, in their links' frames about the points of their joints, with the forces on
    outboard bodies at the points of their joints; forces on free trees, in the frames of their roots; and forces along
    speeds that slide, by the index of the speed."""

    torques: dict[int, Vec]
    forces: dict[int, Vec]
    slides: Mapping[int, Scalar] = MappingProxyType({})


class AugmentedBodies:
    """Vectors and moments of augmented bodies, in the links' frames. With ``barycentres`` the translation of a free
    tree is that of its mass centre, which is separate from the rotations (Eqs 28–38); otherwise it is that of the
    root's origin (Eqs 69, 70 in symmetric form)."""

    def __init__(self, hinges: Hinges, barycentres: bool) -> None:
        self.hinges, self.barycentres = hinges, barycentres
        self.graph = hinges.tree.graph
        nodes = self.nodes = [node for hinged in hinges.trees for node in hinged.nodes]
        self.arms = {node.index: self._arm(node) for node in nodes if hinges.inboard(node) is not None}
        self.first = {n.index: Vec(n.frame, hinges.augmented[n.index].h) for n in nodes}  # s
        self.offset = {n.index: self._offset(n) for n in nodes if self._about_barycentre(n)}
        roots = {hinged.root.index for hinged in hinges.trees if hinged.free}
        self.slides = {n.index: slide_directions(n) for n in nodes if n.index not in roots}
        """The directions in which speeds slide a node and all that is outboard of it, in its frame."""

    def total(self, hinged: HingedTree) -> Scalar:
        """The mass of a tree."""
        return self.hinges.augmented[hinged.root.index].m

    def _about_barycentre(self, node: Link) -> bool:
        return self.barycentres and self.hinges.hinged_of[node.index].free

    def _arm(self, node: Link) -> Vec:
        """From the point of the inboard node's joint to that of this one's, in the inboard node's frame."""
        inner = self.hinges.inboard(node)
        assert inner is not None and node.parent is not None
        arm = Vec(node.X.base, node.X.arm)
        return arm.in_(inner.frame) + self._from_carrier(node.parent, inner)

    def _from_carrier(self, link: Link, node: Link) -> Vec:
        """From the origin of the node that carries a link to that of the link, in the node's frame."""
        arm = Vec.zero(node.frame)
        while link is not node and link.parent is not None:
            arm, link = arm + Vec(link.X.base, link.X.arm).in_(node.frame), link.parent
        return arm

    def _offset(self, node: Link) -> Vec:
        """s/m: from the point of the joint to the barycentre."""
        S, m = self.graph, self.total(self.hinges.hinged_of[node.index])
        return Vec(node.frame, tuple(S.div(x, m) for x in self.hinges.augmented[node.index].h))

    def barycentric(self, node: Link, other: Link) -> Vec:
        """d_ik: from the barycentre of a node to its joint on the side of another node."""
        j = self.hinges.towards(node, other)
        return -self.offset[node.index] if j is node else self.arms[j.index] - self.offset[node.index]

    @cached_property
    def inertia(self) -> dict[int, Six]:
        """J of each augmented body about the point of its joint."""
        return {node.index: self._moments(self.hinges.augmented[node.index].second) for node in self.nodes}

    @cached_property
    def central_inertia(self) -> dict[int, Six]:
        """J of each augmented body about its barycentre, or the point of its joint in a tree that is attached."""
        S, moments = self.graph, dict(self.inertia)
        for node in (self.hinges.tree.links[k] for k in self.offset):
            body, m = self.hinges.augmented[node.index], self.total(self.hinges.hinged_of[node.index])
            pairs = zip(body.second, PAIRS, strict=True)
            second = [S.sub(x, S.div(S.mul(body.h[i], body.h[j]), m)) for x, (i, j) in pairs]
            moments[node.index] = self._moments(six(second))
        return moments

    def _moments(self, second: Six) -> Six:
        S, (xx, yy, zz, xy, xz, yz) = self.graph, second
        return S.add(yy, zz), S.add(xx, zz), S.add(xx, yy), S.neg(xy), S.neg(xz), S.neg(yz)

    def torque(self, node: Link, other: Link, e: Vec) -> Vec:
        """K_ij e: the torque on node i that an angular acceleration e of node j requires, in the frames of i and j, two
        nodes of a tree; j is i, or it is not inboard of i (Eqs 31, 35)."""
        if node is other:
            return _times(self.central_inertia[node.index], e)
        if self._about_barycentre(node):
            m = self.total(self.hinges.hinged_of[node.index])
            force = self.barycentric(other, node).times(m).cross(e)
            return self.barycentric(node, other).cross(force.in_(node.frame))
        j = self.hinges.towards(node, other)
        return Vec.zero(node.frame) if j is node else self.arms[j.index].cross(self.force(other, e).in_(node.frame))

    def force(self, node: Link, e: Vec) -> Vec:
        """e × s: the force that an angular acceleration of a node requires where its tree's root does not
        accelerate."""
        return e.cross(self.first[node.index])

    def applied_by(self, hinged: HingedTree, e: Mapping[int, Vec]) -> Applied:
        """K e: the torques on all nodes of a tree that angular accelerations of some of them require, by their indices,
        in two passes: accelerations of the points of joints outwards, forces inwards."""
        hinges, a, torques = self.hinges, dict[int, Vec](), dict[int, Vec]()
        forces = {k: v.cross(self.first[k]) for k, v in e.items()}
        for node in hinged.nodes:
            k, inner = node.index, hinges.inboard(node)
            a[k], torques[k] = Vec.zero(node.frame), Vec.zero(node.frame)
            if inner is not None and inner.index in e:
                a[k] = (a[inner.index] + e[inner.index].cross(self.arms[k])).in_(node.frame)
            if k in e:
                torques[k] = _times(self.inertia[k], e[k]) + self.first[k].cross(a[k])
        for node in reversed(hinged.nodes):
            inner, force = hinges.inboard(node), forces.get(node.index)
            if inner is not None and force is not None:
                force, k = force.in_(inner.frame), inner.index
                torques[k] = torques[k] + self.arms[node.index].cross(force)
                forces[k] = forces[k] + force if k in forces else force
        root = hinged.root.index
        return self.reduced(Applied(torques, {root: forces[root]} if hinged.free else {}))

    def applied_by_slide(self, hinged: HingedTree, node: Link, d: Vec) -> Applied:
        """What an acceleration d of a node's joint along its parent requires, with which all outboard bodies move."""
        m, torques, slides = self.hinges.augmented[node.index].m, dict[int, Vec](), dict[int, Scalar]()
        inboard = self.hinges.way(node)
        for other in hinged.nodes:
            outboard, k = node in self.hinges.way(other), other.index
            if outboard:
                torques[k] = self.first[k].cross(d.in_(other.frame))
            elif other in inboard:
                force = d.times(m).in_(other.frame)
                torques[k] = self.arms[self.hinges.towards(other, node).index].cross(force)
            else:
                continue
            mass = self.hinges.augmented[k].m if outboard else m
            for speed, e in self.slides.get(k, {}).items():
                slides[speed] = self.graph.mul(mass, e.dot(d.in_(other.frame)))
        forces = {hinged.root.index: d.times(m).in_(hinged.root.frame)} if hinged.free else {}
        return self.reduced(Applied(torques, forces, slides))

    def along_slides(self, forces: Mapping[int, Vec]) -> dict[int, Scalar]:
        """The forces along speeds that slide, of forces on outboard bodies at the points of joints."""
        each = (
            (speed, d, forces[k]) for k, slides in self.slides.items() if k in forces for speed, d in slides.items()
        )
        return {speed: d.dot(force) for speed, d, force in each}

    # Loads

    def required(self, motion: Motion) -> Applied:
        """What is applied in a motion at u̇ = 0: loads less what the motion requires."""
        hinges, external = self.hinges, self.hinges.carrier

        def step(link: Link, W: Wrench) -> Wrench | None:
            if link.parent is None or external[link.parent.index] is None:
                return None
            return (Wrench.of(Vec.zero(link.frame), W.linear) if link.u else W).back(link.X)

        totals = inwards(hinges.tree.links, NewtonEuler(motion, hinges.moved).wrenches, step)
        torques = {n.index: -totals[n.index].angular for n in self.nodes}
        forces = {n.index: -totals[n.index].linear for n in self.nodes}
        roots = (t.root.index for t in hinges.trees if t.free)
        return Applied(torques, {k: forces[k] for k in roots}, self.along_slides(forces))

    def of_row(self, row: ConstraintRow) -> Applied:
        """What λ = 1 of a constraint applies to bodies."""
        hinges, links = self.hinges, {link.name: link for link in self.hinges.tree.links}
        forces, torques = dict[int, Vector](), dict[int, Vec]()

        def add(node: Link, torque: Vec) -> None:
            torques[node.index] = torques[node.index] + torque if node.index in torques else torque

        for w in row.wrenches:
            link = links.get(w.body.name)
            node = None if link is None else hinges.carrier[link.index]
            if link is None or node is None:
                continue
            if w.torque is not None:
                add(node, _resolve(w.torque, node.frame))
            if w.force is not None and w.point is not None:
                arm = self._from_carrier(link, node) + _resolve(w.point.offset - link.shift, node.frame)
                add(node, arm.cross(_resolve(w.force, node.frame)))
                forces[node.index] = forces[node.index] + w.force if node.index in forces else w.force
        for node in reversed(self.nodes):  # inboard nodes are first; forces of both ends cancel where they meet
            inner, force = hinges.inboard(node), forces.get(node.index)
            if inner is not None and force:
                add(inner, self.arms[node.index].cross(_resolve(force, inner.frame)))
                forces[inner.index] = forces[inner.index] + force if inner.index in forces else force
        roots = [hinged.root for hinged in hinges.trees if hinged.free and forces.get(hinged.root.index)]
        sliding = (n for n in self.nodes if self.slides.get(n.index) and forces.get(n.index))
        slides = self.along_slides({n.index: _resolve(forces[n.index], n.frame) for n in sliding})
        return Applied(torques, {n.index: _resolve(forces[n.index], n.frame) for n in roots}, slides)

    def reduced(self, applied: Applied) -> Applied:
        """Of free trees the torques about barycentres: t − s/m × F (D̃ F of Eq 28), and along slides with the part m_i
        of the mass f − (m_i/m) d · F."""
        torques, slides, g = dict(applied.torques), dict(applied.slides), self.graph
        for hinged in self.hinges.trees:
            F = applied.forces.get(hinged.root.index)
            if F is None or not self.barycentres:
                continue
            for node in hinged.nodes:
                around = self.offset[node.index].cross(F.in_(node.frame))
                torques[node.index] = torques.get(node.index, Vec.zero(around.frame)) - around
                for speed, d in self.slides.get(node.index, {}).items():
                    part = g.mul(self.fraction(hinged, node), d.dot(F.in_(node.frame)))
                    slides[speed] = g.sub(slides.get(speed, g.zero), part)
        return Applied(torques, applied.forces, slides)

    def fraction(self, hinged: HingedTree, node: Link) -> Scalar:
        """The part of a tree's mass that is outboard of a node's joint."""
        return self.graph.div(self.hinges.augmented[node.index].m, self.total(hinged))

    def reach(self, node: Link) -> list[int]:
        """The axes of a node's frame about which some speed turns it; along others it has no angular acceleration."""
        turns = [turn for each in self.hinges.way(node) for turn in directions(each).values()]
        present = differ_from_zero(self.hinges.tree, [x for turn in turns for x in turn.in_(node.frame).c])
        return [k for k in range(3) if any(present[k::3])]


def directions(node: Link) -> dict[int, Vec]:
    """The directions in which a node's own free speeds turn it, by the index of the speed."""
    return {c.speed: c.twist.angular for c in node.columns if not c.twist.angular.is_zero}


def slide_directions(node: Link) -> dict[int, Vec]:
    """The directions in which a node's own free speeds slide it, by the index of the speed."""
    return {c.speed: c.twist.linear for c in node.columns if not c.twist.linear.is_zero}


def differ_from_zero(tree: Tree, components: Sequence[Node]) -> list[bool]:
    """Which components of unit vectors differ from zero at random states, with random parameters. Constant rotations
    that cancel, of parallel axes along no axis of a frame, leave rounding errors where there is nothing."""
    g, present = tree.graph, [not tree.graph.vanishes(x) for x in components]
    known = dict[Node, float]()
    for start in quaternions(tree):
        known |= zip(tree.layout.q_handles[start : start + 4], UNIT_QUATERNION, strict=True)
    sizes = np.zeros(len(components))
    for seed in range(SAMPLES):
        try:
            sizes = np.maximum(sizes, np.abs(np.array(values(g, components, known, somewhere(seed)), float)))
        except (ArithmeticError, ValueError, ExpressionError):
            return present
    return [one and not size < ROUNDING for one, size in zip(present, sizes, strict=True)]


def _resolve(v: Vector, frame: Frame) -> Vec:
    return Vec(frame, components(v, frame))


def _times(J: Six, e: Vec) -> Vec:
    """J e"""
    return Vec(e.frame, times3(e.frame.S, full(J), e.c))
