"""Programs that every backend must compute like the evaluator: all operations, all regions, and random programs."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from freebody.program.assemble import Assembly, Rows, program
from freebody.program.program import Program
from freebody.scalar import ops
from freebody.scalar.functions import callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.node import Node
from freebody.scalar.symbol import Kind

SPRING = table("spring", [-1.0, -0.2, 0.1, 0.7, 1.5], [-3.0, -1.0, 0.2, 0.5, 2.0])
TYRE = table("tyre", [-1.0, -0.3, 0.0, 0.4, 1.2], [-1.0, -0.9, 0.0, 0.8, 1.0], "cubic", "hold")
DRAG = callback("drag", lambda v: 0.3 * v * abs(v), derivative=lambda v: 0.6 * abs(v))
MIX = callback("mix", lambda a, b, c: math.sin(a) * b + c, 3, [lambda a, b, c: 0.0] * 3)

BINARY = (ops.ADD, ops.SUB, ops.MUL, ops.ATAN2, ops.MIN, ops.MAX, ops.LT, ops.LE, ops.EQ, ops.NE)
PLAIN = (ops.SIN, ops.COS, ops.TAN, ops.ATAN, ops.TANH, ops.ABS, ops.SIGN, ops.FLOOR, ops.NEG)


@dataclass(frozen=True)
class Case:
    """A program and a function that returns inputs for it."""

    name: str
    program: Program
    inputs: Callable[[np.random.Generator], dict[str, np.ndarray]]

    def __repr__(self) -> str:
        return self.name


def uniform(p: Program, low: float = -2.0, high: float = 2.0) -> Callable[[np.random.Generator], dict[str, np.ndarray]]:
    return lambda rng: {g.name: rng.uniform(low, high, g.size) for g in p.groups}


def every_operation() -> Case:
    """Each operation once inside its domain; constant, repeated and passed-through outputs."""
    g = Graph()
    x, y = (g.symbol(n, Kind.COORDINATE) for n in "xy")
    p = g.symbol("p", Kind.PARAMETER)
    inside = g.div(x, g.const(3))
    positive = g.add(g.mul(y, y), g.const(0.5))
    made = [g.build[c](x, y) for c in BINARY] + [g.build[c](x) for c in PLAIN]
    made += [g.build[c](inside) for c in (ops.ASIN, ops.ACOS, ops.SINH, ops.COSH, ops.EXP)]
    made += [g.sqrt(positive), g.build[ops.LOG](positive), g.pow(positive, x), g.pow(positive, g.const(-1.7))]
    made += [g.div(x, positive), g.where(g.build[ops.LT](x, y), g.sin(p), p), g.where(g.build[ops.FLOOR](x), x, y)]
    made += [g.table(SPRING, x), g.table(TYRE, y)]
    made += [g.table(SPRING.derivative, x), g.table(TYRE.derivative.derivative, x)]
    made += [g.call(DRAG, [x]), g.call(MIX, [x, y, p])]
    made += [g.const(0), g.const(-2.5), x, x, p, made[0]]
    q = program("every_operation", g, {"parameters": [p], "q": [x, y]}, {"all": made, "one": made[5]})
    return Case(q.name, q, uniform(q))


def random_nodes(g: Graph, rng: np.random.Generator, leaves: list[Node], size: int) -> list[Node]:
    """Random expressions of moderate magnitude with shared subexpressions."""
    pool = [*leaves, g.one, g.const(0.5), g.const(3)]
    for _ in range(size):
        a, b, c = (pool[int(rng.integers(len(pool)))] for _ in range(3))
        pick = int(rng.integers(12))
        if pick < 7:
            made = g.build[(ops.ADD, ops.SUB, ops.MUL)[pick % 3]](a, b)
        elif pick == 7:
            made = g.div(a, g.add(g.mul(b, b), g.one))
        elif pick == 8:
            made = g.where(g.build[ops.LT](a, b), b, c)
        else:
            made = g.build[int(rng.choice(PLAIN[:5]))](a)
        pool.append(g.sin(made) if rng.integers(3) == 0 else made)
    return pool[len(leaves) :]


def random_block(seed: int, size: int = 60) -> Case:
    rng = np.random.default_rng(seed)
    g = Graph()
    groups = {
        "parameters": [g.symbol(f"p{k}", Kind.PARAMETER) for k in range(3)],
        "t": [g.symbol("t", Kind.TIME)],
        "q": [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(4)],
        "u": [g.symbol(f"u{k}", Kind.SPEED) for k in range(9)],
        "inputs": [],
    }
    nodes = random_nodes(g, rng, [h for v in groups.values() for h in v], size)
    picked = [nodes[int(k)] for k in rng.integers(len(nodes), size=6)]
    q = program(f"random{seed}_{size}", g, groups, {"f": picked, "M": [nodes[-2:], nodes[-4:-2]], "s": nodes[-1]})
    return Case(q.name, q, uniform(q, -1.5, 1.5))


def solved(name: str, n: int, pattern: list[tuple[int, int]], right_sides: int = 0, seed: int = 0) -> Case:
    """A symmetric positive definite solve between two blocks, with a parameter-only part."""
    rng = np.random.default_rng(seed)
    g = Graph()
    q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(n)]
    p = g.symbol("p", Kind.PARAMETER)
    matrix = {(i, j): g.mul(g.const(float(rng.uniform(0.1, 0.5))), g.cos(g.sub(q[i], q[j]))) for i, j in pattern}
    matrix.update({(i, i): g.add(g.add(g.const(n), g.mul(p, p)), g.mul(q[i], q[i])) for i in range(n)})
    a = Assembly(name, g, {"parameters": [p], "q": q})
    right = [[g.add(q[(i + j) % n], g.const(j)) for j in range(right_sides)] for i in range(n)]
    x = a.solve("x", matrix, right if right_sides else [g.sin(v) for v in q])
    a.output("x", x)
    last = x[-1][0] if right_sides else x[-1]
    a.output("y", [g.mul(last, g.sin(q[0])), g.mul(p, g.mul(p, last))])
    made = a.program()
    return Case(name, made, uniform(made, -1.0, 1.0))


def constrained(name: str, n: int, pattern: list[tuple[int, int]], rows: list[list[int]], right_sides: int = 1) -> Case:
    """A solve with multipliers, each touching some speeds, and one more whose row is a sum of the others' rows."""
    g, m = Graph(), len(rows)
    q, p = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(n)], g.symbol("p", Kind.PARAMETER)
    matrix = {(i, j): g.mul(g.const(0.3), g.cos(g.sub(q[i], q[j]))) for i, j in pattern}
    matrix.update({(i, i): g.add(g.const(n), g.mul(q[i], q[i])) for i in range(n)})
    G = [{i: g.sin(g.add(q[i], g.const(k + 0.5 * i))) for i in row} for k, row in enumerate(rows)]
    G.append(dict.fromkeys(sorted({i for row in rows for i in row}), g.zero))
    for k, row in enumerate(G[:-1]):
        for i, value in row.items():
            G[-1][i] = g.add(G[-1][i], g.mul(g.add(p, g.const(k)), value))
    right = [[g.add(q[i], g.const(j)) for j in range(right_sides)] for i in range(n)]
    for k, row in enumerate(G):
        matrix.update({(n + k, i): g.neg(value) for i, value in row.items()})
        total = g.zero
        for i, value in row.items():
            total = g.sub(total, g.mul(value, g.cos(q[i])))
        right.append([g.mul(total, g.const(1 + j)) for j in range(right_sides)])
    a = Assembly(name, g, {"parameters": [p], "q": q})
    a.output("x", a.solve("x", matrix, right, range(n, n + m + 1)))
    made = a.program()
    return Case(name, made, uniform(made, -1.0, 1.0))


def tree(name: str, parents: list[int], kinds: list[int] | None = None) -> Case:
    """Outward and inward scans over a tree: angles summed from the root, torques summed to it; two kinds of body."""
    n = len(parents)
    kinds = kinds or [0] * n
    g = Graph()
    names = [g.symbol(f"{what}{k}", Kind.PARAMETER) for k in range(n) for what in ("m", "l")]
    q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(n)]
    a = Assembly(name, g, {"parameters": names, "q": q})
    mass, angle = a.rows("parameters", 2), a.rows("q")
    pose, load = a.array("pose", n + 1, 3), a.array("load", n + 1, 2, zeroed=True)
    torque = a.output_array("torque", n)
    for c, value in enumerate((g.zero, g.const(0.5), g.sin(q[0]))):
        a.write(pose, 0, c, value)
    indices = {"own": list(range(n)), "row": list(range(1, n + 1)), "parent": [k + 1 for k in parents]}
    out = a.scan("outward", indices)
    for kind in range(max(kinds) + 1):
        k = out.kernel()
        h, turn = k.graph, k.read(angle, "own")
        total = h.add(k.read(pose, "parent", 0), h.mul(turn, h.const(1 + kind)))
        reach = h.mul(h.mul(k.read(mass, "own", 0), k.read(mass, "own", 1)), h.cos(total))
        k.write(pose, "row", 0, total)
        k.write(pose, "row", 1, h.add(k.read(pose, "parent", 1), reach))
        k.write(pose, "row", 2, h.sub(k.read(pose, "parent", 2), h.sin(total)) if kind else k.read(pose, "parent", 2))
    a.add(out, kinds)
    back = a.scan("inward", {key: v[::-1] for key, v in indices.items()})
    k = back.kernel()
    h = k.graph
    inertia = h.add(h.mul(k.read(mass, "own", 1), k.read(mass, "own", 1)), h.one)
    own = h.add(k.read(load, "row", 0), h.div(k.read(pose, "row", 1), inertia))
    k.write(torque, "own", 0, h.add(own, k.read(pose, "row", 2)))
    k.write(load, "parent", 0, h.mul(own, h.const(0.5)), add=True)
    k.write(load, "parent", 1, h.one, add=True)
    a.add(back)
    a.output("total", [a.read(load, 0, 0), a.read(load, 0, 1), g.mul(a.read(pose, n, 0), q[-1])])
    made = a.program()
    return Case(name, made, uniform(made, -1.0, 1.0))


def two_groups() -> Case:
    """Two groups of parameters, both of which occur in hoisted work."""
    g = Graph()
    m, l = ([g.symbol(f"{what}{k}", Kind.PARAMETER) for k in range(2)] for what in "ml")
    q = [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(2)]
    inertia = [g.mul(a, g.mul(b, b)) for a, b in zip(m, l, strict=True)]
    made = [g.mul(i, g.sin(x)) for i, x in zip(inertia, q, strict=True)]
    p = program("two_groups", g, {"masses": m, "lengths": l, "q": q}, {"y": made, "p": g.add(*inertia)})
    return Case(p.name, p, uniform(p))


def parameters_and_coordinates(g: Graph, n: int) -> tuple[list[Node], list[Node]]:
    p = [g.symbol(f"p{k}", Kind.PARAMETER) for k in range(n)]
    return p, [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(n)]


def squares(a: Assembly, name: str, start: Rows, end: Rows, n: int) -> None:
    """A scan that writes the squares of one array, and the parameter of each element, into another."""
    k = (scan := a.scan(name, {"own": list(range(n))})).kernel()
    x = k.read(start, "own")
    k.write(end, "own", 0, k.graph.add(k.graph.mul(x, x), k.read(a.rows("parameters"), "own")))
    a.add(scan)


def reused(n: int = 3) -> Case:
    """One work array that is written, scanned, read, overwritten and scanned again."""
    g = Graph()
    p, q = parameters_and_coordinates(g, n)
    a = Assembly("reused", g, {"parameters": p, "q": q})
    work, first, second = a.array("w", n), a.output_array("first", n), a.output_array("second", n)
    for k in range(n):
        a.write(work, k, 0, g.sin(q[k]))
    squares(a, "once", work, first, n)
    old = [a.read(work, k) for k in range(n)]
    for k in range(n):
        a.write(work, k, 0, g.cos(g.add(old[k - 1], g.mul(p[k], old[k - 2]))))
    squares(a, "again", work, second, n)
    a.output("kept", [g.sub(x, a.read(work, k)) for k, x in enumerate(old)])
    made = a.program()
    return Case(made.name, made, uniform(made))


def read_back(n: int = 4) -> Case:
    """Outputs that later regions read: one depends on parameters only, one on the state."""
    g = Graph()
    p, q = parameters_and_coordinates(g, n)
    a = Assembly("read_back", g, {"parameters": p, "q": q})
    fixed, moving, last = (a.output_array(name, n) for name in ("fixed", "moving", "last"))
    squares(a, "fix", a.rows("parameters"), fixed, n)
    squares(a, "refix", fixed, moving, n)
    squares(a, "move", a.rows("q"), last, n)
    a.output("sums", [g.add(a.read(fixed, k), g.mul(g.sin(a.read(fixed, 0)), a.read(last, k))) for k in range(n)])
    made = a.program()
    return Case(made.name, made, uniform(made, -1.0, 1.0))


def views() -> Case:
    """One buffer viewed with rows of two widths in one kernel."""
    g = Graph()
    p, q = (g.symbol("p", Kind.PARAMETER), [g.symbol(f"q{k}", Kind.COORDINATE) for k in range(6)])
    a = Assembly("views", g, {"parameters": [p], "q": q})
    pairs, triples, end = a.rows("q", 2), a.rows("q", 3), a.output_array("y", 2, 2)
    k = (scan := a.scan("widths", {"own": [0, 1]})).kernel()
    k.write(end, "own", 0, k.graph.mul(k.read(pairs, "own"), k.read(a.rows("q"), "own")))
    k.write(end, "own", 1, k.graph.sub(k.read(pairs, "own", 1), k.read(triples, "own", 1)))
    a.add(scan)
    made = a.program()
    return Case(made.name, made, uniform(made))


def spare_kind() -> Case:
    """Three kinds of body, two of which occur in the steps."""
    g = Graph()
    p, q = parameters_and_coordinates(g, 3)
    a = Assembly("spare_kind", g, {"parameters": p, "q": q})
    end = a.output_array("y", 3)
    scan = a.scan("kinds", {"own": [0, 1, 2]})
    for make in (ops.SIN, ops.EXP, ops.COS):
        k = scan.kernel()
        fixed = k.graph.build[make](k.read(a.rows("parameters"), "own"))
        k.write(end, "own", 0, k.graph.mul(fixed, k.read(a.rows("q"), "own")))
    a.add(scan, [2, 0, 2])
    made = a.program()
    return Case(made.name, made, uniform(made))


def tables(n: int = 5) -> Case:
    """Constant tables, read in blocks and scans, alone, with parameters and with the state."""
    g = Graph()
    p, q = parameters_and_coordinates(g, n)
    a = Assembly("tables", g, {"parameters": p, "q": q})
    table, end, fixed = a.table("numbers", [0.5, -0.25, 3.0, 1 / 3, -0.0, 7.0]), a.output_array("y", n), a.array("w", n)
    scan = a.scan("own", {"own": list(range(n)), "next": [5, 3, 0, 1, 2]})
    for kind in range(2):
        k = scan.kernel()
        h = k.graph
        known = h.add(h.mul(k.read(table, "next"), k.read(table, "own")), k.read(a.rows("parameters"), "own"))
        k.write(fixed, "own", 0, h.sin(k.read(table, "own")))
        k.write(end, "own", 0, h.mul(k.read(a.rows("q"), "own"), known if kind else k.read(table, "next")))
    a.add(scan, [0, 1, 1, 0, 1])
    a.output("z", [g.mul(a.read(table, 2), q[0]), a.read(table, 1), g.mul(a.read(fixed, 3), q[1]), a.read(fixed, 0)])
    made = a.program()
    return Case(made.name, made, uniform(made))


def no_steps() -> Case:
    """An empty scan between two writes to one element."""
    g = Graph()
    p, q = g.symbol("p", Kind.PARAMETER), g.symbol("q", Kind.COORDINATE)
    a = Assembly("no_steps", g, {"parameters": [p], "q": [q]})
    work = a.array("w", 1)
    a.write(work, 0, 0, g.sin(q))
    squares(a, "nothing", work, work, 0)
    before = a.read(work, 0)
    a.write(work, 0, 0, g.mul(p, before))
    squares(a, "something", work, a.output_array("y", 1), 1)
    a.output("z", g.sub(before, a.read(work, 0)))
    made = a.program()
    return Case(made.name, made, uniform(made))


def branches(n: int) -> list[tuple[int, int]]:
    """The sparsity of a mass matrix: three chains on a common base."""
    chain = [[0], *([0] for _ in range(3))]
    path = {0: [0]}
    for i in range(1, n):
        mine = chain[1 + i % 3]
        path[i] = [*mine, i]
        mine.append(i)
    return [(i, j) for i in range(n) for j in path[i]]


def cases() -> Iterator[Case]:
    yield every_operation()
    yield from (random_block(seed) for seed in range(6))
    yield random_block(100, 2500)
    yield solved("dense5", 5, [(i, j) for i in range(5) for j in range(i + 1)])
    yield solved("dense23", 23, [(i, j) for i in range(23) for j in range(i + 1)], right_sides=3)
    yield solved("sparse16", 16, branches(16))
    yield solved("sparse19", 19, branches(19), right_sides=2)
    yield solved("arrow9", 9, [(i, 0) for i in range(9)])
    yield constrained("loops9", 9, branches(9), [[4, 7], [4, 7], [5, 8, 2]])
    yield constrained("full4", 4, [(i, j) for i in range(4) for j in range(i)], [[0, 1, 2, 3], [0, 1, 2, 3]], 2)
    yield from (make() for make in (two_groups, reused, read_back, views, spare_kind, tables, no_steps))
    yield tree("chain12", [k - 1 for k in range(12)])
    yield tree("tree9", [-1, 0, 0, 1, 1, 2, 2, 5, 5], [0, 1, 0, 1, 0, 0, 1, 1, 0])
    yield tree("single", [-1])


CASES = list(cases())
