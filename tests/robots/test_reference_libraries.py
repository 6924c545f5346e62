"""The project's own robots and random robots compared with Pinocchio, MuJoCo and Drake."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from tests.robots import random_robots
from tests.robots.compare_dynamics import agrees, state
from tests.robots.compare_quantities import CHECKS, Pair
from tests.robots.reference_libraries import MuJoCo, Pinocchio, bare, error, floated, loaded

FOLDER = Path(__file__).parents[2] / "examples" / "robots"
AGREE = 1e-11  # relative; measured: below 1e-13
ROOTS = {"ur5": "", "panda": "", "solo12": "base_link", "g1": "pelvis"}
OWN = pytest.mark.parametrize("name", ROOTS)


def text_of(name: str) -> str:
    """The text of a robot's file, with mimicking fingers made independent."""
    return bare((FOLDER / f"{name}.urdf").read_text())


@OWN
def test_robots_match_pinocchio(name: str) -> None:
    text, floating = text_of(name), bool(ROOTS[name])
    agrees(loaded(text, floating=floating), Pinocchio(text, floating), AGREE)


@pytest.mark.parametrize(("name", "check"), [
    pytest.param(name, check, marks=[pytest.mark.long] if (name, check) == ("g1", "forward derivatives") else [])
    for name in ROOTS for check in CHECKS
])  # fmt: skip
def test_quantities_of_robots_match_pinocchio(name: str, check: str) -> None:
    """Jacobians, centroidal momentum, derivatives of inverse and forward dynamics."""
    CHECKS[check](_pair(name))


@cache
def _pair(name: str) -> Pair:
    text, floating = text_of(name), bool(ROOTS[name])
    return Pair(loaded(text, floating=floating), Pinocchio(text, floating), AGREE)


@OWN
def test_robots_match_mujoco(name: str) -> None:
    text = floated(text_of(name), ROOTS[name]) if ROOTS[name] else text_of(name)
    agrees(loaded(text), MuJoCo(text), AGREE)


@pytest.mark.parametrize("seed", range(12))
def test_random_robots_match_pinocchio(seed: int) -> None:
    """Every joint of URDF, with a fixed or floating root."""
    text, floating = random_robots.robot(seed), bool(seed % 2)
    agrees(loaded(text, floating=floating), Pinocchio(text, floating), AGREE, seed)


@pytest.mark.parametrize("seed", range(8))
def test_random_robots_match_mujoco(seed: int) -> None:
    """With damping; every second robot has a floating joint."""
    kinds = (*random_robots.HINGES, "planar") if seed % 3 == 0 else random_robots.HINGES
    text = random_robots.robot(seed, kinds=kinds, dynamics=True)
    text = floated(text, loaded(text).robot.root) if seed % 2 else text  # type: ignore[union-attr]
    agrees(loaded(text), MuJoCo(text), AGREE, seed)


def test_random_robots_have_every_joint_and_different_orders() -> None:
    texts = "".join(random_robots.robot(seed) for seed in range(12))
    assert all(f'type="{kind}"' in texts for kind in random_robots.ALL)
    orders = [loaded(random_robots.robot(seed, kinds=random_robots.HINGES)) for seed in range(12)]
    assert any(fb.layout(s, "pinocchio").joints != fb.layout(s, "mujoco").joints for s in orders)


@pytest.mark.parametrize("seed", range(12))
def test_default_order_is_that_of_pinocchio_and_mujoco(seed: int) -> None:
    """The order of joints need not be given."""
    text = random_robots.robot(seed, links=9, kinds=random_robots.HINGES)
    system = loaded(text)
    for referee in (Pinocchio(text), MuJoCo(text)):
        usual, theirs = (fb.layout(system, referee.library, model=m) for m in (None, referee.model))
        assert usual.joints == theirs.joints
        assert np.array_equal(usual.q_to(state(system)[0]), theirs.q_to(state(system)[0]))


def test_comparison_of_dynamics_can_fail() -> None:
    """A mass that is one part in 10⁸ too large is detected."""
    text = text_of("ur5")
    wrong = text.replace('<mass value="8.393"/>', f'<mass value="{8.393 * (1 + 1e-8)!r}"/>')
    assert wrong != text
    with pytest.raises(AssertionError):
        agrees(loaded(wrong), Pinocchio(text), AGREE)


@pytest.mark.parametrize("check", CHECKS)
def test_comparison_of_quantities_can_fail(check: str) -> None:
    """Every comparison detects an upper arm that is one part in 10⁸ too long."""
    text = text_of("ur5")
    wrong = text.replace('xyz="-0.425 0 0"', f'xyz="{-0.425 * (1 + 1e-8)!r} 0 0"')
    assert wrong != text
    with pytest.raises(AssertionError):
        CHECKS[check](Pair(loaded(wrong), Pinocchio(text), AGREE))


@OWN
def test_robots_match_drake(name: str, tmp_path: Path) -> None:
    """Mass matrix and inverse dynamics of a MultibodyPlant, whose default order of joints is ours."""
    plant_module: Any = pytest.importorskip("pydrake.multibody.plant", reason="Drake is not installed")
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.tree import MultibodyForces

    text, root = text_of(name), ROOTS[name]
    (tmp_path / "robot.urdf").write_text(text)
    system, plant = loaded(text, floating=bool(root)), plant_module.MultibodyPlant(0.0)
    Parser(plant).AddModels(str(tmp_path / "robot.urdf"))
    if not root:
        assert system.robot is not None
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(system.robot.root))
    plant.Finalize()
    to, (q, u, u_dot) = fb.layout(system, "drake", model=plant), state(system)
    assert to.joints == fb.layout(system, "drake").joints
    context, f = plant.CreateDefaultContext(), system.derive().compile("numpy")
    plant.SetPositions(context, to.q_to(q))
    plant.SetVelocities(context, to.v_to(q, u))
    forces = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, forces)
    tau = plant.CalcInverseDynamics(context, to.a_to(q, u, u_dot), forces)
    assert error(to.mass_to(q, f.mass_matrix(q)), plant.CalcMassMatrix(context)) < AGREE
    assert error(to.tau_to(q, f.inverse_dynamics(q, u, u_dot)), tau) < AGREE
