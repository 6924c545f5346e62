"""The methods of compiled functions as Python source, generated from the table of quantities.

    python docs/make_methods.py > src/freebody/api/quantity_methods.py

The methods of the few quantities that do more than the table says (``result=""``) are in `api/compiled.py`.
"""

import inspect
from collections.abc import Sequence
from textwrap import fill

from freebody.formulations.quantity import Quantity
from freebody.quantities import QUANTITIES

HEAD = '''\
"""Methods of compiled functions, one for each quantity. Generated from the table of quantities: do not edit.

    python docs/make_methods.py > src/freebody/api/quantity_methods.py
"""

from collections.abc import Sequence
from typing import Any, Unpack

from numpy.typing import ArrayLike

from freebody.api.native import native, native_dict
from freebody.api.quantities import Array, CallOptions, Centroidal, QuantityCalls
from freebody.keywords import hint_keywords


@hint_keywords
class QuantityMethods(QuantityCalls):
    """Functions of the state, each compiled at its first call.

    All take one state, or arrays with a leading batch axis, and the options ``out`` and ``threads``. Spatial vectors
    have their angular part first. A point is a body (itself or its name) and a position ``at`` along its axes (numbers,
    or texts of parameters); ``frame`` are the axes of the components: "ground", "body" (its own) or another body.
    """
'''
RESULTS = {
    "array": ("Array", "self._array({})", "native"),
    "dict": ("dict[str, Array]", "self._dict({})", "native_dict"),
    "derivatives": ("dict[str, Array]", "self._by_variable({})", "native_dict"),
    "centroidal": ("Centroidal", "Centroidal(**self._dict({}))", ""),
}
"""By the ``result`` of a quantity: the type that its method returns, the call, and the decorator of a builtin."""

WIDTH = 120


def source() -> str:
    """The module of all methods."""
    return HEAD + "".join(f"\n{_method(q)}" for q in QUANTITIES.values() if q.result)


def _method(q: Quantity) -> str:
    returned, call, decorator = RESULTS[q.result]
    chosen = list(inspect.signature(q.choose).parameters) if q.choose is not None else []
    groups = (_parameter(p, q) for p in q.signature.parameters.values())
    parameters = ["self", *groups, "**options: Unpack[CallOptions]"]
    only_last = list(q.signature.parameters)[: len(q.takes)] == list(q.takes)  # further arguments come after the groups
    lines = [f"    @{decorator}"] if decorator and (not chosen or (only_last and q.result == "derivatives")) else []
    if len(head := f"    def {q.name}({', '.join(parameters)}) -> {returned}:") > WIDTH:
        wrapped = fill(", ".join(p.replace(" ", "\0") for p in parameters) + ",", WIDTH - 8).replace("\0", " ")
        lines += [f"    def {q.name}(", *(f"        {line}" for line in wrapped.split("\n"))]
        head = f"    ) -> {returned}:"
    lines += [head, fill(f'"""{q.doc}"""', WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)]
    numbers, arguments = _dict(q.takes), f", {_dict(chosen)}" if chosen else ""
    body = call.format(f'"{q.name}", {numbers}{arguments}, **options')
    if len(body) > WIDTH - len("        return "):
        lines.append(f"        groups = {numbers}")
        body = call.format(f'"{q.name}", groups{arguments}, **options')
    return "\n".join([*lines, f"        return {body}", ""])


def _dict(names: Sequence[str]) -> str:
    return "{" + ", ".join(f'"{n}": {n}' for n in names) + "}"


def _parameter(p: inspect.Parameter, q: Quantity) -> str:
    """A parameter with its type and default."""
    further = {} if q.choose is None else inspect.signature(q.choose).parameters
    if p.name in further:
        return str(further[p.name]).replace("collections.abc.", "").replace("typing.", "").replace("'", '"')
    optional = p.default is None or p.name == "u_dot"
    default = "" if p.default is p.empty else f" = {p.default}"
    return f"{p.name}: ArrayLike{' | None' if optional else ''}{default}"


if __name__ == "__main__":
    print(source(), end="")
