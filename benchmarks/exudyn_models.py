"""Mechanisms with closed loops built with Exudyn, and IFToMM's benchmark A02 (N four-bars in a row) simulated by both.

    python benchmarks/exudyn_models.py        # needs: pip install exudyn

Exudyn's model of the four-bars is planar (RigidBody2D, RevoluteJoint2D), its fastest. It is integrated by the
generalised-alpha solver in the variant that was the fastest at equal error (index 2, Newmark, modified Newton, sparse
matrices), by its module without range checks. The error is that of the first crank's tip at 1 s, compared with the
exact solution. Exudyn's number of steps is the one at which this error equals that of ``simulate``.
"""

import importlib.util
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from constraints import four_bars
from mechanisms import Array, Loop, Mechanism
from scipy.special import ellipj

here = importlib.util.find_spec("exudyn") is not None
Row = tuple[str, float, float | None, dict]
BARS, DURATION = 40, 1.0


def _exudyn() -> Any:
    """The module, without range checks unless it was imported already."""
    if "exudyn" not in sys.modules:
        sys.exudynFast = True  # type: ignore[attr-defined]
    import exudyn

    return exudyn


class Model:
    """A mechanism with Exudyn: rigid bodies in space whose reference points are their mass centres."""

    def __init__(self, m: Mechanism) -> None:
        exu = _exudyn()
        from exudyn.rigidBodyUtilities import RigidBodyInertia

        self.exu, self.mechanism, self.container = exu, m, exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.bodies: dict[str | None, Any] = {None: self.mbs.CreateGround()}
        for name, b in m.bodies.items():
            R, p = m.poses[name]
            centre = p + R @ b.com
            w, v = m.twist(name, centre)
            inertia = RigidBodyInertia(b.mass, np.diag(b.inertia), np.zeros(3))
            self.bodies[name] = self.mbs.CreateRigidBody(
                referencePosition=centre,
                referenceRotationMatrix=R,
                initialVelocity=v,
                initialAngularVelocity=w,
                inertia=inertia,
                gravity=list(m.gravity),
            )
            self._joint(name, p)
        for loop in m.loops:
            self._close(loop)

    def _joint(self, name: str, at: Array) -> None:
        """The joint of the tree that carries a body."""
        b = self.mechanism.bodies[name]
        ends, axis = [self.bodies[b.parent], self.bodies[name]], self.mechanism.poses[b.parent][0] @ b.axis
        match b.joint:
            case "revolute":
                self.mbs.CreateRevoluteJoint(itemNumbers=ends, position=at, axis=axis)
            case "prismatic":
                self.mbs.CreatePrismaticJoint(itemNumbers=ends, position=at, axis=axis)
            case "spherical":
                self.mbs.CreateSphericalJoint(itemNumbers=ends, position=at)

    def _close(self, loop: Loop) -> None:
        """A loop without the equations that are redundant in a planar mechanism, with which Exudyn's matrices would be
        singular."""
        m, (first, second) = self.mechanism, self.mechanism.points(loop)
        ends = [self.bodies[loop.one], self.bodies[loop.other]]
        local = [_from_centre(m, loop.one, loop.at), _from_centre(m, loop.other, loop.at_other)]
        if loop.joint == "rod":
            self.mbs.CreateDistanceConstraint(
                itemNumbers=ends,
                localPosition0=local[0],
                localPosition1=local[1],
                distance=float(np.linalg.norm(first - second)),
            )
        elif {(b.joint, b.axis) for b in m.bodies.values()} == {("revolute", loop.axis)}:  # along x, y or z
            plane = [1 - x for x in loop.axis]
            self.mbs.CreateSphericalJoint(itemNumbers=ends, position=first, constrainedAxes=plane)
        elif loop.joint == "spherical":
            self.mbs.CreateSphericalJoint(itemNumbers=ends, position=first)
        else:
            self.mbs.CreateRevoluteJoint(itemNumbers=ends, position=first, axis=loop.axis)

    def accelerations(self) -> dict[str, Array]:
        """Of all mass centres at the state."""
        self.mbs.Assemble()
        settings, solver = self.exu.SimulationSettings(), self.exu.MainSolverImplicitSecondOrder()
        settings.solution.file.write, settings.timeIntegration.verboseMode = False, 0
        settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
        solver.InitializeSolver(self.mbs, settings)
        current = self.mbs.systemData.GetODE2Coordinates_tt(configuration=self.exu.ConfigurationType.Current)
        centres = np.reshape(current, (-1, 7))[:, :3]  # three displacements and four Euler parameters a body
        return dict(zip(self.mechanism.bodies, centres, strict=True))

    def run(self, duration: float, steps: int) -> dict[str, Array]:
        """The positions of all mass centres at the end."""
        self.mbs.Assemble()
        integrate(self.exu, self.mbs, duration, steps)
        position = self.exu.OutputVariableType.Position
        return {n: self.mbs.GetObjectOutputBody(b, position, [0, 0, 0]) for n, b in self.bodies.items() if n}


def _from_centre(m: Mechanism, name: str | None, at: tuple) -> Array:
    return np.array(at, float) - (m.bodies[name].com if name else 0)


def integrate(exu: Any, mbs: Any, duration: float, steps: int, modified: bool = True) -> float:
    """Generalised alpha with constant steps; returns the processor time."""
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, duration, 0
    integration.generalizedAlpha.useNewmark = integration.generalizedAlpha.useIndex2Constraints = True
    integration.newton.useModifiedNewton = modified
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    settings.solution.file.write = False
    settings.parallel.numberOfThreads = 1
    began = time.thread_time()
    mbs.SolveDynamic(settings)
    return time.thread_time() - began


# N four-bars in a row (IFToMM A02)


def reduced_order(positions: Array, masses: Array, shapes: Array, stiffness: Array) -> Any:
    """Exudyn's interface of a body with point masses, mode shapes (k × 3 × n) and the stiffness of the modes."""
    from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
    from scipy.sparse import csr_matrix

    basis, weights = shapes.reshape(3 * len(masses), -1), np.repeat(masses, 3)
    dual = weights[:, None] * basis  # Ψᵀ dual = 1, so that the stiffness of the nodes is that of the modes
    dual = dual @ np.linalg.inv(basis.T @ dual)
    fem = FEMinterface()
    fem.nodes = {"Position": positions}
    fem.massMatrix, fem.stiffnessMatrix = csr_matrix(np.diag(weights)), csr_matrix(dual @ stiffness @ dual.T)
    fem.modeBasis = {"matrix": basis, "type": "NormalModes"}
    return ObjectFFRFreducedOrderInterface(fem)


def exact_tip(count: int, t: float) -> Array:
    """(sin θ, cos θ) of θ̈ = c g sin θ, θ(0) = 0, θ̇(0) = 1: θ/2 = am(t/2 | −m), m = 4 c g."""
    m = 4 * 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    sn, cn, dn, _ = ellipj(t / 2 * math.sqrt(1 + m), m / (1 + m))
    sine, cosine = sn / dn / math.sqrt(1 + m), cn / dn
    return np.array([2 * sine * cosine, 1 - 2 * sine**2])


def exudyn_run(count: int, steps: int) -> tuple[float, float, int]:
    """Time, error and number of steps of the first run of Exudyn that gets through the flat position, where its
    matrices are singular: a step that ends near it fails."""
    for more in range(10):
        for modified in (True, False):
            try:
                return *exudyn_four_bars(count, steps + more, modified), steps + more
            except _exudyn().SolverError:
                continue
    raise ArithmeticError(f"Exudyn did not get through the flat position of {count} four-bars in {steps} steps")


def exudyn_four_bars(count: int, steps: int, modified: bool) -> tuple[float, float]:
    """Time and error of a run of Exudyn."""
    exu = _exudyn()
    import exudyn.itemInterface as item

    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(item.ObjectGround())

    def body(x: float, y: float, spin: float, speed: float) -> Any:
        node = mbs.AddNode(item.Rigid2D(referenceCoordinates=[x, y, 0], initialVelocities=[speed, 0, spin]))
        number = mbs.AddObject(item.RigidBody2D(mass=1, inertia=1 / 12, nodeNumber=node))
        mass = mbs.AddMarker(item.MarkerBodyMass(bodyNumber=number))
        mbs.AddLoad(item.LoadMassProportional(markerNumber=mass, loadVector=[0, -9.81, 0]))
        return number

    def pin(*ends: tuple[Any, float, float]) -> None:
        markers = [mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=k, localPosition=[x, y, 0])) for k, x, y in ends]
        mbs.AddObject(item.RevoluteJoint2D(markerNumbers=markers))

    first = left = body(0, 0.5, -1.0, 0.5)
    pin((ground, 0, 0), (left, 0, -0.5))
    for k in range(count):
        coupler, rocker = body(k + 0.5, 1, 0, 1), body(k + 1, 0.5, -1, 0.5)
        pin((left, 0, 0.5), (coupler, -0.5, 0))
        pin((coupler, 0.5, 0), (rocker, 0, 0.5))
        pin((ground, k + 1, 0), (rocker, 0, -0.5))
        left = rocker
    mbs.Assemble()
    took = integrate(exu, mbs, DURATION, steps, modified)
    tip = mbs.GetObjectOutputBody(first, exu.OutputVariableType.Position, localPosition=[0, 0.5, 0])[:2]
    return took, float(np.abs(tip - exact_tip(count, DURATION)).max())


def our_four_bars(count: int, **options: float) -> Callable[[], tuple[float, float, Any]]:
    """A function that calls ``simulate`` and returns its time, its error, and the run."""
    s = four_bars(count)
    e, u = s.derive(), {name: -1.0 if name.startswith("coupler") else 1.0 for name in s.bodies}

    def run() -> tuple[float, float, Any]:
        began = time.thread_time()
        result = e.simulate([0, DURATION], u=u, **options)
        took, angle = time.thread_time() - began, result["crank"][-1]
        return took, float(np.abs([math.sin(angle), math.cos(angle)] - exact_tip(count, DURATION)).max()), result

    return run


def racing(tolerances: tuple[float, ...] = (1e-6, 1e-8), rounds: int = 5) -> list[Row]:
    """Exudyn's time over ours at equal error, and how the time of a step grows."""
    rows: list[Row] = []
    for rtol in tolerances if here else ():
        ours = our_four_bars(BARS, rtol=rtol, atol=rtol / 10)
        ours()
        runs = [ours() for _ in range(rounds)]
        best, error, run = min(runs, key=lambda r: r[0])
        _, rough, steps = exudyn_run(BARS, 500)
        theirs, their_error, steps = exudyn_run(BARS, math.ceil(steps * math.sqrt(rough / error)))  # of second order
        more = {
            "our error": error,
            "our steps": run.statistics.steps,
            "our seconds": best,
            "Exudyn's error": their_error,
            "Exudyn's steps": steps,
            "Exudyn's seconds": theirs,
        }
        name = f"{BARS} four-bars, 1 s, error {error:.0e}: simulate over Exudyn"
        rows.append((name, best / theirs, 1 / 300, more))
    times = {n: min(_step_seconds(our) for _ in range(rounds)) for n in (BARS, 2 * BARS) if (our := our_four_bars(n))}
    ratio = times[2 * BARS] / times[BARS]
    rows.append((f"time of a step, {2 * BARS} four-bars over {BARS}", ratio, 2.3, {"seconds of a step": times}))
    return rows


def _step_seconds(run: Callable[[], tuple[float, float, Any]]) -> float:
    statistics = run()[2].statistics
    return statistics.seconds / (statistics.steps + statistics.rejected)


JOBS = {"four-bars beside Exudyn": racing}


if __name__ == "__main__":
    from mechanics import show

    for row in racing():
        show(*row)
