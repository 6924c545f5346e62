"""Public functions with arguments of wrong types: they work, or raise a freebody error with a clear message."""

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freebody as fb
from freebody.backends import ENGINES, engine
from freebody.errors import ArgumentError, BackendError, FreebodyError, ModelError
from freebody.model.joints.base import Joint


def system() -> fb.System:
    s = fb.System("arm")
    s.parameter("m", 1.0)
    s.input("motor")
    s.state("z", "-z")
    a = s.body("a", joint="revolute", mass="m", com=(1, 0, 0), inertia=(1, 1, 1))
    s.body("c", on=a, joint="prismatic", mass=1)
    s.joint_force(a, "motor")
    return s


class Odd:
    def __repr__(self) -> str:
        return "<odd>"


S = system()
OTHER = system()
WRONG: list[Any] = [
    None, True, 5, -1, 2.5, float("nan"), float("inf"), 10**400, 1j, "", "text", "\0", b"bytes", [], [1], ["a", "b"],
    [None], {}, {"a": 1}, {1: 2}, Odd(), np.zeros((2, 2)), np.array(["x"]), np.ma.masked_array([1.0], [True]),
    OTHER.t, OTHER.bodies["a"], OTHER.bodies["a"].x, OTHER.ground.origin,
]  # fmt: skip


def valid(s: fb.System) -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Calls that define a system, each with valid arguments."""
    a, c, ends = s.bodies["a"], s.bodies["c"], {"start": s.bodies["a"], "end": s.ground.point((1, 2, 3))}
    described: dict[str, Any] = {"unit": "m", "description": "d"}
    return {
        "System": (fb.System, {"name": "n", "gravity": (0, 0, 1)}),
        "parameter": (s.parameter, {"name": "x", "value": 1.0, **described}),
        "input": (s.input, {"name": "x", **described}),
        "state": (s.state, {"name": "x", "rate": "-x", "initial": 0.0, **described}),
        "body": (
            s.body,
            {
                "name": "x",
                "on": "a",
                "joint": "hinge",
                "at": (0, 0, 0),
                "orient": ("x", 0.1),
                "mass": 1,
                "com": (0, 0, 0),
                "inertia": (1, 1, 1),
                "about": (0, 0, 0),
            },
        ),
        "couple": (s.couple, {"body": "c", "to": "a", "ratio": 1, "offset": 0}),
        "force": (s.force, {"force": a.x, "at": a, "reaction": c, "name": "f"}),
        "torque": (s.torque, {"torque": 1, "on": a, "reaction": c, "about": a.z, "name": "f"}),
        "force_between": (s.force_between, {**ends, "law": "length", "name": "f"}),
        "spring": (s.spring, {**ends, "stiffness": 1, "free_length": 1, "damping": 1, "name": "f"}),
        "joint_force": (s.joint_force, {"body": a, "value": 1, "speed": "", "name": "f"}),
        "output": (s.output, {"name": "x", "value": 1}),
        "position": (s.position, {"point": a, "of": c}),
        "velocity": (s.velocity, {"point": a}),
        "derivative": (s.derivative, {"vector": a.x, "seen_from": c}),
        "angular velocity": (s.angular_velocity, {"body": a}),
        "point": (a.point, {"at": (0, 0, 0)}),
        "vector": (a.vector, {"xyz": (0, 0, 0)}),
        "table": (fb.table, {"name": "n", "x": [0, 1], "y": [0, 1], "method": "linear", "outside": "extrapolate"}),
    }


def _tried(call: Callable[[Any], Any], context: str) -> None:
    """Assert that every wrong value works, or raises a freebody error with a message."""
    for wrong in WRONG:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call(wrong)
        except FreebodyError as error:
            assert len(str(error)) > 12, (wrong, error)
        except Exception as error:
            raise AssertionError(f"{context} = {wrong!r}: {type(error).__name__}: {error}") from error


CALLS = [(name, key) for name, (_, arguments) in valid(S).items() for key in arguments]


@pytest.mark.parametrize(("name", "key"), CALLS, ids=[f"{name}-{key}" for name, key in CALLS])
def test_functions_that_define_a_system_accept_or_refuse_arguments(name: str, key: str) -> None:
    """A system with the accepted value can be saved and derived."""

    def describe(wrong: Any) -> None:
        s = system()
        call, arguments = valid(s)[name]
        call(**{**arguments, key: wrong})
        s.to_yaml()
        s.derive()

    _tried(describe, f"{name} {key}")


@pytest.mark.parametrize("name", valid(S))
def test_valid_arguments_are_accepted(name: str) -> None:
    call, arguments = valid(system())[name]
    call(**arguments)


@pytest.fixture(scope="module")
def ready() -> Any:
    s = system()
    eq = s.derive()
    return eq, eq.compile("numpy"), s.simulate(0.05, inputs={"motor": 0.0})


UR5 = Path(__file__).parents[1] / "examples" / "robots" / "ur5.urdf"
Q, U = [0.1, 0.2], [0.3, 0.4]
HELD = {"tau.c": 9.81}
USES: dict[str, tuple[Callable[[Any], Callable[..., Any]], dict[str, Any]]] = {
    "compile": (lambda w: w[0].compile, {"backend": "numpy", "parameters": None}),
    "to_text": (lambda w: w[0].to_text, {"quantity": "mass_matrix"}),
    "program": (lambda w: w[0].program, {"quantity": "mass_matrix"}),
    "forward": (lambda w: w[1].forward_dynamics, {"q": Q, "u": U, "tau": U, "t": 0.0, "z": [0], "inputs": [0]}),
    "inverse": (lambda w: w[1].inverse_dynamics, {"q": Q, "u": U, "u_dot": U}),
    "mass_matrix": (lambda w: w[1].mass_matrix, {"q": Q, "t": 0.0}),
    "forces": (lambda w: w[1].generalised_force, {"q": Q, "wrenches": {"a": ([*U, 0], [0, 0, 0])}, "frame": "a"}),
    "pose": (lambda w: w[1].pose, {"q": Q, "body": "a", "at": (0, 0, 0)}),
    "run[]": (lambda w: w[2].__getitem__, {"name": "q.a"}), "key": (lambda w: w[2].key, {"name": "q.a"}),
    "sol": (lambda w: w[2].sol, {"t": 0.01}), "at": (lambda w: w[2].at, {"t": 0.01}),
    "layout": (lambda w: fb.layout, {"system": S, "library": "mujoco"}),
    "simulate": (lambda w: w[0].simulate, {"end": 0.01, "q": Q, "u": U, "inputs": {"motor": 0.0}, "method": "dop853"}),
    "simulator": (lambda w: w[0].simulator, {"q": Q, "u": U, "inputs": {"motor": 0.0}, "parameters": None,
                                             "events": ()}),
    "simulators": (lambda w: w[0].simulators, {"count": 2, "q": [Q, Q], "u": U, "inputs": [[0.0], [1.0]],
                                               "threads": 1}),
    "set": (lambda w: w[0].simulator().set, {"q": Q, "u": U, "inputs": [0.0], "parameters": {}}),
    "reset": (lambda w: w[0].simulator().reset, {"q": Q, "u": U, "parameters": {}}),
    "reader": (lambda w: w[0].simulator().reader, {"names": ["q.a", "2*q.a"]}),
    "step": (lambda w: w[0].simulator().step, {"dt": 0.01}),
    "set worlds": (lambda w: w[0].simulators(2).set, {"worlds": [0], "q": Q, "inputs": [[0.0]], "parameters": {}}),
    "reset worlds": (lambda w: w[0].simulators(2).reset, {"worlds": [0], "q": [Q], "parameters": {}}),
    "read worlds": (lambda w: w[0].simulators(2).reader, {"names": ["q.a", "2*q.a"]}),
    "run_until": (lambda w: w[0].simulators(2).run_until, {"t": 0.01}),
    "sweep": (lambda w: w[0].sweep, {"end": 0.01, "over": {"q.a": [1.0]}, "inputs": {"motor": 0.0}, "grid": False,
                                     "record": (), "store": None}),
    "load": (lambda w: partial(fb.load, UR5), {"floating": False, "lock": (), "mimic": "couple", "dynamics": True,
                                               "parameters": False, "physical": True, "snap": 0.0}),
    "to_standard": (lambda w: w[0].to_standard, {"x": [*Q, *U, 0], "t": 0.0, "parameters": None}),
    "from_standard": (lambda w: w[0].from_standard, {"x": [*Q, *U, 0], "t": 0.0, "parameters": None}),
    "operators": (lambda w: w[0].operators, {"q": Q, "u": U, "t": 0.0, "z": [0], "inputs": [0], "parameters": None}),
    "matrices": (lambda w: w[0].matrices, {"skew": False, "simplify": True, "angles": "shortest", "limit": None}),
    "closed_form": (lambda w: w[0].closed_form, {"quantity": "force", "angles": "shortest", "limit": None}),
    "to_c": (lambda w: w[0].to_c, {"folder": "code", "quantity": "mass_matrix"}),
    "base_parameters": (lambda w: w[0].base_parameters, {"parameters": None, "seed": 0}),
    "equilibrium": (lambda w: w[0].equilibrium, {"q": Q, "u": None, "z": None, "inputs": {"motor": 0.0},
                                                 "parameters": None, "free": "tau.c", "hold": "c", "t": 0.0}),
    "equilibria": (lambda w: w[0].equilibria, {"q": Q, "free": "tau.c", "hold": "c", "starts": 2, "seed": 0}),
    "continuation": (lambda w: w[0].continuation, {"parameter": "m", "start": 1.0, "end": 2.0, "free": "tau.c",
                                                   "hold": "c", "step": 0.3, "points": 9, "branches": 2}),
    "linearize": (lambda w: w[0].linearize, {"at": {"q.a": 0.1}, "inputs": ["motor"], "outputs": {"y": "q.a"},
                                             "parameters": {"m": 2.0}, "minimal": True, "symbolic": False}),
    "trimmed": (lambda w: partial(w[0].linearize, HELD), {"trim": True, "free": "tau.c", "hold": "c"}),
    "input_output": (lambda w: w[0].input_output, {"outputs": {"y": "q.a"}, "inputs": ["motor"], "parameters": None}),
    "feedback": (lambda w: w[0].input_output({"y": "q.a"}).law, {"v": {"y": "-q.a"}}),
    "tracking": (lambda w: w[0].input_output({"y": "q.a"}).track, {"reference": {"y": "sin(t)"}, "poles": -1}),
    "zero_dynamics": (lambda w: w[0].input_output({"y": "q.a"}).zero_dynamics, {"at": HELD}),
    "reduced": (lambda w: w[0].input_output({"y": "q.a"}).reduced, {"values": None}),
    "accessibility": (lambda w: w[0].accessibility, {"at": None, "inputs": ["motor"], "parameters": None, "depth": 1}),
    "observability": (lambda w: w[0].observability, {"at": None, "outputs": {"y": "q.a"}, "depth": 1}),
    "symmetries": (lambda w: w[0].symmetries, {"parameters": None}),
    "plot": (lambda w: lambda name, groups: w[2].plot(name, groups=groups), {"name": "q.a", "groups": ()}),
}  # fmt: skip
USED = [(name, key) for name, (_, arguments) in USES.items() for key in arguments]


@pytest.mark.parametrize(("name", "key"), USED, ids=[f"{name}-{key}" for name, key in USED])
def test_functions_that_use_a_system_accept_or_refuse_arguments(
    ready: Any, name: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a string may be the name of a folder to write to
    call, arguments = USES[name]
    call(ready)(**arguments)
    _tried(lambda wrong: call(ready)(**{**arguments, key: wrong}), f"{name} {key}")


SOLID = {"m": 1, "radius": 1, "length": 1, "height": 1, "x": 1, "y": 1, "z": 1, "axis": "z"}
ELEMENTS: dict[str, dict[str, Any]] = {
    "Revolute": {"axis": "x", "stiffness": 0, "rest": 0, "damping": 0, "friction": 0, "armature": 0, "limits": (0, 1),
                 "initial": 0, "motion": None},
    "Prismatic": {"axis": "x"}, "Cylindrical": {"axis": "x"}, "Screw": {"axis": "x", "pitch": 1},
    "Planar": {"normal": "z"}, "Universal": {"first": "x", "second": "y"}, "Spherical": {"sequence": "123"},
    "Free": {"sequence": None, "stiffness": 0, "initial": None},
    "Simple": {"H": (1, 0, 0, 0, 0, 0), "coordinates": ["s"], "speeds": ["w"], "holonomic": True},
    "Custom": {"position": (0, 0, "s"), "turns": [("x", "s")], "coordinates": ["s"], "unit": "m", "definitions": None},
    "BuildingBlock": {"translations": ("x",), "rotations": (1,), "axis": "x", "reference": "y"},
    "Box": {"x": 1, "at": (0, 0, 0), "rpy": (0, 0, 0), "y": 1, "z": 1, "color": "red", "opacity": 0.5, "name": "n"},
    "Cylinder": {"radius": 1, "length": 1, "axis": "z"}, "Mesh": {"file": "f", "scale": 1}, "Sphere": {"radius": 1},
    "Tube": {"radius": 2, "inner_radius": 1, "length": 1}, "Cone": {"radius": 1, "length": 1, "top_radius": 0.5},
    "Extrusion": {"points": ((0, 0), (1, 0), (0, 1)), "length": 1},
    "Heightfield": {"heights": ((0, 1), (1, 0)), "spacing": 1},
    **{name: {k: SOLID[k] for k in inspect.signature(getattr(fb, name)).parameters}
       for name in ("rod", "disk", "ring", "cylinder", "sphere", "shell", "box", "cone")},
}  # fmt: skip
PARTS = [(name, key) for name, arguments in ELEMENTS.items() for key in arguments]


@pytest.mark.parametrize(("name", "key"), PARTS, ids=[f"{name}-{key}" for name, key in PARTS])
def test_joints_shapes_and_solids_accept_or_refuse_arguments(name: str, key: str) -> None:
    slot = "joint" if issubclass(kind := type(getattr(fb, name)(**ELEMENTS[name])), Joint) else "shape"
    slot = "inertia" if kind is tuple else slot
    usual: dict[str, Any] = {"joint": "hinge", "inertia": (1, 1, 1)}

    def build(wrong: Any) -> None:
        s = fb.System()
        s.body("x", mass=1, **{**usual, slot: getattr(fb, name)(**{**ELEMENTS[name], key: wrong})})
        s.to_yaml()
        s.derive()

    build(ELEMENTS[name][key])
    _tried(build, f"{name} {key}")


HINGES = [fb.Revolute("z"), fb.Revolute("z")]
LINKS = [fb.ChainBody(("a/2", 0, 0), ("a", 0, 0), "m", (0, 0, "I")) for _ in HINGES]
CHAIN = fb.chain_inertia(HINGES, LINKS, "t1 t2")
NAMES = {"q": "t1 t2", "p": "p1 p2"}
CHAINS: dict[str, dict[str, Any]] = {
    "chain_inertia": {"joints": HINGES, "bodies": LINKS, "names": "t1 t2", "angles": "shortest"},
    "end_effector_pose": {"bodies": LINKS, "X": CHAIN.X}, "gravity_potential": {"bodies": LINKS, "X": CHAIN.X},
    "coriolis_matrix": {"M": CHAIN.M, "V": CHAIN.V, **NAMES, "skew": False},
    "poincare_function": {"M": CHAIN.M, "V": CHAIN.V, "potential": 0, "Q": "T1 T2", **NAMES, "on": "speeds"},
    "joint_map": {"joint": HINGES[0], "names": "a"}, "joint_configuration": {"joint": HINGES[0], "names": "a"},
    "kinematic_matrix": {"joint": HINGES[0], "names": "a"},
}  # fmt: skip
CHAINED = [(name, key) for name, arguments in CHAINS.items() for key in arguments]


@pytest.mark.parametrize(("name", "key"), CHAINED, ids=[f"{name}-{key}" for name, key in CHAINED])
def test_functions_of_chains_accept_or_refuse_arguments(name: str, key: str) -> None:
    getattr(fb, name)(**CHAINS[name])
    _tried(lambda wrong: getattr(fb, name)(**{**CHAINS[name], key: wrong}), f"{name} {key}")


KNOWN = {backend: [*inspect.signature(engine(backend, {})).parameters][1:] for backend in ENGINES}
OPTIONS = [(backend, option) for backend, options in KNOWN.items() for option in options]


@pytest.mark.parametrize(("backend", "option"), OPTIONS, ids=["-".join(pair) for pair in OPTIONS])
def test_options_of_backends_are_checked_by_value(ready: Any, backend: str, option: str) -> None:
    default = inspect.signature(engine(backend, {})).parameters[option].default
    ready[0].compile(backend, **{option: default})
    for wrong in (-1, 2.5, "\0" if option != "compiler" else 3, [None], {"a": 1}, Odd(), np.zeros((2, 2))):
        with pytest.raises(BackendError, match=f"backend '{backend}': {option} must be"):
            ready[0].compile(backend, **{option: wrong})


RUNS: dict[str, Any] = {
    "first_step": None, "max_step": None, "max_steps": 100, "rtol": 1e-6, "atol": 1e-6, "start": None, "progress": None,
    "events": [],
}  # fmt: skip


@pytest.mark.parametrize("option", RUNS)
def test_options_of_runs_are_accepted_or_refused(ready: Any, option: str) -> None:
    given = {"inputs": {"motor": 0.0}, **RUNS}
    _tried(lambda wrong: ready[0].simulate(0.01, **{**given, option: wrong}), f"simulate {option}")


def test_huge_max_steps_of_sweeps_are_refused(ready: Any) -> None:
    with pytest.raises(ArgumentError, match="max_steps must be a positive integer, or left out, not 1000"):
        ready[0].sweep(0.01, {"q.a": [1.0]}, inputs={"motor": 0.0}, max_steps=10**400)


@pytest.mark.parametrize("option", ["when", "direction", "terminal", "reset", "name"])
def test_options_of_events_are_accepted_or_refused(ready: Any, option: str) -> None:
    def run(wrong: Any) -> None:
        event = fb.Event(**{"when": "q.a", option: wrong})
        ready[0].simulate(0.01, inputs={"motor": 0.0}, max_steps=100, events=[event])

    _tried(run, f"Event {option}")


@pytest.mark.parametrize("option", ["formulation", "small", "speeds", "rolled"])
def test_options_of_derivations_are_accepted_or_refused(option: str) -> None:
    _tried(lambda wrong: system().derive(**{option: wrong}), f"derive {option}")


def test_bodies_may_be_given_by_name() -> None:
    s = system()
    a, c = s.bodies["a"], s.bodies["c"]
    assert s.position("a") == s.position(a) and s.velocity("c") == s.velocity(c)
    assert s.angular_velocity("c") == s.angular_velocity(c) and s.position("a", of="c") == s.position(a, of=c)
    assert s.joint_force(a, 1).on == s.joint_force("a", 1).on == "a"
    assert s.torque(a.z, on="a", reaction=c).reaction == "c"
    assert s.force(a.x, at="ground").at.body == "ground"
    with pytest.raises(ModelError, match=r"joint_force.on: 'b' is not a body. Choose from ground, a, c"):
        s.joint_force("b", 1)
    with pytest.raises(ModelError, match=r"a position is of a point or a body: <body a> belongs to another system"):
        s.position(OTHER.bodies["a"])


@pytest.mark.parametrize(("action", "message"), [
    (lambda s: s.parameter("x", "m"), "parameters.x.value: a number is needed; m depends on symbols"),
    (lambda s: s.parameter(5, 1), "a name must be text, not 5"),
    (lambda s: s.parameter("x", 1, unit=3), "parameters.x.unit: text is needed, not the number 3"),
    (lambda s: s.state("x", 0, float("inf")), "states.x.initial: inf cannot be part of an expression"),
    (lambda s: fb.System(None), "the name of a system must be text, not None"),
    (lambda s: s.force(s.ground.x, "a", name=3), "the name of a force must be text, not 3"),
])  # fmt: skip
def test_errors_name_the_argument_and_the_problem(action: Any, message: str) -> None:
    with pytest.raises(ModelError) as error:
        action(system())
    assert message in str(error.value)


def test_backends_and_their_options_are_checked_before_the_first_call(ready: Any) -> None:
    eq = ready[0]
    with pytest.raises(BackendError, match="there is no backend 'foo'; choose from llvm, c, numpy"):
        eq.compile("foo")
    with pytest.raises(BackendError, match="backend 'llvm' has no option 'speed'; its options: width, level"):
        eq.compile(speed=3)
    with pytest.raises(ArgumentError, match=r"parameters must be values by name, such as \{'m': 2\.0\}, not 'm'"):
        eq.compile("numpy", "m")


def test_unknown_options_of_load_are_refused() -> None:
    with pytest.raises(ModelError, match="there is no option 'float'; its options: floating, lock, mimic, dynamics"):
        fb.load(UR5, float=True)


def test_lists_of_names_are_refused_by_plot(ready: Any) -> None:
    with pytest.raises(
        ArgumentError, match=r"a name must be text, not \['a', 'c'\]; give several one by one, such as plot"
    ):
        ready[2].plot(["a", "c"])


FORMULATIONS = ("kane", "crba", "aba", "sayers", "poincare")


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_matrices_of_systems_without_freedoms_are_empty(formulation: str) -> None:
    s = fb.System()
    s.body("a", mass=1, inertia=(1, 1, 1))
    f = s.derive(formulation).compile("numpy")
    for states in ((), (3,)):
        q = np.zeros((*states, 0))
        assert f.mass_matrix(q).shape == f.mass_inverse(q).shape == f.coriolis(q, q).shape == (*states, 0, 0)
        assert f.jacobian(q, "a").shape == (*states, 6, 0) and f.forward_dynamics(q, q).shape == (*states, 0)
        assert f.regressor(q, q, q).shape == (*states, 0, 10)
        for found in (f.forward_derivatives(q, q, q), f.inverse_derivatives(q, q, q)):
            assert {np.shape(v) for v in found.values()} == {(*states, 0), (*states, 0, 0)}


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("states", [(), (5,)])
def test_unaligned_arrays_are_accepted_and_masked_ones_refused(backend: str, states: tuple[int, ...]) -> None:
    """The same for one state and for many."""
    f = system().derive().compile(backend)
    rng = np.random.default_rng(0)
    q, u = rng.normal(size=(2, *states, 2))
    shifted = np.zeros(q.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(q.shape)
    shifted[...] = q
    assert not shifted.flags.aligned
    assert np.array_equal(f.forward_dynamics(shifted, u), f.forward_dynamics(q, u))
    with pytest.raises(ArgumentError, match=r"must be writable, contiguous \(C order\) and aligned"):
        f.forward_dynamics(q, u, out=shifted)
    with pytest.raises(ArgumentError, match=r"'q' has masked values; fill them, such as q\.filled\(0\.0\)"):
        f.forward_dynamics(np.ma.masked_array(q, q > q.min()), u)
    assert np.array_equal(f.forward_dynamics(np.ma.masked_array(q, False), u), f.forward_dynamics(q, u))
