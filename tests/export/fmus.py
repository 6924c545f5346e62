"""Systems whose FMUs are compared with our own runs, and how FMUs are exported, run and opened."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import freebody as fb
from examples import satellite
from freebody.run.inputs import unwritten_names
from tests.export.programs import PULSE, ball, four_bar, loop, pendulum, regulated, spinner

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"
TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-13}


@dataclass(frozen=True)
class FmuCase:
    """A system, the arguments of its run, and the tolerance of FMPy's solver, which is of order 5 at most."""

    name: str
    system: Callable[[], fb.System]
    end: float = 1.0
    arguments: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-14

    def __repr__(self) -> str:
        return self.name


def robot() -> fb.System:
    return fb.load(ROBOTS / "ur5.urdf", motors=True)


def strips() -> fb.System:
    """Bending strips in a loop whose crank is held."""
    system: fb.System = import_module("examples.flexible_four_bar").system(held=True)
    return system


def foot() -> fb.System:
    """A leg with a knee that lands on the ground with a sphere, with friction."""
    s = fb.System("foot")
    body = s.body("body", joint=fb.Prismatic("z"), mass=5.0, inertia=(0.1, 0.1, 0.1))
    rod: dict[str, Any] = {"mass": 0.5, "com": (0, 0, -0.1), "inertia": (2e-3, 2e-3, 1e-4)}
    thigh = s.body("thigh", on=body, joint=fb.Revolute("y", damping=0.5), **rod)
    knee = fb.Revolute("y", stiffness=40.0, rest=0.8, damping=0.5)
    shank = s.body("shank", on=thigh, at=(0, 0, -0.2), joint=knee, **rod)
    rubber = fb.ContactMaterial(stiffness=1e4, dissipation=0.2, friction=0.5, name="rubber")
    s.contact(shank.shape(fb.Sphere(0.02, at=(0, 0, -0.2))), s.ground.plane(), rubber, "ground")
    return s


def bouncing() -> list[fb.Event]:
    return [
        fb.Event("q.ball", -1, reset={"u.ball": "-e*u.ball"}, name="bounce"),
        fb.Event("u.ball", -1, name='top "of" <flight> & more?'),
    ]


def carried() -> list[fb.Event]:
    """A bounce, and an event whose condition samples alone carry across zero."""
    return [
        fb.Event("q.ball", -1, reset={"u.ball": "-0.8*u.ball"}, name="bounce"),
        fb.Event("motor - 2.5", 0, reset={"u.ball": "0.9*u.ball"}, name="effort"),
    ]


THRUST = {**dict.fromkeys(satellite.INPUTS, 0.0), "T7": "2*sin(t)", "F1": 1.5}
CASES = [
    FmuCase("pendulum", pendulum, 1.0, {"q": {"upper": 0.5}, "inputs": {"motor": PULSE}}),
    FmuCase("satellite", satellite.system, 2.0, {"q": {"boom": 0.1, "e": 0.2}, "inputs": THRUST}),
    FmuCase("ur5", robot, 0.2, {"q": {"upper_arm_link": -1.0}, "inputs": {"command.forearm_link": 12.0}}, 1e-13),
    FmuCase("four_bar", four_bar, 1.0, {"q": {"crank": 0.6}, "u": {"crank": 3.0}}),
    FmuCase("spinner", spinner, 1.0, {"u": {"top": (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)}}),
    FmuCase("flexible four-bar", strips, 0.05, {"u": {"coupler.m1": 0.5}}),
    FmuCase("regulated", regulated, 1.0, {"q": {"arm": 0.3, "ball": 0.5}, "events": carried(), "seed": 7}),
    FmuCase("loop", loop, 0.5, {"q": {"crank": 0.6}, "u": {"crank": 3.0}, "inputs": {"kick": 0.5}}),
    FmuCase("foot", foot, 0.3, {"q": {"body": 0.42, "thigh": -0.4, "shank": 0.8}}, 1e-13),
    FmuCase("ball", ball, 3.0, {"q": {"ball": 1.0}, "events": bouncing()}),
]


def export(case: FmuCase, folder: Path, version: str, **more: Any) -> Path:
    return case.system().to_fmu(
        folder / "model.fmu", version, **{**case.arguments, "rtol": 1e-11, "atol": 1e-13, **more}
    )


def exact(case: FmuCase, rows: int = 50) -> fb.Trajectory:
    """Our own run, to a tighter tolerance, all inputs being driven."""
    equations = case.system().derive()
    free = dict.fromkeys(unwritten_names(equations.derivation), 0.0)
    arguments = {**case.arguments, "inputs": free | dict(case.arguments.get("inputs", {}))}
    return equations.simulate(np.linspace(0, case.end, rows + 1), **arguments, **TIGHT)


@contextmanager
def instance(path: Path, kind: str, begin: bool = True, **more: Any) -> Iterator[Any]:
    """An instance of an FMU (ModelExchange or CoSimulation), through its initialisation."""
    import shutil

    from fmpy import extract, instantiate_fmu, read_model_description

    folder, description = extract(path), read_model_description(path)
    fmu = instantiate_fmu(folder, description, kind, **more)
    references = {v.name: v.valueReference for v in description.modelVariables}
    get, put = (fmu.getReal, fmu.setReal) if description.fmiVersion == "2.0" else (fmu.getFloat64, fmu.setFloat64)
    fmu.get = lambda *names: get([references[n] for n in names])
    fmu.put = lambda **values: put([references[n] for n in values], list(values.values()))
    fmu.set_values = lambda values: put([references[n] for n in values], list(values.values()))
    fmu.references, fmu.description = references, description
    try:
        if begin:
            start(fmu)
        yield fmu
        fmu.terminate()
    finally:
        fmu.freeInstance()
        shutil.rmtree(folder, ignore_errors=True)


def start(fmu: Any, time: float = 0.0) -> None:
    """Initialise."""
    if fmu.description.fmiVersion == "2.0":
        fmu.setupExperiment(startTime=time)
        fmu.enterInitializationMode()
    else:
        fmu.enterInitializationMode(startTime=time)
    fmu.exitInitializationMode()
