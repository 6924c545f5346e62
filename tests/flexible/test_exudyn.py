"""Flexible mechanisms compared with Exudyn: with its floating-frame bodies of the same modes, as in
``benchmarks/flexible_exudyn.py`` and ``benchmarks/flexible_loops.py``, and with its cables in absolute nodal
coordinates, another theory of beams."""

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb

pytest.importorskip("exudyn", reason="the referee Exudyn is not installed (pip install exudyn)")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import exudyn_models
import flexible_exudyn
import flexible_loops

TORQUE, END = 1.0, 0.5


def test_flexible_arm_matches_exudyn() -> None:
    """Exudyn's errors fall with the square of its steps; extrapolated to steps of zero, the tip is the same. It is
    elsewhere without the terms that depend on the deformation."""
    end = flexible_exudyn.DURATION
    s = flexible_exudyn.system()
    exact = s.simulate([0, end], rtol=1e-10, atol=1e-12)["tip"][-1]
    rough, fine = (flexible_exudyn.exudyn_arm(end, steps)[1] for steps in (2000, 4000))
    assert 3.5 < np.max(np.abs(rough - exact)) / np.max(np.abs(fine - exact)) < 4.5
    assert np.allclose((4 * fine - rough) / 3, exact, rtol=0, atol=1e-8)
    ruthless = flexible_exudyn.system("ruthless").simulate([0, end], rtol=1e-10, atol=1e-12)["tip"][-1]
    assert np.max(np.abs(ruthless - exact)) > 1e-4


def test_flexible_four_bar_matches_exudyn() -> None:
    """Three flexible links in a closed loop; the crank turns by 1.4 turns. Power balances and the loop stays closed."""
    run = flexible_loops.system().simulate([0, 1], rtol=1e-10, atol=1e-12)
    exact = flexible_loops.at_end(run)
    rough, fine = (flexible_loops.exudyn_four_bar(steps)[1] for steps in (2000, 4000))
    assert 3.5 < np.max(np.abs(rough - exact)) / np.max(np.abs(fine - exact)) < 4.5
    assert np.allclose((4 * fine - rough) / 3, exact, rtol=0, atol=1e-7)
    ruthless = flexible_loops.at_end(flexible_loops.system("ruthless").simulate([0, 1], rtol=1e-5))
    assert np.max(np.abs(ruthless - exact)) > 1e-3
    assert run.energy_error < 1e-10 and max(run.drift) < 1e-12


def four_bar_of_beams(order: str = "full") -> fb.System:
    """A rigid crank, and beams four times softer than the flexible links of the benchmark."""
    s, start, links = fb.System("four-bar", gravity=(0, 0, 0)), flexible_loops.angles(), flexible_loops.LINKS
    length = links["crank"].length
    mass = links["crank"].density * length
    crank = s.body(
        "crank",
        joint=fb.Revolute("z", initial=start["crank"]),
        mass=mass,
        com=(length / 2, 0, 0),
        inertia=fb.rod(mass, length, "x"),
    )

    def beam(name: str, angle: float) -> dict[str, Any]:
        link = links[name]
        shape = fb.Beam(
            length=link.length,
            EI=(link.EI / 4, None),
            density=link.density,
            ends="pinned",
            frame="floating",
            nodes={"middle": link.length / 2},
        )
        return {"joint": fb.Revolute("z", initial=angle), "flexible": shape, "modes": 6, "order": order}

    coupler = s.body("coupler", on=crank, at=(length, 0, 0), **beam("coupler", start["coupler"] - start["crank"]))
    rocker = s.body("rocker", at=(flexible_loops.GROUND, 0, 0), **beam("rocker", start["rocker"]))
    s.close(coupler.node("tip"), rocker.node("tip"), fb.Revolute("z"), name="pin")
    s.joint_force(crank, TORQUE, name="motor")
    s.output("end", s.position(coupler.node("tip").origin))
    s.output("middle", s.position(coupler.node("middle").origin))
    s.output("deflection", s.deflection(coupler.node("middle")).dot(coupler.y))
    return s


def four_bar_of_cables(steps: int, elements: int = 8) -> np.ndarray:
    """The pin and the middle of the coupler at the end of the same four-bar of Exudyn's cables, whose axial stiffness
    is finite but large."""
    import exudyn
    import exudyn.itemInterface as item

    mbs = exudyn.SystemContainer().AddSystem()
    ground, start, links = mbs.AddObject(item.ObjectGround()), flexible_loops.angles(), flexible_loops.LINKS
    length, turn = links["crank"].length, np.exp(1j * start["crank"])
    mass, centre = links["crank"].density * length, length / 2 * turn
    node = mbs.AddNode(item.NodeRigidBody2D(referenceCoordinates=[centre.real, centre.imag, start["crank"]]))
    crank = mbs.AddObject(item.ObjectRigidBody2D(nodeNumber=node, mass=mass, inertia=mass * length**2 / 12))
    motor = mbs.AddMarker(item.MarkerNodeRigid(nodeNumber=node))
    mbs.AddLoad(item.LoadTorqueVector(markerNumber=motor, loadVector=[0, 0, TORQUE]))
    markers: dict[str, list[Any]] = {}
    for name, root in (("coupler", length * turn), ("rocker", complex(flexible_loops.GROUND))):
        link, along = links[name], np.exp(1j * start[name])
        places = root + along * link.length * np.linspace(0, 1, elements + 1)
        nodes = [
            mbs.AddNode(item.NodePoint2DSlope1(referenceCoordinates=[x.real, x.imag, along.real, along.imag]))
            for x in places
        ]
        for pair in pairwise(nodes):
            cable = {"length": link.length / elements, "massPerLength": link.density}
            mbs.AddObject(
                item.ObjectANCFCable2D(
                    nodeNumbers=list(pair), bendingStiffness=link.EI / 4, axialStiffness=1e7, **cable
                )
            )
        markers[name] = [mbs.AddMarker(item.MarkerNodePosition(nodeNumber=n)) for n in nodes]

    def at(body: Any, x: float) -> Any:
        return mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))

    for ends in (
        (at(ground, 0), at(crank, -length / 2)),
        (at(crank, length / 2), markers["coupler"][0]),
        (at(ground, flexible_loops.GROUND), markers["rocker"][0]),
        (markers["coupler"][-1], markers["rocker"][-1]),
    ):
        mbs.AddObject(item.RevoluteJoint2D(markerNumbers=list(ends)))
    mbs.Assemble()
    exudyn_models.integrate(exudyn, mbs, END, steps)
    position = exudyn.OutputVariableType.Position
    return np.concatenate([mbs.GetMarkerOutput(markers["coupler"][k], position) for k in (-1, elements // 2)])


def test_four_bar_of_beams_matches_cables_of_another_theory() -> None:
    """The coupler is deflected by 7 mm; places differ by 0.004 mm. Without the terms that depend on the deformation
    they differ by 0.5 mm."""
    run = four_bar_of_beams().simulate([0, END], rtol=1e-8, atol=1e-10)
    cables = four_bar_of_cables(2000)
    assert np.abs(run["deflection"][-1]) > 7e-3
    assert np.abs(flexible_loops.at_end(run) - cables).max() < 1e-5
    ruthless = flexible_loops.at_end(four_bar_of_beams("ruthless").simulate([0, END], rtol=1e-5))
    assert np.abs(ruthless - cables).max() > 3e-4
