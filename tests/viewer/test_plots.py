"""Plots of runs: the data are those of the run, everything is labelled, and no input crashes."""

import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freebody.errors import ArgumentError, FileError, FreebodyError
from freebody.results import About, Events, RunResult, Variable
from freebody.results.event_texts import event_labels
from freebody.viewer import plot
from freebody.viewer.panels import limits, thin, unit_text
from freebody.viewer.plots import COLOURS
from tests.results.runs import SPRING, ball, hostile, spring
from tests.run.systems import double_pendulum

T = np.linspace(0.0, 10.0, 201)
PNG = b"\x89PNG\r\n\x1a\n"


def labels(figure: Any) -> list[str]:
    return [ax.get_ylabel() for ax in figure.axes if ax.axison]


def legend(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def chain(count: int) -> RunResult:
    variables = tuple(Variable("q", f"link{k}", "rad") for k in range(count))
    about = About("chain", "", (), variables, tuple(v.key for v in variables))
    return RunResult(about, T, np.stack([np.cos(T + k) for k in range(count)], axis=1))


def test_default_plot_shows_states_energies_and_outputs() -> None:
    figure = plot(spring(T))
    assert labels(figure) == [
        "position [m]",
        "quaternion",
        "speed [m/s]",
        "angular speed [rad/s]",
        "energy [J]",
        "position [m]",
        "speed [m/s]",
    ]
    titles = [ax.get_legend().get_title().get_text() for ax in figure.axes[:7]]
    assert titles == ["coordinates", "coordinates", "speeds", "speeds", "energies", "outputs", "outputs"]
    energies = next(ax for ax in figure.axes if ax.get_ylabel() == "energy [J]")
    assert legend(energies) == ["kinetic", "potential", "total"]
    for line, name in zip(energies.lines, ("kinetic", "potential", "total"), strict=True):
        assert np.array_equal(line.get_xdata(), T) and np.array_equal(line.get_ydata(), spring(T)[f"energy.{name}"])


def test_inputs_are_plotted_only_if_they_change() -> None:
    run = spring(T)
    moving = RunResult(SPRING, T, run.x, recorded={**run.recorded, "input.motor": np.sign(np.sin(T))})
    assert "torque [N·m]" not in labels(plot(run)) and "torque [N·m]" in labels(plot(moving))


def test_names_may_be_variables_components_bodies_and_groups() -> None:
    run = spring(T)
    figure = plot(run, ["tip.y", "top", "u.mass", "speed"])
    assert labels(figure) == ["position [m]", "quaternion", "speed [m/s]"]
    assert [legend(ax) for ax in figure.axes] == [
        ["tip.y"],
        ["top.qw", "top.qx", "top.qy", "top.qz"],
        ["u.mass", "output.speed"],
    ]
    assert np.array_equal(figure.axes[0].lines[0].get_ydata(), np.cos(T) ** 2)
    assert labels(plot(run, "energies")) == labels(plot(run, groups=["energy"])) == ["energy [J]"]
    assert labels(plot(run, "pose.top")) == ["position [m]", "quaternion"]
    assert labels(plot(run, ["mass", "q"])) == ["position [m]", "quaternion"]
    assert legend(plot(run, ["mass", "mass"]).axes[0]) == ["mass"]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(FreebodyError, match=r"nothing is called 'tpi'; did you mean top or tip"):
        plot(spring(T), "tpi")
    with pytest.raises(ArgumentError, match=r"there is no group 'quarks'; choose from q \(coordinates\), u \(speeds\)"):
        plot(spring(T), groups="quarks")


def test_variables_without_a_unit_have_their_own_axes() -> None:
    about = replace(SPRING, variables=(*SPRING.variables, Variable("output", "force"), Variable("output", "mood")))
    run = spring(T)
    more = RunResult(about, T, run.x, recorded={**run.recorded, "output.force": T, "output.mood": -T})
    assert labels(plot(more, "outputs")) == ["position [m]", "speed [m/s]", "force", "mood"]


def test_coordinates_without_a_unit_are_not_labelled_as_quaternions() -> None:
    run, (first, *rest) = spring(T), SPRING.variables
    assert first.group == "q"
    bare = RunResult(replace(SPRING, variables=(replace(first, unit=""), *rest)), T, run.x, recorded=run.recorded)
    assert labels(plot(bare, first.name)) == [first.name]


def test_jumps_are_vertical_and_events_are_marked() -> None:
    run = ball(np.linspace(0.0, 3.0, 31))
    figure = plot(run)
    x = figure.axes[1].lines[0].get_xdata()
    assert np.count_nonzero(np.diff(x) == 0) == 6
    for ax in figure.axes:
        marks = ax.collections[0].get_segments()
        assert [m[0][0] for m in marks] == pytest.approx(list(run.events.t))
    assert [t.get_text() for t in figure.axes[0].texts] == ["floor"] * 5


@pytest.mark.parametrize("times", [[3.0, 3.01], [9.9, 9.99], [5.0, 5.0], [0.0, 9.99, 10.0], [9.9, 9.93, 9.96, 9.99]])
def test_event_labels_do_not_overlap(times: list[float]) -> None:
    run, names = spring(T), tuple(f"the event {k}" for k in range(len(times)))
    x = np.zeros((len(times), 9))
    events = Events(names, np.array(times), np.arange(len(times)), x, x)
    figure = plot(RunResult(SPRING, T, run.x, events=events, recorded=run.recorded), "q")
    figure.canvas.draw()
    texts = figure.axes[0].texts
    assert sorted(t.get_text() for t in texts) == sorted(names)
    boxes = [t.get_window_extent() for t in texts]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_names_of_events_are_thinned_out_with_a_note() -> None:
    run, n = spring(T), 20
    x, names = np.zeros((n, 9)), tuple(f"valve {k} opens widely" for k in range(n))
    events = Events(names, 5 + 0.02 * np.arange(n), np.arange(n), x, x)
    figure = plot(RunResult(SPRING, T, run.x, events=events, recorded=run.recorded), "q")
    figure.canvas.draw()
    texts = [t.get_text() for t in figure.axes[0].texts]
    assert texts == [*names[:4], "no room for the names of 16 of 20 events"]
    boxes = [t.get_window_extent() for t in figure.axes[0].texts]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert all(len(ax.collections[0].get_segments()) == n for ax in figure.axes)


def test_events_are_named_above_both_columns() -> None:
    x = np.zeros((1, 12))
    variables = tuple(Variable("output", f"p{k}", f"m{k}") for k in range(12))
    recorded = {v.key: np.sin(T) for v in variables}
    events = Events(("hit",), np.array([3.0]), np.zeros(1, int), x[:, :0], x[:, :0])
    run = RunResult(About("many", "", (), variables, ()), T, np.empty((len(T), 0)), events=events, recorded=recorded)
    named = [[t.get_text() for t in ax.texts] for ax in plot(run).axes]
    assert named == [["hit"], *[[]] * 5, ["hit"], *[[]] * 5]


def test_names_of_events_say_what_they_switch_and_end() -> None:
    run, x = spring(T), np.zeros((4, 9))
    flags = np.array([[0.0, 1], [1, 0], [1, 1], [0, 1], [0, 1]])
    events = Events(
        ("take", "kick", "late"),
        np.array([1.0, 3.0, 6.0, 10.0]),
        np.array([0, 1, 0, 2]),
        x,
        x,
        flags[:-1],
        flags[1:],
        np.empty((4, 0)),
        np.zeros(4),
        (),
        ("engaged.grip", "engaged.dock"),
    )
    ended = RunResult(SPRING, T, run.x, status=1, events=events, recorded=run.recorded)
    labels = [label for _, label in event_labels(ended)]
    assert labels == [
        "take: releases dock, engages grip",
        "kick: engages dock",
        "take: releases grip",
        "late: ends the run",
    ]
    assert {t.get_text() for t in plot(ended, "q").axes[0].texts} == {*labels}


def test_many_events_are_counted() -> None:
    n, run = 500, spring(T)
    events = Events(("hit",), np.linspace(0, 10, n), np.zeros(n, np.int64), np.zeros((n, 9)), np.zeros((n, 9)))
    figure = plot(RunResult(SPRING, T, run.x, events=events, recorded=run.recorded), "q")
    assert [t.get_text() for t in figure.axes[0].texts] == ["500 events: hit"]


@pytest.mark.parametrize(("count", "listed", "columns"), [(8, 8, 1), (12, 12, 1), (24, 24, 2), (60, 11, 1)])
def test_legends_stay_readable(count: int, listed: int, columns: int) -> None:
    ax = plot(chain(count)).axes[0]
    assert len(ax.lines) == count and len(legend(ax)) == listed and ax.get_legend()._ncols == columns
    looks = {(line.get_color(), str(line.get_linestyle()), str(line._unscaled_dash_pattern)) for line in ax.lines}
    assert len(looks) == count
    figure = ax.figure
    figure.canvas.draw()
    assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1 - 1
    assert ax.get_legend().get_window_extent().x1 <= figure.bbox.x1 + 1


def test_neighbouring_colours_differ_for_colour_blind_readers() -> None:
    """No two are alike for any type of dichromacy (Viénot, Brettel and Mollon, 1999)."""
    rgb = np.array([[int(c[k : k + 2], 16) / 255 for k in (1, 3, 5)] for c in COLOURS]) ** 2.2
    lms = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
    red = np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]])
    green = np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]])
    for eye in (np.eye(3), red, green):
        seen = np.clip(rgb @ (np.linalg.inv(lms) @ eye @ lms).T, 0, 1) ** (1 / 2.2)
        distances = np.linalg.norm(seen[:, None] - seen[None], axis=2) + 9 * np.eye(len(seen))
        assert distances.min() > 0.12


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_runs_with_few_rows_are_plotted(rows: int) -> None:
    figure = plot(spring(T[:rows]))
    assert figure._repr_png_().startswith(PNG)
    assert ("no times" in [t.get_text() for t in figure.axes[0].texts]) == (rows == 0)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, 0.0, 1e12])
@pytest.mark.parametrize("where", [slice(None), slice(3, 5), slice(0, 1)])
def test_any_value_can_be_plotted(value: float, where: slice) -> None:
    run = spring(T)
    tip = run["output.tip"].copy()
    tip[where] = value
    figure = plot(RunResult(SPRING, T, run.x, recorded={**run.recorded, "output.tip": tip}), "tip", size=(3, 2))
    figure.canvas.draw()
    low, high = figure.axes[0].get_ylim()
    assert np.isfinite(low) and low < high


@pytest.mark.parametrize(
    ("value", "expected"), [(3e305, []), (1e307, ["too large for an axis"]), (np.nan, ["no finite"])]
)
def test_very_large_values_are_plotted_or_labelled_as_large(value: float, expected: list[str]) -> None:
    run = spring(T)
    tip = np.full_like(run["output.tip"], value)
    figure = plot(RunResult(SPRING, T, run.x, recorded={**run.recorded, "output.tip": tip}), "tip", size=(3, 2))
    texts = [t.get_text() for t in figure.axes[0].texts]
    assert len(texts) == len(expected) and all(part in text for part, text in zip(expected, texts, strict=True))
    drawn = figure.axes[0].lines[0].get_ydata()
    assert np.all(drawn == value) if not expected else np.all(np.isnan(drawn))


def test_run_without_variables_is_plotted() -> None:
    figure = plot(RunResult(About("nothing", "", (), (), ()), T, np.empty((201, 0))))
    assert [t.get_text() for t in figure.axes[0].texts] == ["nothing to draw"]
    assert figure._repr_png_().startswith(PNG)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_names_are_shown_verbatim(tmp_path: Path) -> None:
    names = ("$x_{1}^2$", "_hidden", "$\\frac{", "a_b", "<b>&--></b>", "new\nline", "日本語", "\ud800", "%s {0}")
    figure = plot(hostile(names), groups=["q"], path=tmp_path / "hostile.svg")
    shown = [legend(ax)[0] for ax in figure.axes[: len(names)]]
    assert shown == ["$x_{1}^2$", "_hidden", "$\\frac{", "a_b", "<b>&--></b>", "new line", "日本語", " ", "%s {0}"]
    assert figure._suptitle.get_text().startswith("$x_{1}^2$") and not figure._suptitle.get_parse_math()
    ET.parse(tmp_path / "hostile.svg")


def test_plot_of_a_failed_run_shows_the_reason() -> None:
    run = spring(T)
    failed = RunResult(SPRING, T, run.x, status=-1, message="joint '$elbow' has no inertia", recorder=run._recorder)
    assert plot(failed, "mass").axes[0].get_title("left") == "joint '$elbow' has no inertia"
    assert plot(run, "mass").axes[0].get_title("left") == ""


def test_axis_limits_of_constants() -> None:
    assert limits([np.full(9, 3.0)], 0) == (1.5, 4.5) and limits([np.zeros(9)], 0) == (-1.0, 1.0)
    assert limits([9.81 + 1e-13 * np.sin(T)], 0) is not None and limits([1e-15 * np.sin(T)], 1e-12) == (-1.0, 1.0)
    assert limits([np.zeros(9), np.ones(9)], 0) is None and limits([], 0) == (-1.0, 1.0)
    assert limits([np.array([np.nan])], 0) == (-1.0, 1.0)
    assert limits([1e-15 * np.sin(T)], 1e-18) is None


def paths(*functions: Any) -> RunResult:
    """Outputs in m with these values over time."""
    variables = tuple(Variable("output", f"p{k}", "m") for k in range(len(functions)))
    recorded = {v.key: np.asarray(f(T), float) + 0 * T for v, f in zip(variables, functions, strict=True)}
    return RunResult(About("paths", "", (), variables, ()), T, np.empty((len(T), 0)), recorded=recorded)


@pytest.mark.parametrize(
    ("functions", "expected"),
    [
        # a long path flattens millimetres; three sizes; a constant stays with the largest, or where it extends least
        ((lambda t: 16 * t, lambda t: 1e-3 * np.sin(t), lambda t: 0), [["p0", "p2"], ["p1"]]),
        ((lambda t: t, lambda t: 1e-3 * t, lambda t: 1e-6 * t), [["p0"], ["p1"], ["p2"]]),
        ((lambda t: 1e-3 * np.sin(t), lambda t: 160), [["p0"], ["p1"]]),
        # curves are divided at the widest gap of sizes, not at a fixed quotient of them
        ((lambda t: t, lambda t: 0.6 * t, lambda t: 0.05 * t, lambda t: 0.04 * t, lambda t: 5e-3 * t),
         [["p0", "p1"], ["p2", "p3", "p4"]]),
        # a factor of 90 is no reason, nor are many sizes within it
        ((lambda t: t, lambda t: t / 90, lambda t: t / 20), [["p0", "p1", "p2"]]),
        # small changes far from each other
        ((lambda t: 1e-3 * np.sin(t), lambda t: 0.8 + 1e-3 * np.cos(t)), [["p0"], ["p1"]]),
        # rounding errors stay with the others; the same numbers alone are not rounding errors
        ((lambda t: t, lambda t: 1e-14 * np.sin(t)), [["p0", "p1"]]),
        ((lambda t: 1e-14 * np.sin(t), lambda t: 1e-14 * t), [["p0", "p1"]]),
    ],
)  # fmt: skip
def test_curves_of_one_unit_share_a_panel_if_none_is_flattened(functions: Any, expected: list[list[str]]) -> None:
    run = paths(*functions)
    figure = plot(run)
    assert [legend(ax) for ax in figure.axes] == expected
    assert set(labels(figure)) == {"position [m]"}
    for ax in figure.axes:
        low, high = ax.get_ylim()
        for line in ax.lines:
            change = np.ptp(line.get_ydata())
            assert change < 1e-9 * max(16.0, high) or change >= (high - low) / 120


def test_energies_share_a_panel() -> None:
    """One is the sum of the others, whatever their sizes."""
    run = spring(T)
    small = {**run.recorded, "energy.potential": 1e-4 * np.sin(T)}
    assert labels(plot(RunResult(SPRING, T, run.x, recorded=small), "energies")) == ["energy [J]"]


def test_late_times_are_written_whole() -> None:
    run = paths(np.sin)
    late = RunResult(run.about, T + 1e6, run.x, recorded={"output.p0": np.sin(T)})
    figure = plot(late)
    figure.canvas.draw()
    axis = figure.axes[0].xaxis
    texts = [t.get_text() for t in axis.get_ticklabels() if t.get_text()]
    assert axis.get_offset_text().get_text() == "" and "1000002" in "".join(texts) and len(texts) >= 3
    boxes = [t.get_window_extent() for t in axis.get_ticklabels() if t.get_text()]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_rounding_errors_are_labelled_as_zero_and_small_numbers_are_drawn() -> None:
    """Relative to the largest number of the same group and unit; angles relative to 1 rad."""
    ax = plot(paths(lambda t: t, lambda t: 1e-14 * t), "p1").axes[0]
    assert [t.get_text() for t in ax.texts] == ["zero: rounding errors below 4e-11 m"] and ax.get_ylim() == (-1, 1)
    tiny = plot(paths(lambda t: 1e-20 * t, lambda t: 1e-22 * np.sin(t))).axes[0]
    assert not tiny.texts and tiny.get_ylim()[1] < 2e-19
    about = About("angles", "", (), (Variable("q", "a", "rad"), Variable("u", "a", "rad/s")), ("q.a", "u.a"))
    x = np.stack([2e-14 * np.sin(T), 3e-14 * np.cos(T)], axis=1)
    texts = [[t.get_text() for t in ax.texts] for ax in plot(RunResult(about, T, x)).axes]
    assert texts == [["zero: rounding errors below 4e-12 rad"], ["zero: rounding errors below 4e-13 rad/s"]]


def below(figure: Any) -> str:
    return "" if figure._supxlabel is None else figure._supxlabel.get_text().replace("\n", " ")


def states(**functions: Any) -> RunResult:
    """Coordinates with these values over time, in m or rad by their names."""
    variables = tuple(Variable("q", n.replace("_", "."), "rad" if "angle" in n else "m") for n in functions)
    x = np.stack([np.asarray(f(T), float) + 0 * T for f in functions.values()], axis=1)
    return RunResult(About("states", "", (), variables, tuple(v.key for v in variables)), T, x)


def test_rounding_errors_have_no_panel_of_their_own() -> None:
    """They share a panel of their unit, or are named below; a real signal of a nanometre is drawn."""
    noise = 1e-12 * np.random.default_rng(3).standard_normal(len(T))
    shared = plot(states(slide=np.sin, side=lambda t: noise))
    assert [legend(ax) for ax in shared.axes] == [["slide", "side"]] and below(shared) == ""
    flattened = plot(states(slide=lambda t: 1 + 1e-3 * np.sin(t), side=lambda t: noise))
    assert [legend(ax) for ax in flattened.axes] == [["slide"]]
    assert below(flattened) == f"zero to rounding: q.side ({np.abs(noise).max():.1g} m)"
    other_unit = plot(states(slide=np.sin, angle=lambda t: noise))
    assert labels(other_unit) == ["position [m]"] and "q.angle (" in below(other_unit) and " rad)" in below(other_unit)
    real = plot(states(slide=np.sin, side=lambda t: 1e-9 * np.cos(t)))
    assert [legend(ax) for ax in real.axes] == [["slide"], ["side"]] and below(real) == ""
    zero = plot(states(slide=np.sin, angle=lambda t: 0 * t))  # exactly
    assert labels(zero) == ["position [m]", "angle [rad]"] and below(zero) == ""
    alone = plot(states(slide=np.sin, angle=lambda t: noise), "angle")
    assert labels(alone) == ["angle [rad]"] and alone.axes[0].get_ylim() == (-1, 1)


def test_many_rounding_errors_are_counted_below() -> None:
    run = states(slide=np.sin, **{f"angle{k}": lambda t, k=k: (k + 1) * 1e-15 * t for k in range(20)})
    figure = plot(run)
    assert len(figure.axes) == 1 and below(figure).endswith("q.angle11 (1e-13 rad) and 8 more")
    figure.canvas.draw()
    assert figure._supxlabel.get_window_extent().x1 <= figure.bbox.x1
    assert figure._supxlabel.get_window_extent().y1 <= figure.axes[0].xaxis.label.get_window_extent().y0


def test_components_of_a_vector_share_a_panel() -> None:
    """Whatever their sizes; what is no component of the same vector is apart."""
    bus = {"bus_x": lambda t: 40 * t, "bus_y": lambda t: 1e-3 * t, "bus_z": lambda t: 1e-15 * t}
    figure = plot(states(**bus, arm=lambda t: 1e-3 * t))
    assert [legend(ax) for ax in figure.axes] == [["bus.x", "bus.y", "bus.z"], ["arm"]]


def test_vectors_are_apart_where_there_are_many_curves() -> None:
    """Eight vectors at most; more share panels again."""

    def panels_of(count: int) -> list[list[str]]:
        values = {f"b{n}_{c}": lambda t, n=n: (n + 1) * t for n in range(count) for c in "xyz"}
        return [legend(ax) for ax in plot(states(arm=lambda t: t, **values)).axes]

    assert panels_of(2) == [["arm", *(f"b{n}.{c}" for n in range(2) for c in "xyz")]]
    assert panels_of(3) == [["arm"], *([f"b{n}.{c}" for c in "xyz"] for n in range(3))]
    assert len(panels_of(9)) == 1


def test_each_orientation_has_a_panel() -> None:
    """The four components of a quaternion are together, also where some are rounding errors."""
    names = [f"{body}.{part}" for body in ("hub", "tip") for part in ("qw", "qx", "qy", "qz")]
    variables = tuple(Variable("q", n) for n in names)
    x = np.tile([1.0, 1e-17, 0.0, 1e-3, 0.8, 0.6, 0.0, 0.0], (len(T), 1))
    run = RunResult(About("two", "", (), variables, tuple(v.key for v in variables)), T, x)
    assert [legend(ax) for ax in plot(run).axes] == [names[:4], names[4:]]


@pytest.mark.parametrize("value", [9.81, 1234567.0, -3.2e7, 4e-9])
@pytest.mark.parametrize(("change", "size"), [(0, None), (1e-13, None), (1e-7, None), (1e-4, (3, 1.6)), (3, (3, 1.6))])
def test_axes_have_three_labels_that_show_the_value(value: float, change: float, size: Any) -> None:
    """No label is a difference from a number that is written elsewhere; a power of ten may be."""
    figure = plot(paths(lambda t: value * (1 + change * np.sin(t))), size=size)
    figure.canvas.draw()
    axis = figure.axes[0].yaxis
    low, high = figure.axes[0].get_ylim()
    ticks = [t for t in axis.get_major_ticks() if low <= t.get_loc() <= high and t.label1.get_text()]
    power = re.search(r"10\^\{(.+?)\}", axis.get_offset_text().get_text())
    factor = 1.0 if power is None else 10.0 ** float(power[1].replace("\N{MINUS SIGN}", "-"))
    texts = [t.label1.get_text().replace("\N{MINUS SIGN}", "-") for t in ticks]
    shown = [float(re.sub(r"[^-0-9.]", "", text)) * factor for text in texts]
    assert "+" not in axis.get_offset_text().get_text()
    assert len(ticks) >= 3 and shown == pytest.approx([t.get_loc() for t in ticks], abs=0.02 * (high - low))
    assert len(set(shown)) == len(shown)


def test_thinning_keeps_every_peak() -> None:
    t = np.linspace(0, 1, 1_000_003)
    y = np.sin(2000 * t)
    y[123456], y[654321] = 50.0, -70.0
    few, values = thin(t, y)
    assert len(few) <= 8002 and (few[0], few[-1]) == (t[0], t[-1]) and np.all(np.diff(few) > 0)
    assert values.max() == 50.0 and values.min() == -70.0
    assert np.array_equal(np.interp(few, t, y), values)
    assert len(thin(t[:100], y[:100])[0]) == 100
    bins = np.array_split(y, 100)
    envelope = [(v.min(), v.max()) for v in np.array_split(values, 100)]
    assert np.allclose([v.max() for v in bins], [high for _, high in envelope], atol=0.01)


def test_units_are_typeset() -> None:
    assert [unit_text(u) for u in ("m/s^2", "m/s**2", "N*m", "kg*m^2/s", "m/s²", "")] == [
        "m/s²",
        "m/s²",
        "N·m",
        "kg·m²/s",
        "m/s²",
        "",
    ]


@pytest.mark.parametrize(("suffix", "start"), [("png", PNG), ("svg", b"<?xml"), ("pdf", b"%PDF"), ("PNG", PNG)])
def test_plots_are_saved(tmp_path: Path, suffix: str, start: bytes) -> None:
    plot(spring(T), "mass", path=tmp_path / f"run.{suffix}", size=(4, 2))
    assert (tmp_path / f"run.{suffix}").read_bytes().startswith(start)


def test_invalid_paths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"run\.bmp: a picture is written as \.png, \.svg, \.pdf, not as '\.bmp'"):
        plot(spring(T), path=tmp_path / "run.bmp")
    with pytest.raises(FileError, match=r"there is no folder .*nowhere; create it first"):
        plot(spring(T), path=str(tmp_path / "nowhere" / "run.png"))
    (tmp_path / "run.png").mkdir()
    with pytest.raises(FileError, match="it cannot be written: it is a folder; add a file name"):
        plot(spring(T), "mass", path=tmp_path / "run.png")


def test_figure_size_can_be_set() -> None:
    assert tuple(plot(spring(T), size=(3.0, 9.0)).get_size_inches()) == (3.0, 9.0)


def test_figures_can_be_pickled() -> None:
    again = pickle.loads(pickle.dumps(plot(spring(T), "mass")))
    assert again._repr_png_().startswith(PNG)


def test_pyplot_is_not_imported() -> None:
    code = """
import sys
import freebody.results, freebody.viewer
heavy = {"matplotlib", "xarray", "pandas", "pyarrow"} & set(sys.modules)
assert not heavy, heavy
import numpy as np
from freebody.results import About, RunResult, Variable
from freebody.results.event_texts import event_labels
from freebody.viewer import plot
t = np.linspace(0, 1, 9)
plot(RunResult(About("a", "", (), (Variable("q", "a", "m"),), ("q.a",)), t, t[:, None]))._repr_png_()
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_path_among_the_names_says_where_it_belongs() -> None:
    run = double_pendulum().simulate(0.1)
    with pytest.raises(ArgumentError, match=r"to write a picture, path='motion\.png'"):
        run.plot("motion.png")
