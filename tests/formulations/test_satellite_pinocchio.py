"""Sayers' satellite compared with Pinocchio: accelerations at random states by Kane, and by Sayers with both speeds."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Trio = tuple[float, float, float]
pin = pytest.importorskip("pinocchio", reason="Pinocchio has no wheel for this Python")
sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))


def referee(p: dict[str, float]) -> Any:
    """The same bodies with a free-flyer joint; the massless body E has no children."""
    model = pin.Model()
    model.gravity = pin.Motion.Zero()

    def add(parent: int, joint: Any, at: Trio, name: str, m: float, c: Trio, J: np.ndarray) -> int:
        made: int = model.addJoint(parent, joint, pin.SE3(np.eye(3), np.array(at, float)), name)
        model.appendBodyToJoint(made, pin.Inertia(m, np.array(c, float), J), pin.SE3.Identity())
        return made

    def full(letters: str) -> np.ndarray:
        return np.array([[p[f"{letters}{min(i, j)}{max(i, j)}"] for j in (1, 2, 3)] for i in (1, 2, 3)])

    Z, X = pin.JointModelRZ(), pin.JointModelRX()
    bus = add(0, pin.JointModelFreeFlyer(), (0, 0, 0), "bus", p["MB"], (0, 0, 0), full("IB"))
    clock = add(bus, Z, (0, 0, 0), "clock", p["MC"], (0, 0, -p["L2"]), np.diag([p["IC"], p["IC"], p["ICs"]]))
    add(clock, X, (0, p["L3"], -p["L1"]), "camera", p["MD"], (0, -p["L5"], -p["L6"]), full("ID"))
    e = model.addJoint(bus, Z, pin.SE3(np.eye(3), np.array([0, -p["L7"], 0])), "e")
    add(e, X, (0, 0, 0), "boom", p["MF"], (0, -p["L8"], 0), np.diag([p["IF1"], p["IF2"], p["IF1"]]))
    return model


def theirs(model: Any, p: dict[str, float], q: np.ndarray, u: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """u̇ in our layout (ω, v, joints) from Pinocchio's (v, ω, joints)."""
    turn = pin.Quaternion(np.linalg.multi_dot([pin.utils.rotate(a, x) for a, x in zip("xyz", q[3:6], strict=True)]))
    state = np.concatenate([q[:3], turn.coeffs(), q[6:]])
    v = np.concatenate([u[3:6], u[:3], u[6:]])
    spring = [-p[f"K{k}"] * q[k - 1] - p[f"D{k}"] * u[k - 1] for k in (9, 10)]
    tau = np.concatenate([inputs[:3], inputs[3:6], inputs[6:8], spring])
    a = pin.aba(model, model.createData(), state, v, tau)
    return np.concatenate([a[3:6], a[:3], a[6:]])


@pytest.mark.paper("000", "2", "9", "28")
@pytest.mark.parametrize(("way", "speeds"), [("kane", "standard"), ("sayers", "standard"), ("sayers", "mass-centre")])
def test_accelerations_match_pinocchio(way: str, speeds: Any) -> None:
    import satellite

    s = satellite.system()
    eq, model, rng = s.derive(way, speeds=speeds), referee(s.values), np.random.default_rng(5)
    f = eq.compile()
    for _ in range(5):
        q, u, inputs = rng.uniform(-0.8, 0.8, 10), rng.normal(size=10), rng.normal(size=8)
        wanted = theirs(model, s.values, q, u, inputs)
        x = eq.from_standard(np.concatenate([q, u]))
        rate = f.state_dot(0, x, inputs)
        if speeds == "standard":
            found = rate[10:]
        else:  # u̇ of the standard speeds, along the motion
            h = 1e-6
            ahead, behind = (eq.to_standard(x + d * rate)[10:] for d in (h, -h))
            found = (ahead - behind) / (2 * h)
        scale = np.abs(wanted).max()
        assert np.abs(found - wanted).max() < (1e-12 if speeds == "standard" else 1e-8) * scale
