"""The satellite's simulation program in C and Fortran beside our own run: the same method and steps.

    python benchmarks/programs.py

prints the time of the integration by each (the least of several), its ratio to our own, and the largest
difference.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import freebody as fb

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
import satellite

END, REPEATS = 100.0, 60
TIMES = np.linspace(0.0, END, 101)
COMPILERS = {"c": "gcc", "fortran": "gfortran"}
METHODS: dict[str, dict[str, Any]] = {"dopri5": {}, "rk4": {"step": 0.01}}


def main() -> None:
    system = satellite.system()
    arguments: dict[str, Any] = {"q": {"boom": 0.1, "e": 0.2}, "inputs": dict.fromkeys(satellite.INPUTS, 0.0)}
    arguments["inputs"] |= {"T7": "2*sin(t)", "F1": 1.5}
    equations = system.derive()
    print(f"{'method':8} {'program':20} {'seconds':>9} {'ratio':>6} {'steps':>7} {'difference':>11}")
    for method, options in METHODS.items():
        runs = [equations.simulate(TIMES, method=method, **options, **arguments) for _ in range(REPEATS)]
        own = min(run.statistics.seconds for run in runs[1:])
        print(f"{method:8} {'freebody (LLVM)':20} {own:9.4f} {1:6.2f} {runs[-1].statistics.steps:7}")
        for language, compiler in COMPILERS.items():
            if shutil.which(compiler) is None:
                print(f"{method:8} {compiler}: skipped, it is not installed")
                continue
            with tempfile.TemporaryDirectory() as folder:
                equations.to_program(folder, language, TIMES, method=method, **options, **arguments)
                subprocess.run(
                    ["make", "-s", f"{'CC' if language == 'c' else 'FC'}={compiler}"], cwd=folder, check=True
                )
                seconds = []
                for _ in range(5):
                    subprocess.run(["./satellite"], cwd=folder, check=True, capture_output=True)
                    run = fb.Trajectory.load(Path(folder, "satellite.nc"))
                    seconds.append(run.statistics.seconds)
            difference = (np.abs(run.x - runs[-1].x) / (1 + np.abs(runs[-1].x).max(axis=0))).max()
            ratio = min(seconds) / own
            name = f"{compiler} -O2"
            print(f"{method:8} {name:20} {min(seconds):9.4f} {ratio:6.2f} {run.statistics.steps:7} {difference:11.1e}")


if __name__ == "__main__":
    main()
