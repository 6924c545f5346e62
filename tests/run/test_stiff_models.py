"""Stiff models (``benchmarks/stiff_models.py``) by ``method="rodas5p"``, compared with an explicit method at tight
tolerance, and chemical reactions with their published solution."""

import sys
from pathlib import Path

import numpy as np
import pytest

import freebody as fb

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import stiff_models

CLOSE = {
    "hydraulic boom": 1e-6, "Andrews with spring": 1e-6, "engine on mounts": 1e-5, "Hunt-Crossley, 1e6": 1e-4,
    "Hunt-Crossley, 1e9": 3e-4, "quarter car": 1e-6, "train of 100": 1e-6, "car to standstill": 1e-5,
    "chain of 10": 1e-6,
}  # fmt: skip
"""The largest errors, relative to the largest value of a state; contacts begin between the stages of a step."""


def compare(model: stiff_models.Model, most: float) -> fb.Trajectory:
    e, times = model.derive(), np.linspace(0, model.end, 21)
    run = e.simulate(times, method="rodas5p", rtol=1e-7, atol=1e-7 * model.atol, **model.options)
    exact = e.simulate(times, rtol=1e-11, atol=1e-11 * model.atol, **model.options)
    largest = np.abs(exact.x).max(0)
    assert (np.abs(run.x - exact.x) <= most * (largest + 1e-3 * np.median(largest))).all()
    return run


@pytest.mark.parametrize("name", CLOSE)
def test_models_equal_an_explicit_method(name: str) -> None:
    compare(stiff_models.MODELS[name](), CLOSE[name])


@pytest.mark.long
def test_a_long_chain_equals_another_implicit_method() -> None:
    """Fifty links, with the full matrix."""
    model = stiff_models.chain(50)
    e, times = model.derive(), [0.0, 0.05, 0.1]
    run, other = (
        e.simulate(times, method=method, rtol=1e-8, atol=1e-10, max_steps=100_000) for method in ("rodas5p", "cvode")
    )
    assert run.statistics.steps < 0.5 * other.statistics.steps
    assert np.abs(run.x - other.x).max() < 1e-5 * np.abs(other.x).max()


@pytest.mark.parametrize("stiffness", np.geomspace(1e6, 1e9, 4))
def test_contacts_of_any_stiffness_take_few_steps(stiffness: float) -> None:
    """The number of steps hardly depends on the stiffness, and the ball returns to the height that the law leaves."""
    run = compare(stiff_models.bounce(stiffness), 1e-3)
    assert run.statistics.steps < 500


def test_a_car_brakes_to_standstill() -> None:
    model = stiff_models.car()
    run = model.derive().simulate(model.end, method="rodas5p", **model.options)
    assert run.success and run.statistics.steps < 1000
    assert abs(run["u.chassis.vx"][-1]) < 1e-3 and abs(run["u.wheel fl"][-1]) < 1e-2


FACTORS = (
    0.35, 26.6, 1.23e4, 8.6e-4, 8.2e-4, 1.5e4, 1.3e-4, 2.4e4, 1.65e4, 9e3, 0.022, 1.2e4, 1.88, 1.63e4, 4.8e6, 3.5e-4,
    0.0175, 1e8, 4.44e11, 1.24e3, 2.1, 5.78, 0.0474, 1.78e3, 3.12,
)  # fmt: skip
REACTANTS = (
    (1,), (2, 4), (5, 2), (7,), (7,), (7, 6), (9,), (9, 6), (11, 2), (11, 1), (13,), (10, 2), (14,), (1, 6), (3,), (4,),
    (4,), (16,), (16,), (17, 6), (19,), (19,), (1, 4), (19, 1), (20,),
)  # fmt: skip
SPECIES = (
    (-1, -10, -14, -23, -24, 2, 3, 9, 11, 12, 22, 25), (-2, -3, -9, -12, 1, 21), (-15, 1, 17, 19, 22),
    (-2, -16, -17, -23, 15), (-3, 4, 4, 6, 7, 13, 20), (-6, -8, -14, -20, 3, 18, 18), (-4, -5, -6, 13), (4, 5, 6, 7),
    (-7, -8), (-12, 7, 9), (-9, -10, 8, 11), (9,), (-11, 10), (-13, 12), (14,), (-18, -19, 16), (-20,), (20,),
    (-21, -22, -24, 23, 25), (-25, 24),
)  # fmt: skip
"""The reactions that consume (negative) and produce each species."""
AT_START = {2: 0.2, 4: 0.04, 7: 0.1, 8: 0.3, 9: 0.01, 17: 0.007}
AT_END = (
    0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2, 0.2018977262302196e-6,
    0.1464541863493966e-6, 0.7784249118997964e-1, 0.3245075353396018, 0.7494013383880406e-2, 0.1622293157301561e-7,
    0.1135863833257075e-7, 0.2230505975721359e-2, 0.2087162882798630e-3, 0.1396921016840158e-4, 0.8964884856898295e-2,
    0.4352846369330103e-17, 0.6899219696263405e-2, 0.1007803037365946e-3, 0.1772146513969984e-5, 0.5682943292316392e-4,
)  # fmt: skip
"""After 60 minutes: IVP test set (Mazzia & Magherini); SciPy's Radau at a tolerance of 1e-11 agrees to 2e-13."""


def test_pollution() -> None:
    """25 reactions of 20 species in the air, as extra states (J. G. Verwer 1994)."""
    s = fb.System("pollution")
    s.body("idle", joint=fb.Prismatic("x"), mass=1)
    for k in range(1, 21):
        s.state(f"y{k}", initial=AT_START.get(k, 0.0))
    speed = [
        f"{factor!r}*{'*'.join(f'y{k}' for k in reactants)}"
        for factor, reactants in zip(FACTORS, REACTANTS, strict=True)
    ]
    for k, reactions in enumerate(SPECIES, 1):
        s.rate(f"y{k}", "".join(f"{'-' if n < 0 else '+'} {speed[abs(n) - 1]} " for n in reactions).lstrip("+ "))
    run = s.simulate([0.0, 60.0], method="rodas5p", rtol=1e-9, atol=1e-22)
    assert np.abs(run.x[-1][-20:] / AT_END - 1).max() < 1e-7
    assert run.statistics.steps < 1500
