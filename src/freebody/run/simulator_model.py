"""What simulators need of a system beside its compiled form: consistent states, other parameters, values by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from freebody.errors import ArgumentError, choices, nearest
from freebody.formulations.derivation import Derivation
from freebody.formulations.memo import key_of
from freebody.hybrid.system import HybridSystem
from freebody.integrate.compiled_system import CompiledSystem
from freebody.names import INPUT, companions
from freebody.program.program import Program
from freebody.results.about import About
from freebody.results.trajectory import UnknownNameError
from freebody.run.assembly import Assembler
from freebody.run.build import about as about_system
from freebody.run.build import run_programs
from freebody.run.checks import check_bodies
from freebody.run.inputs import check_wheels, parameter_values
from freebody.run.loop import Result
from freebody.run.options import RunOptions
from freebody.run.switching import engaged_names

Array = NDArray[np.float64]


def prefix(places: Sequence[int]) -> Any:
    """Places in a row, as a slice if they are its first ones."""
    return slice(len(places)) if list(places) == [*range(len(places))] else np.array(places, np.intp)


@dataclass(frozen=True)
class SimulatorModel(Generic[Result]):
    """A system without equations behind it: states are taken as they are. ``inputs`` are the names of its inputs, those
    in ``laws`` follow laws, those in ``moving`` have rates and are numbers, which hold from the time at which they are
    set; ``result`` makes a trajectory."""

    options: RunOptions
    result: Callable[..., Result]
    inputs: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()

    def held_inputs(self, system: HybridSystem, about: About) -> tuple[HybridSystem, About]:
        """The system whose inputs are held values, so that trajectories record them as steps."""
        moved = {INPUT(n) for name in self.moving for n in (name, *companions(name))}
        free = {INPUT(name) for name in self.inputs if name not in self.laws} - moved
        stepped = tuple(replace(v, steps=True) if v.key in free else v for v in about.variables)
        return replace(system, held=system.row, variables=stepped), replace(about, variables=stepped)

    @cached_property
    def computed(self) -> frozenset[str]:
        """The keys of the inputs whose present values are not those of the row d: they follow laws, or move on."""
        changing = {n for name in self.moving for n in (name, companions(name)[0])}
        return frozenset(INPUT(name) for name in {*self.laws, *changing})

    def places(self, system: HybridSystem) -> dict[str, int]:
        """The places in d of the inputs that can be set."""
        return {name: system.row.index[INPUT(name)] for name in self.inputs if name not in self.laws}

    def motions(self, system: HybridSystem) -> dict[str, list[int]]:
        """For each input that is set as a part of a motion, the places in d of its position, rate, acceleration and the
        time from which these hold."""
        groups = [(name, *companions(name)) for name in self.moving]
        return {n: [system.row.index[INPUT(one)] for one in names] for names in groups for n in names[:3]}

    @property
    def constrained(self) -> bool:
        """Whether states must satisfy constraints."""
        return False

    def start(self, compiled: CompiledSystem, t: float, x: Array, base: Array, given: set[int]) -> tuple[Array, Array]:
        """The state and the row d with which a motion begins: x with the values at the indices ``given``, the others
        moved from ``base`` where constraints require it."""
        return x, compiled.d

    def moved(self, compiled: CompiledSystem, t: float, x: Array, base: Array, given: set[int]) -> Array:
        """The same in the course of a motion, where engaged constraints stay as they are."""
        return x

    def with_parameters(self, compiled: CompiledSystem, values: Any) -> CompiledSystem:
        """The system with other values of some parameters."""
        raise ArgumentError(f"{compiled.about.system} takes no other parameters")

    def check_parameters(self, compiled: CompiledSystem, rows: Array) -> None:
        """Refuse values of parameters, a row for each world."""

    def program(self, names: Sequence[str]) -> Program | None:
        """The program of recorded variables and of texts, in one row; None where there is none."""
        return None

    def wrong_row(self, about: About, shape: tuple[int, ...], wanted: tuple[int, ...]) -> ArgumentError:
        """An array of inputs that does not have a number for each input that can be set."""
        free = [name for name in self.inputs if name not in self.laws]
        others = f"; {', '.join(self.laws)} follow laws" if self.laws else ""
        return ArgumentError(
            f"system '{about.system}' has {len(free)} inputs that can be set ({', '.join(free) or 'none'}{others}):"
            f" give an array of shape {wanted} in this order, or some by name, inputs={{name: value}}, not an array of"
            f" shape {shape}"
        )

    def unknown_input(self, about: About, name: Any) -> ArgumentError:
        if name in self.laws:
            return ArgumentError(f"input '{name}' follows a law; give it a number in inputs=… to set it between steps")
        if (own := next((one for one in self.moving if name == companions(one)[-1]), None)) is not None:
            return ArgumentError(
                f"'{name}' is the time at which numbers of '{own}' were set, which the simulator knows: leave it out"
            )
        if (written := about.inputs.get(name)) is not None:
            return ArgumentError(f"input '{name}' is {written}, and cannot be set: read it as sim['{name}']")
        near = nearest(str(name), list(self.inputs))
        hint = f"did you mean {' or '.join(near)}?" if near else choices(list(self.inputs))
        return UnknownNameError(f"system '{about.system}' has no input '{name}'; {hint}")


@dataclass(frozen=True)
class EquationsModel(SimulatorModel[Result]):
    """The model of equations ``e``, whose inputs (flags of constraints included) are driven by ``driven``."""

    e: Derivation = None  # type: ignore[assignment]
    driven: Mapping[str, Any] = None  # type: ignore[assignment]

    @property
    def constrained(self) -> bool:
        return bool(self.e.tree.model.constraints)

    def start(self, compiled: CompiledSystem, t: float, x: Array, base: Array, given: set[int]) -> tuple[Array, Array]:
        if not self.constrained:
            return x, compiled.d
        d, added = np.split(compiled.d, [len(self.e.layout.inputs)])
        now = compiled.mechanics.inputs_at(t, d)
        state = Assembler(self.e).state(x, given, compiled.p, t, now, base=base)
        return state.x, np.concatenate([compiled.mechanics.numbers_of(state.inputs, d), added])

    def moved(self, compiled: CompiledSystem, t: float, x: Array, base: Array, given: set[int]) -> Array:
        if not self.constrained:
            return x
        keep = engaged_names(self.e, dict(zip(compiled.system.row.columns, compiled.d.tolist(), strict=True)))
        now = compiled.mechanics.inputs_at(t)[: len(self.e.layout.inputs)]
        return Assembler(self.e).state(x, given, compiled.p, t, now, keep=keep, bend=True, base=base).x

    def with_parameters(self, compiled: CompiledSystem, values: Any) -> CompiledSystem:
        merged = parameter_values(self.e, compiled.parameters, values)
        known = about_system(self.e, compiled.system, merged, self.driven, {})
        about = replace(known, variables=compiled.about.variables, inputs=compiled.about.inputs)
        changed = CompiledSystem(compiled.system, about, merged, compiled.d, compiled)
        check_bodies(changed, changed.p, compiled.parameters)
        return changed

    def check_parameters(self, compiled: CompiledSystem, rows: Array) -> None:
        check_bodies(compiled, rows, compiled.parameters)
        check_wheels(self.e, list(self.e.layout.parameters), rows.tolist())

    def program(self, names: Sequence[str]) -> Program | None:
        laws = {name: None if isinstance(value, Real) else value for name, value in self.driven.items()}
        stored = self.e.memo.get(key_of("values", laws), dict[tuple[str, ...], Program])
        key = tuple(names)
        if key not in stored:
            stored[key] = self._derived(names)
        return stored[key]

    def _derived(self, names: Sequence[str]) -> Program:
        recorded, run = {v.key for v in self._variables}, self._programs
        rows = [run.nodes_of_variable(n) if n in recorded else run.nodes_of_text(n) for n in names]
        program: Program = run.present([node for row in rows for node in row])
        return program

    @cached_property
    def _programs(self) -> Any:
        return run_programs(self.e, self.driven)

    @cached_property
    def _variables(self) -> Any:
        return self._programs.variables()
