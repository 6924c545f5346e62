"""Random mechanisms some of whose equations of constraints follow from others, vanish, or vanish but for rounding; each
is built with numbers, or with a parameter for each number."""

from collections.abc import Callable
from typing import Any

import numpy as np

import freebody as fb

Array = np.ndarray


class Numbers:
    """Returns numbers as they are, or, if ``symbolic``, a new parameter for each."""

    def __init__(self, system: fb.System, symbolic: bool) -> None:
        self.system, self.symbolic, self.count = system, symbolic, 0

    def __call__(self, x: float) -> Any:
        if not self.symbolic:
            return float(x)
        self.count += 1
        return self.system.parameter(f"p{self.count}", float(x))


def _axis(rng: np.random.Generator) -> Array:
    vector = rng.normal(size=3)
    return vector / np.linalg.norm(vector)


def _body(n: Numbers, rng: np.random.Generator) -> dict[str, Any]:
    com = tuple(n(x) for x in rng.uniform(-0.3, 0.3, 3))
    return {"mass": n(rng.uniform(0.5, 2)), "com": com, "inertia": tuple(np.array([1, 1.1, 1.2]) * rng.uniform(0.5, 1))}


def door(s: fb.System, n: Numbers, rng: np.random.Generator) -> None:
    """A door with a second hinge on an arm: all equations of the hinge vanish but for rounding."""
    on: Any = s.ground
    for k in range(2):
        at = tuple(rng.uniform(-0.5, 0.5, 3))
        on = s.body(f"arm{k}", on=on, at=at, joint=fb.Revolute(tuple(_axis(rng))), **_body(n, rng))
    axis, height, place = _axis(rng), rng.uniform(0.3, 2), rng.uniform(-0.5, 0.5, 3)
    leaf = s.body("leaf", on=on, at=tuple(place), joint=fb.Revolute(tuple(axis)), **_body(n, rng))
    joint = (fb.Spherical(), fb.Cylindrical(tuple(axis)), fb.Revolute(tuple(axis)))[rng.integers(3)]
    first, second = (tuple(n(x) for x in p) for p in (place + height * axis, height * axis))
    s.close(on.point(first), leaf.point(second), joint, name="hinge")


def four_bar(s: fb.System, n: Numbers, rng: np.random.Generator) -> None:
    """A planar loop about an axis in general position."""
    axis = _axis(rng)
    along = np.cross(axis, _axis(rng))
    along, lengths = along / np.linalg.norm(along), rng.uniform(0.5, 1.5, 2)
    across, hinge = np.cross(axis, along), fb.Revolute(tuple(axis))
    left = s.body("left", joint=hinge, **_body(n, rng))
    at = tuple(n(x) for x in lengths[0] * along)
    top = s.body("top", on=left, at=at, joint=hinge, **_body(n, rng))
    right = s.body("right", at=tuple(n(x) for x in lengths[1] * across), joint=hinge, **_body(n, rng))
    pin = 0.7 * across + 0.2 * along
    joint = (hinge, fb.Spherical(), fb.Cylindrical(tuple(axis)))[rng.integers(3)]
    end = lengths[0] * along + pin - lengths[1] * across
    s.close(top.point(tuple(pin)), right.point(tuple(end)), joint, name="pin")


def gears(s: fb.System, n: Numbers, rng: np.random.Generator) -> None:
    """Three discs whose ratios are said three times."""
    for k in range(3):
        s.body(f"disc{k}", at=(k, 0, 0), joint=fb.Revolute("z"), **_body(n, rng))
    for a, b in ((0, 1), (1, 2), (0, 2)):
        s.constrain(f"q.disc{a} - q.disc{b}", name=f"ratio{a}{b}")


def rods(s: fb.System, n: Numbers, rng: np.random.Generator) -> None:
    """Three equal rods."""
    bob = s.body("bob", joint=fb.BuildingBlock(translations=("x", "z")), at=(0, 0, -1), **_body(n, rng))
    for k in range(3):
        s.rod(s.ground, bob, n(1.0), name=f"rod{k}")


def table(s: fb.System, n: Numbers, rng: np.random.Generator) -> None:
    """A plate with four legs on a floor."""
    plate = s.body("plate", joint=fb.Free(), **_body(n, rng))
    for k in range(4):
        point = (np.cos(k * np.pi / 2), np.sin(k * np.pi / 2), 0)
        s.point_on_plane(plate.point(point), s.ground, "z", name=f"leg{k}")


def stopper(s: fb.System) -> None:
    """A loop of its own, with a parameter that has one possible value."""
    s.parameter("reach", 1.0)
    arm = s.body("stopper", joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1))
    s.close(s.ground.point(("reach", 0, 0)), arm.point((1, 0, 0)), fb.Spherical(), name="stop")


MECHANISMS: tuple[Callable[[fb.System, Numbers, np.random.Generator], None], ...] = (door, four_bar, gears, rods, table)


def variants(seed: int) -> dict[str, fb.System]:
    """A random mechanism with numbers, beside another one, and with parameters in place of numbers."""
    systems = dict[str, fb.System]()
    for name in ("numbers", "beside another", "parameters"):
        s = systems[name] = fb.System(name)
        MECHANISMS[seed % len(MECHANISMS)](s, Numbers(s, name == "parameters"), np.random.default_rng(seed))
        if name == "beside another":
            stopper(s)
    return systems


def flat_bars(count: int) -> fb.System:
    """Equal four-bars in a row that are flat at zero."""
    s = fb.System("bars", gravity=(0, -9.81, 0))
    bar: dict[str, Any] = {"joint": fb.Revolute("z"), "mass": 1.0, "com": (0.5, 0, 0), "inertia": (0, 1 / 12, 1 / 12)}
    sides = [s.body(f"side{k}", at=(k, 0, 0), **bar) for k in range(count + 1)]
    for k in range(count):
        top = s.body(f"top{k}", on=sides[k], at=(1, 0, 0), **bar)
        s.close(top.point((1, 0, 0)), sides[k + 1].point((1, 0, 0)), fb.Revolute("z"), name=f"pin{k}")
    return s


def doors(count: int) -> fb.System:
    """Doors on two hinges each, the second of which restricts nothing, held by a rod."""
    s = fb.System("doors")
    for k in range(count):
        solid: dict[str, Any] = {"mass": 1, "com": (0.1, 0, 0.3), "inertia": (1, 1, 1)}
        frame = s.body(f"frame{k}", at=(3 * k, 0, 0), joint=fb.Revolute("y"), **solid)
        leaf = s.body(f"leaf{k}", on=frame, at=(0, 0.1, 0), joint=fb.Revolute("z"), **solid)
        s.close(frame.point((0, 0.1, 0.3)), leaf.point((0, 0, 0.1 + 0.2)), fb.Spherical(), name=f"hinge{k}")
        s.rod(leaf.point((1, 0, 0)), s.ground.point((3 * k + 1, 0.9, 0.2)), float(np.hypot(0.8, 0.2)), name=f"rod{k}")
    return s


def upright_bars(count: int) -> fb.System:
    """Equal four-bars in a row that stand upright."""
    s = fb.System("row")
    bar: dict[str, Any] = {"joint": fb.Revolute("y"), "mass": 1, "com": (0, 0, 0.5), "inertia": fb.rod(1, 1, "z")}
    across: dict[str, Any] = {"mass": 1, "com": (0.5, 0, 0), "inertia": fb.rod(1, 1, "x")}
    left = s.body("side0", **bar)
    for k in range(1, count + 1):
        top = s.body(f"top{k}", on=left, at=(0, 0, 1), joint=fb.Revolute("y"), **across)
        left = s.body(f"side{k}", at=(k, 0, 0), **bar)
        s.close(top.point((1, 0, 0)), left.point((0, 0, 1)), fb.Revolute("y"), name=f"pin{k}")
    return s
