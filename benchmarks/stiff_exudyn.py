"""A chain of links with stiff, damped joints that sags under its weight, simulated by freebody and by Exudyn.

    python benchmarks/stiff_exudyn.py        # needs: pip install exudyn

Exudyn's model is planar (RigidBody2D, RevoluteJoint2D), with a CoordinateSpringDamper between the angles of links that
follow each other. It is integrated by generalised alpha with constant steps, in the variant that is the fastest here:
sparse matrices, Newton's method modified, and any spectral radius. The error is the largest of the tip's displacement
at 20 times, relative to the largest displacement, compared with a run of tolerance 1e-11. Exudyn's number of steps is
the one at which its error equals that of ``simulate``.
"""

import math
import time
from typing import Any

import numpy as np
from exudyn_models import _exudyn, here
from numpy.typing import NDArray
from stiff_models import chain

import freebody as fb

Array = NDArray[np.float64]
Row = tuple[str, float, float | None, dict]
LINKS, LENGTH, DURATION, TIMES = 10, 0.1, 1.0, 20
RADII = (0.9, 0.6, 0.2)


class Ours:
    """The chain by ``simulate``."""

    def __init__(self, links: int = LINKS) -> None:
        self.links, self.model = links, chain(links)
        self.equations = self.model.derive()
        self.times = np.linspace(0, DURATION, TIMES + 1)
        self.exact = self.tip(self.run(1e-11)[1])

    def run(self, rtol: float, times: Any = None) -> tuple[float, fb.Trajectory]:
        began = time.process_time()
        at = self.times if times is None else times
        run = self.equations.simulate(at, method="rodas5p", rtol=rtol, atol=rtol * self.model.atol, progress=False)
        return time.process_time() - began, run

    def tip(self, run: fb.Trajectory) -> Array:
        """How far the tip has moved to the side and upwards."""
        angles = np.cumsum([run[f"q.b{k}"] for k in range(self.links)], axis=0)  # about y, from x to −z
        return LENGTH * np.array([(np.cos(angles) - 1).sum(0), -np.sin(angles).sum(0)]).T

    def error(self, tip: Array) -> float:
        return float(np.abs(tip - self.exact).max() / np.abs(self.exact).max())


def theirs(links: int, steps: int, radius: float) -> tuple[float, Array]:
    """Processor time of a run of Exudyn, and how its tip has moved at the times."""
    exu = _exudyn()
    import exudyn.itemInterface as item

    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground, mass = mbs.AddObject(item.ObjectGround()), 0.2
    fixed = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(item.NodePointGround()), coordinate=0))
    before, at, angle = ground, [0.0, 0.0, 0.0], fixed
    for k in range(links):
        node = mbs.AddNode(item.Rigid2D(referenceCoordinates=[LENGTH * (k + 0.5), 0, 0]))
        link = mbs.AddObject(item.RigidBody2D(mass=mass, inertia=mass * LENGTH**2 / 12, nodeNumber=node))
        weight = mbs.AddMarker(item.MarkerBodyMass(bodyNumber=link))
        mbs.AddLoad(item.LoadMassProportional(markerNumber=weight, loadVector=[0, -9.81, 0]))
        ends = ((before, at), (link, [-LENGTH / 2, 0, 0]))
        pins = [mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=body, localPosition=p)) for body, p in ends]
        mbs.AddObject(item.RevoluteJoint2D(markerNumbers=pins))
        turned = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=2))
        mbs.AddObject(item.CoordinateSpringDamper(markerNumbers=[angle, turned], stiffness=2e4, damping=50.0))
        before, at, angle = link, [LENGTH / 2, 0, 0], turned
    moved = mbs.AddSensor(
        item.SensorBody(
            bodyNumber=before,
            localPosition=[LENGTH / 2, 0, 0],
            storeInternal=True,
            writeToFile=False,
            outputVariableType=exu.OutputVariableType.Displacement,
        )
    )
    mbs.Assemble()
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, DURATION, 0
    integration.generalizedAlpha.spectralRadius = radius
    integration.newton.useModifiedNewton = True
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = DURATION / TIMES
    settings.parallel.numberOfThreads = 1
    began = time.process_time()
    mbs.SolveDynamic(settings)
    took = time.process_time() - began
    rows = np.asarray(mbs.GetSensorStoredData(moved))
    at_times = np.abs(rows[:, 0] - np.linspace(0, DURATION, TIMES + 1)[:, None]).argmin(1)
    return took, rows[at_times, 1:3]


def measure(rtol: float = 1e-5, links: int = LINKS) -> tuple[float, float, float, int, float]:
    """The error, our time and Exudyn's at it, its number of steps and spectral radius."""
    ours = Ours(links)
    error = ours.error(ours.tip(ours.run(rtol)[1]))
    own = min(ours.run(rtol)[0] for _ in range(20))
    found = list[tuple[float, int, float]]()
    for radius in RADII:
        steps = 1000
        rough = ours.error(theirs(links, steps, radius)[1])
        for _ in range(3):  # of second order, where the transients are resolved
            steps = max(TIMES, TIMES * math.ceil(steps / TIMES * math.sqrt(rough / error)))
            took, tip = theirs(links, steps, radius)
            rough = ours.error(tip)
            if 0.8 * error < rough < 1.2 * error:
                break
        found.append((took * math.sqrt(rough / error), steps, radius))
    took, steps, radius = min(found)
    return error, own, took, steps, radius


def racing() -> list[Row]:
    """Our time over Exudyn's at equal error."""
    if not here:
        return []
    error, own, took, steps, radius = measure()
    more = {"error": error, "seconds": {"freebody": own, "exudyn": took}, "steps": steps, "spectral radius": radius}
    return [(f"stiff chain of {LINKS} links: rodas5p over Exudyn at equal error", own / took, 1 / 100, more)]


JOBS = {"stiff chain, Exudyn": racing}

if __name__ == "__main__":
    for rtol in (1e-4, 1e-5, 1e-6) if here else ():
        error, own, took, steps, radius = measure(rtol)
        print(
            f"error {error:.1e}: freebody {1e3 * own:.2f} ms, Exudyn {1e3 * took:.1f} ms ({steps} steps, spectral"
            f" radius {radius}): {took / own:.0f} times"
        )
