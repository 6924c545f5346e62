"""Names that users of other programs expect: errors show what to write here."""

from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.errors import FrameError, FreebodyError, ModelError
from freebody.results.trajectory import UnknownNameError


def _system() -> fb.System:
    s = fb.System("arm")
    s.parameter("m", 1.0)
    s.input("F")
    s.body("a", joint="revolute", mass="m", inertia=(1, 1, 1))
    s.body("plate", joint="free", mass=1, inertia=(1, 1, 1))
    s.body("stand", mass=1)
    return s


S = _system()
A = S.bodies["a"]
EQUATIONS = S.derive()
RUN = EQUATIONS.simulate(0.01, inputs={"F": 0.0})


@pytest.mark.parametrize("axis", "xyz")
def test_components_of_vectors(axis: str) -> None:
    v, k = A.x * 2 + A.y * 3, "xyz".index(axis)
    text = rf"Write v\.dot\(body\.{axis}\) .*, v\.dot\(s\.ground\.{axis}\) .*, or v\.resolve\(body\) for all three"
    with pytest.raises(AttributeError, match=rf"'Vector' object has no attribute '{axis}'\. {text}"):
        getattr(v, axis)
    with pytest.raises(FrameError, match=rf"a vector cannot be indexed: .*{text}"):
        v[k]
    with pytest.raises(FrameError, match="a vector cannot be indexed"):
        list(v)
    assert v.dot(getattr(A, axis)) == v.resolve(A)[k] == (2, 3, 0)[k]
    assert np.array(v, dtype=object).shape == ()
    with pytest.raises(AttributeError, match=r"'Vector' object has no attribute 'lenght'$"):
        _ = v.lenght


@pytest.mark.parametrize(("name", "text"), [
    ("t", "nothing is called 't'; the times are run.t"), ("time", "the times are run.t"),
    ("y", "all states are run.x, with a column for each name in run.about.state"),
    ("theta", "nothing is called 'theta'; its variables: q.a, "), ("q.b", "did you mean q.a?"),
])  # fmt: skip
def test_names_in_runs(name: str, text: str) -> None:
    with pytest.raises(UnknownNameError) as error:
        RUN[name]
    assert text in str(error.value)


@pytest.mark.parametrize(("get", "text"), [
    (lambda: RUN.time, "'Trajectory' object has no attribute 'time'. Write run.t for the times"),
    (lambda: RUN.states, "Write run.x for the states, run.about.state for their names"),
    (lambda: RUN.a, 'Write run["a"]'), (lambda: RUN.summry, "Did you mean summary?"),
    (lambda: RUN.to_dataframe, "Write run.to_pandas()"),
    (lambda: S.add_body, "'System' object has no attribute 'add_body'. Write s.body(name, on=…, joint=…, mass=…)"),
    (lambda: S.run, "Write s.simulate(end)"), (lambda: S.mass_matrix, "Write eq = s.derive() for the equations"),
    (lambda: S.simualte, "Did you mean simulate"),
    (lambda: EQUATIONS.mass_matrix, "Write f = eq.compile(), then f.mass_matrix"),
    (lambda: EQUATIONS.rhs, "Write eq.compile().state_dot(t, x)"), (lambda: EQUATIONS.linearise, "Write eq.lineari"),
    (lambda: fb.Body, "module 'freebody' has no attribute 'Body'. Write s = fb.System('name'), then s.body("),
    (lambda: fb.Hinge, "Write fb.Revolute('z')"), (lambda: fb.Revolut, "Did you mean Revolute?"),
    (lambda: fb.pi, "Write math.pi"), (lambda: fb.xyzzy, "has no attribute 'xyzzy'"),
])  # fmt: skip
def test_attributes_of_other_programs(get: Any, text: str) -> None:
    with pytest.raises(AttributeError) as error:
        get()
    assert text in str(error.value)


SIX = "Its speeds are 'wx' (torque), 'wy' (torque), 'wz' (torque), 'vx' (force), 'vy' (force), 'vz' (force)"


@pytest.mark.parametrize(("body", "speed", "text"), [
    ("plate", "", f"the free joint of 'plate' has 6 speeds; choose one, such as speed='wx'. {SIX}"),
    ("plate", "wxx", f"the free joint of 'plate' has no speed 'wxx'; choose one, such as speed='wx'. {SIX}"),
    ("a", "wz", "the revolute joint of 'a' has one speed; leave out speed='wz'"),
    ("stand", "", "the weld joint of 'stand' has no speeds, so no force can act along one; name another"),
    ("ground", "", "the ground has no joint; name a body"),
])  # fmt: skip
def test_speeds_of_joint_forces(body: str, speed: str, text: str) -> None:
    with pytest.raises(ModelError) as error:
        _system().joint_force(body, 1, speed=speed)
    assert str(error.value).endswith(f"joint_force: {text}")
    for listed in ("wx", "vz"):
        _system().joint_force("plate", 1, speed=listed)


@pytest.mark.parametrize(("field", "name", "text"), [
    ({"mass": "mm"}, "mm", "Did you mean m?"),
    ({"mass": "a"}, "a", "Only numbers and parameters can be used here: m."),
    ({"mass": "theta"}, "theta", "Only numbers and parameters can be used here: m."),
    ({"mass": 1, "inertia": ("a", 1, 1)}, "a", "Only numbers and parameters can be used here: m."),
    ({"mass": 1, "com": ("q.b", 1, 1)}, "q.b", "Only numbers and parameters can be used here: m."),
    ({"joint": fb.Revolute(armature="a")}, "a", "Only numbers and parameters can be used here: m."),
    ({"joint": fb.Revolute(stiffness="a")}, "a", "Did you mean q.a or u.a?"),
    ({"joint": fb.Revolute(motion="a")}, "a",
     "Only t, numbers, parameters, inputs with rates and filters can be used here: t, m."),
    ({"joint": fb.Revolute(limits=("a", 1))}, "a", "a number is needed; 'a' is not declared, and names cannot be used"),
])  # fmt: skip
def test_undeclared_names_get_those_that_the_field_may_use(field: dict[str, Any], name: str, text: str) -> None:
    with pytest.raises(FreebodyError) as error:
        _system().body("new", **{"joint": "revolute", **field})
    assert f"'{name}' is not declared" in str(error.value) and text in str(error.value)
    if text.startswith("Only"):
        assert not {"F", "q.a", "u.a"} & {*str(error.value).partition("Only")[2].replace(".\n", ", ").split(", ")}


def test_fields_of_parameters_name_the_kind_of_other_symbols() -> None:
    for name, kind in (("F", "an input"), ("q.a", "a coordinate"), ("u.a", "a speed"), ("t", "the time")):
        with pytest.raises(ModelError, match=rf"mass: it may depend on .* only, not on {name} \({kind}\)"):
            _system().body("new", joint="revolute", mass=name)


OTHER = _system()
F = EQUATIONS.compile("numpy")


@pytest.mark.parametrize(("mistake", "text"), [
    (lambda s: s.simulate((0, 1), *[None] * 30), "simulate(): too many positional arguments; write simulate(end, q=…"),
    (lambda s: s.body("b", on=OTHER.bodies["a"]), "bodies.b.on: <body a> belongs to another system; name a body"),
    (lambda s: F.mass_matrix({"a": 1}), "mass_matrix(): 'q' is an array of 8 numbers in the order of eq.q, not v"),
    (lambda s: s.body("b", joint=("revolute", "z")), "a joint is needed, such as fb.Weld(…), fb.Revolute(…) or"),
    (lambda s: s.body("b", mass=1, inertia=(1, 1, 1, 0, 0, 0)), "an inertia is three moments, three rows ((Ixx, I"),
    (lambda s: s.body("b", mass=1, inertia=2.0), "or that of a solid, fb.sphere(m, radius), not the number 2.0"),
    (lambda s: fb.System("x", gravity=9.81), "gravity, such as (0, 0, -9.81), needs three numbers, not 9.81"),
    (lambda s: s.simulate(1, inputs={"F": 0}, method="RK45"), "there is no method 'RK45' (the nearest to it is 'dop"),
    (lambda s: s.simulate(1, inputs={"F": 0}, method="Radau"), "there is no method 'Radau' (the nearest to it is 'rad"),
    (lambda s: s.force((0, 0, 1), "a"), "in Python s.ground.vector((0, 0, 1)) or body"),
    (lambda s: s.simulate(1, inputs={"F": 0}, events=["q.a > 1"]), "not 'q.a > 1'; write fb.Event('q.a - 1'), an e"),
    (lambda s: s.simulate(1, inputs={"F": 0}, q={"q.aa": 1}), "arm has no coordinate 'q.aa' (did you mean 'a'?)"),
    (lambda s: s.bodies["a"].velocity, "'Body' object has no attribute 'velocity'. Write s.velocity(body)"),
    (lambda s: s.bodies["a"].mass, "Write body.spec, which has what s.body(…) was passed"),
    (lambda s: s.ground.point(1, 2, 3), "point(): too many positional arguments; write point(at=…, name=…, …)"),
])  # fmt: skip
def test_mistakes_of_newcomers(mistake: Any, text: str) -> None:
    with pytest.raises((FreebodyError, AttributeError)) as error:
        mistake(_system())
    assert text in str(error.value)


def test_lengths_and_products_of_vectors() -> None:
    v = A.x * 2
    for name in ("magnitude", "length"):
        with pytest.raises(AttributeError, match=rf"no attribute '{name}'\. Write v\.norm\(\) for its length"):
            getattr(v, name)
    with pytest.raises(FreebodyError, match=r"write v\.norm\(\)"):
        abs(v)
    with pytest.raises(FreebodyError, match=r"write a\.dot\(b\) for the scalar product"):
        _ = v @ v


def test_arguments_by_the_names_of_other_functions() -> None:
    for wrong, right, act in (
        ("on", "at", lambda: S.force(A.x, on=A)),
        ("body", "at", lambda: S.force(A.x, body=A)),
        ("at", "on", lambda: S.torque(A.x, at=A)),
        ("teeth", "radii", lambda: S.gear("a", "plate", teeth=(20, 40))),
        ("q", "at", lambda: S.linearize(q={"a": 0.1})),
    ):
        with pytest.raises(TypeError, match=rf"has no argument '{wrong}'\. Did you mean {right}\?"):
            act()
    with pytest.raises(FreebodyError, match=r"input \(did you mean 'q\.a' or 'u\.a'\?\); choose from q\.a"):
        S.sweep(0.01, over={"a": [0, 1]}, inputs={"F": 0.0})
    with pytest.raises(FreebodyError, match=r"at contains 'a' \(did you mean 'q\.a' or 'u\.a'\?\); its names must be"):
        S.linearize({"a": 0.1})


def test_names_with_underscores_and_full_names() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'q_a'\. Write run\[\"q\.a\"\]"):
        _ = RUN.q_a
    inputs: Any = {"F": 0.0}
    full = S.simulate(0.01, q={"q.a": 0.1}, u={"u.a": 1}, inputs=inputs)
    assert np.array_equal(full.x, S.simulate(0.01, q={"a": 0.1}, u={"a": 1}, inputs=inputs).x)
    with pytest.raises(FreebodyError, match=r"must be an Event\(when, …\), not .*; write fb\.Event\('q\.a - 1'\)"):
        S.simulate(0.01, inputs=inputs, events=[lambda t, x: x[0]])  # type: ignore[list-item]


def test_frames_of_beams_have_a_new_name() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'Frame'\. 'Frame' is now 'SpaceFrame'\."):
        _ = fb.Frame  # type: ignore[attr-defined]
