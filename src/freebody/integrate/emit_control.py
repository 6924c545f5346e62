"""The size of the next step from the error of this one, for one state or for lanes."""

from math import log2
from struct import pack, unpack
from typing import NamedTuple

from freebody.backends.llvm.build import Build, Value
from freebody.integrate.emit_layout import Fields

MEMORY = 1e-4
"""The smallest error that the PI controller remembers."""


FINE = 2.2e-15
"""The smallest step, as a part of the time that has passed: ten units in the last place."""


PATIENCE, SLOW, HOPELESS = 1e5, 1e14, 1e17
"""Steps of the first window over which a run's pace is measured (each further window is twice as long), and from which
product of the steps of a window and those still to come at its pace on a run is looked at (SLOW: it ends if it
chatters) and ends in any case (HOPELESS): after a million steps there may be 1e11 to come. The first window and a pace
that has doubled since the window before are left alone."""


def stalled(b: Build, s: Fields, full: Value) -> Value:
    """Where the window is ``full``: whether the end is far away at its pace. The next window begins."""
    steps, passed = s["pace_steps"], b.intrinsic("fabs", s["t"] - s["pace_t"])
    ahead, pace = b.intrinsic("fabs", s["t_end"] - s["t"]), passed / steps
    far = steps * (steps * ahead) > SLOW * passed
    found = full & far & (pace <= 2.0 * s["pace"])
    values = {"pace_t": s["t"], "pace_steps": 2.0 * steps, "pace_left": 2.0 * steps, "pace": pace}
    for name, value in values.items():
        s[name] = b.select(full, value, s[name])
    return found


def floor(b: Build, s: Fields) -> Value:
    """The smallest step: what time can tell apart, and never less than ``min_step``, which is more than 0."""
    return b.most(s["min_step"], FINE * b.intrinsic("fabs", s["t"]))


class Verdict(NamedTuple):
    """The sizes to go on with if the step is accepted or rejected, and the logarithm of its error, to be remembered."""

    accepted: Value
    rejected: Value
    memory: Value


def verdict(b: Build, s: Fields, square: Value, size: Value) -> Verdict:
    """Hairer's DOPRI5 and DOP853: h times clip(safety (old err)ᵝ / errᵉ), of the error's square."""
    level = 0.5 * logarithm(b, square)
    raw, limits = -1.0 * s["exponent"] * level, (s["largest"], s["smallest"])
    grown = power2(b, raw + s["beta"] * s["memory"]) * s["safety"]
    shrunk = b.select(square.eq(square), power2(b, raw) * s["safety"], s["smallest"])
    return Verdict(
        size * b.most(b.least(grown, limits[0]), limits[1]),
        size * b.most(shrunk, limits[1]),
        b.most(level, b.value(log2(MEMORY), level.type)),
    )


def power(b: Build, x: Value, exponent: Value) -> Value:
    """x to a power, to about 1e-3: enough for a step size, quick, and the same in every lane and on every machine."""
    return power2(b, exponent * logarithm(b, x))


def _bits(x: float) -> int:
    return int(unpack("<q", pack("<d", x))[0])


def logarithm(b: Build, x: Value) -> Value:
    """log₂ x to 1e-3: the bits of x = 2ᵉ (1 + u), taken for a whole number, are e + u; what is missing is a cubic in u.
    For 0 it is −1023, for ∞ 1024."""
    bits, one = b.bits(x), _bits(1.0)
    u = b.bits((bits & (2**52 - 1)) | one, "double") - 1.0
    return b.real(bits - one) * 2.0**-52 + u * (1.0 - u) * (0.42157659 - 0.15684817 * u)


def power2(b: Build, x: Value) -> Value:
    """2ˣ to 1e-4: x rounded goes into the exponent's bits, the rest through a cubic; |x| is limited to 1000."""
    shift = 1.5 * 2.0**52
    inside = b.most(b.least(x, 1000.0), b.value(-1000.0, x.type))
    rounded = inside + shift
    f = inside - (rounded - shift)
    rest = 0.99992892 + f * (0.69327626 + f * (0.24260435 + f * 0.05508873))
    return b.bits(b.bits(rest) + (b.bits(rounded) << 52), "double")
