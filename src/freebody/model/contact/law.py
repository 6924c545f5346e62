"""The forces at one candidate, as smooth laws of the state with bristles (docs/contact.md).

Normal force (Hunt and Crossley 1975): f_n = k x₊ (1 − d v_n)₊, x the penetration and v_n = −ẋ. Friction: the bristles
w, a vector of two components whose length is 1 in sliding, carry F_t = −μ f_n (w + c ẇ), and

    ẇ = κ (v_t − α(|w|) (v_t·ŵ)₊ ŵ),

where α rises from 0 at |w| = ELASTIC to 1 at |w| = 1: below, bristles are springs that do not creep (Dupont et al.
2002), of the stiffness κ μ f_n. As they are scaled by the load they are not stiff when an impact begins. Damping
follows ẇ, which vanishes in sliding. While the contact is open, bristles relax.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.model.contact.candidate import Meeting, Three
from freebody.scalar.expr import Expr, exp, sqrt, where
from freebody.scalar.expr import max as larger
from freebody.scalar.expr import min as smaller

ELASTIC = 0.95
"""Up to this length bristles are springs without creep."""

DAMPING = 0.002
"""c: the damping of bristles, in s."""

RELAXATION = 0.01
"""The time in which bristles of an open contact relax, in s."""

ELASTIC_ANGLE = 0.01
"""By how much surfaces turn or roll elastically, in rad."""

CLOSE = 1e-9
"""Bristles move from this gap on, in m: motions that begin at touch do not begin where the rates of bristles jump."""

TINY = 1e-16


@dataclass(frozen=True)
class Coefficients:
    """A material's numbers in the graph of the laws; None for friction that there is not."""

    stiffness: Expr
    dissipation: Expr
    friction: tuple[Expr, Expr, Expr] | None  # in sliding, at rest, Stribeck's velocity
    elastic_stretch: Expr
    rolling: Expr | None
    torsional: Expr | None


@dataclass(frozen=True)
class Bristles:
    """The states of the bristles of one candidate."""

    sliding: tuple[Expr, ...] = ()
    rolling: tuple[Expr, ...] = ()
    torsional: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class PointForces:
    """What acts on the first body at one candidate, along the axes of the second. ``loss`` is the force without that of
    the spring k x₊; ``rates`` are those of the bristles in the order of ``Bristles``."""

    normal: Expr
    force: Three
    loss: Three
    torque: Three
    rates: tuple[Expr, ...]
    slip: Expr
    stretch: Expr
    energy: Expr


def point_forces(meeting: Meeting, v: Three, w: Three, material: Coefficients, bristles: Bristles) -> PointForces:
    """The forces for the velocity v of the first body at the point of contact relative to the second, and its relative
    angular velocity w."""
    n, (t1, t2), depth = meeting.normal, meeting.tangents, meeting.penetration
    zero, touching = Expr(depth.graph, depth.graph.zero), depth > -CLOSE
    x, v_n, v_t = larger(depth, 0), _dot(v, n), (_dot(v, t1), _dot(v, t2))
    spring = material.stiffness * x
    normal = spring * larger(1 - material.dissipation * v_n, 0)
    slip = sqrt(v_t[0] * v_t[0] + v_t[1] * v_t[1] + TINY)
    tangential, stretch = (zero, zero), zero
    rates, torque = list[Expr](), (zero, zero, zero)
    if material.friction is not None:
        strain, own_rates, slip = _bristles(v_t, bristles.sliding, 1 / material.elastic_stretch, touching)
        bound = -_coefficient(material.friction, slip) * normal
        tangential = bound * strain[0], bound * strain[1]
        stretch = material.elastic_stretch * sqrt(sum((s * s for s in bristles.sliding), zero) + TINY)
        rates += own_rates
    if material.rolling is not None:
        strain, own_rates, _ = _bristles((_dot(w, t1), _dot(w, t2)), bristles.rolling, 1 / ELASTIC_ANGLE, touching)
        torque = _sum(torque, _combined((t1, t2), [-material.rolling * normal * s for s in strain]))
        rates += own_rates
    if material.torsional is not None:
        strain, own_rates, _ = _bristles((_dot(w, n),), bristles.torsional, 1 / ELASTIC_ANGLE, touching)
        torque = _sum(torque, _combined((n,), [-material.torsional * normal * s for s in strain]))
        rates += own_rates
    friction = _combined((t1, t2), tangential)
    return PointForces(
        normal,
        _sum(_combined((n,), (normal,)), friction),
        _sum(_combined((n,), (normal - spring,)), friction),
        torque,
        tuple(rates),
        where(touching, slip, zero),
        where(touching, stretch, zero),
        spring * x / 2,
    )


def _coefficient(friction: tuple[Expr, Expr, Expr], speed: Expr) -> Expr:
    """μ = μ_sliding + (μ_rest − μ_sliding) exp(−(v/v_s)²) at the speed with which the tips of the bristles slide"""
    sliding, rest, velocity = friction
    if rest.handle == sliding.handle:
        return sliding
    ratio = speed / velocity
    return sliding + (rest - sliding) * exp(-ratio * ratio)


def _bristles(
    rates: Sequence[Expr], states: Sequence[Expr], stiffness: "Expr | float", touching: Expr
) -> tuple[list[Expr], list[Expr], Expr]:
    """w + c ẇ, no longer than 1; the rates of the states; and the speed α (v·ŵ)₊ with which the tips slide."""
    zero = Expr(touching.graph, touching.graph.zero)
    length = sqrt(sum((w * w for w in states), zero) + TINY)
    along = larger(sum((v * w for v, w in zip(rates, states, strict=True)), zero), 0) / length
    share = smaller(larger((length - ELASTIC) / (1 - ELASTIC), 0), 2)
    closed = [stiffness * (v - share * along * w / length) for v, w in zip(rates, states, strict=True)]
    strains = [w + DAMPING * rate for w, rate in zip(states, closed, strict=True)]
    excess = larger(sqrt(sum((s * s for s in strains), zero) + TINY), 1)
    relaxing = [where(touching, rate, -w / RELAXATION) for w, rate in zip(states, closed, strict=True)]
    return [s / excess for s in strains], relaxing, share * along


def _dot(a: Three, b: Three) -> Expr:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _sum(a: Three, b: Three) -> Three:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _combined(directions: Sequence[Three], factors: Sequence[Expr]) -> Three:
    """Σ factors · directions"""
    x, y, z = (sum((d[i] * f for d, f in zip(directions[1:], factors[1:], strict=True)), directions[0][i] * factors[0])
               for i in range(3))  # fmt: skip
    return x, y, z
