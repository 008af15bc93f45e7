"""Findings that a person takes on: `Accepts: COMMIT CODE` in an [ACK] commit that comes later."""

from __future__ import annotations

from molt import policy
from molt.formats import message as messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator, Sequence

    from molt.formats.message import Message
    from molt.memory.checks.scope import Scope
    from molt.policy import Finding
    from molt.repo.commits import Commit

    Found = tuple[str, Finding]

TRAILER = "Accepts"
# In full, for of a short one there can be two.
_ID = 40


def without_trailers(message: Message | None) -> Message | None:
    """A message that accepts nothing."""
    if message is None:
        return None
    kept = tuple(pair for pair in message.trailers if pair[0].lower() != TRAILER.lower())
    return message.replace(trailers=kept)


def taken_on(message: Message) -> Iterator[tuple[str, str]]:
    """The commits and rules whose findings a message accepts; a person alone can do that."""
    if message.action != "ACK" or messages.actor(message) != "manual":
        return
    for value in messages.trailer_values(message, TRAILER):
        oid, _, code = value.partition(" ")
        if len(oid) == _ID and code:
            yield oid, code.strip()


def settle(
    scope: Scope,
    findings: Sequence[Found],
    final: Container[tuple[str, str]],
    *,
    elsewhere: Callable[[Commit], bool] | None,
) -> tuple[Found, ...]:
    """Findings of which those are warnings that a later commit accepts: one that the scope leads
    to, or one of any branch that is known here which `elsewhere` says may. `final` ones stay.
    """
    refused = {(oid, one.code) for oid, one in findings if one.severity == "error"}
    wanted = {pair for pair in refused if pair not in final}
    bad = {oid for oid, _ in refused}
    answers: dict[tuple[str, str], str] = {}
    for ack in (*_in_scope(scope, bad), *_find_elsewhere(scope, elsewhere)):
        told = wanted.intersection(taken_on(messages.parse(ack.message)))
        taken = _keep_earlier(scope, ack.oid, told - answers.keys())
        answers |= dict.fromkeys(taken, ack.oid)
    return tuple((oid, _settled(one, answers.get((oid, one.code), ""))) for oid, one in findings)


def _in_scope(scope: Scope, bad: Container[str]) -> Iterator[Commit]:
    """The commits of a scope that may accept others: they are not refused themselves."""
    every = (scope.store.commit(oid) for oid in scope.judged if oid not in bad)
    return (commit for commit in every if TRAILER in commit.message)


def _find_elsewhere(scope: Scope, may_accept: Callable[[Commit], bool] | None) -> Iterator[Commit]:
    """The commits of all branches here that may accept others."""
    if may_accept is None:
        return
    args = ("log", "--format=%H", "-i", "-F", f"--grep={TRAILER}: ", "--branches", "--remotes")
    out = scope.repo.run(*args, "--not", *scope.tips, "--")
    yield from filter(may_accept, map(scope.store.commit, out.split()))


def _keep_earlier(
    scope: Scope, later: str, pairs: Collection[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Those of some commits and rules whose commit leads to a later one, whose past is walked once
    for all of them.
    """
    if not pairs:
        return
    if later in scope.ancestry.parents:
        past: Container[str] = scope.ancestry.ancestors((later,))
    else:
        oids = {oid for oid, _ in pairs}
        past = {oid for oid in oids if scope.repo.is_ancestor(oid, later)}
    yield from (pair for pair in pairs if pair[0] in past)


def _settled(one: Finding, answer: str) -> Finding:
    if not answer or one.severity != "error":
        return one
    (made,) = policy.accept((one,), (one.code,))
    if made.severity == "error":
        return one
    return made.replace(hint=f"accepted in {answer[:10]}")
