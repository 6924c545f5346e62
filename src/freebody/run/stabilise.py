"""Baumgarte's stabilisation of constraints: α and β of a run.

Errors of constraints decay as (1 + t/τ) exp(−t/τ) with α = β = 1/τ. A slow decay leaves much drift. With a fast one the
terms of stabilisation dominate the errors of the stages inside a step, and so limit its size, or spoil the accuracy of
steps of one size. The best τ is about the time T in which the motion itself changes, whatever the method. A method of
order p that keeps its relative error (h/T)ᵖ at rtol tells it by the size h of its steps: 1/T = rtol^(1/p)/h, with
"dop853" and rtol = 1e-8 one tenth of 1/h (docs/decisions/023).
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError
from freebody.formulations.derivation import STABILISATION, Derivation
from freebody.integrate.compiled_system import CompiledSystem
from freebody.integrate.steppers import release, stepper
from freebody.names import INPUT
from freebody.run.cases import Cases
from freebody.run.inputs import InputValues, named_inputs
from freebody.run.options import BAUMGARTE, DEFAULT_TOLERANCES, PROJECTION, RunOptions

Array = NDArray[np.float64]
METHOD, ORDER, STEPS = "dop853", 8, 20
"""The method whose first steps tell the time in which the motion changes, and how many of them; the first half of these
may be short."""


def stabilised(e: Derivation, inputs: InputValues, options: RunOptions) -> tuple[Derivation, InputValues]:
    """The equations to integrate and their inputs; those with stabilised constraints have two more. Refuses a way to
    keep constraints where there are none."""
    if options.constraints != PROJECTION and not e.tree.model.constraints:
        raise ArgumentError(
            f"system '{e.tree.model.name}' has no constraints: leave constraints='{options.constraints}' out"
        )
    if options.constraints != BAUMGARTE:
        return e, inputs
    return e.stabilised, {**named_inputs(e, inputs), **dict.fromkeys(STABILISATION, 0.0)}


def stabilise(compiled: CompiledSystem, x0: Array, times: Array, options: RunOptions) -> CompiledSystem:
    """The system with the values of α and β for a run; α is negative where the run goes back in time."""
    rates = _signed(options.baumgarte or decay_rates(compiled, x0, times), times)
    described = {name: f"{rate:g}" for name, rate in zip(STABILISATION, rates, strict=True)}
    about = replace(compiled.about, inputs={**compiled.about.inputs, **described})
    stabilised = compiled.with_system(compiled.system, about)
    stabilised.d[_places(compiled)] = rates
    return stabilised


def stabilise_cases(compiled: CompiledSystem, cases: Cases, times: Array, options: RunOptions) -> Cases:
    """The cases with the values of α and β of each; those that cannot begin have none."""
    places, inputs = _places(compiled), cases.inputs.copy()
    if options.baumgarte is not None:
        inputs[..., places] = _signed(options.baumgarte, times)
        return replace(cases, inputs=inputs)
    inputs = np.tile(inputs, (len(cases), 1)) if inputs.ndim == 1 else inputs
    for k in range(len(cases)):
        if cases.refused is None or not cases.refused[k]:
            inputs[k, places] = _signed(decay_rates(cases.of_case(compiled, k), cases.x0[k], times), times)
    return replace(cases, inputs=inputs)


def _places(compiled: CompiledSystem) -> slice:
    """Where α and β are in the inputs: before the held values."""
    first = compiled.system.row.index[INPUT(STABILISATION[0])]
    return slice(first, first + len(STABILISATION))


def _signed(rates: tuple[float, float], times: Array) -> tuple[float, float]:
    """Errors decay in the direction of the run."""
    alpha, beta = rates
    return (alpha if times[-1] >= times[0] else -alpha), beta


def decay_rates(compiled: CompiledSystem, x0: Array, times: Array) -> tuple[float, float]:
    """α and β: rtol^(1/p)/h, with the median size h of some projected steps from the start of a run."""
    start, end = float(times[0]), float(times[-1])
    pilot = compiled.with_system(replace(compiled.system, conditions=None, rules=(), projects=True))
    options = RunOptions(METHOD, DEFAULT_TOLERANCES["rtol"], DEFAULT_TOLERANCES["atol"]).for_run(times, compiled.about)
    steps = stepper(pilot, options, start, x0, STEPS + 1)
    steps.advance(end, 2 * STEPS)
    sizes = np.abs(np.diff(steps.knots[:, 0]))
    release(pilot, options, steps, STEPS + 1)
    if not len(sizes):  # the run has no time to pass, or fails where it begins and says why
        return 0.0, 0.0
    rate = DEFAULT_TOLERANCES["rtol"] ** (1 / ORDER) / float(np.median(sizes[len(sizes) // 2 :]))
    return rate, rate
