"""Methods of ``Compiled`` as builtins, where the backend has them (`backends.llvm.method`)."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from freebody.keywords import keyword_hints
from freebody.once import once

if TYPE_CHECKING:
    from freebody.backends.llvm.method import Described, Installed, MethodCode

Function = TypeVar("Function", bound=Callable[..., Any])

SLOT = "_methods"
"""The slot of an instance for the tables of its builtins."""

WRITTEN: dict[str, tuple[Callable[..., Any], bool]] = {}
"""Methods in Python that become builtins, by name, which is that of their quantity; and whether they return an array
where the quantity has a single one, not a dict."""


def native(method: Function) -> Function:
    """A method, named after its quantity, that becomes a builtin.

    Its first parameters are groups of the quantity's program. Calls with float64 arrays go straight to the compiled
    code; all others, and the first ones, to the method.
    """
    return _written(method, True)


def native_dict(method: Function) -> Function:
    """The same for a method that always returns a dict, also of a single array."""
    return _written(method, False)


def _written(method: Function, single: bool) -> Function:
    new = cast(Function, keyword_hints(method))
    WRITTEN[method.__name__] = (new, single)
    return new


@once
def install(owner: type) -> "Installed | None":
    """Replace the methods of a class marked with `native` by builtins; None where there are no builtins."""
    from freebody.backends.llvm import method as backend

    if not backend.available():
        return None
    return backend.Installed(owner, SLOT, [_described(k, *written) for k, written in enumerate(WRITTEN.values())])


def _described(k: int, method: Callable[..., Any], single: bool) -> "Described":
    """The k-th method of instances that have the installed tables in their slot."""
    from freebody.backends.llvm.method import Described

    name, every = method.__name__, list(inspect.signature(method).parameters.values())[1:]
    parameters = [p.replace(annotation=p.empty) for p in every if p.kind is not p.VAR_KEYWORD]
    names, required = [p.name for p in parameters], [p.name for p in parameters if p.default is p.empty]

    def slow(self: Any, *values: Any, **named: Any) -> Any:
        result = method(self, *values, **named)
        if self.backend == "llvm":
            self._methods.connect(k, names, partial(self._code, name, None, required, single))
        return result

    if len(parameters) < len(every):  # options of every call, by name
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters += [inspect.Parameter("out", kind, default=None), inspect.Parameter("threads", kind, default=1)]
    signature = str(inspect.Signature(parameters)).replace("(", "($self, " if parameters else "($self", 1)
    return Described(slow, name, signature, inspect.getdoc(method) or "")


def builtin(
    method: Callable[..., Any],
    code: "Callable[[], MethodCode | None]",
    name: str,
    names: list[str],
    signature: inspect.Signature,
) -> Callable[..., Any]:
    """The method as a builtin that calls the compiled code once there is some; the method itself where there are no
    builtins."""
    from freebody.backends.llvm import method as backend

    if not backend.available():
        return method

    def slow(*values: Any, **named: Any) -> Any:
        result = method(*values, **named)
        methods.connect(0, names, code)
        return result

    function, methods = backend.builtin(backend.Described(slow, name, str(signature), inspect.getdoc(method) or ""))
    return function
