"""Sine and cosine as inline LLVM IR, for several arguments at once, scalars or vectors.

Reduction (Cody and Waite 1980, with fused products). With k = round(2|x|/π) and π/2 = P1 + P2 + P3 + O(1e-49),

    r1 = |x| − k P1,  r = r1 − k P2,  r' = r − k P3.

r1 is exact: where k > 0 it is a multiple of 2⁻⁵³ below 1. So r' carries two roundings relative to itself, and results
near multiples of π/2 keep all their digits. k is read off the sum 2|x|/π + 1.5·2⁵², whose lowest bits are k's.

Kernels on |r| ≤ π/4, z = r², with the minimax coefficients of fdlibm (Sun Microsystems 1993, k_sin.c and k_cos.c):

    sin r = r' + r z S(z),  cos r = 1 + z (−½ + z C(z)).

S and C, of degree 5, are summed by Horner's rule in z² over pairs: one operation more than in z, two fewer in
sequence. The lowest bit of k exchanges the two results; k's next bit and the sign of x set their signs, so that
sin(−0) = −0. The largest error met in 10⁸ arguments is 1.53 units in the last place, of which r brings up to one.

Beyond |x| = 2³⁰, for infinities and for NaN, one branch for the whole group leads to a cold block where libm's `sin`
and `cos` replace the lanes concerned and only those: what a lane gets does not depend on its neighbours. Hosts without
fused products get libm's `fma`: as exact, but slow; calls of `sin` and `cos` are better there.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from freebody.backends.llvm.ir import constant

LIMIT = 2.0**30
"""The largest |x| of the fast path: there k·1e-49 is still nothing beside the smallest |r| of any double, 1e-19."""

_REALS = {
    "LIMIT": LIMIT,
    "2/π": 0.6366197723675814,
    "SHIFT": 1.5 * 2.0**52,
    "-P1": -1.5707963267948966,
    "-P2": -6.123233995736766e-17,
    "-P3": 1.4973849048591833e-33,
    "S0": -1.66666666666666324348e-01,
    "S1": 8.33333333332248946124e-03,
    "S2": -1.98412698298579493134e-04,
    "S3": 2.75573137070700676789e-06,
    "S4": -2.50507602534068634195e-08,
    "S5": 1.58969099521155010221e-10,
    "C0": 4.16666666666666019037e-02,
    "C1": -1.38888888888741095749e-03,
    "C2": 2.48015872894767294178e-05,
    "C3": -2.75573143513906633035e-07,
    "C4": 2.08757232129817482790e-09,
    "C5": -1.13596475577881948265e-11,
    "-½": -0.5,
    "1": 1.0,
}
_INTEGERS = {"62": 62, "63": 63, "SIGN": -(2**63)}

_KERNEL = """
a = abs x
inside = within a LIMIT
t = fma a 2/π SHIFT
k = sub t SHIFT
r1 = fma k -P1 a
r = fma k -P2 r1
rr = fma k -P3 r
z = mul r r
rz = mul r z
zz = mul z z
s0 = fma z S1 S0
s1 = fma z S3 S2
s2 = fma z S5 S4
c0 = fma z C1 C0
c1 = fma z C3 C2
c2 = fma z C5 C4
s3 = fma zz s2 s1
c3 = fma zz c2 c1
s4 = fma zz s3 s0
c4 = fma zz c3 c0
c5 = fma z c4 -½
sine = fma rz s4 rr
cosine = fma z c5 1
q = bits t
odd = lowest q
q0 = shl q 63
q1 = shl q 62
su = pick odd cosine sine
sv = bits su
sw = bits x
sx = xor q1 sw
sy = and sx SIGN
sz = xor sv sy
s.near = real sz
cu = pick odd sine cosine
cv = bits cu
cx = xor q1 q0
cy = and cx SIGN
cz = xor cv cy
c.near = real cz
"""

_FORMS = {
    "abs": "call {R} @llvm.fabs.{v}({R} {0})",
    "fma": "call {R} @llvm.fma.{v}({R} {0}, {R} {1}, {R} {2})",
    "sub": "fsub {R} {0}, {1}",
    "mul": "fmul {R} {0}, {1}",
    "within": "fcmp ole {R} {0}, {1}",
    "pick": "select {B} {0}, {R} {1}, {R} {2}",
    "bits": "bitcast {R} {0} to {I}",
    "real": "bitcast {I} {0} to {R}",
    "lowest": "trunc {I} {0} to {B}",
    "shl": "shl {I} {0}, {1}",
    "and": "and {I} {0}, {1}",
    "xor": "xor {I} {0}, {1}",
}

_FUNCTIONS = {"s": "sin", "c": "cos"}


class Trig(NamedTuple):
    """IR lines, the value they define for each argument ("" where not wanted), and what must go with them."""

    lines: list[str]
    sines: list[str]
    cosines: list[str]
    block: str  # label of the block that the lines leave open
    width: int  # of the vectors used: `declarations` must cover it


def sincos(args: Sequence[str], wants: Sequence[str], prefix: str, block: str, width: int = 1, vector: int = 4) -> Trig:
    """Sine and cosine of one or more `args` of type double (`width` 1) or <width x double>, as `wants`: "s", "c", "sc".

    The lines continue the block labelled `block` and leave another one open; every name they define begins with
    `prefix`. Scalars are packed into vectors of at most `vector` lanes: 4 with AVX2 or AVX-512, else 2. (8 lanes gain
    nothing for scalars: what the evaluation saves is lost on moving them in and out.) A lone scalar takes two lanes, so
    that its bits never leave the vector registers. Lanes left over are 0, lest they look out of range.
    """
    packed = width == 1
    lanes = min(vector, 1 << max(len(args) - 1, 1).bit_length()) if packed else width
    step, R, B = lanes if packed else 1, f"<{lanes} x double>", f"<{lanes} x i1>"
    lines: list[str] = []
    far: list[str] = []
    joined: list[str] = []
    scattered: list[str] = []
    results: dict[str, list[str]] = {"s": [], "c": []}
    inside = ""  # whether every lane of every vector so far is inside the range
    tests: list[str] = []
    for start in range(0, len(args), step):
        name, x, wanted = f"{prefix}.{start}", args[start], wants[start : start + step]
        if packed:
            lines += _insertions(f"%{name}.x", R, "zeroinitializer", args[start : start + step])
            x = f"%{name}.x.{len(wanted) - 1}"
        both = "".join(f for f in "sc" if any(f in want for want in wanted))
        lines += _kernel(lanes, both).replace("$", x).replace("%.", f"%{name}.").split("\n")
        tests += [f"  %{name}.all = and {B} {inside}, %{name}.inside"] if inside else []
        inside = f"%{name}.all" if inside else f"%{name}.inside"
        for f in both:
            y = f"%{name}.{f}"
            function = f"ptr @{_FUNCTIONS[f]}"
            far.append(f"  {y}.far = call {R} @freebody.libm.v{lanes}f64({R} {x}, {R} {y}.near, {function})")
            joined.append(f"  {y} = phi {R} [ {y}.near, %{block} ], [ {y}.far, %{prefix}.far ]")
        for i, want in enumerate(wanted):
            if packed:
                scattered += [f"  %{name}.{f}.{i} = extractelement {R} %{name}.{f}, i32 {i}" for f in want]
            for f, values in results.items():
                values.append(f"%{name}.{f}" + (f".{i}" if packed else "") if f in want else "")
    lines += [
        *tests,
        f"  %{prefix}.lanes = bitcast {B} {inside} to i{lanes}",
        f"  %{prefix}.near = icmp eq i{lanes} %{prefix}.lanes, -1",
        f"  br i1 %{prefix}.near, label %{prefix}.done, label %{prefix}.far, "
        '!prof !{!"branch_weights", i32 2000, i32 1}',
        f"{prefix}.far:",
        *far,
        f"  br label %{prefix}.done",
        f"{prefix}.done:",
        *joined,
        *scattered,
    ]
    return Trig(lines, results["s"], results["c"], f"{prefix}.done", lanes)


def declarations(widths: Iterable[int]) -> list[str]:
    """What a module needs, once, for groups of these `Trig.width`s; it leaves libm's `sin` and `cos` to the linker."""
    lines = [f"declare double @{f}(double)" for f in _FUNCTIONS.values()]
    for width in sorted(set(widths)):
        R, v = f"<{width} x double>", f"v{width}f64"
        lines += [f"declare {R} @llvm.fabs.{v}({R})", f"declare {R} @llvm.fma.{v}({R}, {R}, {R})", *_libm(width)]
    return lines


def _libm(width: int) -> list[str]:
    """A cold function: `near` where x is inside the range, f(x) elsewhere.

    It has no loop and no branch, which compiles in half the time.
    """
    R, v, lanes = f"<{width} x double>", f"v{width}f64", range(width)
    return [
        f"define internal {R} @freebody.libm.{v}({R} %x, {R} %near, ptr %f) cold noinline nounwind {{",
        *(f"  %x.{i} = extractelement {R} %x, i32 {i}" for i in lanes),
        *(f"  %y.{i} = call double %f(double %x.{i})" for i in lanes),
        *_insertions("%far", R, "poison", [f"%y.{i}" for i in lanes]),
        f"  %a = call {R} @llvm.fabs.{v}({R} %x)",
        f"  %inside = fcmp ole {R} %a, {_operand('LIMIT')}",
        f"  %y = select <{width} x i1> %inside, {R} %near, {R} %far.{width - 1}",
        f"  ret {R} %y",
        "}",
    ]


def _insertions(name: str, type_: str, base: str, values: Sequence[str]) -> list[str]:
    """`values` into the first lanes of `base`, one after the other: `name`.0, `name`.1, …"""
    olds = [base, *(f"{name}.{i}" for i in range(len(values)))]
    return [f"  {name}.{i} = insertelement {type_} {olds[i]}, double {x}, i32 {i}" for i, x in enumerate(values)]


@cache
def _kernel(width: int, want: str) -> str:
    """The straight-line evaluation: "$" stands for the argument and "%." for the beginning of every name."""
    rows = [(name, op, operands) for name, _, op, *operands in map(str.split, _KERNEL.strip().splitlines())]
    needed = {"inside", *(f"{f}.near" for f in want)}
    for name, _, operands in reversed(rows):
        needed |= set(operands) if name in needed else set()
    types = {"R": f"<{width} x double>", "I": f"<{width} x i64>", "B": f"<{width} x i1>", "v": f"v{width}f64"}
    return "\n".join(
        f"  %.{name} = " + _FORMS[op].format(*map(_operand, operands), **types)
        for name, op, operands in rows
        if name in needed
    )


def _operand(name: str) -> str:
    if name in _REALS:
        return f"splat (double {constant(_REALS[name])})"
    if name in _INTEGERS:
        return f"splat (i64 {_INTEGERS[name]})"
    return "$" if name == "x" else f"%.{name}"
