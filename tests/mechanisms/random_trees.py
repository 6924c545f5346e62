"""Random trees over every joint as plain numbers, which the reference reads and ``build_system.system`` converts to a
System. ``tree(seed)`` draws one, ``state(tree)`` its position and motion. Nothing here computes mechanics."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from freebody.model.joints import JOINTS
from tests.mechanisms import joint_maps

NAMED = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-x": (-1, 0, 0), "-y": (0, -1, 0), "-z": (0, 0, -1)}
SEQUENCES = ("123", "321", "313", "231", "212")
GROUND = -1
Array = np.ndarray


@dataclass(frozen=True)
class Wave:
    """A prescribed motion a sin(b t + c) + d t."""

    a: float
    b: float
    c: float
    d: float

    def jet(self, t: float) -> tuple[float, float, float]:
        """Value, first and second derivative."""
        phase = self.b * t + self.c
        s, c = np.sin(phase), np.cos(phase)
        return self.a * s + self.d * t, self.a * self.b * c + self.d, -self.a * self.b**2 * s


@dataclass(frozen=True)
class Hinge:
    """A joint in plain data. ``axes`` are its directions, by name or three numbers; ``word`` names its variant."""

    kind: str
    axes: tuple[Any, ...] = ()
    word: Any = None
    number: float = 0.0
    reference: Any = None
    motions: tuple[Wave | None, ...] = ()
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of coordinates and speeds, including prescribed ones."""
        match self.kind:
            case "weld":
                return 0, 0
            case "revolute" | "prismatic" | "screw":
                return 1, 1
            case "cylindrical" | "universal":
                return 2, 2
            case "planar":
                return 3, 3
            case "spherical":
                return (4 if self.word is None else 3), 3
            case "free":
                return (7 if self.word is None else 6), 6
            case "building block":
                return (len(self.axes) + len(self.word),) * 2
            case "simple" | "compound":
                return sum(len(columns) for columns, _, _ in self.word), sum(speeds for _, speeds, _ in self.word)
            case "custom":
                return (len(self.word[0][0][1]),) * 2
        raise AssertionError(self.kind)

    @property
    def plain(self) -> bool:
        """Whether its speeds are the rates of its coordinates."""
        if self.kind in ("simple", "compound"):
            return all(plain for _, _, plain in self.word)
        return self.kind not in ("spherical", "free") and not (self.kind == "building block" and len(self.word) == 3)


@dataclass(frozen=True)
class Twig:
    """A body: its parent's index in the tree, its joint and its mass. ``turns`` orient the joint in the parent."""

    parent: int
    hinge: Hinge
    at: tuple[float, float, float]
    turns: tuple[tuple[Any, float], ...]
    mass: float
    com: tuple[float, float, float]
    inertia: np.ndarray


@dataclass(frozen=True)
class Scale:
    """1 + a t + b q + c u + d input + e state, with q and u of one free freedom (a twig and an index in its joint)."""

    a: float = 0.0
    b: float = 0.0
    c: float = 0.0
    d: float = 0.0
    e: float = 0.0
    of: tuple[int, int] | None = None


@dataclass(frozen=True)
class Push:
    """A force (``torque`` False) at a point of a twig or a torque on it, its components along another twig's axes."""

    on: int
    along: int
    vector: tuple[float, float, float]
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    reaction: int | None = None
    torque: bool = False
    scale: Scale = Scale()


@dataclass(frozen=True)
class Coil:
    """A spring and damper between points of two twigs (or the ground)."""

    ends: tuple[int, int]
    points: tuple[tuple[float, float, float], tuple[float, float, float]]
    stiffness: float
    length: float
    damping: float


@dataclass(frozen=True)
class JointForce:
    """A generalised force on speed ``index`` of a twig's joint."""

    on: int
    index: int
    value: float


@dataclass(frozen=True)
class Tree:
    seed: int
    twigs: tuple[Twig, ...]
    pushes: tuple[Push, ...] = ()
    coils: tuple[Coil, ...] = ()
    joint_forces: tuple[JointForce, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    symbolic: float = 0.3  # the fraction of numbers that become parameters
    matrices: bool = False  # orientations given as matrices instead of turns

    def free(self) -> list[tuple[int, int]]:
        """(twig, index in its joint) of every free speed, in the order of u."""
        return [(i, k) for i, twig in enumerate(self.twigs) for k in range(twig.hinge.sizes[1]) if not given(twig, k)]

    def kinds(self) -> set[str]:
        return {twig.hinge.kind for twig in self.twigs}


@dataclass(frozen=True)
class State:
    t: float
    q: np.ndarray
    u: np.ndarray
    z: float
    motor: float


def given(twig: Twig, k: int) -> Wave | None:
    return twig.hinge.motions[k] if twig.hinge.motions else None


# Rotations, independent of the library


def unit(given: Any) -> Array:
    v = np.array(NAMED[given] if isinstance(given, str) else given, dtype=float)
    return v / np.linalg.norm(v)


def skew(v: Array) -> Array:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rodrigues(axis: Array, angle: Any) -> Array:
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def turned(turns: Sequence[tuple[Any, float]]) -> Array:
    """Successive rotations, each about axes of the rotated frame."""
    R = np.eye(3)
    for axis, angle in turns:
        R = R @ rodrigues(unit(axis), angle)
    return R


# Random values


@dataclass
class Draw:
    """A seeded source of random values."""

    rng: np.random.Generator
    extras: bool = True
    kinds: tuple[str, ...] = field(default_factory=lambda: tuple(JOINTS))

    def number(self, low: float = -1.0, high: float = 1.0) -> float:
        return float(self.rng.uniform(low, high))

    def three(self, size: float = 1.0) -> tuple[float, float, float]:
        x, y, z = self.rng.uniform(-size, size, 3)
        return float(x), float(y), float(z)

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def axis(self) -> Any:
        return str(self.rng.choice(list(NAMED))) if self.chance(0.6) else self.three()

    def hinge(self, kind: str) -> Hinge:
        made = Hinge(kind)
        match kind:
            case "revolute" | "prismatic" | "cylindrical" | "planar":
                made = Hinge(kind, (self.axis(),))
            case "screw":
                made = Hinge(kind, (self.axis(),), number=self.number())
            case "universal":
                made = Hinge(kind, (self.axis(), self.three()) if self.chance(0.5) else ("x", "z"))
            case "spherical" | "free":
                made = Hinge(kind, word=None if self.chance(0.4) else str(self.rng.choice(SEQUENCES)))
            case "building block":
                made = self.block()
            case "simple":
                made = Hinge(kind, word=(joint_maps.simple(self),))
            case "compound":
                made = Hinge(kind, word=joint_maps.compound(self))
            case "custom":
                made = Hinge(kind, (self.axis(), self.axis()), joint_maps.custom(self))
        return self.with_options(made) if self.extras else made

    def block(self) -> Hinge:
        word = [(), (1,), (2,), (3,), (1, 2, 3), (3, 1, 3), (2, 3, 1)][int(self.rng.integers(7))]
        slides = tuple(self.axis() for _ in range(int(self.rng.integers(0 if word else 1, 4))))
        slides = slides[: 2 if len(set(map(str, slides))) < len(slides) else 3]
        if len(slides) > 1 and str(slides[0])[-1] == str(slides[1])[-1]:
            slides = slides[:1]  # parallel translations have no mass matrix
        if not word or self.chance(0.4):
            return Hinge("building block", slides, word)
        axis = self.three()
        return Hinge("building block", slides, word, reference=(axis, self.three()))

    def with_options(self, hinge: Hinge) -> Hinge:
        """The joint with damping, armature, friction, and if its speeds are rates, springs and prescribed motions."""
        if self.chance(0.3):
            hinge = replace(hinge, damping=self.number(0.1, 1), armature=self.number(0.1, 1))
        if self.chance(0.1):
            hinge = replace(hinge, friction=self.number(0.1, 1))
        if hinge.plain and self.chance(0.3):
            hinge = replace(hinge, stiffness=self.number(1, 5), rest=self.number())
        if hinge.plain and self.chance(0.2):
            waves = [self.wave() if self.chance(0.6) else None for _ in range(hinge.sizes[0])]
            hinge = replace(hinge, motions=tuple(waves) if any(waves) else ())
        return hinge

    def wave(self) -> Wave:
        return Wave(self.number(), self.number(0.5, 3), self.number(), self.number())

    def twig(self, parent: int, kind: str) -> Twig:
        turns = tuple((self.axis(), self.number(-3, 3)) for _ in range(int(self.rng.integers(0, 3))))
        points = self.rng.normal(size=(6, 3)) * 0.4  # six point masses have a possible inertia
        inertia = sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)
        at = self.three() if self.chance(0.7) else (0.0, self.number(), 0.0)
        return Twig(parent, self.hinge(kind), at, turns, self.number(0.3, 3), self.three(), np.asarray(inertia))


def tree(seed: int, bodies: int = 6, **options: Any) -> Tree:
    """A random tree; consecutive seeds cover every kind of joint."""
    draw = Draw(np.random.default_rng(seed), **options)
    kinds = list(draw.kinds)
    twigs: list[Twig] = []
    for i in range(bodies):
        kind = kinds[seed % len(kinds)] if i == 1 else str(draw.rng.choice(kinds))
        parent = i - 1 if draw.chance(0.6) else int(draw.rng.integers(-1, i))
        twigs.append(draw.twig(parent, kind))
    if not any(twig.hinge.sizes[1] > sum(m is not None for m in twig.hinge.motions) for twig in twigs):
        twigs.append(draw.twig(len(twigs) - 1, "revolute"))
    bare = Tree(seed, tuple(twigs), symbolic=(0.0, 0.3, 1.0)[seed % 3], matrices=bool(seed % 2))
    return loaded(bare, draw) if draw.extras else bare


def loaded(bare: Tree, draw: Draw, internal: bool = False) -> Tree:
    """The tree with forces, torques, springs and joint forces, optionally internal ones only."""
    n, free = len(bare.twigs), bare.free()
    low = 0 if internal else GROUND

    def other(i: int) -> int:
        return int(draw.rng.choice([j for j in range(low, n) if j != i]))

    pushes = []
    for torque in (False, True, False, True):
        on = int(draw.rng.integers(n))
        of = tuple(draw.rng.choice(free)) if free else None
        a, b, c, d, e = (draw.number() for _ in range(5))
        scale = Scale(a, b, c, d, e, of=(int(of[0]), int(of[1])) if of else None)
        reaction = other(on) if internal or draw.chance(0.6) else None
        along = int(draw.rng.integers(GROUND, n))
        pushes.append(Push(on, along, draw.three(5), draw.three(), reaction, torque, scale))
    coils = []
    for _ in range(2):
        start = int(draw.rng.integers(n))
        points = draw.three(), draw.three()
        coils.append(Coil((start, other(start)), points, draw.number(1, 5), draw.number(0, 1), draw.number(0, 1)))
    joint_forces = []
    for _ in range(2 if free else 0):
        on, index = map(int, draw.rng.choice(free))
        joint_forces.append(JointForce(on, index, draw.number(-5, 5)))
    return replace(bare, pushes=tuple(pushes), coils=tuple(coils), joint_forces=tuple(joint_forces))


def state(tree: Tree, seed: int = 0) -> State:
    """A random state with unit quaternions and Euler angles away from their singularities."""
    rng = np.random.default_rng([tree.seed, seed])
    q: list[float] = []
    for twig in tree.twigs:
        hinge = twig.hinge
        values = rng.uniform(-1.2, 1.2, hinge.sizes[0])
        if hinge.kind in ("spherical", "free") and hinge.word is None:
            values[-4:] = rng.normal(size=4)
            values[-4:] /= np.linalg.norm(values[-4:])
        elif hinge.kind in ("simple", "compound", "custom"):
            values /= 2
        elif not hinge.plain:
            values[-2] = rng.uniform(0.4, 1.1)
        q += [x for k, x in enumerate(values) if given(twig, k) is None or not hinge.plain]
    u = rng.uniform(-2, 2, len(tree.free()))
    return State(rng.uniform(0, 2), np.array(q), u, rng.uniform(-1, 1), rng.uniform(-1, 1))
