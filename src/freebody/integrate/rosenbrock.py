"""Rosenbrock methods as tables of numbers: implicit methods that solve linear systems only, without iteration.

With J = ∂f/∂x and G = h γ, the increments U of the stages are

    (1 − G J) U_i = G f(t + c_i h, x + Σ a_ij U_j) + γ Σ C_ij U_j + G h d_i ∂f/∂t,

the new state is x + Σ m_j U_j, and the error is the last increment. Between the two ends, with θ from 0 to 1,

    x(θ) = x + θ (Δ + (1 − θ) (r_2 + θ (r_3 + (1 − θ) r_4))),

as in ``tableaus``, where the rows r are combinations of the increments. E. Hairer, G. Wanner: Solving Ordinary
Differential Equations II, section IV.7.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from freebody.integrate.esdirk import ESDIRK54
from freebody.integrate.tableaus import TABLEAUS, Control, Row, Tableau


@dataclass(frozen=True)
class Rosenbrock:
    """One method. ``increments`` are the names of the rows of U; rows of numbers are sparse: stage → number."""

    name: str
    order: int
    gamma: float
    c: tuple[float, ...]
    d: tuple[float, ...]
    a: tuple[Row, ...]
    C: tuple[Row, ...]
    m: Row
    dense: tuple[Row, ...]
    """r_2, r_3, r_4"""
    control: Control

    @property
    def stages(self) -> int:
        return len(self.c)

    @property
    def terms(self) -> int:
        """Rows of the interpolation, x and Δ among them."""
        return 2 + len(self.dense)

    @property
    def increments(self) -> list[str]:
        """The names of the rows of U."""
        return [f"k{i + 1}" for i in range(self.stages)]

    @property
    def error_needs_end(self) -> bool:
        return False

    @property
    def extra(self) -> tuple[Row, ...]:
        """Further stages for the interpolation: none."""
        return ()


def _row(numbers: Sequence[float]) -> Row:
    return {k: x for k, x in enumerate(numbers) if x}


_A = (
    (),
    (3.0,),
    (2.849394379747939, 0.45842242204463923),
    (-6.954028509809101, 2.489845061869568, -10.358996098473584),
    (2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641),
    (-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946),
)
_A7 = (*_A[5], 1.0)
_A8 = (*_A7, 1.0)

_C = (
    (),
    (-14.155112264123755,),
    (-17.97296035885952, -2.859693295451294),
    (147.12150275711716, -1.41221402718213, 71.68940251302358),
    (165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306),
    (24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471),
    (30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
     -28.087943162872662),
    (37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
     -54.66780262877968, -9.48861652309627),
)  # fmt: skip

_H2 = (
    25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073,
    1.1241088310450404, 0.4272876194431874, -0.17202221070155493,
)  # fmt: skip
_H3 = (
    -9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044,
    15.98066361424651, -6.789040303419874, -6.710236069923372,
)  # fmt: skip
_H4 = (
    11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654,
    -59.78993625266729, -0.15582684282751913, 4.883087185713722,
)  # fmt: skip

RODAS5P = Rosenbrock(
    "rodas5p", 5, 0.21193756319429014,
    (0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0, 1.0),
    (0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0.0, 0.0,
     0.0),
    tuple(map(_row, (*_A, _A7, _A8))),
    tuple(map(_row, _C)),
    _row((*_A8, 1.0)),
    (_row(_H2), _row([x + y for x, y in zip(_H3, _H4, strict=True)]), _row([-x for x in _H4])),
    Control(1 / 5, 0.0, 1 / 6, 5.0, predicts=True),
)  # fmt: skip
"""Order 5 with an error estimate of order 4, A- and L-stable, stiffly accurate: G. Steinebach, BIT 63:27 (2023), with
the interpolation y(θ) = y (1 − θ) + θ (y₁ + (1 − θ) (h₂ + θ (h₃ + θ h₄))) of that paper. It needs the exact Jacobian:
with an approximate one its order is 2."""

COMPILED: dict[str, Tableau | Rosenbrock] = {**TABLEAUS, RODAS5P.name: RODAS5P, ESDIRK54.name: ESDIRK54}
"""All methods in machine code by name, in the order in which users read them."""

SOLVING = (RODAS5P.name, ESDIRK54.name)
"""Those that solve linear systems (``hybrid.system.StageSystem``)."""
