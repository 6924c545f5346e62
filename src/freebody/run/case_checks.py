"""What the cases of a sweep are warned of: for each kind of warning one, with the first case and the number of others.

A case that runs by itself gives the warnings of a run. Cases that run side by side are checked in the same ways: slopes
of flexible bodies, limits of coordinates, equations that are left out, and the balance of energy. Between the saved
times their states are interpolated: where loads do work, the balance is known only if the work stays the same when
every second time is left out.
"""

import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from freebody.errors import RunEndedWarning, SimulationWarning, warn
from freebody.integrate.compiled_system import CompiledSystem
from freebody.results.trajectory import RunResult
from freebody.run.energy_check import OFF, RESOLVED, STILL, WEIGHTS, advice, between, examines
from freebody.run.large_slopes import LARGE
from freebody.run.loop import checks_of_rows
from freebody.run.options import DEFAULT_TOLERANCES, RunOptions

Array = NDArray[np.float64]
NUMBER = re.compile(r"-?\b\d[\d.,]*(?:e[-+]?\d+)?")
ROWS, STATES = 20, 100_000
"""The most saved times of a case at which energies are compared where nothing changes them, and about the most states
of a chunk at which powers are computed."""

Texts = dict[int, list[str]]
"""The warnings of cases, by their index."""


def texts_of(check: Callable[[], None]) -> list[str]:
    """The warnings that a function gives about a run, but that it ended early; others are passed on."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check()
    for w in caught:
        if not issubclass(w.category, SimulationWarning):
            warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
    ours = [w for w in caught if issubclass(w.category, SimulationWarning)]
    return [str(w.message) for w in ours if not issubclass(w.category, RunEndedWarning)]


def pack(texts: Mapping[int, Sequence[str]]) -> NDArray[np.str_]:
    """The first case, the number of cases and the text of each kind of warning, as an array of one text."""
    kinds = dict[str, list[int | str]]()
    for k, text in sorted((k, text) for k, some in texts.items() for text in dict.fromkeys(some)):
        entry = kinds.setdefault(NUMBER.sub("#", text), [k, 0, text])
        entry[1] = int(entry[1]) + 1
    return np.array([json.dumps(list(kinds.values()))])


def warn_of_remarks(system: str, packed: Sequence[str], starts: Sequence[int], rows: Mapping[str, Array]) -> None:
    """Warn once of each kind; ``packed`` are the results of ``pack`` for chunks that begin at the cases ``starts``."""
    first, counts = dict[str, tuple[int, str]](), dict[str, int]()
    for start, some in zip(starts, packed, strict=True):
        for k, count, text in json.loads(some):
            kind = NUMBER.sub("#", text)
            first.setdefault(kind, (start + k, text))
            counts[kind] = counts.get(kind, 0) + count
    for kind, (k, text) in first.items():
        where = ", ".join(f"{name} = {row[k]:g}" for name, row in rows.items())
        others = f"; {counts[kind] - 1} more likewise" if counts[kind] > 1 else ""
        about = text.removeprefix(f"{system}: ")
        warn(f"{system}: case {k} ({where}{others}): {about}", SimulationWarning)


def check_lanes(
    compiled: CompiledSystem,
    of_case: Callable[[int], CompiledSystem],
    t: Array,
    x: Array,
    rows: Mapping[str, Array],
    options: RunOptions,
    finished: NDArray[np.bool_],
) -> Texts:
    """The warnings of cases that ran side by side: times and states (cases, times, …) with ``rows`` of parameters and
    inputs, one for all or one for each case. Cases that did not finish have none."""
    texts = Texts()
    for k in np.flatnonzero(finished & _suspects(compiled, t, x, rows)).tolist():
        one = of_case(k)
        run = RunResult(one.about, t[k], x[k])
        texts[k] = texts_of(partial(checks_of_rows, one, run))
    for k, text in _unbalanced(compiled, t, x, rows, options, finished).items():
        texts[k] = [*texts.get(k, ()), text]
    return texts


def _every(rows: Mapping[str, Array], n: int, m: int) -> dict[str, Array]:
    """Rows of cases for each of m states of n cases."""
    return {name: np.repeat(row, m, axis=0) if row.ndim == 2 and len(row) == n else row for name, row in rows.items()}


def _suspects(compiled: CompiledSystem, t: Array, x: Array, rows: Mapping[str, Array]) -> NDArray[np.bool_]:
    """The cases in which something is beyond its limits."""
    programs, (n, m, size) = compiled.mechanics.programs, x.shape
    states, found = x.reshape(n * m, size), np.zeros(n * m, bool)
    for body in programs.bendings:
        found |= body.slopes(states) > LARGE
    limits, left_out = programs.limits, programs.left_out.value
    if programs.followers.value is not None:
        found[:] = True
    elif limits.names:
        found |= limits.outside(states[:, limits.indices]).any(axis=1)
    if left_out is not None:
        found[:] = True
    return np.asarray(found.reshape(n, m).any(axis=1))


def _unbalanced(
    compiled: CompiledSystem,
    t: Array,
    x: Array,
    rows: Mapping[str, Array],
    options: RunOptions,
    finished: NDArray[np.bool_],
) -> dict[int, str]:
    """What is wrong with the energy of cases; of those with samples it is not known, since inputs change between saved
    times."""
    fewest = 3 if compiled.mechanics.has_power else 2
    if not examines(compiled, options) or x.shape[1] < fewest or compiled.system.timed:
        return {}
    cases = np.flatnonzero(finished & _moves(x, options))
    if compiled.mechanics.has_power:
        few = max(1, STATES // (x.shape[1] * len(WEIGHTS)))
        cases = cases[:: 1 + (len(cases) - 1) // few] if len(cases) else cases
    else:
        some = np.unique(np.linspace(0, x.shape[1] - 1, min(ROWS, x.shape[1])).astype(int))
        t, x = t[:, some], x[:, some]
    if not len(cases):
        return {}
    n = len(x)
    own = {name: row[cases] if row.ndim == 2 and len(row) == n else row for name, row in rows.items()}
    with np.errstate(all="ignore"):
        error, scale, largest = _errors(compiled, t[cases], x[cases], own)
        wrong = (error > OFF * scale) & (error > RESOLVED * largest)
    return {
        int(cases[k]): f"energy and work do not balance: the error is {100 * error[k] / scale[k]:.2g} % of"
        f" {scale[k]:.3g} J, the largest energy or work, so the motion is not accurate."
        f" {advice(compiled, options, float(error[k] / scale[k]))}"
        for k in np.flatnonzero(wrong).tolist()
    }


def _moves(x: Array, options: RunOptions) -> NDArray[np.bool_]:
    """The cases whose state changes by more than errors."""
    rtol = np.minimum(options.rtol, DEFAULT_TOLERANCES["rtol"])
    tolerance = np.asarray(options.atol, float) + rtol * np.abs(x).max(axis=1)
    return np.asarray(np.any(np.ptp(x, axis=1) > STILL * tolerance, axis=1))


def _errors(compiled: CompiledSystem, t: Array, x: Array, rows: Mapping[str, Array]) -> tuple[Array, Array, Array]:
    """For each case the error of the balance, NaN where the saved times are too far apart for it, what it is relative
    to, and the largest energy."""
    n, m, _ = x.shape

    def balance(t: Array, x: Array) -> Array:
        program, count = compiled.mechanics.programs.balance.value, x.shape[1]
        assert program is not None
        given = _every({**rows, "inputs": compiled.part(program, rows["inputs"])}, n, count)
        states = {**given, "t": t.reshape(-1, 1), "x": x.reshape(n * count, -1)}
        return compiled.gradual(program)(states, n * count).reshape(n, count, 3)

    energies = balance(t, x)
    total, work, doubt = energies[..., 0] + energies[..., 1], np.zeros((n, m)), np.zeros(n)
    if compiled.mechanics.has_power:
        rates = compiled.system.rates.value
        given = _every({**rows, "inputs": compiled.part(rates, rows["inputs"])}, n, m)
        x_dot = np.asarray(compiled.rows(rates, {**given, "t": t.reshape(-1, 1), "x": x.reshape(n * m, -1)}))
        x_dot = x_dot.reshape(x.shape)

        def integral(every: int) -> Array:
            at, h = t[:, ::every], np.diff(t[:, ::every], axis=1)
            times, states = zip(*(between(at[k], x[k, ::every], x_dot[k, ::every]) for k in range(n)), strict=True)
            power = balance(np.array(times), np.array(states))[..., 2].reshape(n, -1, len(WEIGHTS)) @ WEIGHTS
            return np.hstack([np.zeros((n, 1)), np.cumsum(power * h, axis=1)])

        work = integral(1)
        doubt = np.abs(integral(2) - work[:, ::2]).max(axis=1)
    error = np.abs(total - total[:, :1] - work).max(axis=1)
    sizes = (energies[..., 0], energies[..., 1] - energies[:, :1, 1], work)
    scale = np.max([np.abs(part).max(axis=1) for part in sizes], axis=0)
    return np.where(doubt <= OFF * scale, error, np.nan), scale, np.abs(total).max(axis=1)
