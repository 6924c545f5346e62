"""Frozen models: their contents, their identity, and derivations without copies."""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

import freebody as fb
from freebody.errors import GraphError
from freebody.formulations.choose import Search
from freebody.model.body import BodySpec, Coupling
from freebody.model.element import Element, expressions
from freebody.model.model import Model, State
from freebody.program.program import digest
from freebody.scalar import walk
from freebody.scalar.expr import Expr
from freebody.scalar.graph import Graph
from freebody.scalar.numbers import Number
from freebody.spatial.vector import vector
from freebody.tree.tree import span
from tests.io import python_models, random_systems


def pendulum() -> fb.System:
    s = fb.System("double pendulum")
    m, l, k = s.parameters(m=1.0, l=0.5, k=20.0)
    motor = s.input("motor")
    upper = s.body("upper", joint=fb.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=fb.rod(m, l, "z"))
    lower = s.body(
        "lower", on=upper, at=(0, 0, -l), joint=fb.Revolute("y"), mass=m, com=(0, 0, "-l/2"), inertia=fb.rod(m, l, "z")
    )
    s.spring(upper.point((0, 0, -l)), s.ground.point((1, 0, 0)), stiffness=k, free_length=0.2)
    s.torque(motor, on=lower, reaction=upper, about=lower.y)
    return s


# Identity


CHANGES: dict[str, Callable[[fb.System], Any]] = {
    "parameter": lambda s: s.parameter("c", 3.0),
    "value": lambda s: s.values.update(m=2.0),
    "input": lambda s: s.input("force"),
    "state": lambda s: s.state("z", "-z"),
    "body": lambda s: s.body("last", on="lower", mass=1.0),
    "couple": lambda s: s.couple("lower", "upper", ratio=2),
    "load": lambda s: s.force(s.ground.z, at="lower"),
    "output": lambda s: s.output("angle", "q.upper"),
    "gravity": lambda s: setattr(s, "gravity", (0, 0, "-m*9.81")),
    "name": lambda s: setattr(s, "name", "another"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_systems_have_one_model_until_they_change(change: str) -> None:
    s = pendulum()
    model, before = s.freeze(), s.digest()
    s.position("lower").norm()  # expressions alone change nothing
    s.derive()
    assert s.freeze() is model and s.digest() == before
    CHANGES[change](s)
    assert s.freeze() is not model and s.digest() != before
    assert s.freeze() is s.freeze() and model.digest == before


def test_models_are_immutable() -> None:
    s = pendulum()
    model = s.freeze()
    sections = (model.parameters, model.inputs, model.states, model.bodies, model.loads, model.outputs)
    for section in sections:
        with pytest.raises(TypeError, match="does not support item assignment"):
            section["other"] = None  # type: ignore[index]
    with pytest.raises(GraphError, match="frozen"):
        model.inputs["motor"] * 2
    size = len(model.graph)
    for formulation in ("kane", "crba", "aba", "poincare", "sayers", "cheapest"):
        s.derive(formulation).compile("numpy").forward_dynamics([0.1, 0.2], [0.3, 0.4], inputs=[0.5])
    s.simulate(0.1, inputs={"motor": 0.0})
    s.to_yaml()
    assert len(model.graph) == size and not model.graph.labels and s.freeze() is model


def test_programs_do_not_depend_on_earlier_derivations() -> None:
    """Programs of one model have the same bytes, whatever was derived in other forks of its graph in between."""
    fresh, used = (python_models.everything() for _ in range(2))
    used.simulate(0.001, inputs=dict.fromkeys(used.inputs, 0.5))
    for formulation in ("kane", "aba", "poincare"):
        used.derive(formulation).program("outputs")
        one, other = (s.derive(formulation).program() for s in (fresh, used))
        assert digest(one) == digest(other), formulation


# Contents


def leaves(value: Any) -> Iterator[Any]:
    """The values of elements at any depth."""
    if isinstance(value, Element | BodySpec | Coupling | State):
        for name in value.__dataclass_fields__:
            yield from leaves(getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from leaves(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from leaves(one)
    else:
        yield value


MODELS: dict[str, Callable[[], fb.System]] = {
    "everything": python_models.everything,
    **{f"tree {seed}": lambda seed=seed: random_systems.decorated(seed)[1] for seed in range(8)},
}


@pytest.mark.parametrize("name", MODELS)
def test_elements_contain_only_numbers_expressions_and_texts(name: str) -> None:
    """Bodies, points, frames and vectors are stored as names and terms, so no object needs to be transferred to
    another graph."""
    s = MODELS[name]()
    for described in (s.described, s.freeze()):
        found = list(leaves((described.bodies, described.loads, described.outputs, described.states)))
        strange = {type(v).__name__ for v in found if not isinstance(v, Number | Expr | str | bool | None)}
        assert not strange
        assert {x.graph for x in found if isinstance(x, Expr)} == {described.graph}
        assert len(list(expressions(described.loads))) == sum(isinstance(x, Expr) for x in leaves(described.loads))


def test_vectors_have_the_same_axes_in_every_graph() -> None:
    """Frames between bodies, also of joint stages, are looked up by their addresses."""
    s = fb.System("frames")
    a = s.body("a", joint=fb.Universal(), orient=("x", 0.3), mass=1.0, inertia=(1, 2, 3))
    b = s.body("b", on=a, joint=fb.Spherical(sequence="313"), at=(0, 0, 1), mass=1.0, inertia=(1, 2, 3))
    frames = {f"{body.name} {k}": frame for body in (a, b) for k, frame in enumerate(body.frame.line())}
    for name, frame in frames.items():
        s.output(name, vector(frame, [s.graph.const(k) for k in (1, 2, 3)]))
    q = [0.3, -0.4, 0.5, 0.6, -0.7]
    symbols = dict(zip((*a.q, *b.q), q, strict=True))
    got = s.derive().compile("numpy").outputs(q, [0.0] * 5)
    for name, output in s.outputs.items():
        wanted = [float(x.subs(symbols)) for x in s.placed.vector(output.value).resolve(s.ground)]
        assert got[name] == pytest.approx(wanted, abs=1e-14), name


# Derivations


class Counted:
    """Counts how often graphs are transferred, forked and created, and systems created."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.transfers: list[str] = []
        self.forks = self.systems = 0
        original, fork, init = walk.transfer, Graph.fork, fb.System.__init__

        def transfer(source: Graph, roots: Any, target: Graph, *more: Any, **options: Any) -> dict[int, int]:
            if source is not target:
                self.transfers.append(sys._getframe(1).f_globals["__name__"])
            return original(source, roots, target, *more, **options)

        def forked(graph: Graph) -> Graph:
            self.forks += 1
            return fork(graph)

        def made(system: fb.System, *arguments: Any, **options: Any) -> None:
            self.systems += 1
            init(system, *arguments, **options)

        for module in list(sys.modules.values()):
            if getattr(module, "transfer", None) is original:
                monkeypatch.setattr(module, "transfer", transfer)
        monkeypatch.setattr(Graph, "fork", forked)
        monkeypatch.setattr(fb.System, "__init__", made)


def test_first_run_copies_no_system_and_transfers_its_graph_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pendulum().simulate(0.01, inputs={"motor": 0.0})
    s = pendulum()
    seen = Counted(monkeypatch)
    run = s.simulate(0.01, inputs={"motor": 0.0})
    assert seen.systems == 0
    assert [m for m in seen.transfers if m != "freebody.program.code"] == ["freebody.model.model"]
    assert seen.transfers.count("freebody.program.code") <= 4  # the programs that were lowered
    assert seen.forks <= 2  # Kane's equations by two ways, of which the shorter one is taken
    assert run.about.digest == s.digest()
    seen.transfers.clear()
    seen.forks = 0
    s.simulate(0.02, inputs={"motor": 1.0})
    s.derive("aba")
    assert s.digest() and s.to_yaml()
    assert seen.systems == 0 and seen.forks == 2 and not seen.transfers  # one of articulated bodies, one of the file


def test_runs_have_the_digest_of_their_system() -> None:
    """Also if links differ from bodies: coupled and prescribed joints, and joints with stages."""
    s = pendulum()
    s.couple("lower", "upper", ratio=-2)
    cross = s.body("cross", joint=fb.Universal(), mass=1.0, inertia=(1, 1, 1))
    s.body("driven", on=cross, joint=fb.Revolute("x", motion="sin(t)"), mass=1.0, inertia=(1, 1, 1))
    s.joint_force(cross, "motor*q.driven", "a1")
    assert s.simulate(0.01, inputs={"motor": 0.0}).about.digest == s.digest() == s.freeze().digest


def test_search_for_the_cheapest_equations_forks_one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    s = pendulum()
    seen = Counted(monkeypatch)
    Search(s.freeze(), "forward", 0).run()
    assert seen.systems == 0 and seen.transfers == ["freebody.model.model"] and seen.forks > 3


@pytest.mark.parametrize("name", MODELS)
def test_forks_have_the_same_handles_as_the_graph_of_the_model(name: str) -> None:
    model: Model = MODELS[name]().freeze()
    tree = span(model)
    assert tree.graph.origin is model.graph and tree.graph.shared == len(model.graph)
    for attribute in ("op", "a", "b", "c", "mask"):
        assert getattr(tree.graph, attribute)[: len(model.graph)] == getattr(model.graph, attribute)
