"""Reactions of systems with redundant constraints: those that the motion does not determine, and the smallest ones, are
those of the whole system in absolute coordinates, whose equations have no tree and no cut."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError
from tests.formulations.test_random_loops import SEEDS, drawn
from tests.run.constrained_systems import four_bar, parallel_bars

Array = np.ndarray
CLOSE = 1e-9


def rotation(x: float) -> Array:
    """About the x axis."""
    return np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])


def bennett() -> fb.System:
    """Four hinges in space with one freedom: opposite links are equal, and a/sin α = b/sin β."""
    a, b, alpha = 1.0, 1.8, np.radians(20)
    beta = np.arcsin(b / a * np.sin(alpha))
    s = fb.System("bennett")
    one = s.body("one", joint=fb.Revolute("z", initial=0.9), mass=1, com=(0.5, 0, 0), inertia=(1, 1, 1))
    two = s.body("two", on=one, at=(a, 0, 0), orient=rotation(alpha), joint=fb.Revolute("z"), mass=2, inertia=(1, 2, 2))
    three = s.body(
        "three", on=two, at=(b, 0, 0), orient=rotation(beta), joint=fb.Revolute("z"), mass=1, inertia=(1, 1, 1)
    )
    s.close(
        three.point((a, 0, 0)),
        s.ground.point((-b, 0, 0)),
        fb.Revolute("z"),
        orient=rotation(alpha),
        orient_to=rotation(-beta),
        name="pin",
    )
    return s


def rod_ends(k: int) -> tuple[Array, Array]:
    a, b = 2 * np.pi * k / 7, 2 * np.pi * k / 7 + 0.5 * (-1) ** k
    return np.array([1.2 * np.cos(a), 1.2 * np.sin(a), 0]), np.array([0.6 * np.cos(b), 0.6 * np.sin(b), 0])


def hung_plate() -> fb.System:
    """A plate on seven rods; four of these are lines of one hyperboloid, of which three determine the fourth."""
    s = fb.System("plate")
    plate = s.body("plate", joint=fb.Free(), at=(0, 0, 1), mass=1, com=(0.1, 0.2, 0), inertia=(1, 1, 2))
    for k in range(7):
        start, end = rod_ends(k)
        s.rod(s.ground.point(start), plate.point(end), float(np.linalg.norm(end + np.array(Z) - start)), name=f"rod{k}")
    return s


def slider_crank_in_space() -> fb.System:
    """With joints that just determine all reactions."""
    s = fb.System("spatial slider-crank")
    crank = s.body("crank", joint=fb.Revolute("x"), mass=1, com=(0, 0.1, 0), inertia=(1, 1, 1))
    rod = s.body("rod", on=crank, at=(0, 0.2, 0.1), joint=fb.Spherical(), mass=1, com=(0.5, 0, 0), inertia=(1, 1, 1))
    slider = s.body("slider", joint=fb.Prismatic("x", initial=0.9), mass=1)
    s.close(rod.point((1, 0, 0)), slider, fb.Universal("y", "z"), name="pin")
    return s


X, Y, Z, HERE = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)


@dataclass
class Cut:
    """A constraint between two bodies as the test knows it: the point of the second body at which it acts, and the axes
    about which it turns, each in a body; or of a rod its point of the first body."""

    name: str
    one: str
    other: str
    at: Sequence[float]
    turns: Sequence[tuple[str, Sequence[float]]] = ()
    start: Sequence[float] | None = None


ALPHA, BETA = np.radians(20), np.arcsin(1.8 * np.sin(np.radians(20)))
CASES: dict[Callable[[], fb.System], list[Cut]] = {
    four_bar: [Cut("pin", "coupler", "rocker", Z, [("rocker", Y)])],
    parallel_bars: [Cut(f"pin{k}", "beam", f"bar{k}", Z, [(f"bar{k}", Y)]) for k in (1, 2)],
    bennett: [Cut("pin", "three", "ground", (-1.8, 0, 0), [("ground", rotation(-BETA)[:, 2])])],
    hung_plate: [Cut(f"rod{k}", "ground", "plate", rod_ends(k)[1], start=rod_ends(k)[0]) for k in range(7)],
    slider_crank_in_space: [Cut("pin", "rod", "slider", HERE, [("rod", Y), ("slider", Z)])],
}
UNDETERMINED = {
    four_bar: {"crank", "coupler", "rocker", "pin"}, parallel_bars: {"bar0", "bar1", "bar2", "beam", "pin1", "pin2"},
    bennett: {"one", "two", "three", "pin"}, hung_plate: {"rod0", "rod2", "rod4", "rod6"}, slider_crank_in_space: set(),
}  # fmt: skip


def resisted(motions: Array) -> Array:
    """The torques and forces that do no work on motions (angular, linear), as columns."""
    U, sizes, _ = np.linalg.svd(motions) if motions.size else (np.eye(6), np.zeros(0), None)
    return U[:, np.count_nonzero(sizes > 1e-9) :]


class Absolute:
    """The joints of a system at a state, without a tree. ``wrenches`` has for each joint or constraint the torques and
    forces that it can put on its second body at a point, along the ground's axes, as columns; ``stresses`` those that
    all of them together can have while no body is loaded."""

    def __init__(self, s: fb.System, cuts: Sequence[Cut], q: Array) -> None:
        equations, self.bodies = s.derive("kane"), list(s.bodies)
        f = equations.compile("numpy")
        self.poses = {name: (f.pose(q, name).R, f.pose(q, name).p) for name in self.bodies}
        self.poses["ground"] = np.eye(3), np.zeros(3)
        self.wrenches, self.ends = dict[str, Array](), dict[str, tuple[str, str, Array]]()
        for name, body in s.bodies.items():
            own = [k for k, n in enumerate(equations.u) if n == name or n.startswith(f"{name}.")]
            self.wrenches[name] = resisted(f.jacobian(q, name)[:, own])
            self.ends[name] = body.parent.name, name, self.poses[name][1]
        for cut in cuts:
            p = self.place(cut.other, cut.at)
            self.ends[cut.name] = cut.one, cut.other, p
            turns = [self.poses[name][0] @ np.array(axis) for name, axis in cut.turns]
            self.wrenches[cut.name] = resisted(np.array([[*turn, 0, 0, 0] for turn in turns]).T)
            if cut.start is not None:
                along = p - self.place(cut.one, cut.start)
                self.wrenches[cut.name] = np.array([[0, 0, 0, *along / np.linalg.norm(along)]]).T
        H = np.hstack([self.on_bodies(name, W) for name, W in self.wrenches.items()])
        _, sizes, V = np.linalg.svd(H)
        null = V[np.count_nonzero(sizes > 1e-9 * sizes[0]) :].T
        ends = np.cumsum([W.shape[1] for W in self.wrenches.values()])[:-1]
        parts = zip(self.wrenches.items(), np.split(null, ends), strict=True)
        self.stresses = {name: W @ part for (name, W), part in parts}

    def place(self, name: str, at: Sequence[float]) -> Array:
        R, p = self.poses[name]
        return np.asarray(p + R @ np.array(at, float))

    def on_bodies(self, name: str, W: Array) -> Array:
        """Torques and forces of a joint on all bodies, about the ground's origin."""
        one, other, p = self.ends[name]
        about = np.vstack([W[:3] + np.cross(p, W[3:].T).T, W[3:]])
        return np.vstack([(int(n == other) - int(n == one)) * about for n in self.bodies])

    def reactions(self, values: dict[str, Array]) -> dict[str, Array]:
        """Torque and force of each joint or constraint along the ground's axes, from components along the axes of its
        second body, or from its multiplier."""
        result = dict[str, Array]()
        for name, (_, other, _) in self.ends.items():
            R = self.poses[other][0]
            if f"{name}.force" in values:
                result[name] = np.concatenate([R @ values[f"{name}.torque"], R @ values[f"{name}.force"]])
            else:
                result[name] = -self.wrenches[name][:, 0] * values[f"{name}.multipliers"]
        return result


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_reactions_agree_with_absolute_coordinates(make: Callable[[], fb.System]) -> None:
    s = make()
    q, u = s.assemble(u=dict.fromkeys(s.derive().u[:1], 1.0) if s.derive().degrees_of_freedom else None)
    absolute, equations = Absolute(s, CASES[make], q), s.derive()
    stressed = {name for name, W in absolute.stresses.items() if np.abs(W).max(initial=0.0) > CLOSE}
    assert stressed == set(equations.undetermined_reactions) == UNDETERMINED[make]

    f = equations.compile("numpy")
    u_dot, multipliers = f.forward_dynamics(q, u), f.multipliers(q, u)
    some = f.reactions(q, u, u_dot, multipliers=multipliers)
    smallest = f.least_norm_reactions(q, u, u_dot, multipliers=multipliers)
    R, scale = absolute.reactions(smallest), max(np.abs(x).max() for x in smallest.values())
    products = sum(R[name] @ W for name, W in absolute.stresses.items())
    assert np.abs(products).max(initial=0.0) < CLOSE * scale, "a state of stress would make them smaller"
    kept = [c.name for c in equations.constraints for _ in c.multipliers]
    some |= {f"{n}.multipliers": np.array([x]) for n, x in zip(kept, multipliers, strict=True)}
    some |= {n: np.zeros(1) for n in smallest if n not in some}
    change = {name: R[name] - x for name, x in absolute.reactions(some).items()}
    total = sum(absolute.on_bodies(name, x[:, None]) for name, x in change.items())
    assert np.abs(total).max() < CLOSE * scale, "bodies are not balanced"
    for name in set(change) - stressed:
        assert np.abs(change[name]).max() < CLOSE * scale


def test_components_that_the_motion_determines_are_told_from_others() -> None:
    """In a planar loop those in the plane are; of three parallel bars the forces along the bars are not."""
    out_of_plane = ("force.y", "torque.x", "torque.z")
    assert four_bar().derive().undetermined_reactions == dict.fromkeys(UNDETERMINED[four_bar], out_of_plane)
    bars = parallel_bars().derive().undetermined_reactions
    assert bars["bar1"] == ("force.y", "force.z", "torque.x", "torque.z")
    free = fb.System("free")
    free.body("b", joint=fb.Free(), mass=1, inertia=(1, 1, 1))
    assert free.derive().undetermined_reactions == {}


def test_least_norm_reactions_do_not_depend_on_the_cut() -> None:
    """A four-bar with a weight out of its plane, cut at two of its joints."""
    reactions = list[dict[str, Array]]()
    for cut in ("knee", "foot"):
        s, pin = fb.System("bars", gravity=(1, -3, -9)), fb.Revolute("y")
        crank = s.body("crank", joint=pin, mass=1, com=(0.2, 0.1, 0), inertia=(1, 1, 1))
        coupler = s.body("coupler", on=crank, at=(0.4, 0, 0), joint=pin, mass=2, com=(0.5, 0.2, 0), inertia=(1, 1, 1))
        if cut == "knee":
            rocker = s.body("rocker", at=(1, 0, 0), joint=pin, mass=1, com=(0, 0.1, 0.3), inertia=(1, 1, 1))
            s.close(coupler.point((1, 0, 0)), rocker.point((0, 0, 0.7)), pin, name="knee")
        else:
            rocker = s.body(
                "rocker", on=coupler, at=(1, 0, 0), joint=pin, mass=1, com=(0, 0.1, -0.4), inertia=(1, 1, 1)
            )
            s.close(s.ground.point((1, 0, 0)), rocker.point((0, 0, -0.7)), pin, name="foot")
        f = s.derive().compile("numpy")
        guess = np.array([0.4, -0.9, 0.6 if cut == "knee" else 1.1])
        q, u = s.assemble(guess, {"crank": 1.0}, hold=["q.crank"])
        state = q, u, f.forward_dynamics(q, u)
        values = f.least_norm_reactions(*state, multipliers=f.multipliers(q, u))
        reactions.append(
            {
                "crank": values["crank.force"],
                "coupler": values["coupler.force"],
                "foot": values["rocker.force" if cut == "knee" else "foot.force"],
                "torque": values["rocker.torque" if cut == "knee" else "foot.torque"],
                "q": q[:1],
            }
        )
    for name, value in reactions[0].items():
        assert np.abs(value - reactions[1][name]).max() < 1e-8, name


def test_many_states_at_once() -> None:
    s = parallel_bars()
    f = s.derive().compile("numpy")
    q = np.array([[a, a, a, -a] for a in (0.1, 0.4, 0.7)])
    u, u_dot = np.zeros((3, 4)), f.forward_dynamics(q, np.zeros((3, 4)))
    multipliers = f.multipliers(q, u)
    together = f.least_norm_reactions(q, u, u_dot, multipliers=multipliers)
    alone = f.least_norm_reactions(q[1], u[1], u_dot[1], multipliers=multipliers[1])
    assert all(np.allclose(together[name][1], value, atol=1e-12) for name, value in alone.items())
    with pytest.raises(ArgumentError, match="multipliers"):
        f.least_norm_reactions(q, u, u_dot)


@pytest.mark.parametrize("grip_first", [False, True])
def test_released_constraints_leave_reactions_determined(grip_first: bool) -> None:
    """A body that only one weld holds: the other is released, and a free joint carries nothing."""
    s = fb.System("parked")
    arm = s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0.5, 0, 0), inertia=fb.rod(1.0, 1.0, "x"))
    load = s.body("load", joint=fb.Free(), mass=2.0, inertia=(0.1, 0.1, 0.1))
    for grip in (grip_first, not grip_first):
        s.close(arm.point((1, 0, 0)) if grip else s.ground, load, name="grip" if grip else "park", engaged=not grip)
    assert s.derive().undetermined_reactions == {}


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_matrices_are_the_changes_of_reactions(seed: int) -> None:
    """On random trees with loops: the reactions change by the matrices times the change of the multipliers, and G of
    all equations is that of the residuals."""
    m = drawn(seed)
    e, rng = m.system.derive("kane"), np.random.default_rng(seed)
    f, h, names = e.compile("numpy"), m.held, e.derivation.named_constraints.rows
    state, u_dot = (h["t"][0], m.z, h["inputs"]), rng.normal(size=len(h["u"]))
    matrices, change = f.reaction_matrices(h["q"], *state), rng.normal(size=len(names))
    before, after = (f.reactions(h["q"], h["u"], u_dot, *state, multipliers=x) for x in (0 * change, change))
    every = np.zeros(len(m.rows["keys"]))
    every[[m.rows["keys"].index(key) for key in names]] = change
    scale = max(1.0, *(np.abs(x).max(initial=0.0) for x in after.values()))
    for name in before:
        assert np.abs(matrices[name] @ every - (after[name] - before[name])).max(initial=0.0) < CLOSE * scale, name
    assert np.abs(matrices["G"] - m.rows["G"]).max() < CLOSE * max(1.0, np.abs(m.rows["G"]).max())
