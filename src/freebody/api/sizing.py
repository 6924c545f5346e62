"""What a derivation will take, estimated from the tree before it begins (docs/decisions/015)."""

import warnings

from freebody.errors import SlowWarning
from freebody.model.builder import ModelBuilder

LONG, MUCH = 30.0, 4e9
"""Seconds and bytes from which on a user is warned."""

PAIRS = {"kane": (4.4e-4, 2.0e4), "poincare": (4.4e-4, 2.0e4), "cheapest": (4.4e-4, 2.0e4)}
"""Seconds and bytes for each body and each body it hangs on, itself included: an entry of M."""

TRIPLES = {"crba": (3.0e-5, 1.0e3), "sayers": (1.9e-4, 4.5e3)}
"""For each body and each pair of bodies it hangs on: M eliminated entry by entry, Sayers' kinematics."""


def warn_of_size(system: ModelBuilder, formulation: str) -> None:
    """Warn where the formulation that a user named will take long, with an estimate and the way out."""
    depths = _depths(system)
    if formulation in PAIRS:
        number, (each_s, each_bytes) = sum(depths), PAIRS[formulation]
    elif formulation in TRIPLES:
        number, (each_s, each_bytes) = sum(d * d for d in depths), TRIPLES[formulation]
    else:
        return
    seconds, size = each_s * number, each_bytes * number
    if seconds > LONG or size > MUCH:
        warnings.warn(
            f"{system.name}: deriving '{formulation}' for {len(depths)} bodies, up to {max(depths)} one on another,"
            f" takes about {_time(seconds)} and {size / 1e9:.2g} GB. Leave the formulation out, or take"
            " derive('aba', rolled=True): loops over the bodies are derived in about a second.",
            SlowWarning, stacklevel=3,
        )  # fmt: skip


def _depths(system: ModelBuilder) -> list[int]:
    """Of each body, how many stand between it and the ground, itself included."""
    found: dict[str, int] = {}
    for name, body in system.bodies.items():
        found[name] = found.get(body.recipe.parent, 0) + 1
    return list(found.values())


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
