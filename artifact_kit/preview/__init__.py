"""A page in a sandboxed browser: open, act, read, eval, shot, close."""

from artifact_kit.preview.tool import Preview

__all__ = ("Preview",)
