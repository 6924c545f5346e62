"""What users write behind options: numbers, names with values, initial values, choices."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from freebody.api import Equations
from freebody.cli.failure import usage
from freebody.errors import ExpressionError, nearest
from freebody.scalar.graph import Graph
from freebody.scalar.parse import parse


def one_of(option: str, value: str, choices: Sequence[str]) -> str:
    """A value that must be one of a few."""
    if value not in choices:
        raise usage(f"{option}: there is no '{value}'{_meant(value, choices)}; there are {', '.join(choices)}")
    return value


def _meant(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known, 1)
    return f" (did you mean '{near[0]}'?)" if near else ""


def number(text: str, who: str) -> float:
    """A number, or arithmetic that gives one: 0.3, 1e-3, pi/4."""
    try:
        made = float(text)
    except ValueError:
        made = _computed(text, who)
    if not isfinite(made):
        raise usage(f"{who}: {text} is not finite")
    return made


def _computed(text: str, who: str) -> float:
    graph = Graph()
    try:
        found = graph.number(parse(graph, text, {}))
    except ExpressionError as error:
        raise usage(f"{who}: '{text}' is not a number: {error}") from error
    if found is None:
        raise usage(f"{who}: '{text}' is not a number")
    return float(found)


def pairs(option: str, given: Sequence[str], split: Callable[[str, str], tuple[str, str, str]]) -> dict[str, str]:
    """Texts name=value by name."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = (part.strip() for part in split(text, "="))
        if not (name and equals and value):
            raise usage(f"{option} {text}: write {option} name=value")
        if name in found:
            raise usage(f"{option}: '{name}' is given twice")
        found[name] = value
    return found


def parameters(given: Sequence[str]) -> dict[str, float]:
    """``--parameter m=2``."""
    return {n: number(v, f"--parameter {n}") for n, v in pairs("--parameter", given, str.partition).items()}


def inputs(given: Sequence[str], names: Sequence[str], zero: bool) -> dict[str, float | str]:
    """``--input motor="sin(t)"``: numbers and texts; with ``zero``, those that are not given are 0."""
    found: dict[str, float | str] = {n: _law(v) for n, v in pairs("--input", given, str.partition).items()}
    unknown = [n for n in found if n not in names]
    if unknown:
        known = ", ".join(names) or "none"
        raise usage(f"--input: there is no input '{unknown[0]}'{_meant(unknown[0], names)}; there are {known}")
    missing = [n for n in names if n not in found]
    if missing and not zero:
        raise usage(
            f"inputs without a value: {', '.join(missing)}. Give each a number or a law,"
            f" --input {missing[0]}=0 or --input {missing[0]}='sin(t)', or all of them 0 by --zero-inputs"
        )
    return found | dict.fromkeys(missing, 0.0)


def _law(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


# Initial values


def initial(equations: Equations, given: Sequence[str]) -> dict[str, dict[str, Any]]:
    """``--set q.upper=0.3``: values by group (q, u, z) and name; a body's several are separated by commas."""
    known = _places(equations)
    found: dict[str, dict[str, Any]] = {"q": {}, "u": {}, "z": {}}
    for text, value in pairs("--set", given, str.rpartition).items():
        group, name = _place(known, text)
        found[group][name] = _values(value, f"--set {text}")
    return found


def _places(equations: Equations) -> Mapping[str, Sequence[str]]:
    """The names of coordinates, speeds and states; bodies stand for all of theirs."""
    layout, recipes = equations.derivation.layout, [k.described for *_, k in equations.derivation.forest.bodies]
    several = [[r.name for r in recipes if len(r.names[k]) > 1] for k in (0, 1)]
    return {"q": [*layout.q, *several[0]], "u": [*layout.u, *several[1]], "z": layout.z}


def _place(known: Mapping[str, Sequence[str]], text: str) -> tuple[str, str]:
    group, _, name = text.partition(".")
    if name in known.get(group, ()):
        return group, name
    groups = [g for g, names in known.items() if text in names]
    if len(groups) == 1:
        return groups[0], text
    if groups:
        raise usage(f"--set: '{text}' may be {' or '.join(f'{g}.{text}' for g in groups)}; write one of them")
    every = [f"{g}.{n}" for g, names in known.items() for n in names]
    raise usage(f"--set: there is no '{text}'{_meant(text, every)}; there are {', '.join(every)}")


def _values(text: str, who: str) -> float | list[float]:
    parts = text.split(",")
    return number(text, who) if len(parts) == 1 else [number(part, who) for part in parts]
