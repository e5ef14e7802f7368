"""Words for sizes and counts, and the bounds on text that leaves the kit (pure)."""

_KIB = 1024
_MIB = 1024 * 1024
_PIECE = 16 * 1024
"""Characters that are looked through at a time, for which no large memory is needed."""


def size(count: int) -> str:
    """Bytes as a person reads them: `512 B`, `12.3 KiB`, `1.1 MiB`."""
    if count < _KIB:
        return f"{count} B"
    if count < _MIB:
        return f"{count / _KIB:.1f} KiB"
    return f"{count / _MIB:.1f} MiB"


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 error`, `2 errors`; `many` gives an irregular plural."""
    return f"{count} {noun}" if count == 1 else f"{count} {many or noun + 's'}"


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
    try:
        for piece in pieces:
            if not piece.isascii():
                piece.encode("utf-16-le")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def clip(text: str, chars: int) -> str:
    """At most `chars` characters; a cut text ends in an ellipsis that counts as one of them."""
    return text if len(text) <= chars else text[: max(chars - 1, 0)] + "…"
