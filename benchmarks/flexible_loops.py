"""A four-bar linkage of three flexible links, turned by a motor, simulated by freebody and by Exudyn.

    python benchmarks/flexible_loops.py        # needs: pip install exudyn

The links are rows of point masses with bending modes in the plane of the motion: the crank those of a cantilever,
coupler and rocker sines between their ends. Both programs have the same masses, mode shapes, stiffnesses and damping.
Exudyn's ``ObjectFFRFreducedOrder`` has no geometric stiffening, so the links are given to freebody without
second-order displacements; there is no gravity (see ``flexible_exudyn.py``). The models are then equal, and runs differ
by the errors of the integrators alone. The error is that of the pin between coupler and rocker and of the coupler's
middle at the end, compared with a run of tolerance 1e-11; Exudyn's number of steps is the one at which its error equals
that of ``simulate``.
"""

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from exudyn_models import _exudyn, here, integrate, reduced_order
from numpy.typing import NDArray

import freebody as fb

Array = NDArray[np.float64]
Row = tuple[str, float, float | None, dict]
GROUND, DURATION, TORQUE, DAMPING, ANGLE = 0.8, 1.0, 1.0, 1e-4, 1.2  # m, s, N·m, s, rad
NODES = 21  # the last one at the tip without mass


@dataclass(frozen=True)
class Link:
    """A link along x from its first hinge."""

    length: float
    EI: float
    density: float
    modes: int
    ends: str

    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """Positions and masses of the nodes, translations in each mode, modal stiffness."""
        x = self.length * (np.arange(NODES - 1) + 0.5) / (NODES - 1)
        names = {f"x{j}": float(value) for j, value in enumerate(x)}
        beam = fb.Beam(
            length=self.length,
            EI=(self.EI, None),
            density=self.density,
            ends=self.ends,
            nodes=names,
            frame="floating" if self.ends == "pinned" else "root",
        )
        data = beam.modal_data(self.modes)
        nodes = [data.nodes[name] for name in (*names, "tip")]
        masses = np.array([self.density * self.length / (NODES - 1)] * (NODES - 1) + [0.0])
        positions, shapes = (np.array([getattr(node, key) for node in nodes]) for key in ("position", "translations"))
        return positions, masses, shapes, data.K


LINKS = {
    "crank": Link(0.3, 60.0, 1.0, 2, "cantilever"),
    "coupler": Link(0.9, 60.0, 0.6, 3, "pinned"),
    "rocker": Link(0.6, 40.0, 0.6, 3, "pinned"),
}


def angles() -> dict[str, float]:
    """Absolute angles of the undeformed links in the initial position."""
    crank, coupler, rocker = (link.length for link in LINKS.values())
    pin, base = crank * np.exp(1j * ANGLE), complex(GROUND)
    distance = abs(base - pin)
    corner = math.acos((coupler**2 + distance**2 - rocker**2) / (2 * coupler * distance))
    direction = float(np.angle(base - pin)) + corner
    end = pin + coupler * np.exp(1j * direction)
    return {"crank": ANGLE, "coupler": direction, "rocker": float(np.angle(end - base))}


def system(order: str = "full") -> fb.System:
    s, start = fb.System("flexible four-bar", gravity=(0, 0, 0)), angles()
    start["coupler"] -= start["crank"]
    bodies: dict[str, Any] = {}
    for name, link in LINKS.items():
        positions, masses, shapes, stiffness = link.arrays()
        body = fb.FlexibleNodes(
            positions=positions,
            masses=masses,
            shapes=shapes,
            slopes=0 * shapes,
            modal_stiffness=stiffness,
            rayleigh=(0, DAMPING),
            names=[*(f"x{j}" for j in range(NODES - 1)), "tip"],
        )
        on = bodies["crank"].node("tip") if name == "coupler" else None
        at = (GROUND, 0, 0) if name == "rocker" else (0, 0, 0)
        bodies[name] = s.body(
            name, on=on, at=at, joint=fb.Revolute("z", initial=start[name]), flexible=body, order=order
        )
    s.close(bodies["coupler"].node("tip"), bodies["rocker"].node("tip"), fb.Revolute("z"), name="pin")
    s.joint_force(bodies["crank"], TORQUE, name="motor")
    s.output("end", s.position(bodies["coupler"].node("tip").origin))
    s.output("middle", s.position(bodies["coupler"].node(f"x{NODES // 2}").origin))
    return s


def exudyn_four_bar(steps: int, duration: float = DURATION) -> tuple[float, Array]:
    """Time of a run of Exudyn, and the pin and the middle of the coupler at its end."""
    exu = _exudyn()
    import exudyn.itemInterface as item

    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(item.ObjectGround())
    origins, frames, tips, start = {}, {}, {}, angles()
    pin = LINKS["crank"].length * np.exp(1j * ANGLE)
    places = {"crank": 0j, "coupler": pin, "rocker": complex(GROUND)}
    for name, link in LINKS.items():
        positions, masses, shapes, stiffness = link.arrays()
        modes = reduced_order(positions, masses, shapes, stiffness)
        c, s = math.cos(start[name]), math.sin(start[name])
        body = modes.AddObjectFFRFreducedOrder(
            mbs,
            positionRef=[places[name].real, places[name].imag, 0],
            rotationMatrixRef=np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
            stiffnessProportionalDamping=DAMPING,
        )
        frames[name] = mbs.AddMarker(item.MarkerNodeRigid(nodeNumber=body["nRigidBody"]))
        origins[name] = mbs.AddMarker(item.MarkerNodePosition(nodeNumber=body["nRigidBody"]))
        for at, key in ((NODES - 1, name), (NODES // 2, f"middle of {name}")):
            tips[key] = mbs.AddMarker(
                item.MarkerSuperElementPosition(
                    bodyNumber=body["oFFRFreducedOrder"], meshNodeNumbers=[at], weightingFactors=[1]
                )
            )
    for name, place in places.items():
        base = mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=ground, localPosition=[place.real, place.imag, 0]))
        held = [0, 0, 1, 1, 1, 0] if name == "coupler" else [1, 1, 1, 1, 1, 0]
        mbs.AddObject(item.GenericJoint(markerNumbers=[base, frames[name]], constrainedAxes=held))
    for ends in ((tips["crank"], origins["coupler"]), (tips["coupler"], tips["rocker"])):
        mbs.AddObject(item.SphericalJoint(markerNumbers=list(ends), constrainedAxes=[1, 1, 0]))
    mbs.AddLoad(item.LoadTorqueVector(markerNumber=frames["crank"], loadVector=[0, 0, TORQUE]))
    mbs.Assemble()
    took = integrate(exu, mbs, duration, steps)
    position = exu.OutputVariableType.Position
    return took, np.concatenate([mbs.GetMarkerOutput(tips[key], position) for key in ("coupler", "middle of coupler")])


def at_end(run: Any) -> Array:
    return np.concatenate([run["end"][-1], run["middle"][-1]])


def racing(rtol: float = 1e-3, rounds: int = 7) -> list[Row]:
    """Our time over Exudyn's at equal error, and over that of Exudyn at an error of 0.1 mm."""
    if not here:
        return []
    s = system()
    exact = at_end(s.simulate([0, DURATION], rtol=1e-11, atol=1e-13))

    def ours() -> tuple[float, float, int]:
        began = time.thread_time()
        run = s.simulate([0, DURATION], rtol=rtol, atol=rtol / 10)
        return time.thread_time() - began, float(np.abs(at_end(run) - exact).max()), run.statistics.steps

    def theirs(steps: int) -> tuple[float, float, int]:
        took, end = exudyn_four_bar(steps)
        return took, float(np.abs(end - exact).max()), steps

    rough, error = theirs(1000)[1], ours()[1]
    rows: list[Row] = []
    for allowed in (error, 1e-4):
        steps = math.ceil(1000 * math.sqrt(rough / allowed))  # of second order
        best, slow = min(ours() for _ in range(rounds)), min(theirs(steps) for _ in range(3))
        what = f"flexible four-bar, 1 s, error {error:.0e}, Exudyn's {slow[1]:.0e}: simulate over Exudyn"
        more = {"seconds of both": (best[0], slow[0]), "errors": (best[1], slow[1]), "steps": (best[2], slow[2])}
        rows.append((what, best[0] / slow[0], 1 / 10, more))
    return rows


JOBS = {"flexible four-bar beside Exudyn": racing}


if __name__ == "__main__":
    from mechanics import show

    for row in racing():
        show(*row)
