"""Joints one after another as one joint, without bodies between them (Kwatny & Blankenship 1995, II.D)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Any, ClassVar, Self

import numpy as np

from freebody.errors import ModelError
from freebody.model.element import Given, MemberOf, check_fields, field, values_of
from freebody.model.joints.base import JOINTS, Array, Joint, MotionGroup, Placement, check_names, zero_vector
from freebody.model.joints.simple import Simple, six_rows
from freebody.model.kinds import ListOf, NameList
from freebody.numeric import as_integer
from freebody.scalar.expr import Expr
from freebody.scalar.node import Node
from freebody.spatial.frame import Frame


@dataclass(frozen=True, init=False)
class Compound(Joint):
    """``parts`` are joints, or the six entries of a column; the first is nearest to the child. q and u are those of the
    parts in this order: ε = (ε₁, …), β = (β₁, …), q̇ = diag(Γᵢ) β (Eq 25), λ = λ_p ⋯ λ₁ (Eq 26), and the map H(ε) of
    Prop. 3. Options such as stiffness and damping are given for the compound joint, not for its parts."""

    parts: Given[Sequence[Joint]] = field(
        ListOf(MemberOf(JOINTS)), "joints or columns, the first nearest to the child", default=()
    )
    coordinates: Given[str | Sequence[str] | None] = field(
        NameList(), "names of the coordinates", default=None, idle=True
    )
    speeds: Given[str | Sequence[str] | None] = field(NameList(), "names of the speeds", default=None, idle=True)
    kind: ClassVar[str] = "compound"
    composed: ClassVar[bool] = True

    def __init__(self, *parts: Any, **options: Any) -> None:
        options = {"parts": parts, **options}
        unknown = [k for k in options if k not in {f.name for f in fields(self)}]
        if unknown:
            raise TypeError(f"a compound joint has no option '{unknown[0]}'")
        for f in fields(self):
            object.__setattr__(self, f.name, options.get(f.name, f.default))
        object.__setattr__(self, "parts", tuple(map(_part, self.parts)))
        self.separate_motions()
        check_fields(self)
        if not self.parts:
            raise ModelError("a compound joint needs at least one part")
        if any(p.coordinates is None for p in self.parts):
            return  # a map of texts has names when these are expressions
        q = check_names(self.coordinates, self._default_names(0), "a compound joint: names of coordinates")
        default = q if self.rates else self._default_names(1)
        u = check_names(self.speeds, default, "a compound joint: names of speeds")
        object.__setattr__(self, "coordinates", q)
        object.__setattr__(self, "speeds", u)

    def _default_names(self, index: int) -> tuple[str, ...]:
        """The names that the parts give their coordinates (0) or speeds (1) if they are unique, otherwise a letter and
        a number."""
        names = [n for part in self.parts for n in (part.speeds if index else part.coordinates)]
        if len(names) == 1:
            return ("",)
        rotation, translation = "wv" if index else "as"
        units = self.units[index]
        numbered = [f"{rotation if 'rad' in unit else translation}{k + 1}" for k, unit in enumerate(units)]
        unique = [bool(n) and names.count(n) == 1 and n not in numbered for n in names]
        return tuple(n if one else k for n, one, k in zip(names, unique, numbered, strict=True))

    @classmethod
    def of(cls, H: Any, r: Sequence[int], **options: Any) -> "Compound":
        """From the maps of its simple parts side by side and their numbers of columns, as in the paper."""
        rows = six_rows(H, "a compound joint's map H")
        if not isinstance(r, Sequence) or any(as_integer(n) is None for n in r):
            raise ModelError(f"r is the number of columns of H for each part, such as (1, 2), not {r!r}")
        if sum(r) != len(rows[0]) or any(n < 1 for n in r):
            raise ModelError(f"H has {len(rows[0])} columns, but r = {tuple(r)} has the sum {sum(r)}")
        ends = accumulate(r)
        pieces = [[row[end - n : end] for row in rows] for n, end in zip(r, ends, strict=True)]
        return cls(*(Simple(H=piece) for piece in pieces), **options)

    def defaults(self) -> dict[str, Any]:
        plain = replace(self, coordinates=None, speeds=None)
        return {**super().defaults(), "coordinates": plain.coordinates, "speeds": plain.speeds}

    @property
    def rates(self) -> bool:
        return all(part.rates for part in self.parts)

    @property
    def units(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        q, u = (tuple(unit for part in self.parts for unit in part.units[k]) for k in (0, 1))
        return q, u

    @property
    def zero(self) -> tuple[float, ...]:
        return tuple(x for part in self.parts for x in part.zero)

    @property
    def quaternions(self) -> tuple[int, ...]:
        return tuple(q.start + k for part, q, _ in self._slices() for k in part.quaternions)

    @property
    def motion_groups(self) -> tuple[MotionGroup, ...]:
        """Those of the parts; none where a part has none."""
        groups = list[MotionGroup]()
        for part, q, u in self._slices():
            if not part.motion_groups:
                return ()
            for group in part.motion_groups:
                of_q, of_u = (
                    slice(start.start + own.start, start.start + own.stop)
                    for start, own in ((q, group.coordinates), (u, group.speeds))
                )
                groups.append(MotionGroup(of_q, of_u, group.rates))
        return tuple(groups)

    def _slices(self) -> Iterator[tuple[Joint, slice, slice]]:
        """The parts with the slices of their coordinates and of their speeds."""
        i = j = 0
        for part in self.parts:
            q, u = (len(units) for units in part.units)
            yield part, slice(i, i + q), slice(j, j + u)
            i, j = i + q, j + u

    def place(self, parent: Frame, name: str, q: Sequence[Node], u: Sequence[Node]) -> Placement:
        g = parent.graph
        p = Placement(parent, zero_vector(g), [], [], zero_vector(g), zero_vector(g), [])
        indices_q, indices_u = list[int](), list[int]()  # of the rates and of the columns in p
        for k, (part, part_q, part_u) in reversed(list(enumerate(self._slices()))):
            inner = part.place(p.frame, name + "'" * k, q[part_q], u[part_u])
            indices_q.extend(range(part_q.start, part_q.stop))
            indices_u.extend(range(part_u.start, part_u.stop))
            p = p.then(inner, [u[i] for i in indices_u])
        order_q, order_u = (sorted(range(len(i)), key=i.__getitem__) for i in (indices_q, indices_u))
        turns, slides = [p.turns[k] for k in order_u], [p.slides[k] for k in order_u]
        q_dot = [p.q_dot[k] for k in order_q]
        return Placement(p.frame, p.position, turns, slides, p.turn_remainder, p.slide_remainder, q_dot)

    def with_numbers(self, parameters: Mapping[str, float]) -> Self:
        return replace(self, parts=tuple(part.with_numbers(parameters) for part in self.parts))

    def normalise(self, q: Array) -> Array:
        return self._each(lambda part, i, _: part.normalise(q[i]))

    def integrate(self, q: Array, delta: Array) -> Array:
        return self._each(lambda part, i, j: part.integrate(q[i], delta[j]))

    def difference(self, start: Array, end: Array) -> Array:
        return self._each(lambda part, i, _: part.difference(start[i], end[i]))

    def sample(self, numbers: Array) -> Array:
        return self._each(lambda part, _, j: part.sample(numbers[j]))

    def _each(self, function: Callable[[Joint, slice, slice], Array]) -> Array:
        return np.concatenate([np.asarray(function(*part)) for part in self._slices()])


def _part(given: Any) -> Joint:
    joint = given if isinstance(given, Joint) else Simple(H=given)
    defaults = {f.name: f.default for f in fields(Joint)}
    for f, value in values_of(joint):
        if f.name not in defaults or value is defaults[f.name]:
            continue
        if isinstance(value, Expr) or value != defaults[f.name]:
            raise ModelError(f"a part of a compound joint cannot have {f.name}; give {f.name} to the compound joint")
    return joint
