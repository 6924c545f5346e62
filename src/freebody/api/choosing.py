"""The cheapest equations of a system, with what was found before taken from the cache."""

import hashlib
import json
from collections.abc import Sequence

from freebody.backends.llvm.cache import Cache
from freebody.errors import ModelError
from freebody.formulations.choose import EVALUATIONS, Candidate, Cheapest, Target
from freebody.model.model import Model
from freebody.run.progress import Progress

RULES = "6"
"""Raised when choices of older releases must no longer be taken."""


def chosen(model: Model, small: Sequence[str], effort: int) -> Cheapest:
    """Equations by the smallest programs that this effort finds."""
    if effort not in list(EVALUATIONS):
        raise ModelError(f"effort is one of {', '.join(map(str, EVALUATIONS))}, not {effort!r}")
    cache, digest = Cache(), model.digest

    def key(quantity: Target) -> bytes:
        return hashlib.blake2b(f"choice {RULES} {digest} {quantity} {effort}".encode(), digest_size=32).digest()

    def recall(quantity: Target) -> Candidate | None:
        kept = cache.get(key(quantity))
        return None if kept is None else Candidate.from_plain(json.loads(kept))

    def keep(quantity: Target, choice: Candidate) -> None:
        cache.put(key(quantity), json.dumps(choice.to_plain()).encode())

    bar = Progress(f"looking for the cheapest equations of {model.name}", EVALUATIONS[effort])
    return Cheapest(model, small, effort, recall, keep, lambda spent, _: bar(spent))
