"""A program as a formulation creates it: two equal links on hinges, with labelled nodes, a solve and outputs."""

from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse
from freebody.scalar.symbol import Kind


def pendulum() -> Program:
    g = Graph()
    m = g.symbol("m", Kind.PARAMETER, "mass of each link", "kg")
    l = g.symbol("l", Kind.PARAMETER, "length of each link", "m")
    gravity = g.symbol("g", Kind.PARAMETER, "gravity", "m/s²")
    q1 = g.symbol("q1", Kind.COORDINATE, "angle of upper", "rad")
    q2 = g.symbol("q2", Kind.COORDINATE, "angle of lower on upper", "rad")
    u1, u2 = (g.symbol(n, Kind.SPEED) for n in ("u1", "u2"))
    w = g.label(g.add(u1, u2), "w_lower", "ω of lower along y")
    m00 = g.label(parse(g, "5*m*l**2/3 + m*l**2*cos(q2)"), "M_11", "inertia about the first hinge, both links together")
    g.label(m00, "I_c", "composite inertia")
    m10, m11 = parse(g, "m*l**2/3 + m*l**2*cos(q2)/2"), parse(g, "m*l**2/3")
    turn, fall = parse(g, "m*l**2/2*sin(q2)"), parse(g, "m*l*g/2*sin(q1 + q2)")
    first = g.sub(g.mul(turn, g.sub(g.mul(w, w), g.mul(u1, u1))), g.add(parse(g, "3*(m*l*g/2)*sin(q1)"), fall))
    g.label(first, "f_1", "generalised force of upper")
    second = g.neg(g.add(g.mul(turn, g.mul(u1, u1)), fall))
    a = Assembly("forward_dynamics", g, {"parameters": [m, l, gravity], "q": [q1, q2], "u": [u1, u2]})
    udot = a.solve("u̇", {(0, 0): m00, (1, 0): m10, (1, 1): m11}, [first, second])
    a.output("u_dot", udot)
    a.output("power", g.add(g.mul(udot[0], first), g.mul(udot[1], w)))
    return a.program()
