"""Rolled programs of flexible bodies: the same motion as unrolled ones, modes eliminated with ports, few kinds."""

from collections.abc import Callable

import numpy as np
import pytest

import freebody as fb
from freebody.formulations.derivation import Derivation
from freebody.formulations.recursive import Recursive
from freebody.formulations.rolled.equations import Rolled
from freebody.model.flexible.modal_data import ModalData
from freebody.model.joints.base import Joint
from freebody.model.joints.flexible import NodeAttachment
from freebody.model.joints.modal import Modal
from freebody.program.count import count
from freebody.program.stage import stage
from freebody.tree import elimination
from freebody.tree.tree import span
from tests.flexible.random_modal_data import random_modal_data, random_rotation

SOLID = {"mass": 1.3, "com": (0.1, 0.2, -0.1), "inertia": (0.4, 0.5, 0.6)}
JOINTS: list[Callable[[], Joint]] = [
    lambda: fb.Revolute("z"), lambda: fb.Revolute((1.0, 2.0, 0.5)), lambda: fb.Prismatic("y", stiffness=3.0),
    lambda: fb.Spherical(), lambda: fb.Universal(), lambda: fb.Weld(), lambda: fb.Revolute("x", armature=0.3),
    lambda: fb.Revolute("y", motion="0.3*sin(2*t)"), lambda: fb.Cylindrical("z"),
]  # fmt: skip


def random_tree(seed: int, order: str, bodies: int = 6) -> fb.System:
    """Flexible and rigid bodies on each other and on nodes, with loads and a coupling; some modal data occur twice."""
    rng = np.random.default_rng(seed)
    s = fb.System("tree", gravity=(0.3, -9.81, 0.4))
    s.parameters(a=0.4)
    known = [random_modal_data(rng, n, nodes=2) for n in (2, 7, 13)]
    places: list = [s.body("base", joint=fb.Free(), **SOLID)]
    for k in range(bodies):
        on, joint = places[rng.integers(len(places))], JOINTS[rng.integers(len(JOINTS))]()
        turn = random_rotation(rng).tolist() if rng.random() < 0.7 else ("x", "a")
        at = tuple(rng.normal(size=3) * 0.3)
        if rng.random() < 0.5:
            places.append(s.body(f"rigid{k}", on=on, joint=joint, at=at, orient=turn, **SOLID))
            continue
        hub = s.body(f"hub{k}", on=on, joint=joint, at=at, orient=turn)
        arm = s.body(f"arm{k}", on=hub, joint=Modal(known[rng.integers(3)], order), **SOLID)
        places += [s.body(f"arm{k}.{name}", on=arm, joint=NodeAttachment(name)) for name in ("p1", "p2")]
    s.body("left", on=places[-1], joint=fb.Revolute("y"), **SOLID)
    s.body("right", on=places[-2], joint=fb.Revolute("z"), **SOLID)
    s.couple("right", "left", 1.5)
    s.force(s.ground.vector((0.5, "sin(t)", 0.1)), places[-1])
    s.spring(places[-2], places[0], stiffness=20.0)
    return s


def state(e: fb.Equations, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q, u, tau = 0.15 * rng.normal(size=len(e.q)), rng.normal(size=len(e.u)), rng.normal(size=len(e.u))
    for k, name in enumerate(e.q):
        if name.endswith(".qw"):
            q[k : k + 4] = np.array([1.0, 0.3, -0.4, 0.2]) / np.linalg.norm([1.0, 0.3, -0.4, 0.2])
    return q, u, tau


@pytest.mark.parametrize("order", ["full", "ruthless"])
@pytest.mark.parametrize("seed", range(2))
def test_rolled_programs_of_random_trees_give_the_same_motion(seed: int, order: str) -> None:
    """u̇ and forces are those of the unrolled program, and u̇ requires the forces that were applied."""
    s = random_tree(seed, order)
    rolled, unrolled = s.derive("aba", rolled=True), s.derive("aba", rolled=False)
    (q, u, tau), t = state(rolled, seed), 0.7
    one, other = rolled.compile("numpy"), unrolled.compile("numpy")
    u_dot, expected = (c.forward_dynamics(q, u, tau, t=t) for c in (one, other))
    assert np.abs(u_dot - expected).max() < 1e-10 * np.abs(expected).max()
    forces, required = (c.inverse_dynamics(q, u, u_dot, t=t) for c in (one, other))
    assert np.abs(forces - required).max() < 1e-10 * np.abs(required).max()
    assert np.abs(required - tau).max() < 1e-9 * np.abs(one.bias(q, u, t=t)).max()


def test_rolled_accelerations_satisfy_the_equations_of_composite_bodies() -> None:
    """M u̇ = f + tau with M of composite bodies; the kinetic energy is ½ uᵀ M u."""
    s = random_tree(5, "full", bodies=3)
    e = s.derive("aba", rolled=True)
    (q, u, tau), c, t = state(e, 5), e.compile("numpy"), 0.4
    M, u_dot = s.derive("crba").compile("numpy").mass_matrix(q, t=t), c.forward_dynamics(q, u, tau, t=t)
    assert np.abs(M @ u_dot - c.bias(q, u, t=t) - tau).max() < 1e-10 * (np.abs(M) @ np.abs(u_dot)).max()
    assert abs(c.energies(q, u, t=t)["kinetic"] - 0.5 * u @ M @ u) < 1e-10 * np.abs(u) @ np.abs(M) @ np.abs(u)


def beams(bodies: int, order: str, modes: int = 8, lengths: tuple[float, ...] = (1.0,)) -> fb.System:
    """Beams on each other's tips, each with a description of its own."""
    s = fb.System("beams", gravity=(0, 0, -9.81))
    on: fb.Body | None = None
    for k in range(bodies):
        beam = fb.Beam(length=lengths[k % len(lengths)], EI=(30.0, 20.0), density=1.0, polar_inertia=0.02)
        hinge = fb.Revolute("zy"[k % 2], armature=0.1)
        link = s.body(f"link{k}", on=on, joint=hinge, flexible=beam, modes=modes, order=order)
        on = link.node("tip")
    return s


def used_ports(e: Rolled) -> set[str]:
    """How modes are eliminated in the steps of a rolled program: those of its kinds that were traced last."""
    used, ask = list[str](), elimination.port_method

    def note(*arguments):
        method = ask(*arguments)
        used.append("mode by mode" if method is None else method.func.__name__)
        return method

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elimination, "port_method", note)
        assert e.programs["forward_dynamics"]
    return set(used[-2:])


def operations(e: Derivation) -> int:
    return count(stage(e.programs["forward_dynamics"]).main).total


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_chains_have_few_kinds_and_the_operations_of_unrolled_ones(order: str) -> None:
    """Equal descriptions are one kind; each body takes as many operations as in an unrolled program, within 3 %."""
    rolled = {n: Rolled(span(beams(n, order).freeze())) for n in (6, 8, 10)}
    assert [len(e.bodies.kinds) for e in rolled.values()] == [4, 4, 4]  # first hinge, tip, hinges about z and about y
    assert used_ports(rolled[6]) == {"AttachedPorts" if order == "full" else "ConstantPorts"}
    size = {n: operations(e) for n, e in rolled.items()}
    assert size[10] - size[8] == size[8] - size[6]
    unrolled = [operations(Derivation(Recursive(span(beams(n, order).freeze())))) for n in (6, 8)]
    assert size[8] - size[6] <= 1.03 * (unrolled[1] - unrolled[0])


def test_kinds_differ_by_modes_and_modal_data() -> None:
    systems = beams(8, "full"), beams(8, "full", lengths=(1, 2, 3))
    kinds = [len(Rolled(span(s.freeze())).bodies.kinds) for s in systems]
    assert kinds == [4, 8]  # three lengths, each with hinges about z and about y; the first hinge, the tip
    s = fb.System("numbers of modes")
    for k in range(6):
        arm = s.body(f"arm{k}", joint=fb.Revolute("z"), flexible=fb.Beam(1, EI=(1, None), density=1), modes=2 + k % 2)
        s.body(f"load{k}", on=arm.node("tip"), joint=fb.Revolute("y"), **SOLID)
    assert len(Rolled(span(s.freeze())).bodies.kinds) == 4  # hinges; beams of two and of three modes; loads


def test_bodies_described_alike_share_their_modal_data() -> None:
    """Descriptions with equal values are computed once; data of equal numbers are equal, others are not."""

    def data(**options) -> ModalData:
        return fb.Beam(1.0, EI=(2.0, None), density=3.0, **options).modal_data(4)

    assert data() is data()
    assert data() is not data(damping=0.01) and data() != data(damping=0.01)
    again = random_modal_data(np.random.default_rng(3), 2), random_modal_data(np.random.default_rng(3), 2)
    assert again[0] is not again[1] and again[0] == again[1] and hash(again[0]) == hash(again[1])
    assert again[0] != random_modal_data(np.random.default_rng(4), 2)
    s = fb.System("quasi-static")
    for k in range(3):
        s.body(f"arm{k}", flexible=fb.Beam(1, EI=(1, None), density=1), modes=3, quasi_static=5.0)
    assert len(Rolled(span(s.freeze())).bodies.kinds) == 1


@pytest.mark.parametrize("order", ["full", "ruthless"])
def test_bodies_that_are_fixed_to_nodes_are_ports(order: str) -> None:
    """Flexible bodies welded to nodes in loops, and nodes with a mass, give the motion of composite bodies."""
    s, data = fb.System("welded", gravity=(1, -9, 2)), random_modal_data(np.random.default_rng(2), 8)
    on = s.body("hub", joint=fb.Revolute("z"), **SOLID)
    for k in range(3):
        arm = s.body(f"arm{k}", on=on, orient=("x", 0.2 + k), at=(0.1, 0.2, 0.0), joint=Modal(data, order))
        on = s.body(f"tip{k}", on=arm, joint=NodeAttachment("p1"), **(SOLID if k == 2 else {}))
    expected = "AttachedPorts" if order == "full" else "ConstantPorts"  # the turning mass of the last tip is none
    assert expected in used_ports(Rolled(span(s.freeze())))
    systems = s.derive("aba", rolled=True), s.derive("aba", rolled=False), s.derive("crba")
    one, other, dense = (e.compile("numpy").forward_dynamics(*state(e)) for e in systems)
    assert max(np.abs(one - dense).max(), np.abs(other - dense).max()) < 1e-10 * np.abs(dense).max()


def test_bodies_without_modes_are_rolled_with_their_nodes() -> None:
    s = beams(4, "full", modes=0)
    one, other = (e.compile("numpy").forward_dynamics(*state(e)) for e in (s.derive("aba", rolled=True), s.derive()))
    assert np.abs(one - other).max() < 1e-12 * np.abs(other).max()


@pytest.mark.parametrize("rolled", [False, True])
def test_flexible_bodies_may_be_oriented_by_parameters(rolled: bool) -> None:
    """Bodies on each other's tips behind orientations that depend on a parameter move as with its number."""

    def chain(angle: float | str) -> fb.Equations:
        s, data = fb.System("oriented", gravity=(1, -9, 2)), random_modal_data(np.random.default_rng(2), 7)
        s.parameters(a=0.7)
        on = s.body("hub", joint=fb.Revolute("z"), **SOLID)
        for k in range(4):
            arm = s.body(f"arm{k}", on=on, orient=("x", angle), joint=Modal(data, "full"))
            on = s.body(f"tip{k}", on=arm, joint=NodeAttachment("p1"))
        return s.derive("aba", rolled=rolled)

    one, other = chain("2*a - 0.4"), chain(1.0)
    found, expected = (e.compile("numpy").forward_dynamics(*state(e)) for e in (one, other))
    assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()


def test_runs_of_many_flexible_bodies_are_rolled() -> None:
    """Loops are chosen for many bodies; runs are those of unrolled programs, and power balances."""
    assert isinstance(beams(18, "full", modes=2).derive().derivation, Rolled)
    s = beams(3, "full", modes=7)
    link = s.bodies["link2"]
    s.output("sag", s.deflection(link.node("tip")).dot(link.z))
    runs = [s.derive("aba", rolled=rolled).simulate(0.01, rtol=1e-9, atol=1e-11) for rolled in (True, False)]
    assert runs[0].energy_error < 1e-8
    for name in ("sag", "pose.link2.tip", "energy.strain"):
        one, other = (np.asarray(run[name]) for run in runs)
        assert np.abs(one - other).max() < 1e-7 * np.abs(other).max()
