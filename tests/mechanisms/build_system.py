"""Builds a System from a random tree of plain numbers."""

from typing import Any

import numpy as np

from freebody.model.builder import ModelBuilder
from freebody.model.joints import (
    BuildingBlock,
    Compound,
    Custom,
    Cylindrical,
    Free,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Simple,
    Spherical,
    Universal,
    Weld,
)  # fmt: skip
from freebody.scalar.expr import sin
from tests.mechanisms.joint_maps import polynomial
from tests.mechanisms.random_trees import GROUND, Hinge, Push, Tree, Twig, Wave, turned

DRESS = ("stiffness", "rest", "damping", "friction", "armature")


class Builder:
    """Builds a System from a tree; some numbers become parameters."""

    def __init__(self, tree: Tree, make: type[ModelBuilder] = ModelBuilder) -> None:
        self.tree, self.rng = tree, np.random.default_rng([tree.seed, 99])
        self.system = make(f"tree {tree.seed}", gravity=tree.gravity)
        s = self.system
        self.motor = s.input("motor")
        self.z = s.state("z", rate="-z + motor")
        for i, twig in enumerate(tree.twigs):
            self._body(i, twig)
        for push in tree.pushes:
            self._push(push)
        for coil in tree.coils:
            start, end = (self.body(i).point(self.three(p)) for i, p in zip(coil.ends, coil.points, strict=True))
            s.spring(start, end, self.number(coil.stiffness), self.number(coil.length), self.number(coil.damping))
        for force in tree.joint_forces:
            body, k = self.freedom(force.on, force.index)
            s.joint_force(body, self.number(force.value), body.spec.joint.speeds[k])

    def number(self, x: float) -> Any:
        if self.rng.random() >= self.tree.symbolic:
            return x
        return self.system.parameter(f"p{len(self.system.values)}", x)

    def three(self, v: Any) -> tuple[Any, ...]:
        return tuple(self.number(float(x)) for x in v)

    def axis(self, given: Any) -> Any:
        return given if isinstance(given, str) else self.three(given)

    def body(self, i: int) -> Any:
        return self.system.ground if i == GROUND else self.system.bodies[f"b{i}"]

    def freedom(self, i: int, k: int) -> tuple[Any, int]:
        """The body of a freedom and its index in the joint."""
        return self.body(i), k

    def _body(self, i: int, twig: Twig) -> None:
        self.system.body(
            f"b{i}",
            on=self.body(twig.parent),
            joint=self._joint(twig.hinge),
            at=self.three(twig.at),
            orient=self._orient(twig.turns),
            mass=self.number(twig.mass),
            com=self.three(twig.com),
            inertia=self._inertia(twig.inertia),
        )

    def _inertia(self, J: np.ndarray) -> Any:
        places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        xx, yy, zz, xy, xz, yz = (self.number(float(J[i, j])) for i, j in places)
        return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)

    def _orient(self, turns: Any) -> Any:
        if not turns:
            return None
        if self.tree.matrices:
            return [[float(x) for x in row] for row in turned(turns)]
        made = [(axis, self.number(angle)) for axis, angle in turns]
        return made[0] if len(made) == 1 else made

    def _joint(self, h: Hinge) -> Joint:
        motions = [None if w is None else self._motion(w) for w in h.motions]
        motion = None if not motions else motions[0] if len(motions) == 1 else tuple(motions)
        options = {k: self.number(getattr(h, k)) for k in DRESS if getattr(h, k)}
        if motion is not None:
            options["motion"] = motion
        match h.kind:
            case "weld":
                return Weld()
            case "revolute":
                return Revolute(self.axis(h.axes[0]), **options)
            case "prismatic":
                return Prismatic(self.axis(h.axes[0]), **options)
            case "cylindrical":
                return Cylindrical(self.axis(h.axes[0]), **options)
            case "screw":
                return Screw(self.axis(h.axes[0]), self.number(h.number), **options)
            case "planar":
                return Planar(h.axes[0], **options)
            case "universal":
                return Universal(self.axis(h.axes[0]), self.axis(h.axes[1]), **options)
            case "spherical":
                return Spherical(h.word, **options)
            case "free":
                return Free(h.word, **options)
            case "building block":
                axis, reference = h.reference or (None, None)
                return BuildingBlock(tuple(map(self.axis, h.axes)), h.word, axis, reference, **options)
            case "simple":
                return self._simple(h.word[0], **options)
            case "compound":
                return Compound(*(self._simple(part) for part in h.word), **options)
            case "custom":
                return self._custom(h, options)
        raise AssertionError(h.kind)

    def _simple(self, part: Any, **options: Any) -> Simple:
        columns, speeds, _ = part
        H = [[x if x in (-1, 0, 1) else self.number(x) for x in row] for row in zip(*columns[:speeds], strict=True)]
        return Simple(H, holonomic=speeds == len(columns), **options)

    def _custom(self, h: Hinge, options: Any) -> Custom:
        """The joint as Python functions, or sometimes as expressions of parameters."""
        position, angles = ([self._polynomial(c) for c in group] for group in h.word)
        axes = [self.axis(a) for a in h.axes]
        return Custom(
            lambda *q: [polynomial(c, q) for c in position],
            lambda *q: [(axis, polynomial(c, q)) for axis, c in zip(axes, angles, strict=True)],
            coordinates=("a", "b")[: h.sizes[0]],
            **options,
        )

    def _polynomial(self, coefficients: Any) -> Any:
        c, a, b, e = coefficients
        return self.number(c), self.three(a), self.three(b), self.number(e)

    def _motion(self, w: Wave) -> Any:
        a, b, c, d = (self.number(x) for x in (w.a, w.b, w.c, w.d))
        t = self.system.t
        return a * sin(b * t + c) + d * t

    def _push(self, push: Push) -> None:
        s, k = self.system, push.scale
        scale = 1 + k.a * s.t + k.d * self.motor + k.e * self.z
        if k.of is not None:
            body, place = self.freedom(*k.of)
            scale = scale + k.b * body.q[place] + k.c * body.u[place]
        vector = self.body(push.along).vector(self.three(push.vector)) * scale
        reaction = None if push.reaction is None else self.body(push.reaction)
        if push.torque:
            s.torque(vector, on=self.body(push.on), reaction=reaction)
        else:
            s.force(vector, at=self.body(push.on).point(self.three(push.at)), reaction=reaction)


def system(tree: Tree) -> ModelBuilder:
    return Builder(tree).system
