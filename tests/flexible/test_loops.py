"""Closed loops of flexible bodies: assembly with modes held or free, constraints at nodes, reactions, switching."""

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import freebody as fb
from freebody.errors import ArgumentError, ModelError, SimulationWarning
from freebody.model.body import Body
from tests.flexible.random_flexible_loops import RandomLoop, random_loop

Array = NDArray[np.float64]
HUB: dict[str, Any] = {"mass": 0.05, "inertia": (1e-3,) * 3}
SPACE: dict[str, Any] = {
    "EI": (300.0, 200.0),
    "GJ": 80.0,
    "EA": 1e5,
    "density": 1.5,
    "polar_inertia": 0.02,
    "axial": 1,
    "torsion": 1,
}


def four_bar(modes: Sequence[int] = (2, 3, 2), order: str = "full", **closing: Any) -> fb.System:
    """Crank, coupler and rocker bend; the loop is closed between the tips of coupler and rocker."""
    s = fb.System("flexible four-bar")

    def beam(name: str, length: float, count: int, angle: float, **where: Any) -> Body:
        return s.body(
            name,
            joint=fb.Revolute("z", initial=angle),
            modes=count,
            order=order,
            **where,
            **HUB,
            flexible=fb.Beam(length=length, EI=(20.0, None), density=0.5),
        )

    crank = beam("crank", 0.3, modes[0], 0.5)
    coupler = beam("coupler", 1.0, modes[1], 0.0, on=crank.node("tip"))
    rocker = beam("rocker", 0.6, modes[2], 1.2, at=(1.0, 0, 0))
    s.close(coupler.node("tip"), rocker.node("tip"), fb.Revolute("z"), name="pin", **closing)
    return s


def spatial(order: str = "full") -> fb.System:
    """A loop in space with two flexible bodies, closed by a ball joint between nodes."""
    s = fb.System("spatial loop")
    a = s.body("a", joint=fb.Revolute((0.2, 0, 1)), mass=1, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1))
    b = s.body(
        "b",
        on=a,
        at=(0.5, 0, 0),
        joint=fb.Universal(),
        mass=0.2,
        inertia=(0.02,) * 3,
        modes=2,
        order=order,
        flexible=fb.Beam(length=1.0, **SPACE),
    )
    c = s.body(
        "c",
        at=(1.3, 0.2, 0),
        joint=fb.Revolute("z", initial=1.4),
        mass=0.3,
        inertia=(0.02,) * 3,
        modes=2,
        flexible=fb.Beam(length=0.7, **SPACE),
        order=order,
    )
    s.close(b.node("tip"), c.node("tip"), fb.Spherical(), name="ball")
    return s


def askew(tilt: float) -> fb.System:
    """Four hinges whose axes are not parallel: a structure unless the coupler bends."""
    s = fb.System("askew")
    a = s.body("a", joint=fb.Revolute("z"), mass=1, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1))
    b = s.body(
        "b",
        on=a,
        at=(0.5, 0, 0),
        joint=fb.Revolute("z", initial=0.5),
        mass=0.2,
        inertia=(0.02,) * 3,
        modes=4,
        flexible=fb.Beam(length=1.0, **SPACE),
    )
    c = s.body(
        "c",
        at=(1.3, 0.2, 0),
        orient=("x", tilt),
        joint=fb.Revolute("z", initial=1.7),
        mass=0.3,
        com=(0.3, 0, 0),
        inertia=(0.02,) * 3,
    )
    s.close(b.node("tip"), c.point((0.7, 0, 0)), fb.Revolute("z"), name="pin")
    return s


def modal(names: Sequence[str]) -> list[int]:
    return [k for k, name in enumerate(names) if re.search(r"\.m\d+$", name)]


def moving(s: fb.System, seed: int = 0, deflection: float = 1e-3) -> tuple[Array, Array]:
    """A bent state of the closed loop, with random speeds."""
    e, rng = s.derive(), np.random.default_rng(seed)
    q, u = s.assemble()
    q[modal(e.q)] = deflection * rng.normal(size=len(modal(e.q)))
    return s.assemble(q, rng.normal(size=len(u)), modes="free")


# Assembly


def test_assembly_closes_loops_by_joints_alone_unless_modes_are_free() -> None:
    s = four_bar()
    f = s.derive().compile("numpy")
    own = modal(f.equations.q)
    for given in ({}, {"coupler.m1": 0.002}):
        q, u = s.assemble({"crank": 0.4, **given}, {"crank": 3.0})
        assert np.count_nonzero(q[own]) == len(given) and not u[own].any() and u[0] == 3.0
        at = f.constraint(q, u)
        assert np.abs(at["phi"]).max() < 1e-14 and np.abs(at["G"] @ u).max() < 1e-12
    held, _ = s.assemble({"crank": 0.4})
    run = s.simulate(0.01, q={"crank": 0.4})
    assert np.abs(run.x[0, : len(held)] - held).max() < 1e-14
    free, u = s.assemble({"crank": 0.4}, {"crank": 3.0}, modes="free")
    assert 0 < np.abs(free[own]).max() < 1e-5 and np.abs(free - held).max() < 1e-3  # joints move, little bends
    assert 0 < np.abs(u[own]).max() < 1e-2
    with pytest.raises(ArgumentError, match="modes must be 'held' or 'free', not 'bent'"):
        s.assemble(modes="bent")


def test_loops_that_close_by_bending_only_say_so_and_close_with_modes_free() -> None:
    s = askew(0.05)
    text = (
        r"askew: constraint 'pin' \(.*\) .* is off by .*, with q\.a held as given and the modes"
        r" of flexible bodies held\. Free one of these, so that it can adjust, or let flexible bodies bend \(q, u ="
        r" s\.assemble\(…, modes='free'\)\), or give a guess nearer to an assembled state, or change"
        r" lengths"
    )
    with pytest.raises(ArgumentError, match=text):
        s.assemble({"a": 0.3})
    with pytest.raises(ArgumentError, match=r"held\. Let flexible bodies bend"):
        s.simulate(0.1)
    bent = s.assemble({"a": 0.3}, modes="free")
    q, u = bent
    assert q[0] == 0.3
    names = s.derive().q
    strain = {
        f"flexible body '{name}'": 0.5
        * sum(K * q[names.index(f"{name}.m{k + 1}")] ** 2 for k, K in enumerate(np.diag(body.spec.modal.data.K)))
        for name, body in s.bodies.items()
        if body.spec.modal is not None
    }
    assert strain and bent.stored == pytest.approx(strain)
    run = s.simulate(0.2, q=q, u=u)
    assert run.success and max(run.drift) < 1e-12 and run.energy_error < 1e-8
    assert s.simulate(0.1, start=run).success


def test_speeds_that_need_bending_say_so() -> None:
    s = askew(0.05)
    bent, _ = s.assemble({"a": 0.3}, modes="free")
    with pytest.raises(ArgumentError, match=r"does not allow these speeds: .* let flexible bodies bend"):
        s.assemble(bent, {"a": 1.0})
    assert s.assemble(bent, {"a": 1.0}, modes="free")[1][0] == 1.0


# Order "ruthless"


def test_ruthless_equations_keep_loops_closed_to_first_order() -> None:
    """φ is linear in η: its derivative at η = 0 is G, and runs stay near those of full order."""
    s, ends = four_bar((2, 2, 2), "ruthless"), list[Array]()
    f = s.derive().compile("numpy")
    q, u = s.assemble({"crank": 0.5})
    steps = 1e-6 * np.eye(len(q))
    slopes = [(f.constraint(q + h, u)["phi"] - f.constraint(q - h, u)["phi"]) / 2e-6 for h in steps]
    assert np.allclose(np.transpose(slopes), f.constraint(q, u)["G"], atol=1e-8)
    for order in ("full", "ruthless"):
        for rolled in (False, True):
            e = four_bar((2, 2, 2), order).derive("aba", rolled=rolled)
            run = e.simulate(0.3, q={"crank": 0.5}, u={"crank": 2.0})
            assert run.success and max(run.drift) < 1e-10
            ends.append(run.x[-1, : len(q)])
    assert np.abs(ends[1] - ends[0]).max() < 1e-9 and np.abs(ends[3] - ends[2]).max() < 1e-9
    assert np.abs(ends[2] - ends[0]).max() < 2e-5


# Solvers


def augmented(loop: RandomLoop) -> tuple[Array, Array]:
    """u̇ and the generalised forces Gᵀλ of [M −Gᵀ; G 0] [u̇; λ] = [f; γ], solved in NumPy."""
    f = loop.system.derive("kane").compile("numpy")
    M, force, at = f.mass_matrix(loop.q), f.bias(loop.q, loop.u), f.constraint(loop.q, loop.u)
    G, n, scale = at["G"], len(loop.u), np.abs(at["G"]).max()
    assert np.abs(at["phi"]).max() < 1e-12 and np.abs(G @ loop.u).max() < 1e-12 * scale
    K = np.block([[M, -G.T], [G, np.zeros((len(G), len(G)))]])
    x = np.linalg.lstsq(K, np.concatenate([force, at["gamma"]]), rcond=1e-13)[0]
    return x[:n], G.T @ x[n:]


def require_same(loop: RandomLoop, solvers: Sequence[str]) -> None:
    u_dot, forces = augmented(loop)
    for name in solvers:
        f = loop.system.derive(solver=name).compile("numpy")
        assert np.abs(f.forward_dynamics(loop.q, loop.u) - u_dot).max() <= 1e-9 * (1 + np.abs(u_dot).max()), name
        G, multipliers = f.constraint(loop.q, loop.u)["G"], f.multipliers(loop.q, loop.u)
        assert np.abs(G.T @ multipliers - forces).max() <= 1e-9 * (1 + np.abs(forces).max()), name


@pytest.mark.parametrize("order", ["full", "ruthless"])
@pytest.mark.parametrize("mechanism", [four_bar, spatial])
def test_solvers_agree_with_the_augmented_system_or_refuse_by_name(mechanism: Any, order: str) -> None:
    s, refused = mechanism(order=order), ("barycentric", "relative")
    loop = RandomLoop(s, *moving(s, deflection=1e-3 if order == "full" else 0.0))
    require_same(loop, [name for name in fb.solvers if name not in refused])
    for name in refused:
        with pytest.raises(ModelError, match=rf"solver '{name}': '\w+' is flexible, .*; use solver='sparse'"):
            s.derive(solver=name)
    with pytest.raises(ModelError, match=r"solver 'sparse': '\w+' has speeds of its own, .* use rolled=False"):
        s.derive(solver="sparse", rolled=True)


@pytest.mark.parametrize("seed", range(5))
def test_eliminations_agree_on_random_mechanisms(seed: int) -> None:
    order = "ruthless" if seed % 2 else "full"
    require_same(random_loop(seed, order), ["sparse", "mixed", "tree"])


def chain(joints: Sequence[Any], modes: int, order: str) -> fb.System:
    """A closed chain of flexible bodies."""
    s, tip = fb.System("chain"), None
    for k, joint in enumerate(joints):
        body = s.body(
            f"b{k}",
            on=tip,
            orient=("y", 0.7) if len(set(joints)) > 1 else None,
            joint=joint,
            modes=modes,
            flexible=fb.Beam(length=1.0, EI=(20.0, 30.0), density=0.5, polar_inertia=0.01),
            order=order,
            **HUB,
        )
        tip = body.node("tip")
    s.close(tip, s.ground.point((0.3, 0, 0)), fb.Spherical(), name="ball")
    return s


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_the_automatic_choice_is_within_20_percent_of_the_fewest_operations(order: str) -> None:
    planar, askew = (fb.Revolute("z"),) * 3, (fb.Revolute("z"), fb.Revolute("y"), fb.Revolute((0.6, 0, 0.8)))
    for s in (spatial(order), chain(planar, 4, order), chain(askew, 1, order), chain(askew, 4, order)):
        counts = [s.derive(solver=name).operations["forward_dynamics"].total for name in ("auto", "sparse", "tree")]
        assert counts[0] <= 1.2 * min(counts), counts


# Reactions


@pytest.mark.parametrize(("seed", "order"), [(0, "full"), (1, "full"), (0, "ruthless")])
def test_reactions_at_nodes_move_the_cut_loop_in_the_same_way(seed: int, order: str) -> None:
    """Forces and torques of closures as loads on the nodes of both bodies, with the closures released."""
    kinds = ("ball", "cross")
    loop, cut = (random_loop(seed, order, kinds, engaged=flag) for flag in (None, False))
    f, q, u, s = loop.system.derive().compile("numpy"), loop.q, loop.u, cut.system
    u_dot = f.forward_dynamics(q, u)
    found = f.reactions(q, u, u_dot, multipliers=f.multipliers(q, u))
    for name in kinds:
        first, second = (s.bodies[body] for body in s.constraints[name].bodies())
        R, p = f.pose(q, second)
        force, torque = (s.ground.vector(tuple(R @ found[f"{name}.{kind}"])) for kind in ("force", "torque"))
        s.force(force, at=second.point(tuple(R.T @ (f.pose(q, first).p - p))), reaction=first)
        s.torque(torque, second, reaction=first)
    free = s.derive().compile("numpy").forward_dynamics(q, u)
    assert np.abs(u_dot).max() > 1 and np.abs(free - u_dot).max() <= 1e-9 * np.abs(u_dot).max()


def boom_and_bob(cut: bool) -> fb.System:
    """A bob on a hinge at the tip of a boom: in the tree, or a free body that closes a loop."""
    s, axis = fb.System("boom and bob"), fb.Revolute((0.6, 0, 0.8))
    boom = s.body(
        "boom", joint=fb.Universal(), modes=2, flexible=fb.Beam(length=1.0, **SPACE), mass=0.2, inertia=(0.02,) * 3
    )
    solid: dict[str, Any] = {"mass": 0.7, "com": (0.1, -0.2, 0.3), "inertia": (0.03, 0.02, 0.04)}
    if cut:
        s.close(boom.node("tip"), s.body("bob", joint=fb.Free(), **solid), axis, name="hinge")
    else:
        s.body("bob", on=boom.node("tip"), joint=axis, **solid)
    return s


def test_reactions_of_joints_at_nodes_are_those_of_closures_there() -> None:
    rng = np.random.default_rng(2)
    tree, loop = (boom_and_bob(cut).derive().compile("numpy") for cut in (False, True))
    q, u = 0.3 * rng.normal(size=len(tree.equations.q)), rng.normal(size=len(tree.equations.u))
    q[modal(tree.equations.q)] *= 0.02
    (R, p), twist = tree.pose(q, "bob"), tree.spatial_velocity(q, u, "bob")
    free_q = np.concatenate([q[:-1], p, Rotation.from_matrix(R).as_quat(scalar_first=True)])
    free_u = np.concatenate([u[:-1], R.T @ twist[:3], R.T @ twist[3:]])
    u_dot, free_u_dot = tree.forward_dynamics(q, u), loop.forward_dynamics(free_q, free_u)
    assert np.abs(free_u_dot[: len(u) - 1] - u_dot[:-1]).max() <= 1e-10 * np.abs(u_dot).max()
    expected, multipliers = tree.reactions(q, u, u_dot), loop.multipliers(free_q, free_u)
    found = loop.reactions(free_q, free_u, free_u_dot, multipliers=multipliers)
    for kind in ("force", "torque"):
        assert np.abs(found[f"hinge.{kind}"] - expected[f"bob.{kind}"]).max() < 1e-9, kind


# Runs


def test_projection_does_not_excite_high_modes() -> None:
    """The energy of 18 modes, the highest at 3e5 rad/s and at rest, is that of the start."""
    run = four_bar((6, 6, 6)).simulate(0.05, u={"crank": 5.0})
    assert run.energy_error < 1e-9 and max(run.drift) < 1e-12


def test_a_grasp_at_a_node_keeps_momenta_and_counts_the_energy_that_it_loses() -> None:
    """The impulse acts on the modes too: M Δu = GᵀΛ."""
    s = fb.System("grasp", gravity=(0, 0, 0))
    hub = s.body("hub", joint=fb.Free(), mass=5.0, inertia=(1.0, 1.2, 0.8))
    arm = s.body(
        "arm",
        on=hub,
        at=(0.3, 0, 0),
        joint=fb.Revolute("z", stiffness=2.0),
        modes=2,
        mass=0.2,
        inertia=(0.02,) * 3,
        flexible=fb.Beam(length=1.0, EI=(300.0, 200.0), density=1.5),
    )
    load = s.body("load", joint=fb.Free(), mass=0.5, com=(0.05, 0, 0), inertia=(0.03, 0.02, 0.04))
    s.close(arm.node("tip"), load, fb.Revolute("z"), name="grip", engaged=False, capture=True)
    events = [fb.Event("t - 0.05", engage="grip", name="grasp"), fb.Event("t - 0.2", release="grip", name="drop")]
    u = {"load.vy": -0.4, "load.vz": 0.3, "load.wz": 1.0, "arm": 0.2}
    run = s.simulate(0.3, q={"load.x": 1.4, "load.y": 0.05, "arm.m1": 1e-3}, u=u, events=events)
    assert run.success and run.energy_error < 1e-7 and max(run.drift) < 1e-12
    for name in ("momentum.linear", "momentum.angular"):
        before, after = run.sides[name][:2]
        assert np.allclose(before, after, rtol=0, atol=1e-13) and np.ptp(run[name], axis=0).max() < 1e-8
    f, e = s.derive().compile("numpy"), run.events
    n = len(f.equations.q)
    x, change = e.after[0], e.after[0][n:] - e.before[0][n:]
    G = f.constraint(x[:n], x[n:], inputs=e.held_after[0])["G"]
    assert np.abs(f.mass_matrix(x[:n]) @ change - G.T @ e.impulses[0]).max() < 1e-12
    assert np.abs(change[modal(f.equations.u)]).min() > 0.1 and np.abs(x[:n] - e.before[0][:n]).max() < 1e-14
    assert e.lost[0] > 0.01 and e.lost[1] == 0 and run["energy.lost"][-1] == e.lost[0]


def test_gaps_of_constraints_that_are_engaged_are_closed_by_joints() -> None:
    """All is at rest: a gap that bending closed would leave strain energy, 0.07 J here."""
    s = fb.System("latch", gravity=(0, 0, 0))
    arm = s.body(
        "arm",
        joint=fb.Revolute("z"),
        mass=0.2,
        inertia=(0.02,) * 3,
        modes=6,
        flexible=fb.Beam(length=1.0, EI=(200.0, None), density=1.5),
    )
    block = s.body("block", joint=fb.Prismatic("y"), mass=1.0)
    s.point_on_plane(arm.node("tip").origin, on=block, normal="y", name="latch", engaged=False)
    run = s.simulate(0.1, q={"block": 9e-4}, events=[fb.Event("t - 0.05", engage="latch")])
    assert run.success and np.abs(run.events.after[0][:8] - run.events.before[0][:8]).max() > 1e-4
    assert run["energy.strain"].max() < 1e-10 and max(run.drift) < 1e-14


def strips(order: str, stiffness: float) -> fb.System:
    """A four-bar in a plane whose coupler and rocker bend, driven at its crank."""
    s = fb.System("strips", gravity=(0, 0, 0))
    turn = fb.Revolute("z", motion="1 + speed*where(t < 0.5, t**2, t - 0.25)")
    s.parameter("speed", 20.0)
    crank = s.body("crank", joint=turn, mass=0.2, com=(0.075, 0, 0), inertia=fb.rod(0.2, 0.15, "x"))
    tips = []
    for name, length, on, at, angle in (("coupler", 0.6, crank, 0.15, -0.45), ("rocker", 0.4, s.ground, 0.5, 1.25)):
        beam = fb.Beam(
            length=length, EI=(stiffness, None), density=0.589, ends="pinned", frame="floating", damping=0.02
        )
        hinge = fb.Revolute("z", initial=angle)
        tips.append(s.body(name, on=on, at=(at, 0, 0), joint=hinge, flexible=beam, modes=2, order=order).node("tip"))
    s.close(*tips, fb.Revolute("z"), name="pin")
    return s


def test_what_the_inertia_of_undeformed_bodies_adds_to_the_energy() -> None:
    """It is of first order in the deformation: a fourth with four times the stiffness. Where it is a tenth or more of
    all energy, a run says so."""
    errors = [strips("ruthless", EI).simulate(1.0).energy_error for EI in (11.25, 45.0, 180.0)]
    assert errors[0] > 0.01 and np.array(errors[:-1]) / errors[1:] == pytest.approx([4, 4], rel=0.2)
    with pytest.warns(SimulationWarning, match=r"order='ruthless' of 'coupler', 'rocker' neglects .*order='full'"):
        assert strips("ruthless", 11.25).simulate(1.2, parameters={"speed": 80.0}).energy_error > 0.1
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*neglects how the inertia")
        assert strips("full", 180.0).simulate(1.0, parameters={"speed": 80.0}).energy_error < 1e-6
