"""A quantity describes itself once: its name, what a call takes, how its program is derived, what it is."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from freebody.errors import ArgumentError
from freebody.program.program import Program

OPTIONAL = ("tau", "t", "z", "inputs")
"""Groups that a call may leave out: tau, t and inputs are then 0, z is its initial value."""


@dataclass(frozen=True)
class Quantity:
    """A function of the state that equations have.

    ``derive`` takes the equations and makes the program, or says which function does, "module:function" (imported when
    it is first needed). ``takes`` are the program's groups that a call takes, in the order of the call: "q", "u",
    "tau", "u_dot", "t", "z", "inputs", or others of its own. A quantity of more than the state has a ``choose``, whose
    parameters are further arguments of a call; it returns what ``derive`` takes beside the equations, as values that
    can be compared. ``meaning`` says in a few words what it is. Those ``listed`` are counted in ``eq.operations`` and
    in reports, and offered by the command line; they take no further arguments.
    """

    name: str
    derive: Callable[..., Program] | str
    takes: tuple[str, ...]
    meaning: str = ""
    choose: Callable[..., dict[str, Any]] | None = None
    listed: bool = False

    def program(self, equations: Any, chosen: Mapping[str, Any]) -> Program:
        """Its program."""
        if isinstance(self.derive, str):
            module, name = self.derive.split(":")
            made: Program = vars(import_module(module))[name](equations, **chosen)
            return made
        return self.derive(equations, **chosen)

    def chosen(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What further arguments of a call choose."""
        if self.choose is None:
            if arguments:
                raise ArgumentError(f"{self.name} takes no '{next(iter(arguments))}', only numbers of the state")
            return {}
        try:
            inspect.signature(self.choose).bind(**arguments)
        except TypeError as error:
            raise ArgumentError(f"{self.name}: {error}") from None
        return self.choose(**arguments)

    @cached_property
    def signature(self) -> inspect.Signature:
        """That of a call: groups that must be given, further arguments, groups that may be left out."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        needed = [inspect.Parameter(n, kind) for n in self.takes if n not in OPTIONAL]
        further = [] if self.choose is None else list(inspect.signature(self.choose).parameters.values())
        rest = [inspect.Parameter(n, kind, default=0.0 if n == "t" else None) for n in self.takes if n in OPTIONAL]
        plain = [p.replace(annotation=p.empty) for p in (*needed, *further, *rest)]
        return inspect.Signature(sorted(plain, key=lambda p: p.default is not p.empty))
