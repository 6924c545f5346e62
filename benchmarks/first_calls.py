"""What the first calls of a process cost, and the second simulation of a robot.

    python benchmarks/first_calls.py [RECORD.json]

Two bodies are derived and simulated in fresh processes whose cache of machine code is warm: milliseconds, modules that
are loaded, and calls of functions of freebody itself (these are exact and the same in every process). Then the
second ``eq.simulate(0.01)`` of a Panda is timed, and its calls are counted. With a file the figures are written there
as JSON.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ROUNDS = 5


def two_bodies() -> Any:
    """A double pendulum."""
    import freebody as fb

    s = fb.System("two bodies")
    upper = s.body("upper", joint=fb.Revolute("y", initial=0.5), mass=1.0, com=(0, 0, -1))
    s.body("lower", on=upper, at=(0, 0, -1), joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1))
    return s


def measure(function: Callable[[], Any], count: bool) -> dict[str, float]:
    """Milliseconds and new modules of a call, or the calls of functions of freebody in it (counting takes time)."""
    own, calls = str(ROOT / "src" / "freebody"), 0

    def profile(frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(own)

    before, start = len(sys.modules), time.perf_counter()
    sys.setprofile(profile if count else None)
    function()
    sys.setprofile(None)
    seconds, modules = time.perf_counter() - start, len(sys.modules) - before
    return {"calls": calls} if count else {"ms": 1000 * seconds, "modules": modules}


def child(count: bool) -> dict[str, dict[str, float]]:
    """The figures of one fresh process."""
    found = {"import freebody": measure(lambda: __import__("freebody"), count)}
    s = two_bodies()
    found["derive two bodies"] = measure(s.derive, count)
    eq = s.derive()
    found["simulate two bodies"] = measure(lambda: eq.simulate(1.0), count)
    found["simulate two bodies again"] = measure(lambda: eq.simulate(1.0), count)
    sys.path.insert(0, str(ROOT / "examples"))
    from robots import panda

    robot = panda.system().derive()
    inputs = dict.fromkeys(panda.system().inputs, 0.0)
    robot.simulate(0.01, inputs=inputs)
    again = [measure(lambda: robot.simulate(0.01, inputs=inputs), count) for _ in range(1 if count else 50)]
    found["simulate a Panda again"] = min(again, key=lambda row: next(iter(row.values())))
    return found


def main() -> int:
    if sys.argv[1:] in (["--count"], ["--time"]):
        print(json.dumps(child(sys.argv[1] == "--count")))
        return 0
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"FREEBODY_CACHE": cache}

        def run(what: str) -> dict[str, dict[str, float]]:
            command = [sys.executable, __file__, what]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            found: dict[str, dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
            return found

        run("--time")  # fills the cache
        counted, timed = run("--count"), [run("--time") for _ in range(ROUNDS)]
    figures = {}
    print(f"{'':28}{'ms (median of ' + str(ROUNDS) + ')':>18}{'modules':>10}{'own calls':>12}")
    for name in counted:
        ms = statistics.median(round_[name]["ms"] for round_ in timed)
        modules, calls = int(timed[0][name]["modules"]), int(counted[name]["calls"])
        figures[name] = {"ms": round(ms, 3), "modules": modules, "calls": calls}
        print(f"{name:28}{ms:18.2f}{modules:10}{calls:12}")
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text(json.dumps(figures, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
