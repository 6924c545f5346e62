"""Figures of FMUs: the time to export the satellite with a binary for this platform, and that of a co-simulation over
our own run by the same method.

    python benchmarks/fmu.py

Both integrate 100 s with adaptive steps; the FMU is called through FMPy.
"""

import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import satellite

Row = tuple[str, float, float | None, dict]
END, ROUNDS = 100.0, 25
TIMES = np.linspace(0.0, END, 101)
INPUTS = {**dict.fromkeys(satellite.INPUTS, 0.0), "T7": "2*sin(t)", "F1": 1.5}
ARGUMENTS: dict[str, Any] = {"q": {"boom": 0.1, "e": 0.2}, "inputs": INPUTS}


def processor_time() -> float:
    """Seconds of this process and of those that it has run, the compiler's among them."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(x.ru_utime + x.ru_stime for x in used)


def fmu() -> list[Row]:
    """Seconds of the derivation and the export of a system in a new process, and of a co-simulation over our run."""
    from fmpy import extract, instantiate_fmu, read_model_description

    with tempfile.TemporaryDirectory() as folder:
        path, system = Path(folder, "satellite.fmu"), satellite.system()
        before, start = processor_time(), time.perf_counter()
        system.to_fmu(path, **ARGUMENTS)
        seconds, elapsed = processor_time() - before, time.perf_counter() - start
        equations, description, where = (
            satellite.system().derive(),
            read_model_description(str(path)),
            extract(str(path)),
        )
        own, theirs = list[float](), list[float]()
        for _ in range(ROUNDS):
            run = equations.simulate(TIMES, method="dopri5", **ARGUMENTS)
            own.append(run.statistics.seconds)
            one = instantiate_fmu(where, description, "CoSimulation")
            one.setupExperiment(startTime=0.0)
            one.enterInitializationMode()
            one.exitInitializationMode()
            start = time.perf_counter()
            one.doStep(0.0, END)
            theirs.append(time.perf_counter() - start)
            states = [v.valueReference for v in description.modelVariables if v.name in run.about.state]
            difference = float(np.abs(np.array(one.getReal(states)) - run.x[-1]).max())
            one.terminate()
            one.freeInstance()
        shutil.rmtree(where)
        more = {"elapsed seconds": elapsed, "MB": path.stat().st_size / 1e6}
    ratio = min(theirs) / min(own)
    return [
        ("satellite to FMU with a binary, s of processor time", seconds, 1.5, more),
        ("co-simulation of the satellite, over our run", ratio, 1.2, {"difference": difference}),
    ]


JOBS = {"FMUs": fmu}


if __name__ == "__main__":
    for name, value, target, more in fmu():
        print(f"{name:52} {value:6.3f} (target {target})  {more}")
