"""A compiled function of time and state, with all else held: what integrators call."""

import ctypes

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.backends import Bound, Function
from freebody.backends.llvm.cpython import address
from freebody.errors import ArgumentError
from freebody.integrate.emit import HELD, ORDERS, adapter_name, library

Array = NDArray[np.float64]
CALL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)


class Field:
    """f(t, x) of a bound program with the groups parameters, t, x, inputs and one output: a derivative ẋ, or the
    functions g whose zeros are events. ``address`` is machine code void (context, t, x, out).

    ``inputs`` are copied; they may be changed in place between two calls of an integrator, which must then restart.
    """

    def __init__(self, function: Bound, inputs: ArrayLike = ()) -> None:
        self.function = function
        who, program = function.program.name, function.program
        if not isinstance(function, Bound):
            raise ArgumentError(f"{who}: bind its parameters first, f.bind(values)")
        run = function.main.address()
        order = order_of(function)
        sizes = {g.name: g.size for g in program.groups}
        if len(program.outputs) != 1:
            raise ArgumentError(f"{who} has {len(program.outputs)} outputs; a field has one, the derivative of x")
        self.size, self.results = sizes["x"], program.outputs[0].size
        self.inputs: Array = np.array(inputs, dtype=np.float64).reshape(-1)
        if len(self.inputs) != sizes["inputs"]:
            raise ArgumentError(f"{who}: {sizes['inputs']} inputs are expected, {len(self.inputs)} were given")
        self.address = library().address(adapter_name(order))
        self._held = {"hoisted": function.hoisted, "inputs": self.inputs, **function.parameters}
        places = {name: address(array) for name, array in self._held.items()}
        self._context = (ctypes.c_void_p * len(HELD))(*({"run": run, **places}.get(name) for name in HELD))
        self._call = CALL(self.address)

    @property
    def context(self) -> int:
        """What the machine code is called with first; alive as long as this object."""
        return ctypes.addressof(self._context)

    def __call__(self, t: float, x: ArrayLike) -> Array:
        """The value at (t, x), by the code the integrator calls."""
        time, state, out = np.array([t], float), np.array(x, float).reshape(-1), np.empty(self.results)
        if len(state) != self.size:
            raise ArgumentError(f"{self.function.program.name}: x has {self.size} numbers, not {len(state)}")
        self._call(self.context, time.ctypes.data, state.ctypes.data, out.ctypes.data)
        self.settle()
        return out

    def settle(self) -> None:
        """Raise what a user's own function raised while compiled code called it."""
        self.function.main.callback_errors.reraise()


def order_of(function: Function) -> tuple[str, ...]:
    """The groups as the code takes them."""
    order = tuple(g.name for g in function.staged.main.groups)
    if order not in ORDERS:
        found = ", ".join(g.name for g in function.program.groups)
        raise ArgumentError(
            f"{function.program.name} takes the groups {found}; what is integrated takes parameters, t, x, inputs"
        )
    return order
