"""The formulation "cheapest": the smallest programs that a search finds, or has found before (`choose.py`)."""

from freebody.disk_cache import Cache
from freebody.errors import ModelError
from freebody.formulations.choose import EVALUATIONS, Cheapest, ProgramCandidate, Target
from freebody.formulations.derivation import Derivation
from freebody.formulations.entries import DeriveOptions, FormulationEntry, Growth
from freebody.model.model import Model
from freebody.progress import Progress

RULES = "9"
"""Raised when choices of older releases must not be used any more."""


def cheapest(model: Model, options: DeriveOptions) -> Derivation:
    """Equations by the smallest programs of a search of this length; what it finds is stored on disk."""
    import hashlib
    import json

    search, solver = options.search, options.solver
    if solver is not None and solver.name != "tree":
        raise ModelError(
            f"'cheapest' searches among programs of solver 'tree'; for '{solver.name}' name another"
            " formulation, or none"
        )
    if search not in list(EVALUATIONS):
        raise ModelError(f"search must be one of {', '.join(map(str, EVALUATIONS))}, not {search!r}")
    cache, digest = Cache(), model.digest

    def key(quantity: Target) -> bytes:
        return hashlib.blake2b(f"choice {RULES} {digest} {quantity} {search}".encode(), digest_size=32).digest()

    def recall(quantity: Target) -> ProgramCandidate | None:
        stored = cache.get(key(quantity))
        return None if stored is None else ProgramCandidate.from_plain(json.loads(stored))

    def store(quantity: Target, choice: ProgramCandidate) -> None:
        cache.put(key(quantity), json.dumps(choice.to_plain()).encode())

    bar = Progress(f"looking for the cheapest equations of {model.name}", EVALUATIONS[search])
    return Cheapest(model, options.small, search, recall, store, lambda spent, _: bar(spent))


FORMULATION = FormulationEntry(
    "cheapest", cheapest, frozenset({"small", "search", "speeds", "omit"}), Growth(1, seconds=4.4e-4, bytes=2.0e4)
)
