"""Hostile names and descriptions: code, ends of comments, functions, keywords and collisions."""

from freebody.program.assemble import Assembly
from freebody.program.program import Program
from freebody.scalar.functions import callback, table
from freebody.scalar.graph import Graph
from freebody.scalar.symbol import Kind

ELEMENTS = ['x; system("rm")/*', "*/ int main() { return 1; } /*", "for", "q[0]", "sin", "ω̇", "2", "a b", "a-b", "//"]
LABELS = ["while", "t1", "q", "import os", "linux", '"evil()"', "I", "*/", "a b", "a+b"]


def hostile() -> Program:
    g = Graph()
    q = [g.symbol(n, Kind.COORDINATE, "*/ evil(); /* \\", "??/\n#error \u202e") for n in ELEMENTS]
    p = g.symbol("*/ evil()", Kind.PARAMETER, "line one\n*/ line two \\\n#define double int")
    curve = table('*/ "curve\n', [0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    total = g.sin(g.mul(p, p))
    for x, label in zip(q, LABELS, strict=True):
        total = g.label(g.add(g.mul(g.sin(x), total), g.cos(x)), label, "*/ evil(); /*")
    a = Assembly("*/ void printf", g, {"restrict": [p], "q": q})
    x = a.solve("*/ evil(); /*", {(0, 0): g.add(g.mul(total, total), g.one)}, [g.table(curve, total)])
    a.output("double", [x[0], total, g.call(callback("printf", lambda v: 2 * v), [total])])
    return a.program()
