"""modelDescription.xml of FMI 2.0 and 3.0."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from freebody.export.description import Simulation
from freebody.export.fmu.units import shown_unit, unit_definition
from freebody.export.fmu.variables import FmuVariable, FmuVariables
from freebody.version import VERSION

CATEGORIES = {
    "logEvents": "events, samples",
    "logStatusWarning": "warnings",
    "logStatusDiscard": "steps that end before their time",
    "logStatusError": "errors",
}
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\t\n\r]")
"""What XML cannot contain, and what the standard forbids in names."""


def quoted(text: str) -> str:
    """A text as the value of an attribute."""
    return quoteattr(FORBIDDEN.sub("_", text))


def model_description(
    simulation: Simulation, variables: FmuVariables, version: str, token: str, sources: Sequence[str]
) -> str:
    """The text of the file. ``token`` identifies the binary."""
    write = _Description3 if version == "3.0" else _Description2
    return write(simulation, variables, token, sources).text()


class _Description(ABC):
    """What the two versions have in common."""

    version = head = ""

    def __init__(self, s: Simulation, variables: FmuVariables, token: str, sources: Sequence[str]) -> None:
        self.s, self.variables, self.token, self.sources = s, variables, token, sources
        self.all = variables.all
        self.knowns = [v for v in self.all if v.causality == "input" or self._is_state(v)]
        self.start_knowns = [v for v in self.all if v.causality == "input" or v.initial == "exact"]
        self.moves = bool(s.projects or s.compiled.system.quaternions)
        """Whether states may leave the constraints, so that importers must report their steps."""
        self.jumps = self.moves or any(rule.stops for rule in s.rules)

    def _is_state(self, v: FmuVariable) -> bool:
        first = self.variables.first
        return first["x"] <= v.reference < first["rates"]

    def text(self) -> str:
        units = dict.fromkeys(v.unit for v in self.all if v.unit)
        definitions = "\n".join(unit_definition(unit) for unit in sorted(units))
        categories = "\n".join(f'<Category name="{n}" description="{about}"/>' for n, about in CATEGORIES.items())
        rows = "\n".join(self.variable(v) for v in self.all)
        about = f"multibody system {self.s.title}, {len(self.s.compiled.about.elements)} bodies, {self.s.size} states"
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription fmiVersion="{self.version}"'
            f" modelName={quoted(self.s.title)} {self.head} description={quoted(about)}"
            f' generationTool="freebody {VERSION}" variableNamingConvention="flat"{self.count()}>\n{self.kinds()}\n'
            + (f"<UnitDefinitions>\n{definitions}\n</UnitDefinitions>\n" if units else "")
            + f"<LogCategories>\n{categories}\n</LogCategories>\n"
            f'<DefaultExperiment startTime="{self.s.start!r}" stopTime="{self.s.settings["end"]!r}"'
            f' tolerance="{self.s.settings["rtol"]!r}"/>\n'
            f"<ModelVariables>\n{rows}\n</ModelVariables>\n<ModelStructure>\n{self.structure()}\n</ModelStructure>\n"
            "</fmiModelDescription>\n"
        )

    def count(self) -> str:
        return ""

    @abstractmethod
    def kinds(self) -> str: ...

    @abstractmethod
    def variable(self, v: FmuVariable) -> str: ...

    @abstractmethod
    def structure(self) -> str: ...

    def _head(self, v: FmuVariable) -> str:
        """The attributes that all variables have in both versions."""
        about = f" description={quoted(v.description)}" if v.description else ""
        initial = f' initial="{v.initial}"' if v.initial else ""
        return (
            f'name={quoted(v.name)} valueReference="{v.reference}"{about} causality="{v.causality}"'
            f' variability="{v.variability}"{initial}'
        )

    def _number(self, v: FmuVariable) -> str:
        """The attributes of a real number."""
        unit = f" unit={quoted(v.unit)}" if v.unit else ""
        shown = shown_unit(v.unit)
        unit += f' displayUnit="{shown[0]}"' if shown else ""
        return unit + (f' start="{v.start!r}"' if v.start is not None else "")

    def _unknown(self, element: str, attribute: str, v: FmuVariable, knowns: Sequence[FmuVariable]) -> str:
        """An unknown with all that it may depend on."""
        own = [v] if self._is_state(v) else [] if v.is_clock or v.variability == "discrete" else knowns
        row = " ".join(str(self.place(k)) for k in own)
        return f'<{element} {attribute}="{self.place(v)}" dependencies="{row}"/>'

    @abstractmethod
    def place(self, v: FmuVariable) -> int: ...

    @property
    def outputs(self) -> list[FmuVariable]:
        return [v for v in self.all if v.causality == "output"]

    @property
    def derivatives(self) -> list[FmuVariable]:
        return [v for v in self.all if v.derivative is not None]

    @property
    def start_unknowns(self) -> list[FmuVariable]:
        return [v for v in self.all if v.is_unknown_at_start]


class _Description2(_Description):
    version = "2.0"

    def __init__(self, s: Simulation, variables: FmuVariables, token: str, sources: Sequence[str]) -> None:
        super().__init__(s, variables, token, sources)
        self.head = f'guid="{token}"'
        self._places = {v.reference: k for k, v in enumerate(self.all, 1)}

    def place(self, v: FmuVariable) -> int:
        return self._places[v.reference]

    def count(self) -> str:
        return f' numberOfEventIndicators="{len(self.variables.indicators)}"'

    def kinds(self) -> str:
        able = (
            f'modelIdentifier="{self.s.name}" canNotUseMemoryManagementFunctions="true" canGetAndSetFMUstate="true"'
            ' canSerializeFMUstate="true" providesDirectionalDerivative="true"'
        )
        files = "".join(f'<File name="{name}"/>' for name in self.sources)
        files = f"<SourceFiles>{files}</SourceFiles>"
        step = "" if self.moves else ' completedIntegratorStepNotNeeded="true"'
        return (
            f"<ModelExchange {able}{step}>{files}</ModelExchange>\n"
            f'<CoSimulation {able} canHandleVariableCommunicationStepSize="true">{files}</CoSimulation>'
        )

    def variable(self, v: FmuVariable) -> str:
        number = self._number(v)
        if v.derivative is not None:
            number += f' derivative="{self._places[v.derivative]}"'
        if self._is_state(v) and self.jumps:
            number += ' reinit="true"'
        return f"<ScalarVariable {self._head(v)}><Real{number}/></ScalarVariable>"

    def structure(self) -> str:
        parts = (
            ("Outputs", self.outputs, self.knowns),
            ("Derivatives", self.derivatives, self.knowns),
            ("InitialUnknowns", self.start_unknowns, self.start_knowns),
        )
        texts = list[str]()
        for name, unknowns, knowns in parts:
            rows = [self._unknown("Unknown", "index", v, knowns) for v in sorted(unknowns, key=self.place)]
            if name == "Derivatives":
                rows = [self._unknown("Unknown", "index", v, knowns) for v in unknowns]
            texts += [f"<{name}>", *rows, f"</{name}>"] if rows else []
        return "\n".join(texts)


class _Description3(_Description):
    version = "3.0"

    def __init__(self, s: Simulation, variables: FmuVariables, token: str, sources: Sequence[str]) -> None:
        super().__init__(s, variables, token, sources)
        self.head = f'instantiationToken="{token}"'

    def place(self, v: FmuVariable) -> int:
        return v.reference

    def kinds(self) -> str:
        able = (
            f'modelIdentifier="{self.s.name}" canGetAndSetFMUState="true" canSerializeFMUState="true"'
            ' providesDirectionalDerivatives="true"'
        )
        step = f' needsCompletedIntegratorStep="{str(self.moves).lower()}"'
        mode = ' hasEventMode="true"' if self.s.samples else ""
        return (
            f'<ModelExchange {able}{step}/>\n<CoSimulation {able} canHandleVariableCommunicationStepSize="true"{mode}/>'
        )

    def variable(self, v: FmuVariable) -> str:
        if v.is_clock:
            return f'<Clock {self._head(v)} intervalVariability="triggered"/>'
        number = self._number(v)
        if v.derivative is not None:
            number += f' derivative="{v.derivative}"'
        if self._is_state(v) and self.jumps:
            number += ' reinit="true"'
        return f"<Float64 {self._head(v)}{number}/>"

    def structure(self) -> str:
        indicators = [v for v in self.all if v.indicator]
        rows = [self._unknown("Output", "valueReference", v, self.knowns) for v in self.outputs]
        for name, unknowns, knowns in (
            ("ContinuousStateDerivative", self.derivatives, self.knowns),
            ("InitialUnknown", self.start_unknowns, self.start_knowns),
            ("EventIndicator", indicators, self.knowns),
        ):
            rows += [self._unknown(name, "valueReference", v, knowns) for v in unknowns]
        return "\n".join(rows)
