"""Kwatny & Blankenship's functions for serial chains (sections III B, C), each usable by itself (docs/poincare.md).

Coordinates and speeds are named by a text ("t1 t2 t3"), a list of names, or their symbols; matrices are nested
sequences of expressions, numbers and texts. Symbols belong to one graph: that of the first expression given;
``chain_inertia``, which begins from texts and numbers, makes a new one.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from freebody.algebra import ClosedForm, closed_forms
from freebody.errors import ArgumentError, within
from freebody.formulations.solve import dot
from freebody.keywords import keyword_hints
from freebody.model.element import normal_form
from freebody.model.joints import Compound, Simple
from freebody.model.joints.base import GraphScope, Joint, Placement
from freebody.papers.brackets import VelocityFields, along, bracket, columns, structure
from freebody.papers.matrices import Matrix, entries, graph_of, handles, shown
from freebody.run.arguments import boolean
from freebody.scalar.derivative import jacobian
from freebody.scalar.expr import Expr, equals_number
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import PARAMETERS_ONLY, Kind
from freebody.spatial.frame import Frame
from freebody.spatial.resolved import Transform, Twist, Vec, Wrench
from freebody.spatial.scalars import Triple, add3, dot3, times3
from freebody.spatial.vector import components

Names = str | Sequence[str | Expr]
Map = Sequence[Any]  # H, or (r, H)
Nested = Sequence[Sequence[Any]]
Rows = list[list[Node]]
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


@keyword_hints
def chain_inertia(
    joints: Sequence[Joint | Map],
    bodies: Sequence[ChainBody | Sequence[Any]],
    names: Names,
    angles: str = "shortest",
) -> ChainMatrices:
    """V, X and M of a serial chain (the paper's RgdChn, Eqs 44–52): its joints and bodies from the ground outwards, and
    names for its coordinates. A joint is one of the library's, the map H of a simple one, or a pair (r, H) as in the
    paper: the numbers of columns of its simple parts, and their maps side by side. Names in texts that are not
    coordinates are parameters."""
    g = graph_of(names, bodies) or Graph()
    q, listed, X = declared(g, names, Kind.COORDINATE), entries(bodies, "bodies"), list[Rows]()
    normalised = _joints(g, entries(joints, "joints"), listed, q)
    segments = [_segment(g, body) for body in listed]
    frames, left, placements, V = [Frame("N", g)], list(q), list[Placement](), list[Rows]()
    for k, joint in enumerate(normalised):
        coordinates, left = left[: len(joint.coordinates)], left[len(joint.coordinates) :]
        speeds = [g.symbol(f"{k}.{n}", Kind.SPEED) for n in joint.speeds]
        placed = joint.place(frames[k], f"B{k + 1}", coordinates, speeds)
        by = jacobian(g, placed.q_dot, speeds)  # Γ of the joint: q̇ = V p by blocks (Eq 25)
        V.append([[by.get((i, j), g.zero) for j in range(len(speeds))] for i in range(len(placed.q_dot))])
        placements.append(placed)
        frames.append(placed.frame)
    for parent, placed in zip(frames, placements, strict=False):  # child to parent (Eq 1)
        axes = [Vec(placed.frame, tuple(g.one if i == n else g.zero for i in range(3))) for n in range(3)]
        R = list(zip(*(axis.in_(parent).c for axis in axes), strict=True))
        X.append(homogeneous(g, R, components(placed.position, parent)))
    M = _inertia(g, placements, segments)
    of_V, of_X = ([shown(g, m, angles) for m in matrices] for matrices in (V, X))
    return ChainMatrices(of_V, of_X, shown(g, M, angles), tuple(Expr(g, h) for h in q))


def _inertia(g: Graph, placements: Sequence[Placement], segments: Sequence["ChainSegment"]) -> Rows:
    """Hᵀ Φᵀ M Φ H (Eq 52b), summed over the bodies; each at its mass centre, where its inertia is diag(I, m 1)."""
    n, columns = sum(len(joint.turns) for joint in placements), list[Twist]()
    total = [[g.zero] * n for _ in range(n)]
    for k, (joint, body) in enumerate(zip(placements, segments, strict=True)):
        frame, pairs = joint.frame, zip(joint.turns, joint.slides, strict=True)
        of_joint = [Twist(frame, components(t, frame) + components(s, frame)) for t, s in pairs]  # H (Eq 9)
        if k:
            before = placements[k - 1].frame
            arm = add3(g, segments[k - 1].end, components(joint.position, before))
            columns = [V.out(Transform(before, frame, Vec(before, arm))) for V in columns]  # φ(k, k−1) (Eq 46)
        columns = columns + of_joint  # a row of Φ H: the body's velocity (ω, v) by each speed inboard of it (Eqs 47–51)
        centre = Frame(f"{frame.name} centre", g, frame)
        at_centre = [V.out(Transform(frame, centre, Vec(frame, body.com))) for V in columns]
        momenta = [Wrench(centre, times3(g, body.inertia, V.c[:3]) + V.linear.times(body.mass).c) for V in at_centre]
        for i, V in enumerate(at_centre):
            for j in range(i + 1):
                total[i][j] = g.add(total[i][j], V.dot(momenta[j]))
    return [[total[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]


@keyword_hints
def end_effector_pose(
    bodies: Sequence[ChainBody | Sequence[Any]], X: Sequence[Nested], angles: str = "shortest"
) -> Matrix:
    """The configuration matrix of the last body's end in the ground (XEndEf), 4 × 4."""
    g, in_ground, segments = _poses(bodies, X)
    last = in_ground[-1]
    rows = [[*row[:3], x] for row, x in zip(last, _point(g, last, segments[-1].end), strict=False)]
    return shown(g, [*rows, last[3]], angles)


@keyword_hints
def gravity_potential(
    bodies: Sequence[ChainBody | Sequence[Any]],
    X: Sequence[Nested],
    gravity: Sequence[Any] = DOWN,
    angles: str = "shortest",
) -> Expr:
    """−Σ m g·r over the bodies (GravPotChn); 0 at the ground's origin. The paper has gravity (0, 0, −1)."""
    g, in_ground, segments = _poses(bodies, X)
    down, total = _three(g, gravity, "gravity"), g.zero
    for pose, body in zip(in_ground, segments, strict=True):
        total = g.sub(total, g.mul(body.mass, dot3(g, down, _point(g, pose, body.com))))
    return ClosedForm(g, closed_forms(g, [total], angles)[0])


@keyword_hints
def coriolis_matrix(
    M: Nested, V: Sequence[Any], q: Names, p: Names, skew: bool = False, angles: str = "shortest"
) -> Matrix:
    """C(q, p) of M ṗ + C p (Cmat, Eq 53b with its signs corrected); ``skew`` gives the one with Ṁ − 2C skew. V is one
    matrix or the list of its diagonal blocks; its columns' brackets must be combinations of its columns."""
    g = _graph(M, V)
    return shown(g, _fields(g, M, V, q, p).coriolis(boolean(skew, "skew")), angles)


@keyword_hints
def poincare_function(
    M: Nested,
    V: Sequence[Any],
    potential: Any,
    Q: Names | Sequence[Any],
    p: Names,
    q: Names,
    angles: str = "shortest",
    on: Literal["speeds", "coordinates"] = "speeds",
) -> list[Expr]:
    """C(q, p) p + F(q) − Q (PoincFunc): Poincaré's equations are M ṗ + this = 0. Q are generalised forces (names,
    expressions or numbers) on the speeds, or on the coordinates, which come to VᵀQ on the speeds (Eq 53c)."""
    g = _graph(M, V, potential)
    fields = _fields(g, M, V, q, p)
    (energy,), residuals = handles(g, [[potential]], "the potential")[0], list[Node]()
    if not isinstance(on, str) or on not in ("speeds", "coordinates"):
        raise ArgumentError(f"forces act on 'speeds' or on 'coordinates', not on {on!r}")
    forces = list[Node]()
    for x in [Q] if isinstance(Q, str) else entries(Q, "Q"):
        forces += declared(g, Q if x is Q else [x], Kind.INPUT) if isinstance(x, str) else handles(g, [[x]], "Q")[0]
    many = len(fields.p) if on == "speeds" else len(fields.q)
    if len(forces) != many:
        raise ArgumentError(f"Q has {len(forces)} generalised forces, but there are {many} {on}")
    C, v_fields = fields.coriolis(), columns(fields.V)
    on_speeds = forces if on == "speeds" else [dot(g, v, forces) for v in v_fields]
    for row, v, force in zip(C, v_fields, on_speeds, strict=True):
        gradient = along(g, [energy], fields.q, v)[0]
        residuals.append(g.sub(g.add(dot(g, row, fields.p), gradient), force))
    return [ClosedForm(g, h) for h in closed_forms(g, residuals, angles)]


@keyword_hints
def bracket_matrices(V: Sequence[Any], q: Names, angles: str = "shortest") -> list[Matrix]:
    """X_j of Eq 41 for each column v_j of V: its columns are the brackets [v_j, v_1], …, [v_j, v_m] with
    [v, w] = (∂w/∂q) v − (∂v/∂q) w. V is one matrix or the list of its diagonal blocks, q names its coordinates."""
    g, coordinates, fields = _vector_fields(V, q)
    X = [list(zip(*(bracket(g, v, w, coordinates) for w in fields), strict=True)) for v in fields]
    return [shown(g, rows, angles) for rows in X]


@keyword_hints
def structure_coefficients(V: Sequence[Any], q: Names, angles: str = "shortest") -> list[Matrix]:
    """c of [v_i, v_j] = Σ_k c^k_ij v_k (Eq 38) for the columns of V: ``c[i][j, k]`` is c^k_ij. V is one matrix or the
    list of its diagonal blocks, q names its coordinates. Brackets that are not combinations of the columns, as those of
    nonholonomic joints, are refused; ``bracket_matrices`` has them."""
    g, coordinates, fields = _vector_fields(V, q)
    constants, n = structure(g, list(zip(*fields, strict=True)), coordinates), len(fields)
    if constants is None:
        raise ArgumentError(
            "a bracket of V's columns is not a combination of them: these speeds belong to a nonholonomic joint, which"
            " has no structure coefficients. bracket_matrices(V, q) has the brackets"
        )
    c = [[[g.zero] * n for _ in range(n)] for _ in range(n)]
    for (i, j), values in constants.items():
        c[i][j], c[j][i] = values, [g.neg(x) for x in values]
    return [shown(g, rows, angles) for rows in c]


def _vector_fields(V: Sequence[Any], q: Names) -> tuple[Graph, list[Node], list[list[Node]]]:
    """The symbols of q and the columns of V."""
    g = graph_of(V, q)
    if g is None:
        raise ArgumentError("no entry of V is an expression; those of chain_inertia and kinematic_matrix are")
    coordinates, kinematic = declared(g, q, Kind.COORDINATE), _kinematic(g, V)
    if len(kinematic) != len(coordinates) or len(set(coordinates)) != len(coordinates):
        raise ArgumentError(
            f"V has {len(kinematic)} rows, but {len(set(coordinates))} different names of coordinates were given in q"
        )
    return g, coordinates, columns(kinematic)


# Arguments to nodes


class ChainSegment(NamedTuple):
    """A body of a chain as nodes: its mass centre and outboard joint from its inboard joint, mass, inertia about the
    mass centre; all in its own axes."""

    com: Triple
    end: Triple
    mass: Node
    inertia: Rows


def homogeneous(g: Graph, R: Sequence[Sequence[Node]], p: Sequence[Node]) -> Rows:
    return [[*row, x] for row, x in zip(R, p, strict=True)] + [[g.zero, g.zero, g.zero, g.one]]


def declared(g: Graph, names: Names, kind: Kind) -> list[Node]:
    """The symbols of these names, created where there are none."""
    listed = names.replace(",", " ").split() if isinstance(names, str) else entries(names, "names of symbols")
    wrong = [n for n in listed if not isinstance(n, Expr | str)]
    if wrong:
        raise ArgumentError(f"a symbol must be a name or an expression, not {wrong[0]!r}")
    known = [n.handle if isinstance(n, Expr) else g.named(n) for n in listed]
    return [g.symbol(str(n), kind) if h is None else h for n, h in zip(listed, known, strict=True)]


def _graph(*values: Any) -> Graph:
    g = graph_of(*values)
    if g is None:
        raise ArgumentError("no entry of M, V or the potential is an expression; those of chain_inertia are")
    return g


def _kinematic(g: Graph, V: Sequence[Any]) -> list[list[Node]]:
    """V, which is one matrix or the list of its diagonal blocks."""
    listed, kinematic = entries(V, "V"), list[list[Node]]()
    if not (listed and isinstance(listed[0], Sequence) and listed[0] and isinstance(listed[0][0], Sequence)):
        return handles(g, listed, "V")
    blocks = [handles(g, block, "V") for block in listed]
    width, start = sum(len(b[0]) for b in blocks if b), 0
    for block in blocks:
        kinematic += [[g.zero] * start + row + [g.zero] * (width - start - len(row)) for row in block]
        start += len(block[0]) if block else 0
    return kinematic


def _fields(g: Graph, M: Nested, V: Sequence[Any], q: Names, p: Names) -> VelocityFields:
    """M and V, as one matrix or as its diagonal blocks, with the structure of V's columns."""
    coordinates, speeds = declared(g, q, Kind.COORDINATE), declared(g, p, Kind.SPEED)
    if len({*coordinates, *speeds}) < len(coordinates) + len(speeds):
        raise ArgumentError("every coordinate in q and every speed in p needs a name of its own")
    mass, kinematic = handles(g, M, "M"), _kinematic(g, V)
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
            " whose equations need more than M and V. Build a System and use derive('poincare').matrices()"
        )
    terms = {pair: [(x, mass[k]) for k, x in enumerate(c) if x != g.zero] for pair, c in constants.items()}
    return VelocityFields(g, mass, kinematic, coordinates, speeds, terms)


def _joints(g: Graph, specs: Sequence[Any], bodies: Sequence[Any], q: Sequence[Node]) -> list[Joint]:
    """The joints of a chain in normal form."""
    joints: list[Joint] = []
    for k, spec in enumerate(specs):
        joint = spec if isinstance(spec, Joint) else None
        if joint is None and (not isinstance(spec, Sequence) or len(spec) != 2):
            joint = Simple(H=spec)
        elif joint is None:
            whole = Compound.of(spec[1], spec[0])
            joint = whole.parts[0] if len(whole.parts) == 1 else whole
        with within(f"joint {k + 1}"):
            joints.append(normal_form(joint, GraphScope(g, declare=True), late=False))
    if len(joints) != len(bodies) or not joints:
        raise ArgumentError(f"a chain needs one body for each joint, not {len(bodies)} bodies for {len(joints)} joints")
    for k, joint in enumerate(joints):
        if joint.kind == "universal":
            raise ArgumentError(f"a {joint.kind} joint is two hinges with a body between them: give them one by one")
        forces = {
            "stiffness": joint.stiffness,
            "damping": joint.damping,
            "friction": joint.friction,
            "armature": joint.armature,
            "motion": joint.motion,
        }
        for name, value in forces.items():
            if value is not None and not equals_number(value, 0):
                raise ArgumentError(f"joint {k + 1} has a {name}, which a chain does not have: build a System instead")
    needed = sum(len(joint.coordinates) for joint in joints)
    if needed != len(q) or len(set(q)) != len(q):
        raise ArgumentError(f"the joints have {needed} coordinates, but {len(set(q))} different names were given")
    return joints


def _poses(bodies: Sequence[Any], X: Sequence[Nested]) -> tuple[Graph, list[Rows], list[ChainSegment]]:
    """Each body's configuration matrix in the ground: joints and arms in turn."""
    X, bodies = entries(X, "X"), entries(bodies, "bodies")
    g = graph_of(X, bodies) or Graph()
    segments = [_segment(g, body) for body in bodies]
    if len(X) != len(segments):
        raise ArgumentError(
            f"a chain needs a configuration matrix for each body, not {len(X)} for {len(segments)} bodies"
        )
    matrices = [handles(g, x, "X") for x in X]
    if not matrices or any([len(row) for row in x] != [4] * 4 for x in matrices):
        raise ArgumentError("X must be a list of 4 × 4 configuration matrices, one for each body")
    one, zero = g.one, g.zero
    unit, in_ground = ((one, zero, zero), (zero, one, zero), (zero, zero, one)), list[Rows]()
    here = homogeneous(g, unit, (zero, zero, zero))
    for joint, body in zip(matrices, segments, strict=True):
        in_ground.append(_product(g, here, joint))
        here = _product(g, in_ground[-1], homogeneous(g, unit, body.end))
    return g, in_ground, segments


def _product(g: Graph, A: Rows, B: Rows) -> Rows:
    return [[dot(g, row, column) for column in zip(*B, strict=True)] for row in A]


def _point(g: Graph, X: Sequence[Sequence[Node]], r: Triple) -> Triple:
    """A point of a body in the ground."""
    return add3(g, times3(g, [row[:3] for row in X[:3]], r), (X[0][3], X[1][3], X[2][3]))


def _segment(g: Graph, body: Any) -> ChainSegment:
    if not isinstance(body, Sequence) or len(body) != 4:
        raise ArgumentError(f"a body must be (com, end, mass, inertia), as in ChainBody, not {body!r}")
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


def _three(g: Graph, value: Sequence[Any], context: str) -> Triple:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 3:
        raise ArgumentError(f"{context} must be three numbers or expressions, not {value!r}")
    x, y, z = _numbers(g, [value], context)[0]
    return x, y, z


def _numbers(g: Graph, rows: Nested, context: str) -> list[list[Node]]:
    """Nodes of numbers and parameters; unknown names in texts are parameters."""
    read = GraphScope(g, declare=True)
    nodes = handles(g, [[read.scalar(x) for x in row] for row in rows], context)
    if any(g.mask[x] > PARAMETERS_ONLY for row in nodes for x in row):
        raise ArgumentError(f"{context} may depend on numbers and parameters only, not on the coordinates or speeds")
    return nodes
