"""What an attempt of the stiff method costs, compared with one of the explicit method, by counting operations."""

from weakref import WeakKeyDictionary

from freebody.hybrid.system import HybridSystem
from freebody.integrate.emit_stiffness import ENOUGH
from freebody.integrate.rosenbrock import RODAS5P
from freebody.integrate.tableaus import DOP853
from freebody.program.count import count
from freebody.program.program import Program

CALL = 10.0
"""Operations that a function such as sin takes."""

PER_STATE = 8.0
"""Operations of an evaluation and of a sum of stages, for each state."""

LARGE, FOR_EACH_STATE = 1e6, 500.0
"""The product of the states and the nodes of ẋ from which on a change takes about 10 s to derive and compile, and the
explicit steps, for each state, that take as long. Of smaller systems it is not counted, since most run many times."""

_known: "WeakKeyDictionary[HybridSystem, float]" = WeakKeyDictionary()


def relative_cost(system: HybridSystem) -> float:
    """The operations of an attempt of rodas5p over those of one of dop853."""
    if system not in _known:
        n, stages = len(system.states), system.stages_of(RODAS5P.name).value
        full = 0 if stages.backward is None else stages.factor.outputs[1].shape[0]
        rate, sums = operations(system.rates.value), PER_STATE * n
        solve = operations(stages.solve) + (0 if stages.backward is None else operations(stages.backward)) + 2 * full**2
        once = operations(stages.entries) + operations(stages.factor) + full**3 * 2 / 3
        once += 0 if stages.solution is None else operations(stages.solution)
        implicit = RODAS5P.stages * (rate + solve + 2 * sums) + once
        _known[system] = implicit / (DOP853.stages * (rate + sums))
    return _known[system]


def enough_steps(system: HybridSystem) -> float:
    """The steps limited by stability from which on a change to the stiff method pays."""
    n = len(system.states)
    return FOR_EACH_STATE * n if n * sum(map(len, system.rates.value.blocks)) > LARGE else ENOUGH


def operations(program: Program) -> float:
    counts = count(program)
    return counts.total + CALL * sum(counts.calls.values())
