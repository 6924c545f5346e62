"""A symmetric solve as loops in Fortran: full or sparse L D Lᵀ, planned by ``program/ldl.py``; pivots of multipliers
are guarded."""

from itertools import accumulate
from string import Template

from freebody.backends.fortran.language import comment, continued, indented, integers
from freebody.program.ldl import PIVOT_TOLERANCE
from freebody.program.program import Solve

DENSE = """\
l = 0 ! columns: rows of A, then the right-hand sides
do k = 0, ${entries} - 1
    l(row(k), column(k)) = a(k)
end do
do i = 0, $n - 1
    do j = 0, $m - 1
        l(i, $n + j) = b($m*order(i) + j)
    end do
end do
do k = 0, $n - 1
$pivot
    other(k + 1:$n - 1) = l(k, k + 1:$n - 1)
    do i = k + 1, $n + $m - 1
        ratio = l(k, i)*d
        last = min(i, $n - 1)
        l(k + 1:last, i) = l(k + 1:last, i) - ratio*other(k + 1:last)
        l(k, i) = ratio
    end do
end do
do j = 0, $m - 1
    do i = $n - 1, 1, -1
        l(0:i - 1, $n + j) = l(0:i - 1, $n + j) - l(0:i - 1, i)*l(i, $n + j)
    end do
    do i = 0, $n - 1
        x($m*order(i) + j) = l(i, $n + j)
    end do
end do
"""

SPARSE = """\
l = 0 ! D, then L column by column
do k = 0, ${entries} - 1
    l(place(k)) = a(k)
end do
do i = 0, $n - 1
    y(:, i) = b($m*order(i):$m*order(i) + $m - 1)
end do
target = 0
do k = 0, $n - 1
$pivot
    l(k) = d
    do e = begin(k), begin(k + 1) - 1
        ratio = l(e)*d
        other(e - begin(k)) = l(e)
        l(e) = ratio
        do i = 0, e - begin(k)
            l(update(target)) = l(update(target)) - ratio*other(i)
            target = target + 1
        end do
        y(:, row(e - $n)) = y(:, row(e - $n)) - ratio*y(:, k)
    end do
end do
do k = $n - 1, 0, -1
    do j = 0, $m - 1
        ratio = y(j, k)*l(k)
        do e = begin(k), begin(k + 1) - 1
            ratio = ratio - l(e)*y(j, row(e - $n))
        end do
        y(j, k) = ratio
        x($m*order(k) + j) = ratio
    end do
end do
"""

PIVOT = {True: "    d = 1/l(k, k)", False: "    d = 1/l(k)"}
GUARDED_PIVOT = {
    True: """\
    pivot = l(k, k)
    if (k == $speeds) then
        do i = k, $n - 1
            scale(i - k) = l(i, i) ! multipliers' pivots without other multipliers
        end do
    end if
    d = 1/pivot
    if (k >= $speeds) then
        if (pivot >= $tolerance*scale(k - $speeds)) d = 0
    end if""",
    False: """\
    pivot = l(k)
    if (guard(k) /= 0) pivot = l(k) + l(guard(k))
    d = 1/pivot
    if (guard(k) /= 0) then
        if (pivot >= $tolerance*l(k)) d = 0
    end if""",
}


def solve(name: str, region: Solve) -> str:
    """name(a, b, x): x of A x = b."""
    n, m, plan = region.size, region.right_sides, region.plan
    lower, columns = plan.lower(region.entries), plan.columns
    values = {"n": n, "m": m, "entries": len(region.entries), "speeds": n - len(plan.multipliers)}
    values["tolerance"] = f"{PIVOT_TOLERANCE!r}_rk"  # type: ignore[assignment]
    guarded = bool(plan.multipliers)
    lines = [
        f"real(rk), intent(in) :: a(0:{len(region.entries) - 1}), b(0:{n * m - 1})",
        f"real(rk), intent(out) :: x(0:{n * m - 1})",
        f"real(rk) :: d, ratio, other(0:{n}){', pivot' if guarded else ''}",
        *integers("order", plan.order),
    ]
    if plan.dense:
        lines += [f"real(rk) :: l(0:{n - 1}, 0:{n + m - 1})", "integer :: i, j, k, last"]
        lines += [f"real(rk) :: scale(0:{len(plan.multipliers) - 1})"] if guarded else []
        lines += [*integers("row", [j for _, j in lower]), *integers("column", [i for i, _ in lower])]
    else:
        lines += [f"real(rk) :: l(0:{plan.storage - 1}), y(0:{m - 1}, 0:{n - 1})", "integer :: i, j, k, e, target"]
        lines += integers("place", [plan.position[entry] for entry in lower])
        lines += integers("row", [i for rows in columns for i in rows])
        lines += integers("begin", list(accumulate(map(len, columns), initial=n)))
        lines += integers("update", plan.updates)
        lines += integers("guard", plan.guards) if guarded else []
    pivot = Template((GUARDED_PIVOT if guarded else PIVOT)[plan.dense]).substitute(values)
    body = Template(DENSE if plan.dense else SPARSE).substitute(values, pivot=pivot).splitlines()
    kind = "full" if plan.dense else "sparse"
    about = f"! Solve '{comment(region.name)}': {kind} L D L^T of {n} unknowns, right-hand sides: {m}."
    text = [about, f"subroutine {name}(a, b, x)", *indented([*lines, *body]), f"end subroutine {name}", ""]
    return "\n".join(map(continued, text))
