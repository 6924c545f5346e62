"""Pinocchio and CasADi as rivals: a loop in C++ built from Pinocchio's headers, and its algorithm over CasADi's symbols
as generated C. Both are built when they are first asked for, with g++ and gcc, in a temporary folder (a lasting one if
FREEBODY_BENCH_BUILD names it: two to five minutes saved). They need the headers that come with the wheels of pin, boost
and CasADi, and Eigen's (pip install cmeel-eigen, or the system's). Without these Pinocchio is called from Python, and
what its call costs is measured on a pendulum and taken off.
"""

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import numpy as np
import timing
from machines import Robot

import freebody as fb

NATIVE = Path(__file__).parent / "native"
FLAGS = ("-std=c++17", "-w", "-DNDEBUG", "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS")
FAST = ("-O3", "-march=native", "-shared", "-fPIC")
ALONE = ("-fno-gnu-unique", "-Wl,-Bsymbolic")  # nothing of the wheel's library is taken for the loop's own
here = find_spec("pinocchio") is not None


# Building


@cache
def includes() -> tuple[str, ...] | None:
    """Folders of headers: Pinocchio's with boost's, Eigen's; none if one is missing."""
    prefixes = [Path(p) / "cmeel.prefix" / "include" for p in sys.path]
    pinocchio = [p for p in prefixes if (p / "pinocchio" / "multibody.hpp").is_file()]
    eigen = [p for p in (*(p / "eigen3" for p in prefixes), Path("/usr/include/eigen3")) if (p / "Eigen").is_dir()]
    return (f"-I{pinocchio[0]}", f"-I{eigen[0]}") if pinocchio and eigen else None


@cache
def scratch() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="freebody-bench-")


def place() -> Path:
    """Where things are built; gone at the end unless it was named."""
    found = Path(os.environ.get("FREEBODY_BENCH_BUILD") or scratch().name)
    found.mkdir(parents=True, exist_ok=True)
    return found


@cache
def built() -> dict[str, Path]:
    """The "loop"s and the writer of "symbols", as far as they can be built here: minutes and 2.5 GB each, at once."""
    folders = includes()
    if not here or folders is None or which("g++") is None:
        return {}
    jobs = {name: place() / name for name in ("loop", "contact", "symbols")}
    running = {n: subprocess.Popen(command(n, f, folders), stderr=subprocess.PIPE) for n, f in jobs.items() if old(f)}
    said = {n: p.communicate()[1].decode(errors="replace") for n, p in running.items()}
    failed = [n for n, p in running.items() if p.returncode]
    for n in failed:
        print(f"{n}.cpp, which needs Pinocchio's headers, was not built: {said[n][:300]}", file=sys.stderr)
    return {n: f for n, f in jobs.items() if n not in failed}


def command(name: str, file: Path, folders: tuple[str, ...]) -> list[str]:
    import casadi

    home = Path(casadi.__file__).parent
    special = {
        "loop": (*FAST, *ALONE),
        "contact": (*FAST, *ALONE),
        "symbols": (f"-I{home}/include", f"-L{home}", "-Wl,--no-as-needed", "-lcasadi", f"-Wl,-rpath,{home}"),
    }
    return ["g++", *FLAGS, *folders, str(NATIVE / f"{name}.cpp"), "-o", str(file), *special[name]]


def old(file: Path) -> bool:
    return not file.exists() or file.stat().st_mtime < max(f.stat().st_mtime for f in NATIVE.iterdir())


# Pinocchio


@cache
def model(r: Robot) -> object:
    import pinocchio as pin

    root = (pin.JointModelFreeFlyer(),) if r.floating else ()
    whole = pin.buildModelFromUrdf(str(r.file), *root)
    there = [whole.getJointId(j) for j in r.lock if whole.existJointName(j)]
    return pin.buildReducedModel(whole, there, pin.neutral(whole)) if there else whole


def told(m: object) -> str:
    """A model as native/model.hpp reads it."""
    lines = []
    for k in range(1, m.njoints):
        kind, at, mass = m.joints[k].shortname(), m.jointPlacements[k], m.inertias[k]
        axis = m.joints[k].extract().axis if "Unaligned" in kind else np.zeros(3)
        parts = (axis, at.rotation, at.translation, [mass.mass], mass.lever, mass.inertia)
        lines.append(" ".join([str(m.parents[k]), kind, *(repr(float(v)) for p in parts for v in np.ravel(p))]))
    return "\n".join(lines) + "\n"


@cache
def text(r: Robot) -> Path:
    file = place() / f"{r.name}.txt"
    file.write_text(told(model(r)))
    return file


def states(r: Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v and tau as Pinocchio has them."""
    to = fb.layout(r.system, "pinocchio", model=model(r))
    return to.q_to(r.q), to.v_to(r.q, r.u), to.tau_to(r.q, r.tau)


def native(r: Robot, what: str) -> tuple[Callable[[int], None], np.ndarray] | None:
    """Forward dynamics ("aba") or "derivatives" in a loop in C++, and where u̇, or ∂u̇/∂q, is found."""
    if "loop" not in built():
        return None
    library = ctypes.CDLL(str(built()["loop"]))
    library.robot.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(library.robot(str(text(r)).encode(), *(ctypes.c_void_p(a.ctypes.data) for a in states(r))))
    if not handle:
        return None
    out = np.zeros((len(r.u),) * (1 if what == "aba" else 2))
    function = getattr(library, what)
    return lambda n: function(handle, ctypes.c_long(n), ctypes.c_void_p(out.ctypes.data)), out


def contact(
    m: object, ends: Sequence[tuple[int, np.ndarray]], state: Sequence[np.ndarray]
) -> tuple[Callable[[int], None], np.ndarray] | None:
    """Constrained forward dynamics of a model with a pin between points of two joints in a loop in C++, and where u̇ is
    found; None where it cannot be built."""
    if "contact" not in built():
        return None
    library, file = ctypes.CDLL(str(built()["contact"])), place() / "pinned.txt"
    file.write_text(told(m))
    library.pinned.restype = ctypes.c_void_p
    points = [np.array(p, float) for _, p in ends]
    places = [x for (k, _), p in zip(ends, points, strict=True) for x in (ctypes.c_long(k), _at(p))]
    handle = ctypes.c_void_p(library.pinned(str(file).encode(), *places, *map(_at, state)))
    if not handle:
        return None
    out = np.zeros(m.nv)
    return lambda n: library.constrained(handle, ctypes.c_long(n), _at(out)), out


def _at(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def wheel(r: Robot, what: str) -> tuple[Callable[[int], None], Callable[[int], None]]:
    """The same by the wheel from Python, and what such a call costs: the same of a pendulum, which is a little more."""
    import pinocchio as pin

    function = {"aba": pin.aba, "derivatives": pin.computeABADerivatives}[what]
    small = pin.Model()
    hinge = small.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "hinge")
    small.appendBodyToJoint(hinge, pin.Inertia.Random(), pin.SE3.Identity())
    return _calls(function, model(r), *states(r)), _calls(function, small, *np.ones((3, 1)))


def _calls(function: Callable, m: object, *state: np.ndarray) -> Callable[[int], None]:
    data = m.createData()

    def run(n: int) -> None:
        for _ in range(n):
            function(m, data, *state)

    return run


# CasADi


@cache
def symbolic(r: Robot) -> object | None:
    """Pinocchio's algorithm over CasADi's SX, repeated expressions taken together by CasADi's own cse."""
    import casadi

    if "symbols" not in built():
        return None
    file = place() / f"{r.name}.casadi"
    subprocess.run([str(built()["symbols"]), str(text(r)), str(file)], check=True)
    plain = casadi.Function.load(str(file))
    given = plain.sx_in()
    return casadi.Function("aba", given, [casadi.cse(plain(*given))])


def operations(f: object) -> dict[str, int]:
    """By our rule: multiplications, additions and divisions; signs are free, functions apart."""
    import casadi as cs

    one = {cs.OP_ADD, cs.OP_SUB, cs.OP_MUL, cs.OP_DIV, cs.OP_SQ, cs.OP_TWICE, cs.OP_INV}
    free = {cs.OP_CONST, cs.OP_INPUT, cs.OP_OUTPUT, cs.OP_NEG, cs.OP_ASSIGN, cs.OP_PARAMETER}
    found = [f.instruction_id(k) for k in range(f.n_instructions())]
    return {"operations": sum(k in one for k in found), "calls": sum(k not in one | free for k in found)}


def generated(r: Robot) -> tuple[Callable[[int], None], np.ndarray] | None:
    """Its C under gcc -O3 -march=native in the same loop as ours, and where u̇ is found, as Pinocchio has it."""
    f = symbolic(r)
    if f is None:
        return None
    import casadi

    home = place() / r.name
    home.mkdir(exist_ok=True)
    code = casadi.CodeGenerator("aba.c")
    code.add(f)
    code.generate(f"{home}/")
    library = home / "aba.so"
    subprocess.run(["gcc", *FAST, str(home / "aba.c"), "-o", str(library), "-lm"], check=True)
    out = timing.aligned((len(r.u),))
    given = [timing.aligned(a.shape, a) for a in states(r)]
    pointers = [np.zeros(n, dtype=np.uint64) for n in (f.sz_arg(), f.sz_res())]
    for slots, arrays in zip(pointers, (given, [out]), strict=True):
        slots[: len(arrays)] = [a.ctypes.data for a in arrays]
    work = [np.zeros(f.sz_iw() + 1, dtype=np.int64), timing.aligned((f.sz_w() + 1,))]
    loaded = ctypes.CDLL(str(library))
    address = ctypes.cast(loaded.aba, ctypes.c_void_p).value or 0
    run = timing.loop(address, [*pointers, *work])
    run.kept = given, out, pointers, work, loaded  # type: ignore[attr-defined]
    return run, out
