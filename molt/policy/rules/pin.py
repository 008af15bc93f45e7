"""PIN: what the user pinned stays pinned, and nobody else pins."""

from __future__ import annotations

from molt.formats import fields, frontmatter, origin, paths
from molt.policy import scored
from molt.policy.engine import Example, Fault, Judged, Rule
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from molt.trees import Tree

    Entry = Mapping[str, Any]

_SCORES = paths.SCORES
_NOTES = ("entity", "procedure", "prose")
"""What is one memory or a note, and says in its front matter how long it is seen."""
_MARKS = (b"pinned", b"until", b"\\")


def _check_pins(judged: Judged) -> Iterator[Fault]:
    if judged.is_person:
        return
    yield from _check_marks(judged)
    if not any(one.path == _SCORES for one in judged.changes):
        return
    held = scored.HeldMemories(judged.new)
    for name, made in scored.find_fresh(judged):
        if scored.is_pinned(name, {}) and _is_worse(name, {}, made):
            said = f"{judged.who} puts {name} away, which is pinned"
            yield Fault(_SCORES, 0, said, "a person unpins it")
    for name, (olds, new) in scored.list_changed(judged).items():
        pinned = all(scored.is_pinned(name, old) for old in olds)
        worse = all(_is_worse(name, old, new) for old in olds)
        if pinned and worse and (new is not None or held.has(name)):
            yield Fault(
                _SCORES, 0, f"{judged.who} touches {name}, which is pinned", "a person unpins it"
            )


def _check_marks(judged: Judged) -> Iterator[Fault]:
    """The notes that say of themselves that they are pinned, or until when they hold, and did not
    say so before: the one is a person's to say, and the other hides what was there. To delete a
    pinned note unpins it too.
    """
    free = judged.init or (judged.actor.startswith("reflection:") and judged.context.approved)
    moved: frozenset[str] | None = None
    for change in judged.changes:
        if free or paths.kind_of(change.path) not in _NOTES:
            continue
        said = _read_marks(judged.new, change.path)
        known = [_read_marks(tree, change.path) for tree in judged.befores]
        if said[0] and not any(one[0] for one in known):
            wrong = f"{judged.who} pins {change.path}"
            yield Fault(change.path, 0, wrong, "a person does: `molt pin`; leave `pinned` out")
        if change.status != "A" and not said[0] and all(one[0] for one in known):
            said_so = f"{judged.who} unpins {change.path}"
            yield Fault(change.path, 0, said_so, "a person does: `molt unpin`")
        if change.status == "A":
            moved = _list_moved(judged) if moved is None else moved
        ends = moved if change.status == "A" else frozenset(one[1] for one in known)
        if change.status != "D" and ends and said[1] and said[1] not in ends:
            wrong = f"{judged.who} says until when {change.path} holds, which was there before"
            hint = "a person does; a bot gives a last day to what is new"
            yield Fault(change.path, 0, wrong, hint)


def _list_moved(judged: Judged) -> frozenset[str]:
    """The last days, empty for none, of the notes that a commit takes away: it may have them under
    other names.
    """
    gone = [one.path for one in judged.changes if one.status == "D"]
    notes = [path for path in gone if paths.kind_of(path) in _NOTES]
    return frozenset(_read_marks(tree, path)[1] for path in notes for tree in judged.befores)


def _read_marks(tree: Tree, path: str) -> tuple[bool, str]:
    """Whether a note is pinned by its own front matter, and the last day that this gives; empty
    for none.
    """
    data = tree.read(path) or b""
    # Few notes say so, and to read front matter takes longer than all else. YAML has other
    # writings of a letter in a key, which begin with a backslash.
    end = data.find(b"\n---", 3) if data.startswith(b"---") else -1
    head = (data[:end] if end >= 0 else data).lower()
    if not any(mark in head for mark in _MARKS):
        return False, ""
    found = frontmatter.metadata(read_text(tree, path))
    return fields.pinned_flag(found), str(found.get(origin.UNTIL) or "")


def _is_worse(name: str, before: Entry, after: Entry | None) -> bool:
    """Whether a pinned entry is worse off, also for the day on which a person unpins it; counting
    its accesses leaves it as it was.
    """
    if after is None or (before.get("pinned") and not after.get("pinned")):
        return True
    if after.get("status") not in (before.get("status"), "active"):
        return True
    if "created" in before and after.get("created") != before["created"]:
        return True
    usual = {
        "current_score": 1.0,
        "base_relevance": scored.LEAST_BASE,
        "type_weight": paths.weight_of(name),
    }
    try:
        return any(after.get(key, least) < before.get(key, least) for key, least in usual.items())
    except TypeError:
        return True


def _score_file(score: str) -> str:
    entry = f'"pinned": true, "status": "active", "current_score": {score}'
    return '{"version": 1, "entries": {"vault:a": {' + entry + "}}}"


_VAULT = {"memory/vault/a.md": "a\n"}

RULES = (
    Rule(
        "SCORE002",
        "pins hold",
        "error",
        _check_pins,
        "What the user pinned.",
        Example(
            {_SCORES: _score_file("1.0"), **_VAULT},
            {_SCORES: _score_file("1.0") + "\n", **_VAULT},
            actor="system:decay",
        ),
        Example(
            {_SCORES: _score_file("1.0"), **_VAULT},
            {_SCORES: _score_file("0.1"), **_VAULT},
            actor="system:decay",
        ),
        concerns=lambda shape: not shape.is_person and shape.touches("scores", *_NOTES),
    ),
)
