"""Taking findings on record: a person says that what a rule refuses stays, and why."""

from __future__ import annotations

from molt import errors, policy
from molt.formats import message as messages
from molt.memory import remarks, workspace
from molt.memory.checks import settled, verify
from molt.repo.history import revisions
from molt.repo.history.revisions import CommitRange
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.memory.checks.verify import VerifyReport
    from molt.memory.workspace import Workspace

_NEVER = "{} of {} cannot be accepted"
_REWRITTEN = "HIST001"
_SHOWN = 3  # rows that are named; the others are counted


class Accepted(Value):
    """What was accepted, (commit, rule) pairs, and the commit that says so."""

    accepted: tuple[tuple[str, str], ...]
    commit: str


def accept_findings(ws: Workspace, words: Sequence[str], why: str, actor: str) -> Accepted:
    """Accept errors of the commits and ranges among some words: those of the rules that the words
    name, or of all but the ones that nobody can accept.

    Raises Usage for words that make no sense and without a reason, NotFound where there is
    nothing to accept, and Refused for who is no person, and for what nobody can accept.
    """
    if not why.strip():
        raise errors.Usage("to accept takes a reason", '--why "…"')
    codes = frozenset(word.upper() for word in words if policy.rule(word))
    revs = [word for word in words if not policy.rule(word)]
    if not revs:
        raise errors.Usage("name a commit or a range", "`molt verify` lists what it found")
    found = [row for rev in revs for row in _find_errors(ws, rev, codes)]
    pairs = tuple(dict.fromkeys((oid, code) for oid, code, refusal in found if not refusal))
    if _REWRITTEN in codes:
        # What came before a commit is no matter of it alone: a person's word is enough.
        alone = [ws.repo.resolve(rev) for rev in revs if ".." not in rev and rev[:1] != "^"]
        pairs = tuple(dict.fromkeys((*pairs, *((oid, _REWRITTEN) for oid in alone))))
    refusal = next((refusal for *_, refusal in found if refusal), None)
    if refusal and (codes or not pairs):
        raise refusal
    if not pairs:
        said = f"nothing to accept in {' '.join(words)}"
        raise errors.NotFound(said, "`molt verify` lists what it found")
    return Accepted(pairs, _commit(ws, pairs, why, actor))


def _find_errors(
    ws: Workspace, rev: str, codes: frozenset[str]
) -> Iterator[tuple[str, str, errors.Refused | None]]:
    """The errors of a commit, or of the commits of a range: commit, rule, and why it cannot be
    accepted, if it cannot.
    """
    # Of what may stay here and not leave, such as a `fixup!`, the push would tell next.
    asked = _find_range(ws, rev)
    report = verify.judge_range(ws.repo, asked, publish=True, everywhere=True)
    for oid, one in report.errors:
        if not codes or one.code in codes:
            yield oid, one.code, _explain_refusal(report, oid, one.code)


def _find_range(ws: Workspace, rev: str) -> CommitRange:
    if ".." in rev or rev.startswith("^"):
        return revisions.resolve_range(ws.repo, [rev])
    oid = ws.repo.resolve(rev)
    # Who may push a tag may call it as a commit is called for short that somebody is to accept.
    revisions.resolve_range(ws.repo, [rev])
    parents = revisions.find_parents(ws.repo, oid)
    return CommitRange(rev, (oid,), parents, parents)


def _explain_refusal(report: VerifyReport, oid: str, code: str) -> errors.Refused | None:
    """Why nobody can accept the finding of a rule on a commit; None where a person can."""
    if not policy.is_acceptable(code):
        found = policy.rule(code)
        protects = found.protects if found else ""
        hint = f"it protects this: {protects} `git revert {oid[:10]}` takes it back"
        return errors.Refused(_NEVER.format(code, oid[:10]), hint)
    if (oid, code) in report.final:
        return errors.Refused(_NEVER.format(code, oid[:10]), verify.FINAL)
    return None


def _commit(ws: Workspace, pairs: Sequence[tuple[str, str]], why: str, actor: str) -> str:
    """Commit that some findings are accepted, judged as every commit is."""
    if actor != "manual":
        raise workspace.make_person_error(f"{actor} cannot accept what a rule refuses")
    text = messages.render(
        "ACK",
        "*",
        f"accepted {_describe(pairs)}: {why}",
        messages.Provenance(
            actor=actor,
            approval="approved",
            trigger="molt accept",
            trailers=[(settled.TRAILER, f"{oid} {code}") for oid, code in pairs],
        ),
    )
    return remarks.commit_words(ws, text, actor)


def _describe(pairs: Sequence[tuple[str, str]]) -> str:
    shown = [f"{code} of {oid[:10]}" for oid, code in pairs[:_SHOWN]]
    rest = len(pairs) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more" if rest else "")
