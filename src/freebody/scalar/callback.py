"""A user's own function as a node: any Python callable of numbers, with its derivatives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from freebody.errors import ExpressionError


@dataclass(frozen=True, eq=False)
class Callback:
    """A named callable of ``arity`` floats. It is the same function only as itself: equality is identity.

    ``derivative`` is a tuple of callables, ∂f/∂x_i of the same arguments, each a plain callable or a Callback with
    derivatives of its own. ``vectorised`` says that the callable takes NumPy arrays as well as floats.
    """

    name: str
    function: Callable[..., float]
    arity: int
    derivative: tuple["Callback", ...] = ()
    vectorised: bool = False
    description: str = ""

    def partial(self, index: int) -> "Callback":
        """∂f/∂x_index as a callback."""
        if not self.derivative:
            raise ExpressionError(
                f"{self.name}() has no derivative: give callback(…, derivative=…) one callable for each argument"
            )
        return self.derivative[index]


def callback(
    name: str,
    function: Callable[..., float],
    arity: int = 1,
    derivative: Callable[..., float] | Callback | Sequence[Callable[..., float] | Callback] = (),
    *,
    vectorised: bool = False,
    description: str = "",
) -> Callback:
    """A user's function for use in expressions: ``f = callback("drag", lambda v: …, derivative=lambda v: …)``."""
    if not name.isidentifier():
        raise ExpressionError(f"{name!r} cannot name a function: use letters, digits and underscores")
    if not callable(function) or arity < 1:
        raise ExpressionError(f"{name}: a callable and a number of arguments ≥ 1 are needed, not {function!r}, {arity}")
    given = tuple(derivative) if isinstance(derivative, Sequence) else (derivative,)
    if given and len(given) != arity:
        raise ExpressionError(f"{name}() has {arity} arguments but {len(given)} derivatives: give one for each")
    partials = tuple(_partial(name, k, d, arity, vectorised) for k, d in enumerate(given))
    return Callback(name, function, arity, partials, vectorised, description)


def _partial(name: str, index: int, given: Callable[..., float] | Callback, arity: int, vectorised: bool) -> Callback:
    if isinstance(given, Callback):
        return given
    return Callback(f"d{name}_d{index}", given, arity, (), vectorised, f"∂{name}/∂ argument {index + 1}")
