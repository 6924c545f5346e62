"""A symmetric solve as loops in C: full or sparse L D Lᵀ, planned by ``program/ldl.py``.

The right-hand sides are eliminated together with the matrix. A full one is worked on as padded rows, so that the inner
loop goes in steps of fixed length, which compilers turn into vectors: what lies left of the pivot's column is
multiplied by 0, what lies right of the diagonal is never read. Pivots of multipliers are guarded.
"""

from itertools import accumulate
from string import Template

from freebody.backends.c.language import comment, integers, pointer, prototype
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Solve

VECTOR = 4

DENSE = """\
/* Solve '$about': full L D L^T of $n unknowns, right-hand sides: $m. */
$head
{
    $order
    $place
    for (int k = 0; k < $factor; ++k)
        l[k] = 0.0; /* rows of $stride numbers: A, then the right-hand sides */
    for (int k = 0; k < $stride; ++k)
        column[k] = 0.0;
    for (int k = 0; k < $entries; ++k)
        l[place[k]] = a[k];
    for (int i = 0; i < $n; ++i)
        for (int j = 0; j < $m; ++j)
            l[$stride*($n + j) + i] = b[${by}order[i] + j];
    for (int k = 0; k < $n; ++k) {
$pivot
        const int start = (k + 1)/$vector*$vector;
        column[k] = 0.0;
        for (int i = k + 1; i < $n; ++i)
            column[i] = l[$stride*i + k];
        for (int i = k + 1; i < $all; ++i) {
            double *const row = l + $stride*i;
            const double ratio = row[k]*d;
            const int end = i < $n ? i : $last;
            for (int j = start; j <= end; j += $vector)
                for (int v = j; v < j + $vector; ++v)
                    row[v] -= ratio*column[v];
            row[k] = ratio;
        }
    }
    for (int j = 0; j < $m; ++j) {
        double *const y = l + $stride*($n + j);
        for (int i = $last; i > 0; --i) {
            const double known = y[i];
            for (int k = 0; k < i; ++k)
                y[k] -= l[$stride*i + k]*known;
        }
        for (int i = 0; i < $n; ++i)
            x[${by}order[i] + j] = y[i];
    }
}
"""

SPARSE = """\
/* Solve '$about': sparse L D L^T of $n unknowns, right-hand sides: $m. */
$head
{
    $order
    $place
    $rows
    $begin
    $update$guard
    const int *target = update;
    for (int k = 0; k < $factor; ++k)
        l[k] = 0.0; /* D, then L column by column */
    for (int k = 0; k < $entries; ++k)
        l[place[k]] = a[k];
    for (int i = 0; i < $n; ++i)
        for (int j = 0; j < $m; ++j)
            y[${by}i + j] = b[${by}order[i] + j];
    for (int k = 0; k < $n; ++k) {
$pivot
        l[k] = d;
        for (int e = begin[k]; e < begin[k + 1]; ++e) {
            const double ratio = l[e]*d;
            column[e - begin[k]] = l[e];
            l[e] = ratio;
            for (int i = 0; i <= e - begin[k]; ++i)
                l[*target++] -= ratio*column[i];
            for (int j = 0; j < $m; ++j)
                y[${by}rows[e - $n] + j] -= ratio*y[${by}k + j];
        }
    }
    for (int k = $last; k >= 0; --k)
        for (int j = 0; j < $m; ++j) {
            double value = y[${by}k + j]*l[k];
            for (int e = begin[k]; e < begin[k + 1]; ++e)
                value -= l[e]*y[${by}rows[e - $n] + j];
            y[${by}k + j] = value;
            x[${by}order[k] + j] = value;
        }
}
"""


PIVOT = {True: "        const double d = 1.0/l[$stride*k + k];", False: "        const double d = 1.0/l[k];"}
GUARDED_PIVOT = {
    True: """\
        const double pivot = l[$stride*k + k];
        if (k == $speeds)
            for (int i = k; i < $n; ++i)
                scale[i - k] = l[$stride*i + i]; /* multipliers' pivots without other multipliers */
        const double d = k >= $speeds && pivot >= $tolerance*scale[k - $speeds] ? 0.0 : 1.0/pivot;""",
    False: """\
        const double pivot = guard[k] ? l[k] + l[guard[k]] : l[k];
        const double d = guard[k] && pivot >= $tolerance*l[k] ? 0.0 : 1.0/pivot;""",
}


def _stride(n: int) -> int:
    """The length of a row: n, rounded up to whole vectors."""
    return -(-n // VECTOR) * VECTOR


def scratch(solve: Solve) -> dict[str, int]:
    """The work buffers of a solve, and how many numbers each holds."""
    n, m = solve.size, solve.right_sides
    if solve.plan.dense:
        scale = {"scale": len(solve.multipliers)} if solve.multipliers else {}
        return {"l": (n + m) * _stride(n), "column": _stride(n), **scale}
    return {"l": solve.plan.storage, "column": n, "y": n * m}


def solve(name: str, region: Solve) -> str:
    """name(a, b, x, work buffers…)."""
    n, m, plan = region.size, region.right_sides, region.plan
    entries, columns = plan.lower(region.entries), plan.columns
    if plan.dense:
        tables = {"place": [i * _stride(n) + j for i, j in entries]}
    else:
        tables = {
            "place": [plan.position[entry] for entry in entries],
            "rows": [i for rows in columns for i in rows],
            "begin": list(accumulate(map(len, columns), initial=n)),
            "update": plan.updates,
        }
        if plan.multipliers:
            tables["guard"] = plan.guards
    arguments = [pointer("a"), pointer("b"), *(pointer(x, written=True) for x in ("x", *scratch(region)))]
    values = {
        "head": prototype(name, arguments, "static void"),
        "about": comment(region.name),
        "vector": VECTOR,
        "n": n,
        "last": n - 1,
        "m": m,
        "all": n + m,
        "by": f"{m}*" if m > 1 else "",
        "stride": _stride(n),
        "factor": scratch(region)["l"],
        "entries": len(region.entries),
        "order": integers("order", plan.order),
        "speeds": n - len(plan.multipliers),
        "tolerance": PIVOT_TOLERANCE,
    }
    texts = {key: integers(key, numbers) for key, numbers in tables.items()}
    texts["guard"] = f"\n    {texts['guard']}" if "guard" in texts else ""
    pivot = Template((GUARDED_PIVOT if plan.multipliers else PIVOT)[plan.dense]).substitute(values)
    return Template(DENSE if plan.dense else SPARSE).substitute(values, **texts, pivot=pivot)
