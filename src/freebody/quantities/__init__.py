"""The table of quantities that equations compute.

Basic ones are in `formulations/derivation.py`, the others in this folder. To add one, write its derivation in a file
here and an entry in the table below; then it has a program, a count, a listing, and a method of compiled functions
(`docs/make_methods.py` writes the source of these methods).
"""

from collections.abc import Iterator, Mapping, Sequence, Sized
from functools import partial
from typing import TYPE_CHECKING, Any

from freebody.errors import ArgumentError
from freebody.formulations.derivation import LOADED, PLACED, STATE, Derivation
from freebody.formulations.derivation import QUANTITIES as BASIC
from freebody.formulations.quantity import Quantity
from freebody.model.body import Body, Ground
from freebody.program.program import Program

if TYPE_CHECKING:
    from freebody.quantities.kinematics import Location

GROUND, ORIGIN = "ground", (0, 0, 0)
ALL, FORCED = ("q", "u", "tau", *LOADED), ("q", "u", "u_dot", *LOADED)


def of_point(body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND) -> dict[str, Any]:
    """The arguments of quantities of a point of a body; ``frame`` are the axes of the components."""
    return {"where": location(body, at, frame)}


def of_points(places: Sequence[Any], frame: Any = GROUND) -> dict[str, Any]:
    """The arguments of quantities of several points, each a body or a body and a point of it."""
    pairs = ((p, ORIGIN) if isinstance(p, str | Body | Ground) else (p[0], p[1]) for p in places)
    return {"places": tuple(location(body, at, frame) for body, at in pairs)}


def forward_by(by: Sequence[str] = ("q", "u", "tau")) -> dict[str, Any]:
    """The variables by which u̇ is differentiated."""
    return {"by": tuple(by)}


def inverse_by(by: Sequence[str] = ("q", "u", "u_dot")) -> dict[str, Any]:
    """The variables by which tau is differentiated."""
    return {"by": tuple(by)}


def _here(
    name: str, file: str, takes: Sequence[str], meaning: str, doc: str, choose: Any = None, result: str = "array"
) -> Quantity:
    """A quantity whose derivation is the function of its name in a file of this folder."""
    return Quantity(name, f"{__name__}.{file}:{name}", tuple(takes), meaning, choose, doc=doc, result=result)


QUANTITIES: dict[str, Quantity] = BASIC | {
    q.name: q
    for q in (
        _here("mass_solve", "mass_inverse", ("q", "b", *LOADED), "M⁻¹ b",
              "M⁻¹ b; with constraints u̇ for generalised forces b, less that at b = 0."),
        _here("mass_inverse", "mass_inverse", PLACED, "M⁻¹",
              "M⁻¹; with constraints ∂u̇/∂tau = M⁻¹ − M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ G M⁻¹, whose rank is the number of freedoms."),
        _here("operational_inertia", "mass_inverse", PLACED, "Λ⁻¹ = J M⁻¹ Jᵀ of places",
              "Λ⁻¹ = J M⁻¹ Jᵀ of one point or several, each a body or (body, point of it): six rows and columns for"
              " each; M⁻¹ is that of ``mass_inverse``.", of_points),
        _here("reaction_matrices", "redundancy", PLACED, "reactions per multiplier",
              "Of all equations of constraints, those that are left out among them: G, and for each reaction (named as"
              " in ``reactions``; ``name.multipliers`` of constraints without a force at a point) the matrix of its"
              " components per multiplier.", result="dict"),
        _here("coriolis", "coriolis", STATE, "C of M u̇ + C u + c₀", "C of M u̇ + C u + c₀ = …, with Ṁ − 2C skew."),
        _here("coriolis_offset", "coriolis", STATE, "c₀, what prescribed motions add to C u",
              "c₀, the part of the inertia forces by prescribed motions beside C u; zero where there are none."),
        _here("centre_of_mass", "centroid", PLACED, "mass centre of the system, in the ground",
              "The mass centre of the whole system, in the ground."),
        _here("centre_velocity", "centroid", STATE, "velocity of the mass centre",
              "The velocity of the mass centre of the whole system."),
        _here("centroidal", "centroid", PLACED, "A_G and the locked inertia about the mass centre",
              "A_G and the locked inertia, both about the mass centre.", result="centroidal"),
        _here("centroidal_momentum", "centroid", STATE, "(angular, linear) momentum about the mass centre",
              "(angular, linear) momentum about the mass centre, along the ground's axes."),
        _here("regressor", "regressor", FORCED, "Y of tau = Y π + τ₀",
              "Y of tau = Y π + τ₀, ten columns for each body: m, h, J about its origin (docs/quantities.md)."),
        _here("regressor_offset", "regressor", FORCED, "τ₀ of tau = Y π + τ₀",
              "τ₀ of tau = Y π + τ₀: armatures times u̇ less the forces of loads and joints on the speeds."),
        _here("inertial_parameters", "regressor", (), "π of tau = Y π + τ₀",
              "π of tau = Y π + τ₀ (``Equations.inertial_parameters`` has their names)."),
        _here("pose", "kinematics", PLACED, "orientation of a body and position of its point", "", of_point, ""),
        _here("spatial_velocity", "kinematics", STATE, "(ω, v) of a body and its point",
              "(ω, v) of a body and its point relative to the ground.", of_point),
        _here("spatial_acceleration", "kinematics", FORCED, "(α, a) of a body and its point",
              "(α, a) of a body and its point relative to the ground, without gravity. None for u̇: zero.", of_point),
        _here("jacobian", "kinematics", PLACED, "J of (ω, v) = J u + o", "J (6 × nu) of (ω, v) = J u + o.",
              of_point),
        _here("jacobian_offset", "kinematics", PLACED, "o of (ω, v) = J u + o",
              "o of (ω, v) = J u + o: the velocity by prescribed motions alone.", of_point),
        _here("jacobian_rate", "kinematics", STATE, "J̇", "J̇ (6 × nu), the rate of each entry of J along the motion.",
              of_point),
        _here("jacobian_offset_rate", "kinematics", STATE, "ȯ",
              "ȯ: the components of (ω, v) change at J u̇ + J̇ u + ȯ.", of_point),
        _here("generalised_force", "kinematics", ("q", "wrench", *LOADED), "Jᵀ w of a wrench at a place", "",
              of_point, ""),
        _here("forward_derivatives", "derivatives", ALL, "u̇ and its derivatives",
              "``u_dot``, and ∂u̇/∂x for each x of ``by``: q (along q̇ = N δ), u, tau, t, z, inputs, parameters. With"
              " constraints also ``multipliers`` and ``multipliers_by_x``.",
              forward_by, "derivatives"),
        _here("forward_jacobian", "derivatives", ALL, "[∂u̇/∂q, ∂u̇/∂u, ∂u̇/∂tau, u̇]",
              "[∂u̇/∂q, ∂u̇/∂u, ∂u̇/∂tau, u̇] as one array, nu × (3 nu + 1); q along q̇ = N δ."),
        _here("inverse_derivatives", "derivatives", FORCED, "τ and its derivatives",
              "``tau``, and ∂τ/∂x for each x of ``by``: q (along q̇ = N δ), u, u_dot, t, z, inputs, parameters.",
              inverse_by, "derivatives"),
    )
}  # fmt: skip


def named(name: str) -> Quantity:
    if name not in QUANTITIES:
        raise ArgumentError(f"there is no quantity '{name}'; choose from {', '.join(QUANTITIES)}")
    return QUANTITIES[name]


def program(e: Derivation, name: str, **arguments: Any) -> Program:
    """The program of a quantity by name, with its further arguments; stored by these."""
    quantity = named(name)
    chosen = quantity.chosen(arguments)
    if BASIC.get(name) is quantity:
        return e.programs[name]
    return e.programs.keep((name, *chosen.items()), partial(quantity.program, chosen=chosen))


def listed() -> list[str]:
    """The quantities that are counted, reported and offered by the command line."""
    return [name for name, quantity in QUANTITIES.items() if quantity.listed]


def countable(e: Derivation) -> list[str]:
    """The listed quantities that these equations have, without those that convert speeds."""
    model, absent = e.tree.model, {"to_standard", "from_standard"}
    absent |= {"outputs"} if not model.outputs else set()
    absent |= {"constraint", "multipliers", "project"} if not model.constraints else set()
    absent |= set() if e.has_standard_speeds else {"reactions"}
    return [name for name in listed() if name not in absent]


class ListedPrograms(Mapping[str, Program]):
    """The programs of listed quantities by name; any other without further arguments is found as well."""

    def __init__(self, e: Derivation) -> None:
        self.e = e

    def __getitem__(self, name: str) -> Program:
        if name not in QUANTITIES:
            raise KeyError(f"there is no quantity '{name}'; choose from {', '.join(listed())}")
        return program(self.e, name)

    def __contains__(self, name: object) -> bool:
        return name in listed()

    def __iter__(self) -> Iterator[str]:
        return iter(listed())

    def __len__(self) -> int:
        return len(listed())


def location(body: Any, at: Sequence[Any] = ORIGIN, frame: Any = GROUND) -> "Location":
    """A point of a body, from a body or its name and numbers of any kind."""
    from freebody.quantities.kinematics import Location

    named, axes = (x.name if isinstance(x, Body | Ground) else x for x in (body, frame))
    wrong = next((x for x in (named, axes) if not isinstance(x, str)), None)
    if wrong is not None:
        raise ArgumentError(f"a point needs a body or the name of one, not {wrong!r}")
    if isinstance(at, str | bytes | Mapping) or not isinstance(at, Sized) or len(at) != 3:
        raise ArgumentError(f"a point of '{named}' needs three numbers or texts of parameters, not {at!r}")
    numbers: list[int | float | str] = []
    for x in at:
        try:
            value = x if isinstance(x, str) else float(x)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"a point needs numbers or texts of parameters, not {x!r}"[:300]) from None
        whole = isinstance(value, float) and value.is_integer()  # integers are exact: terms times 0 and 1 cost nothing
        numbers.append(int(value) if whole else value)
    return Location(named, (numbers[0], numbers[1], numbers[2]), axes)
