"""Components: parts of a system that are added again and again, with names under a prefix: ``front left.knee``.

While a component is open, what is added gets its prefix, and names mean elements of the component first, then those of
the component around it, then those of the system."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from freebody.errors import ModelError
from freebody.keywords import keyword_hints
from freebody.model.accelerations import NameTable
from freebody.model.placed import SystemScope
from freebody.model.structure_names import StructureName, is_structure
from freebody.names import CAPTURED, CONTACT, ENGAGED, GRIPPING, MULTIPLIER, SLIPPING, STOP, U_DOT, Q, U
from freebody.scalar.node import Node

if TYPE_CHECKING:
    from freebody.model.builder import ModelBuilder

P = ParamSpec("P")
R = TypeVar("R")
GROUPS = (
    *(group("") for group in (Q, U, U_DOT, MULTIPLIER, ENGAGED, CAPTURED, GRIPPING, SLIPPING, CONTACT, STOP)),
    "reaction.",
)
"""Prefixes of names of variables, which stand before that of a component: "q.front left.knee"."""


class Prefixes:
    """The prefixes of the components that are open, the innermost first."""

    def __init__(self) -> None:
        self.open: list[str] = []

    def __repr__(self) -> str:
        return f"<prefixes: {', '.join(self.open) or 'none'}>"

    @property
    def innermost(self) -> str:
        return self.open[0] if self.open else ""

    def absolute(self, name: str) -> str:
        """The name of something that is added."""
        return self.innermost + name

    def candidates(self, name: str) -> Sequence[str]:
        """What a name of an element may mean, the nearest first."""
        return [*(prefix + name for prefix in self.open), name] if self.open else (name,)

    def variables(self, name: str) -> Iterator[str]:
        """What a name in a text may mean, the nearest first."""
        group = next((g for g in GROUPS if name.startswith(g)), "")
        for prefix in self.open:
            yield prefix + name
            if group:
                yield group + prefix + name.removeprefix(group)
        yield name


class RelativeNames(Mapping[str, Node]):
    """The names that texts may use, those of open components by their names inside too. ``is_output`` says whether a
    name is that of an output, at the time when it is looked up."""

    def __init__(self, names: NameTable, prefixes: Prefixes, is_output: Callable[[str], bool]) -> None:
        self.names, self.prefixes, self.graph, self.is_output = names, prefixes, names.graph, is_output

    def __repr__(self) -> str:
        return repr(self.names)

    def __getitem__(self, name: str) -> Node:
        if self.prefixes.open and is_structure(name):
            return self.names[self._structure(name)]
        for one in self.prefixes.variables(name) if self.prefixes.open else ():
            node = self.names.get(one)
            if node is not None:
                return node
        return self.names[name]

    def _structure(self, name: str) -> str:
        """An entry of the equations of motion, "jacobian(tip.x, arm)", with the full names of its output and speeds."""
        entry, speeds = StructureName.of(name), {n for spec in self.names.specs() for n in spec.names[1]}

        def nearest(name: str, is_known: Callable[[str], bool]) -> str:
            return next(filter(is_known, self.prefixes.candidates(name)), name)

        def holds(name: str) -> bool:  # an output, or a component of one
            return self.is_output(name) or self.is_output(name.rpartition(".")[0])

        parts = [nearest(entry.output, holds)] if entry.output else []
        parts += [nearest(speed, speeds.__contains__) for speed in entry.speeds]
        return f"{entry.what}({', '.join(parts)})"

    def __iter__(self) -> Iterator[str]:
        prefix = self.prefixes.innermost
        if prefix:
            yield from (name.replace(prefix, "", 1) for name in self.names if prefix in name)
        yield from self.names

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Component:
    """``with s.component("front left"): …``: what is added inside has this prefix."""

    def __init__(self, system: "ModelBuilder", name: str) -> None:
        if not isinstance(name, str) or not name.strip() or name != name.strip() or not name.isprintable():
            raise ModelError(f"the name of a component is text such as 'front left', not {name!r}"[:300])
        if name.startswith(".") or name.endswith("."):
            raise ModelError(f"'{name}' cannot be the name of a component: a dot is added behind it; leave it out")
        self.system, self.name = system, name

    def __repr__(self) -> str:
        return f"<component {self.name}>"

    def __enter__(self) -> str:
        """The name of the component in the system."""
        prefixes = self.system.prefixes
        full = prefixes.absolute(self.name)
        prefixes.open.insert(0, full + ".")
        self.scope, self.system.scope = self.system.scope, SystemScope(self.system)
        return full

    def __exit__(self, *error: object) -> None:
        self.system.prefixes.open.pop(0)
        self.system.scope = self.scope


@keyword_hints
def component(function: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, str, P], R]:
    """A function that adds a part of a system, to be called with the system and the name of the part::

        @fb.component
        def leg(s, on, length=0.3):
            thigh = s.body("thigh", on=on, joint=fb.Revolute("y"), mass=1.0, com=(0, 0, -length / 2))
            return s.body("shank", on=thigh, at=(0, 0, -length), joint=fb.Revolute("y"), mass=0.5)

        leg(s, "front left", on=base)

    Its elements are called ``front left.thigh`` and so on; inside the function texts and names of bodies mean them
    first (``"q.thigh"``).
    """
    title = getattr(function, "__name__", "component")

    @wraps(function)
    def add(system: Any, name: str, *values: P.args, **named: P.kwargs) -> R:
        from freebody.model.builder import ModelBuilder

        if not isinstance(system, ModelBuilder):
            raise ModelError(
                f"{title} is called with a system and a name: {title}(s, 'left', …), not with {system!r}"[:300]
            )
        with system.component(name):
            return function(system, *values, **named)

    return cast("Callable[Concatenate[Any, str, P], R]", add)
