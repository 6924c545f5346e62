"""The function of docs/robots.md that makes systems of MuJoCo's models: the same accelerations as MuJoCo's."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb

MODEL = """<mujoco><option gravity="1 -2 -9"><flag contact="disable" limit="disable"/></option><worldbody>
<body name="base" pos=".1 .2 .3" quat=".5 .5 .1 -.3"><freejoint/>
 <geom type="box" size=".1 .2 .3" pos=".1 0 0" quat=".9 .1 .2 .3" mass="2"/>
 <body name="arm" pos=".3 0 .1" euler="10 20 30">
  <joint type="hinge" axis="0 1 1" pos=".05 .02 -.03" damping=".3" armature=".2" stiffness="3" springref="20" ref="10"/>
  <joint type="slide" axis="1 0 1" pos=".1 0 0" range="-.1 .2" stiffness="50" ref=".1"/>
  <joint type="hinge" axis="0 0 1" pos="-.1 .1 0"/><geom type="capsule" size=".05 .2" pos="0 .1 .2" mass="1.5"/>
  <body pos="0 0 .4" euler="40 0 0"><geom type="box" size=".1 .05 .02" mass=".3"/>
   <body name="tip" pos=".1 .1 .1"><joint type="ball" pos="0 .02 .1" damping=".1" armature=".02"/>
    <geom type="box" size=".1 .05 .02" mass=".7" pos=".2 0 0"/></body></body></body></body>
<body pos="1 0 0" euler="30 0 0"><joint type="hinge" pos=".1 .2 .3" axis="1 1 0"/>
 <geom type="sphere" size=".1" pos="0 0 -.4" mass="1"/></body>
</worldbody></mujoco>"""


def from_mujoco() -> Any:
    """The function as the page has it."""
    page = (Path(__file__).parents[2] / "docs" / "robots.md").read_text()
    space: dict[str, Any] = {}
    (code,) = re.findall(r"```\n(import freebody as fb\n[^`]*def from_mujoco[^`]*)```", page)
    exec(code, space)
    return space["from_mujoco"]


@pytest.mark.parametrize("seed", range(3))
def test_accelerations_are_those_of_mujoco(seed: int) -> None:
    """Free, ball, hinge and slide joints off the origins of their bodies, several in series, a fixed body, damping,
    springs with references, armature."""
    mujoco = pytest.importorskip("mujoco", reason="the referee MuJoCo is not installed (pip install mujoco)")
    m, rng = mujoco.MjModel.from_xml_string(MODEL), np.random.default_rng(seed)
    s = from_mujoco()(m)
    assert len(s.bodies) == 7 and s.bodies["arm, joint 2"].spec.joint.limits == pytest.approx((-0.2, 0.1))
    to = fb.layout(s, "mujoco", order=[name for name, body in s.bodies.items() if body.u])
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:] = rng.normal(size=m.nq), rng.normal(size=m.nv)
    mujoco.mj_normalizeQuat(m, d.qpos)
    mujoco.mj_forward(m, d)
    scalar = m.jnt_qposadr[m.jnt_type > 1]
    q = d.qpos.copy()
    q[scalar] -= m.qpos0[scalar]
    q, u = to.q_from(q), to.v_from(q, d.qvel)
    u_dot = s.derive().compile("numpy").forward_dynamics(q, u)
    assert to.a_to(q, u, u_dot) == pytest.approx(d.qacc, rel=0, abs=1e-12 * np.abs(d.qacc).max())
