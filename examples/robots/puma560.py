"""The PUMA 560 of Unimation: six revolute joints, its lengths, masses, mass centres and inertias as parameters.

Armstrong, Khatib & Burdick, "The explicit dynamic model and inertial parameters of the PUMA 560 arm", ICRA 1986, which
measured a dismantled arm. Frames are theirs (modified Denavit–Hartenberg parameters): joint k lies at a(k−1) along the
x of the frame before, turned by alpha(k−1) about it, d(k) along its own z. Their tables of the links' masses, mass
centres and inertias about these are kept as parameters' values: products of inertia are neglected there, of the first
link only the inertia about its axis matters. What motors and gears add to the diagonal of M they give
as I_m = 1.14, 4.71, 0.827, 0.200, 0.179, 0.193 kg m² (here ``armature=True``).
"""

from typing import Any, NamedTuple

import freebody as fb

ALONG = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
UP = ((1, 0, 0), (0, 0, -1), (0, 1, 0))  # +90° about x
DOWN = ((1, 0, 0), (0, 0, 1), (0, -1, 0))  # −90° about x

LENGTHS = {"a2": 0.4318, "a3": -0.0203, "d2": 0.2435, "d3": -0.0934, "d4": 0.4331}
MOTORS = (1.14, 4.71, 0.827, 0.200, 0.179, 0.193)


class Link(NamedTuple):
    """A link on the one before; what is None is not a parameter of the model, but 0."""

    a: str
    turn: tuple[tuple[int, ...], ...]
    d: str
    mass: float | None
    com: tuple[float | None, float | None, float | None]
    inertia: tuple[float | None, float | None, float | None]  # about the mass centre, kg m2


LINKS = (
    Link("0", ALONG, "0", None, (None, None, None), (None, None, 0.35)),
    Link("0", DOWN, "d2", 17.40, (0.068, 0.006, -0.016), (0.130, 0.524, 0.539)),
    Link("a2", ALONG, "d3", 4.80, (None, -0.070, 0.014), (0.066, 0.0125, 0.086)),
    Link("a3", UP, "d4", 0.82, (None, None, -0.019), (0.0018, 0.0018, 0.0013)),
    Link("0", DOWN, "0", 0.34, (None, None, None), (0.0003, 0.0003, 0.0004)),
    Link("0", UP, "0", 0.09, (None, None, 0.032), (0.00015, 0.00015, 0.00004)),
)


def system(full: bool = False, armature: bool = False) -> fb.System:
    """The arm on the ground, its first axis upright. ``full`` gives every link ten inertial parameters, those that the
    tables leave out with the value 0 (of the first link only what its joint can tell: the inertia about its axis)."""
    s = fb.System("puma560", gravity=(0, 0, "-g"))
    s.parameters(g=9.81, **LENGTHS)
    on: Any = s.ground
    for k, link in enumerate(LINKS, 1):
        if armature:
            s.parameter(f"Im{k}", MOTORS[k - 1])
        hinge = fb.Revolute("z", armature=f"Im{k}") if armature else fb.Revolute("z")
        on = s.body(f"link{k}", on=on, at=_place(link), orient=link.turn, joint=hinge, **_inertial(s, link, k, full))
    return s


def _place(link: Link) -> tuple[str, str, str]:
    """a x + d z, z being the last column of the turn."""
    return link.a, f"{link.turn[1][2]}*{link.d}", f"{link.turn[2][2]}*{link.d}"


def _inertial(s: fb.System, link: Link, k: int, full: bool) -> dict[str, Any]:
    """Mass, mass centre and inertia of link k, each a parameter."""
    every = full and k > 1

    def known(name: str, value: float | None) -> Any:
        return s.parameter(f"{name}{k}", value or 0.0) if every or value is not None else 0

    com = tuple(known(n, v) for n, v in zip("xyz", link.com, strict=True))
    xx, yy, zz = (known(n, v) for n, v in zip(("Ixx", "Iyy", "Izz"), link.inertia, strict=True))
    xy, xz, yz = (known(n, None) for n in ("Ixy", "Ixz", "Iyz"))
    return {"mass": known("m", link.mass), "com": com, "inertia": ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))}


if __name__ == "__main__":
    M = system().derive("poincare").matrices().M
    print(M.text("M"))
    print(f"{M.operations} operations, {len(M.text())} characters")
