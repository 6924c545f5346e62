"""Runge–Kutta methods as tables of numbers.

Every method here steps to y = x + h Σ b_i k_i from stages k_i = f(t + c_i h, x + h Σ a_ij k_j); k_end = f(t + h, y) is
the first stage of the next step, and its index in the tables is the one behind the last stage. Between the two ends,
with θ from 0 to 1,

    x(θ) = x + θ (r_1 + (1 − θ) (r_2 + θ (r_3 + (1 − θ) (r_4 + …)))),

where Δ = y − x, r_1 = Δ, r_2 = h k_0 − Δ, r_3 = 2 Δ − h (k_0 + k_end): cubic Hermite interpolation; each further row is
h times a combination of all stages, of ``extra`` ones too. E. Hairer, S. P. Nørsett, G. Wanner: Solving Ordinary
Differential Equations I, 2nd edition, sections II.4 to II.6, and the codes DOPRI5 and DOP853 that go with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

Row = Mapping[int, float]
SLIGHT = 1e-3
"""A growth of oscillations from step to step that does not matter for stability."""


@dataclass(frozen=True)
class Control:
    """How the next step follows from the error of this one: h (err^-exponent) (previous err)^beta, times ``safety``,
    within the factors ``least`` and ``most`` (Hairer II.4, Gustafsson's PI controller where beta is not 0; his
    predictive controller for implicit methods where it ``predicts``)."""

    exponent: float
    beta: float
    least: float
    most: float
    safety: float = 0.9
    predicts: bool = False


@dataclass(frozen=True)
class Tableau:
    """One method. Rows are sparse: stage → number."""

    name: str
    order: int
    c: tuple[float, ...]
    a: tuple[Row, ...]
    b: Row
    errors: tuple[Row, ...] = ()
    extra_c: tuple[float, ...] = ()
    extra: tuple[Row, ...] = ()
    dense: tuple[Row, ...] = ()
    control: Control | None = None

    @property
    def stages(self) -> int:
        """Without the one at the end of the step, whose index this is."""
        return len(self.c)

    @property
    def terms(self) -> int:
        """Rows of the interpolation, x among them."""
        return 4 + len(self.dense)

    @property
    def rows(self) -> list[str]:
        """The names of the stages' rows, in the order of the tables' indices."""
        return [*(f"k{i}" for i in range(self.stages)), "end", *(f"extra{i}" for i in range(len(self.extra)))]

    @property
    def error_needs_end(self) -> bool:
        """Whether f at the end of the step is part of the error."""
        return any(self.stages in row for row in self.errors)

    def stability_limit(self, rate: complex) -> float:
        """The longest step for ẋ = ``rate`` x, a rate that does not grow: |R(h rate)| ≤ 1 up to there, apart from a
        growth of less than ``SLIGHT`` a step; R(z) = 1 + z bᵀ(1 − z A)⁻¹ 1."""
        A, b, powers, terms = np.zeros((self.stages, self.stages)), np.zeros(self.stages), np.ones(self.stages), [1.0]
        for matrix, rows in ((A, self.a), (b[None, :], (self.b,))):
            for i, row in enumerate(rows):
                matrix[i, list(row)] = list(row.values())
        for _ in range(self.stages):
            terms.append(float(b @ powers))
            powers = A @ powers
        radii = np.linspace(0.0, 2.0 * self.stages, 4000)  # a polynomial R leaves |R| ≤ 1 before that
        growth = np.abs(np.polynomial.polynomial.polyval(radii * (rate / abs(rate)), terms))
        return float(radii[np.argmax(growth > 1 + SLIGHT)] / abs(rate))


def _row(text: str) -> Row:
    """Fractions in the order of the stages."""
    return {k: float(Fraction(word)) for k, word in enumerate(text.split()) if word != "0"}


RK4 = Tableau("rk4", 4, (0.0, 0.5, 0.5, 1.0), ({}, _row("1/2"), _row("0 1/2"), _row("0 0 1")), _row("1/6 1/3 1/3 1/6"))

DOPRI5 = Tableau(
    "dopri5", 5, (0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0),
    (
        {},
        _row("1/5"),
        _row("3/40 9/40"),
        _row("44/45 -56/15 32/9"),
        _row("19372/6561 -25360/2187 64448/6561 -212/729"),
        _row("9017/3168 -355/33 46732/5247 49/176 -5103/18656"),
    ),
    _row("35/384 0 500/1113 125/192 -2187/6784 11/84"),
    errors=(_row("71/57600 0 -71/16695 71/1920 -17253/339200 22/525 -1/40"),),
    dense=(
        _row(
            "-12715105075/11282082432 0 87487479700/32700410799 -10690763975/1880347072 701980252875/199316789632"
            " -1453857185/822651844 69997945/29380423"
        ),
    ),
    control=Control(0.2 - 0.03, 0.04, 0.2, 10.0),
)  # fmt: skip

_C853 = (
    0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25,
    0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0,
)  # fmt: skip

_A853: tuple[Row, ...] = (
    {},
    {0: 0.05260015195876773},
    {0: 0.0197250569845379, 1: 0.0591751709536137},
    {0: 0.02958758547680685, 2: 0.08876275643042054},
    {0: 0.2413651341592667, 2: -0.8845494793282861, 3: 0.924834003261792},
    {0: 0.037037037037037035, 3: 0.17082860872947386, 4: 0.12546768756682242},
    {0: 0.037109375, 3: 0.17025221101954405, 4: 0.06021653898045596, 5: -0.017578125},
    {0: 0.03709200011850479, 3: 0.17038392571223998, 4: 0.10726203044637328, 5: -0.015319437748624402,
     6: 0.008273789163814023},
    {0: 0.6241109587160757, 3: -3.3608926294469414, 4: -0.868219346841726, 5: 27.59209969944671, 6: 20.154067550477894,
     7: -43.48988418106996},
    {0: 0.47766253643826434, 3: -2.4881146199716677, 4: -0.590290826836843, 5: 21.230051448181193,
     6: 15.279233632882423, 7: -33.28821096898486, 8: -0.020331201708508627},
    {0: -0.9371424300859873, 3: 5.186372428844064, 4: 1.0914373489967295, 5: -8.149787010746927, 6: -18.52006565999696,
     7: 22.739487099350505, 8: 2.4936055526796523, 9: -3.0467644718982196},
    {0: 2.273310147516538, 3: -10.53449546673725, 4: -2.0008720582248625, 5: -17.9589318631188, 6: 27.94888452941996,
     7: -2.8589982771350235, 8: -8.87285693353063, 9: 12.360567175794303, 10: 0.6433927460157636},
)  # fmt: skip

_B853: Row = {
    0: 0.054293734116568765, 5: 4.450312892752409, 6: 1.8915178993145003, 7: -5.801203960010585, 8: 0.3111643669578199,
    9: -0.1521609496625161, 10: 0.20136540080403034, 11: 0.04471061572777259,
}  # fmt: skip

_THIRD = {0: 0.2440944881889764, 8: 0.7338466882816119, 11: 0.022058823529411766}
"""The weights of the embedded method of order 3."""

_E853 = {
    0: 0.01312004499419488, 5: -1.2251564463762044, 6: -0.4957589496572502, 7: 1.6643771824549864,
    8: -0.35032884874997366, 9: 0.3341791187130175, 10: 0.08192320648511571, 11: -0.022355307863886294,
}  # fmt: skip

_EXTRA853 = (
    {0: 0.056167502283047954, 6: 0.25350021021662483, 7: -0.2462390374708025, 8: -0.12419142326381637,
     9: 0.15329179827876568, 10: 0.00820105229563469, 11: 0.007567897660545699, 12: -0.008298},
    {0: 0.03183464816350214, 5: 0.028300909672366776, 6: 0.053541988307438566, 7: -0.05492374857139099,
     10: -0.00010834732869724932, 11: 0.0003825710908356584, 12: -0.00034046500868740456, 13: 0.1413124436746325},
    {0: -0.42889630158379194, 5: -4.697621415361164, 6: 7.683421196062599, 7: 4.06898981839711, 8: 0.3567271874552811,
     12: -0.0013990241651590145, 13: 2.9475147891527724, 14: -9.15095847217987},
)  # fmt: skip

_D853 = (
    {0: -8.428938276109013, 5: 0.5667149535193777, 6: -3.0689499459498917, 7: 2.38466765651207, 8: 2.117034582445028,
     9: -0.871391583777973, 10: 2.2404374302607883, 11: 0.6315787787694688, 12: -0.08899033645133331,
     13: 18.148505520854727, 14: -9.194632392478356, 15: -4.436036387594894},
    {0: 10.427508642579134, 5: 242.28349177525817, 6: 165.20045171727028, 7: -374.5467547226902, 8: -22.113666853125306,
     9: 7.733432668472264, 10: -30.674084731089398, 11: -9.332130526430229, 12: 15.697238121770845,
     13: -31.139403219565178, 14: -9.35292435884448, 15: 35.81684148639408},
    {0: 19.985053242002433, 5: -387.0373087493518, 6: -189.17813819516758, 7: 527.8081592054236, 8: -11.57390253995963,
     9: 6.8812326946963, 10: -1.0006050966910838, 11: 0.7777137798053443, 12: -2.778205752353508,
     13: -60.19669523126412, 14: 84.32040550667716, 15: 11.99229113618279},
    {0: -25.69393346270375, 5: -154.18974869023643, 6: -231.5293791760455, 7: 357.6391179106141, 8: 93.40532418362432,
     9: -37.45832313645163, 10: 104.0996495089623, 11: 29.8402934266605, 12: -43.53345659001114, 13: 96.32455395918828,
     14: -39.17726167561544, 15: -149.72683625798564},
)  # fmt: skip

DOP853 = Tableau(
    "dop853", 8, _C853, _A853, _B853,
    errors=(_E853, {k: w - _THIRD.get(k, 0.0) for k, w in _B853.items()}),
    extra_c=(0.1, 0.2, 7 / 9),
    extra=_EXTRA853,
    dense=_D853,
    control=Control(1 / 8, 0.0, 0.333, 6.0),
)  # fmt: skip
"""The error is Hairer's |e_5|² / √(|e_5|² + 0.01 |e_3|²) of the two rows (II.10)."""

TABLEAUS = {t.name: t for t in (DOP853, DOPRI5, RK4)}
"""All explicit methods by name, in the order in which users read them."""
