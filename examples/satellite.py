"""Sayers' satellite (Sayers 1991, Figs 1, 2 and Table 2): a bus with a camera on a clock and a boom on a double hinge.

The bus is free; the clock turns about its third axis and carries the camera; the boom bends about two hinges with the
massless body E between them. There is no gravity. The loads are our choice (the paper's are lost): springs and dampers
in the boom's hinges, torques that drive clock and camera, and a thruster and a torque on the bus.
"""

import freebody as fb

MASSES = {"MB": 800.0, "MC": 20.0, "MD": 60.0, "MF": 15.0}  # kg
LENGTHS = {"L1": 1.2, "L2": 0.9, "L3": 0.2, "L5": 0.15, "L6": 0.35, "L7": 0.8, "L8": 5.0}  # m
BUS = {"IB11": 400.0, "IB22": 450.0, "IB33": 300.0, "IB12": 8.0, "IB13": -6.0, "IB23": 5.0}  # kg m2, as matrix entries
CAMERA = {"ID11": 6.0, "ID22": 5.0, "ID33": 4.0, "ID12": 0.2, "ID13": -0.1, "ID23": 0.3}
ROTORS = {"IC": 1.5, "ICs": 0.8, "IF1": 120.0, "IF2": 0.6}
HINGES = {"K9": 900.0, "K10": 950.0, "D9": 12.0, "D10": 14.0}  # N m/rad, N m s/rad
INPUTS = ("F1", "F2", "F3", "T1", "T2", "T3", "T7", "T8")


def system(paper: bool = False) -> fb.System:
    """The satellite. The bus's coordinates are its position along n1, n2, n3 and 1-2-3 angles; with ``paper`` its joint
    is the paper's building block, whose speeds come in the paper's order, translations first."""
    s = fb.System("satellite", gravity=(0, 0, 0))
    s.parameters(**MASSES, **LENGTHS, **BUS, **CAMERA, **ROTORS, **HINGES)
    for name in INPUTS:
        s.input(name)
    joint = fb.BuildingBlock(("x", "y", "z"), (1, 2, 3)) if paper else fb.Free("123")
    bus = s.body("bus", joint=joint, mass="MB", inertia=symmetric("IB"))
    clock = s.body("clock", on=bus, joint=fb.Revolute("z"), mass="MC", com=(0, 0, "-L2"), inertia=("IC", "IC", "ICs"))
    camera = s.body("camera", on=clock, at=(0, "L3", "-L1"), joint=fb.Revolute("x"), mass="MD", com=(0, "-L5", "-L6"),
                    inertia=symmetric("ID"))  # fmt: skip
    e = s.body("e", on=bus, at=(0, "-L7", 0), joint=fb.Revolute("z", stiffness="K9", damping="D9"))
    s.body("boom", on=e, joint=fb.Revolute("x", stiffness="K10", damping="D10"), mass="MF", com=(0, "-L8", 0),
           inertia=("IF1", "IF2", "IF1"))  # fmt: skip
    s.effort(clock, "T7", name="clock drive")
    s.effort(camera, "T8", name="camera drive")
    s.force(bus.vector(("F1", "F2", "F3")), at=bus, name="thruster")
    s.torque(bus.vector(("T1", "T2", "T3")), on=bus, name="bus torque")
    return s


def symmetric(name: str) -> list[list[str]]:
    """The matrix of name11, name12, … with equal entries across the diagonal."""
    return [[f"{name}{min(i, j)}{max(i, j)}" for j in (1, 2, 3)] for i in (1, 2, 3)]


if __name__ == "__main__":
    print(system(paper=True).derive(speeds="mass-centre").report())
    print(system().derive().operations["forward_dynamics"])
