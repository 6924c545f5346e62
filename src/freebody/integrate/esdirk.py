"""Singly diagonally implicit Runge–Kutta methods with an explicit first stage (ESDIRK) as tables of numbers.

The stages Y_i = x + h Σ a_ij k_j with k_i = f(t + c_i h, Y_i) have the same a_ii = γ, but a_11 = 0: each is solved by
Newton's iteration with one matrix 1 − hγ J, where J may be an approximation of ∂f/∂x, since the order does not depend
on it. C. A. Kennedy, M. H. Carpenter: Diagonally Implicit Runge–Kutta Methods for Ordinary Differential Equations. A
Review, NASA/TM-2016-219173.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.integrate.tableaus import Control, Row, Tableau

CLOSE = 0.03
"""Newton's iterations end at this part of the tolerances of a step."""


@dataclass(frozen=True)
class Esdirk(Tableau):
    """One method: ``a`` has the diagonal, and its last row is ``b``. ``predictors`` are the first guesses of the k_i
    from those before."""

    predictors: tuple[Row, ...] = ()

    @property
    def gamma(self) -> float:
        return self.a[-1][self.stages - 1]


def _row(*numbers: float) -> Row:
    return dict(enumerate(numbers))


def _extrapolation(c: Sequence[float], stage: int, points: Sequence[int]) -> Row:
    """The value at c of a stage of the polynomial through others."""
    weights = dict.fromkeys(points, 1.0)
    for j in points:
        for k in points:
            if k != j:
                weights[j] *= (c[stage] - c[k]) / (c[j] - c[k])
    return weights


_A = (
    _row(),
    _row(0.184, 0.184),
    _row(-0.038107647738324729, -0.038107647738324743, 0.184),
    _row(0.021677664958778542, 0.0216776649587785, 0.29264467008244299, 0.184),
    _row(-0.85104626617351575, -0.85104626617351564, 1.7533038157326979, 0.41794699347257747, 0.184),
    _row(-5.0356161217492197, -5.0356161217492197, 8.9713052937951279, 0.31505839963851934, 1.6408685500647917, 0.184),
    _row(-0.075998114543861517, -0.075998114543861378, 0.42427748359919076, 0.27546898147535387, 0.32051077889797169,
         -0.052261014884793552, 0.184),
)  # fmt: skip

_EMBEDDED = (
    -0.108049345454303, -0.10804934545430295, 0.48372757888653789, 0.23595105756244605, 0.37538336433425512,
    -0.032306662513724778, 0.15334335263909166,
)  # fmt: skip

_DENSE = _row(
    -3.0923208963450897, -0.4758566424700952, 4.071232874854555, 1.8490400228650954, -3.2018580453553653,
    0.40887993188278104, 0.4408827545681203,
)  # fmt: skip

_C = tuple(sum(row.values()) for row in _A)
_POINTS = ((), (0,), (0, 1), (0, 2, 1), (2, 1, 3), (1, 3, 4), (1, 3, 4, 5))

ESDIRK54 = Esdirk(
    "esdirk54",
    5,
    _C,
    _A,
    _A[-1],
    errors=({k: w - e for (k, w), e in zip(_A[-1].items(), _EMBEDDED, strict=True)},),
    dense=(_DENSE,),
    control=Control(1 / 5, 0.0, 0.2, 5.0, predicts=True),
    predictors=tuple(_extrapolation(_C, i, points) for i, points in enumerate(_POINTS)),
)
"""ESDIRK5(4)7L[2]SA of order 5 with an error estimate of order 4, of stage order 2, A- and L-stable, stiffly accurate
(table 25 there). Between the ends it has order 4: the five conditions that remain for stages of order 2 leave two of
seven numbers; these make the derivative at the start, which is large where a stiff state is slightly off, count
little, and errors of order 5 small."""
