"""A robot on two wheels that knows its tilt from an IMU and its way from an encoder only.

The gyroscope drifts, the accelerometer feels every motion, the encoder counts: a complementary filter estimates the
tilt, and linear gains for the sampled plant hold the robot upright. Sixteen robots, which differ in their random
numbers alone, are simulated at once: how far they wander is what their sensors cost.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm, solve_discrete_are

import freebody as fb

Array = NDArray[np.float64]
RATE = 200  # samples per second
RADIUS = 0.05  # of the wheels, m
STATES = ("q.axle", "q.body", "u.axle", "u.body")
SEEDS = range(16)


def plant() -> fb.System:
    """The axle slides as its wheels roll; the motor turns them against the body."""
    s = fb.System("balancing robot")
    axle = s.body("axle", joint=fb.Prismatic("x", armature=0.05, damping=0.5), mass=0.4)
    body = s.body("body", on=axle, joint=fb.Revolute("y"), mass=1.2, com=(0, 0, 0.12), inertia=(0.012, 0.01, 0.004))
    motor = s.input("motor", unit="N*m")
    s.joint_force(axle, motor / RADIUS)
    s.joint_force(body, -motor)
    return s


def gains() -> Array:
    """The row K of motor = −K x that minimises Σ xᵀQ x + 200 motor² at the samples."""
    lin = plant().linearize()
    order = [lin.states.index(name) for name in STATES]
    whole = np.zeros((5, 5))
    whole[:4, :4], whole[:4, 4:] = lin.A[np.ix_(order, order)], lin.B[order]
    sampled = expm(whole / RATE)
    A, B = sampled[:4, :4], sampled[:4, 4:]
    P = solve_discrete_are(A, B, np.diag([20.0, 5.0, 5.0, 0.1]), np.array([[200.0]]))
    return np.asarray(np.linalg.solve(200 + B.T @ P @ B, B.T @ P @ A))[0]


def system() -> fb.System:
    """The plant with its sensors, the filter and the law; a push at the top after 5 s."""
    s = plant()
    body = s.bodies["body"]
    s.force(s.input("push", unit="N") * s.ground.x, at=body.point((0, 0, 0.2)))
    errors = {"noise_density": {"gyro": 2e-4, "accel": 3e-3}, "bias": {"gyro": 0.01}, "bias_walk": {"gyro": 1e-4}}
    s.sensor("imu", fb.IMU(body.point((0, 0, 0.04)), rate=RATE, **errors))
    s.sensor("wheel", of=f"q.axle/{RADIUS} - q.body", rate=RATE, resolution=2 * np.pi / 1200, unit="rad")
    s.parameters(tau=2.0)
    k = gains().tolist()
    s.controller(
        "computer",
        rate=RATE,
        reads={"rate": "imu.gyro.y", "level": "atan2(-imu.accel.x, imu.accel.z)", "rolled": f"{RADIUS}*wheel"},
        states={
            "tilt": "tilt + period*(rate + bias + (level - tilt)*2/tau)",
            "bias": "bias + period*(level - tilt)/tau**2",
            "way": f"rolled + {RADIUS}*tilt",
            "speed": f"0.8*speed + 0.2*(rolled + {RADIUS}*tilt - way)/period",
        },
        law={"motor": f"-({k[0]}*way + {k[1]}*tilt + {k[2]}*speed + {k[3]}*(rate + bias))"},
        saturation=(-0.6, 0.6),
        delay=0.001,
    )
    return s


def main(folder: str = "out") -> tuple[float, float, float]:
    s, times = system(), np.linspace(0, 20, 4001)
    push = {"push": "where(abs(t - 5) < 0.05, 3, 0)"}
    record = ["q.axle", "q.body", "controller.computer.tilt"]
    sweep = s.sweep(times, {"seed": list(SEEDS)}, inputs=push, record=record)
    way, tilt, estimate = (sweep[name].values for name in record)
    error = np.degrees(np.std(estimate[:, 1000:] - tilt[:, 1000:]))
    worst, wander = np.degrees(np.abs(tilt).max()), np.std(way[:, 3000:])
    print(
        f"{len(way)} robots for 20 s: tilt at most {worst:.1f}°, its estimate within {error:.2f}° (standard deviation),"
    )
    print(f"they stand within {100 * wander:.1f} cm in the end (standard deviation)")
    figure, (angles, ways) = plt.subplots(2, figsize=(8, 6), sharex=True)
    angles.plot(times, np.degrees(estimate[0]), "C1", lw=0.8, label="estimate of the first robot")
    angles.plot(times, np.degrees(tilt[0]), "C0", lw=0.8, label="tilt")
    angles.set(ylabel="tilt [°]")
    angles.legend()
    ways.plot(times, way.T, lw=0.6)
    ways.set(xlabel="t [s]", ylabel="way of 16 robots [m]")
    Path(folder).mkdir(parents=True, exist_ok=True)
    file = Path(folder) / "balancing_robot.png"
    figure.tight_layout()
    figure.savefig(file)
    print(f"out/{file.name}" if folder == "out" else file)
    return float(worst), float(error), float(wander)


if __name__ == "__main__":
    main()
