"""The example models written in Python, which the files must match; and a pendulum to be modified."""

from math import pi
from typing import Any

import freebody as fb
from freebody.model.joints.base import Joint


def double_pendulum() -> fb.System:
    s = fb.System("double pendulum")
    m = s.parameter("m", 1.0, "kg", "mass of a rod")
    l = s.parameter("l", 0.5, "m", "length of a rod")
    k = s.parameter("k", 20.0, "N/m")
    motor = s.input("motor", "N m", "torque on the lower rod")
    rod = fb.Cylinder(0.02, l, at=(0, 0, -l / 2))
    upper = s.body("upper", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z"), shape=rod)
    lower = s.body(
        "lower",
        on=upper,
        at=(0, 0, -l),
        joint=fb.Revolute("y"),
        mass=m,
        com=(0, 0, "-l/2"),
        inertia=fb.rod(m, l, "z"),
        shape=rod,
    )
    s.spring(upper.point((0, 0, -l)), s.ground.point((1, 0, 0)), stiffness=k, free_length=0.2)
    s.torque(motor, on=lower, reaction=upper, about=lower.y)
    s.output("tip", s.position(lower.point((0, 0, -l))))
    s.output("speed", s.velocity(lower.point((0, 0, -l))).norm())
    return s


def blocks(s: fb.System, half: Any) -> None:
    """A block of each kind."""
    s.add(fb.TransferFunction("motor", [1], [0.01, 0.2, 1], unit="N*m"), "filtered")
    rows: Any = [[0, 1], ["-k", -2]], [[0, 0], ["k", 2]], [[1, 0], [0, 1]]
    s.add(fb.StateSpace(["q.arm", "u.arm"], *rows), "estimate")
    speed = fb.PID("1 - u.cart", kp=20, ki=5, kd=0.1, filter=0.05, limits=(-50, 50), unit="N")
    s.add(speed, "speed control")
    s.add(fb.Lag("filtered", 0.1, unit="N*m"), "late")
    s.add(fb.RateLimiter("late", rise=5, fall=3, lag=0.02), "gentle")
    s.add(fb.Lookup("t", [0, 1, 2], [0, 1, 0], "cubic"), "schedule")
    s.add(fb.Lookup2D("u.arm", "schedule", [-1, 0, 1], [0, 1], [[0, 0, 0], [-1, 0, 1]]), "map")
    s.add(fb.Hysteresis(s.bodies["cart"].u[0] / half, n=2, beta=0.6, gamma=0.4), "rubber")
    s.add(fb.Backlash("gentle", gap=0.1, lag=0.02), "slack")
    s.add(fb.Delay("slack", time=0.3, period=0.02), "echo")
    s.add(fb.Relay("heat", 1, 2, lag=0.02), "thermostat")


def everything() -> fb.System:
    """With its elements in another order than the sections of the file."""
    s = fb.System("everything", gravity=(0, 0, "-g"))
    s.parameter("g", 9.81, "m/s2")
    m = s.parameter("m", 2, "kg", "mass of most parts")
    l = s.parameter("l", 0.4, "m", "length of most parts")
    k, tilt = s.parameters(k=150, tilt=pi / 6)
    half, motor = l / 2, s.input("motor")
    joint: Joint = fb.Prismatic("x", damping=3, friction=0.5, limits=(-5, 5), initial=(0.5,))
    cart = s.body("cart", joint=joint, mass=4 * m, inertia=fb.box(4 * m, l, half, half), shape=fb.Box(l, half, half))
    mast = s.body("mast", on=cart, at=(0, 0, half), mass=1, com=(0, 0, l), inertia=fb.rod(1, 2 * l))
    joint = fb.Revolute(
        (1, 2, 0),
        stiffness="k*(1 + q.arm**2)",
        rest=0.1,
        damping=0.4,
        armature=0.01,
        limits=(-pi / 2, float("inf")),
        initial=pi / 8,
    )
    shape = [fb.Cylinder(l / 8, l, at=(0, 0, -half)), fb.Sphere(l / 6, at=(0, 0, -l))]
    arm = s.body(
        "arm",
        on=mast,
        at=(0, 0, 2 * l),
        orient=("x", tilt),
        joint=joint,
        mass=m,
        com=(0, 0, -half),
        inertia=fb.cylinder(m, l / 8, l),
        shape=shape,
    )
    drill = s.body(
        "drill",
        on=arm,
        at=(0, 0, -l),
        joint=fb.Screw("-z", 0.01),
        mass=0.5,
        com=(half, 0, 0),
        inertia=fb.cone(0.5, 0.1, half),
        shape=fb.Mesh("drill.stl", 0.001),
    )
    turns = [("z", 0.3), ("y", tilt)]
    s.body(
        "piston",
        on=cart,
        at=(l, 0, 0),
        orient=turns,
        joint=fb.Cylindrical("x", stiffness=k),
        mass=m,
        com=(0, 0.05, 0),
        inertia=(0.02, 0.03, 0.03),
    )
    command = s.input("command")
    lag = s.state("lag", None, 0.1, "N", "a valve that is late")
    joint = fb.Planar("y", motion=(None, 0.2 * fb.sin(3 * s.t), None))
    plate = s.body("plate", on=cart, at=(-l, 0, 0), joint=joint, mass=m, inertia=fb.disk(m, l, "y"))
    joint = fb.Universal("x", "y", damping=0.2, initial=(0.1, -0.1))
    pendant = s.body(
        "pendant", on=plate, at=(0, 0, -half), joint=joint, mass=1.5, com=(0, 0, -l), inertia=fb.shell(1.5, 0.1)
    )
    ball = s.body(
        "ball",
        on=pendant,
        at=(0, 0, -2 * l),
        joint=fb.Spherical(),
        mass=0.8,
        com=(0, 0, -0.05),
        inertia=fb.sphere(0.8, 0.1),
    )
    s.body("hoop", on=arm, joint=fb.Spherical("313", initial=(0, 1, 0)), mass=0.3, inertia=fb.ring(0.3, half))
    drone = s.body("drone", joint=fb.Free(), mass=m, inertia=[[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.04]])
    joint = fb.BuildingBlock(("z", (1, 0, 1)), (2,), "y", "x")
    lift = s.body(
        "lift", on=drone, joint=joint, mass=0.4, com=(0, 0, 0.1), inertia=("1/100", 0.01, 0.01), about=(0, 0, 0)
    )
    joint = fb.Simple([[0] * 3, [1, 0, 0], [0] * 3, [0, l, 0], [0] * 3, [0, 0, 2]], initial=(0.1, 0, 0))
    s.body("puck", on=plate, joint=joint, mass=0.2, inertia=fb.disk(0.2, 0.1, "y"))
    joint = fb.Compound([0, 0, 1, 0, 0, "l/10"], fb.Revolute((1, 1, 0)), fb.Prismatic(), damping=0.1)
    s.body("wrist", on=arm, joint=joint, mass=0.3, com=(0, 0, 0.1), inertia=(0.01, 0.01, 0.01))
    buffer = fb.table("buffer", [-0.5, 0, 0.1, 0.5], [0, 0, 20, 300], "cubic", "hold")

    def rail(x: Any) -> Any:
        lobe = half * (1 + fb.cos(2 * x) / 4)
        return lobe * fb.cos(x), lobe * fb.sin(x), fb.lookup(buffer, x) / 100

    joint = fb.Custom(rail, [("z", "s"), ((1, 0, 1), "s**2/9")], stiffness=3)
    s.body("follower", on=drill, joint=joint, mass=0.1, inertia=(0.001, 0.001, 0.001))
    s.rate(lag, (command - lag) / 0.05)
    heat = s.state("heat", "u.arm**2 - heat/10")

    vx, vy, vz = drone.u[3:]
    speed = fb.sqrt(vx**2 + vy**2 + vz**2)
    s.force(drone.z * lag, at=drone.point((0, 0.1, 0)), name="thrust")
    s.force(1.5 * s.ground.x + drone.x * fb.where(speed < 1, 0, -0.1 * speed), at=drone.centre, name="wind")
    before = type(arm.z)(s.graph, {arm.frame.parent.basis[2][1]: s.scalar(2, "push").handle})  # type: ignore[union-attr]
    s.force(before, at=arm.point((0, 0, -l)), reaction=cart, name="push")
    s.torque(motor, on=arm, about=arm.z, reaction=mast, name="twist")
    s.torque(ball.vector([-0.1 * w for w in ball.u]), on=ball, name="drag")
    eye = type(ball.origin)(ball, ball.origin.offset, "eye")
    s.spring(eye, s.ground.point((1, 0, 0)), k / 3, half, 1, name="coil")
    end = drill.point((0, 0, -half))
    s.force_between(end, plate.origin, lambda x, v: -fb.lookup(buffer, l - x) * (1 - 0.2 * v), "bumper")
    blocks(s, half)
    s.joint_force(drill, "0.01*echo + 0.01*map - 0.1*thermostat*rubber", name="spin")
    command = s.inputs["command"]
    electric: Any = {"kt": 0.05, "resistance": 0.4, "inductance": 1e-3}
    s.add(fb.Motor(drill, voltage=3 * command, **electric, gear=20, inertia=1e-5), "turn")
    s.add(fb.Servo(arm, "0.2*sin(t)", kp=20, kd=2, gear=10, efficiency=0.8, max_torque=3, max_speed=40), "hold")
    ends = cart.point((0, l, 0)), s.bodies["piston"].point((0.1, 0, 0))
    sizes: Any = {"area": 1e-3, "rod_area": 7e-4, "closed_length": half, "travel": 0.8}
    s.add(fb.HydraulicCylinder(*ends, **sizes, valve="0.1*sin(t)", supply=1e6, rated_flow=1e-4), "ram")
    s.joint_force(pendant, 0.3 * motor - 0.05 * s.bodies["pendant"].u[0], "a1", name="drive")
    s.joint_force(drone, -0.2 * drone.u[2], "wz", name="trim")
    s.joint_stop(cart, dissipation=0.4)
    foam = fb.ContactMaterial(100 * k, dissipation=0.5, friction=0.6, static_friction=0.8, name="foam")
    s.contact(arm.shape("sphere"), s.ground.plane(normal="-x", at=(6, 0, 0)), foam, "fender")
    s.joint_stop("piston", -l, half, 100 * k, coordinate="slide", name="travel")

    s.output("energy of the coil", k * heat, unit="J")
    s.output("tip", s.position(drill.point((0, 0, -half)), of=cart))
    s.output("speed of the ball", s.velocity(ball.centre).norm())
    s.output("felt", s.acceleration(mast))
    s.output("turning", s.angular_velocity(lift))
    s.output("mixed", s.bodies["piston"].x + s.velocity(drone))
    s.sensor("seen", of={"angle": "q.arm", "fast": "abs(u.arm)"}, rate=100, noise={"angle": 0.01}, resolution=0.001)
    s.sensor("counted", fb.Encoder("arm", counts=2048, rate=200, delay=0.003))
    s.sensor(
        "imu",
        fb.IMU(
            drill.point((0, 0, -half)),
            ("x", 0.3),
            rate=50,
            bias={"gyro.z": 0.01},
            noise_density={"gyro": 0.001, "accel": 0.02},
            bias_walk={"gyro": 0.0001},
        ),
    )
    s.sensor("cell", fb.ForceTorqueSensor(drill, rate=20, range=(-1000, 1000)))
    s.controller(
        "watch",
        rate=20,
        offset=0.01,
        reads={"turn": "q.arm", "felt": "u_dot.arm"},
        states={"mean": "mean + (turn - mean)/8", "peak": "max(peak, abs(felt))"},
        initial={"mean": 0.1},
    )
    return s


def slider_crank() -> fb.System:
    s = fb.System("slider-crank")
    r = s.parameter("r", 0.3, "m", "length of the crank")
    l = s.parameter("l", 1, "m", "length of the rod")
    motor = s.input("motor", "N·m", "torque on the crank")
    joint = fb.Revolute("y", initial=0.5)
    crank = s.body("crank", joint=joint, mass=1, com=(r / 2, 0, 0), inertia=fb.rod(1, r, "x"))
    rod = s.body(
        "rod", on=crank, at=(r, 0, 0), joint=fb.Revolute("y"), mass=2, com=(l / 2, 0, 0), inertia=fb.rod(2, l, "x")
    )
    slider = s.body("slider", joint=fb.Prismatic("x", initial=1.3, damping=2), mass=3)
    s.close(rod.point((l, 0, 0)), slider, fb.Revolute("y"), name="pin")
    s.joint_force(crank, motor, name="drive")
    s.output("stroke", slider.q[0])
    return s


def pendulum(**joint: Any) -> fb.System:
    s = fb.System("pendulum")
    s.parameters(c=0.3, l=2.0)
    s.body("arm", joint=fb.Revolute("y", **joint), mass=1, com=(0, 0, -1))
    return s


@fb.component
def quadruped_leg(s: fb.System, stiffness: float, at: Any) -> None:
    """What ``examples/models/parts/leg.yaml`` describes."""
    length = s.parameter("length", 0.25, "m", "length of thigh and shank")
    s.parameter("stiffness", stiffness, "N m/rad")
    bend = s.input("bend", "rad", "angle of the knee")
    s.body("mount", on="base", at=at)
    middle = (0, 0, -length / 2)
    joints = fb.Revolute("y", initial=-0.4), fb.Revolute("y", initial=0.8)
    shape = fb.Capsule(0.02, length, at=middle)
    thigh = s.body(
        "thigh", on="mount", joint=joints[0], mass=0.8, com=middle, inertia=(0.004, 0.004, 0.0005), shape=shape
    )
    shape = fb.Capsule(0.012, length, at=middle)
    inertia = 0.0015, 0.0015, 0.0001
    below = (0, 0, -length)
    shank = s.body("shank", on=thigh, at=below, joint=joints[1], mass=0.3, com=middle, inertia=inertia, shape=shape)
    s.add(fb.RateLimiter(bend, rise=2, lag=0.02, initial=0.8, unit="rad"), "target")
    gears: Any = {"gear": 9, "inertia": 8e-5, "max_torque": 4}
    s.add(fb.Servo(thigh, "-target/2", kp="stiffness", kd=6, **gears), "hip")
    s.add(fb.Servo("shank", "target", kp="stiffness", kd=6, **gears), "knee")
    s.output("foot", s.position(shank.point(below)))


def quadruped() -> fb.System:
    s = fb.System("quadruped")
    x, y = s.parameter("reach", 0.2, "m"), s.parameter("width", 0.12, "m")
    joint = fb.Free(initial=(0, 0, 0.5, 1, 0, 0, 0))
    s.body("base", joint=joint, mass=9, inertia=(0.07, 0.2, 0.24), shape=fb.Box(0.5, 0.22, 0.1))
    quadruped_leg(s, "front_left", 250, (x, y, 0))
    quadruped_leg(s, "front_right", 250, (x, -y, 0))
    quadruped_leg(s, "rear_left", 300, (-x, y, 0))
    quadruped_leg(s, "rear_right", 300, (-x, -y, 0))
    s.output("bend of the knees", "front_left.target")
    return s
