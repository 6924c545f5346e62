"""Operations of forward dynamics of closed flexible mechanisms by the solvers that accept flexible bodies
(docs/decisions/024).

    python benchmarks/flexible_solvers.py
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import freebody as fb

HUB: dict[str, Any] = {"mass": 0.05, "inertia": (1e-3,) * 3}
SPACE: dict[str, Any] = {"EI": (300.0, 200.0), "density": 1.5, "polar_inertia": 0.02}
SOLVERS = ("sparse", "tree", "compliance", "penalty", "auto")


def strip(s: fb.System, name: str, modes: int, order: str, length: float, angle: float, **where: Any) -> Any:
    """A beam that turns about z and bends in the plane."""
    return s.body(
        name,
        joint=fb.Revolute("z", initial=angle),
        modes=modes,
        order=order,
        **where,
        **HUB,
        flexible=fb.Beam(length=length, EI=(20.0, None), density=0.5),
    )


def four_bars(count: int, modes: int, order: str) -> fb.System:
    """Four-bars in a row, all of their bodies flexible."""
    s = fb.System(f"{count} four-bars")
    left = strip(s, "left", modes, order, 0.3 if count == 1 else 1.0, 1.5)
    for k in range(count):
        coupler = strip(s, f"coupler{k}", modes, order, 1.0, -1.5, on=left.node("tip"))
        right = strip(s, f"right{k}", modes, order, 0.6 if count == 1 else 1.0, 1.5, at=(k + 1.0, 0, 0))
        s.close(coupler.node("tip"), right.node("tip"), fb.Revolute("z"), name=f"pin{k}")
        left = right
    return s


def ladder(rungs: int, modes: int, order: str) -> fb.System:
    s, sides = fb.System(f"ladder of {rungs}"), [at_ground(0.0), at_ground(1.0)]
    for k in range(rungs):
        angle = 0.0 if k else 1.5
        beams = [strip(s, f"{n}{k}", modes, order, 1.0, angle, **where) for n, where in zip("ab", sides, strict=True)]
        rung = strip(s, f"c{k}", modes, order, 1.0, -1.5, on=beams[0].node("tip"))
        s.close(rung.node("tip"), beams[1].node("tip"), fb.Revolute("z"), name=f"pin{k}")
        sides = [{"on": beam.node("tip")} for beam in beams]
    return s


def at_ground(x: float) -> dict[str, Any]:
    return {"at": (x, 0, 0)}


def ring(count: int, modes: int, order: str, spatial: bool = False) -> fb.System:
    """A chain that is closed to the ground."""
    s, tip = fb.System(f"{'spatial' if spatial else 'planar'} ring of {count}"), None
    axes = ("z", "y", (0.6, 0, 0.8), "x") if spatial else ("z",)
    EI = {"EI": (20.0, 30.0), "polar_inertia": 0.01} if spatial else {"EI": (20.0, None)}
    for k in range(count):
        joint = fb.Revolute(axes[k % len(axes)], initial=0.3)
        body = s.body(
            f"b{k}",
            on=tip,
            orient=("y", 0.7) if spatial else None,
            joint=joint,
            modes=modes,
            order=order,
            flexible=fb.Beam(length=1.0, density=0.5, **EI),
            **HUB,
        )
        tip = body.node("tip")
    s.close(tip, s.ground.point((0.3, 0, 0)), fb.Spherical() if spatial else fb.Revolute("z"), name="pin")
    return s


def slider_crank(modes: int, order: str) -> fb.System:
    s = fb.System("slider-crank")
    crank = s.body("crank", joint=fb.Revolute("z", initial=0.5), mass=1.0, com=(0.1, 0, 0), inertia=(0.01,) * 3)
    rod = s.body(
        "rod",
        on=crank,
        at=(0.2, 0, 0),
        joint=fb.Revolute("z"),
        modes=modes,
        order=order,
        flexible=fb.Beam(length=0.6, EI=(20.0, None), density=0.5),
    )
    slider = s.body("slider", joint=fb.Prismatic("x", initial=0.75), mass=0.5)
    s.close(rod.node("tip"), slider, fb.Revolute("z"), name="pin")
    return s


def platform(legs: int, modes: int, order: str) -> fb.System:
    s = fb.System(f"platform on {legs} legs")
    top = s.body("top", joint=fb.Free(), mass=3.0, inertia=(0.3, 0.3, 0.5))
    for k, angle in enumerate(np.arange(legs) * 2 * np.pi / legs):
        foot = (float(np.cos(angle)), float(np.sin(angle)), 0.0)
        leg = s.body(
            f"leg{k}",
            at=foot,
            orient=("y", -np.pi / 2),
            joint=fb.Universal("y", "z"),
            mass=0.1,
            inertia=(0.01,) * 3,
            modes=modes,
            order=order,
            flexible=fb.Beam(length=1.0, **SPACE),
        )
        s.close(leg.node("tip"), top.point(foot), fb.Spherical(), name=f"ball{k}")
    return s


def spatial_loop(modes: int, order: str) -> fb.System:
    """Two flexible bodies at the ends of a loop, nothing on their nodes."""
    s, bob = fb.System("spatial loop"), {"mass": 0.2, "inertia": (0.02,) * 3, "modes": modes, "order": order}
    a = s.body("a", joint=fb.Revolute((0.2, 0, 1)), mass=1.0, com=(0.2, 0, 0), inertia=(0.1,) * 3)
    b = s.body("b", on=a, at=(0.5, 0, 0), joint=fb.Universal(), flexible=fb.Beam(length=1.0, **SPACE), **bob)
    c = s.body("c", at=(1.3, 0.2, 0), joint=fb.Revolute("z"), flexible=fb.Beam(length=0.7, **SPACE), **bob)
    s.close(b.node("tip"), c.node("tip"), fb.Spherical(), name="ball")
    return s


def mechanisms(order: str) -> Iterator[tuple[fb.System, int]]:
    """Systems and the number of modes of each body."""
    for modes in (2, 10):
        yield four_bars(1, modes, order), modes
    for modes in (1, 3):
        yield four_bars(3, modes, order), modes
        yield ladder(3, modes, order), modes
        yield ring(4, modes, order), modes
        yield ring(3, modes, order, spatial=True), modes
        yield slider_crank(modes, order), modes
    yield ring(3, 8, order, spatial=True), 8
    yield ring(6, 2, order, spatial=True), 2
    for modes in (2, 6):
        yield platform(3, modes, order), modes
        yield spatial_loop(modes, order), modes


def main() -> None:
    worst = 1.0
    for order in ("full", "ruthless"):
        print(f"\norder {order!r}\n{'mechanism':24} modes  {'kane':>7}" + "".join(f"{name:>12}" for name in SOLVERS))
        for s, modes in mechanisms(order):
            equations = [s.derive("kane"), *(s.derive(solver=name) for name in SOLVERS)]
            counts = [e.operations["forward_dynamics"].total for e in equations]
            worst = max(worst, counts[-1] / min(counts))
            print(f"{s.name:24} {modes:5}  {counts[0]:7}" + "".join(f"{count:12}" for count in counts[1:]))
    print(f"\nthe automatic choice has at most {worst:.2f} times the fewest operations")


if __name__ == "__main__":
    main()
