"""What simulation programs and FMUs cannot contain."""

import numpy as np

from freebody.errors import ArgumentError
from freebody.hybrid.triggers import Calendar, Every
from freebody.integrate.breaks import breaks
from freebody.integrate.compiled_system import CompiledSystem
from freebody.run.held_names import SEED_COLUMN
from freebody.tables import listed

LARGEST = 2**53
"""The largest number of ticks up to the end of a run: floats up to there are exact."""


def require_exportable(
    compiled: CompiledSystem, start: float, end: float, float32: bool, what: str = "a program"
) -> None:
    """Refuse by name what a program cannot contain; ``what`` is exported, in words."""
    from freebody.run.rate_jumps import RateJumps

    system, context = compiled.system, f"{compiled.about.system}: {what} cannot contain"
    functions = dict.fromkeys(f.description or f.name for f in (*system.user_functions, *system.called))
    functions |= dict.fromkeys(system.functions)
    if functions:
        raise ArgumentError(f"{context} Python functions ({listed(functions)}): replace each by a text or a table")
    for rule in system.crossings:
        if rule.numeric:
            raise ArgumentError(
                f"{context} event '{rule.name}', which engages or releases constraints: leave it out, make it"
                " terminal, or describe a contact with its compliance, s.contact(…)"
            )
    irregular = [
        rule.name
        for rule in system.timed
        if not isinstance(rule.trigger, Every) or rule.numeric or rule.changes_states(len(system.states))
    ]
    if irregular:
        raise ArgumentError(
            f"{context} rules at fixed times, or that change states at times ({listed(irregular)}): leave them out"
        )
    if float32 and SEED_COLUMN in system.row.index:
        raise ArgumentError(
            f"{context} random numbers of sampled elements where it computes with numbers of 32 bits: leave out"
            " float32=True"
        )
    clock = Calendar([rule.trigger for rule in system.timed], start).ticks_per_second
    if clock * max(abs(start), abs(end)) > LARGEST:
        raise ArgumentError(
            f"{context} samples whose times have no common divisor above 1/{clock} s"
            f" ({listed(rule.name for rule in system.timed)}): choose periods and offsets with a larger one"
        )
    if not len(system.states):
        raise ArgumentError(f"{context} a system without states: all its motions are prescribed")
    codes = [code for program in system.programs.values() for code in program.blocks]
    tables = dict.fromkeys(t.name for code in codes for t in code.tables if t.has_ends)
    if tables:
        raise ArgumentError(
            f"{context} tables that have no value beyond their ends ({listed(tables)}): define them with 'hold' or"
            " 'extrapolate'"
        )
    jumps = RateJumps(compiled, start, end).times
    if jumps:
        raise ArgumentError(f"{context} a prescribed motion whose rate jumps, at t = {jumps[0]:g} s: use a smooth law")
    timed = compiled.mechanics.programs.timed.value
    if timed is not None:
        unknown = np.full(len(compiled.p), np.nan), np.full(len(compiled.d), np.nan)
        known = breaks(timed.program, parameters=unknown[0], inputs=unknown[1])
        values = breaks(timed.program, parameters=compiled.p, inputs=compiled.part(timed.program))
        later = [t for t in values if t not in known]
        if later:
            raise ArgumentError(
                f"{context} a prescribed motion with a kink at a time that depends on parameters (t = {later[0]:g}"
                " s): write this time as a number"
            )
