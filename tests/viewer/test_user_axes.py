"""``run.plot(…, ax=…)``: runs in the axes of a user's own figure."""

from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import freebody as fb
from freebody.errors import ArgumentError, FreebodyError
from freebody.results import About, RunResult, Variable
from freebody.viewer.user_axes import plot_into

T = np.linspace(0.0, 10.0, 201)


@pytest.fixture(scope="module")
def run() -> Any:
    s = fb.System("cart")
    cart = s.body("cart", joint=fb.Prismatic("x"), mass=1.0)
    pole = s.body("pole", on=cart, joint=fb.Revolute("y"), mass=0.3, com=(0, 0, -0.5))
    s.output("tip", s.position(pole.point((0, 0, -1.0))))
    s.output("$a_b$", 2.0)
    s.output("bad", "sqrt(q.cart - 1000)")
    return s.simulate(1.0, q={"pole": 0.5})


def axes(*shape: int, **options: Any) -> Any:
    return Figure().subplots(*shape, **options)


def labels(ax: Any) -> list[str]:
    return [line.get_label() for line in ax.lines]


def test_one_axes_takes_all_names(run: Any) -> None:
    """The values of the run, in the colours of the axes, with labels and a legend; it is returned."""
    ax = axes()
    assert run.plot("q.pole", "u.pole", ax=ax) is ax
    assert labels(ax) == ["q.pole [rad]", "u.pole [rad/s]"] and ax.get_ylabel() == "" and ax.get_xlabel() == "time [s]"
    for line, name in zip(ax.lines, ("q.pole", "u.pole"), strict=True):
        assert np.array_equal(line.get_xdata(), run.t) and np.array_equal(line.get_ydata(), run[name])
    assert [to_hex(line.get_color()) for line in ax.lines] == ["#1f77b4", "#ff7f0e"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == labels(ax)
    ax = axes()
    run.plot("q.pole", ax=ax)
    assert labels(ax) == ["pole"] and ax.get_ylabel() == "angle [rad]"


def test_several_runs_share_axes(run: Any) -> None:
    ax = axes()
    run.plot("tip.z", ax=ax)
    run.plot("tip.z", ax=ax)
    assert len(ax.lines) == 2 and ax.lines[0].get_color() != ax.lines[1].get_color()
    ax.legend(["before", "after"])


def test_labels_and_limits_of_the_user_stay(run: Any) -> None:
    ax = axes()
    ax.set(xlabel="t", ylabel="θ", title="mine", xlim=(0.2, 0.4))
    figure = ax.figure
    run.plot("q.pole", ax=ax)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("t", "θ", "mine")
    assert ax.get_xlim() == (0.2, 0.4) and figure._suptitle is None and len(figure.axes) == 1


def test_each_of_several_axes_takes_a_name(run: Any) -> None:
    both = axes(2, 1, sharex=True)
    assert run.plot("cart", "tip", ax=both) is both
    assert [labels(ax) for ax in both] == [["cart"], ["tip.x", "tip.y", "tip.z"]]
    assert [ax.get_xlabel() for ax in both] == ["", "time [s]"]
    square = axes(2, 2)
    run.plot("q.cart", "u.cart", ax=square, groups=["energy", "q"])
    assert labels(square[0, 0]) == labels(square[0, 1]) == ["cart"]
    assert labels(square[1, 0]) == ["kinetic", "potential", "total", "supplied"]
    assert labels(square[1, 1]) == ["cart [m]", "pole [rad]"]
    run.plot("q.cart", ax=[axes()])
    run.plot(groups="energy", ax=axes())


def test_without_names_there_is_an_axes_for_each_panel(run: Any) -> None:
    figure = run.plot()
    expected = [[line.get_ydata() for line in ax.lines] for ax in figure.axes]
    several = axes(len(expected), 1)
    run.plot(ax=several)
    for ax, lines in zip(several, expected, strict=True):
        assert len(ax.lines) == len(lines)
        for line, y in zip(ax.lines, lines, strict=True):
            assert np.array_equal(line.get_ydata(), y, equal_nan=True)


def test_names_are_not_formulas_and_missing_values_are_named(run: Any) -> None:
    ax = axes()
    run.plot("$a_b$", "bad", ax=ax)
    assert labels(ax) == ["$a_b$", "bad (no finite values)"]
    assert not ax.get_legend().get_texts()[0].get_parse_math()
    ax.figure.savefig("/dev/null", format="png")


def test_single_times_are_points(run: Any) -> None:
    ax = axes()
    run.at(0.5).plot("q.pole", ax=ax)
    assert ax.lines[0].get_marker() == "o" and len(ax.lines[0].get_xdata()) == 1


@pytest.mark.parametrize(("names", "options", "message"), [
    ((), {"ax": axes()}, r"without names there are \d+ panels \(position \[m\], .*\), but 1 axes; name what"),
    ((), {"ax": axes(3, 1)}, r"without names there are \d+ panels .*, but 3 axes"),
    (("cart", "pole"), {"ax": axes(3, 1)}, "there are 2 names and 3 axes; pass an axes for each name, or a single one"),
    (("cart",), {"ax": axes(2, 2), "groups": ["energy"]}, "there are 2 names and 4 axes"),
    (("cart",), {"ax": 3}, "ax is an axes of matplotlib, or a sequence of them, not 3"),
    (("cart",), {"ax": []}, r"ax is an axes of matplotlib, or a sequence of them, not \[\]"),
    (("cart",), {"ax": [axes(), "b"]}, "ax is an axes of matplotlib"),
    (("cart",), {"ax": axes(), "path": "a.png"}, r"save the figure of your axes: figure.savefig\(path\)"),
    (("pol",), {"ax": axes()}, "nothing is called 'pol'; did you mean pole"),
    ((), {"ax": axes(), "groups": ["input"]}, "has no variables to draw for 'input'"),
])  # fmt: skip
def test_wrong_counts_and_arguments_are_refused(run: Any, names: Any, options: Any, message: str) -> None:
    with pytest.raises((ArgumentError, FreebodyError), match=message):
        run.plot(*names, **options)


def test_rounding_errors_are_drawn_where_they_are_named_and_else_in_the_legend() -> None:
    variables = (Variable("q", "slide", "m"), Variable("q", "turn", "rad"))
    x = np.stack([np.sin(T), 1e-15 * T], axis=1)
    run = RunResult(About("flat", "", (), variables, ("q.slide", "q.turn")), T, x)
    ax = Figure().subplots()
    plot_into(run, ax)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == ["slide", "zero to rounding: q.turn (1e-14 rad)"]
    ax = Figure().subplots()
    plot_into(run, ax, ("slide", "turn"))
    assert [line.get_label() for line in ax.lines] == ["slide [m]", "turn [rad]"]
    assert np.array_equal(ax.lines[1].get_ydata(), 1e-15 * T)
