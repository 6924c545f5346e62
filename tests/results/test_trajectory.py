"""Access to the results of a run: names, summaries, and the attributes of SciPy's results."""

from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from freebody.errors import ArgumentError, FreebodyError
from freebody.results import About, Events, RunResult, Variable
from tests.results.runs import FALL, HOSTILE, SPRING, FunctionRecorder, ball, hostile, spring

T = np.linspace(0.0, 5.0, 51)


def test_names_are_looked_up_in_the_order_of_groups() -> None:
    run = spring(T)
    assert np.array_equal(run["mass"], np.cos(T)) and np.array_equal(run["u.mass"], -np.sin(T))
    assert run.key("tip") == "output.tip" and run["tip"].shape == (51, 3)
    assert "mass" in run and "energy.total" in run and "energy" not in run and 3 not in run
    assert list(run) == [v.key for v in SPRING.variables]
    assert len(run) == 51 and list(run.energies) == ["kinetic", "potential", "total"]


def test_unknown_names_get_a_hint() -> None:
    with pytest.raises(KeyError, match=r"^run of spring & spin: nothing is called 'mas'; did you mean mass"):
        spring(T)["mas"]
    with pytest.raises(FreebodyError, match=r"nothing is called '!!'; its variables: q\.mass, q\.top\.qw, .* …$"):
        hostile_free(30)["!!"]


def hostile_free(n: int) -> RunResult:
    """A run with many variables, of which the message lists twenty."""
    more = tuple(replace(v, name=f"{v.name}{k}") for k in range(n) for v in SPRING.variables[:1])
    about = replace(SPRING, variables=SPRING.variables + more)
    return RunResult(about, T, spring(T).x)


def test_final_state_by_full_name() -> None:
    final = spring(T).final
    assert list(final) == list(SPRING.state) and final["u.mass"] == -np.sin(5.0)
    assert spring(T[:0]).final == {}


def test_empty_runs_are_true() -> None:
    assert spring(T[:0]) and len(spring(T[:0])) == 0 and "empty" in repr(spring(T[:0]))


def test_state_and_names_must_have_the_same_length() -> None:
    with pytest.raises(ArgumentError, match=r"run of ball: 51 times and 2 states need x of shape \(51, 2\), not"):
        RunResult(FALL, T, np.zeros((51, 3)))


def test_attributes_of_scipy_results() -> None:
    run = ball(np.linspace(0.0, 2.0, 21))
    assert run.y.shape == (2, 21) and run.success and run.nfev == 0
    assert [len(t) for t in run.t_events] == [3, 0] and run.y_events[0].shape == (3, 2)
    assert np.all(run.y_events[0][:, 1] < 0)
    assert next(iter(run.events)) == (pytest.approx(np.sqrt(2 / 9.81)), "floor")


def test_events_without_occurrences_are_listed() -> None:
    assert RunResult(FALL, T, np.zeros((51, 2)), events=Events(("floor",))).t_events[0].shape == (0,)


def test_energy_error_is_energy_change_minus_work() -> None:
    """Relative to the largest energy or work; None if the work is not recorded."""
    run = spring(T)
    assert run.energy_balance is None and np.isnan(run.energy_error)
    more = (Variable("energy", "supplied", "J"), Variable("work", "load.push", "J"))
    about = replace(SPRING, variables=(*SPRING.variables, *more))
    energies = {f"energy.{kind}": run[f"energy.{kind}"].copy() for kind in ("kinetic", "potential", "total")}
    energies["energy.total"][-1] += 0.5
    for work, error in ((0.0, 0.5), (0.5, 0.0), (2.0, 0.75)):
        push = np.where(T[-1] == T, work, 0.0)
        given = {**run.recorded, **energies, "energy.supplied": push, "work.load.push": push}
        held = RunResult(about, T, run.x, recorded=given)
        assert held.energy_error == pytest.approx(error, abs=1e-3)


def test_summary_contains_the_main_results() -> None:
    text = spring(T).summary()
    lines = [line.split(maxsplit=1) for line in text.splitlines()]
    for name, value in (
        ("times", "51, from 0 to 5 s"),
        ("steps", "120 (3 rejected)"),
        ("evaluations", "1,480"),
        ("states", "5 coordinates, 4 speeds"),
        ("ended", "reached the end"),
    ):
        assert [name, value] in lines
    assert "wall time       12.3 ms" in text and "energy error    not known" in text and "events" not in text
    assert "6 × floor" in ball(np.linspace(0, 3, 4)).summary()
    assert spring(T[:0]).summary().count("\n") > 1


@pytest.mark.parametrize("run", [spring(T), hostile(), spring(T[:0])])
def test_notebook_tables_are_escaped(run: RunResult) -> None:
    seen = Seen()
    seen.feed(run._repr_html_())
    assert seen.tags <= {"table", "caption", "tbody", "tr", "th", "td"}
    assert "&lt;b&gt;" in hostile()._repr_html_()


def test_notebook_tables_compute_nothing() -> None:
    def refuse(t: object, x: object) -> dict[str, np.ndarray]:
        raise AssertionError("asked to record")

    RunResult(SPRING, T, spring(T).x, recorder=FunctionRecorder(refuse))._repr_html_()


class Seen(HTMLParser):
    """The tags of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


@pytest.mark.parametrize("about", [SPRING, FALL, hostile().about])
def test_metadata_survives_conversion_to_plain_data(about: About) -> None:
    assert About.from_plain(about.to_plain()) == about


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("state", "q", "state: Input should be a valid tuple, not 'q'"),
        ("state", [1], r"state\.0: Input should be a valid string, not '1'"),
        ("elements", [{"name": "a"}], r"elements\.0\.parent: Field required"),
        ("elements", [{"name": "a", "parent": "b", "joint": "c", "mass": "heavy"}], "mass: Input should be a valid"),
        ("elements", [{"name": "a", "parent": "b", "joint": "c", "limits": [1]}], r"limits\.1: Field required"),
        ("variables", ["q"], r"variables\.0: Input should be a dictionary or an instance of Variable"),
        ("quaternions", [9], "no quaternion begins at index 9 of 9 states"),
        ("quaternions", [0.5], r"quaternions\.0: Input should be a valid integer"),
        ("parameters", [1.0], "parameters: Input should be a valid dictionary"),
    ],
)
def test_wrong_metadata_is_refused(field: str, value: object, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        About.from_plain(SPRING.to_plain() | {field: value})


def test_metadata_contains_only_plain_data() -> None:
    about = replace(SPRING, parameters={"m": np.float64(2), "n": np.int64(3)}, quaternions=(1,))
    plain = about.to_plain()["parameters"]
    assert [type(v) for v in plain.values()] == [float, int]
    assert len(HOSTILE) == len(set(HOSTILE))
