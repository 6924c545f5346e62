"""What a tree can tell: a table of quantities, each of which describes itself once.

Basic ones are in `equations.py`, the others in this folder. To add one, write its derivation in a file here and a line
in the table below; then it has a program, a count, a listing, and a method of compiled functions.
"""

from collections.abc import Iterator, Mapping, Sequence, Sized
from functools import partial
from typing import TYPE_CHECKING, Any

from freebody.errors import ArgumentError
from freebody.formulations.equations import LOADED, STATE, Equations
from freebody.formulations.equations import QUANTITIES as BASIC
from freebody.formulations.quantity import Quantity
from freebody.model.body import Body, Ground
from freebody.program.program import Program

if TYPE_CHECKING:
    from freebody.quantities.points import Location

GROUND, ORIGIN = "ground", (0, 0, 0)


def of_a_place(body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND) -> dict[str, Any]:
    """What a point of a body chooses, and the axes along which components are."""
    return {"where": where(body, at, frame)}


def of_places(places: Sequence[Any], frame: Any = GROUND) -> dict[str, Any]:
    """What several places choose, each a body or a body and a point of it."""
    return {"places": tuple(where(body, at, frame) for body, at in map(_placed, places))}


def forward_by(by: Sequence[str] = ("q", "u", "tau")) -> dict[str, Any]:
    """By what u̇ is differentiated."""
    return {"by": tuple(by)}


def inverse_by(by: Sequence[str] = ("q", "u", "u_dot")) -> dict[str, Any]:
    """By what tau is differentiated."""
    return {"by": tuple(by)}


def _here(name: str, file: str, takes: Sequence[str], meaning: str, choose: Any = None) -> Quantity:
    """A quantity whose derivation is the function of its name in a file of this folder."""
    return Quantity(name, f"{__name__}.{file}:{name}", tuple(takes), meaning, choose)


ALL, FORCED = ("q", "u", "tau", *LOADED), ("q", "u", "u_dot", *LOADED)
QUANTITIES: dict[str, Quantity] = BASIC | {
    q.name: q
    for q in (
        _here("mass_solve", "mass_inverse", ("q", "b", "t"), "M⁻¹ b"),
        _here("mass_inverse", "mass_inverse", ("q", "t"), "M⁻¹"),
        _here("operational_inertia", "mass_inverse", ("q", "t"), "Λ⁻¹ = J M⁻¹ Jᵀ of places", of_places),
        _here("coriolis", "coriolis", STATE, "C of M u̇ + C u + c₀"),
        _here("coriolis_offset", "coriolis", STATE, "c₀, what prescribed motions add to C u"),
        _here("centre_of_mass", "centroid", ("q", "t"), "mass centre of the system, in the ground"),
        _here("centre_velocity", "centroid", STATE, "velocity of the mass centre"),
        _here("centroidal", "centroid", ("q", "t"), "A_G and the locked inertia about the mass centre"),
        _here("centroidal_momentum", "centroid", STATE, "(angular, linear) momentum about the mass centre"),
        _here("regressor", "regressor", ("q", "u", "u_dot", "t"), "Y of tau = Y π + τ₀"),
        _here("regressor_offset", "regressor", FORCED, "τ₀ of tau = Y π + τ₀"),
        _here("inertial_parameters", "regressor", (), "π of tau = Y π + τ₀"),
        _here("pose", "kinematics", ("q", "t"), "orientation of a body and position of its point", of_a_place),
        _here("spatial_velocity", "kinematics", STATE, "(ω, v) of a body and its point", of_a_place),
        _here(
            "spatial_acceleration", "kinematics", ("q", "u", "u_dot", "t"), "(α, a) of a body and its point", of_a_place
        ),
        _here("jacobian", "kinematics", ("q", "t"), "J of (ω, v) = J u + o", of_a_place),
        _here("jacobian_offset", "kinematics", ("q", "t"), "o of (ω, v) = J u + o", of_a_place),
        _here("jacobian_rate", "kinematics", STATE, "J̇", of_a_place),
        _here("jacobian_offset_rate", "kinematics", STATE, "ȯ", of_a_place),
        _here("generalised_force", "kinematics", ("q", "wrench", "t"), "Jᵀ w of a wrench at a place", of_a_place),
        _here("forward_derivatives", "derivatives", ALL, "u̇ and its derivatives", forward_by),
        _here("inverse_derivatives", "derivatives", FORCED, "τ and its derivatives", inverse_by),
    )
}


def named(name: str) -> Quantity:
    if name not in QUANTITIES:
        raise ArgumentError(f"there is no quantity '{name}'; there are {', '.join(QUANTITIES)}")
    return QUANTITIES[name]


def program(e: Equations, name: str, **arguments: Any) -> Program:
    """The program of a quantity by name, with its further arguments; kept by these."""
    quantity = named(name)
    chosen = quantity.chosen(arguments)
    if BASIC.get(name) is quantity:
        return e.programs[name]
    return e.programs.keep((name, *chosen.items()), partial(quantity.program, chosen=chosen))


def listed() -> list[str]:
    """The quantities that are counted, reported and offered by the command line."""
    return [name for name, quantity in QUANTITIES.items() if quantity.listed]


class Listed(Mapping[str, Program]):
    """The programs of these quantities; any other that takes no further arguments may be asked for as well."""

    def __init__(self, e: Equations) -> None:
        self.e = e

    def __getitem__(self, name: str) -> Program:
        if name not in QUANTITIES:
            raise KeyError(f"there is no quantity '{name}'; there are {', '.join(listed())}")
        return program(self.e, name)

    def __contains__(self, name: object) -> bool:
        return name in listed()

    def __iter__(self) -> Iterator[str]:
        return iter(listed())

    def __len__(self) -> int:
        return len(listed())


def _placed(given: Any) -> tuple[Any, Any]:
    """A body, or a body and a point of it."""
    return (given, (0, 0, 0)) if isinstance(given, str | Body | Ground) else (given[0], given[1])


def where(body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND) -> "Location":
    """A place from what users say: bodies by name or as they hold them, numbers of any kind."""
    from freebody.quantities.points import Location

    named, axes = (x.name if isinstance(x, Body | Ground) else x for x in (body, frame))
    wrong = next((x for x in (named, axes) if not isinstance(x, str)), None)
    if wrong is not None:
        raise ArgumentError(f"a place is in a body, itself or by its name, not in {wrong!r}")
    if isinstance(at, str | bytes | Mapping) or not isinstance(at, Sized) or len(at) != 3:
        raise ArgumentError(f"a point of '{named}' needs three numbers or texts of parameters, not {at!r}")
    x, y, z = (s if isinstance(s, str) else _number(s) for s in at)
    return Location(named, (x, y, z), axes)


def _number(x: Any) -> int | float:
    """Whole numbers stay whole: terms times 0 and 1 then cost nothing."""
    try:
        value = float(x)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"a point needs numbers or texts of parameters, not {x!r}"[:300]) from None
    return int(value) if value.is_integer() else value
