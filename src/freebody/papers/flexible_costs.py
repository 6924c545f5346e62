"""Section 8 of Jain & Rodriguez (1992): operations of the composite-body and the articulated-body forward dynamics of
serial chains with hinges of one rotation and free–free modes, for ruthlessly linearised bodies.

The costs per body are those that the paper lists. Its Table 1 is more than their sum: all 18 numbers (one misprint
corrected, 19959 for 19591) follow with an outward sweep for velocities and bias terms that the paper does not list,
less what the bodies at both ends save.
"""

from fractions import Fraction
from typing import NamedTuple

from freebody.papers.flexible_algorithms import CROSSOVER

TABLE_1 = {"bodies": (3, 6, 9), "modes": (5, 10, 15)}
"""The numbers of bodies and of modes in Table 1."""


class Cost(NamedTuple):
    """Multiplications and additions."""

    products: int
    additions: int

    @property
    def total(self) -> int:
        return self.products + self.additions

    def plus(self, other: "Cost", times: int = 1) -> "Cost":
        return Cost(self.products + times * other.products, self.additions + times * other.additions)


def polynomial(n: int, *coefficients: int | Fraction) -> int:
    """Σ coefficients[k] nᵏ, which must be an integer."""
    value = sum((Fraction(c) * n**k for k, c in enumerate(coefficients)), Fraction(0))
    assert value.denominator == 1
    return int(value)


# Articulated bodies (section 8.2)


def articulated_inertia(n: int) -> Cost:
    """Eq 7.10 for a body with n modes, by the cheaper way to D_f⁻¹."""
    return explicit_inertia(n) if n <= CROSSOVER else indirect_inertia(n)


def explicit_inertia(n: int) -> Cost:
    """Eq 7.10 with D_f inverted explicitly."""
    third = Fraction(1, 3)
    return Cost(
        polynomial(n, 180, 764 * third, Fraction(25, 2), Fraction(5, 6)),
        polynomial(n, 164, 548 * third, Fraction(21, 2), Fraction(5, 6)),
    )


def indirect_inertia(n: int) -> Cost:
    """Eq 7.10 with D_f⁻¹ computed from 6 × 6 matrices."""
    return Cost(polynomial(n, 572, 255, 12), polynomial(n, 445, 182, 13))


def inward_sweep(n: int) -> Cost:
    """Eq 7.11."""
    return Cost(polynomial(n, 49, 25, 1), polynomial(n, 50, 24, 1))


def outward_sweep(n: int) -> Cost:
    """Eq 7.12."""
    return Cost(polynomial(n, 52, 18), polynomial(n, 42, 19))


def bias_sweep(n: int) -> Cost:
    """Velocities and bias terms. The paper does not list them; they follow from Table 1."""
    return Cost(polynomial(n, 100, 24, 1), polynomial(n, 59, 20, 1))


def articulated_forward_dynamics(bodies: int, n: int) -> Cost:
    """Table 1. The articulated inertia of the tip is constant; the bodies at the ends save the rest."""
    total = Cost(0, 0)
    for one in (articulated_inertia, inward_sweep, outward_sweep, bias_sweep):
        total = total.plus(one(n), bodies)
    return total.plus(articulated_inertia(n), -1).plus(Cost(polynomial(n, 125, 30), polynomial(n, 86, 31)), -1)


# Composite bodies (section 8.1)


def composite_inertia(n: int) -> Cost:
    """R(k) of Eq 5.5, for an even number of modes; half an addition more for an odd one is rounded up."""
    return Cost(polynomial(n, 90, 48), polynomial(n, 116, 0, 1) + -(-97 * n // 2))


def mass_matrix_column(k: int, n: int) -> Cost:
    """The contribution of body k, counted from the tip, to 𝓜 without R (Eq 5.5)."""
    return Cost(k * polynomial(n, 13, 34, 12), k * polynomial(n, 13, 24, 11))


def inverse_dynamics(n: int) -> Cost:
    """𝓒 by Eq 4.2 for a body."""
    return Cost(polynomial(n, 206, 54, 2), polynomial(n, 143, 50, 2))


def linear_solution(size: int) -> Cost:
    """The solution of Eq 5.1 with a matrix of this size, and T − 𝓒."""
    sixth = Fraction(1, 6)
    products = polynomial(size, 0, -4 * sixth, Fraction(3, 2), sixth)
    return Cost(products, polynomial(size, 0, -7 * sixth, 1, sixth) + size)


def composite_forward_dynamics(bodies: int, n: int) -> Cost:
    """Section 8.1 for a chain with n modes in each body."""
    total = linear_solution(bodies * (n + 1))
    for k in range(1, bodies + 1):
        total = total.plus(composite_inertia(n)).plus(mass_matrix_column(k, n)).plus(inverse_dynamics(n))
    return total


def table_1() -> str:
    """Table 1 as text, with the costs of the composite-body algorithm (section 8.1) below each entry."""
    rows = [
        "articulated-body forward dynamics (Table 1); below, composite bodies (section 8.1)",
        "bodies" + "".join(f"{f'{n} modes':>22}" for n in TABLE_1["modes"]),
    ]
    for bodies in TABLE_1["bodies"]:
        for label, cost in ((f"{bodies:>6}", articulated_forward_dynamics), (" " * 6, composite_forward_dynamics)):
            costs = [cost(bodies, n) for n in TABLE_1["modes"]]
            rows.append(label + "".join(f"{f'{c.products}m + {c.additions}a':>22}" for c in costs))
    return "\n".join(rows)
