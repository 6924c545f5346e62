"""The linear system of the stages of Rosenbrock methods in C (``integrate.emit_rosenbrock``): memory in the struct of a
simulation, functions, and the stages of a step."""

from collections.abc import Iterator

from freebody.backends.c.language import number
from freebody.export.description import Simulation
from freebody.export.tableau_text import weighted_sum
from freebody.integrate.rosenbrock import RODAS5P
from freebody.program.program import Program
from freebody.program.stage import HOISTED

PREFIX = "stage_"
"""What the names of its programs begin with."""


class CStages:
    """The parts of a source; they are empty in programs without such a method."""

    def __init__(self, simulation: Simulation) -> None:
        self.s = simulation
        self.programs = {
            part.removeprefix(PREFIX): staged.main
            for part, staged in simulation.programs.items()
            if part.startswith(PREFIX)
        }

    @property
    def full(self) -> tuple[int, int]:
        """The unknowns of the full matrix, and the length of its rows; zeros if there is none. Below the matrix is
        a row of the pivots that count as zero if they are smaller."""
        if "backward" not in self.programs:
            return 0, 0
        rows, length = self.programs["factor"].outputs[1].shape
        return rows - 1, length

    def fields(self) -> str:
        """The memory of the linear system."""
        if not self.programs:
            return ""
        sizes = {g.name: g.size for g in self.programs["solve"].groups}
        n, (count, stride) = self.s.size, self.full
        solution = self.programs["solution"].outputs[0].size if "solution" in self.programs else 1
        memory = {
            "increments": f"[{RODAS5P.stages}][{n}]",
            "right_side": f"[{n}]",
            "stage_entries": f"[{sizes['entries']}]",
            "stage_settings": "[2]",
            "stage_factor": f"[{sizes['factor']}]",
            "stage_solution": f"[{solution}]",
            "stage_values": f"[{n}]",
            "stage_matrix": f"[{(count + 1) * stride or 1}]",
        }
        names = ", ".join(f"{name}{size}" for name, size in memory.items())
        return f"    {self.s.name}_real {names}; /* of rodas5p */\n    double accepted;"

    def values(self) -> dict[str, object]:
        """What the templates need."""
        if not self.programs:
            return {"stage_fields": "", "rodas5p": ""}
        return {"stage_fields": self.fields(), "rodas5p": "\n".join([*self._functions(), *self._attempt()])}

    def _call(self, part: str, *outputs: str) -> str:
        program: Program = self.programs[part]
        first = self.s.compiled.system.coordinates
        groups = {
            "parameters": "s->p", "inputs": "s->d", "t": "&t", "x": "s->x", HOISTED: f"s->{PREFIX}{part}_constants",
            "solution": "s->stage_solution" if "solution" in self.programs else f"s->k[0] + {first}",
            "entries": "s->stage_entries", "settings": "s->stage_settings", "factor": "s->stage_factor",
            "right": "right", "values": "s->stage_values",
        }  # fmt: skip
        arguments = [*(groups[g.name] for g in program.groups), *outputs]
        return f"{self.s.name}_{PREFIX}{part}({', '.join(arguments)});"

    def _functions(self) -> Iterator[str]:
        count, stride = self.full
        yield "/* rodas5p: the numbers of the linear system at the start of a step, its factor, one solution. */"
        yield "static void find_entries(simulation *s)\n{\n    const real t = (real)inside(s, s->t);\n    (void)t;"
        if "solution" in self.programs:
            yield f"    {self._call('solution', 's->stage_solution')}"
        yield f"    {self._call('entries', 's->stage_entries')}\n}}\n"
        if count:
            yield FULL.replace("COUNT", str(count)).replace("STRIDE", str(stride))
        more = ["s->stage_matrix"] if count else []
        yield f"static void factor(simulation *s)\n{{\n    {self._call('factor', 's->stage_factor', *more)}"
        yield ("    factor_matrix(s->stage_matrix);\n}\n" if count else "}\n")
        yield "static void solve(simulation *s, const real *right, real *out)\n{"
        if count:
            yield f"    {self._call('solve', 's->stage_values')}\n    solve_matrix(s->stage_matrix, s->stage_values);"
            yield f"    {self._call('backward', 'out')}\n}}\n"
        else:
            yield f"    {self._call('solve', 'out')}\n}}\n"

    @staticmethod
    def _increment(k: int) -> str:
        return f"s->increments[{k}][i]"

    def _attempt(self) -> Iterator[str]:
        m = RODAS5P
        yield "static double attempt_rodas5p(simulation *s)\n{"
        yield f"    const real h = (real)s->size, g = h*{number(m.gamma)};"
        yield "    const int stagewise = s->stagewise;\n    double error;\n    int off = 0;"
        yield "    if (!s->again)\n        find_entries(s);"
        yield "    s->stage_settings[0] = g;\n    factor(s);"
        for k in range(m.stages):
            at, rate = f"s->t + s->size*{number(m.c[k])}", "s->k[0]"
            if k:
                rate = "s->rate"
                yield "    for (int i = 0; i < N; ++i)"
                yield f"        s->trial[i] = s->x[i] + {weighted_sum(m.a[k], self._increment, number)};"
                yield "    normalise(s->trial); /* as the derivatives assume */"
                yield f"    if (stagewise)\n        project(s, {at}, s->trial, INFINITY);"
                yield f"    evaluate(s, {at}, s->trial, s->rate);"
            weights = {j: m.gamma * w for j, w in m.C[k].items()}
            more = f" + {weighted_sum(weights, self._increment, number)}" if weights else ""
            yield f"    for (int i = 0; i < N; ++i)\n        s->right_side[i] = g*{rate}[i]{more};"
            yield f"    s->stage_settings[1] = g*h*{number(m.d[k])};"
            yield f"    solve(s, s->right_side, s->increments[{k}]);"
        yield "    for (int i = 0; i < N; ++i)"
        yield f"        s->y[i] = s->x[i] + {weighted_sum(m.m, self._increment, number)};"
        yield END.replace("LAST_STAGE", str(m.stages - 1))
        yield "static void prepare_rodas5p(simulation *s)\n{\n    for (int i = 0; i < N; ++i) {"
        yield "        s->r[0][i] = s->x[i];\n        s->r[1][i] = s->y[i] - s->x[i];"
        for k, row in enumerate(m.dense, 2):
            yield f"        s->r[{k}][i] = {weighted_sum(row, self._increment, number)};"
        yield "    }\n}\n"
        control = m.control
        assert control.predicts and not control.beta
        yield (
            NEXT.replace("EXPONENT", number(control.exponent))
            .replace("SAFETY", number(control.safety))
            .replace("LARGEST", number(control.most))
            .replace("SMALLEST", number(control.least))
        )


END = """\
    normalise(s->y);
    s->across = 0.0;
    error = norm_of(s, s->increments[LAST_STAGE]);
    if (error <= 1.0 || stagewise) {
        off = project(s, s->t1, s->y, stagewise ? s->far_stagewise : s->far);
        evaluate(s, s->t1, s->y, s->k[6]);
        if (!finite_row(s->y) || !finite_row(s->k[6]))
            error = NAN;
    }
    if (stagewise) {
        double along;
        for (int i = 0; i < N; ++i)
            s->trial[i] = s->y[i] + s->increments[LAST_STAGE][i];
        along = error_along(s) + (finite_row(s->k[6]) ? 0.0 : NAN);
        s->across = error;
        error = along*ACROSS <= error ? along*s->relax : along;
    }
    s->off = off;
    return off ? NAN : error;
}
"""

NEXT = """\
/* The next size after a step with this square of an error: not larger than by the trend of sizes and errors. */
static double next_size_rodas5p(simulation *s, double square, int accepted)
{
    const double level = 0.5*log2(square), raw = -EXPONENT*level;
    double factor = square == square ? exp2(raw)*SAFETY : SMALLEST;
    if (accepted) {
        double wanted = raw;
        if (s->accepted > 0.0)
            wanted = least_of(raw, log2(s->size/s->accepted) + EXPONENT*most_of(s->memory, log2(1e-2)) + 2*raw);
        factor = least_of(exp2(wanted)*SAFETY, LARGEST);
        s->memory = most_of(level, log2(MEMORY));
        s->accepted = s->size;
    }
    return s->size*most_of(factor, SMALLEST);
}
"""

FULL = """\
/* L U of the full matrix in place, without exchange of rows; the inverse of pivots is on the diagonal. One that
 * vanishes makes the solution infinite, so that the step is rejected. */
static void factor_matrix(real *a)
{
    for (int k = 0; k < COUNT; ++k) {
        const real pivot = a[k*STRIDE + k], inverse = 1/(fabs(pivot) < a[COUNT*STRIDE + k] ? 0 : pivot);
        a[k*STRIDE + k] = inverse;
        for (int i = k + 1; i < COUNT; ++i) {
            const real ratio = a[i*STRIDE + k]*inverse;
            a[i*STRIDE + k] = ratio;
            for (int j = k + 1; j < COUNT; ++j)
                a[i*STRIDE + j] -= ratio*a[k*STRIDE + j];
        }
    }
}

static void solve_matrix(const real *a, real *values)
{
    for (int i = 1; i < COUNT; ++i)
        for (int j = 0; j < i; ++j)
            values[i] -= a[i*STRIDE + j]*values[j];
    for (int i = COUNT - 1; i >= 0; --i) {
        for (int j = i + 1; j < COUNT; ++j)
            values[i] -= a[i*STRIDE + j]*values[j];
        values[i] *= a[i*STRIDE + i];
    }
}
"""
