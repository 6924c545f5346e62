"""What events did, in words: constraints that they engaged and released, the end of the run."""

from typing import TYPE_CHECKING

from freebody.names import ENGAGED

if TYPE_CHECKING:
    from freebody.results.trajectory import RunResult

ENDED = 1
"""The status of a run that a terminal event ended."""


def event_effects(run: "RunResult") -> list[list[str]]:
    """Of each event what it switched, and "ends the run"; changes of states are in ``run.events``."""
    e = run.events
    flags = [(k, ENGAGED.strip(name)) for k, name in enumerate(e.held) if ENGAGED.holds(name)]
    effects = list[list[str]]()
    for before, after in zip(e.held_before, e.held_after, strict=True):
        switched = [(name, bool(after[k] > before[k])) for k, name in flags if after[k] != before[k]]
        texts = [", ".join(name for name, on in switched if on == up) for up in (False, True)]
        effects.append([f"{verb} {text}" for verb, text in zip(("releases", "engages"), texts, strict=True) if text])
    if run.status == ENDED and effects:
        effects[-1].append("ends the run")
    return effects


def event_labels(run: "RunResult") -> list[tuple[float, str]]:
    """The time of each event, and its name with what it did, such as "touch: engages floor"."""
    return [
        (t, f"{name}: {', '.join(effects)}" if effects else name)
        for (t, name), effects in zip(run.events, event_effects(run), strict=True)
    ]
