"""The page of all joints, loads and shapes with their fields (docs/elements.md), from the fields themselves."""

from freebody.model.element import Family, help_text
from freebody.model.joints import JOINTS
from freebody.model.joints.base import Joint
from freebody.model.loads import LOADS
from freebody.model.shapes import SHAPES

HEAD = """# Joints, loads and shapes

Every field of every element, as Python and model files know them; this page is made from the elements themselves
(`FREEBODY_UPDATE=1 pytest tests/io/test_yaml.py -k published`). A *scalar* is a number, an expression or a text that
may use anything that is declared; a *constant* uses numbers and parameters only.
"""


def elements_page() -> str:
    """The page, in Markdown."""
    common = help_text(Joint, "All joints").replace("What all joints share. ", "")
    joints, loads, shapes = _members(JOINTS, Joint), _members(LOADS), _members(SHAPES)
    parts = [HEAD, "## Joints", common, *joints, "## Loads", *loads, "## Shapes", *shapes]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _members(family: Family, base: "type[Joint] | None" = None) -> list[str]:
    return [help_text(member, base=base) for member in family.values()]
