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


def chosen(model: Model, small: Sequence[str], search: int) -> Cheapest:
    """Equations by the smallest programs that a search of this length finds."""
    if search not in list(EVALUATIONS):
        raise ModelError(f"search is one of {', '.join(map(str, EVALUATIONS))}, not {search!r}")
    cache, digest = Cache(), model.digest

    def key(quantity: Target) -> bytes:
        return hashlib.blake2b(f"choice {RULES} {digest} {quantity} {search}".encode(), digest_size=32).digest()

    def recall(quantity: Target) -> Candidate | None:
        kept = cache.get(key(quantity))
        return None if kept is None else Candidate.from_plain(json.loads(kept))

    def keep(quantity: Target, choice: Candidate) -> None:
        cache.put(key(quantity), json.dumps(choice.to_plain()).encode())

    bar = Progress(f"looking for the cheapest equations of {model.name}", EVALUATIONS[search])
    return Cheapest(model, small, search, recall, keep, lambda spent, _: bar(spent))
