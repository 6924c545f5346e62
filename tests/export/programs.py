"""Systems whose programs are compared with our own runs, and how programs are built and run."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from tests.backends.compiler import COMPILER

FORTRAN = shutil.which("gfortran")
LANGUAGES = [
    pytest.param("c", marks=pytest.mark.skipif(not COMPILER, reason="no C compiler on this machine")),
    pytest.param(
        "fortran",
        marks=pytest.mark.skipif(FORTRAN is None, reason="no gfortran on this machine; apt-get install gfortran"),
    ),
]
WARNINGS = {
    "c": "-O1 -Wall -Wextra -pedantic -Werror",
    "fortran": "-O1 -Wall -pedantic -Werror -fcheck=bounds -Wno-unused-dummy-argument -Wno-unused-parameter"
    " -Wno-zerotrip -Wno-unused-function -Wno-unused-variable -Wno-compare-reals -Wno-unused-value",
}


@dataclass(frozen=True)
class ProgramCase:
    """A system and the arguments of its run."""

    name: str
    system: Callable[[], fb.System]
    end: float = 2.0
    arguments: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.name


def build(folder: Path, language: str, flags: str = "") -> None:
    """Build a program; warnings are errors."""
    name = {"c": "CFLAGS", "fortran": "FFLAGS"}[language]
    done = subprocess.run(
        ["make", "-s", f"{name}={flags or WARNINGS[language]}"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def execute(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program of a folder."""
    program = next(p for p in folder.iterdir() if p.suffix == "" and p.name != "Makefile")
    return subprocess.run([str(program), *arguments], cwd=folder, capture_output=True, text=True, timeout=60)


def result(folder: Path) -> fb.Trajectory:
    return fb.Trajectory.load(next(folder.glob("*.nc")))


def pendulum() -> fb.System:
    """With a table, an extra state, an input, a spring and names that are not ASCII."""
    s = fb.System("two pendulums Ω")
    m, length = s.parameter("m", 1.5, "kg", "mass ≥ 0"), s.parameter("λ", 0.4, "m")
    motor = s.input("motor", "N·m", "drive of the second hinge")
    upper = s.body(
        "upper", joint=fb.Revolute("y", damping=0.05), mass=m, com=(0, 0, -length / 2), inertia=(0.1, 0.1, 0.01)
    )
    lower = s.body(
        "lower",
        on=upper,
        at=(0, 0, -length),
        joint=fb.Revolute("y"),
        mass=m,
        com=(0, 0, "-0.2"),
        inertia=(0.1, 0.1, 0.01),
    )
    s.torque(motor, on=lower, reaction=upper, about=lower.y)
    s.state("filter", "-2*filter + q.upper", initial=0.25, unit="rad", description="q.upper behind a filter")
    curve = fb.table("spring", [-2.0, -0.5, 0.0, 0.7, 2.0], [-3.0, -1.0, 0.0, 0.8, 4.0], "cubic", "extrapolate")
    s.joint_force(upper, -fb.lookup(curve, upper.q[0]), name="stop")
    s.output("tip", s.position(lower.point((0, 0, -0.4))))
    return s


def spinner() -> fb.System:
    """Quaternions, and a spring to the ground."""
    s = fb.System("spinner")
    body = s.body("top", joint=fb.Free(), mass=2.0, inertia=(0.3, 0.2, 0.1), com=(0.1, 0, 0))
    arm = s.body(
        "arm", on=body, at=(0.5, 0, 0), joint=fb.Spherical(), mass=0.5, inertia=(0.02, 0.03, 0.01), com=(0, 0.2, 0)
    )
    s.spring(arm.point((0, 0.4, 0)), s.ground.point((1, 0, 1)), stiffness=15.0, free_length=0.3)
    return s


def four_bar() -> fb.System:
    """A closed loop."""
    s = fb.System("four_bar")
    a = s.body("crank", joint=fb.Revolute("y"), mass=1.0, com=(0.15, 0, 0), inertia=(0.01, 0.02, 0.02))
    b = s.body(
        "coupler",
        on=a,
        at=(0.3, 0, 0),
        joint=fb.Revolute("y", initial=-1.59),
        mass=2.0,
        com=(0.5, 0, 0),
        inertia=(0.02, 0.2, 0.2),
    )
    c = s.body(
        "rocker",
        at=(1.0, 0, 0),
        joint=fb.Revolute("y", initial=-1.87),
        mass=1.5,
        com=(0.35, 0, 0),
        inertia=(0.02, 0.1, 0.1),
    )
    s.close(b.point((1.0, 0, 0)), c.point((0.7, 0, 0)), fb.Revolute("y"), name="pin")
    return s


def ball() -> fb.System:
    s = fb.System("ball")
    s.body("ball", joint=fb.Prismatic("z"), mass=1.0)
    s.parameter("e", 0.8)
    return s


def moved() -> fb.System:
    """A four-bar whose crank an input with rates turns, on a cart that follows a filter."""
    s = fb.System("moved")
    cart = s.body(
        "cart", joint=fb.Prismatic("x", motion=s.filter("smooth", s.input("command", "m"), 2, unit="m")), mass=1
    )
    turn = s.input("turn", "rad", rates=True)
    a = s.body("crank", on=cart, joint=fb.Revolute("y", motion=turn), mass=1.0, com=(0.15, 0, 0), inertia=(0.01,) * 3)
    pin = fb.Revolute("y", initial=-1.59)
    b = s.body("coupler", on=a, at=(0.3, 0, 0), joint=pin, mass=2.0, com=(0.5, 0, 0), inertia=(0.02, 0.2, 0.2))
    pin = fb.Revolute("y", initial=-1.87)
    c = s.body("rocker", on=cart, at=(1.0, 0, 0), joint=pin, mass=1.5, com=(0.35, 0, 0), inertia=(0.02, 0.1, 0.1))
    s.close(b.point((1.0, 0, 0)), c.point((0.7, 0, 0)), fb.Revolute("y"), name="pin")
    return s


def regulated() -> fb.System:
    """Noise, three rates with offsets, and delays that last a whole number of samples and that do not."""
    s = fb.System("regulated")
    motor = s.input("motor", "N·m")
    s.parameter("k", 8.0)
    arm = s.body("arm", joint=fb.Revolute("y", damping=0.05), mass=1.5, com=(0, 0, -0.4), inertia=(0.1, 0.1, 0.01))
    s.joint_force(arm, motor)
    s.body("ball", at=(1, 0, 0), joint=fb.Prismatic("z"), mass=1.0)
    s.sensor("angle", of="q.arm", rate=400, delay="0.00375", noise=0.01)
    s.sensor("turn", of="u.arm", period=0.004, offset=0.001, resolution=0.01)
    law, states = {"motor": "k*(0.8 - angle) - 1.5*turn + sum"}, {"sum": "sum + period*(0.8 - angle)"}
    limits: dict[str, Any] = {"initial": {"motor": 0.5}, "saturation": (-6, 6)}
    s.controller("pd", rate=50, offset=0.01, delay="0.03", law=law, states=states, **limits)
    return s


def loop() -> fb.System:
    """Constraints, a sensor of their forces, a delay in samples, and an input whose jumps depend on samples."""
    s = four_bar()
    s.joint_force("crank", s.input("motor", "N·m"))
    s.joint_force("crank", s.input("kick", "N·m"))
    s.sensor("angle", of="q.crank", period="1/30", delay_samples=2)
    s.add(fb.ForceTorqueSensor(joint="coupler", rate=100), "force")
    law, states = {"motor": "2*sin(angle) - 3*slow"}, {"slow": "0.9*slow + 0.1*u"}
    s.controller("brake", rate=20, offset=0.013, law=law, states=states, reads={"u": "u.crank"})
    return s


BOUNCES = [
    fb.Event("q.ball", -1, reset={"u.ball": "-e*u.ball"}, name="bounce"),
    fb.Event("u.ball", -1, name='top "of" flight?'),
    fb.Event("t - 1.75", 1, terminal=True, name="late"),
]
PULSE = "where(t > 0.5, where(t < 0.75, 3, 0), 0) + 0.1*u.lower"

CASES = [
    ProgramCase("pendulum", pendulum, 2.0, {"q": {"upper": 0.5}, "inputs": {"motor": PULSE}}),
    ProgramCase("driven", pendulum, 1.0, {"u": {"lower": 2.0}, "inputs": {"motor": 0.4}}),
    ProgramCase("moved", moved, 1.0, {"inputs": {"command": 0.3, "turn": "0.4*sin(2*t)"}}),
    ProgramCase("moved by numbers", moved, 1.0, {"inputs": {"command": 0.3, "turn": 0.1, "turn.rate": 0.5}}),
    ProgramCase("spinner", spinner, 2.0, {"u": {"top": (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)}}),
    ProgramCase("four_bar", four_bar, 2.0, {"q": {"crank": 0.6}, "u": {"crank": 3.0}}),
    ProgramCase("ball", ball, 3.0, {"q": {"ball": 1.0}, "events": BOUNCES}),
]
