"""Calls with misspelt or foreign arguments: every public function names itself, the argument, and those it may mean."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import freebody as fb
from freebody.api.compiled import METHODS
from freebody.errors import ArgumentError, FreebodyError
from freebody.io.readers import READERS
from freebody.keywords import MEANINGS, KeywordError, keyword_hints
from freebody.model.element import Element, constructor_names
from freebody.papers.matrices import Matrix
from freebody.quantities import QUANTITIES

FOREIGN = "zzyzx"
TAKES_ANY_NAME = {"parameters", "states", "add_together"}
"""Methods whose keywords are names of the user's."""
IGNORED = {"index", "make_node"}
"""Attributes that are not methods of the class."""


def _system() -> fb.System:
    s = fb.System("arm")
    s.parameter("m", 1.0)
    s.body("a", joint="revolute", mass="m", inertia=(1, 1, 1))
    return s


S = _system()
EQUATIONS = S.derive()
RUN = EQUATIONS.simulate(0.01)
OWNERS = {
    "System": S, "Equations": EQUATIONS, "Trajectory": RUN, "Compiled": EQUATIONS.compile("numpy"),
    "LLVM": EQUATIONS.compile(), "Body": S.bodies["a"], "Matrix": EQUATIONS.matrices().M,
    "Layout": fb.layout(S, "mujoco"), "MatrixEquations": EQUATIONS.matrices(),
}  # fmt: skip
UR5 = Path(__file__).parents[1] / "examples" / "robots" / "ur5.urdf"
POSE = (("pose",), "body")
FORWARDED = {
    "load": ((UR5,), "floating"), "System.view": ((), "meshes"), "Equations.compile": ((), "parameters"),
    "Compiled.function": POSE, "LLVM.function": POSE, "Equations.program": POSE, "Equations.count": POSE,
}  # fmt: skip
"""Functions that pass options on: valid arguments, and an option to misspell."""


def _callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in fb.__all__:
        value = getattr(fb, name)
        if callable(value) and not (inspect.isclass(value) and issubclass(value, BaseException | Matrix | tuple)):
            yield name, value
    for owner, value in OWNERS.items():
        for name in dir(type(value)):
            kind = inspect.getattr_static(value, name)
            if name.startswith("_") or name in IGNORED:
                continue
            if not hasattr(kind, "fget") and inspect.isroutine(getattr(value, name)):
                yield f"{owner}.{name}", getattr(value, name)
    for owner in ("Compiled", "LLVM"):
        yield from ((f"{owner}.{n}", getattr(OWNERS[owner], n)) for n in QUANTITIES if n not in METHODS)


CALLABLES = {
    name: f for name, f in _callables() if name.rpartition(".")[2] not in TAKES_ANY_NAME and name != "Matrix.count"
}


def _known(name: str, function: Callable[..., Any]) -> list[str]:
    """The arguments of a function that can be passed by name."""
    if inspect.isclass(function) and issubclass(function, Element):
        return constructor_names(function)
    if name.startswith("System.") and hasattr(EQUATIONS, name[7:]):
        function = getattr(EQUATIONS, name[7:])
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def _message(function: Callable[..., Any], *values: Any, **named: Any) -> str:
    with pytest.raises((FreebodyError, KeywordError)) as error:
        function(*values, **named)
    return str(error.value)


@pytest.mark.parametrize("name", CALLABLES)
def test_every_public_function_names_arguments_that_it_does_not_have(name: str) -> None:
    function, context = CALLABLES[name], name.rpartition(".")[2]
    values, _ = FORWARDED.get(name, ((), ""))
    parameters = inspect.signature(function).parameters.values()
    passes_on = any(p.kind is p.VAR_KEYWORD for p in parameters) or name.startswith(("LLVM.", "Compiled."))
    text = _message(function, *values, **{FOREIGN: 1})
    if values or not passes_on:
        assert FOREIGN in text, text
    if name not in FORWARDED:
        assert f"{context}()" in text, text


@pytest.mark.parametrize("name", CALLABLES)
def test_misspelt_arguments_get_the_right_ones(name: str) -> None:
    function = CALLABLES[name]
    values, option = FORWARDED.get(name, ((), ""))
    for right in [option] if option else [k for k in _known(name, function) if len(k) > 3 and k != "threads"]:
        wrong = right[:-2] + right[-1] + right[-2] + ("e" if right[-2] == right[-1] else "")
        text = _message(function, *values, **{wrong: 1})
        assert wrong in text and right in text.partition(wrong)[2] and "id you mean" in text, (wrong, text)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: fb.Revolute(dampening=1), r"^Revolute\(\) has no argument 'dampening'\. Did you mean damping\?$"),
    (lambda: S.simulate(until=1), r"^simulate\(\) has no argument 'until'\. Did you mean end\?$"),
    (lambda: S.simulate(t_end=1), "'t_end'. Did you mean end?"), (lambda: S.simulate(tf=1), "'tf'. Did you mean end?"),
    (lambda: S.simulate(tspan=(0, 1)), "'tspan'. Did you mean end?"),
    (lambda: EQUATIONS.simulate(1, tol=1e-6), "'tol'. Did you mean rtol or atol?"),
    (lambda: S.simulate(1, x0=[0, 0]), "'x0'. Did you mean q or u or z?"),
    (lambda: S.simulate(1, dt=0.1), "'dt'. Did you mean step or max_step?"),
    (lambda: S.simulate(1, solver="rk4"), "'solver'. Did you mean method?"),
    (lambda: S.derive(method="kane"), "'method'. Did you mean formulation or solver?"),
    (lambda: S.body("b", parent="a"), "'parent'. Did you mean on?"),
    (lambda: S.body("b", pos=(0, 0, 0)), "'pos'. Did you mean at?"),
    (lambda: S.spring("a", "ground", k=3), "'k'. Did you mean stiffness?"),
    (lambda: fb.Prismatic(k=3), "'k'. Did you mean stiffness?"),
    (lambda: fb.Compound("x", stifness=3), "'stifness'. Did you mean stiffness?"),
    (lambda: EQUATIONS.compile(params={"m": 1}), "'params'; its options: width, level, chunk, cache. Did you mean par"),
    (lambda: S.view(live=True, dt=0.1), "'dt' (did you mean step or max_step?)"),
    (lambda: S.simulate(), "simulate(): missing a required argument: 'end'; write simulate(end, …)"),
    (lambda: fb.Box(1, 2), "Box(): missing a required argument: 'z'; write Box(x, y, z, …)"),
    (lambda: fb.rod(1), "rod(): missing a required argument: 'length'; write rod(m, length, …)"),
    (lambda: fb.Event("t", None, *range(20)), "Event(): too many positional arguments; write Event(when, dir"),
])  # fmt: skip
def test_usual_names_of_the_field_lead_to_those_of_freebody(call: Any, message: str) -> None:
    with pytest.raises((TypeError, ArgumentError, FreebodyError)) as error:
        call()
    if message.startswith("^"):
        assert error.match(message)
        assert isinstance(error.value, TypeError) and isinstance(error.value, ArgumentError)
    else:
        assert message in str(error.value)


def test_meanings_are_of_arguments_that_exist() -> None:
    every = {name for key, function in CALLABLES.items() for name in _known(key, function)}
    assert not [name for name in MEANINGS if name not in {*every, *READERS[".urdf"].options}]


def test_errors_of_types_inside_a_function_stay_as_they_are() -> None:
    @keyword_hints
    def fails(x: Any) -> Any:
        return x + "text"

    with pytest.raises(TypeError, match="unsupported operand") as error:
        fails(1)
    assert not isinstance(error.value, KeywordError)
