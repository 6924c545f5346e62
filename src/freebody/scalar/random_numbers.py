"""Random numbers from a seed, a counter and a stream, in plain arithmetic: every backend computes the same ones, and
nothing is held between them.

Seed and counter are mixed by a Feistel network on two words of 24 bits. A round adds to one word the middle bits of the
square of a multiple of the other: squares, because rounds that are linear leave neighbouring seeds correlated
(Widynski 2017 takes the middle of squares for the same reason). All products are below 2⁵³, so that floats are exact.
"""

from hashlib import blake2b
from math import pi

from freebody.scalar.expr import Expr, cos, floor, log, sqrt

WORD = 2**24
"""The words are whole numbers from 0 to below this one."""

ROUNDS = 8
MULTIPLIERS = (14029467, 11400715, 9699323, 12582917, 15187469, 10368889, 13176781, 16245943)
"""Odd numbers, one for each round."""


def normal(seed: Expr, counter: Expr, stream: str) -> Expr:
    """A normal random number with mean 0 and variance 1, by Box and Muller's formula. Seeds and counters are whole
    numbers from 0 to below 2⁴⁸; each ``stream`` has numbers of its own."""
    left, right = _words(seed, counter, stream)
    radius = sqrt(-2 * log((left + 0.5) / WORD))
    return radius * cos((right + 0.5) * (2 * pi / WORD))


def uniform(seed: Expr, counter: Expr, stream: str) -> Expr:
    """A random number between 0 and 1, neither included."""
    left, right = _words(seed, counter, stream)
    return (left + (right + 0.5) / WORD) / WORD


def _words(seed: Expr, counter: Expr, stream: str) -> tuple[Expr, Expr]:
    """Two random words."""
    (left, high), (right, more) = _split(seed), _split(counter)
    for multiplier, key in zip(MULTIPLIERS, _keys(stream), strict=True):
        mixed = _low(right * multiplier + (key + high))
        left, right = right, _low(left + floor(mixed * mixed / 2**12))
        high, more = more, high
    return left, right


def _split(whole: Expr) -> tuple[Expr, Expr]:
    """A whole number below 2⁴⁸ as its low and its high word."""
    high = floor(whole / WORD)
    return whole - WORD * high, high


def _low(whole: Expr) -> Expr:
    return _split(whole)[0]


def _keys(stream: str) -> list[int]:
    """A word for each round."""
    digest = blake2b(stream.encode(), digest_size=3 * ROUNDS).digest()
    return [int.from_bytes(digest[k : k + 3], "little") for k in range(0, 3 * ROUNDS, 3)]
