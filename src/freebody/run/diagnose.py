"""Why a run failed: when, where, which joint, and what to do."""

from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.record import Status
from freebody.integrate.steppers import FOR_STIFF
from freebody.names import Q
from freebody.run.callback_checks import other_values
from freebody.run.initial import NOUNS
from freebody.run.recorder import Recorder
from freebody.run.step_limit import ADVICE, limiting_mode, state_jacobian

Array = NDArray[np.float64]
Point = tuple[float, Array]  # t and x
SINGULAR = 1e-12
"""M is called singular where its smallest eigenvalue is below this, the diagonal scaled to 1 (or to what it was at the
start, where that was more)."""

DEPENDENT = 1e-9
"""Singular values of the constraints' rows, at length 1, that are taken as zero."""

MUCH = 0.1
"""Bodies are named together if they are deformed by more than this fraction of the most deformed one."""

DEFORMED = 1e-6
"""M is called not positive definite because of a deformation where its smallest eigenvalue is below this fraction of
that without the deformation."""

LARGE = 1e150
AHEAD = (0.0, 1e-12, 1e-9, 1e-6, 1e-3)
"""How far ahead rates that are not finite are searched: fractions of the time, or of a second."""

STEP_FACTORS = (0.1, 1.0, 10.0, 100.0, 1000.0)
"""Sizes of the steps with which a chattering rate is searched, in last steps of the run."""

NEAR_KINKS, KINK = (1e-8, 1e-6, 1e-4), 0.1
"""Distances at which derivatives of constraints jump; changes that are jumps, as fractions of these derivatives."""

CHATTER_STEPS = 32
"""Steps of each size."""

FAR = 100.0
"""How far from where a run ended a chattering rate is searched, in sizes of the state."""

STIFF = 0.5
"""A system is called stiff where a step is longer than this fraction of its fastest time constant."""

BESIDE, NEARLY, PASSABLE = 0.1, 1e-2, 1e-10
"""How far beside a position its equations of constraints are examined (in rad and m), by how much less independent they
are where it is called singular, and the tolerance at which runs pass such positions."""

STEEP = 1e4
"""How many times as fast as a joint's speeds its coordinates change where they are called singular."""

OFF = 1e-6
"""A state is called off the constraints where their correction changes it by more than this."""

RATES = "residual_rate"
"""The group of variables with one for each equation of constraints."""


@dataclass(frozen=True)
class Stop:
    """Where a run from ``start`` (time and state) ended before its last time ``end``, its status, the size of the last
    step, and the method that took it."""

    status: Status
    start: Point
    t: float
    x: Array
    size: float
    end: float
    method: str = ""
    refusal: str = ""
    """Why the method could not change to a stiff one (``method="auto"``)."""

    @property
    def direction(self) -> float:
        return 1.0 if self.end >= self.start[0] else -1.0


def diagnose(compiled: CompiledSystem, stop: Stop, options: Any) -> str:
    """The end of a run in a few sentences: when, why, the cause, what to do next."""
    with np.errstate(all="ignore"):
        if stop.status is Status.OFF_MANIFOLD:
            cause = too_deformed(compiled, stop.t, stop.x) or _singular_joint(compiled, stop) or _kink(compiled, stop)
            cause = cause or _off_manifold(compiled, stop, options)
            return f"{ended(stop, options)} {cause}"
        remembers = other_values(compiled, stop.t, stop.x)
        if remembers:
            return f"{ended(stop, options)} {remembers[0].upper()}{remembers[1:]}."
        not_finite = _singular_mass(compiled, stop) or _not_finite(compiled, stop, options)
        cause = _too_long(compiled, stop, options) or not_finite or too_deformed(compiled, stop.t, stop.x)
        cause = cause or _kink(compiled, stop) or _singular_position(compiled, stop, options)
        cause = cause or _mode(compiled, stop) or _singular_joint(compiled, stop)
        cause = cause or _jump(compiled, stop) or _stiff(compiled, stop)
        if not cause and stop.status is not Status.BUDGET:
            cause = _fastest(compiled, stop)
        elif not cause and stop.method not in FOR_STIFF:
            cause = f"A stiff system needs {_remedy(stop)}."
    return f"{ended(stop, options, bool(not_finite))} {cause}".rstrip()


def ended(stop: Stop, options: Any, not_finite: bool = False) -> str:
    """When and why, without the cause; ``not_finite`` where rates are known not to be finite."""
    if stop.status is Status.BUDGET:
        return (
            f"at t = {stop.t:.6g} s the run has taken max_steps = {options.max_steps} steps. Allow more, or loosen rtol"
            " and atol."
        )
    reason = "the step size fell below what the time can tell apart"
    if not_finite or stop.status is Status.NOT_FINITE:
        reason = "the derivative of the state is not finite"
    elif stop.status is Status.OFF_MANIFOLD:
        reason = "the state could not return to the constraints"
    elif stop.status is Status.STALLED:
        size = abs(stop.size) or options.step or 0.0
        reason = f"its steps of {size:.1e} s are too short to reach t = {stop.end:g} s"
    return f"at t = {stop.t:.6g} s the run could not go on: {reason}."


def _singular_joint(compiled: CompiledSystem, stop: Stop) -> str:
    """The joint whose coordinates are at a place where they do not determine its rotation, as angles in a gimbal
    lock."""
    indices, rates = compiled.about.indices, compiled.x_dot(stop.t, stop.x)
    for body in compiled.about.elements:
        q = [indices["q"][name] for name in body.joint_q if name in indices["q"]]
        u = [indices["u"][name] for name in body.u if name in indices["u"]]
        fastest = np.abs(rates[q]).max(initial=0.0)
        if u and not fastest <= STEEP * np.abs(stop.x[u]).max() and fastest != 0:
            return (
                f"The coordinates of joint '{body.name}' ({body.joint}, {body.name} on {body.parent}) are singular"
                " there (gimbal lock): they change without bound while its speeds do not. Take another sequence of axes"
                ", initial values farther from that position, or a joint whose coordinates are a quaternion, such as"
                " Spherical or Free."
            )
    return ""


def _off_manifold(compiled: CompiledSystem, stop: Stop, options: Any) -> str:
    """Where a state cannot return to the constraints: by how much it is off, and what to do."""
    manifold = compiled.manifold(options.rtol, options.atol)
    if manifold is not None and len(stop.x):
        change = manifold.function(stop.t, stop.x) - stop.x
        change[compiled.system.speeds] = 0.0
        k = int(np.argmax(np.where(np.isfinite(change), np.abs(change), np.inf)))
        if not np.isfinite(change[k]):
            state = _named_state(compiled, k)
            return f"No finite correction exists for {state}: look at what the constraints depend on."
        if abs(change[k]) > OFF:
            return (
                f"They ask {_named_state(compiled, k)} to move by {change[k]:.3g} from {stop.x[k]:.4g}, and no state"
                " that satisfies them was reached from there. Begin with a state that satisfies the constraints; if"
                " there is none, they contradict each other."
            )
    if options.step:
        return f"Steps of {options.step:g} s may be too long: take shorter ones, or a method that chooses them."
    return _end_of_the_way(compiled, _weakest(compiled, stop.t, stop.x), options)


def _kink(compiled: CompiledSystem, stop: Stop) -> str:
    """Where the derivatives of an equation of constraints jump beside the state: max(q.a, q.b) where both are equal."""
    names, n = [v.name for v in compiled.about.variables if v.group == RATES], compiled.system.coordinates
    if not names:
        return ""

    def sides(k: int, distance: float) -> list[Array]:
        points = (stop.x + sign * distance * (np.arange(len(stop.x)) == k) for sign in (-1.0, 1.0))
        return [at["G"] for x in points if (at := compiled.mechanics.constraint(stop.t, x)) is not None]

    usual = np.max([np.abs(G).max(axis=1) for k in range(n) for G in sides(k, BESIDE)], axis=0, initial=0.0)
    for distance, k in product(NEAR_KINKS, range(n)):
        before, after = sides(k, distance)
        jumps = np.abs(after - before).max(axis=1, initial=0.0) > KINK * usual
        if jumps.any():
            return (
                f"The state is at a kink of the equation {names[int(np.argmax(jumps))]} of constraints, where its"
                " derivatives jump as max(a, b) does where a = b. Write it smoothly (sqrt(x**2 + d**2) in place of"
                " abs(x), (a + b + sqrt((a - b)**2 + d**2))/2 in place of max(a, b), with a small d), or as"
                " constraints that events engage and release."
            )
    return ""


class Weakest(NamedTuple):
    """The equation of constraints that the speeds change least, given the others, and by how much: the smallest
    eigenvalue of G M⁻¹ Gᵀ."""

    equation: str
    size: float


def _weakest(compiled: CompiledSystem, t: float, x: Array) -> Weakest | None:
    at, names = compiled.mechanics.constraint(t, x), [v.name for v in compiled.about.variables if v.group == RATES]
    if at is None or not names:
        return None
    try:
        S = at["G"] @ np.linalg.solve(compiled.mechanics.mass_matrix(t, x), at["G"].T)
        values, vectors = np.linalg.eigh(S)
    except np.linalg.LinAlgError:
        return None
    return Weakest(names[int(np.argmax(np.abs(vectors[:, 0])))], float(values[0]))


def _singular_position(compiled: CompiledSystem, stop: Stop, options: Any) -> str:
    """Where equations of constraints depend on each other at a position, though not at those near it."""
    if compiled.system.project.value is None or not compiled.system.projects:
        return ""
    here, beside = _weakest(compiled, stop.t, stop.x), stop.x.copy()
    beside[: compiled.system.speeds[0] if compiled.system.speeds else 0] += BESIDE
    away = None if here is None else _weakest(compiled, stop.t, beside)
    if here is None or away is None or not here.size < NEARLY * away.size:
        return ""
    return _end_of_the_way(compiled, here, options)


def _end_of_the_way(compiled: CompiledSystem, weakest: Weakest | None, options: Any) -> str:
    """Why a state that is on the constraints cannot move on: the position is singular, or they end there, which needs
    motions or constraints that time moves."""
    first = "" if weakest is None else f" (first in equation {weakest.equation})"
    past = "method='dop853' passes most of them"
    if options.method in ("dop853", "auto"):
        past = f"relax rtol to {PASSABLE:.0e} to pass it" if np.min(options.rtol) < PASSABLE else "begin elsewhere"
    correction = compiled.system.project.value
    blocks = () if correction is None else correction.blocks
    if not any(address.buffer == "t" for code in blocks for address in code.loads):  # time moves no constraint
        return (
            "This is a singular position, such as a loop that is flat, where equations of constraints depend on each"
            f" other{first} and branches of the motion meet: {past}."
        )
    return (
        f"From here on the constraints contradict each other, or the motion{first}: a loop that cannot close further, a"
        " prescribed motion out of its reach. Change lengths or the motion, or end the run there by an event. A"
        f" singular position, such as a loop that is flat, where branches of the motion meet, does this too: {past}."
    )


def _singular_mass(compiled: CompiledSystem, stop: Stop) -> str:
    """The speed that an (almost) singular mass matrix leaves free."""
    M, at_start = compiled.mechanics.mass_matrix(stop.t, stop.x), compiled.mechanics.mass_matrix(*stop.start)
    if not np.all(np.isfinite(M)):
        bad = int(np.argmax(~np.all(np.isfinite(M), axis=1)))
        return f"The mass matrix is not finite in the row of {named_speed(compiled, bad)}: look at what it depends on."
    if not len(M):
        return ""
    if np.min(np.diag(M)) <= 0:
        speed = int(np.argmin(np.diag(M)))
    else:
        scale = np.sqrt(np.maximum(np.diag(M), np.diag(at_start)))
        values, vectors = np.linalg.eigh(M / np.outer(scale, scale))
        if values[0] > SINGULAR:
            return ""
        speed = int(np.argmax(np.abs(vectors[:, 0])))
    deformed = too_deformed(compiled, stop.t, stop.x)
    if deformed:
        return deformed
    loops = compiled.system.project.value is not None
    rod = " A link without mass between two points of a loop is a rod, s.rod(a, b);" if loops else ""
    return (
        f"The mass matrix is singular there: {named_speed(compiled, speed)} has nothing to resist it in this"
        " configuration. Give the joint an armature, its body some inertia, or keep the motion away from this place;"
        f"{rod} where lengths or masses differ by many orders, derive('aba') keeps what is lost here."
    )


def too_deformed(compiled: CompiledSystem, t: float, x: Array) -> str:
    """The sentence that names the flexible bodies without whose deformation the mass matrix would be positive definite;
    "" if there are none, or if it is positive definite as it is. Nearly singular is not positive definite."""
    index = compiled.about.indices["q"]
    modes = {body.name: body.flexible.coordinates for body in compiled.about.elements if body.flexible is not None}
    lowest = _lowest(compiled, t, x) if modes else 1.0
    if lowest > DEFORMED:
        return ""
    sizes = {body.body: float(body.sizes(x[None])[0]) for body in compiled.mechanics.programs.bendings}
    deformed = [name for name in modes if sizes.get(name, 0.0) > MUCH * max(sizes.values(), default=0.0)]
    for names in [*([name] for name in modes), deformed, [*modes]]:
        straight = x.copy()
        straight[[index[q] for name in names for q in modes[name]]] = 0.0
        at_rest = _lowest(compiled, t, straight)
        if at_rest > SINGULAR and lowest < DEFORMED * at_rest:
            return (
                "The mass matrix is not positive definite there, because the deformation of"
                f" {' and '.join(repr(name) for name in names)} is too large for the inertia, which is known to second"
                " order in the deformation. Reduce the loads, take a stiffer body or fewer modes, or divide it into"
                " several bodies in a row. A beam on hinges bends farther with ends='pinned', frame='floating'."
            )
    return ""


def _lowest(compiled: CompiledSystem, t: float, x: Array) -> float:
    """The smallest eigenvalue of the mass matrix, scaled to a diagonal of ones, in the directions that constraints
    leave free; below zero also where it is not finite, or where an entry of the diagonal is not positive."""
    M, at = compiled.mechanics.mass_matrix(t, x), compiled.mechanics.constraint(t, x)
    if not np.all(np.isfinite(M)) or np.min(np.diag(M)) <= 0:
        return -1.0
    scale = 1 / np.sqrt(np.diag(M))
    M = M * np.outer(scale, scale)
    if at is not None and at["G"].size and np.all(np.isfinite(at["G"])):
        G = at["G"] * scale
        lengths = np.linalg.norm(G, axis=1, keepdims=True)
        _, sizes, V = np.linalg.svd(G / np.where(lengths > 0, lengths, 1.0))
        Z = V[np.count_nonzero(sizes > DEPENDENT) :].T
        M = Z.T @ M @ Z
    return float(np.linalg.eigvalsh(M)[0]) if M.size else 1.0


def _not_finite(compiled: CompiledSystem, stop: Stop, options: Any) -> str:
    """The first rate that is not finite, here or a little ahead, and the input or load that causes it."""
    t, x = stop.t, stop.x
    here = compiled.x_dot(t, x)
    finite = np.where(np.isfinite(here), here, 0.0)
    for length in [part * max(1.0, abs(t)) for part in AHEAD] + [options.step or abs(stop.size)]:
        h = stop.direction * length
        later = t + h, x + h * finite
        rates = compiled.x_dot(*later)
        if not np.all(np.isfinite(rates)):
            k = int(np.argmax(~np.isfinite(rates)))
            when = "is not finite" if h == 0 else "is finite here but not a moment later"
            return f"The rate of {_named_state(compiled, k)} {when}: {_why_not_finite(compiled, k, *later)}."
    return ""


def _why_not_finite(compiled: CompiledSystem, k: int, t: float, x: Array) -> str:
    record = Recorder(compiled)(np.array([t]), x[None, :])
    for key, _ in compiled.system.slots:
        if key.startswith(("input.", "load.")) and not np.all(np.isfinite(record[key])):
            group, name = key.split(".", 1)
            return f"{group} '{name}' has no finite value there{_tables_that_end(compiled)}"
    if tables := _tables_that_end(compiled):
        return f"look at the laws that act on it{tables}"
    fast = int(np.argmax(np.abs(x)))
    if abs(x[fast]) > LARGE:
        return f"{_named_state(compiled, fast)} is {x[fast]:.3g}, whose square no number holds"
    if Q.holds(compiled.about.state[k]):
        return "the angles are where their rates have no value (gimbal lock): take another sequence or a quaternion"
    return "look at the loads and laws that act on it"


def _tables_that_end(compiled: CompiledSystem) -> str:
    """A part of a sentence that names the tables without values beyond their ends."""
    codes = [code for program in (compiled.system.rates.value, compiled.system.record.value) for code in program.blocks]
    tables = {t.name.rstrip("'"): t for code in codes for t in code.tables if t.has_ends}
    ranges = [f"'{name}' from {t.origins[0]:.6g} to {t.origins[-1]:.6g}" for name, t in tables.items()]
    return f"; tables with outside='error' have values in their range only: {', '.join(ranges)}" if ranges else ""


def chatters(compiled: CompiledSystem, stop: Stop) -> bool:
    """Whether the state stays at a jump of its rate."""
    with np.errstate(all="ignore"):
        return bool(_jump(compiled, stop))


def _jump(compiled: CompiledSystem, stop: Stop) -> str:
    """A rate that jumps back and forth from step to step: the state stays at a jump of a law, where no step is short
    enough. Euler steps give two states between which the rate changes sign, bisection tells whether it jumps there."""
    f, size = compiled.x_dot, abs(stop.size) or 1e-10 * max(1.0, abs(stop.t))
    for h in (factor * size * stop.direction for factor in STEP_FACTORS):
        point, rates = (stop.t, stop.x), f(stop.t, stop.x)
        for _ in range(CHATTER_STEPS):
            following = point[0] + h, point[1] + h * rates
            after = f(*following)
            far = np.abs(following[1] - stop.x) > FAR * np.maximum(1.0, np.abs(stop.x))
            if np.any(far) or not np.all(np.isfinite(after)):
                break  # these steps are too long for an oscillation, and diverge
            turned = (rates * after < 0) & (np.abs(after - rates) > 0.1 * np.max(np.abs(rates)))
            for k in np.flatnonzero(turned).tolist():
                sides = _sides_of_jump(compiled, k, point, following)
                if sides is not None:
                    return (
                        f"{_what_jumps(compiled, k, *sides)} It chatters: the state stays at the jump, and no step is"
                        " short enough to follow. Smooth the jump (c*tanh(u/u0) instead of c*sign(u), u0 a small speed)"
                        " and take method='rodas5p' or 'radau', or end the motion there by an event."
                    )
            point, rates = following, after
    return ""


def _sides_of_jump(compiled: CompiledSystem, k: int, a: Point, b: Point) -> tuple[Point, Point] | None:
    """The two sides of a jump of rate k between two points, None where it goes through zero or grows without bound."""
    f = compiled.x_dot
    before, jump = f(*a)[k], abs(f(*b)[k] - f(*a)[k])
    for _ in range(60):
        middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        if f(*middle)[k] * before > 0:
            a = middle
        else:
            b = middle
    return (a, b) if 0.5 * jump < abs(f(*b)[k] - f(*a)[k]) < 2 * jump else None


def _what_jumps(compiled: CompiledSystem, k: int, a: Point, b: Point) -> str:
    """The input or load behind a jump of rate k, else the rate itself."""
    record = Recorder(compiled)(np.array([a[0], b[0]]), np.array([a[1], b[1]]))
    for key, size in compiled.system.slots:
        row = record[key]
        if key.startswith(("input.", "load.")) and size == 1 and abs(row[1] - row[0]) > 0.5 * np.max(np.abs(row)):
            group, name = key.split(".", 1)
            return f"{group.capitalize()} '{name}' jumps between {row[0]:.4g} and {row[1]:.4g}."
    rates = [compiled.x_dot(*point)[k] for point in (a, b)]
    return f"The rate of {_named_state(compiled, k)} jumps between {rates[0]:.4g} and {rates[1]:.4g}."


def _too_long(compiled: CompiledSystem, stop: Stop, options: Any) -> str:
    """Where steps of one size are longer than a mode of a flexible body allows."""
    mode = limiting_mode(compiled, stop.method, *stop.start, options.step or 0.0)
    if mode is None or options.step <= mode.longest:
        return ""
    return f"Steps of {options.step:g} s are too long for {mode}: at most {mode.longest:.2g} s are stable. {ADVICE}"


def stays_explicit(refusal: str) -> str:
    """A part of a sentence: why ``method="auto"`` does not change to a stiff method."""
    return f"method='auto' cannot change to 'rodas5p': {refusal}"


def _remedy(stop: Stop) -> str:
    """The methods for stiff systems that are possible."""
    return f"another method; {stays_explicit(stop.refusal)}" if stop.refusal else "method='rodas5p' (or 'radau')"


def _mode(compiled: CompiledSystem, stop: Stop) -> str:
    """Where stability for a mode of a flexible body, not accuracy, limits the steps of an explicit method."""
    mode = limiting_mode(compiled, stop.method, stop.t, stop.x, stop.size)
    if mode is None:
        return ""
    advice = f"Take fewer modes, or quasi_static= a lower frequency; {stays_explicit(stop.refusal)}"
    return f"Stability for {mode} keeps the steps short. {advice if stop.refusal else ADVICE}"


def _stiff(compiled: CompiledSystem, stop: Stop) -> str:
    """Where stability, not accuracy, limits the steps of an explicit method: |λ| h is about 1 or more."""
    J = None if stop.method in FOR_STIFF or stop.size == 0 else state_jacobian(compiled, stop.t, stop.x)
    if J is None:
        return ""
    values, vectors = np.linalg.eig(J)
    k = int(np.argmin(values.real))
    if -values[k].real * abs(stop.size) < STIFF:
        return ""
    state = _named_state(compiled, int(np.argmax(np.abs(vectors[:, k]))))
    return (
        f"It is stiff: a motion in {state} that dies out within {-1 / values[k].real:.1e} s keeps the steps short. Take"
        f" {_remedy(stop)}."
    )


def _fastest(compiled: CompiledSystem, stop: Stop) -> str:
    x, rates = stop.x, np.abs(compiled.x_dot(stop.t, stop.x))
    k = int(np.argmax(rates / (1 + np.abs(x)))) if len(rates) else 0
    if not len(rates) or rates[k] == 0:
        return ""
    stiff = "" if stop.method in FOR_STIFF else f"; a stiff system needs {_remedy(stop)}"
    return (
        f"The fastest change is {_named_state(compiled, k)}: {x[k]:.4g}, with rate {rates[k]:.3g}. A law that jumps or"
        " grows without bound, or angles at a place where their rates do (gimbal lock: use a quaternion), does this"
        f"{stiff}."
    )


def named_speed(compiled: CompiledSystem, index: int) -> str:
    """A speed and the joint it belongs to."""
    return _named_state(compiled, compiled.system.speeds[index])


def _named_state(compiled: CompiledSystem, index: int) -> str:
    group, name = compiled.about.state[index].split(".", 1)
    for e in compiled.about.elements:
        if group in "qu" and name in (e.q if group == "q" else e.u):
            return f"{NOUNS[group]} '{name}' (joint '{e.name}', {e.joint}, {e.name} on {e.parent})"
    return f"{NOUNS[group]} '{name}'"
