"""No edit changes a byte outside its match, whatever the file is made of.

The expectation is computed by a slow model of its own: the file as a list of atoms, each with the
bytes that are shown and the bytes that are stored. `ARTIFACT_KIT_EXAMPLES` sets how many files.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.file_tools.stage import Stage

if TYPE_CHECKING:
    from artifact_kit.contract import Outcome

EXAMPLES = int(os.environ.get("ARTIFACT_KIT_EXAMPLES", "500"))
PIECES = [
    "a",
    "b",
    "ab",
    "aa",
    "\n",
    "\n",
    "\t",
    "  ",
    "é",
    "x = 1;",
    "\u2019",
    "\r",
    "�",
    "…",
    "$1",
]
WILD = [b"\xe9", b"\x99", b"\xff", b"\xc3", b"\xe2\x80"]

texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
bodies = st.lists(
    st.one_of(
        st.sampled_from(PIECES).map(str.encode),
        st.sampled_from([b"\r\n", b"\r\n", b"ab\nab\n", b"ab\r\nab\r\n"]),
        st.sampled_from(WILD),
    ),
    max_size=30,
).map(b"".join)


class Atom(NamedTuple):
    shown: bytes
    stored: bytes


def atoms_of(data: bytes) -> tuple[bytes, list[Atom]]:
    """The BOM, and one atom for each byte or CRLF after it."""
    bom = data[:3] if data[:3] == b"\xef\xbb\xbf" else b""
    place, atoms = len(bom), []
    while place < len(data):
        step = 2 if data[place : place + 2] == b"\r\n" else 1
        stored = data[place : place + step]
        atoms.append(Atom(b"\n" if step == 2 else stored, stored))
        place += step
    return bom, atoms


def hits_of(atoms: list[Atom], old: str) -> list[int]:
    needle = list(old.replace("\r\n", "\n").encode())
    shown = [atom.shown[0] for atom in atoms]
    if not needle:
        return []
    return [i for i in range(len(shown)) if shown[i : i + len(needle)] == needle]


def ending_of(atoms: list[Atom], start: int, end: int) -> bytes | None:
    """The line ending for a new text in place of these atoms; None when the file has none."""
    breaks = [atom.stored for atom in atoms if atom.shown == b"\n"]
    if not breaks:
        return None
    inside = [atom.stored for atom in atoms[start:end] if atom.shown == b"\n"]
    if not inside:
        inside = [atom.stored for atom in atoms[end:] if atom.shown == b"\n"][:1] or breaks
    return b"\r\n" if inside.count(b"\r\n") >= inside.count(b"\n") else b"\n"


def expected(data: bytes, old: str, new: str, *, every: bool) -> bytes | None:
    """The file after the edit; None when the edit must be refused."""
    bom, atoms = atoms_of(data)
    hits = hits_of(atoms, old)
    if not hits or (len(hits) > 1 and not every):
        return None
    size = len(old.replace("\r\n", "\n").encode())
    out, place = bom, 0
    for hit in hits:
        if hit < place:
            continue
        out += b"".join(atom.stored for atom in atoms[place:hit])
        ending = ending_of(atoms, hit, hit + size)
        plain = new.encode()
        out += plain if ending is None else plain.replace(b"\r\n", b"\n").replace(b"\n", ending)
        place = hit + size
    return out + b"".join(atom.stored for atom in atoms[place:])


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


async def edited(data: bytes, args: dict[str, object]) -> tuple[Outcome, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage("memory", Path(folder), {"f.txt": data})
        outcome = await stage.call("edit_file", {"path": "f.txt", **args})
        return outcome, stage.files()["f.txt"]


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=bodies, bom=st.booleans(), old=texts, new=texts, every=st.booleans(), data=st.data())
def test_an_edit_gives_exactly_the_promised_bytes(
    body: bytes, bom: bool, old: str, new: str, every: bool, data: st.DataObject
) -> None:
    stored = b"\xef\xbb\xbf" * bom + body
    shown = b"".join(atom.shown for atom in atoms_of(stored)[1]).decode("utf-8", "ignore")
    if shown and data.draw(st.booleans(), label="take oldText from the file"):
        start = data.draw(st.integers(0, len(shown) - 1))
        old = shown[start : start + data.draw(st.integers(1, 8))]
        if data.draw(st.booleans(), label="with CRLF"):
            old = old.replace("\n", "\r\n")
    same = old.replace("\r\n", "\n") == new.replace("\r\n", "\n")
    refused = not old or same or (not is_utf8(stored) and not new.isascii())
    promised = None if refused else expected(stored, old, new, every=every)

    args: dict[str, object] = {"oldText": old, "newText": new, "replaceAll": every}
    outcome, after = anyio.run(edited, stored, args)

    if promised is None:
        assert outcome.status == "refused", outcome.text
        assert after == stored
    else:
        assert outcome.status == "ok", outcome.text
        assert after == promised
        assert outcome.data["bytes"] == len(promised)
