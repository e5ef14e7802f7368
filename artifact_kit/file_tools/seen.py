"""What each conversation last saw of each file."""

from collections import OrderedDict
from dataclasses import dataclass

from artifact_kit.workspace import Version, WorkspacePath

_CONVERSATIONS = 500
_PATHS = 2_000


@dataclass(frozen=True)
class Sight:
    """A content by its hash, and the version under which the storage had it."""

    hash: str
    version: Version


class Seen:
    """Content hashes by conversation and path; the conversations unused for longest are forgotten.

    Set by read, write and edit; moved by a move; dropped by a delete. So a conversation's own
    writes never look foreign to it, and a file it never looked at has no hash.
    """

    def __init__(self) -> None:
        self._hashes: OrderedDict[str, OrderedDict[WorkspacePath, Sight]] = OrderedDict()

    def last(self, conversation: str, path: WorkspacePath) -> Sight | None:
        """What this conversation saw last."""
        return self._hashes.get(conversation, OrderedDict()).get(path)

    def path(self, conversation: str, raw: str) -> WorkspacePath | None:
        """The path that is written exactly so, when this conversation has seen a file there."""
        path = WorkspacePath(tuple(raw.split("/")))
        return path if self.last(conversation, path) else None

    def note(self, conversation: str, path: WorkspacePath, digest: str, version: Version) -> None:
        """Remember what the conversation has now seen."""
        hashes = self._hashes.setdefault(conversation, OrderedDict())
        self._hashes.move_to_end(conversation)
        hashes[path] = Sight(digest, version)
        hashes.move_to_end(path)
        if len(hashes) > _PATHS:
            hashes.popitem(last=False)
        if len(self._hashes) > _CONVERSATIONS:
            self._hashes.popitem(last=False)

    def moved(self, conversation: str, source: WorkspacePath, target: WorkspacePath) -> None:
        """What was seen of a file, or of those in a folder, was seen at the new place."""
        hashes = self._hashes.get(conversation, OrderedDict())
        inside = [path for path in hashes if source.holds(path)]
        for path in [path for path in hashes if target.holds(path)]:
            del hashes[path]
        for path in inside:
            rest = path.parts[len(source.parts) :]
            hashes[WorkspacePath((*target.parts, *rest))] = hashes.pop(path)

    def dropped(self, conversation: str, path: WorkspacePath) -> None:
        """Forget a file, or all files of a folder."""
        hashes = self._hashes.get(conversation, OrderedDict())
        for other in [other for other in hashes if path.holds(other)]:
            del hashes[other]
