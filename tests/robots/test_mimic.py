"""Mimic joints compared with Pinocchio's models with mimic=True, and with robots whose joints are free."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError, ModelError, SimulationWarning
from tests.robots import random_robots
from tests.robots.reference_libraries import Array, bare, error, loaded

PANDA = Path(__file__).parents[2] / "examples" / "robots" / "panda.urdf"
AGREE = 1e-11  # relative; measured: below 1e-13
HINGES = ("revolute", "prismatic", "revolute", "fixed")  # Pinocchio couples no angle written as (cos, sin) to another


def mimicking(seed: int, floating: bool) -> str:
    """A random robot in which some joints mimic earlier ones in Pinocchio's order, across kinds and branches."""
    rng, text = np.random.default_rng(seed), random_robots.robot(seed, links=9, kinds=HINGES)
    order = [n for n in fb.layout(loaded(text, floating=floating), "pinocchio").joints if n in _joints(text)]
    for k, name in enumerate(order[2:], 2):
        if k % 2:
            leader = order[2 * int(rng.integers(0, k // 2))]
            ratio, offset = (float(x) for x in rng.uniform(-2, 2, 2))
            law = f'<mimic joint="{leader}" multiplier="{ratio}" offset="{offset}"/>'
            text = re.sub(rf'(<joint name="{name}".*?)(</joint>)', rf"\1{law}\2", text)
    return text


def _joints(text: str) -> list[str]:
    return re.findall(r'<joint name="([^"]*)"', text)


def agrees(system: fb.System, text: str, floating: bool) -> None:
    """Compare M and inverse dynamics (Pinocchio's aba does not support mimics), and accelerations by its M."""
    pin = pytest.importorskip("pinocchio", reason="the referee Pinocchio is not installed (pip install pin)")
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    model = pin.buildModelFromXML(text, *root, True)
    data, to = model.createData(), fb.layout(system, "pinocchio", model=model)
    assert to.joints == fb.layout(system, "pinocchio").joints and (to.nq, to.nv) == (model.nq, model.nv)
    q, u, rates = at(system)
    theirs, v, a = to.q_to(q), to.v_to(q, u), to.a_to(q, u, rates)
    M = pin.crba(model, data, theirs)
    M = np.triu(M) + np.triu(M, 1).T
    tau = pin.rnea(model, data, theirs, v, a).copy()
    for formulation in ("kane", "aba"):
        f = system.derive(formulation).compile("numpy")
        assert error(to.mass_to(q, f.mass_matrix(q)), M) < AGREE
        assert error(to.tau_to(q, f.inverse_dynamics(q, u, rates)), tau) < AGREE
        got = to.a_to(q, u, f.forward_dynamics(q, u, to.tau_from(theirs, tau)))
        assert error(got, a) < AGREE * max(1.0, np.linalg.cond(M) * 1e-3)


def at(system: fb.System) -> tuple[Array, Array, Array]:
    eq, rng = system.derive(), np.random.default_rng(0)
    q = rng.uniform(-1, 1, len(eq.q))
    for k in (k for k, name in enumerate(eq.q) if name.endswith(".qw")):
        q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    return q, rng.uniform(-1, 1, len(eq.u)), rng.uniform(-1, 1, len(eq.u))


@pytest.mark.parametrize("seed", range(6))
def test_random_mimic_robots_match_pinocchio(seed: int) -> None:
    text, floating = mimicking(seed, bool(seed % 2)), bool(seed % 2)
    assert text.count("<mimic") >= 2
    agrees(loaded(text, floating=floating), text, floating)


def test_panda_fingers_match_pinocchio() -> None:
    text = PANDA.read_text()
    system = fb.load(PANDA)
    assert system.derive().u[-2:] == ("panda_link7", "panda_leftfinger") and len(system.derive().u) == 8
    agrees(system, re.sub(r"<visual>.*?</visual>", "", text, flags=re.DOTALL), False)


def link(name: str) -> str:
    inertia = '<inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/>'
    return f'<link name="{name}"><inertial><origin xyz="0.1 0 0.2"/><mass value="1"/>{inertia}</inertial></link>'


def joint(name: str, parent: str, child: str, kind: str, more: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="0 0.1 0.3"/>'
        f'<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>{more}</joint>'
    )


def gripper(**law: str) -> str:
    """A wrist, a knuckle that mimics a finger further down in the file, and a tip that mimics the knuckle."""
    laws = {
        "knuckle": "<mimic joint='finger' multiplier='-2' offset='0.5'/>",
        "tip": "<mimic joint='knuckle' multiplier='3' offset='1'/>",
        **law,
    }
    return "".join(
        (
            '<robot name="gripper">',
            *(link(n) for n in ("palm", "wrist", "k", "f", "end")),
            joint("wrist", "palm", "wrist", "revolute"),
            joint("knuckle", "wrist", "k", "revolute", laws["knuckle"] + '<dynamics damping="0.3"/>'),
            joint("finger", "wrist", "f", "prismatic", '<dynamics damping="0.2"/>'),
            joint("tip", "k", "end", "prismatic", laws["tip"]),
            "</robot>",
        )
    )


def test_gripper_equals_the_reduced_free_gripper() -> None:
    """k = −2 f + 0.5, end = 3 k + 1: the leader is listed after its follower, and mimics are chained."""
    coupled, free = loaded(gripper()), loaded(gripper(), mimic="free")
    assert coupled.derive().q == ("wrist", "f") and free.derive().q == ("wrist", "k", "end", "f")
    T, offset = np.array([[1, 0], [0, -2], [0, -6], [0, 1.0]]), np.array([0, 0.5, 2.5, 0])
    q, u, tau = np.random.default_rng(0).uniform(-1, 1, (3, 2))
    full = free.derive().compile("numpy")
    M = T.T @ full.mass_matrix(T @ q + offset) @ T
    f = T.T @ full.bias(T @ q + offset, T @ u)
    for formulation in ("kane", "crba", "aba", "cheapest"):
        g = coupled.derive(formulation, search=0).compile("numpy")
        assert error(g.mass_matrix(q), M) < AGREE
        assert error(g.forward_dynamics(q, u, tau), np.linalg.solve(M, f + tau)) < AGREE


def test_gripper_conserves_energy_and_monitors_limits_of_followers() -> None:
    with pytest.warns(SimulationWarning, match="coordinate 'end' leaves its limits -1 … 1 at t = 0 s"):
        run = loaded(gripper(), dynamics=False).simulate(0.5, q={"f": 0.1}, u={"wrist": 0.1}, rtol=1e-10)
    kinetic = run["energy.kinetic"]
    assert np.ptp(run["energy.total"]) < 1e-6 * np.ptp(kinetic) and np.ptp(kinetic) > 1
    assert np.allclose(run["q.end"], -6 * run["q.f"] + 2.5, rtol=0, atol=1e-12)


def test_multiplier_of_zero_fixes_the_joint_and_its_followers() -> None:
    held = loaded(gripper(knuckle="<mimic joint='finger' multiplier='0' offset='0.5'/>"))
    assert held.robot is not None and held.derive().q == ("wrist", "f")
    assert [held.robot.joints[n].locked for n in ("knuckle", "tip", "finger")] == [0.5, 2.5, None]


def test_invalid_mimics_are_refused() -> None:
    text = gripper().replace('name="finger" type="prismatic"', 'name="finger" type="planar"')
    with pytest.raises(FileError) as caught:
        loaded(text)
    assert caught.value.line == 1 and str(caught.value).endswith(
        "joint 'knuckle' mimic: coupling of 'k': the planar joint of 'f' has 3 coordinates; only joints with one"
        " (revolute, prismatic, screw) can be coupled; load with mimic='free' or mimic='lock'"
    )


@pytest.mark.parametrize("library", ["mujoco", "drake"])
def test_layouts_of_libraries_with_coupled_coordinates_are_refused(library: str) -> None:
    message = f"joint of 'k': it is coupled to 'f', and {library} has it among its coordinates, held by a constraint"
    with pytest.raises(ModelError, match=message):
        fb.layout(loaded(gripper()), library)


def test_pinocchio_model_without_mimics_is_refused() -> None:
    order = ["wrist", "finger", "knuckle", "tip"]
    with pytest.raises(
        ModelError, match=r"joint 'knuckle' is coupled to another here, .* build the other model with mimic"
    ):
        fb.layout(loaded(gripper()), "pinocchio", order=order)
    assert fb.layout(loaded(gripper()), "pinocchio").joints == ("wrist", "finger")
    free: Any = loaded(bare(gripper()))
    assert set(fb.layout(free, "pinocchio").joints) == set(order)
