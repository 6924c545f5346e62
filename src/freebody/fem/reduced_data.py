"""A structure after its reduction: modal data, points for drawing, a record of how it was reduced, and the checks of
the reduction as text and as a plot"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freebody.fem.content import content_digest, encoded
from freebody.fem.deformable_mesh import DeformableMesh
from freebody.fem.modal_data import ModalData
from freebody.fem.structure import GROUNDED
from freebody.tables import ShortRepr

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class FrequencyResponse(ShortRepr):
    """Displacements by unit forces, of the whole structure and of the reduced one."""

    frequencies: Array  # rad/s
    labels: tuple[str, ...]  # of each response: "tip y by tip y"
    full: Array  # (frequencies, responses), absolute values
    reduced: Array

    @property
    def error(self) -> Array:
        """The largest difference of the responses at each frequency, relative to the largest response there."""
        difference = np.abs(self.full - self.reduced).max(1)
        return np.asarray(difference / self.full.max(1))


@dataclass(frozen=True)
class ReductionRecord:
    """How a structure was reduced, and its checks."""

    source: str  # name of the structure
    method: str  # "craig-bampton", "craig-chang", "modal", or where the data is from
    unknowns: int  # of the structure
    frame: str  # interface at the body's frame; "" if the frame floats
    interfaces: tuple[str, ...]
    normal_modes: int  # modes of vibration; the others are static shapes
    mass: float
    mass_centre: tuple[float, ...]  # from the structure's origin
    residuals: tuple[float, ...]  # forces of six rigid motions, relative to their terms
    rigid_frequencies: tuple[float, ...] = ()  # of the six rigid motions in the reduced matrices, rad/s
    elastic_frequency: float = 0.0  # lowest frequency of the free structure in the reduced matrices, rad/s
    stiffening: bool = False  # whether geometric stiffening is in the data


@dataclass(frozen=True, eq=False, repr=False)
class ReducedData(ShortRepr):
    """A reduced structure."""

    data: ModalData  # orthonormal modes without damping: M_ff = 1, K = diag(ω²)
    mesh: DeformableMesh
    record: ReductionRecord
    response: FrequencyResponse | None = field(default=None)
    file: str = ""  # name of the file that it was read from, as the model file has it

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digits, equal for equal modal data; kinds of modes, drawing, record and file do not count."""
        data = self.data
        arrays = [data.c0, data.E, data.C, data.F0, data.F1, data.J0, data.J1, data.J2, data.M_ff, data.K, data.D]
        arrays += [data.preload]
        for node in data.nodes.values():
            arrays += [node.position, node.translations, node.second] + ([] if node.slopes is None else [node.slopes])
        rotates = [node.slopes is not None for node in data.nodes.values()]
        return content_digest([data.m, [*data.nodes], rotates, [a + 0.0 for a in arrays]]).hex()  # −0.0 equals 0.0

    @cached_property
    def content(self) -> bytes:
        """Bytes that are equal for equal modal data and drawing."""
        kinds = [mode.kind for mode in self.data.modes]
        return content_digest([self.digest, kinds, self.data.outline, self.mesh])


@encoded.register
def _(value: ReducedData) -> bytes:
    return value.content


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
