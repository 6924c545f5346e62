"""Simulation of one run: from the arguments of ``Equations.simulate`` to a trajectory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, SimulationError
from freebody.formulations.derivation import Derivation
from freebody.integrate.compiled_system import CompiledSystem
from freebody.results import RunResult
from freebody.results.about import AssemblyInfo, JoinInfo
from freebody.run.arguments import shorten
from freebody.run.assembly import Assembler, base_state
from freebody.run.assembly_report import assembly_info, warn_of_springs, warn_of_start
from freebody.run.build import build
from freebody.run.callback_checks import check_callbacks
from freebody.run.cases import Cases
from freebody.run.checks import check_bodies, check_mass_matrices
from freebody.run.event import Event
from freebody.run.initial import InitialValues, default_state, given_states, initial_state, warn_of_degrees
from freebody.run.inputs import InputValues, all_inputs, named_inputs, parameter_values
from freebody.run.joining import joined_state
from freebody.run.loop import Result, run_system
from freebody.run.options import BAUMGARTE, RunOptions, saved_times
from freebody.run.rate_jumps import check_motions
from freebody.run.simulator import Simulator
from freebody.run.stabilise import stabilise, stabilised
from freebody.run.switching import engaged_at_start, engaged_names, final_held

Array = NDArray[np.float64]


class StartOfRun(NamedTuple):
    """A compiled system with the state and the options with which a run begins; ``info`` is what the assembly of the
    state has moved, ``joined`` the run of another system that it continues, ``refused`` why no motion begins there."""

    compiled: CompiledSystem
    x0: Array
    times: Array
    options: RunOptions
    info: AssemblyInfo
    joined: JoinInfo | None
    refused: str


def simulate(
    e: Derivation,
    result: type[Result],
    end: float | ArrayLike,
    initial: Mapping[str, InitialValues],
    defaults: Mapping[str, float],
    parameters: Mapping[str, float] | None,
    inputs: InputValues,
    events: Sequence[Event],
    start: RunResult | None,
    engaged: Mapping[str, bool] | None,
    options: RunOptions,
) -> Result:
    """The motion of equations (see ``Equations.simulate``); ``defaults`` are the values of parameters that are not
    passed, ``initial`` the values of q, u and z, ``engaged`` the flags of constraints."""
    begin = start_of_run(e, end, initial, defaults, parameters, inputs, events, start, engaged, options)
    run = run_system(begin.compiled, begin.x0, begin.times, begin.options, result, start, begin.refused)
    if begin.joined is not None:
        run.about = replace(run.about, joined=begin.joined)
    if begin.info.moved:
        run.about = replace(run.about, assembly=begin.info)
        warn_of_springs(e, run, begin.info)
    return run


def simulator(
    e: Derivation,
    result: Callable[..., Result],
    initial: Mapping[str, InitialValues],
    defaults: Mapping[str, float],
    parameters: Mapping[str, float] | None,
    inputs: InputValues,
    events: Sequence[Event],
    engaged: Mapping[str, bool] | None,
    options: RunOptions,
) -> Simulator[Result]:
    """A simulation that is advanced step by step (see ``Equations.simulator``)."""
    if options.constraints == BAUMGARTE and options.baumgarte is None:
        raise ArgumentError(
            "a simulator cannot choose α and β of constraints='baumgarte', since its end is not known;"
            " give baumgarte=(α, β), or leave constraints out"
        )
    if options.progress is not None:
        raise ArgumentError("a simulator shows no progress bar: leave progress out")
    driven = {**dict.fromkeys(e.layout.user_inputs, 0.0), **named_inputs(e, inputs)}
    begin = start_of_run(e, [0.0], initial, defaults, parameters, driven, events, None, engaged, options)
    if begin.refused:
        raise SimulationError(f"{begin.compiled.about.system}: {begin.refused}")
    laws = [name for name, value in all_inputs(e, driven).items() if not isinstance(value, Real)]

    def assemble(compiled: CompiledSystem, t: float, x: Array, base: Array, held: set[int]) -> Array:
        keep = engaged_names(e, dict(zip(compiled.system.row.columns, compiled.d.tolist(), strict=True)))
        now = compiled.mechanics.inputs_at(t)
        return Assembler(e).state(x, held, compiled.p, t, now, keep=keep, bend=True, base=base)[0]

    names = [name for name in e.layout.user_inputs if name in driven]
    moving = [n for n in e.tree.model.driving if n not in laws]
    return Simulator(begin.compiled, begin.x0, begin.options, names, laws, assemble, result, moving)


def start_of_run(
    e: Derivation,
    end: float | ArrayLike,
    initial: Mapping[str, InitialValues],
    defaults: Mapping[str, float],
    parameters: Mapping[str, float] | None,
    inputs: InputValues,
    events: Sequence[Event],
    start: RunResult | None,
    engaged: Mapping[str, bool] | None,
    options: RunOptions,
) -> StartOfRun:
    """The compiled system and the state with which a run begins, checked and assembled."""
    require_standard_speeds(e)
    if start is not None and not isinstance(start, RunResult):
        raise ArgumentError(f"start is a run to continue, a result of simulate, not {shorten(start)}")
    continued = start is not None and start.about.digest == e.tree.model.digest
    values = parameter_values(
        e, {**defaults, **start.about.parameters} if start is not None and continued else defaults, parameters
    )
    flags = engaged_at_start(e, engaged)
    held = {**e.layout.held, **({} if start is None else final_held(e, start)), **flags}
    e, inputs = stabilised(e, inputs, options)
    compiled = build(e, values, inputs, events, options.exact, held, options.projects, options.dae)
    about, row = compiled.about, np.array(list(values.values()))
    check_bodies(compiled, row, defaults)
    joined: JoinInfo | None = None
    if start is None:
        default, t0 = default_state(e), 0.0
    elif not len(start.t):
        raise ArgumentError(f"{about.system}: the run to start from cannot be continued: it is empty")
    elif continued:
        default, t0 = start.x[-1].copy(), float(start.t[-1])
    else:
        t0 = float(start.t[-1])
        default, joined = joined_state(about, default_state(e), start, given_states(about, **initial))
    x0 = initial_state(about, default, **initial)
    times = saved_times(end, t0, options, start is not None)
    keep = [] if start is None else [name for name in engaged_names(e, held) if name not in (engaged or {})]
    given = given_states(about, **initial)
    warn_of_degrees(e, about, initial.get("q"))
    goes_on = start is not None  # bent as it is, so that no coordinate is better held than others
    base, t_start, rough = base_state(about, default, **initial), float(times[0]), x0
    now = compiled.mechanics.inputs_at(t_start)
    assembled = Assembler(e).state(rough, given, row, t_start, now, keep=keep, bend=goes_on, base=base)
    x0, with_poses = assembled.x, assembled.inputs
    info = AssemblyInfo()
    if x0 is not rough:
        info = assembly_info(e, about, base, rough, x0, row, t_start, with_poses, assembled.singular)
    if info.moved:
        warn_of_start(e, about, x0, with_poses, t_start, info, assembled.certain)
    if e.layout.held:
        compiled = compiled.with_values(row, compiled.with_held_of(with_poses, compiled.d))
    check_callbacks(compiled, float(times[0]), x0, float(times[-1]))
    check_motions(compiled, times, x0)
    how = options.for_run(times, about)
    if how.constraints == BAUMGARTE:
        compiled = stabilise(compiled, x0, times, how)
    refused = check_mass_matrices(e, compiled, Cases(x0[None, :], row, compiled.d), times, how)[0]
    return StartOfRun(compiled, x0, times, how, info, joined, refused)


def require_standard_speeds(e: Derivation) -> None:
    if not e.has_standard_speeds:
        raise ArgumentError("a run uses the standard speeds: derive again without speeds=…, then simulate")
