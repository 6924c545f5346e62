"""``freebody simulate``: a run, its files, and what came of it."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from freebody.api import Equations, Trajectory
from freebody.cli import given, models, summary, wishes
from freebody.cli.failure import INTERRUPTED, RUN, Failure, usage
from freebody.cli.leaves import Leaves
from freebody.cli.options import Debug, Json, Model, Quiet
from freebody.cli.output import Output
from freebody.errors import ArgumentError, ExpressionError, SimulationWarning
from freebody.formulations.rolled import Rolled
from freebody.integrate.plant import Event


def simulate(
    model: Model, until: wishes.Until = 10.0, samples: wishes.Samples = None, set_: wishes.Set = None,
    parameter: wishes.Parameter = None, input_: wishes.Input = None, zero_inputs: wishes.ZeroInputs = False,
    event: wishes.Law = None, direction: wishes.Direction = None, method: wishes.Method = "dop853",
    rtol: wishes.Rtol = 1e-8, atol: wishes.Atol = 1e-10, step: wishes.Step = None,
    max_steps: wishes.MaxSteps = None, save: wishes.Save = None, plot: wishes.Plot = None, show: wishes.Show = None,
    report: wishes.Report = None, json: Json = False, quiet: Quiet = False, debug: Debug = False,
) -> None:  # fmt: skip
    """Let a model move, and save, draw or report what it does.

    Example: freebody simulate arm.yaml --until 5 --set q.upper=0.3 --input motor='2*sin(t)' --save run.nc

    A run that fails ends with exit code 1, but what it has is saved.
    """
    with Output("simulate", json, quiet, debug) as out:
        out.model = model
        _method(method, step)
        leaves = Leaves(save or [], plot or [], show or [], [report] if report else [])
        leaves.check()
        system = models.load(model)
        equations = ready(system.derive())
        wanted = {
            **given.initial(equations, set_ or []), "parameters": given.parameters(parameter or []),
            "inputs": given.inputs(input_ or [], list(system.inputs), zero_inputs),
            "events": _events(event or [], direction or []), "method": method, "rtol": rtol, "atol": atol,
            "step": step, "max_steps": max_steps, "progress": None if out.talks else False,
        }  # fmt: skip
        run, said = moved(equations, _times(until, samples), wanted)
        summary.show(out, run, said)
        leaves.write(out, run)
        _judge(run)


def _method(name: str, step: float | None) -> None:
    from freebody.integrate.steppers import METHODS

    given.one_of("--method", name, list(METHODS))
    if name == "rk4" and step is None:
        raise usage("--method rk4 takes steps of one size: give --step SECONDS")
    if name != "rk4" and step is not None:
        raise usage(f"--step is for --method rk4; {name} chooses its steps by --rtol and --atol")


def ready(equations: Equations) -> Equations:
    """The equations with M, f and q̇ derived (of many bodies ẋ): what is wrong after this is not the model."""
    if isinstance(equations.derivation, Rolled):
        equations.program("state_dot")
        return equations
    derivation = equations.derivation
    _ = derivation.mass, derivation.force, derivation.q_dot
    return equations


def _times(until: float, samples: int | None) -> Any:
    if samples is None:
        return until
    if until == 0:
        raise usage("--samples: a run until 0 s has one time only; leave --samples out, or give another --until")
    import numpy as np

    return np.linspace(0.0, until, samples)


def _events(laws: Sequence[str], directions: Sequence[int]) -> list[Event]:
    """Events that end the run; one direction may stand for all."""
    if len(directions) > len(laws) or len(directions) not in (0, 1, len(laws)):
        raise usage(f"--direction: {len(directions)} for {len(laws)} --event; give one for each, or one for all")
    twice = next((law for k, law in enumerate(laws) if law in laws[:k]), None)
    if twice is not None:
        raise usage(f"--event {twice}: it is given twice; once is enough, and --direction 0 takes both ways")
    every = list(directions) if len(directions) == len(laws) else [*directions, 0][:1] * len(laws)
    return [Event(law, way, terminal=True, name=law) for law, way in zip(laws, every, strict=True)]


def moved(equations: Equations, times: Any, wanted: Mapping[str, Any]) -> tuple[Trajectory, list[str]]:
    """The run, and the warnings on the way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            run = equations.simulate(times, **wanted)
        except (ArgumentError, ExpressionError) as error:
            raise usage(str(error)) from error
    said = dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, SimulationWarning))
    return run, [text for text in said if not text.endswith(run.message)]


def _judge(run: Trajectory) -> None:
    """A run that did not get where it should is a failure."""
    if not run.success:
        raise Failure(INTERRUPTED if run.status == -2 else RUN, f"{run.about.system}: {run.message}")
