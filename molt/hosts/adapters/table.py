"""The table of formats, and the one that some files are of."""

from __future__ import annotations

from molt.hosts.adapters import (
    basic_memory,
    chatgpt,
    claude_memory,
    mem0,
    memfs,
    obsidian,
    okf,
    openclaw,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.hosts.adapters.shape import Files, Format

FORMATS = {
    one.FORMAT.name: one.FORMAT
    for one in (claude_memory, openclaw, memfs, basic_memory, mem0, chatgpt, obsidian, okf)
}
_ORDER = ("obsidian", "okf", "basic-memory", "memfs", "claude-memory", "openclaw")
"""Those that a folder tells by itself, the surest first."""


def recognise_folder(files: Files) -> Format | None:
    """The format of a folder by what is in it; None for one of none."""
    return next((FORMATS[name] for name in _ORDER if FORMATS[name].knows(files)), None)
