"""What the page of a live view may send: messages of the kinds that it has, with values that its controls can take."""

import math
from collections.abc import Callable, Mapping
from typing import Any

KINDS = (
    "ViewerCameraMessage", "GuiUpdateMessage", "SceneNodeClickMessage", "SceneNodeDragMessage", "CommandTriggerMessage",
)  # fmt: skip
"""The messages that pages send; fields and their types are those of viser."""

IGNORED = ("ShareUrlRequest", "ShareUrlDisconnect")
"""Requests to make the page public: nothing happens."""

FARTHEST = 1e9
"""The largest number in a message, as a multiple of the size of the scene: positions and directions are smaller."""

LONGEST = 10_000
"""The largest size of a message in bytes."""


class Messages:
    """Checks of messages. ``controls`` returns the controls of the page by their identifier, ``size`` is that of the
    scene."""

    def __init__(self, controls: Callable[[], Mapping[str, Any]], size: float) -> None:
        from viser import _messages

        self._controls, self._largest = controls, FARTHEST * max(size, 1.0)
        self._kinds = {name: getattr(_messages, name) for name in KINDS}

    def mistake(self, raw: object) -> str | None:
        """What is wrong with a message, "" if nothing is; None for one that is to be ignored."""
        import msgspec

        if not isinstance(raw, bytes) or len(raw) > LONGEST:
            return f"a message is at most {LONGEST} bytes"
        try:
            fields = msgspec.msgpack.decode(raw)
            kind = fields.pop("type")
            if kind in IGNORED:
                return None
            message = msgspec.convert(fields, self._kinds[kind])
            unknown = set(fields) - set(self._kinds[kind].__dataclass_fields__)
        except (msgspec.MsgspecError, ValueError, TypeError, KeyError, AttributeError, RecursionError, UnicodeError):
            return "it is not a message of this page"
        if unknown:
            return "a message has unknown fields"
        if kind == "GuiUpdateMessage":
            return self._wrong_value(message.uuid, message.updates)
        numbers = [value for name, value in fields.items() if not name.endswith("screen_pos")]  # pixels: none behind
        return "" if self._is_moderate(numbers) else "a number is not finite or too large"

    def _is_moderate(self, value: Any) -> bool:
        if isinstance(value, list):
            return all(map(self._is_moderate, value))
        return not isinstance(value, int | float) or (math.isfinite(value) and abs(value) <= self._largest)

    def _wrong_value(self, identifier: str, updates: Mapping[str, Any]) -> str:
        control = self._controls().get(identifier)
        if control is None or set(updates) != {"value"}:
            return "a page changes the values of its controls, and nothing else"
        return "" if can_take(control, updates["value"]) else "a control cannot take this value"


def can_take(control: Any, value: Any) -> bool:
    """Whether a control of the page can take a value."""
    import viser

    if isinstance(control, viser.GuiSliderHandle):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        slack = 1e-9 * (control.max - control.min)  # of rounding to steps
        return number and control.min - slack <= value <= control.max + slack
    if isinstance(control, viser.GuiDropdownHandle):
        return isinstance(value, str) and value in control.options
    return isinstance(value, bool) and isinstance(control, viser.GuiCheckboxHandle | viser.GuiButtonHandle)
