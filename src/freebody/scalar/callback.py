"""Python functions of numbers for use in expressions, with their derivatives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from freebody.errors import ExpressionError


@dataclass(frozen=True, eq=False)
class Callback:
    """A named callable of ``arity`` floats; two callbacks are equal only if they are the same object.

    ``derivative`` is a tuple of callbacks, ∂f/∂x_i of the same arguments, which may have derivatives of their own.
    ``vectorised``: the callable takes NumPy arrays as well as floats.
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
    several = tuple(derivative) if isinstance(derivative, Sequence) else (derivative,)
    if several and len(several) != arity:
        raise ExpressionError(f"{name}() has {arity} arguments but {len(several)} derivatives: give one for each")
    partials = tuple(
        d if isinstance(d, Callback) else Callback(
            f"d{name}_d{k}", d, arity, (), vectorised, f"∂{name}/∂ argument {k + 1}"
        )
        for k, d in enumerate(several)
    )  # fmt: skip
    return Callback(name, function, arity, partials, vectorised, description)
