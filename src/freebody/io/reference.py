"""The page of all elements with their fields (docs/elements.md), generated from the fields."""

from freebody.io.format import Include, ModelFile
from freebody.model.blocks import BLOCKS, SignalBlock
from freebody.model.body import BodySpec, Coupling
from freebody.model.constraints import CONSTRAINTS
from freebody.model.contact.contact import Contact
from freebody.model.contact.joint_stop import JointStop
from freebody.model.contact.material import ContactMaterial
from freebody.model.declarations import Input, Parameter, State, TableSpec
from freebody.model.element import Element, Family, help_text
from freebody.model.flexible import (
    FLEXIBLE,
    FlexibleDescription,
    FrameMember,
    FrameSection,
    NodeShapes,
    PointMass,
    Segment,
)
from freebody.model.inertia import SOLIDS
from freebody.model.joints import JOINTS
from freebody.model.joints.base import Joint
from freebody.model.loads import LOADS
from freebody.model.orientation import AxisAngle
from freebody.model.outputs import OutputSpec
from freebody.model.sampled import SENSORS, Controller, Sampled, Sensor
from freebody.model.shapes import SHAPES

HEAD = """# Elements of a model

This page lists every field of every element of a model with its type, unit, default and meaning. Names are the
keys of [model files](model-files.md). Arguments in Python have the same names, except `from`, `to` and `in`. The page
is generated from the source code (`FREEBODY_UPDATE=1 pytest tests/io/test_yaml.py -k published`).

| type | may use |
|---|---|
| scalar | numbers, parameters, inputs, states, coordinates, speeds, definitions and `t` |
| constant | numbers and parameters |
| number | numbers and `pi` |
"""

DECLARED: dict[str, type[Element]] = {"Parameters": Parameter, "Inputs": Input, "States": State, "Tables": TableSpec}


def elements_page() -> str:
    """The page, in Markdown."""
    common = help_text(Joint, "All joints")
    body = [help_text(cls, title, level=3) for title, cls in (("couple", Coupling), ("orient", AxisAngle))]
    flexible = [
        help_text(FlexibleDescription, "All flexible bodies"),
        *_members(FLEXIBLE, FlexibleDescription),
        *map(help_text, (Segment, PointMass, FrameSection, FrameMember, NodeShapes)),
    ]
    parts = [
        HEAD,
        help_text(ModelFile, "Model files", level=2),
        *(help_text(cls, title, level=2) for title, cls in DECLARED.items()),
        help_text(BodySpec, "Bodies", level=2),
        *body,
        help_text(Include, "Components", level=2),
        "## Solids",
        "Inertias of bodies, each about its own mass centre.",
        *_members(SOLIDS),
        "## Joints",
        common,
        *_members(JOINTS, Joint),
        "## Loads",
        *_members(LOADS),
        help_text(Contact, "Contacts", level=2),
        help_text(ContactMaterial, "Materials"),
        "## Stops of joints",
        help_text(JointStop),
        "## Flexible bodies",
        *flexible,
        "## Constraints",
        *_members(CONSTRAINTS),
        "## Blocks",
        help_text(SignalBlock, "All blocks"),
        *_members(BLOCKS, SignalBlock),
        "## Shapes",
        *_members(SHAPES),
        help_text(OutputSpec, "Outputs", level=2),
        help_text(Sampled, "Sampled elements", level=2),
        help_text(Controller, base=Sampled),
        help_text(Sensor, "Sensors", base=Sampled, level=2),
        *(help_text(member, base=Sensor) for member in SENSORS.values()),
    ]
    page = "\n\n".join(part.strip() for part in parts) + "\n"
    return page.replace("][", "]\\[")  # c[k][j] is not a link


def _members(family: Family, base: type[Element] | None = None) -> list[str]:
    return [help_text(member, base=base) for member in family.values()]
