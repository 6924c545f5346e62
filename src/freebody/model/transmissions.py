"""The transmissions of gears, racks, bevel gears and belts: where and along which directions their forces act on two
wheels, and by how much they slip. Raises where the positions of the wheels do not fit their radii."""

from typing import Any

import numpy as np

from freebody.errors import FieldError
from freebody.model.body import Reference
from freebody.model.gear_geometry import PairGeometry, cross, dot, minus, plus, symbolic, times
from freebody.model.kinds import Scope
from freebody.model.tree_path import CLOSE
from freebody.model.wheel_pairs import ParallelWheels, Transmission, Triple, WheelForces, WheelPair
from freebody.scalar.expr import Expr, cos, equals_number, sqrt, tan
from freebody.scalar.expr import max as largest
from freebody.spatial.vector import vector

FIT = 1e-6
"""How much the distance of two centres may differ from the radii, relative to it."""
SMALLEST_SINE = 0.0523
"""Of the shaft angle of bevel gears."""


def gear_transmission(scope: Scope, pair: WheelPair, pressure: Any, helix: Any, elastic: bool) -> Transmission:
    """The transmission of two gears, or of a gear and a rack. Raises where their positions do not fit the radii."""
    geometry, pressure, helix = PairGeometry(scope, pair), symbolic(scope, pressure), symbolic(scope, helix)
    if geometry.one.is_rack or geometry.other.is_rack:
        return _rack(geometry, pressure, helix)
    a, b = geometry.directions
    if np.abs(np.cross(a[0], b[0])).max() < CLOSE:
        return _parallel(geometry, pressure, helix, elastic)
    return _bevel(geometry, pressure, helix)


def _teeth(pressure: Any, helix: Any, tangent: Triple, generator: Triple, normal: Triple) -> tuple[Triple, Triple]:
    """The force on the second wheel with the tangential component 1, without its component along the normal of the
    pitch plane; and this component, which pushes the wheels apart. The normal to a flank whose line is inclined by β
    from the generator is (cos α (t cos β − g sin β), sin α m)."""
    return minus(tangent, times(tan(helix), generator)), times(tan(pressure) / cos(helix), normal)


def _ends(
    geometry: PairGeometry,
    carrier: Reference,
    point: Triple,
    centres: tuple[Triple, Triple],
    force: Triple,
    side: Triple,
    shifts: tuple[Any, Any] = (0, 0),
) -> tuple[WheelForces, WheelForces]:
    """Opposite forces on both wheels at one point."""
    arms = [geometry.arm(k, point, centre, carrier) for k, centre in enumerate(centres)]
    zero = times(0, force)
    return (
        WheelForces(point, arms[0], times(-1, force), zero, times(-1, side), geometry.one.direction, shifts[0]),
        WheelForces(point, arms[1], force, zero, side, geometry.other.direction, shifts[1]),
    )


def _parallel(geometry: PairGeometry, pressure: Any, helix: Any, elastic: bool) -> Transmission:
    """With n the first axis, e = D/(r₁ + r₂) and t = n × e the mesh point is C₁ + r₁ e, and the slip
    −r₁ θ₁ − r₂ θ₂, of helical gears less tan β times the displacement along n."""
    path, one, other = geometry.path, geometry.one, geometry.other
    radii = [path.number(r) for r in (one.radius, other.radius)]
    total = sum(radii)
    if not all(radii) or total == 0 or (radii[0] < 0 and radii[1] < 0):
        raise FieldError(
            f"the radii are {radii[0]:g} and {radii[1]:g}; both must be positive, or one of them negative"
            " and larger in size than the other, for a ring gear",
            "radii",
        )
    if 0 < -min(radii) < max(radii):
        raise FieldError(
            f"the ring gear has the radius {-min(radii):g}, less than that of the gear in it, {max(radii):g}", "radii"
        )

    D = geometry.across
    found = float(np.linalg.norm(D[0]))
    if abs(found - abs(total)) > FIT * abs(total):
        what = "sum" if min(radii) > 0 else "difference"
        raise FieldError(
            f"the axes of {geometry.names} are {found:.6g} m apart at the zero of all joints, and the {what} of the"
            f" radii is {abs(total):.6g} m; change the radii, or the positions of the bodies",
            "radii",
        )
    _require_one_plane(geometry, found, "it is not known where the mesh force acts")
    carrier, kept = geometry.carrier_of_parallel(elastic)
    c1, c2, n, _ = geometry.in_carrier(carrier)
    r1, r2 = one.radius, other.radius
    e = times(1 / (r1 + r2), minus(c2, c1))
    t = cross(n, e)
    point = plus(c1, times(r1, e))
    hand = helix if radii[0] > 0 else -helix  # e points inwards in a ring gear that is the first
    force, side = _teeth(pressure, hand, t, n, e)
    slip = -r1 * geometry.angle(0, carrier) - r2 * geometry.angle(1, carrier)
    if not equals_number(helix, 0):
        slip = slip - tan(hand) * _travel(geometry, carrier, n)
    wheels = _ends(geometry, carrier, point, (c1, c2), force, side)
    parallel = ParallelWheels(n, e, r1 + r2, 1 if total > 0 else -1, (r1, r2), tan(hand))
    misfit = dot(e, e) ** 0.5 - 1
    return Transmission(carrier.name, slip, wheels, misfit, kept, parallel)


def belt_transmission(scope: Scope, pair: WheelPair, crossed: bool, elastic: bool) -> Transmission:
    """The transmission of a belt or chain on two pulleys. With r₂ negative of a crossed belt, e along the line of
    centres of length d and t = n × e, the spans run along √(1 − κ²) e ∓ κ t, κ = (r₁ − r₂)/d: a difference λ of their
    tensions pulls the first pulley by −κ λ t, and their sum S by √(1 − κ²) S e. The slip is −r₁ θ₁ + r₂ θ₂."""
    if None in pair.radii:
        raise FieldError("a belt runs on two pulleys; give both radii", "radii")
    geometry = PairGeometry(scope, pair)
    path, (one, other) = geometry.path, geometry.wheels
    radii = [path.number(r) for r in (one.radius, other.radius)]
    if not min(radii) > 0:
        raise FieldError(f"the radii of the pulleys are {radii[0]:g} and {radii[1]:g}; they must be positive", "radii")
    if np.abs(np.cross(geometry.directions[0][0], geometry.directions[1][0])).max() > CLOSE:
        raise FieldError(
            f"the axes of {geometry.names} are not parallel; a belt needs pulleys on parallel axes", "axes"
        )
    found = float(np.linalg.norm(geometry.across[0]))
    least = radii[0] + radii[1]
    if not found > (1 + FIT) * least:
        raise FieldError(
            f"the axes of {geometry.names} are {found:.6g} m apart, not more than the sum of the radii,"
            f" {least:.6g} m, so that the pulleys overlap; change the radii, or the positions of the bodies",
            "radii",
        )
    _require_one_plane(geometry, found, "the belt would run askew")
    carrier, kept = geometry.carrier_of_parallel(elastic)
    c1, c2, n, _ = geometry.in_carrier(carrier)
    r1, r2 = one.radius, -other.radius if crossed else other.radius
    D_ = minus(c2, c1)
    d = sqrt(dot(D_, D_))
    e, kappa = times(1 / d, D_), (r1 - r2) / d
    t, pull = cross(n, e), sqrt(1 - kappa * kappa)
    force, side = times(kappa, t), times(-1 * pull, e)
    arms = [geometry.arm(k, c, c, carrier) for k, c in enumerate((c1, c2))]
    wheels = (
        WheelForces(c1, arms[0], times(-1, force), times(-1 * r1, n), times(-1, side), one.direction),
        WheelForces(c2, arms[1], force, times(r2, n), side, other.direction),
    )
    slip = -r1 * geometry.angle(0, carrier) + r2 * geometry.angle(1, carrier)
    parallel = ParallelWheels(n, e, d, 1, (r1, -r2), 0)
    return Transmission(carrier.name, slip, wheels, largest((one.radius + other.radius) / d - 1, 0), kept, parallel)


def _require_one_plane(geometry: PairGeometry, distance: float, otherwise: str) -> None:
    """Raise if the centres of wheels on parallel axes are apart along the axis."""
    along = float(np.abs(geometry.distance[0] @ geometry.directions[0][0]))
    if along > FIT * distance:
        raise FieldError(
            f"the centres of {geometry.names} are {along:.6g} m apart along the axis, so that {otherwise}; give points"
            " in one plane, body.point((0, 0, z))",
            "to",
        )


def _travel(geometry: PairGeometry, carrier: Reference, along: Triple) -> Any:
    """The displacement of the second centre relative to the first along a direction of the carrier, from the zero of
    all coordinates; the number 0 if there is none."""
    path = geometry.path
    D = path.position(geometry.other.centre) - path.position(geometry.one.centre)
    x = D.dot(vector(carrier.frame, [s.handle for s in along]))
    moved = [path.numbers([x.handle], k)[0] for k in range(len(path.states))]
    if np.ptp(moved) < CLOSE:
        return 0
    return x - path.at_zero([x.handle])[0]


def _rack(geometry: PairGeometry, pressure: Any, helix: Any) -> Transmission:
    """With n the axis of the gear and e from its centre across the rack's pitch plane, the slip is t·D − r θ, where
    t = n × e; all signs change where the rack is the first."""
    exchanged = geometry.one.is_rack
    if exchanged:
        geometry.exchange()
    (gear, rack), path = geometry.wheels, geometry.path
    r = path.number(gear.radius)
    if not r > 0:
        raise FieldError(f"the radius of the gear on the rack is {r:g}; it must be positive", "radii")
    n, d = geometry.directions
    if np.abs(np.einsum("si,si->s", n, d)).max() > CLOSE:
        raise FieldError(
            f"the rack '{rack.body.name}' does not slide perpendicular to the axis of '{gear.body.name}'; give other"
            " axes",
            "axes",
        )
    height = np.cross(n, d) * np.einsum("si,si->s", np.cross(n, d), geometry.distance)[:, None]
    found = float(np.linalg.norm(height[0]))
    if abs(found - r) > FIT * r:
        raise FieldError(
            f"the pitch line of the rack '{rack.body.name}' passes {found:.6g} m from the axis of '{gear.body.name}' at"
            f" the zero of all joints, and the radius is {r:.6g} m; change the radius, or give a point of the pitch"
            " line",
            "radii",
        )
    carrier = geometry.carrier(n, d, height)
    if carrier is None:
        raise FieldError(
            f"the joints between {geometry.names} do not keep the distance of the gear's axis from the"
            " rack, or their directions; carry the gear by a revolute joint and let the rack"
            " slide"
        )
    c1, c2, n_, d_ = geometry.in_carrier(carrier)
    across = cross(n_, d_)
    D_ = minus(c2, c1)
    e = times(dot(D_, across) / gear.radius, across)
    t = cross(n_, e)
    point = plus(c1, times(gear.radius, e))
    force, side = _teeth(pressure, helix, t, n_, e)
    travel = _travel(geometry, carrier, t)
    if not isinstance(travel, Expr):
        raise FieldError(
            f"the rack '{rack.body.name}' does not slide relative to the axis of '{gear.body.name}'; give"
            " the rack or the gear a prismatic joint"
        )
    slip = travel - gear.radius * geometry.angle(0, carrier)
    first, second = _ends(geometry, carrier, point, (c1, c2), force, side)
    misfit = dot(e, e) ** 0.5 - 1
    if not exchanged:
        return Transmission(carrier.name, slip, (first, second), misfit)
    turned = tuple(w._replace(force=times(-1, w.force)) for w in (second, first))
    return Transmission(carrier.name, -slip, (turned[0], turned[1]), misfit)


def _bevel(geometry: PairGeometry, pressure: Any, helix: Any) -> Transmission:
    """With a and b along the axes from the apex to the gears, at the angle Σ, the mean pitch circle of the first gear
    is h = (r₂ + r₁ cos Σ)/sin Σ from the apex, and its pitch cone has tan δ = r₁/h. The mesh point is h a + r₁ ρ with ρ
    across a towards b; g = cos δ a + sin δ ρ is the generator, and m = cos δ ρ − sin δ a normal to the pitch plane."""
    path, one, other = geometry.path, geometry.one, geometry.other
    radii = [path.number(r) for r in (one.radius, other.radius)]
    if not min(radii) > 0:
        raise FieldError(
            f"the mean radii of bevel gears are {radii[0]:g} and {radii[1]:g}; they must be positive", "radii"
        )
    u, v, D = geometry.directions[0], geometry.directions[1], geometry.distance
    normal = np.cross(u, v)
    sine = np.linalg.norm(normal, axis=1)
    if sine[0] < SMALLEST_SINE:
        raise FieldError(
            f"the axes of {geometry.names} are {np.degrees(np.arcsin(sine[0])):.3g}° from parallel: too much for spur"
            " gears, and too little for bevel gears, which need 3° and more; correct the directions of the joints",
            "axes",
        )
    apart = float(np.abs(np.einsum("si,si->s", normal, D))[0] / sine[0])
    if apart > FIT * max(radii):
        raise FieldError(
            f"the axes of {geometry.names} are neither parallel nor do they meet: they pass each other at {apart:.6g}"
            " m. Spur and helical gears need parallel axes, bevel gears axes that meet; crossed helical, worm and"
            " hypoid gears slide along their teeth and are not available: couple their angles by a ratio, s.gear(a, b,"
            " ratio)"
        )
    carrier = geometry.carrier(u, v, np.asarray(normal * np.einsum("si,si->s", normal, D)[:, None]))
    if carrier is None or np.abs(np.einsum("si,si->s", normal, D)).max() > FIT:
        raise FieldError(
            f"the joints between {geometry.names} do not keep the angle of their axes; carry both by"
            " revolute joints whose axes meet in one point of a body"
        )
    c1, c2, n1, n2 = geometry.in_carrier(carrier)
    D_, c = minus(c2, c1), dot(n1, n2)
    x = (dot(D_, n1) - c * dot(D_, n2)) / (1 - c * c)
    y = (c * dot(D_, n1) - dot(D_, n2)) / (1 - c * c)
    sides = list[int]()
    for w, to_apex in zip(geometry.wheels, (x, y), strict=True):
        value = path.number(to_apex)
        if abs(value) < FIT * max(radii):
            raise FieldError(
                f"the centre of '{w.body.name}' is where the axes meet, so that it is not known on which side the gear"
                " is; give a point of its axis on the side of the gear, body.point((0, 0, z))",
                "from" if w is one else "to",
            )
        sides.append(-1 if value > 0 else 1)
    apex = plus(c1, times(x, n1))
    a, b = times(sides[0], n1), times(sides[1], n2)
    cosine, r1, r2 = dot(a, b), one.radius, other.radius
    sine_ = sqrt(1 - cosine * cosine)
    h1, h2 = (r2 + r1 * cosine) / sine_, (r1 + r2 * cosine) / sine_
    if min(path.number(h1), path.number(h2)) <= 0:
        raise FieldError(
            f"the pitch cones of {geometry.names} do not touch from outside: the shaft angle is too large for these"
            " radii; internal bevel gears are not available",
            "radii",
        )
    rho = times(1 / sine_, minus(b, times(cosine, a)))
    length = sqrt(r1 * r1 + h1 * h1)
    g = plus(times(h1 / length, a), times(r1 / length, rho))
    m = minus(times(h1 / length, rho), times(r1 / length, a))
    t = cross(n1, rho)
    point = plus(apex, plus(times(h1, a), times(r1, rho)))
    force, side = _teeth(pressure, helix, t, times(sides[0], g), m)
    slip = -r1 * geometry.angle(0, carrier) - (sides[0] * sides[1]) * r2 * geometry.angle(1, carrier)
    shifts = x + sides[0] * h1, y + sides[1] * h2
    misfit = dot(D_, cross(n1, n2)) / sine_ / r1
    return Transmission(carrier.name, slip, _ends(geometry, carrier, point, (c1, c2), force, side, shifts), misfit)
