"""Others' implicit integrators, one step after another: SciPy's Radau, BDF and LSODA, SUNDIALS' CVODE."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, BackendError

Array = NDArray[np.float64]
Rates = Callable[[float, Array], Array]


class Engine(Protocol):
    """``step`` returns the time reached, which differs from the last one, and the state there, or None where it failed;
    ``between`` returns the state inside the last step."""

    @property
    def jacobians(self) -> int: ...
    @property
    def factorisations(self) -> int: ...
    def step(self, t_end: float) -> tuple[float, Array] | None: ...
    def between(self, t: float) -> Array: ...

    def several(self, times: Array) -> Array:
        """The states at several times, a row each."""


def engine(rates: Rates, jacobian: Any, t: float, x: Array, t_end: float, options: Any) -> Engine:
    """The method's engine at a state, on its way to ``t_end``."""
    if not np.all(np.isfinite(rates(t, x))):
        return Lost()
    if not len(x):
        return Empty()
    return (Cvode if options.method == "cvode" else Scipy)(rates, jacobian, t, x, t_end, options)


def _first_step(options: Any, t: float, t_end: float) -> float | None:
    """What the user said, but not beyond the end."""
    return None if options.first_step is None else min(options.first_step, abs(t_end - t))


class Lost:
    """Where there is no derivative to begin with."""

    jacobians = factorisations = 0

    def step(self, t_end: float) -> None:
        return None

    def between(self, t: float) -> Array:
        raise AssertionError("no step was made, so there is nothing between")

    def several(self, times: Array) -> Array:
        raise AssertionError("no step was made, so there is nothing between")


class Empty:
    """A system without states: time passes."""

    jacobians = factorisations = 0

    def step(self, t_end: float) -> tuple[float, Array]:
        return t_end, np.empty(0)

    def between(self, t: float) -> Array:
        return np.empty(0)

    def several(self, times: Array) -> Array:
        return np.empty((len(times), 0))


@contextmanager
def _quietly() -> Iterator[None]:
    """Without what NumPy and SciPy say of numbers that are not finite: the run says it better."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


class Scipy:
    """SciPy's own steppers."""

    def __init__(self, rates: Rates, jacobian: Any, t: float, x: Array, t_end: float, options: Any) -> None:
        from scipy import integrate

        kind = {"radau": integrate.Radau, "bdf": integrate.BDF, "lsoda": integrate.LSODA}[options.method]
        limits = {} if options.max_step is None else {"max_step": options.max_step}
        with _quietly():
            self._solver = kind(
                rates, t, x, t_end, rtol=options.rtol, atol=options.atol, jac=jacobian,
                first_step=_first_step(options, t, t_end), **limits,
            )  # fmt: skip
        self._dense: Any = None

    @property
    def jacobians(self) -> int:
        return int(self._solver.njev or 0)

    @property
    def factorisations(self) -> int:
        return int(self._solver.nlu or 0)

    def step(self, t_end: float) -> tuple[float, Array] | None:
        with _quietly():
            try:
                self._solver.step()
            except (ValueError, np.linalg.LinAlgError):  # a Jacobian that is not finite
                return None
        stuck = self._solver.t == self._solver.t_old  # LSODA goes on with steps that the time does not show
        if self._solver.status == "failed" or stuck or not np.all(np.isfinite(self._solver.y)):
            return None
        self._dense = None
        return float(self._solver.t), np.array(self._solver.y)

    def between(self, t: float) -> Array:
        return np.asarray(self._inside(t))

    def several(self, times: Array) -> Array:
        return np.ascontiguousarray(self._inside(times).T)

    @property
    def _inside(self) -> Any:
        if self._dense is None:
            self._dense = self._solver.dense_output()
        return self._dense


class Cvode:
    """SUNDIALS through scikit-sundae."""

    factorisations = 0

    def __init__(self, rates: Rates, jacobian: Any, t: float, x: Array, t_end: float, options: Any) -> None:
        try:
            from sksundae.cvode import CVODE
        except ImportError:
            raise BackendError(
                "method 'cvode' needs scikit-sundae: pip install 'freebody[sundials]', or take 'bdf' or 'radau'"
            ) from None
        if np.ndim(options.rtol):
            raise ArgumentError("method 'cvode' takes one rtol for all states; atol may differ")
        self.jacobians = 0

        def fill(t: float, y: Array, out: Array) -> None:
            out[:] = rates(t, np.array(y))

        def fill_jacobian(t: float, y: Array, rate: Array, out: Array) -> None:
            self.jacobians += 1
            out[:, :] = jacobian(t, np.array(y))

        self._solver = CVODE(
            fill, rtol=float(options.rtol), atol=options.atol.tolist(),
            first_step=_first_step(options, t, t_end) or 0.0, max_step=options.max_step or 0.0,
            max_num_steps=100_000, jacfn=fill_jacobian if jacobian else None,
        )  # fmt: skip
        self._solver.init_step(t, x)
        self._t, self._looked_back = t, False

    def step(self, t_end: float) -> tuple[float, Array] | None:
        """One step. After a look back inside the last one, CVODE returns that step's end once more before it moves on;
        an answer at the same time without that reason is a step too small to count."""
        for _ in range(2 if self._looked_back else 1):
            found = self._solver.step(t_end, method="onestep", tstop=t_end)
            t, y = float(np.ravel(found.t)[0]), np.array(found.y, float).reshape(-1)
            if not found.success or not np.all(np.isfinite(y)):
                return None
            if t != self._t:
                self._t, self._looked_back = t, False
                return t, y
        return None

    def between(self, t: float) -> Array:
        self._looked_back = True
        return np.array(self._solver.step(t, method="normal").y, float).reshape(-1)

    def several(self, times: Array) -> Array:
        return np.array([self.between(t) for t in times])
