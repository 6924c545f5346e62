"""Figures of Poincaré's equations: closed forms of the arm of Kwatny & Blankenship's section IV beside SymPy's, what
the numeric program costs beside composite bodies, and the PUMA 560.

SymPy derives the arm's M, C and F by Lagrange's method with its own simplification, in a process of its own that is
stopped after FREEBODY_BENCH_SYMPY seconds (600 unless given); the time it was given then stands for its own, as a lower
bound.
"""

import json
import os
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import timing

import freebody as fb

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from robots import puma560, ur5

Row = tuple[str, float, float | None, dict]
LIMIT = float(os.environ.get("FREEBODY_BENCH_SYMPY", "600"))
SYMPYBOTICS = 345 + 296
"""Multiplications and additions of SymPyBotics' inverse dynamics of the PUMA 560."""


SHOULDER = ((0, 0), (1, 0), (0, 1), (0, 0), (0, 0), (0, 0))
WRIST = ((0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))


def arm(simple: bool = True) -> fb.System:
    """Two slender bars and a gripper: a shoulder of two turns one after another, an elbow, and a wrist of three that is
    one simple joint or a compound one."""
    s = fb.System("arm of section IV", gravity=(0, 0, "-g"))
    s.parameter("g", 9.81)
    bar = {"mass": 1, "com": (0, 0, Fraction(3, 2)), "inertia": (Fraction(3, 4), Fraction(3, 4), 0)}
    across = Fraction(1, 24) * (Fraction(49, 100) + Fraction(147, 400))
    hand = {"mass": Fraction(1, 2), "com": (0, 0, Fraction(7, 20)), "inertia": (across, across, Fraction(49, 9600))}
    upper = s.body("upper", joint=fb.Compound.of(SHOULDER, (1, 1)), **bar)
    lower = s.body("lower", on=upper, at=(0, 0, 3), joint=fb.Revolute("y"), **bar)
    wrist = fb.Simple(WRIST) if simple else fb.Compound.of(WRIST, (1, 1, 1))
    s.body("gripper", on=lower, at=(0, 0, 3), joint=wrist, **hand)
    return s


def closed_form() -> list[Row]:
    """M, C, F of the arm, from its description to simplified entries."""
    taken, theirs = [], sympy_seconds()
    for _ in range(3):
        start = time.perf_counter()
        x = arm().derive("poincare").matrices()
        size = {"M": x.M.operations, "C": x.C.operations, "F": len(x.F)}
        taken.append(time.perf_counter() - start)
    times = {"freebody": timing.summary(taken), "SymPy": timing.summary([theirs] * 2)}
    note = {"SymPy": "stopped at its limit" if theirs >= LIMIT else "finished", "operations": size}
    ratio = times["freebody"]["median"] / theirs
    return [("arm of section IV, closed M, C, F, time over SymPy", ratio, 1 / 50, {"seconds": times, **note})]


def programs() -> list[Row]:
    """Operations of forward dynamics over composite bodies with LᵀDL."""
    found: list[Row] = []
    cases = (
        ("arm of section IV", arm(), 1.3),
        ("arm of section IV, compound wrist", arm(simple=False), 1.3),
        ("UR5", ur5.system(), 1.3),
        ("PUMA 560", puma560.system(), 1.3),
    )
    for name, s, target in cases:
        ours, theirs = (s.derive(way).operations["forward_dynamics"] for way in ("poincare", "crba"))
        more = {"poincare": str(ours), "crba": str(theirs)}
        found.append((f"{name}, Poincaré's program over composite bodies", ours.total / theirs.total, target, more))
    return found


def puma() -> list[Row]:
    """The closed inertia matrix of the PUMA 560, with the tables' parameters and with ten for each link."""
    found: list[Row] = []
    for name, full in (("Armstrong's parameters", False), ("10 parameters a link", True)):
        s, start = puma560.system(full), time.perf_counter()
        M = s.derive("poincare").matrices().M
        seconds = time.perf_counter() - start
        needed = s.derive("crba").operations["inverse_dynamics"]
        more = {
            "operations of closed M": M.operations,
            "characters": len(M.text()),
            "inverse dynamics": str(needed),
            "SymPyBotics, inverse dynamics": SYMPYBOTICS,
        }
        found.append((f"PUMA 560, {name}, closed M, s", seconds, 60.0, more))
    return found


# SymPy


def sympy_seconds() -> float:
    """How long SymPy takes, or the limit."""
    try:
        run = subprocess.run(
            [sys.executable, __file__, "sympy"], capture_output=True, text=True, check=True, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return LIMIT
    return float(json.loads(run.stdout)["seconds"])


def sympy_arm() -> float:
    """M, Christoffel's C and F of the arm with six hinges, each entry simplified."""
    import sympy

    start = time.perf_counter()
    q, v = sympy.symbols("q1:7", real=True), sympy.symbols("v1:7", real=True)
    M, potential = _energies(sympy, q)
    M = M.applyfunc(sympy.simplify)
    n = range(6)
    C = sympy.Matrix(
        6, 6, lambda i, j: sum((M[i, j].diff(q[k]) + M[i, k].diff(q[j]) - M[j, k].diff(q[i])) * v[k] / 2 for k in n)
    )
    C.applyfunc(sympy.simplify)
    sympy.Matrix([potential]).jacobian(q).applyfunc(sympy.simplify)
    return time.perf_counter() - start


def _energies(sympy, q):  # type: ignore[no-untyped-def]
    turn = {"x": sympy.rot_axis1, "y": sympy.rot_axis2, "z": sympy.rot_axis3}
    R, p, w = sympy.eye(3), sympy.zeros(3, 1), sympy.zeros(3, 6)
    M, potential, third = sympy.zeros(6, 6), 0, sympy.Matrix([0, 0, 1])
    bar, half = sympy.diag(sympy.Rational(3, 4), sympy.Rational(3, 4), 0), sympy.Rational(1, 2)
    across = sympy.Rational(1, 24) * (sympy.Rational(49, 100) + sympy.Rational(147, 400))
    hand = sympy.diag(across, across, sympy.Rational(49, 9600))
    bodies = {
        1: (1, sympy.Rational(3, 2), bar, 3),
        2: (1, sympy.Rational(3, 2), bar, 3),
        5: (half, sympy.Rational(7, 20), hand, 0),
    }
    for k, axis in enumerate("zyyxzy"):
        R = R * turn[axis](-q[k])
        w[:, k] = R[:, "xyz".index(axis)]
        if k in bodies:
            m, centre, J, end = bodies[k]
            r = p + R * third * centre
            Jv = r.jacobian(q)
            M += m * Jv.T * Jv + w.T * R * J * R.T * w
            potential += m * r[2]
            p = p + R * third * end
    return M, potential


JOBS = {"closed forms": closed_form, "Poincaré's programs": programs, "PUMA 560": puma}

if __name__ == "__main__":
    if sys.argv[1:] == ["sympy"]:
        json.dump({"seconds": sympy_arm()}, sys.stdout)
    else:
        for job in JOBS.values():
            for name, value, target, more in job():
                print(f"{name}: {value:.4g}" + ("" if target is None else f", target {target:.4g}"))
                for key, detail in more.items():
                    print(f"    {key}: {detail}")
