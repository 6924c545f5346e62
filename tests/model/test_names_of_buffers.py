"""A name that a user chooses may be that of any buffer of a program: the names of groups, outputs and work arrays have
no meaning for users. Each law compares a system with the same one under names that no buffer has."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import freebody as fb
from freebody.errors import ModelError
from freebody.program import assemble
from freebody.program.program import Program

ROLES = "output", "body", "load", "constraint", "parameter", "input", "state"
GROUPS = [*"quzx", "tau", "inputs", "parameters", "multipliers", "u_dot", "hoisted", "carry", "spill", "region1"]
Options = dict[str, dict[str, Any]]
"""Options of derivations, by formulation."""


def system(names: dict[str, list[str]]) -> fb.System:
    """Two arms with elements of these names, by role."""
    s = fb.System("names")
    mass, *_ = s.parameters(mass=1.0, more=1.0, **dict.fromkeys(names.get("parameter", []), 0.7))
    force = sum((s.input(name) for name in names.get("input", [])), s.input("drive"))
    joint = {"stiffness": 3, "damping": 0.2}
    arm = s.body("arm", joint=fb.Revolute("y", **joint), mass=mass, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    s.joint_force(arm, force)
    on = arm
    for name in names.get("body", []):
        on = s.body(name, on=on, at=(0, 0, -0.2), joint=fb.Revolute("y", **joint), mass=1, inertia=(0.1, 0.1, 0.1))
    inertia = {"com": (0, 0, -0.5), "inertia": (0.1, 0.1, 0.1)}
    tip = s.body("tip", on=on, at=(0, 0, -1), joint=fb.Revolute("x", **joint), mass=1, **inertia)
    for k, name in enumerate(names.get("load", [])):
        s.spring(tip.point((0, 0, -1)), s.ground.point((0.1 * k, 0, 0)), stiffness=1 + k, name=name)
    for k, name in enumerate(names.get("constraint", [])):
        s.body(f"slider{k}", joint=fb.Prismatic("x", stiffness=1, damping=1), mass=1)
        s.constrain(f"q.slider{k} - 0.1*q.arm", name=name)
    for name in names.get("state", []):
        s.state(name, rate=f"q.arm - {name}")
    for k, name in enumerate(names.get("output", [])):
        s.output(name, "u_dot.arm + 1" if k % 2 else s.position(arm.point((0, 0, -1))))
    s.output("angle", "q.arm")
    return s


def numbers(value: Any) -> list[float]:
    """All numbers of a result of a compiled function, in order."""
    parts = value.values() if isinstance(value, dict) else [value]
    return [float(x) for part in parts for x in np.ravel(part)]


def results(s: fb.System, formulations: Options, backends: list[str]) -> Iterator[tuple[str, list[float]]]:
    """Numbers of everything that equations and analyses compute, by what they are."""
    inputs = dict.fromkeys(s.inputs, 0.1)
    for formulation, options in formulations.items():
        equations = s.derive(formulation, **options)
        q, u = np.linspace(0.1, 0.2, len(equations.q)), np.linspace(0.3, 0.1, len(equations.u))
        for backend in backends:
            f, label = equations.compile(backend), f"{formulation} {backend}"
            u_dot = f.forward_dynamics(q, u)
            yield f"{label} accelerations", numbers(u_dot)
            yield f"{label} outputs", numbers(f.outputs(q, u))
            multipliers = {"multipliers": f.multipliers(q, u)} if s.constraints else {}
            yield f"{label} reactions", numbers(f.reactions(q, u, u_dot, **multipliers))
    rest = s.equilibrium(inputs=inputs)
    yield "equilibrium", [*rest.q.values(), *numbers(rest.outputs)]
    yield "eigenvalues", numbers(np.sort(np.abs(s.linearize(at=rest).eigenvalues)))
    run = s.simulate(0.1, inputs=inputs)
    yield "run", [*numbers(run.x[-1]), *(x for name in s.outputs for x in numbers(run[name][-1]))]


def compare(names: dict[str, list[str]], formulations: Options, backends: list[str]) -> fb.System:
    neutral = {role: [f"{role}_{k}" for k in range(len(some))] for role, some in names.items()}
    s = system(names)
    both = zip(*(results(one, formulations, backends) for one in (s, system(neutral))), strict=True)
    for (what, ours), (_, expected) in both:
        np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-9, err_msg=what)
    return s


def test_an_output_may_have_the_name_of_a_group() -> None:
    """z, q, u … of a system whose programs have buffers of these names."""
    s = compare({"output": GROUPS}, {"kane": {}}, ["numpy"])
    assert set(s.equilibrium(inputs={"drive": 0}).outputs) == {*GROUPS, "angle"}
    assert set(s.derive().to_sympy("outputs")[1]) == {*GROUPS, "angle"}
    assert set(s.derive().compile().outputs(np.zeros(2), np.zeros(2))) == {*GROUPS, "angle"}


def test_elements_may_have_the_names_of_groups() -> None:
    some = iter(GROUPS)
    compare({role: [next(some)] for role in ROLES[1:]} | {"output": [*some]}, {"aba": {}}, ["llvm"])


@pytest.fixture(scope="module")
def buffers() -> list[str]:
    """The names of all buffers of the programs that ``results`` and a rolled derivation make, and reserved ones."""
    names, check = {*assemble.RESERVED, "region", "region1", "case", "time", *GROUPS}, assemble.check

    def record(program: Program) -> Program:
        names.update(b.name for b in program.buffers)
        return check(program)

    with patch.object(assemble, "check", record):
        loop = system({"constraint": ["tie"]})
        dict(results(loop, {"kane": {}, "gauss": {}, "aba": {"rolled": True}}, ["numpy"]))
        loop.assemble({"arm": 0.1})
    return sorted(names)


@pytest.mark.long
@pytest.mark.parametrize("role", ROLES)
def test_names_of_users_never_meet_names_of_buffers(role: str, buffers: list[str], tmp_path: Path) -> None:
    free = []
    for name in buffers:
        try:
            system({role: [name]})
        except ModelError:  # the time, the ground, words of expressions
            continue
        if name.rpartition(".")[0] not in free:  # outputs may be vectors, whose components have such names
            free.append(name)
    most = {"body": 12, "constraint": 24}.get(role, len(free))
    assert len(free) > 50
    formulations: Options = {"kane": {}, "gauss": {}, "aba": {"rolled": True}}
    for some in (free[k : k + most] for k in range(0, len(free), most)):
        s = compare({role: some}, formulations, ["llvm", "c", "numpy"])
        inputs = dict.fromkeys(s.inputs, 0.1)
        s.save(tmp_path / "model.yaml")
        assert fb.load(tmp_path / "model.yaml").freeze().digest == s.freeze().digest
        run = s.simulate(0.1, inputs=inputs)
        run.report(tmp_path / "run.html")
        writers: list[Callable[[], Any]] = [run.to_xarray, run.to_pandas, lambda run=run: run.save(tmp_path / "run.nc")]
        for write in writers:
            write()
        s.sweep(0.05, {"mass": [1.0, 2.0]}, inputs=inputs)
        s.derive().to_c(tmp_path, "outputs")
        for quantity in ("outputs", "reactions"):
            assert s.derive().to_text(quantity) and s.derive().to_latex(quantity) and s.derive().to_sympy(quantity)
