"""A symmetric solve as loops in C: full or sparse L D Lᵀ, planned by ``program/ldl.py``.

The right-hand sides are eliminated together with the matrix. A full one is worked on as padded rows, so that the inner
loop goes in steps of fixed length, which compilers turn into vectors: what lies left of the pivot's column is
multiplied by 0, what lies right of the diagonal is never read.
"""

from itertools import accumulate
from string import Template

from freebody.backends.c.language import comment, integers, pointer, prototype
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
        const double d = 1.0/l[$stride*k + k];
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
    $update
    const int *target = update;
    for (int k = 0; k < $factor; ++k)
        l[k] = 0.0; /* D, then L column by column */
    for (int k = 0; k < $entries; ++k)
        l[place[k]] = a[k];
    for (int i = 0; i < $n; ++i)
        for (int j = 0; j < $m; ++j)
            y[${by}i + j] = b[${by}order[i] + j];
    for (int k = 0; k < $n; ++k) {
        const double d = 1.0/l[k];
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


def _stride(n: int) -> int:
    """The length of a row: n, rounded up to whole vectors."""
    return -(-n // VECTOR) * VECTOR


def scratch(solve: Solve) -> dict[str, int]:
    """The work buffers of a solve, and how many numbers each holds."""
    n, m = solve.size, solve.right_sides
    if solve.plan.dense:
        return {"l": (n + m) * _stride(n), "column": _stride(n)}
    return {"l": solve.plan.entries, "column": n, "y": n * m}


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
    arguments = [pointer("a"), pointer("b"), *(pointer(x, written=True) for x in ("x", *scratch(region)))]
    values = {
        "head": prototype(name, arguments, "static void"), "about": comment(region.name), "vector": VECTOR,
        "n": n, "last": n - 1, "m": m, "all": n + m, "by": f"{m}*" if m > 1 else "", "stride": _stride(n),
        "factor": scratch(region)["l"], "entries": len(region.entries), "order": integers("order", plan.order),
    }  # fmt: skip
    texts = {key: integers(key, numbers) for key, numbers in tables.items()}
    return Template(DENSE if plan.dense else SPARSE).substitute(values, **texts)
