"""Joints one after another as one joint, without bodies in between (Kwatny & Blankenship 1995, II.D)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np

from freebody.errors import ModelError
from freebody.model.element import MemberOf, field, values_of
from freebody.model.joints.base import JOINTS, Joint, Numbers, Placement, chosen, nothing
from freebody.model.joints.column import composed, ordered
from freebody.model.joints.simple import Simple, six_rows
from freebody.model.kinds import ListOf, NameList
from freebody.spatial.frame import Frame


@dataclass(frozen=True, init=False)
class Compound(Joint):
    """``parts`` are joints, or the six entries of a column; the first is nearest to the child. q and u are those of the
    parts in this order: ε = (ε₁, …), β = (β₁, …), q̇ = diag(Γᵢ) β (Eq 25), λ = λ_p ⋯ λ₁ (Eq 26), and the map H(ε) of
    Prop. 3. Springs, dampers and the like are said of the whole, not of its parts."""

    parts: Any = field(ListOf(MemberOf(JOINTS)), "joints or columns, the first nearest to the child", default=())
    coordinates: Any = field(NameList(), "their names", default=None, idle=True)
    speeds: Any = field(NameList(), "their names", default=None, idle=True)
    kind: ClassVar[str] = "compound"
    composed: ClassVar[bool] = True

    def __init__(self, *parts: Any, **options: Any) -> None:
        said: dict[str, Any] = {"parts": parts, **options}
        unknown = [k for k in said if k not in {f.name for f in fields(self)}]
        if unknown:
            raise TypeError(f"a compound joint has no option '{unknown[0]}'")
        for f in fields(self):
            object.__setattr__(self, f.name, said.get(f.name, f.default))
        object.__setattr__(self, "parts", tuple(map(_part, self.parts)))
        if not self.parts:
            raise ModelError("a compound joint needs at least one part")
        if all(p.coordinates is not None for p in self.parts):
            self._name()

    @classmethod
    def of(cls, H: Any, r: Sequence[int], **options: Any) -> "Compound":
        """From the maps of its simple parts side by side and their numbers of columns, as the paper writes it."""
        rows = six_rows(H, "a compound joint's map H")
        if not isinstance(r, Sequence) or not all(isinstance(n, int) for n in r):
            raise ModelError(f"r is how many columns of H each part has, such as (1, 2), not {r!r}")
        if sum(r) != len(rows[0]) or any(n < 1 for n in r):
            raise ModelError(f"H has {len(rows[0])} columns, but r = {tuple(r)} counts {sum(r)}")
        ends = list(accumulate(r))
        pieces = [[row[end - n : end] for row in rows] for n, end in zip(r, ends, strict=True)]
        return cls(*(Simple(H=piece) for piece in pieces), **options)

    def defaults(self) -> dict[str, Any]:
        """Names of coordinates and speeds as it gives them itself."""
        own = replace(self, coordinates=None, speeds=None)
        return {**super().defaults(), "coordinates": own.coordinates, "speeds": own.speeds}

    def _name(self) -> None:
        q = self._default([n for part in self.parts for n in part.coordinates], 0)
        q = chosen(self.coordinates, q, "a compound joint: names of coordinates")
        u = self._default([n for part in self.parts for n in part.speeds], 1)
        u = q if self.speeds is None and self.rates else chosen(self.speeds, u, "a compound joint: names of speeds")
        object.__setattr__(self, "coordinates", q)
        object.__setattr__(self, "speeds", u)

    def _default(self, own: list[str], index: int) -> tuple[str, ...]:
        """The parts' own names where nobody else has them; a letter and a number for those that have none."""
        units = [unit for part in self.parts for unit in part.units[index]]
        if len(own) == 1:
            return ("",)
        letters = [("a", "s"), ("w", "v")][index if not self.rates else 0]
        plain = [f"{letters[0] if 'rad' in unit else letters[1]}{k + 1}" for k, unit in enumerate(units)]
        return tuple(n if n and own.count(n) == 1 and n not in plain else p for n, p in zip(own, plain, strict=True))

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
        return tuple(start + k for part, start in zip(self.parts, self._starts(0), strict=True)
                     for k in part.quaternions)  # fmt: skip

    def _starts(self, index: int) -> list[int]:
        """Where each part's coordinates (or speeds) begin."""
        return list(accumulate((len(part.units[index]) for part in self.parts[:-1]), initial=0))

    def _slices(self) -> Iterator[tuple[Joint, slice, slice]]:
        for part, i, j in zip(self.parts, self._starts(0), self._starts(1), strict=True):
            yield part, slice(i, i + len(part.units[0])), slice(j, j + len(part.units[1]))

    def place(self, parent: Frame, name: str, q: Sequence[int], u: Sequence[int]) -> Placement:
        g = parent.graph
        whole = Placement(parent, nothing(g), [], [], nothing(g), nothing(g), [])
        speeds: list[int] = []
        places: tuple[list[int], list[int]] = [], []
        for k, (part, own_q, own_u) in reversed(list(enumerate(self._slices()))):
            one = part.place(whole.frame, name + "'" * k, q[own_q], u[own_u])
            speeds += u[own_u]
            whole = composed(whole, one, speeds)
            places[0].extend(range(own_u.start, own_u.stop))
            places[1].extend(range(own_q.start, own_q.stop))
        back = [sorted(range(len(p)), key=p.__getitem__) for p in places]
        return ordered(whole, back[0], back[1])

    # Numbers

    def normalise(self, q: Numbers) -> Numbers:
        return self._each(lambda part, own, _: part.normalise(q[own]))

    def integrate(self, q: Numbers, delta: Numbers) -> Numbers:
        return self._each(lambda part, own, speeds: part.integrate(q[own], delta[speeds]))

    def difference(self, start: Numbers, end: Numbers) -> Numbers:
        return self._each(lambda part, own, _: part.difference(start[own], end[own]))

    def scatter(self, delta: Numbers) -> Numbers:
        return self._each(lambda part, _, speeds: part.scatter(delta[speeds]))

    def _each(self, what: Callable[[Joint, slice, slice], Numbers]) -> Numbers:
        return np.concatenate([np.asarray(what(*one)) for one in self._slices()])


def _part(given: Any) -> Joint:
    made = given if isinstance(given, Joint) else Simple(H=given)
    bare = {f.name: f.default for f in fields(Joint)}
    said = [(f.name, v) for f, v in values_of(made) if f.name in bare]
    dressed = [k for k, v in said if v is not bare[k] and v != bare[k]]
    if dressed:
        raise ModelError(f"a part of a compound joint has no {dressed[0]} of its own; say it of the compound joint")
    return made
