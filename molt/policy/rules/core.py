"""CORE: core memory stays small, keeps its blocks, and is there."""

from __future__ import annotations

from molt import tokens as token_counts
from molt import trees
from molt.formats import bullets, paths, sections
from molt.policy import shapes
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SMALLER = "move what is no longer pressing into memory/, or shorten it"


def _check_core_cap(judged: Judged) -> Iterator[Fault]:
    entry = judged.new.entry(paths.CORE)
    known = [tree.entry(paths.CORE) for tree in judged.befores]
    if entry is None or entry in known or judged.init:
        return
    cap = judged.config.core_cap
    data = judged.new.read(paths.CORE) or b""
    tokens = _count_over(judged, data, cap)
    if tokens:
        # git's own merge of two that are under it is nobody's edit.
        soft = judged.context.clean or _was_over(judged, data, cap)
        hint = f"{_SMALLER}{_tell_higher(judged, tokens)}"
        yield Fault(paths.CORE, 0, _tell_excess(data, tokens, cap), hint, soft=soft)


def _was_over(judged: Judged, data: bytes, cap: int) -> bool:
    """Whether a core memory was over the cap before, and may be so: one that was adopted over it,
    until it was under it once; one that a merge has brought there, if it does not grow.
    """
    every = (tree.read(paths.CORE) or b"" for tree in judged.befores)
    befores = [one for one in every if _count_over(judged, one, cap)]
    if not befores or len(data) <= max(map(len, befores)):
        return bool(befores)
    find = judged.context.find_shortest
    shortest = find(paths.CORE) if find else None
    return shortest is None or bool(_count_over(judged, shortest, cap))


_UNCOUNTED = -1
"""So many tokens has what is so far over the cap that nobody counts."""


def _count_over(judged: Judged, data: bytes, cap: int) -> int:
    """How many tokens a core memory over the cap has; 0 for one that is not."""
    # A token is at least one byte, so a small file needs no counting.
    if len(data) <= cap:
        return 0
    if len(data) > cap * token_counts.LONGEST:
        return _UNCOUNTED
    count = judged.context.count_tokens or token_counts.count_tokens
    tokens = count(data.decode("utf-8", "replace"))
    return tokens if tokens > cap else 0


def _tell_excess(data: bytes, tokens: int, cap: int) -> str:
    if tokens == _UNCOUNTED:
        return f"{len(data):,} bytes, far over the cap of {cap:,} tokens (core.cap)"
    return f"{tokens:,} tokens, {tokens - cap:,} over the cap of {cap:,} (core.cap)"


def _tell_higher(judged: Judged, tokens: int) -> str:
    """The command that raises the cap, for a person who is about to commit: to a round number with
    a quarter more than there is, so that the next line does not ask again.
    """
    if tokens == _UNCOUNTED or not judged.is_person or judged.context.commit:
        return ""
    return f"; or raise the cap: `molt core cap {-(-tokens * 5 // 4000) * 1000}`"


def _check_core_blocks(judged: Judged) -> Iterator[Fault]:
    if not any(change.path == paths.CORE for change in judged.changes):
        return
    before, after = (
        _list_blocks(trees.read_text(tree, paths.CORE)) for tree in (judged.base, judged.new)
    )
    for block in bullets.BLOCKS:
        if block in before and block not in after:
            yield Fault(paths.CORE, 0, f"the block {block!r} is gone", f"keep `## {block}`")


def _list_blocks(content: str) -> frozenset[str]:
    return frozenset(one.title for one in sections.parse_sections(content) if one.level == 2)


def _check_core_stays(judged: Judged) -> Iterator[Fault]:
    if judged.is_person or not any(one.path == paths.CORE for one in judged.changes):
        return
    # A file without a word is as good as none.
    before, after = (judged.base.read(paths.CORE) or b"", judged.new.read(paths.CORE) or b"")
    if before.strip() and not after.strip():
        hint = "a person may remove it; take out what is no longer true"
        yield Fault(paths.CORE, 0, f"{judged.who} removes core memory", hint)


RULES = (
    Rule(
        "CORE001",
        "core cap",
        "error",
        _check_core_cap,
        "The context window: core memory is always loaded.",
        Example({}, {paths.CORE: "# small\n"}),
        Example({}, {paths.CORE: "word " * 3500}),
        concerns=shapes.touching("core"),
    ),
    Rule(
        "CORE002",
        "core blocks",
        "warning",
        _check_core_blocks,
        "The four blocks that agents rely on.",
        Example({paths.CORE: "## Identity\n"}, {paths.CORE: "## Identity\n- a\n"}),
        Example({paths.CORE: "## Identity\n"}, {paths.CORE: "# nothing\n"}),
        concerns=shapes.touching("core"),
    ),
    Rule(
        "CORE003",
        "core stays",
        "error",
        _check_core_stays,
        "That an agent wakes up as somebody.",
        Example({paths.CORE: "# M\n"}, {}, actor="manual"),
        Example({paths.CORE: "# M\n"}, {}, actor="bot:main"),
        concerns=shapes.touching("core"),
    ),
)
