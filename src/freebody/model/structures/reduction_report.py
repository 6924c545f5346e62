"""The checks of a reduction as text and as a plot."""

from typing import Any

import numpy as np

from freebody.model.structures.reduced_data import FrequencyResponse, ReducedData
from freebody.model.structures.structure import GROUNDED


def summary(reduced: ReducedData) -> str:
    """The reduction and its checks, as lines of text."""
    r, n = reduced.record, reduced.data.n
    centre = ", ".join(f"{x:.4g}" for x in r.mass_centre)
    interfaces, mass = ", ".join(r.interfaces) or "none", f"{r.mass:.6g} kg, mass centre at ({centre}) m"
    if not r.residuals:  # it was not reduced here
        rows = [("source", f"{r.source} ({r.method}): {n} modes"), ("interfaces", interfaces), ("mass", mass)]
    else:
        floating = "floating" if max(r.residuals) <= GROUNDED else "origin, held by supports in the matrices"
        rows = [
            (
                "reduction",
                f"{r.source}, {r.method}: {r.unknowns} unknowns to {n} modes"
                f" ({r.normal_modes} of vibration, {n - r.normal_modes} static)",
            ),
            ("interfaces", interfaces),
            ("frame", r.frame or floating),
            ("mass", mass),
            ("rigid motions", f"forces below {_bound(max(r.residuals))} of their terms"),
        ]
    if r.rigid_frequencies:
        rows.append(
            (
                "free structure",
                f"six frequencies below {_bound(max(r.rigid_frequencies) / r.elastic_frequency)}"
                f" of the next, which is {r.elastic_frequency:.5g} rad/s",
            )
        )
    rows.append(("frequencies", f"{_shown(reduced, 0)} to {_shown(reduced, -1)} rad/s"))
    rows.append(("stiffening", "from the geometric stiffness" if r.stiffening else "not included"))
    if reduced.response is not None:
        rows.append(("response", _errors(reduced.response)))
    width = max(len(key) for key, _ in rows)
    return "\n".join(f"{key:<{width}}  {text}" for key, text in rows)


def _bound(x: float) -> str:
    """The next power of ten, at least 1e-12: smaller numbers are rounding errors."""
    return f"{10.0 ** np.ceil(np.log10(max(x, 1e-12))):.0e}"


def _shown(reduced: ReducedData, k: int) -> str:
    return f"{reduced.data.modes[k].frequency:.5g}" if reduced.data.modes else "–"


def _errors(response: FrequencyResponse) -> str:
    """The error of the response in words."""
    omega, error = response.frequencies, response.error
    k = int(np.argmax(error))
    text = f"error of at most {error[k]:.2g} of the response up to {omega[-1]:.5g} rad/s (at {omega[k]:.5g} rad/s)"
    wrong = np.flatnonzero(error > 0.01)
    return text + (f"; below 1 % up to {omega[max(wrong[0] - 1, 0)]:.5g} rad/s" if len(wrong) else "")


def response_figure(response: FrequencyResponse, title: str) -> Any:
    """The responses of the whole and of the reduced structure, and the error, over the frequency."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5.5), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    for j, label in enumerate(response.labels):
        (line,) = upper.loglog(response.frequencies, response.full[:, j], lw=2.5, alpha=0.45, label=label)
        upper.loglog(response.frequencies, response.reduced[:, j], "--", lw=1, color=line.get_color())
    upper.set(ylabel="displacement by unit force", title=f"{title}: whole structure (wide) and reduced (dashed)")
    upper.legend(fontsize="small", ncols=2)
    lower.loglog(response.frequencies, np.maximum(response.error, 1e-12), color="black", lw=1)
    lower.set(xlabel="frequency [rad/s]", ylabel="relative error")
    for axes in (upper, lower):
        axes.grid(alpha=0.3)
        label_log_axis(axes.yaxis)
    label_log_axis(lower.xaxis)
    return figure


def label_log_axis(axis: Any) -> None:
    """Three labels at least on a logarithmic axis of matplotlib: powers of ten, with 2 and 5 between them where there
    are few, or round numbers where the axis has less than 1.5 decades."""
    from matplotlib.ticker import LogFormatterMathtext, LogLocator, MaxNLocator, NullLocator, ScalarFormatter

    low, high = sorted(axis.get_view_interval())
    decades = np.log10(high / low)
    if decades < 1.5:
        axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], min_n_ticks=3))
        axis.set_major_formatter(ScalarFormatter(useOffset=False, useMathText=True))
        axis.get_major_formatter().set_powerlimits((-3, 4))
        axis.set_minor_locator(NullLocator())
    elif decades < 4:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(LogFormatterMathtext(labelOnlyBase=False, minor_thresholds=(np.inf, np.inf)))
        axis.set_minor_locator(NullLocator())
