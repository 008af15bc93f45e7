"""How to go on where commits break rules."""

from __future__ import annotations

from molt import policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.memory.checks.verify import VerifyReport

_MANY = 4
"""Commits that a line may name one by one."""


def tell_acceptance(report: VerifyReport) -> str:
    """The line by which a person takes on the errors of a report; empty where nobody can. A commit
    of which one error stays is not in it.
    """
    every = list(dict.fromkeys((oid, one.code) for oid, one in report.errors))
    never = {oid for oid, _ in _list_final(report)}
    commits = tuple(dict.fromkeys(oid[:10] for oid, _ in every if oid not in never))
    if not commits:
        return ""
    # A range is taken whole or not at all; only in one is a rewritten past seen.
    rewritten = any(code == "HIST001" for _, code in every)
    short = report.faulty and ((len(commits) >= _MANY and not never) or rewritten)
    return f'molt accept {report.faulty if short else " ".join(commits)} --why "…"'


def tell_way_on(report: VerifyReport) -> str:
    """What a person can do about the errors of a report; empty where there are none."""
    line, final = tell_acceptance(report), _list_final(report)
    offer = f"to go on with {'the rest' if final else 'this'} as it is, a person says: {line}"
    return "; ".join(filter(None, (_tell_remake(final), offer if line else "")))


def _list_final(report: VerifyReport) -> list[tuple[str, str]]:
    """The commits and codes of errors that nobody can accept."""
    every = dict.fromkeys((oid, one.code) for oid, one in report.errors)
    return [one for one in every if one in report.final or not policy.is_acceptable(one[1])]


def _tell_remake(final: Sequence[tuple[str, str]]) -> str:
    if not final:
        return ""
    oid, code = final[0]
    commit = oid[:10]
    more = f" (and {len(final) - 1:,} more)" if final[1:] else ""
    return (
        f"nobody can accept {code} of {commit}{more}: `git revert {commit}` takes back what it did;"
        " what is not pushed yet is best made anew, where molt's hooks run (`molt hooks install`,"
        f" `git rebase -i {commit}^`)"
    )
