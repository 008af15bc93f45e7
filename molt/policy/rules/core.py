"""CORE: core memory stays small, and keeps its blocks."""

from __future__ import annotations

from molt import tokens as token_counts
from molt.formats import bullets, sections
from molt.policy.engine import Example, Fault, Judged, Rule, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CORE = "MEMORY.md"


def _check_core_cap(judged: Judged) -> Iterator[Fault]:
    if not any(change.path == _CORE and change.status != "D" for change in judged.changes):
        return
    data, cap = judged.new.read(_CORE) or b"", judged.config.core_cap
    # A token is at least one byte, so a small file needs no counting.
    if len(data) <= cap or judged.init:
        return
    count = judged.context.count_tokens or token_counts.count_tokens
    tokens = count(data.decode("utf-8", "replace"))
    if tokens > cap:
        # One that was adopted over the cap may be brought down step by step.
        before = judged.base.read(_CORE) or b""
        shrinks = len(before) > len(data) and count(before.decode("utf-8", "replace")) > tokens
        hint = "move what is no longer pressing into memory/, or shorten it"
        said = f"{tokens:,} tokens, {tokens - cap:,} over the cap of {cap:,}"
        yield Fault(_CORE, 0, said, hint, soft=shrinks)


def _check_core_blocks(judged: Judged) -> Iterator[Fault]:
    if not any(change.path == _CORE for change in judged.changes):
        return
    before, after = (
        _section_titles(read_text(judged.base, _CORE)),
        _section_titles(read_text(judged.new, _CORE)),
    )
    for block in bullets.BLOCKS:
        if block in before and block not in after:
            yield Fault(_CORE, 0, f"the block {block!r} is gone", f"keep `## {block}`")


def _section_titles(content: str) -> frozenset[str]:
    return frozenset(one.title for one in sections.parse_sections(content) if one.level == 2)


RULES = (
    Rule(
        "CORE001",
        "core cap",
        "error",
        _check_core_cap,
        "The context window: core memory is always loaded.",
        Example({}, {_CORE: "# small\n"}),
        Example({}, {_CORE: "word " * 3500}),
    ),
    Rule(
        "CORE002",
        "core blocks",
        "warning",
        _check_core_blocks,
        "The four blocks that agents rely on.",
        Example({_CORE: "## Identity\n"}, {_CORE: "## Identity\n- a\n"}),
        Example({_CORE: "## Identity\n"}, {_CORE: "# nothing\n"}),
    ),
)
