"""How to go on where commits break rules."""

from __future__ import annotations

from molt import policy
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.memory.checks.verify import VerifyReport
    from molt.policy import Finding

_MANY = 4
"""Commits that a line may name one by one."""
_ANY = "\0"
"""What stands for a commit in what is said alike of several."""


class Cause(Value):
    """What a rule says alike of several commits, or of one: the hint is about all of them."""

    commits: tuple[str, ...]
    finding: Finding

    @property
    def named(self) -> str:
        """The first of the commits, and how many more there are."""
        more = len(self.commits) - 1
        return self.commits[0][:10] + (f" and {more:,} more" if more else "")


def list_causes(report: VerifyReport) -> tuple[Cause, ...]:
    """What was found, each once however many commits it is said of."""
    found: dict[Finding, list[str]] = {}
    for oid, one in report.findings:
        found.setdefault(one.replace(hint=one.hint.replace(oid[:10], _ANY)), []).append(oid)
    return tuple(
        Cause(tuple(oids), one.replace(hint=one.hint.replace(_ANY, _name_all(report, oids))))
        for one, oids in found.items()
    )


def _name_all(report: VerifyReport, oids: Sequence[str]) -> str:
    """Some commits, as a command takes them; of many the range that has all errors."""
    if len(oids) > _MANY and report.faulty:
        return report.faulty
    return " ".join(oid[:10] for oid in oids)


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
