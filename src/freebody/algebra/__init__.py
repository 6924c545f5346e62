"""Closed forms for reading: nodes as simplified polynomials and quotients in symbols, sines and cosines.

Two nodes that are equal as polynomials in symbols, sines and cosines of linear combinations, roots and whatever other
functions they hold have the same closed form, so that questions of equality have exact answers.
"""

from collections.abc import Sequence

from freebody.algebra.angles import Finer, Scales
from freebody.algebra.quotient import Quotient
from freebody.algebra.read import Reader
from freebody.algebra.ring import LIMIT
from freebody.algebra.write import FORMS, Writer
from freebody.errors import ExpressionError
from freebody.scalar.graph import Graph
from freebody.scalar.walk import require_finite

__all__ = ["check_options", "closed", "equal", "is_zero"]


def closed(g: Graph, nodes: Sequence[int], angles: str = "shortest", limit: int = LIMIT) -> list[int]:
    """The closed forms of nodes, as nodes of the same graph.

    ``angles`` says how sines and cosines are written: "products" of those of single angles, "sums" (no products of
    them at all: Fourier's form), or "shortest", term by term whatever leaves less to read. ``limit`` is the number of
    terms that a polynomial may have on the way.
    """
    check_options(angles, limit)
    writer, values = _read(g, nodes, angles, limit)
    return [writer.write(value) for value in values]


def check_options(angles: str, limit: int) -> None:
    """Refuse forms of sines and cosines that there are not, and limits that allow no term."""
    if not isinstance(angles, str) or angles not in FORMS:
        raise ExpressionError(f"angles={angles!r} is not known: there are {', '.join(map(repr, FORMS))}")
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ExpressionError(f"limit must be a number of terms, an integer from 1 on, not {limit!r}")


def is_zero(g: Graph, node: int, limit: int = LIMIT) -> bool:
    """Whether a node is 0 for all values of its symbols, as far as polynomials in its atoms can tell."""
    return not _read(g, [node], "products", limit)[1][0].num


def equal(g: Graph, a: int, b: int, limit: int = LIMIT) -> bool:
    """Whether two nodes are equal for all values of their symbols, as far as polynomials in their atoms can tell."""
    return is_zero(g, g.sub(a, b), limit)


def _read(g: Graph, nodes: Sequence[int], angles: str, limit: int) -> tuple[Writer, list[Quotient]]:
    """What the nodes are; again with smaller units where an angle turns out to be needed in parts."""
    require_finite(g, nodes, "closed form")
    scales: Scales = {}
    while True:
        reader = Reader(g, limit, dict(scales))
        writer = Writer(reader, angles)
        reader.write = writer.write
        try:
            return writer, reader.read(nodes)
        except Finer as found:
            scales = {**reader.angles.scales, found.what: found.scale}
