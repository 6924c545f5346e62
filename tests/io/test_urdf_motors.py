"""Motors of robots: an input or a held position for each joint, with the limits of the file."""

from pathlib import Path

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FileError, ModelError
from freebody.io import dumps, loads

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"


def test_each_joint_has_an_input_and_a_motor_with_the_limits_of_the_file() -> None:
    s = fb.load(ROBOTS / "ur5.urdf", motors=True)
    joints = [j for j in s.robot.joints.values() if j.moves]
    assert [*s.inputs] == [f"command.{j.body}" for j in joints] and len(joints) == 6
    for j in joints:
        motor = s.loads[f"motor.{j.body}"]
        assert (motor.max_torque, motor.max_speed) == (j.effort, j.velocity)
    plain = fb.load(ROBOTS / "ur5.urdf")
    q, u, tau = np.full(6, 0.3), np.zeros(6), np.array([10, -20, 15, 3, 2, -1.0])
    f, g = s.derive().compile("numpy"), plain.derive().compile("numpy")
    assert np.allclose(f.forward_dynamics(q, u, inputs=tau), g.forward_dynamics(q, u, tau), rtol=1e-9)
    over = f.forward_dynamics(q, u, inputs=1e4 * np.ones(6))
    most = np.array([j.effort for j in joints])
    assert np.allclose(over, g.forward_dynamics(q, u, most), rtol=1e-9)
    assert loads(dumps(s), fb.System).digest() == s.digest()


def test_joints_that_mimic_have_no_motor() -> None:
    s = fb.load(ROBOTS / "panda.urdf", motors=True)
    assert "command.panda_leftfinger" in s.inputs and "command.panda_rightfinger" not in s.inputs
    locked = fb.load(ROBOTS / "panda.urdf", motors=True, lock={"panda_finger_joint1": 0.02})
    assert len(locked.inputs) == 7


def test_a_pose_is_held() -> None:
    pose = {"shoulder_lift_joint": -1.2, "elbow_joint": 1.5}
    s = fb.load(ROBOTS / "ur5.urdf", motors=True, hold=pose)
    assert not s.inputs and s.values["hold.forearm_link"] == 1.5
    run = s.simulate(0.5, q={"upper_arm_link": -1.2, "forearm_link": 1.5})
    sag = abs(run["load.motor.upper_arm_link"][-1]) / s.values["hold.upper_arm_link.kp"]
    assert run["q.upper_arm_link"][-1] == pytest.approx(-1.2, abs=1.5 * sag)
    assert sag < 0.1


def test_what_cannot_be_held() -> None:
    def load(**options: object) -> fb.System:
        return fb.load(ROBOTS / "ur5.urdf", **options)  # type: ignore[arg-type]

    with pytest.raises(ModelError, match="hold needs motors; load with motors=True too"):
        load(hold=True)
    with pytest.raises(ModelError, match=r"hold: 'elbow' is not a joint of robot 'ur5'\. Choose from .*elbow_joint"):
        load(motors=True, hold={"elbow": 1})
    with pytest.raises(ModelError, match="hold is True, or positions of joints by name"):
        load(motors=True, hold=3)
    with pytest.raises(ModelError, match="the value of hold 'elbow_joint' must be a number"):
        load(motors=True, hold={"elbow_joint": "up"})
    with pytest.raises(ModelError, match="motors is True or False"):
        load(motors="yes")


def test_a_joint_without_effort_cannot_be_held(tmp_path: Path) -> None:
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    path = tmp_path / "r.urdf"
    path.write_text(
        f'<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>{inertia}</inertial></link>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>'
    )
    with pytest.raises(FileError, match="joint 'j': it has no effort limit"):
        fb.load(path, motors=True, hold=True)
    motor = fb.load(path, motors=True).loads["motor.b"]
    assert motor.max_torque is None and motor.max_speed is None
