"""Contact beside Siconos (rigid bodies, Coulomb's cone and Newton's impacts by Moreau–Jean steps), where it is
installed for the system's Python (Debian: python3-siconos)."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import freebody as fb

SCRIPT, PYTHON = Path(__file__).with_name("siconos_ball.py"), shutil.which("python3", path="/usr/bin")
END = 2.0


def siconos(*values: float) -> np.ndarray:
    """x, z, turn and their rates at the end."""
    if PYTHON is None:
        pytest.skip("there is no Python of the system")
    run = subprocess.run(
        [PYTHON, str(SCRIPT), *map(str, values)], capture_output=True, text=True, env={}, timeout=300, check=False
    )
    if "ModuleNotFoundError" in run.stderr:
        pytest.skip("Siconos is not installed (python3-siconos)")
    assert run.returncode == 0, run.stderr
    return np.array(json.loads(run.stdout.splitlines()[-1]))


def ball(speed: float, spin: float, dissipation: float, friction: float) -> np.ndarray:
    """x, z, the speed along x and the angular velocity at the end."""
    s = fb.System("ball")
    body = s.body("ball", joint=fb.Free(), mass=1.0, inertia=(0.4 * 0.1**2,) * 3, shape=fb.Sphere(0.1))
    s.output("speed", s.velocity(body).dot(s.ground.x))
    floor = fb.ContactMaterial(1e7, dissipation=dissipation, friction=friction, elastic_stretch=5e-5)
    s.contact("ball", s.ground.plane(), floor, "floor")
    run = s.simulate(END, q={"ball.z": 0.3}, u={"ball.vx": speed, "ball.wy": spin}, rtol=1e-7, atol=1e-9)
    return np.array([run[name][-1] for name in ("q.ball.x", "q.ball.z", "speed", "u.ball.wy")])


@pytest.mark.long
@pytest.mark.parametrize(
    ("speed", "spin", "friction"),
    [(2.0, 0.0, 0.3), (0.0, 60.0, 0.2), (3.0, -80.0, 0.4), (-1.0, -5.0, 0.05)],
    ids=["slides, then rolls", "topspin", "comes back", "slides on"],
)
def test_a_ball_that_does_not_rebound(speed: float, spin: float, friction: float) -> None:
    """Its friction depends on the impulses of the floor, not on how the impact takes place, if the ball stays down.
    What our impact keeps of the speed, and the time it takes, shows in the place."""
    theirs, own = siconos(speed, spin, 0.0, friction, END), ball(speed, spin, 50.0, friction)
    size = abs(speed) + 0.1 * abs(spin)
    assert own[1] == pytest.approx(0.1, abs=1e-5)
    assert own[2] == pytest.approx(theirs[3], abs=1e-4 * size)
    assert own[3] == pytest.approx(theirs[5], abs=1e-3 * size)
    assert own[0] == pytest.approx(theirs[0], abs=3e-4 * size)
