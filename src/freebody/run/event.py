"""Events as users describe them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from freebody.keywords import hint_keywords


@hint_keywords
@dataclass(frozen=True)
class Event:
    """Something to watch for: ``when`` crosses zero, upwards (direction 1), downwards (−1) or either way (0).

    ``when`` is a text, an expression of the system, or a Python function of (t, x). ``terminal`` ends the run there;
    ``reset`` changes the state, ``{"u.ball": "-0.8*u.ball"}``, and the run goes on.

    ``engage`` and ``release`` are names of constraints that are switched, after a reset. Engaging stops the motion
    across the constraint by an impulse, and closes a ``gap`` (in m or rad) of at most this size. With ``restitution``
    e the bodies rebound with −e times the speed of approach, and the constraint stays released, as long as the rebound
    is faster than ``rest_speed`` (in m/s or rad/s); then it is engaged. An event that has nothing to switch, to reset
    or to end does not happen.
    """

    when: Any
    direction: int = 0
    terminal: bool = False
    reset: Mapping[str, Any] | None = None
    name: str = ""
    engage: str | Sequence[str] = ()
    release: str | Sequence[str] = ()
    restitution: float = 0.0
    gap: float = 1e-3
    rest_speed: float = 1e-3
