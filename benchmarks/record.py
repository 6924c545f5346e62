"""A record of what every program is: digest, operations, values at fixed states, and seconds to derive; or of runs.

    python benchmarks/record.py before.json            # all models, two to three minutes
    python benchmarks/record.py after.json --quick     # a subset, half a minute
    python benchmarks/record.py --compare before.json after.json

Take a record before a change that should leave the equations as they are, another one after it, and compare. A change
that only moves code keeps every digest; another one keeps or lowers the operations, and keeps the values to rounding
(``--tolerance``). The comparison lists what differs and exits with 1 where an operation was added, a value differs, or
a program is missing or fails now. Only the public interface is used, so records of different versions can be compared.

    python benchmarks/record.py before.json --runs     # about a hundred and thirty runs, two minutes
    python benchmarks/record.py --compare before.json after.json

With ``--runs`` the record is of runs instead: times, states, recorded variables, events, impulses, status, messages and
warnings over all methods, events, resets, switching, loops and sweeps (``recorded_runs.py``). Two records taken on one
machine agree to the bit, unless a change altered results; the comparison lists each array that differs.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import freebody as fb
from freebody.program import digest, evaluate

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
import satellite
from robots import g1, panda, puma560, solo12, ur5

from tests.mechanisms import build_system, random_couplings, random_trees

ROOT = Path(__file__).parent.parent
FORMULATIONS: dict[str, dict[str, Any]] = {
    "kane": {"formulation": "kane"}, "sayers": {"formulation": "sayers"}, "poincare": {"formulation": "poincare"},
    "crba": {"formulation": "crba"}, "aba": {"formulation": "aba", "rolled": False},
    "cheapest": {"formulation": "cheapest", "search": 0}, "rolled": {"formulation": "aba", "rolled": True},
}  # fmt: skip
"""What is given to ``derive``, by the name in the record."""

OWN = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "bias", "q_dot", "state_dot")
"""Quantities that formulations derive each in their own way; the others are recorded of Kane's equations alone."""

OF_A_PLACE = (
    "pose",
    "spatial_velocity",
    "spatial_acceleration",
    "jacobian",
    "jacobian_offset",
    "jacobian_rate",
    "jacobian_offset_rate",
    "generalised_force",
)
OF_THE_SYSTEM = (
    "mass_solve",
    "mass_inverse",
    "coriolis",
    "coriolis_offset",
    "centre_of_mass",
    "centre_velocity",
    "centroidal",
    "centroidal_momentum",
    "regressor",
    "regressor_offset",
    "inertial_parameters",
    "forward_derivatives",
    "inverse_derivatives",
)
POINT = (0.1, -0.2, 0.3)


@dataclass(frozen=True)
class Case:
    """A model, the ways to derive it (all by default), and whether the quantities of docs/quantities.md belong to it.
    ``q`` is where it is evaluated, random by default."""

    make: Callable[[], fb.System]
    ways: tuple[str, ...] = tuple(FORMULATIONS)
    quantities: bool = False
    q: Any = None
    quick: bool = False


def cart(links: int) -> fb.System:
    """A cart that slides along x with a chain of point masses, parameters as symbols."""
    s = fb.System("cart", gravity=(0, "-g", 0))
    s.parameters(g=9.81, **{f"m{k}": 1.0 for k in range(links + 1)}, **{f"l{k}": 0.5 for k in range(links)})
    on = s.body("cart", joint=fb.Prismatic("x"), mass="m0")
    for k in range(links):
        at = (0, f"l{k - 1}", 0) if k else (0, 0, 0)
        on = s.body(f"link{k + 1}", on=on, at=at, joint=fb.Revolute("z"), mass=f"m{k + 1}", com=(0, f"l{k}", 0))
    return s


def of_a_tree(tree: random_trees.Tree) -> fb.System:
    """A random tree of the tests as the class that users hold."""
    made = fb.System(f"tree {tree.seed}")
    made.__dict__.update(build_system.system(tree).__dict__)
    return made


def cases() -> dict[str, Case]:
    """The reference list."""
    models = ROOT / "examples" / "models"
    found = {
        "satellite": Case(satellite.system, quantities=True, quick=True),
        "satellite of the paper": Case(lambda: satellite.system(paper=True), ("kane", "sayers", "mass-centre")),
        "double pendulum": Case(lambda: fb.load(models / "double_pendulum.yaml"), quantities=True, quick=True),
        "everything": Case(lambda: fb.load(models / "everything.yaml"), quick=True),
        "ur5": Case(ur5.system, (*FORMULATIONS, "cheapest, search 1"), quantities=True, quick=True),
        "panda": Case(panda.system, quantities=True),
        "puma560": Case(puma560.system, ("kane", "crba", "aba", "cheapest")),
        "solo12": Case(solo12.system, ("kane", "crba", "aba", "cheapest", "rolled"), quantities=True),
        "g1": Case(g1.system, ("crba", "aba", "cheapest", "rolled")),
        "cart with 10 links": Case(lambda: cart(10), quick=True),
        "cart with 100 links": Case(lambda: cart(100), ("kane", "rolled")),
    }
    for seed in range(13):  # every kind of joint has its turn as the second body's; numbers and symbols in turns
        tree = random_trees.tree(seed, bodies=4)
        found[f"tree {seed}"] = Case(
            lambda tree=tree: of_a_tree(tree), quantities=seed % 6 == 0, q=random_trees.state(tree).q, quick=seed < 3
        )
    for seed in range(4):
        found[f"coupled tree {seed}"] = Case(
            lambda seed=seed: random_couplings.pair(seed).coupled, ("kane", "crba", "aba", "cheapest")
        )
    return found


def derive(system: fb.System, way: str) -> fb.Equations:
    if way == "mass-centre":
        return system.derive(speeds="mass-centre")
    if way == "cheapest, search 1":
        return system.derive("cheapest")
    return system.derive(**FORMULATIONS[way])


def asked(eq: fb.Equations, system: fb.System, way: str, more: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Quantities with their arguments."""
    every = way in ("kane", "mass-centre")
    yield from ((name, {}) for name in eq.operations if every or name in OWN)
    if more and way == "kane":
        first, *_, last = system.bodies
        for frame in ("ground", first):
            yield from ((name, {"body": last, "at": POINT, "frame": frame}) for name in OF_A_PLACE)
        yield "operational_inertia", {"places": (last, (first, POINT))}
        yield from ((name, {}) for name in OF_THE_SYSTEM)


def state(eq: fb.Equations, q: Any, program: Any) -> dict[str, np.ndarray]:
    """Fixed numbers for each group; parameters have their values, quaternions have unit length."""
    values = {}
    for group in program.groups:
        number = np.random.default_rng([group.size, *group.name.encode()]).uniform(-1, 1, group.size)
        if group.name == "parameters":
            number[:] = [eq.values[name] for name in group.elements]
        if group.name in ("q", "x"):
            if q is not None:
                number[: len(q)] = q
            for k in (k for k, name in enumerate(eq.q) if name.endswith(".qw")):
                number[k : k + 4] /= np.linalg.norm(number[k : k + 4])
        values[group.name] = number
    return values


def entry(eq: fb.Equations, name: str, arguments: dict[str, Any], q: Any) -> dict[str, Any]:
    """What is recorded of one program; what cannot be derived is recorded by the error."""
    try:
        program = eq.program(name, **arguments)
        counted = eq.count(name, **arguments)
        result = evaluate(program, state(eq, q, program)).values
    except Exception as error:
        return {"error": type(error).__name__}
    values = {part: np.ravel(value).tolist() for part, value in result.items()}
    return {"digest": digest(program), "operations": counted.total, "count": str(counted), "values": values}


def record(quick: bool, only: str) -> dict[str, Any]:
    """Everything, by model, way and quantity."""
    found: dict[str, Any] = {}
    for name, case in cases().items():
        if only not in name or (quick and not case.quick):
            continue
        start = time.perf_counter()
        for way in case.ways:
            key = f"{name} | {way}"
            try:
                system = case.make()
                began = time.process_time()
                eq = derive(system, way)
                eq.program("forward_dynamics")
                seconds = time.process_time() - began
            except Exception as error:
                found[key] = {"error": type(error).__name__, "programs": {}}
                continue
            programs = {}
            for quantity, arguments in asked(eq, system, way, case.quantities):
                text = ", ".join([quantity, *(f"{k}={v}" for k, v in arguments.items())])
                programs[text] = entry(eq, quantity, arguments, case.q)
            found[key] = {"seconds": round(seconds, 4), "programs": programs}
        print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    return found


def record_runs(only: str) -> dict[str, Any]:
    """What each run of ``recorded_runs.py`` returns, or its error, and its warnings, by name."""
    from recorded_runs import cases as run_cases

    found: dict[str, Any] = {}
    for name, case in run_cases():
        if only in name:
            start = time.perf_counter()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    arrays = {key: array_entry(values) for key, values in arrays_of(case())}
                except Exception as error:
                    arrays = {"error": array_entry([f"{type(error).__name__}: {error}"])}
            arrays["warnings"] = array_entry(sorted(str(warning.message) for warning in caught))
            found[name] = arrays
            print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    return {"runs": found}


def arrays_of(result: Any) -> Iterator[tuple[str, Any]]:
    """All that a run or the dataset of a sweep contains, by name."""
    if isinstance(result, Mapping) and not hasattr(result, "coords"):
        for name, part in result.items():
            yield from ((f"{name}, {key}", values) for key, values in arrays_of(part))
    elif hasattr(result, "coords"):
        yield from ((str(name), values.values) for name, values in result.variables.items())
        yield "attributes", [f"{name}: {value}" for name, value in sorted(result.attrs.items())]
    else:
        yield from (("t", result.t), ("x", result.x), ("between", result.sol(result.t[:-1] / 2 + result.t[1:] / 2)))
        yield from ((name, result[name]) for name in result)
        yield "units", [f"{name} [{variable.unit}]" for name, variable in result.variables.items()]
        yield from ((f"events.{name}", getattr(result.events, name, None)) for name in EVENTS)
        yield "end", [str(result.status), result.message, str(result.drift), str(result.energy_error)]


EVENTS = ("t", "index", "before", "after", "held_before", "held_after", "impulses", "lost", "rows", "names")
SECONDS = re.compile(r"\b\d+(\.\d+)? (s of computation|s of CPU)")


def array_entry(values: Any) -> dict[str, Any]:
    """Shape and digest of an array, and at most 60 of its entries so that a difference has a size. Of texts all."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        texts = [SECONDS.sub("", str(text)) for text in array.ravel()]
        return {"shape": list(array.shape), "digest": _sha("\n".join(texts).encode()), "values": texts}
    array = np.ascontiguousarray(array, float)
    sample = array.ravel()[np.unique(np.linspace(0, max(array.size - 1, 0), 60).astype(int))] if array.size else array
    return {"shape": list(array.shape), "digest": _sha(array.tobytes()), "values": sample.ravel().tolist()}


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]


def compare_runs(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Print what differs; whether the runs of the older record are all there and equal to the bit. In records before
    held values had one name, those of events are called switches."""
    missing = [f"{run}: not in the newer record" for run in old if run not in new]
    differences, arrays = [], 0
    for run in (run for run in old if run in new):
        if "error" in new[run] and "error" not in old[run]:
            differences.append((np.inf, f"{run}: {new[run]['error']['values'][0]}"))
            continue
        before = {name.replace("events.switches_", "events.held_"): entry for name, entry in old[run].items()}
        for name in before.keys() | new[run].keys():
            was, now = before.get(name), new[run].get(name)
            arrays += 1
            if was is None or now is None:
                where = "newer" if was is None else "older"
                differences.append((np.inf, f"{run} | {name}: only in the {where} record"))
            elif was["shape"] != now["shape"]:
                differences.append((np.inf, f"{run} | {name}: shape {was['shape']} → {now['shape']}"))
            elif was["digest"] != now["digest"]:
                texts = any(isinstance(value, str) for value in was["values"] + now["values"])
                size = np.inf if texts else difference({"": was["values"]}, {"": now["values"]})
                changed = [f"{a!r} → {b!r}" for a, b in zip(was["values"], now["values"], strict=True) if a != b]
                example = changed[0] if changed else "beyond the entries that are stored"
                differences.append((size, f"{run} | {name}: {example}"))
    print(f"{len(old)} runs and {len(new)} runs, {arrays} arrays")
    print(f"arrays that differ: {len(differences)}")
    for size, line in sorted(differences, key=lambda row: -row[0])[:40]:
        print(f"    {'' if np.isinf(size) else f'{size:.1e} '}{line}")
    for line in missing:
        print(f"    {line}")
    return not differences and not missing


def sizes(values: dict[str, list[float]]) -> dict[str, int]:
    return {part: len(row) for part, row in values.items()}


def difference(old: dict[str, list[float]], new: dict[str, list[float]]) -> float:
    """The largest relative to the largest entry of its output."""
    worst = 0.0
    for part, values in old.items():
        a, b = np.array(values), np.array(new[part])
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        if not same.all():
            scale = max(1e-300, float(np.nanmax(np.abs(a))))
            apart = float(np.max(np.abs(a - b)[~same])) / scale
            worst = max(worst, float("inf") if np.isnan(apart) else apart)
    return worst


def compare(old: dict[str, Any], new: dict[str, Any], tolerance: float) -> bool:
    """Print what differs; whether nothing is worse."""
    common = [key for key in old if key in new]
    broken: list[str] = []
    changed, rose, fell, apart = 0, [], [], []
    total = 0
    for key in common:
        if "error" in new[key] and "error" not in old[key]:
            broken.append(f"{key}: {new[key]['error']}")
        for name, was in old[key]["programs"].items():
            label, now = f"{key} | {name}", new[key]["programs"].get(name)
            if "error" in was:
                continue
            if now is None or "error" in now:
                broken.append(f"{label}: {'missing' if now is None else now['error']}")
                continue
            if sizes(was["values"]) != sizes(now["values"]):
                broken.append(f"{label}: its results have other names or sizes; is it the same model?")
                continue
            total += 1
            changed += was["digest"] != now["digest"]
            more = now["operations"] - was["operations"]
            if more:
                (rose if more > 0 else fell).append((more, f"{label}: {was['operations']} → {now['operations']}"))
            apart.append((difference(was["values"], now["values"]), label))
    alike = [key for key in common if "seconds" in old[key] and "seconds" in new[key]]
    print(f"{len(common)} models and ways in both ({len(old)} and {len(new)}), {total} programs")
    print(f"digests that changed: {changed}")
    for title, rows in (("operations rose", rose), ("operations fell", fell)):
        print(f"{title}: {len(rows)} programs, {sum(n for n, _ in rows):+d} in all")
        for _, line in sorted(rows, key=lambda row: -abs(row[0]))[:20]:
            print(f"    {line}")
    worst = sorted((row for row in apart if row[0] > 0), reverse=True)
    print(f"largest relative difference of values: {worst[0][0] if worst else 0.0:.1e}")
    for size, label in worst[:10]:
        print(f"    {size:.1e} {label}")
    print(f"not to be compared: {len(broken)}")
    for line in broken[:30]:
        print(f"    {line}")
    before, after = (sum(r[key]["seconds"] for key in alike) for r in (old, new))
    print(f"seconds to derive forward dynamics, all: {before:.2f} → {after:.2f} ({after / max(before, 1e-9):.2f})")
    for key in sorted(alike, key=lambda key: -old[key]["seconds"])[:10]:
        was, now = old[key]["seconds"], new[key]["seconds"]
        print(f"    {key}: {was:.3f} → {now:.3f} ({now / max(was, 1e-9):.2f})")
    return not rose and not broken and (not worst or worst[0][0] <= tolerance)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--compare", action="store_true", help="compare two records instead of taking one")
    parser.add_argument("--tolerance", type=float, default=1e-13, help="for values, relative (1e-13)")
    parser.add_argument("--quick", action="store_true", help="a few models only")
    parser.add_argument("--runs", action="store_true", help="record runs instead of programs")
    parser.add_argument("--only", default="", metavar="TEXT", help="models or runs whose names contain this")
    given = parser.parse_args()
    if given.compare:
        if len(given.files) != 2:
            parser.error("--compare takes two records, the older one first")
        old, new = (json.loads(file.read_text()) for file in given.files)
        if ("runs" in old) != ("runs" in new):
            parser.error("one record is of runs, the other of programs")
        if "runs" in old:
            return 0 if compare_runs(old["runs"], new["runs"]) else 1
        return 0 if compare(old, new, given.tolerance) else 1
    with tempfile.TemporaryDirectory() as empty:  # what a search found before is not taken from the cache
        os.environ["FREEBODY_CACHE"] = empty
        found = record_runs(given.only) if given.runs else record(given.quick, given.only)
    given.files[0].write_text(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
