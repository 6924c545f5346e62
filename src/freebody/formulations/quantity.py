"""The description of a quantity: its name, the arguments of a call, its derivation, its meaning, its method."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from freebody.errors import ArgumentError
from freebody.keywords import misfit
from freebody.program.program import Program

OPTIONAL = ("tau", "t", "z", "inputs", "multipliers")
"""Groups that a call may leave out: tau, t and inputs are then 0, z is its initial value; multipliers only where a
system has none."""


@dataclass(frozen=True)
class Quantity:
    """A function of the state that equations can compute.

    ``derive`` takes the equations and returns the program, or names the function that does, "module:function" (imported
    when it is first needed). ``takes`` are the program's groups that a call takes, in the order of the call: "q", "u",
    "tau", "u_dot", "t", "z", "inputs", or others of its own. A quantity of more than the state has a ``choose``, whose
    parameters are further arguments of a call; it returns the arguments of ``derive`` after the equations, as values
    that can be compared. ``meaning`` describes it in a few words. Those ``listed`` are counted in ``eq.operations`` and
    in reports, and offered by the command line; they take no further arguments.

    ``doc`` is the docstring of its method of compiled functions, ``result`` what the method returns: "array", "dict"
    (by output), "derivatives" (by variable) or "centroidal"; empty if the method is written by hand.
    """

    name: str
    derive: Callable[..., Program] | str
    takes: tuple[str, ...]
    meaning: str = ""
    choose: Callable[..., dict[str, Any]] | None = None
    listed: bool = False
    doc: str = ""
    result: str = "array"

    def program(self, equations: Any, chosen: Mapping[str, Any]) -> Program:
        """Its program, for the values that ``chosen`` returned."""
        if isinstance(self.derive, str):
            module, name = self.derive.split(":")
            program: Program = vars(import_module(module))[name](equations, **chosen)
            return program
        return self.derive(equations, **chosen)

    def chosen(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of ``derive`` for further arguments of a call."""
        if self.choose is None:
            if arguments:
                raise ArgumentError(f"{self.name} takes no '{next(iter(arguments))}', only numbers of the state")
            return {}
        if (wrong := misfit(self.name, self.choose, (), arguments)) is not None:
            raise wrong
        return self.choose(**arguments)

    @cached_property
    def signature(self) -> inspect.Signature:
        """The signature of a call: required groups, further arguments, groups that may be left out; further arguments
        that may all be left out come last."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        last = max((k for k, n in enumerate(self.takes) if n not in OPTIONAL), default=-1)
        needed = [inspect.Parameter(n, kind) for n in self.takes[: last + 1]]
        optional = [inspect.Parameter(n, kind, default=0.0 if n == "t" else None) for n in self.takes[last + 1 :]]
        of_choose = [] if self.choose is None else inspect.signature(self.choose).parameters.values()
        further = [p.replace(annotation=p.empty) for p in of_choose]
        if any(p.default is p.empty for p in further):
            return inspect.Signature([*needed, *further, *optional])
        return inspect.Signature([*needed, *optional, *further])
