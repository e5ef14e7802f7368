"""What an edit shows of its result (pure)."""

from __future__ import annotations

from artifact_kit.file_tools.marks import around

_LINES = 10
_CHARS = 200


def change_report(
    data: bytes, where: list[tuple[int, int]], *, deleted: bool
) -> tuple[str, list[int]]:
    """The changed lines with a line of context, or where they are; and their line numbers."""
    numbers = _line_numbers(data, [start for start, _ in where[: _LINES + 1]])
    if len(where) > 1:
        distinct = sorted(set(numbers))
        more = " …" if len(where) > _LINES else ""
        listed = ", ".join(map(str, distinct[:_LINES]))
        noun = "line" if len(distinct) == 1 else "lines"
        return f"changed at {noun} {listed}{more}", distinct[:_LINES]
    start, end = where[0]
    first, rows = _around(data, start, end, numbers[0])
    last = first + len(rows) - 1
    noun = f"line {first}" if first == last else f"lines {first}-{last}"
    head = f"{noun} now (with a line of context):"
    if numbers[0] not in (first, last) or deleted:
        head = f"line {numbers[0]} changed; {head}"
    if deleted:
        head = f"an empty line is left at line {numbers[0]}; {head}"
    return "\n".join([head, *rows]), [numbers[0]]


def _line_numbers(data: bytes, places: list[int]) -> list[int]:
    numbers: list[int] = []
    done, line = 0, 1
    for place in places:
        line += data.count(b"\n", done, place)
        done = place
        numbers.append(line)
    return numbers


def _around(data: bytes, start: int, end: int, line: int) -> tuple[int, list[str]]:
    """The lines of a part of the data and one line before and after: first number, lines."""
    begin = data.rfind(b"\n", 0, start) + 1
    first = line
    if begin:
        begin, first = data.rfind(b"\n", 0, begin - 1) + 1, line - 1
    stop = _line_end(data, end)
    stop = _line_end(data, stop + 1) if stop < len(data) else stop
    rows: list[str] = []
    place = begin
    while place <= stop and len(rows) < _LINES and (place < len(data) or not rows):
        after = _line_end(data, place)
        rows.append(_row(data, place, after, max(start - place, 0)))
        place = after + 1
    return first, rows


def _line_end(data: bytes, place: int) -> int:
    found = data.find(b"\n", place)
    return len(data) if found < 0 else found


def _row(data: bytes, start: int, end: int, changed: int) -> str:
    """One line as text, cut around the change when it is long."""
    if end - start <= _CHARS:
        text = data[start:end].decode("utf-8", "replace").rstrip("\r")
        return text.removeprefix("\ufeff") if start == 0 else text
    near = start + max(0, min(changed, end - start) - 4 * _CHARS)
    text = data[near : near + 12 * _CHARS].decode("utf-8", "ignore")
    return around(text, min(changed, 4 * _CHARS), _CHARS - 2)
