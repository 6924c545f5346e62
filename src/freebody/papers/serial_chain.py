"""Kwatny & Blankenship's functions for serial chains (sections III B, C), each usable by itself (docs/poincare.md).

Coordinates and speeds are named by a text ("t1 t2 t3"), a list of names, or their symbols; matrices are nested
sequences of expressions, numbers and texts. Symbols belong to one graph: that of the first expression given;
``chain_inertia``, which begins from texts and numbers, makes a new one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

from freebody.algebra import ClosedForm, closed_forms
from freebody.errors import ArgumentError, within
from freebody.formulations.solve import dot
from freebody.model.element import normal_form
from freebody.model.joints import Compound, Simple
from freebody.model.joints.base import Joint, Placement
from freebody.model.joints.reading import Bare
from freebody.papers.brackets import VelocityFields, along, columns, of_structure, structure
from freebody.papers.matrices import Matrix, entries, graph_of, handles, shown
from freebody.run.numbers import switch
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Transform, Twist, Vec, Wrench
from freebody.spatial.scalars import Triple, add3, dot3, times3
from freebody.spatial.vector import components

Names = str | Sequence[str | Expr]
Map = Sequence[Any]  # H, or (r, H)
Nested = Sequence[Sequence[Any]]
Rows = list[list[int]]
DOWN = (0, 0, -9.81)


class ChainBody(NamedTuple):
    """A body of a chain: where its mass centre and its outboard joint lie from its inboard joint, its mass, and its
    inertia about the mass centre (three moments or a 3 × 3 matrix); all along its own axes."""

    com: Sequence[Any]
    end: Sequence[Any]
    mass: Any
    inertia: Any


class ChainMatrices(NamedTuple):
    """``V``: the joints' kinematic matrices; ``X``: their configuration matrices; ``M``: the chain's inertia matrix;
    ``q``: the symbols of its coordinates."""

    V: list[Matrix]
    X: list[Matrix]
    M: Matrix
    q: tuple[Expr, ...]


def chain_inertia(
    joints: Sequence[Joint | Map], bodies: Sequence[ChainBody | Sequence[Any]], names: Names,
    angles: str = "shortest",
) -> ChainMatrices:  # fmt: skip
    """V, X and M of a serial chain (the paper's RgdChn, Eqs 44–52): its joints and bodies from the ground outwards, and
    names for its coordinates. A joint is one of the library's, the map H of a simple one, or a pair (r, H) as in the
    paper: the numbers of columns of its simple parts, and their maps side by side. Names in texts that are not
    coordinates are parameters."""
    g = graph_of(names, bodies) or Graph()
    q = declared(g, names, Kind.COORDINATE)
    bodies = entries(bodies, "bodies")
    listed = enumerate(entries(joints, "joints"))
    normalised = [_joint(joint, f"joint {k + 1}", Bare(g, declare=True)) for k, joint in listed]
    _check(normalised, bodies, q)
    chain = Chain(g, normalised, [_segment(g, body) for body in bodies], q)
    V, X = ([shown(g, m, angles) for m in matrices] for matrices in (chain.V, chain.X))
    return ChainMatrices(V, X, shown(g, chain.M, angles), tuple(Expr(g, h) for h in q))


def end_effector_pose(
    bodies: Sequence[ChainBody | Sequence[Any]], X: Sequence[Nested], angles: str = "shortest"
) -> Matrix:
    """The configuration matrix of the last body's end in the ground (XEndEf), 4 × 4."""
    g, in_ground, segments = _poses(bodies, X)
    last = in_ground[-1]
    rows = [[*row[:3], x] for row, x in zip(last, _point(g, last, segments[-1].end), strict=False)]
    return shown(g, [*rows, last[3]], angles)


def gravity_potential(
    bodies: Sequence[ChainBody | Sequence[Any]], X: Sequence[Nested], gravity: Sequence[Any] = DOWN,
    angles: str = "shortest",
) -> Expr:  # fmt: skip
    """−Σ m g·r over the bodies (GravPotChn); 0 at the ground's origin. The paper has gravity (0, 0, −1)."""
    g, in_ground, segments = _poses(bodies, X)
    down, total = _three(g, gravity, "gravity"), g.zero
    for pose, body in zip(in_ground, segments, strict=True):
        total = g.sub(total, g.mul(body.mass, dot3(g, down, _point(g, pose, body.com))))
    return ClosedForm(g, closed_forms(g, [total], angles)[0])


def coriolis_matrix(
    M: Nested, V: Sequence[Any], q: Names, p: Names, skew: bool = False, angles: str = "shortest"
) -> Matrix:
    """C(q, p) of M ṗ + C p (Cmat, Eq 53b with its signs corrected); ``skew`` gives the one with Ṁ − 2C skew. V is one
    matrix or the list of its diagonal blocks; its columns' brackets must be combinations of its columns."""
    g = _graph(M, V)
    return shown(g, _fields(g, M, V, q, p).matrix(switch(skew, "skew")), angles)


def poincare_function(
    M: Nested, V: Sequence[Any], potential: Any, Q: Names | Sequence[Any], p: Names, q: Names, angles: str = "shortest",
    on: Literal["speeds", "coordinates"] = "speeds",
) -> list[Expr]:  # fmt: skip
    """C(q, p) p + F(q) − Q (PoincFunc): Poincaré's equations are M ṗ + this = 0. Q are generalised forces (names,
    expressions or numbers) on the speeds, or on the coordinates, which come to VᵀQ on the speeds (Eq 53c)."""
    g = _graph(M, V, potential)
    fields = _fields(g, M, V, q, p)
    energy = handles(g, [[potential]], "the potential")[0][0]
    residuals = []
    for row, v, force in zip(fields.matrix(), columns(fields.V), _on_speeds(fields, _forces(g, Q), on), strict=True):
        gradient = along(g, [energy], fields.q, v)[0]
        residuals.append(g.sub(g.add(fields.product(row), gradient), force))
    return [ClosedForm(g, h) for h in closed_forms(g, residuals, angles)]


# The chain


@dataclass(frozen=True)
class ChainSegment:
    """A body of a chain as nodes: its mass centre and outboard joint from its inboard joint, mass, inertia about the
    mass centre; all in its own axes."""

    com: Triple
    end: Triple
    mass: int
    inertia: Sequence[Sequence[int]]


class Chain:
    """Joints and bodies in turn, from the ground outwards; ``q`` are the coordinates of all joints."""

    def __init__(self, graph: Graph, joints: Sequence[Joint], bodies: Sequence[ChainSegment], q: Sequence[int]) -> None:
        self.graph, self.joints, self.bodies, self.q = graph, joints, bodies, q
        self.placements: list[Placement] = []
        self.speeds: list[list[int]] = []
        frame, left = Frame("N", graph), list(q)
        for k, joint in enumerate(joints):
            coordinates, left = left[: len(joint.coordinates)], left[len(joint.coordinates) :]
            speeds = [graph.symbol(f"{k}.{n}", Kind.SPEED) for n in joint.speeds]
            self.placements.append(joint.place(frame, f"B{k + 1}", coordinates, speeds))
            self.speeds.append(speeds)
            frame = self.placements[-1].frame

    def parent(self, k: int) -> Frame:
        return self.placements[k - 1].frame if k else self.placements[0].frame.root

    @cached_property
    def V(self) -> list[Rows]:
        """Γ of each joint: q̇ = V p by blocks (Eq 25)."""
        blocks: list[Rows] = []
        for joint, speeds in zip(self.placements, self.speeds, strict=True):
            by = jacobian(self.graph, joint.q_dot, speeds)
            rows = range(len(joint.q_dot))
            blocks.append([[by.get((i, j), self.graph.zero) for j in range(len(speeds))] for i in rows])
        return blocks

    @cached_property
    def X(self) -> list[Rows]:
        """The configuration matrix of each joint (Eq 1): child to parent."""
        g, matrices = self.graph, list[Rows]()
        for k, joint in enumerate(self.placements):
            axes = [Vec(joint.frame, tuple(g.one if i == n else g.zero for i in range(3))) for n in range(3)]
            columns = [axis.in_(self.parent(k)).c for axis in axes]
            R = [[column[row] for column in columns] for row in range(3)]
            matrices.append(homogeneous(g, R, components(joint.position, self.parent(k))))
        return matrices

    @cached_property
    def H(self) -> list[list[Twist]]:
        """The columns of each joint map, in the child's frame (Eq 9)."""
        return [
            [
                Twist(joint.frame, components(t, joint.frame) + components(s, joint.frame))
                for t, s in zip(joint.turns, joint.slides, strict=True)
            ]
            for joint in self.placements
        ]

    @cached_property
    def columns(self) -> list[list[Twist]]:
        """Φ H by rows: for each body the velocity (ω, v) that each speed inboard of it gives (Eqs 47–51)."""
        columns = [self.H[0]]
        for k, own in enumerate(self.H[1:], 1):
            before = self.parent(k)
            arm = add3(self.graph, self.bodies[k - 1].end, components(self.placements[k].position, before))
            X = Transform(before, self.placements[k].frame, Vec(before, arm))  # φ(k, k−1) (Eq 46)
            columns.append([V.out(X) for V in columns[-1]] + own)
        return columns

    @cached_property
    def M(self) -> Rows:
        """Hᵀ Φᵀ M Φ H (Eq 52b), summed over the bodies; each at its mass centre, where its inertia is diag(I, m 1)."""
        g, n = self.graph, sum(len(h) for h in self.H)
        total = [[g.zero] * n for _ in range(n)]
        for body, inboard, joint in zip(self.bodies, self.columns, self.placements, strict=True):
            centre = Frame(f"{joint.frame.name} centre", g, joint.frame)
            X = Transform(joint.frame, centre, Vec(joint.frame, body.com))
            at_centre = [V.out(X) for V in inboard]
            inertia, m = body.inertia, body.mass
            momenta = [Wrench(centre, times3(g, inertia, V.c[:3]) + V.linear.times(m).c) for V in at_centre]
            for i, V in enumerate(at_centre):
                for j in range(i + 1):
                    total[i][j] = g.add(total[i][j], V.dot(momenta[j]))
        return [[total[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


def homogeneous(g: Graph, R: Sequence[Sequence[int]], p: Sequence[int]) -> Rows:
    return [[*row, x] for row, x in zip(R, p, strict=True)] + [[g.zero, g.zero, g.zero, g.one]]


def product(g: Graph, A: Sequence[Sequence[int]], B: Sequence[Sequence[int]]) -> Rows:
    """A B"""
    return [[dot(g, row, column) for column in zip(*B, strict=True)] for row in A]


def poses(g: Graph, X: Sequence[Sequence[Sequence[int]]], ends: Sequence[Triple]) -> list[Rows]:
    """Each body's configuration matrix in the ground: joints and arms in turn."""
    one, zero = g.one, g.zero
    unit = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
    in_ground: list[Rows] = []
    here = homogeneous(g, unit, (zero, zero, zero))
    for joint, end in zip(X, ends, strict=True):
        in_ground.append(product(g, here, joint))
        here = product(g, in_ground[-1], homogeneous(g, unit, end))
    return in_ground


# Arguments to nodes


def _on_speeds(fields: VelocityFields, forces: list[int], on: str) -> list[int]:
    """Generalised forces on the speeds."""
    if not isinstance(on, str) or on not in ("speeds", "coordinates"):
        raise ArgumentError(f"forces act on 'speeds' or on 'coordinates', not on {on!r}")
    many = len(fields.p) if on == "speeds" else len(fields.q)
    if len(forces) != many:
        raise ArgumentError(f"Q has {len(forces)} generalised forces, but there are {many} {on}")
    return forces if on == "speeds" else [dot(fields.graph, v, forces) for v in columns(fields.V)]


def declared(g: Graph, names: Names, kind: Kind) -> list[int]:
    """The symbols of these names, created where there are none."""
    listed = names.replace(",", " ").split() if isinstance(names, str) else entries(names, "names of symbols")
    wrong = [n for n in listed if not isinstance(n, Expr | str)]
    if wrong:
        raise ArgumentError(f"a symbol is named by text or is an expression, not {wrong[0]!r}")
    return [n.handle if isinstance(n, Expr) else _symbol(g, n, kind) for n in listed]


def _symbol(g: Graph, name: str, kind: Kind) -> int:
    known = g.named(name)
    return g.symbol(name, kind) if known is None else known


def _forces(g: Graph, Q: Any) -> list[int]:
    if isinstance(Q, str):
        return declared(g, Q, Kind.INPUT)
    return [_symbol(g, x, Kind.INPUT) if isinstance(x, str) else handles(g, [[x]], "Q")[0][0] for x in entries(Q, "Q")]


def _graph(*values: Any) -> Graph:
    g = graph_of(*values)
    if g is None:
        raise ArgumentError("no entry of M, V or the potential is an expression; those of chain_inertia are")
    return g


def _fields(g: Graph, M: Nested, V: Sequence[Any], q: Names, p: Names) -> VelocityFields:
    """M and V with the structure of V's columns."""
    coordinates, speeds = declared(g, q, Kind.COORDINATE), declared(g, p, Kind.SPEED)
    if len({*coordinates, *speeds}) < len(coordinates) + len(speeds):
        raise ArgumentError("every coordinate in q and every speed in p needs a name of its own")
    mass, kinematic = handles(g, M, "M"), _diagonal(g, V)
    shape = len(kinematic), len(kinematic[0]) if kinematic else 0
    if shape != (len(coordinates), len(speeds)) or len(mass) != len(speeds):
        raise ArgumentError(
            f"M is {len(mass)} × {len(mass[0]) if mass else 0} and V {shape[0]} × {shape[1]}, but there are"
            f" {len(coordinates)} names in q and {len(speeds)} in p: M needs a row for each speed, V a row for each"
            " coordinate"
        )
    constants = structure(g, kinematic, coordinates)
    if constants is None:
        raise ArgumentError(
            "a bracket of V's columns is not a combination of them: these speeds belong to a nonholonomic joint,"
            " whose equations need more than M and V. Build a System and take derive('poincare').matrices()"
        )
    return VelocityFields(g, mass, kinematic, coordinates, speeds, of_structure(g, constants, mass))


def _diagonal(g: Graph, V: Sequence[Any]) -> list[list[int]]:
    """V as one matrix, from itself or from its diagonal blocks."""
    V = entries(V, "V")
    if not (V and isinstance(V[0], Sequence) and V[0] and isinstance(V[0][0], Sequence)):
        return handles(g, V, "V")
    blocks = [handles(g, block, "V") for block in V]
    width, start, rows = sum(len(b[0]) for b in blocks if b), 0, list[list[int]]()
    for block in blocks:
        for row in block:
            rows.append([g.zero] * start + row + [g.zero] * (width - start - len(row)))
        start += len(block[0]) if block else 0
    return rows


def _joint(spec: Joint | Map, who: str, scope: Bare) -> Joint:
    """A joint in normal form."""
    if isinstance(spec, Joint):
        joint = spec
    elif not isinstance(spec, Sequence) or len(spec) != 2:
        joint = Simple(H=spec)
    else:
        r, H = spec
        whole = Compound.of(H, r)
        joint = whole.parts[0] if len(whole.parts) == 1 else whole
    with within(who):
        return normal_form(joint, scope, late=False)


def _check(joints: Sequence[Joint], bodies: Sequence[Any], q: Sequence[int]) -> None:
    if len(joints) != len(bodies) or not joints:
        raise ArgumentError(f"a chain has a body for each joint, not {len(bodies)} bodies for {len(joints)} joints")
    for k, joint in enumerate(joints):
        if joint.kind == "universal":
            raise ArgumentError(f"a {joint.kind} joint is two hinges with a body between them: give them one by one")
        forces = {
            "stiffness": joint.stiffness, "damping": joint.damping, "friction": joint.friction,
            "armature": joint.armature, "motion": joint.motion,
        }  # fmt: skip
        for name, value in forces.items():
            if value is not None and value != 0:
                raise ArgumentError(f"joint {k + 1} has a {name}, which a chain does not have: build a System instead")
    needed = sum(len(joint.coordinates) for joint in joints)
    if needed != len(q) or len(set(q)) != len(q):
        raise ArgumentError(f"the joints have {needed} coordinates, but {len(set(q))} different names were given")


def _poses(bodies: Sequence[Any], X: Sequence[Nested]) -> tuple[Graph, list[list[list[int]]], list[ChainSegment]]:
    X, bodies = entries(X, "X"), entries(bodies, "bodies")
    g = graph_of(X, bodies) or Graph()
    segments = [_segment(g, body) for body in bodies]
    if len(X) != len(segments):
        raise ArgumentError(
            f"a chain has a configuration matrix for each body, not {len(X)} for {len(segments)} bodies"
        )
    matrices = [handles(g, x, "X") for x in X]
    if not matrices or any([len(row) for row in x] != [4] * 4 for x in matrices):
        raise ArgumentError("X has a 4 × 4 configuration matrix for each body, and there is at least one")
    return g, poses(g, matrices, [s.end for s in segments]), segments


def _point(g: Graph, X: Sequence[Sequence[int]], r: Triple) -> Triple:
    """A point of a body in the ground."""
    return add3(g, times3(g, [row[:3] for row in X[:3]], r), (X[0][3], X[1][3], X[2][3]))


def _segment(g: Graph, body: Any) -> ChainSegment:
    if not isinstance(body, Sequence) or len(body) != 4:
        raise ArgumentError(f"a body is (com, end, mass, inertia), as ChainBody has them, not {body!r}")
    com, end, mass, inertia = body
    rows = inertia
    if isinstance(inertia, str) or not isinstance(inertia, Sequence):
        raise ArgumentError(f"a body's inertia is three moments or a 3 × 3 matrix, not {inertia!r}")
    if not any(isinstance(x, Sequence) and not isinstance(x, str) for x in inertia):
        rows = [[x if i == j else 0 for j in range(3)] for i, x in enumerate(inertia)]
    J = _numbers(g, rows, "an inertia")
    if [len(row) for row in J] != [3, 3, 3]:
        raise ArgumentError("a body's inertia is three moments or a 3 × 3 matrix")
    return ChainSegment(_three(g, com, "com"), _three(g, end, "end"), _numbers(g, [[mass]], "a mass")[0][0], J)


def _three(g: Graph, value: Sequence[Any], who: str) -> Triple:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 3:
        raise ArgumentError(f"{who} is three numbers or expressions, not {value!r}")
    x, y, z = _numbers(g, [value], who)[0]
    return x, y, z


def _numbers(g: Graph, rows: Nested, who: str) -> list[list[int]]:
    """Nodes of numbers and parameters; unknown names in texts are parameters."""
    read = Bare(g, declare=True)
    nodes = handles(g, [[read.scalar(x) for x in row] for row in rows], who)
    if any(g.mask[x] > PARAMETERS_ONLY for row in nodes for x in row):
        raise ArgumentError(f"{who} may depend on numbers and parameters only, not on the coordinates or speeds")
    return nodes
