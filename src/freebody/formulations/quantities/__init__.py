"""What a tree can tell beside its equations of motion: each quantity a program, derived when it is first asked for.

The table's functions take equations and say their program; those of a place take a ``Where``, derivatives what they are
by. ``program`` keeps what was made, by its arguments.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from freebody.errors import ArgumentError
from freebody.formulations.equations import QUANTITIES, Equations
from freebody.formulations.quantities.centroid import (
    centre_of_mass,
    centre_velocity,
    centroidal,
    centroidal_momentum,
)
from freebody.formulations.quantities.coriolis import coriolis, coriolis_offset
from freebody.formulations.quantities.derivatives import forward_derivatives, inverse_derivatives
from freebody.formulations.quantities.kinematics import (
    generalised_force,
    jacobian,
    jacobian_offset,
    jacobian_offset_rate,
    jacobian_rate,
    pose,
    spatial_acceleration,
    spatial_velocity,
)
from freebody.formulations.quantities.places import GROUND, Where
from freebody.formulations.quantities.regressor import inertial_parameters, regressor, regressor_offset
from freebody.formulations.quantities.solving import mass_inverse, mass_solve, operational_inertia
from freebody.scalar.program import Program

Make = Callable[..., Program]

OF_THE_SYSTEM: dict[str, Make] = {
    "mass_solve": mass_solve, "mass_inverse": mass_inverse, "coriolis": coriolis, "coriolis_offset": coriolis_offset,
    "centre_of_mass": centre_of_mass, "centre_velocity": centre_velocity, "centroidal": centroidal,
    "centroidal_momentum": centroidal_momentum, "regressor": regressor, "regressor_offset": regressor_offset,
    "inertial_parameters": inertial_parameters,
}  # fmt: skip
OF_A_PLACE: dict[str, Make] = {
    "pose": pose, "spatial_velocity": spatial_velocity, "spatial_acceleration": spatial_acceleration,
    "jacobian": jacobian, "jacobian_rate": jacobian_rate, "jacobian_offset": jacobian_offset,
    "jacobian_offset_rate": jacobian_offset_rate, "generalised_force": generalised_force,
}  # fmt: skip
DERIVATIVES: dict[str, Make] = {
    "forward_derivatives": forward_derivatives, "inverse_derivatives": inverse_derivatives,
}  # fmt: skip
NAMES = (*OF_THE_SYSTEM, *OF_A_PLACE, "operational_inertia", *DERIVATIVES)


def program(e: Equations, name: str, **arguments: Any) -> Program:
    """A quantity by name: of a place with body, at and frame; operational_inertia with places and frame; derivatives
    with by."""
    told = settled(name, arguments)
    return e.programs.keep((name, *told.items()), partial(_maker(name), **told))


def _maker(name: str) -> Make:
    table = {**OF_THE_SYSTEM, **OF_A_PLACE, **DERIVATIVES, "operational_inertia": operational_inertia}
    if name not in table:
        raise ArgumentError(f"there is no quantity '{name}'; there are {', '.join((*QUANTITIES, *NAMES))}")
    return table[name]


def settled(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as values that can be kept and compared."""
    if name in OF_A_PLACE:
        return {"where": where(**arguments)}
    if name == "operational_inertia":
        frame = arguments.get("frame", GROUND)
        return {"places": tuple(where(body, at, frame) for body, at in map(_placed, arguments["places"]))}
    return {"by": tuple(arguments["by"])} if "by" in arguments else dict(arguments)


def _placed(given: Any) -> tuple[Any, Any]:
    """A body, or a body and a point of it."""
    return (given, (0, 0, 0)) if isinstance(given, str) or hasattr(given, "name") else (given[0], given[1])


def where(body: Any, at: Sequence[Any] = (0, 0, 0), frame: Any = GROUND) -> Where:
    """A place from what users say: bodies by name or as they hold them, numbers of any kind."""
    named, axes = (getattr(x, "name", x) for x in (body, frame))
    wrong = next((x for x in (named, axes) if not isinstance(x, str)), None)
    if wrong is not None:
        raise ArgumentError(f"a place is in a body, itself or by its name, not in {wrong!r}")
    if isinstance(at, str | bytes | Mapping) or not hasattr(at, "__len__") or len(at) != 3:
        raise ArgumentError(f"a point of '{named}' needs three numbers or texts of parameters, not {at!r}")
    x, y, z = (s if isinstance(s, str) else _number(s) for s in at)
    return Where(named, (x, y, z), axes)


def _number(x: Any) -> int | float:
    """Whole numbers stay whole: terms times 0 and 1 then cost nothing."""
    try:
        value = float(x)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"a point needs numbers or texts of parameters, not {x!r}"[:300]) from None
    return int(value) if value.is_integer() else value
