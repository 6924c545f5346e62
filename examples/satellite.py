"""Sayers' satellite (Sayers 1991, Figs 1, 2 and Table 2): a bus with a camera on a clock and a boom on a double hinge.

The bus is free; the clock turns about its third axis and carries the camera; the boom bends about two hinges with the
massless body E between them. There is no gravity. The loads are our choice (the paper's are lost): springs and dampers
in the boom's hinges, torques that drive clock and camera, and a thruster and a torque on the bus.
"""

import freebody as fb

PARAMETERS = {
    "kg": {
        "MB": (800.0, "mass of the bus"), "MC": (20.0, "mass of the clock"), "MD": (60.0, "mass of the camera"),
        "MF": (15.0, "mass of the boom"),
    },
    "m": {
        "L1": (1.2, "camera's hinge below the bus"), "L2": (0.9, "clock's mass centre below the bus"),
        "L3": (0.2, "camera's hinge beside the clock's axis"), "L5": (0.15, "camera's mass centre beside its hinge"),
        "L6": (0.35, "camera's mass centre below its hinge"), "L7": (0.8, "boom's hinges beside the bus's mass centre"),
        "L8": (5.0, "boom's mass centre from its hinges"),
    },
    "kg·m²": {
        "IB11": (400.0, "inertia of the bus, entries of its matrix"), "IB22": (450.0, ""), "IB33": (300.0, ""),
        "IB12": (8.0, ""), "IB13": (-6.0, ""), "IB23": (5.0, ""),
        "ID11": (6.0, "inertia of the camera, entries of its matrix"), "ID22": (5.0, ""), "ID33": (4.0, ""),
        "ID12": (0.2, ""), "ID13": (-0.1, ""), "ID23": (0.3, ""),
        "IC": (1.5, "inertia of the clock across its axis"), "ICs": (0.8, "inertia of the clock about its axis"),
        "IF1": (120.0, "inertia of the boom across its axis"), "IF2": (0.6, "inertia of the boom about its axis"),
    },
    "N·m/rad": {"K9": (900.0, "stiffness of the boom's first hinge"), "K10": (950.0, "stiffness of its second hinge")},
    "N·m·s/rad": {"D9": (12.0, "damping of the boom's first hinge"), "D10": (14.0, "damping of its second hinge")},
}  # fmt: skip
INPUTS = {
    "F1": ("N", "thruster, along the bus's first axis"), "F2": ("N", "along its second"),
    "F3": ("N", "along its third"),
    "T1": ("N·m", "torque on the bus, about its first axis"), "T2": ("N·m", "about its second"),
    "T3": ("N·m", "about its third"), "T7": ("N·m", "drive of the clock"), "T8": ("N·m", "drive of the camera"),
}  # fmt: skip


def system(paper: bool = False) -> fb.System:
    """The satellite. The bus's coordinates are its position along n1, n2, n3 and 1-2-3 angles; with ``paper`` its joint
    is the paper's building block, whose speeds come in the paper's order, translations first."""
    s = fb.System("satellite", gravity=(0, 0, 0))
    for unit, named in PARAMETERS.items():
        for name, (value, meaning) in named.items():
            s.parameter(name, value, unit, meaning)
    for name, (unit, meaning) in INPUTS.items():
        s.input(name, unit, meaning)
    joint = fb.BuildingBlock(("x", "y", "z"), (1, 2, 3)) if paper else fb.Free("123")
    bus = s.body("bus", joint=joint, mass="MB", inertia=symmetric("IB"), shape=fb.Box(1.4, 1.6, 1.6))
    clock = s.body(
        "clock",
        on=bus,
        joint=fb.Revolute("z"),
        mass="MC",
        com=(0, 0, "-L2"),
        inertia=("IC", "IC", "ICs"),
        shape=fb.Cylinder(0.15, 0.6, "z", (0, 0, "-L2")),
    )
    camera = s.body(
        "camera",
        on=clock,
        at=(0, "L3", "-L1"),
        joint=fb.Revolute("x"),
        mass="MD",
        com=(0, "-L5", "-L6"),
        inertia=symmetric("ID"),
        shape=fb.Box(0.4, 0.4, 0.8, (0, "-L5", "-L6")),
    )
    e = s.body("e", on=bus, at=(0, "-L7", 0), joint=fb.Revolute("z", stiffness="K9", damping="D9"))
    s.body(
        "boom",
        on=e,
        joint=fb.Revolute("x", stiffness="K10", damping="D10"),
        mass="MF",
        com=(0, "-L8", 0),
        inertia=("IF1", "IF2", "IF1"),
        shape=fb.Cylinder(0.05, 10.0, "y", (0, "-L8", 0)),
    )
    s.joint_force(clock, "T7", name="clock drive")
    s.joint_force(camera, "T8", name="camera drive")
    s.force(bus.vector(("F1", "F2", "F3")), at=bus, name="thruster")
    s.torque(bus.vector(("T1", "T2", "T3")), on=bus, name="bus torque")
    return s


def symmetric(name: str) -> list[list[str]]:
    """The matrix of name11, name12, … with equal entries across the diagonal."""
    return [[f"{name}{min(i, j)}{max(i, j)}" for j in (1, 2, 3)] for i in (1, 2, 3)]


if __name__ == "__main__":
    print(system(paper=True).derive(speeds="mass-centre").tables())
    print(system().derive().operations["forward_dynamics"])
