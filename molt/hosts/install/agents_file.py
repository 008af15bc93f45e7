"""The block that tells an agent of molt, in a file of instructions."""

from __future__ import annotations

from molt.formats.prose import instructions
from molt.hosts.install.targets import BlockTarget


def make_target(path: str) -> BlockTarget:
    """The file of instructions at a path, with the block; words of the user's own will do."""
    return BlockTarget(
        path,
        instructions.BLOCK,
        instructions.BEGIN,
        instructions.END,
        is_told=instructions.is_told,
        find_earlier=instructions.find_earlier,
    )
