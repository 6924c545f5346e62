"""Results of quantities, and how the generated methods call them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from freebody.tables import TextTable

Array = NDArray[np.float64]
Groups = Mapping[str, ArrayLike | None]


class CallOptions(TypedDict, total=False):
    """``out``: an array for the result, or a dict of arrays; ``threads`` (0: all cores) share a batch."""

    out: Array | Mapping[str, Array] | None
    threads: int


class Pose(NamedTuple):
    """``R`` maps a body's components to the ground's; ``p`` is a point's position in the ground."""

    R: Array
    p: Array


class Centroidal(NamedTuple):
    """Momentum about the mass centre is ``matrix`` @ u (and what prescribed motions add); ``inertia`` is that of the
    system with all joints held, about its mass ``centre``; all along the ground's axes."""

    matrix: Array
    inertia: Array
    centre: Array
    mass: Array


class Inertial(NamedTuple):
    """The inertial parameters π by name: ten for each body, about its origin along its axes."""

    names: tuple[str, ...]
    values: Array

    def _table(self) -> TextTable:
        bodies = [name.rpartition(".") for name in self.names]
        by_body: dict[str, dict[str, str]] = {}
        for (body, _, parameter), value in zip(bodies, np.asarray(self.values).tolist(), strict=True):
            by_body.setdefault(body, {})[parameter] = f"{value:.6g}"
        columns = tuple(dict.fromkeys(parameter for *_, parameter in bodies))
        rows = tuple((body, *(values.get(c, "") for c in columns)) for body, values in by_body.items())
        return TextTable("Inertial parameters, about the origins of the bodies", ("body", *columns), rows)

    def __repr__(self) -> str:
        return str(self._table())

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()


class QuantityCalls(ABC):
    """Calls of compiled quantities by name."""

    @abstractmethod
    def _call(
        self, quantity: str, groups: Groups, arguments: Mapping[str, Any] | None = None, **options: Unpack[CallOptions]
    ) -> Any:
        """A quantity's outputs: ``arguments`` select its program, ``groups`` are the numbers it takes."""

    def _array(
        self, quantity: str, groups: Groups, arguments: Mapping[str, Any] | None = None, **options: Unpack[CallOptions]
    ) -> Array:
        array: Array = self._call(quantity, groups, arguments, **options)
        return array

    def _by_variable(
        self, quantity: str, groups: Groups, arguments: Mapping[str, Any], **options: Unpack[CallOptions]
    ) -> dict[str, Array]:
        """Derivatives by the variables that they are taken by; ``out`` has these keys too."""
        out = options.get("out")
        if isinstance(out, Mapping):
            values = {"forward_derivatives": "u_dot", "inverse_derivatives": "tau"}[quantity]
            own = (values, "multipliers")
            options["out"] = {
                key if key in own or key.startswith("multipliers_by_") else f"by_{key}": x for key, x in out.items()
            }
        return {by_variable(name): x for name, x in self._dict(quantity, groups, arguments, **options).items()}

    def _dict(
        self, quantity: str, groups: Groups, arguments: Mapping[str, Any] | None = None, **options: Unpack[CallOptions]
    ) -> dict[str, Array]:
        arrays: dict[str, Array] = self._call(quantity, groups, arguments, **options)
        return arrays


def by_variable(output: str) -> str:
    """The key of a derivative: the variable that it is taken by."""
    return output.removeprefix("by_")
