"""The base class of descriptions of flexible bodies. A description computes the modal data of a body from its fields,
which are numbers: modal data contains no symbols."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

import numpy as np

from freebody.errors import FieldError, ModelError, within
from freebody.fem.beam_sections import BeamSections
from freebody.fem.content import content_digest
from freebody.fem.modal_data import Array, ModalData, ModalNode
from freebody.fem.nodal_data import NodalData, integrals
from freebody.fem.orthonormal import Damping, orthonormal
from freebody.fem.paper_integrals import NEEDED
from freebody.model.element import Element, Family, Given, check_fields, field, normal_form
from freebody.model.kinds import ListOf, MappingOf, Number, Scope, suggest
from freebody.numeric import as_integer, as_number
from freebody.scalar.graph import Graph

FLEXIBLE = Family("flexible body", tag="type")
"""All descriptions of flexible bodies by name; filled in ``flexible/__init__.py``."""

MOST = 100
"""Modes of one kind; their second-order integrals are n² matrices, computed from sums over n³ products."""

LIMITS = ("frequency", "effective mass")
"""Limits that choose modes in place of a number: all below a frequency (rad/s), or as many as contain this part of the
mass along each axis."""

Modes = int | Mapping[str, float] | None
"""How many modes: the lowest ones, a number for each kind, or a limit; None for all that the description has."""


@dataclass(frozen=True, eq=False)
class FlexibleDescription(Element, ABC):
    """A description of a flexible body. Damping is D = diag(2 ζ ω) + a M + b K."""

    _: KW_ONLY
    damping: Given[float | Sequence[float] | None] = field(
        ListOf(Number(), alone=True), "damping ratio ζ of all modes, or of each", default=None
    )
    rayleigh: Given[Sequence[float] | None] = field(
        ListOf(Number(), 2), "a and b of the damping a M + b K", default=None, unit="1/s, s"
    )
    preload: Given[Sequence[float] | None] = field(
        ListOf(Number()), "constant generalised force on each mode", default=None
    )
    loads: Given[Mapping[str, Sequence[float]]] = field(
        MappingOf(ListOf(Number())),
        "constant loads at nodes along the body's axes, three forces or three forces and"
        " three torques. They act between the nodes and the frame: they preload the modes, and forces stiffen or soften"
        " them by the second-order displacements of their nodes",
        default=(),
        unit="N, N·m",
    )

    @property
    def floats(self) -> bool:
        """Whether the frame follows the mean motion of a free body, so that no point of the body rests in it."""
        return False

    def check(self) -> None:
        """Its fields are numbers, so that all of them are checked, also together."""
        check_fields(self)
        with within(type(self).__name__):
            self.normalised()

    def modal_data(self, modes: Modes = None, paper: bool = False) -> ModalData:
        """The modal data with this number of modes. Modes are orthonormal and sorted by frequency. ``paper``: with the
        integrals of Jain & Rodriguez by the names of the paper, ``modal_data(…, paper=True).paper``, which follow from
        nodes with masses."""
        if isinstance(modes, Mapping):
            for kind, number in modes.items():
                if kind not in LIMITS:
                    _check_count(number, f"modes: the number of '{kind}' modes")
        elif modes is not None:
            _check_count(modes, "modes: the number of modes")
        data = RECENT.get(self.normalised(), modes, paper)
        if paper and data.paper is None:
            raise FieldError(f"order 'paper' needs {NEEDED}")
        return data

    def normalised(self) -> Self:
        """The description with its fields in normal form."""
        from freebody.model.joints.base import GraphScope  # joints use modal data

        return normal_form(self, GraphScope(Graph()), late=False)

    @abstractmethod
    def compute(self, modes: Modes, paper: bool) -> ModalData:
        """The modal data of a description in normal form; with the integrals of the order "paper", where they are
        asked for and known."""

    @property
    @abstractmethod
    def node_names(self) -> Sequence[str]:
        """The names of the nodes."""

    @property
    def moment_free_nodes(self) -> Sequence[str]:
        """The nodes, besides that of its frame, at which none of its modes has a bending moment."""
        return ()

    def stretches(self, modes: Mapping[str, Any]) -> bool:
        """Whether the distance of its nodes changes with these modes by kind."""
        return True

    def finalise(self, scope: Scope) -> Self:
        for name, load in self.loads:
            if name not in self.node_names:
                raise FieldError(f"there is no node '{name}'. {suggest(name, [*self.node_names])}", "loads", name)
            if len(load) not in (3, 6):
                raise FieldError(
                    f"three forces, or three forces and three torques are needed, not {len(load)} numbers",
                    "loads",
                    name,
                )
        for zeta in self.damping or ():
            if zeta < 0:
                raise FieldError(f"a damping ratio of {zeta:g} is negative; it would add energy", "damping")
        for x in self.rayleigh or ():
            if x < 0:
                raise FieldError(f"{x:g} is negative; damping a M + b K needs a ≥ 0 and b ≥ 0", "rayleigh")
        return self

    @property
    def damping_law(self) -> Damping:
        """The damping in normal form."""
        return Damping(self.damping or (), self.rayleigh or (0.0, 0.0))

    def of_nodes(
        self,
        nodes: NodalData,
        stiffness: Array,
        kinds: Sequence[str],
        frame: str,
        count: int | None = None,
        damping: Array | None = None,
        outline: int = 0,
        sections: BeamSections | None = None,
        paper: bool = False,
    ) -> ModalData:
        """The modal data of nodes seen from the node ``frame``, with the ``count`` lowest modes; the last ``outline``
        nodes are those for drawing."""
        n, k = nodes.n, len(nodes.masses)
        if frame:
            nodes = nodes.seen_from(frame)
        named = [j for j, name in enumerate(nodes.names) if name]
        data = integrals(nodes, stiffness, np.zeros((n, n)) if damping is None else damping, np.zeros(n), named, paper)
        data = replace(data, outline=tuple(map(nodes.node, range(k - outline, k))), sections=sections)
        return self.orthonormal(data, kinds, count)

    def orthonormal(self, data: ModalData, kinds: Sequence[str], count: int | None) -> ModalData:
        """The ``count`` lowest orthonormal modes of the data, with the loads, the damping and the preload."""
        preload, geometric = nodal_loads(data.nodes, self.loads, data.n)
        K = data.K + geometric
        if np.any(geometric) and np.linalg.eigvalsh(K)[0] <= 0:
            raise FieldError("the body buckles under these loads: its stiffness with them is not positive", "loads")
        data = orthonormal(replace(data, K=K, preload=data.preload + preload), kinds, self.damping_law, count)
        return replace(data, preload=data.preload + self.modal_preload(data.n))

    def modal_preload(self, n: int) -> Array:
        """The preload of each of n modes."""
        if self.preload is None:
            return np.zeros(n)
        if len(self.preload) != n:
            raise FieldError(
                f"there are {n} modes and {len(self.preload)} generalised forces; give one for each mode", "preload"
            )
        return np.array(self.preload)


class RecentData:
    """The modal data of the descriptions computed last, by content, so that bodies described alike share their data."""

    def __init__(self, size: int) -> None:
        self.size, self._known = size, OrderedDict[bytes, ModalData]()

    def get(self, description: FlexibleDescription, modes: Modes, paper: bool) -> ModalData:
        """The modal data of a description in normal form, with this number of modes."""
        try:
            key = content_digest([description, modes, paper])
        except TypeError:  # it contains something of which nothing is known here
            return description.compute(modes, paper)
        data = self._known.pop(key, None) or description.compute(modes, paper)
        self._known[key] = data
        while len(self._known) > self.size:
            self._known.popitem(last=False)
        return data


RECENT = RecentData(32)


def nodal_loads(
    nodes: Mapping[str, ModalNode], loads: Sequence[tuple[str, Sequence[float]]], n: int
) -> tuple[Array, Array]:
    """The generalised forces Πᵀ f of constant loads at nodes, and the stiffness −f·Γ of their forces."""
    preload, K = np.zeros(n), np.zeros((n, n))
    for name, load in loads:
        node, f, t = nodes[name], np.array(load[:3]), np.array(load[3:])
        preload = preload + f @ node.translations
        K = K - np.tensordot(f, node.second, 1)
        if len(t):
            if node.slopes is None:
                raise FieldError(f"the rotation of node '{name}' is not known: it takes no torque", "loads", name)
            preload = preload + t @ node.slopes
    return preload, K


def only_limit(modes: Mapping[str, float]) -> tuple[str, float]:
    """The limit that chooses modes of a description without kinds of modes."""
    for key in modes:
        if key not in LIMITS:
            raise ModelError(
                f"modes: kinds of modes such as '{key}' are known for beams only; give the number of"
                ' modes, or a limit: {"frequency": …} or {"effective mass": …}'
            )
    if not modes:
        raise ModelError('modes: give the number of modes, or a limit: {"frequency": …} or {"effective mass": …}')
    key, value = next(iter(modes.items()))
    if len(modes) > 1:
        raise ModelError(f"modes: the {key} chooses the modes; leave out the other keys")
    if not (as_number(value) or 0.0) > 0:
        raise ModelError(f"modes: the {key} must be a positive number, not {value!r}")
    if key == "effective mass" and value >= 1:
        raise ModelError(f"modes: the effective mass is a part of the mass, below 1, not {value:g}")
    return key, value


def _check_count(value: Any, what: str) -> None:
    number = as_integer(value)
    if number is None or number < 0:
        raise ModelError(f"{what} must be an integer that is not negative, not {value!r}")
    if number > MOST:
        raise ModelError(
            f"{what} is {value}, more than {MOST}; a few modes below the highest frequency of interest are enough"
        )
