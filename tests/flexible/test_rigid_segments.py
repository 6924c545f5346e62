"""Flexible links in closed loops compared with links of many rigid segments that are joined by springs.

A link of length L is cut into n − 1 segments of length h = L/n between two halves; neighbours are joined by springs
of stiffness EI/h (GJ/h in torsion). Its errors fall with n². Segments do not stretch and turn by any angle, so that the
comparison includes the terms of second order of the modes.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

import freebody as fb
from freebody.model.body import Body, Point
from tests.flexible.test_loops import four_bar

Array = NDArray[np.float64]
CRANK, COUPLER, ROCKER, GROUND = 0.2, 1.0, 0.6, 0.9  # m
EI, DENSITY, POLAR = 40.0, 0.5, 0.002  # N·m², also GJ; kg/m; kg·m
TIMES = np.linspace(0, 0.4, 41)
HUB: dict[str, Any] = {"mass": 0.1, "inertia": (0.02,) * 3}
# absolute angles of the undeformed links at the start
FIRST = 0.6
DIAGONAL = GROUND - CRANK * np.exp(1j * FIRST)
SECOND = float(np.angle(DIAGONAL) + np.arccos((COUPLER**2 + abs(DIAGONAL) ** 2 - ROCKER**2) / 2 / abs(DIAGONAL)))
THIRD = float(np.angle(COUPLER * np.exp(1j * SECOND) - DIAGONAL))


def bar(length: float) -> dict[str, Any]:
    return {"mass": 0.5, "com": (length / 2, 0, 0), "inertia": fb.rod(0.5, length, "x")}


def turned(angle: float, axis: int) -> Array:
    R, (j, k) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
    R[[j, k], [j, k]], R[j, k], R[k, j] = np.cos(angle), -np.sin(angle), np.sin(angle)
    return R


def beam(s: fb.System, root: Body, length: float, modes: Any, **shape: Any) -> tuple[Point, Point]:
    """A beam fixed to a body without mass; its middle and its end."""
    description = fb.Beam(length=length, density=DENSITY, nodes={"middle": length / 2}, **shape)
    body = s.body(f"{root.name} beam", on=root, flexible=description, modes=modes)
    return body.node("middle").origin, body.node("tip").origin


def frame(s: fb.System, root: Body, length: float, modes: int, parts: int = 8) -> tuple[Point, Point]:
    """A beam of finite elements with the static shapes of its tip; its middle and its end."""
    names = [{0: "root", parts // 2: "middle", parts: "tip"}.get(k, f"n{k}") for k in range(parts + 1)]
    bar = {"EI": (EI, EI), "GJ": EI, "EA": 1e7, "density": DENSITY, "polar_inertia": POLAR, "rotary_inertia": POLAR / 2}
    description = fb.Frame(
        nodes={name: (length * k / parts, 0, 0) for k, name in enumerate(names)},
        sections={"bar": bar},
        frame="root",
        interfaces=["middle", "tip"],
        static=["tip"],
        members=[{"nodes": pair, "section": "bar"} for pair in pairwise(names)],
    )
    body = s.body(f"{root.name} beam", on=root, flexible=description, modes=modes)
    return body.node("middle").origin, body.node("tip").origin


def segments(s: fb.System, root: Body, length: float, n: int, spatial: bool) -> tuple[Point, Point]:
    """A link of segments, the first one fixed to a body without mass; its middle and its end."""
    h, places = length / n, {"on": root}
    for k in range(n + 1):
        part = h / 2 if k in (0, n) else h
        if k and spatial:
            twist = s.body(f"{root.name} twist {k}", **places, joint=fb.Revolute("x", stiffness=EI / h))
            places = {"on": twist, "joint": fb.Universal("y", "z", stiffness=EI / h)}
        elif k:
            places["joint"] = fb.Revolute("z", stiffness=EI / h)
        mass, polar = DENSITY * part, POLAR * part if spatial else 0.0
        across = mass * part**2 / 12 + polar / 2
        body = s.body(f"{root.name} {k}", **places, mass=mass, com=(part / 2, 0, 0), inertia=(polar, across, across))
        places = {"on": body, "at": (part, 0, 0)}
    return s.bodies[f"{root.name} {n // 2}"].point((h / 2, 0, 0)), body.point((part, 0, 0))


def planar(n: int | None, modes: int = 6) -> fb.System:
    """A rigid crank that turns; coupler and rocker are of n segments each, or beams with pinned ends."""
    s, pinned = fb.System("four-bar"), {"EI": (EI, None), "ends": "pinned", "frame": "floating"}
    crank = s.body("crank", joint=fb.Revolute("z", initial=FIRST), **bar(CRANK))
    coupler = s.body("coupler", on=crank, at=(CRANK, 0, 0), joint=fb.Revolute("z", initial=SECOND - FIRST))
    rocker = s.body("rocker", at=(GROUND, 0, 0), joint=fb.Revolute("z", initial=THIRD))
    (middle, end), (_, knee) = (
        beam(s, root, length, modes, **pinned) if n is None else segments(s, root, length, n, False)
        for root, length in ((coupler, COUPLER), (rocker, ROCKER))
    )
    s.close(end, knee, fb.Revolute("z"), name="pin")
    s.output("middle", s.position(middle))
    return s


def askew(n: int | None, modes: tuple[int, int] | int = (3, 2), hub: bool = True) -> fb.System:
    """A rigid crank and rocker, and a coupler that bends and twists, since the axis of the last hinge is tilted by 5°:
    a mechanism of rigid bodies could not move. ``modes``: numbers of bending modes in each plane and of torsion modes,
    or of modes of a frame with static shapes. ``hub``: the coupler's first hinge has inertia."""
    s, tilt = fb.System("askew four-bar", gravity=(0, 0, 0)), turned(np.radians(5), 0)
    crank = s.body("crank", joint=fb.Revolute("z", initial=FIRST), **bar(CRANK))
    coupler = s.body(
        "coupler", on=crank, at=(CRANK, 0, 0), joint=fb.Revolute("z", initial=SECOND - FIRST), **(HUB if hub else {})
    )
    rocker = s.body("rocker", at=(GROUND, 0, 0), joint=fb.Revolute("z", initial=THIRD), **bar(ROCKER))
    shape = {"EI": (EI, EI), "GJ": EI, "polar_inertia": POLAR, "rotary_inertia": POLAR / 2}
    place = s, coupler, COUPLER
    if n is not None:
        middle, end = segments(*place, n, True)
    elif isinstance(modes, int):
        middle, end = frame(*place, modes)
    else:
        count = {"bending y": modes[0], "bending z": modes[0], "torsion": modes[1]}
        middle, end = beam(*place, count, **shape)
    s.close(
        end,
        rocker.point((ROCKER, 0, 0)),
        fb.Revolute("z"),
        orient=turned(THIRD - SECOND, 2) @ tilt,
        orient_to=tilt,
        name="pin",
    )
    s.joint_force(crank, 0.6, name="motor")
    s.output("middle", s.position(middle))
    return s


def path(s: fb.System, speed: float = 0.0) -> Array:
    """The middle of the coupler during a run from a speed of the crank, without deformation at the start. Its power
    balances, and its loop stays closed."""
    u = {name: 0.0 for name in s.derive().u if " " in name}
    run = s.simulate(TIMES, u={**u, "crank": speed} if speed else None, rtol=1e-8, atol=1e-10)
    assert run.success and run.energy_error < 1e-8 and max(run.drift) < 1e-12
    return np.asarray(run["middle"])


def distance(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b, axis=1).max())


def test_planar_loop_of_beams_is_the_limit_of_rigid_segments() -> None:
    """The coupler is deflected by 1.2 mm. Four segments are 0.03 mm off, sixteen 0.002 mm."""
    beams, rough, mid, fine = (path(planar(n), 8.0) for n in (None, 4, 8, 16))
    errors = [distance(x, beams) for x in (rough, mid, fine)]
    assert errors[0] < 5e-5 and 3.5 < errors[0] / errors[1] < 4.5 and 3.5 < errors[1] / errors[2] < 4.5
    assert distance((4 * fine - mid) / 3, beams) < 1e-6


def test_spatial_loop_of_a_beam_and_of_rigid_segments_have_one_limit() -> None:
    """The moments of the tilted hinge act at the end of the beam, where modes of a free end converge slowly; six static
    shapes and two modes are better than any of them."""
    rough, fine = path(askew(4)), path(askew(8))
    limit = (4 * fine - rough) / 3
    few, more = (distance(path(askew(None, modes)), limit) for modes in ((2, 1), (4, 3)))
    assert distance(fine, limit) < 1e-4 and more < 3e-3 and few > 3 * more
    assert distance(path(askew(None, 2)), limit) < 2e-4


def test_steps_of_ruthless_loops_are_not_limited_by_their_distance_from_the_loop() -> None:
    """Speeds that satisfy the constraints of order "ruthless" leave the loop by terms of second order, so that each
    step ends off it, in proportion to its size and whatever the tolerance."""
    s, options = four_bar((2, 2, 2), "ruthless"), {"u": {"crank": 8.0}, "max_steps": 5000}
    runs = [s.simulate(0.4, rtol=rtol, atol=rtol / 100, **options) for rtol in (1e-4, 1e-7, 1e-10)]
    assert all(run.success and run.drift[0] < 1e-7 for run in runs)
    ends = [run["crank"][-1] for run in runs]
    assert np.ptp(ends) < 2e-4 and abs(ends[-1] - four_bar((2, 2, 2)).simulate(0.4, **options)["crank"][-1]) < 0.01
    swept = s.derive().sweep([0, 0.4], {"u.crank": [7.0, 8.0]}, rtol=1e-7, atol=1e-9, max_steps=5000)
    assert abs(swept["q.crank"].values[1, -1] - ends[1]) < 1e-6


def test_spatial_loop_of_a_beam_on_a_bare_hinge_is_the_limit_of_rigid_segments() -> None:
    """The modes of the coupler take all of its inertia about its hinge but 0.2 %, on a body without mass."""
    rough, fine = path(askew(8, hub=False)), path(askew(16, hub=False))
    few, static = (path(askew(None, modes, hub=False)) for modes in ((2, 1), 6))
    limit = (4 * fine - rough) / 3
    assert distance(static, limit) < 2e-4 and distance(few, limit) < 0.02
