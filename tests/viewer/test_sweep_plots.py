"""Plots of the datasets of sweeps: the numbers that are drawn, failed cases, wrong arguments."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ArgumentError

xarray = pytest.importorskip("xarray")


def dataset(shape: tuple[int, ...], grid: bool = True, failed: tuple[int, ...] = ()) -> Any:
    """A dataset in the form of a sweep over k (and m): q.arm = k sin(m t), an output with parts."""
    t, names = np.linspace(0.0, 2.0, 21), ("k", "m")[: len(shape)]
    k, m = np.meshgrid(np.arange(1.0, shape[0] + 1), np.arange(1.0, (*shape, 1)[1] + 1), indexing="ij")
    y = (k[..., None] * np.sin(m[..., None] * t)).reshape(-1, len(t))
    status = np.zeros(len(y), int)
    for case in failed:
        y[case, 10:], status[case] = np.nan, -1
    dims = names if grid else ("case",)
    full = shape if grid else (len(y),)
    values = {"k": k.ravel(), "m": m.ravel()}
    coords = {n: (n, np.unique(values[n])) if grid else ("case", values[n]) for n in names}
    tip = np.stack([y, -y], axis=-1).reshape(*full, len(t), 2)
    data = {
        "q.arm": ((*dims, "time"), y.reshape(*full, -1), {"units": "rad"}),
        "output.tip": ((*dims, "time", "output.tip.part"), tip, {"units": "m"}),
        "status": (dims, status.reshape(full)),
        "message": (dims, np.where(status < 0, "it <b>$broke$", "reached the end").reshape(full)),
    }
    labels = {"output.tip.part": ["x", "y"], "time": ("time", t)}
    return xarray.Dataset(data, {**coords, **labels}, {"system": "arm </script>$x$", "digest": "0"})


def lines(ax: Any) -> list[Any]:
    return [line for line in ax.lines if len(line.get_xdata()) > 1]


def test_few_cases_have_a_line_each_and_many_have_bands(tmp_path: Path) -> None:
    few = fb.plot(dataset((3,)), path=tmp_path / "few.png")
    assert (tmp_path / "few.png").stat().st_size > 5000 and len(few.axes) == 3
    np.testing.assert_allclose(lines(few.axes[0])[2].get_ydata(), 3 * np.sin(np.linspace(0, 2, 21)))
    assert [text.get_text() for text in few.axes[0].get_legend().get_texts()] == ["k = 1", "k = 2", "k = 3"]
    many = fb.plot(dataset((41, 2), grid=False), "arm").axes[0]
    median = np.median(dataset((41, 2))["q.arm"].values.reshape(82, -1), axis=0)
    np.testing.assert_allclose(lines(many)[0].get_ydata(), median, atol=1e-12)
    assert len(lines(many)) == 1 and len(many.collections) == 2
    coloured = fb.plot(dataset((41,)), "tip.y", color="k")
    assert len(lines(coloured.axes[0])) == 41 and coloured.axes[-1].get_ylabel() == "k"


SINES = np.sin(np.linspace(0, 2, 21))
VALUES = {"end": SINES[-1], "max": SINES.max(), "min": 0.0, "mean": SINES.mean(), 0.0: 0.0, 1.0: SINES[10]}


@pytest.mark.parametrize(("at", "value"), VALUES.items())
def test_values_of_cases_over_what_was_swept(at: Any, value: float) -> None:
    ax = fb.plot(dataset((4,)), "arm", against="k", at=at).axes[0]
    np.testing.assert_allclose(lines(ax)[0].get_ydata(), value * np.arange(1, 5), atol=1e-12)
    samples = fb.plot(dataset((4,), grid=False), "arm", against="k", at=at, color="status").axes[0]
    np.testing.assert_allclose(samples.collections[0].get_offsets()[:, 1], value * np.arange(1, 5), atol=1e-12)


def test_two_swept_values_are_lines_or_a_map() -> None:
    data = dataset((4, 3))
    assert len(lines(fb.plot(data, "arm", against="k").axes[0])) == 3
    cells = fb.plot(data, "arm", against=("m", "k")).axes[0].collections[0].get_array()
    np.testing.assert_allclose(np.ravel(cells), data["q.arm"].isel(time=-1).values.ravel())
    assert (
        len(fb.plot(dataset((4, 3), grid=False), "arm", against=("m", "k")).axes[0].collections[0].get_offsets()) == 12
    )


def test_failed_cases_are_named_and_marked() -> None:
    """Also where a value is constant and therefore still a number after the failure."""
    data = dataset((5,), failed=(1,))
    data["output.tip"] = data["output.tip"] * 0.0
    data["output.tip"] = data["output.tip"].fillna(0.0)
    figure = fb.plot(data)
    assert "1 of 5 cases failed (k = 2): it <b>$broke$" in figure.axes[0].get_title(loc="left")
    for ax in figure.axes:
        (cross,) = [line for line in ax.lines if line.get_marker() == "x"]
        assert cross.get_xdata()[0] == pytest.approx(0.9)
    assert "1 of 5" in fb.plot(data, "arm", against="k").axes[0].get_title(loc="left")


def test_a_run_and_a_real_sweep_are_drawn() -> None:
    s = fb.System("arm")
    s.body("arm", joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -1), inertia=fb.rod(s.parameter("m", 1.0), 1.0, "z"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        grid = s.sweep(np.linspace(0, 1, 5), {"q.arm": [0.1, 0.2], "m": [1.0, 2.0, 3.0]})
    ax = fb.plot(grid, "arm", against="q.arm").axes[0]
    assert len(lines(ax)) == 3 and ax.get_xlabel() == "q.arm.initial [rad]"
    assert len(fb.plot(s.simulate(0.1), "arm").axes) == 1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("arn",), {}, "nothing is called 'arn'; did you mean"), ((3,), {}, "a name must be text, not 3"),
        (("arm",), {"against": "kk"}, "nothing is called 'kk'"),
        (("arm",), {"against": ("k", "m", "k")}, "one swept value"),
        (("arm",), {"against": "k", "at": "last"}, "at must be 'end', 'max', 'min', 'mean' or a time"),
        (("arm",), {"against": "k", "at": 7.0}, "is from 0 to 2 s"),
        (("arm",), {"at": "max"}, "give against=… or color=… too"),
        (("arm",), {"color": "tip"}, "has several numbers; name one of them"),
        (("arm",), {"against": ("k", "m"), "color": "k"}, "leave color out"),
        (("arm",), {"path": "x.gif"}, "gif"),
    ],
)  # fmt: skip
def test_wrong_arguments(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises((ArgumentError, fb.errors.FreebodyError), match=message):
        fb.plot(dataset((3, 2)), *arguments, **options)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (xarray.Dataset({"a": ("x", [1.0])}), "is not that of a sweep"),
        (dataset((2,))["q.arm"], "fb.plot\\(dataset, 'q.arm'\\)"),
        ([1, 2], "a run or the dataset of a sweep, not list"),
        (dataset((2,)).isel(k=slice(0, 0)), "no cases or no times"),
    ],
)  # fmt: skip
def test_what_is_no_sweep(data: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        fb.plot(data)


def test_poses_are_plotted_only_if_they_are_named() -> None:
    """They are recorded for 3D pictures."""
    some = dataset((3,))
    with_poses = some.assign({"pose.arm": some["output.tip"].rename({"output.tip.part": "pose.arm.part"})})
    assert len(fb.plot(with_poses).axes) == 3
    assert len(fb.plot(with_poses, "pose.arm").axes) == 2


def test_rounding_errors_of_sweeps_have_no_panel() -> None:
    """A slider that is 1e-13 m beside others of 3 m is named below; one of 1e-9 m is drawn."""
    data = dataset((3,))
    noisy = data.assign({"q.side": (data["q.arm"] * 1e-13).assign_attrs(units="rad")}).assign_attrs(data.attrs)
    figure = fb.plot(noisy)
    assert [ax.get_ylabel() for ax in figure.axes] == ["q.arm [rad]", "tip.x [m]", "tip.y [m]"]
    assert figure._supxlabel.get_text() == "zero to rounding: q.side (3e-13 rad)"
    assert fb.plot(noisy, "arm", "side", against="k")._supxlabel.get_text() == "zero to rounding: q.side (3e-13 rad)"
    alone = fb.plot(noisy, "side").axes[0]
    assert alone.get_ylim() == (-1, 1)
    assert [t.get_text() for t in alone.texts] == ["zero: rounding errors below 1e-11 rad"]
    real = data.assign({"q.side": (data["q.arm"] * 1e-9).assign_attrs(units="rad")}).assign_attrs(data.attrs)
    assert "q.side [rad]" in [ax.get_ylabel() for ax in fb.plot(real).axes]


def test_axes_of_sweeps_have_three_labels_that_show_the_value() -> None:
    data = dataset((3,))
    near = data.assign({"q.arm": (9.81 + data["q.arm"] * 1e-7).assign_attrs(units="rad")}).assign_attrs(data.attrs)
    for figure in (fb.plot(near, "arm"), fb.plot(near, "arm", against="k"), fb.plot(near, "arm", size=(3, 2))):
        figure.canvas.draw()
        axis, (low, high) = figure.axes[0].yaxis, figure.axes[0].get_ylim()
        texts = [t.label1.get_text() for t in axis.get_major_ticks() if low <= t.get_loc() <= high]
        assert len(texts) >= 3 and all("9.8" in text for text in texts) and axis.get_offset_text().get_text() == ""
