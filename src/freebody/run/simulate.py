"""Simulation of one run: from the arguments of ``Equations.simulate`` to a trajectory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.errors import ArgumentError, SimulationError
from freebody.formulations.derivation import Derivation
from freebody.integrate.compiled_system import CompiledSystem
from freebody.names import INPUT, companions
from freebody.numeric import as_integer
from freebody.results import RunResult
from freebody.results.about import AssemblyInfo, JoinInfo
from freebody.run.arguments import by_name, is_positive_integer, numbers, shorten
from freebody.run.assembly import Assembler, assemble_cases, base_state
from freebody.run.assembly_report import assembly_info, warn_of_springs, warn_of_start
from freebody.run.build import build
from freebody.run.callback_checks import check_callbacks
from freebody.run.cases import Cases
from freebody.run.checks import check_bodies, check_mass_matrices
from freebody.run.event import Event
from freebody.run.initial import InitialValues, default_state, given_states, initial_state, warn_of_degrees
from freebody.run.inputs import NOTHING, InputValues, all_inputs, named_inputs, parameter_values, unwritten_names
from freebody.run.joining import joined_state
from freebody.run.loop import Result, run_system
from freebody.run.options import BAUMGARTE, RunOptions, saved_times
from freebody.run.python_controllers import named_controllers
from freebody.run.rate_jumps import check_motions
from freebody.run.sampled_rules import seeded
from freebody.run.simulator import Simulator
from freebody.run.simulator_model import EquationsModel
from freebody.run.simulators import Simulators, per_world, rows_of_states, values_of_first
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
    controllers: Any = None,
) -> Result:
    """The motion of equations (see ``Equations.simulate``); ``defaults`` are the values of parameters that are not
    passed, ``initial`` the values of q, u and z, ``engaged`` the flags of constraints."""
    begin = start_of_run(e, end, initial, defaults, parameters, inputs, events, start, engaged, options, controllers)
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
    controllers: Any = None,
) -> Simulator[Result]:
    """A simulation that is advanced step by step (see ``Equations.simulator``)."""
    _require_steps(options)
    named = named_inputs(e, inputs)
    python = named_controllers(e, controllers, named)
    writers = {name: one for one in python.values() for name in one.written}
    driven = {**{name: 0.0 for name in unwritten_names(e) if name not in writers}, **named}
    begin = start_of_run(e, [0.0], initial, defaults, parameters, driven, events, None, engaged, options, python)
    if begin.refused:
        raise SimulationError(f"{begin.compiled.about.system}: {begin.refused}")
    return Simulator(begin.compiled, begin.x0, simulator_model(e, driven, begin.options, result, writers))


def simulators(
    e: Derivation,
    count: Any,
    initial: Mapping[str, InitialValues],
    defaults: Mapping[str, float],
    parameters: Mapping[str, Any] | None,
    inputs: Any,
    engaged: Mapping[str, bool] | None,
    threads: Any,
    options: RunOptions,
) -> Simulators:
    """Simulations side by side (see ``Equations.simulators``)."""
    _require_steps(options)
    if not is_positive_integer(count):
        raise ArgumentError(f"simulators need the number of worlds, a positive integer, not {shorten(count)}")
    cores = as_integer(threads)
    if cores is None or cores < 0:
        raise ArgumentError(f"threads must be a positive integer, or 0 for all cores, not {shorten(threads)}")
    n, names = int(count), unwritten_names(e)
    if isinstance(inputs, np.ndarray | list | tuple) and np.ndim(inputs) == 2:
        rows = numbers(inputs, "inputs")
        if rows.shape != (n, len(names)):
            raise ArgumentError(
                f"inputs of system '{e.tree.model.name}' are an array of shape ({n}, {len(names)}), a row for each"
                f" world, not one of shape {rows.shape}"
            )
        inputs = dict(zip(names, rows.T, strict=True))
    named = {**dict.fromkeys(names, 0.0), **named_inputs(e, inputs)}
    each = {k: per_world(v, n, f"input '{k}'") for k, v in named.items() if isinstance(v, np.ndarray) and v.ndim}
    driven = {name: float(each[name][0]) if name in each else value for name, value in named.items()}
    given = by_name(parameters, "parameters", "{'m': 1.0}")
    values = {k: per_world(v, n, f"parameter '{k}'") for k, v in given.items()}
    first = {name: float(np.ravel(value)[0]) for name, value in values.items()}
    stable, laws = stabilised(e, driven, options)
    held = {**e.layout.held, **engaged_at_start(e, engaged)}
    known = parameter_values(e, defaults, first)
    known_system = build(stable, known, laws, (), options.exact, held, options.projects, options.dae)
    start = values_of_first(known_system.about, initial, n)
    begin = start_of_run(e, [0.0], start, defaults, first, driven, (), None, engaged, options)
    compiled, model = begin.compiled, simulator_model(e, driven, begin.options, RunResult)
    p, d = compiled.p, np.tile(compiled.d, (n, 1))
    if any(value.ndim for value in values.values()):
        p = np.tile(p, (n, 1))
        for name, value in values.items():
            p[:, list(compiled.parameters).index(name)] = value
        model.check_parameters(compiled, p)
    for name, value in each.items():
        if name in model.laws:
            raise model.unknown_input(compiled.about, name)
        d[:, compiled.system.row.index[INPUT(name)]] = value
    default = default_state(e)
    x = rows_of_states(compiled, np.tile(default, (n, 1)), initial)
    fixed, base = given_states(compiled.about, **initial), base_state(compiled.about, default)
    assembled = assemble_cases(model.e, x, fixed, p, compiled.mechanics.inputs_at(0.0, d, p), 0.0, base)
    cases = Cases(assembled.x, p, compiled.mechanics.numbers_of(assembled.inputs, d))
    singular = check_mass_matrices(model.e, compiled, cases, begin.times, begin.options)
    refused = np.where(assembled.refused == "", singular, assembled.refused)
    if (wrong := np.flatnonzero(refused != "")).size:
        raise SimulationError(f"{compiled.about.system}: world {wrong[0]} cannot begin: {refused[wrong[0]]}")
    return Simulators(compiled, cases.x0, np.array(np.broadcast_to(cases.inputs, d.shape)), p, model, cores)


def _require_steps(options: RunOptions) -> None:
    """Refuse options that a simulator does not have."""
    if options.constraints == BAUMGARTE and options.baumgarte is None:
        raise ArgumentError(
            "a simulator cannot choose α and β of constraints='baumgarte', since its end is not known;"
            " give baumgarte=(α, β), or leave constraints out"
        )
    if options.progress is not None:
        raise ArgumentError("a simulator shows no progress bar: leave progress out")


def simulator_model(
    e: Derivation,
    driven: Mapping[str, Any],
    options: RunOptions,
    result: Callable[..., Result],
    writers: Mapping[str, Any] = NOTHING,
) -> EquationsModel[Result]:
    """What a simulator of equations with these inputs, some of which Python controllers write, needs of them."""
    stable, inputs = stabilised(e, driven, options)
    every, driving = all_inputs(stable, inputs, writers), e.tree.model.driving
    starts = {companions(name)[-1] for name in driving}
    names = tuple(name for name in e.layout.user_inputs if name in driven and name not in starts)
    laws = tuple(name for name in names if not isinstance(every[name], Real))
    moving = tuple(name for name in driving if isinstance(every[name], Real))
    return EquationsModel(options, result, names, laws, moving, e=stable, driven={**every, **stable.layout.held})


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
    controllers: Any = None,
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
    held = {**e.layout.held, **({} if start is None else final_held(e, start)), **flags, **seeded(e, options.seed)}
    e, inputs = stabilised(e, inputs, options)
    compiled = build(
        e,
        values,
        inputs,
        events,
        options.exact,
        held,
        options.projects,
        options.dae,
        controllers,
    )
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
    d, added = np.split(compiled.d, [len(e.layout.inputs)])
    now = compiled.mechanics.inputs_at(t_start, d)
    assembled = Assembler(e).state(rough, given, row, t_start, now, keep=keep, bend=goes_on, base=base)
    x0, with_poses = assembled.x, assembled.inputs
    info = AssemblyInfo()
    if x0 is not rough:
        info = assembly_info(e, about, base, rough, x0, row, t_start, with_poses, assembled.singular)
    if info.moved:
        warn_of_start(e, about, x0, with_poses, t_start, info, assembled.certain)
    if e.layout.held:
        own = compiled.mechanics.numbers_of(with_poses, d)
        compiled = compiled.with_values(row, np.concatenate([own, added]))
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
