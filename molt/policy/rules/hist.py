"""HIST: the place of a commit in history, and whether its object can be read."""

from __future__ import annotations

from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REWRITTEN, UNRELATED, ADOPTED = "rewritten", "unrelated", "adopted"
"""What a door may see of a commit's place; all else that it sees is odd about the object."""


def _seen(word: str, said: str, hint: str) -> Callable[[Judged], Iterator[Fault]]:
    """The check of a rule that refuses what a door has seen."""

    def check(judged: Judged) -> Iterator[Fault]:
        if word in judged.context.history:
            yield Fault("", 0, said, hint)

    return check


def _readable(judged: Judged) -> Iterator[Fault]:
    for said in judged.context.history:
        if said not in (REWRITTEN, UNRELATED, ADOPTED):
            yield Fault("", 0, said, "git has written no such commit: make it again")


_GOOD = "[CREATE] a.md — a start\n\nActor: manual\nApproval: —\nTrigger: direct human edit\n"
_PASS = Example({}, {"a.md": "a\n"}, _GOOD)

RULES = (
    Rule(
        "HIST001",
        "history goes on",
        "error",
        _seen(
            REWRITTEN,
            "history was rewritten: what was there before is no part of it",
            "put it back, and correct it with new commits",
        ),
        "What others have: a published past is not replaced.",
        _PASS,
        Example({}, {"a.md": "a\n"}, _GOOD, history=(REWRITTEN,)),
        concerns=lambda shape: shape.seen,
    ),
    Rule(
        "HIST002",
        "one history",
        "error",
        _seen(
            UNRELATED,
            "a history without a common past is brought in",
            "`git merge --abort` leaves it; `molt import` takes in what another workspace holds",
        ),
        "That rules cannot be brought in from elsewhere.",
        _PASS,
        Example({}, {"a.md": "a\n"}, _GOOD, history=(UNRELATED,)),
        concerns=lambda shape: shape.seen,
    ),
    Rule(
        "HIST003",
        "one adoption",
        "error",
        _seen(
            ADOPTED,
            "it says that it makes or adopts a workspace, and there is one already",
            "`molt init` does it once; say what this commit does",
        ),
        "That nothing is exempt by its own word.",
        _PASS,
        Example({}, {"a.md": "a\n"}, _GOOD, history=(ADOPTED,)),
        concerns=lambda shape: shape.seen,
    ),
    Rule(
        "HIST004",
        "readable commits",
        "error",
        _readable,
        "That every reader sees the same commit.",
        _PASS,
        Example({}, {"a.md": "a\n"}, _GOOD, history=("its time cannot be read",)),
        concerns=lambda shape: shape.seen,
    ),
)
