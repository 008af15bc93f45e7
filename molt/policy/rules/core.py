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
    said = _tell_excess(judged, data, cap)
    if said:
        # git's own merge of two that are under it is nobody's edit.
        soft = judged.context.clean or _was_over(judged, data, cap)
        hint = f"{_SMALLER}, or raise `core.cap` in molt.yaml, in a commit of its own"
        yield Fault(paths.CORE, 0, said, hint, soft=soft)


def _was_over(judged: Judged, data: bytes, cap: int) -> bool:
    """Whether a core memory was over the cap before, and may be so: one that was adopted over it,
    until it was under it once; one that a merge has brought there, if it does not grow.
    """
    every = (tree.read(paths.CORE) or b"" for tree in judged.befores)
    befores = [one for one in every if _tell_excess(judged, one, cap)]
    if not befores or len(data) <= max(map(len, befores)):
        return bool(befores)
    find = judged.context.find_shortest
    shortest = find(paths.CORE) if find else None
    return shortest is None or bool(_tell_excess(judged, shortest, cap))


def _tell_excess(judged: Judged, data: bytes, cap: int) -> str:
    """How a core memory is over the cap; empty where it is not."""
    # A token is at least one byte, so a small file needs no counting.
    if len(data) <= cap:
        return ""
    if len(data) > cap * token_counts.LONGEST:
        return f"{len(data):,} bytes, far over the cap of {cap:,} tokens (core.cap)"
    count = judged.context.count_tokens or token_counts.count_tokens
    tokens = count(data.decode("utf-8", "replace"))
    if tokens <= cap:
        return ""
    return f"{tokens:,} tokens, {tokens - cap:,} over the cap of {cap:,} (core.cap)"


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
