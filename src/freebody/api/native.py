"""Methods of compiled functions that are builtins where the backend has one (`backends.llvm.method`)."""

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from freebody.backends.llvm.method import Code

Function = TypeVar("Function", bound=Callable[..., Any])


def native(method: Function) -> Function:
    """A method, named after its quantity, that is a builtin on instances.

    Its first parameters are groups of the quantity's program. Calls with float64 arrays go straight to the compiled
    code; all others, and the first ones, to the method.
    """
    return cast(Function, _Native(method))


def native_dict(method: Function) -> Function:
    """The same for a method that always returns a dict, also of a single array."""
    return cast(Function, _Native(method, single=False))


class _Native:
    """A descriptor, as functions are: on an instance it makes the builtin, which then stands there in its place."""

    def __init__(self, method: Callable[..., Any], single: bool = True) -> None:
        self.method, self.single = method, single
        self.__doc__ = method.__doc__
        given = list(inspect.signature(method).parameters.values())[1:]
        self.signature = _shown(given)
        self.names = [p.name for p in given if p.kind is not p.VAR_KEYWORD]
        self.required = [p.name for p in given if p.default is p.empty and p.kind is not p.VAR_KEYWORD]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self.method
        bound, name = self.method.__get__(instance, owner), self.method.__name__
        if instance.backend != "llvm":
            return bound
        code = partial(instance._code, name, None, self.required, self.single)
        made = builtin(bound, code, name, self.names, self.signature)
        if inspect.getattr_static(type(instance), name) is self:  # not where a subclass has a method of its own
            instance.__dict__[name] = made
        return made


def builtin(
    method: Callable[..., Any], code: "Callable[[], Code | None]", name: str, names: list[str],
    signature: inspect.Signature,
) -> Callable[..., Any]:  # fmt: skip
    """The method as a builtin that turns to what was compiled for it as soon as there is something; the method itself
    where there are no builtins."""
    from freebody.backends.llvm import method as native

    if not native.available():
        return method

    def slow(*given: Any, **named: Any) -> Any:
        result = method(*given, **named)
        if table.connected:
            table.refresh()
        elif (found := code()) is not None:
            table.connect(names, found)
        return result

    made: Callable[..., Any]
    made, table = native.builtin(slow, name, signature, inspect.getdoc(method) or "")
    return made


def _shown(parameters: list[inspect.Parameter]) -> inspect.Signature:
    """As ``help`` shows it: without types, the options of every call by name."""
    plain = [p.replace(annotation=p.empty) for p in parameters if p.kind is not p.VAR_KEYWORD]
    if len(plain) < len(parameters):
        kind = inspect.Parameter.KEYWORD_ONLY
        plain += [inspect.Parameter("out", kind, default=None), inspect.Parameter("threads", kind, default=1)]
    return inspect.Signature(plain)
