"""An articulated-body workload: forward dynamics of a chain of hinges, written once on abstract scalars.

``K`` is any kit of scalars with add, sub, mul, div, neg, sin, cos, const: our graph, CasADi's SX, floats. The three
steps at one body serve unrolled (one expression for the chain) and rolled (one scan per sweep).

Body frame at its hinge, hinge axis z. Inertia about the hinge: mass m, first moment h, inertia matrix J. An articulated
inertia is [[J, H], [Hᵀ, M]] with J and M symmetric, angular part first.
"""

import math
from dataclasses import dataclass

import casadi
import numpy as np

from freebody.program.assemble import Assembly, Rows, program
from freebody.program.program import Program
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind

PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
GRAVITY = 9.81


@dataclass
class Body:
    """The constants of a body: fixed rotation E (body at rest to parent), hinge point r in the parent, m, h, J."""

    E: list
    r: list
    m: object
    h: list
    J: list


def chain(n: int, seed: int = 0, twist: bool = True) -> list[dict]:
    """n random bodies; each hinge axis is square to the one before (as in most arms), or anyhow."""
    rng = np.random.default_rng(seed)
    bodies = []
    for k in range(n):
        Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        m, c = rng.uniform(0.5, 2), rng.uniform(-0.2, 0.2, 3)
        inertia = Q @ np.diag(rng.uniform(0.05, 0.08, 3)) @ Q.T + m * (c @ c * np.eye(3) - np.outer(c, c))
        sign = 1.0 if k % 2 else -1.0
        E = np.array([[1.0, 0, 0], [0, 0, -sign], [0, sign, 0]]) if twist else Q
        bodies.append({"E": E, "r": rng.uniform(-0.3, 0.3, 3) * (k > 0), "m": m, "h": m * c, "J": inertia})
    return bodies


def numeric(K, body: dict) -> Body:
    """A body's constants as numbers of the kit."""
    number = [K.const(float(v)) for v in flat(body)]
    return unflat(number)


def flat(body: dict) -> list[float]:
    """22 numbers: E, r, m, h, J."""
    return [*body["E"].ravel(), *body["r"], body["m"], *body["h"], *(body["J"][i, j] for i, j in PAIRS)]


def unflat(x: list) -> Body:
    J = dict(zip(PAIRS, x[16:22], strict=True))
    full = [[J[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]
    return Body([x[0:3], x[3:6], x[6:9]], x[9:12], x[12], x[13:16], full)


class Kit:
    """Small vector algebra on a kit of scalars."""

    def __init__(self, K) -> None:
        self.K, self.zero, self.one = K, K.const(0), K.const(1)

    def sum(self, *terms):
        total = terms[0]
        for t in terms[1:]:
            total = self.K.add(total, t)
        return total

    def dot(self, a, b):
        return self.sum(*map(self.K.mul, a, b))

    def plus(self, a, b):
        return list(map(self.K.add, a, b))

    def times(self, A, v):
        add, m = self.K.add, self.K.mul
        x, y, z = v
        return [add(add(m(a, x), m(b, y)), m(c, z)) for a, b, c in A]

    def cross(self, a, b):
        m, s = self.K.mul, self.K.sub
        (a0, a1, a2), (b0, b1, b2) = a, b
        return [s(m(a1, b2), m(a2, b1)), s(m(a2, b0), m(a0, b2)), s(m(a0, b1), m(a1, b0))]

    def transpose(self, A):
        return [list(col) for col in zip(*A, strict=True)]

    def outward(self, E, s, c, v):
        """A vector of the parent in the body: Rz(q)ᵀ Eᵀ v."""
        m, K = self.K.mul, self.K
        x, y, z = self.times(zip(*E, strict=True), v)
        return [K.add(m(c, x), m(s, y)), K.sub(m(c, y), m(s, x)), z]

    def inward(self, E, s, c, v):
        """A vector of the body in the parent: E Rz(q) v."""
        return self.times(E, self.turn(s, c, v))

    def turn(self, s, c, v):
        m, K = self.K.mul, self.K
        return [K.sub(m(c, v[0]), m(s, v[1])), K.add(m(s, v[0]), m(c, v[1])), v[2]]

    def carry(self, E, s, c, A):
        """E Rz A Rzᵀ Eᵀ for any 3×3 matrix."""
        once = self.transpose([self.inward(E, s, c, column) for column in self.transpose(A)])
        return [self.inward(E, s, c, row) for row in once]

    def carry_symmetric(self, E, s, c, A):
        """The same for a symmetric one: the turn about z by double angles, then E."""
        K, m = self.K, self.K.mul
        D, B = K.sub(A[1][1], A[0][0]), A[0][1]
        s2, sc = m(s, s), m(s, c)
        lift = K.sub(m(s2, D), m(K.add(sc, sc), B))
        off = K.sub(K.sub(B, m(K.add(s2, s2), B)), m(sc, D))
        x, y, _ = self.turn(s, c, [A[0][2], A[1][2], self.zero])
        T = [[K.add(A[0][0], lift), off, x], [off, K.sub(A[1][1], lift), y], [x, y, A[2][2]]]
        once = self.transpose([self.times(E, column) for column in T])
        upper = {(i, j): self.dot(once[i], E[j]) for i, j in PAIRS}
        return [[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]


def velocity(k: Kit, b: Body, parent, q, u):
    """Outwards: ω, the velocity products c (angular x, y and linear), and the bias force (n, f)."""
    K, m = k.K, k.K.mul
    s, c = K.sin(q), K.cos(q)
    carried = k.outward(b.E, s, c, parent)
    w = [carried[0], carried[1], K.add(carried[2], u)]
    spin = [m(carried[1], u), K.neg(m(carried[0], u))]
    pull = k.outward(b.E, s, c, k.cross(parent, k.cross(parent, b.r)))
    n = k.cross(w, k.times(b.J, w))
    f = k.cross(w, k.cross(w, b.h))
    return {"s": [s], "c": [c], "w": w, "spin": spin, "pull": pull, "n": n, "f": f}


def own_inertia(k: Kit, b: Body):
    """A rigid body's own J, H, M: H is the cross matrix of h."""
    K, z, h = k.K, k.zero, b.h
    H = [[z, K.neg(h[2]), h[1]], [h[2], z, K.neg(h[0])], [K.neg(h[1]), h[0], z]]
    return {"J": b.J, "H": H, "M": [[b.m if i == j else z for j in range(3)] for i in range(3)]}


def condense(k: Kit, b: Body, A, v, tau):
    """Inwards: the hinge's column and pivot, and what the parent receives (J, H, M, n, f)."""
    K, m, sub = k.K, k.K.mul, k.K.sub
    s, c, J, H, M = v["s"][0], v["c"][0], A["J"], A["H"], A["M"]
    column = [J[0][2], J[1][2], *H[2]]
    inverse, left = K.div(k.one, J[2][2]), sub(tau, A["n"][2])
    g = [m(x, inverse) for x in column]
    Ja = [[sub(J[i][j], m(g[i], column[j])) for j in range(2)] for i in range(2)]
    Ja[1][0] = Ja[0][1]
    Ha = [[sub(H[i][j], m(g[i], column[2 + j])) for j in range(3)] for i in range(2)]
    upper = {(i, j): sub(M[i][j], m(g[2 + i], column[2 + j])) for i, j in PAIRS}
    Ma = [[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]
    x, y, l = *v["spin"], v["pull"]
    n = [k.sum(A["n"][i], m(g[i], left), m(Ja[i][0], x), m(Ja[i][1], y), k.dot(Ha[i], l)) for i in range(2)]
    f = [k.sum(A["f"][i], m(g[2 + i], left), m(Ha[0][i], x), m(Ha[1][i], y), k.dot(Ma[i], l)) for i in range(3)]
    up = shift(k, b, s, c, Ja, Ha, Ma)
    force = k.inward(b.E, s, c, f)
    up["n"], up["f"] = k.plus(k.inward(b.E, s, c, [*n, tau]), k.cross(b.r, force)), force
    return {"column": column, "inverse": [inverse], "left": [left]}, up


def shift(k: Kit, b: Body, s, c, Ja, Ha, Ma):
    """An articulated inertia turned into the parent's axes and moved by r: H += r×M, J += r×Hᵀ + (r×Hᵀ)ᵀ."""
    K, z = k.K, k.zero
    J = k.carry_symmetric(b.E, s, c, [[*Ja[0], z], [*Ja[1], z], [z, z, z]])
    M = k.carry_symmetric(b.E, s, c, Ma)
    H = k.carry(b.E, s, c, [*Ha, [z, z, z]])
    moved = k.transpose([k.cross(b.r, column) for column in k.transpose(M)])
    Hn = [k.plus(a, d) for a, d in zip(H, moved, strict=True)]
    X, Y = [k.cross(b.r, row) for row in H], [k.cross(b.r, row) for row in Hn]
    upper = {(i, j): K.add(J[i][j], K.add(X[j][i], Y[i][j])) for i, j in PAIRS}
    return {"J": [[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)], "H": Hn, "M": M}


def accelerate(k: Kit, b: Body, v, joint, alpha, a):
    """Outwards: q̈ and the body's angular and linear acceleration."""
    K, m = k.K, k.K.mul
    s, c = v["s"][0], v["c"][0]
    turn = k.outward(b.E, s, c, alpha)
    x, y = K.add(turn[0], v["spin"][0]), K.add(turn[1], v["spin"][1])
    along = k.plus(k.outward(b.E, s, c, k.plus(a, k.cross(alpha, b.r))), v["pull"])
    z = m(K.sub(joint["left"][0], k.dot(joint["column"], [x, y, *along])), joint["inverse"][0])
    return K.sub(z, turn[2]), [x, y, z], along


def add_inertia(k: Kit, a, b):
    total = {key: [k.plus(x, y) for x, y in zip(a[key], b[key], strict=True)] for key in "JHM"}
    return total | {key: k.plus(a[key], b[key]) for key in "nf"}


def forward_dynamics(K, bodies: list[dict], q, u, tau):
    """q̈ of the chain, unrolled."""
    k = Kit(K)
    parts, z = [numeric(K, b) for b in bodies], [k.zero] * 3
    moving, w = [], z
    for b, x, y in zip(parts, q, u, strict=True):
        moving.append(velocity(k, b, w, x, y))
        w = moving[-1]["w"]
    joints, passed = [], None
    for b, v, t in zip(parts[::-1], moving[::-1], tau[::-1], strict=True):
        A = own_inertia(k, b) | {"n": v["n"], "f": v["f"]}
        joint, passed = condense(k, b, add_inertia(k, A, passed) if passed else A, v, t)
        joints.append(joint)
    alpha, a, result = z, [k.zero, k.zero, K.const(GRAVITY)], []
    for b, v, joint in zip(parts, moving, joints[::-1], strict=True):
        qdd, alpha, a = accelerate(k, b, v, joint, alpha, a)
        result.append(qdd)
    return result


class CasADi:
    """CasADi's SX as a kit."""

    def __init__(self) -> None:
        self.const, self.sin, self.cos = casadi.SX, casadi.sin, casadi.cos

    add, sub = staticmethod(lambda a, b: a + b), staticmethod(lambda a, b: a - b)
    mul, div = staticmethod(lambda a, b: a * b), staticmethod(lambda a, b: a / b)
    neg = staticmethod(lambda a: -a)


class Floats(CasADi):
    """Plain numbers as a kit: a check."""

    def __init__(self) -> None:
        self.const, self.sin, self.cos = float, math.sin, math.cos


def graph_of(bodies: list[dict]) -> tuple[Graph, dict[str, list[int]], list[int]]:
    """The chain in our graph: the graph, its groups, q̈."""
    n, g = len(bodies), Graph()
    q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(n)]
    u = [g.symbol(f"u{k}", Kind.SPEED) for k in range(n)]
    tau = [g.symbol(f"tau{k}", Kind.INPUT) for k in range(n)]
    return g, {"q": q, "u": u, "tau": tau}, forward_dynamics(g, bodies, q, u, tau)


def unrolled(n: int, name: str = "chain") -> Program:
    """The chain of n bodies as one block."""
    g, groups, qdd = graph_of(chain(n))
    return program(f"{name}{n}", g, groups, {"qdd": qdd})


FIELDS = {"s": 1, "c": 1, "w": 3, "spin": 2, "pull": 3, "n": 3, "f": 3}
JOINT = {"column": 5, "inverse": 1, "left": 1}


def rolled(n: int) -> Program:
    """The same as three scans, for any n one body's worth of code; constants of the bodies are parameters."""
    g = Graph()
    constants = [g.symbol(f"b{k}.{c}", Kind.PARAMETER) for k in range(n) for c in range(22)]
    q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(n)]
    u = [g.symbol(f"u{k}", Kind.SPEED) for k in range(n)]
    tau = [g.symbol(f"tau{k}", Kind.INPUT) for k in range(n)]
    a = Assembly(f"rolled{n}", g, {"parameters": constants, "q": q, "u": u, "tau": tau})
    body, qs, us, taus = a.rows("parameters", 22), a.rows("q"), a.rows("u"), a.rows("tau")
    state, sums = a.array("state", n + 1, sum(FIELDS.values())), a.array("sums", n + 1, 27, zeroed=True)
    joint, motion, out = a.array("joint", n, sum(JOINT.values())), a.array("motion", n + 1, 6), a.output_array("qdd", n)
    for c in range(3):
        a.write(state, 0, 2 + c, g.zero)
    for c in range(6):
        a.write(motion, 0, c, g.const(GRAVITY) if c == 5 else g.zero)
    index = {"own": list(range(n)), "row": list(range(1, n + 1)), "parent": list(range(n))}

    first = a.scan("velocity", index)
    s = first.kernel()
    k, b = Kit(s.graph), unflat([s.read(body, "own", c) for c in range(22)])
    v = velocity(k, b, [s.read(state, "parent", 2 + c) for c in range(3)], s.read(qs, "own"), s.read(us, "own"))
    _write(s, state, "row", FIELDS, v)
    a.add(first)

    second = a.scan("condense", {key: rows[::-1] for key, rows in index.items()})
    s = second.kernel()
    k, b = Kit(s.graph), unflat([s.read(body, "own", c) for c in range(22)])
    v = _read(s, state, "row", FIELDS)
    mine = own_inertia(k, b) | {"n": v["n"], "f": v["f"]}
    outer = _unsum([s.read(sums, "row", c) for c in range(27)])
    found, up = condense(k, b, add_inertia(k, mine, outer), v, s.read(taus, "own"))
    _write(s, joint, "own", JOINT, found)
    for c, value in enumerate(_sum(up)):
        s.write(sums, "parent", c, value, add=True)
    a.add(second)

    third = a.scan("accelerate", index)
    s = third.kernel()
    k, b = Kit(s.graph), unflat([s.read(body, "own", c) for c in range(22)])
    above = [s.read(motion, "parent", c) for c in range(6)]
    v, pivot = _read(s, state, "row", FIELDS), _read(s, joint, "own", JOINT)
    qdd, alpha, along = accelerate(k, b, v, pivot, above[:3], above[3:])
    for c, value in enumerate([*alpha, *along]):
        s.write(motion, "row", c, value)
    s.write(out, "own", 0, qdd)
    a.add(third)
    return a.program()


def _sum(up) -> list:
    J, M = ([up[key][i][j] for i, j in PAIRS] for key in "JM")
    return [*J, *(x for row in up["H"] for x in row), *M, *up["n"], *up["f"]]


def _unsum(x: list) -> dict:
    J, M = (dict(zip(PAIRS, part, strict=True)) for part in (x[0:6], x[15:21]))
    square = [[[S[min(i, j), max(i, j)] for j in range(3)] for i in range(3)] for S in (J, M)]
    return {"J": square[0], "H": [x[6:9], x[9:12], x[12:15]], "M": square[1], "n": x[21:24], "f": x[24:27]}


def _write(s, array: Rows, at: str, fields: dict[str, int], values: dict) -> None:
    for column, value in enumerate(v for name in fields for v in values[name]):
        s.write(array, at, column, value)


def _read(s, array: Rows, at: str, fields: dict[str, int]) -> dict:
    values, column = {}, 0
    for name, size in fields.items():
        values[name] = [s.read(array, at, column + c) for c in range(size)]
        column += size
    return values
