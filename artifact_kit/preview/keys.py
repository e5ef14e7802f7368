"""Key names as models send them, in Playwright's spelling (pure)."""

from artifact_kit.errors import Refusal

_NAMED = [
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Enter",
    "Escape",
    "Tab",
    "Backspace",
    "Delete",
    "Insert",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Space",
    "Shift",
    "Control",
    "Alt",
    "Meta",
    "CapsLock",
    "NumLock",
    "ScrollLock",
    "ContextMenu",
    "Pause",
    "PrintScreen",
    "ControlOrMeta",
    "ShiftLeft",
    "ShiftRight",
    "ControlLeft",
    "ControlRight",
    "AltLeft",
    "AltRight",
    "MetaLeft",
    "MetaRight",
    "Minus",
    "Equal",
    "Backslash",
    "BracketLeft",
    "BracketRight",
    "Semicolon",
    "Quote",
    "Backquote",
    "Comma",
    "Period",
    "Slash",
    "NumpadEnter",
    "NumpadAdd",
    "NumpadSubtract",
    "NumpadMultiply",
    "NumpadDivide",
    "NumpadDecimal",
]
_NAMED += [f"F{number}" for number in range(1, 13)]
_NAMED += [f"Key{chr(letter)}" for letter in range(ord("A"), ord("Z") + 1)]
_NAMED += [f"{kind}{number}" for kind in ("Digit", "Numpad") for number in range(10)]
_BY_FOLDED = {name.casefold(): name for name in _NAMED}
_MEANT = {
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "esc": "Escape",
    "return": "Enter",
    "del": "Delete",
    "spacebar": "Space",
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "plus": "+",
}


def chord(text: str, where: str) -> str:
    """`Control+a`, `ArrowRight`, `x` … as Playwright's keyboard takes it.

    Raises:
        Refusal: `bad_key`, with names that are right.
    """
    if len(text) == 1:
        return text
    return "+".join(_one(part, text, where) for part in parts(text))


def parts(text: str) -> list[str]:
    """The keys of a chord, in the order in which they go down."""
    found = [part.strip() for part in text.split("+")]
    return [*found[:-2], "+"] if text == "+" or text.endswith("++") else found


def _one(part: str, text: str, where: str) -> str:
    folded = part.casefold().replace("_", "").replace(" ", "")
    if len(part) == 1 and part.isprintable():
        return part
    found = _BY_FOLDED.get(folded) or _MEANT.get(folded)
    if found is None:
        raise Refusal(
            f"{where} {text!r} is not a key; use names such as ArrowRight, Enter, Space, a, "
            "Control+a. Nothing was done.",
            code="bad_key",
        )
    return found
