"""Bodies, joints and constraints of a system as plain facts, for results and pictures."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from freebody.backends import compile
from freebody.formulations.derivation import Derivation
from freebody.model.body import BodySpec
from freebody.model.css_colors import rgb
from freebody.model.element import values_of
from freebody.model.flexible.mode_table import ModeTable
from freebody.model.shapes import ShapeElement
from freebody.program.assemble import Assembly
from freebody.results import BodyInfo, ConstraintInfo, FlexibleInfo, ModeInfo
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.tree.independence import dependence
from freebody.tree.inertia import link_inertia


def body_infos(e: Derivation, values: Mapping[str, float]) -> tuple[BodyInfo, ...]:
    """The bodies and their joints, parents first, with masses and shapes for these parameters."""
    return e.memo.get("bodies", lambda: BodyTable(e)).infos({n: values[n] for n in e.layout.parameters})


def constraint_infos(e: Derivation) -> tuple[ConstraintInfo, ...]:
    """The constraints, with the multipliers of these equations and the rows that they leave out."""
    model = e.tree.model
    if not model.constraints:
        return ()
    used, rows = e.row_names, dependence(model)
    infos, texts = [], dict[str, list[str]]()
    absent, redundant = dict[str, dict[str, str]](), dict[str, dict[str, str]]()
    for key, text in used.items():
        texts.setdefault(key.constraint, []).append(text)
    for key, text in rows.names.items():
        if key not in used:
            absent.setdefault(key.constraint, {})[text] = rows.reason(key)
    for key, reason in rows.redundant.items():
        redundant.setdefault(key.constraint, {})[rows.names[key]] = reason
    undetermined = [key for keys in e.undetermined_rows for key in keys]
    for name, constraint in model.constraints.items():
        infos.append(
            ConstraintInfo(
                name,
                constraint.kind,
                "" if constraint.joint is None else constraint.joint.kind,
                constraint.bodies(),
                tuple(map(_text, constraint.expressions)),
                tuple(texts.get(name, ())),
                absent.get(name, {}),
                constraint.engaged,
                redundant.get(name, {}),
                tuple(rows.names[key] for key in undetermined if key.constraint == name),
                constraint.summary,
            )
        )
    return tuple(infos)


def _text(value: Any) -> str:
    """An expression of a constraint as a short text; vectors are sums along axes of several frames."""
    text = str(value) if isinstance(value, Expr) else "a vector"
    return text if "\n" not in text else "a longer expression"


class BodyTable:
    """The bodies of equations, and a compiled function of the parameters for their masses and the sizes of their
    shapes."""

    def __init__(self, e: Derivation) -> None:
        self.bodies, self.shapes, nodes = e.tree.bodies, list[ShapeTemplate | None](), list[Node]()
        for *_, link in self.bodies:
            nodes.append(link_inertia(link).m)
            shape = link.body.spec.shape
            self.shapes.append(None if shape is None else ShapeTemplate(e, shape, nodes))
        a = Assembly("facts", e.graph, {"parameters": e.groups()["parameters"]})
        a.output("numbers", nodes)
        self.numbers = compile(a.program(), "numpy", staged=False)
        self._last: tuple[dict[str, float], tuple[BodyInfo, ...]] | None = None

    def infos(self, values: Mapping[str, float]) -> tuple[BodyInfo, ...]:
        if self._last is None or self._last[0] != values:
            row = self.numbers(list(values.values())) if values else self.numbers()
            numbers, infos = iter(np.asarray(row).tolist()), list[BodyInfo]()
            for stages, template in zip(self.bodies, self.shapes, strict=True):
                body, prescribed = stages[-1].body, list[str]()
                spec = body.spec.described
                for stage in stages:
                    if stage.body.coupling is None:
                        driven = zip(stage.body.spec.names[0], stage.body.is_driven, strict=False)
                        prescribed += [name for name, moved in driven if moved]
                limits, mass = spec.joint.limits, next(numbers)
                infos.append(
                    BodyInfo(
                        spec.name,
                        spec.parent,
                        spec.joint.kind,
                        spec.names[0],
                        spec.names[1],
                        tuple(prescribed),
                        mass,
                        None if limits is None else (float(limits[0]), float(limits[1])),
                        None if template is None else template.facts(numbers),
                        "" if body.coupling is None else str(body.q[0]),
                        _flexible_info(spec),
                    )
                )
            self._last = dict(values), tuple(infos)
        return self._last[1]


def _flexible_info(spec: BodySpec) -> FlexibleInfo | None:
    """The modes of a flexible body as plain facts."""
    if spec.modal is None or spec.flexible is None:
        return None
    data, names = spec.modal.data, spec.names[0][len(spec.names[0]) - spec.modal.data.n :]
    table = ModeTable.of_body(names, data)
    modes = tuple(
        ModeInfo(name, mode.label, mode.frequency, mode.damping, tuple(mode.effective_mass.tolist()))
        for name, mode in zip(table.names, table, strict=True)
    )
    return FlexibleInfo(spec.flexible.kind, spec.order, names, tuple(data.nodes), modes)


class ShapeTemplate:
    """The shape of a body with ``...`` in place of its numbers, whose nodes are appended in the same order."""

    def __init__(self, e: Derivation, shape: Any, nodes: list[Node]) -> None:
        def template(value: Any) -> Any:
            if value is None or isinstance(value, str):
                return value
            if isinstance(value, np.ndarray):
                return value.tolist()
            if isinstance(value, tuple | list):
                return [template(one) for one in value]
            nodes.append(e.tree.placed.scalar(value).handle)
            return ...

        self.is_group, self.parts = isinstance(shape, tuple), list[tuple[type[ShapeElement], dict[str, Any]]]()
        for one in shape if self.is_group else (shape,):
            fields = {
                field.name: template(rgb(value) if field.name == "color" and value else value)
                for field, value in values_of(one)
            }
            self.parts.append((type(one), {"kind": one.kind, **fields}))

    def facts(self, numbers: Iterator[float]) -> Mapping[str, Any]:
        """The facts with these numbers; several shapes are a group."""
        parts = [shape.drawn(_fill(fields, numbers)) for shape, fields in self.parts]
        return {"kind": "group", "parts": parts} if self.is_group else parts[0]


def _fill(template: Any, numbers: Iterator[float]) -> Any:
    """A template with its numbers."""
    if template is ...:
        return next(numbers)
    if isinstance(template, dict):
        return {name: _fill(value, numbers) for name, value in template.items()}
    return [_fill(value, numbers) for value in template] if isinstance(template, list) else template
