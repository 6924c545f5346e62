"""A file's data checked against the format, with errors that say where; the format as JSON schema."""

import json
from typing import TYPE_CHECKING, Any

from freebody.errors import FileError
from freebody.io.lines import Places
from freebody.model.kinds import SHARED

if TYPE_CHECKING:
    from freebody.io.models import Model

SHOWN = 5
"""How many further errors are told with the first."""


def validated(places: Places) -> "Model":
    """The data of a file as the format has it."""
    from pydantic import ValidationError

    from freebody.io.models import Model
    from freebody.model.kinds import described

    if not isinstance(places.root.value, dict):
        raise places.error(f"a model file is made of keys with values, not of {described(places.root.plain())}")
    try:
        return Model.model_validate(places.root.plain())
    except ValidationError as error:
        raise _told(places, error.errors(include_url=False, include_input=False)) from None


def _told(places: Places, errors: "list[Any]") -> FileError:
    """The first error of a file, and what else is wrong."""
    found = sorted((_one(places, e) for e in errors), key=lambda e: (e.line, e.column))
    first, others = found[0], found[1:]
    more = [f"line {e.line}: {e.key}: {e.message}" for e in others[:SHOWN]]
    more += [f"and {len(others) - SHOWN} more"] if len(others) > SHOWN else []
    said = "\n".join([first.message, *(f"    also {line}" for line in more)])
    return FileError(said, first.file, first.line, first.column, first.key)


def _one(places: Places, error: Any) -> FileError:
    path, context = tuple(error["loc"]), error.get("ctx", {})
    match error["type"]:
        case "missing":
            return places.error(f"the key '{path[-1]}' is missing", *path)
        case "value_error":
            return places.wrong(context["error"], *path)
        case "wrong_key":
            return places.error(error["msg"], *path, key=context["key"])
        case "literal_error":
            return places.error(f"one of {context['expected']} is needed here", *path)
        case "dict_type":
            return places.error("keys with values are needed here", *path)
        case "list_type":
            return places.error("a list is needed here", *path)
    return places.error(_first_small(error["msg"]), *path)


def _first_small(message: str) -> str:
    return message[:1].lower() + message[1:]


def json_schema() -> str:
    """The format as JSON schema (docs/model.schema.json)."""
    from freebody.io.models import Model, load_schema
    from freebody.model.joints import JOINTS
    from freebody.model.loads import LOADS
    from freebody.model.shapes import SHAPES
    from freebody.model.vectors import shared_schemas

    said = Model.model_json_schema()
    said["$defs"] |= {**shared_schemas(), JOINTS.name: JOINTS.schema()}
    said["$defs"] |= {LOADS.name: load_schema(), SHAPES.name: SHAPES.schema()}
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **_linked(said)}, indent=1) + "\n"


def _linked(schema: Any) -> Any:
    """A schema with references to those that fields share."""
    if isinstance(schema, dict):
        found = {k: _linked(v) for k, v in schema.items() if k != SHARED}
        return {"$ref": f"#/$defs/{schema[SHARED]}", **found} if SHARED in schema else found
    return [_linked(one) for one in schema] if isinstance(schema, list) else schema
