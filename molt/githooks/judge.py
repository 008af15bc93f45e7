"""The hooks before a commit: complete the message, judge the tree that git is about to commit."""

from __future__ import annotations

import os
import sys
from time import gmtime, strftime

from molt import trees
from molt.formats import completion
from molt.formats import message as messages
from molt.formats.lines import escape_text, render_hint
from molt.githooks import attempt as attempts
from molt.githooks import marks
from molt.memory import judging
from molt.memory.held import quarantine, withheld
from molt.policy import waivers
from molt.repo import history, state
from molt.repo.objects import GitTree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.githooks.attempt import Attempt
    from molt.policy import Finding
    from molt.repo.repository import Repo
    from molt.trees import Tree

_TEMPLATE = "template"
# More findings of one rule nobody reads in a terminal; who mends these sees the next.
_SHOWN = 20
_CONCLUDE = "git commit --no-edit"


def prepare_commit_msg(args: Sequence[str]) -> int:
    """Completes the message in the file `args[0]`; with no editor, judges it at once.

    The judgement is left in the git folder, where commit-msg finds it and need not start Python
    again; it says what refuses the commit, for this hook must not. What somebody writes in an
    editor is completed after it, by commit-msg too.
    """
    attempt = attempts.start(args[0])
    if attempt is None or attempt.list_missing():
        return 0
    text = attempt.read_message()
    if attempt.has_editor and attempt.is_verified:
        source = args[1] if len(args) > 1 else os.environ.get("PRE_COMMIT_COMMIT_MSG_SOURCE", "")
        return _prompt_editor(attempt, text, source)
    done = attempts.complete_message(attempt, text)
    if done != text:
        attempt.write_message(done)
    if attempt.has_editor or attempt.is_replay or not attempt.is_verified:
        return 0
    message = completion.clean_message(done, attempt.cleanup(done))
    if completion.has_words(message) and len(attempt.bases()) == 1:
        findings = _evaluate_attempt(attempt, message)
        if _refuses(findings):
            _leave_refusal(attempt, done, message, findings)
        else:
            _leave_passed(attempt, done, message, findings)
    return 0


def _refuses(findings: Sequence[Finding]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def _leave_refusal(attempt: Attempt, text: str, message: str, findings: Sequence[Finding]) -> None:
    """Leaves to commit-msg what it has to say of a message and its files."""
    # As commit-msg leaves it to who comes back to it.
    if message != text:
        attempt.write_message(message)
    folder = attempt.found.git_dir
    state.write(folder, marks.REFUSAL, _format_findings(attempt, findings))
    state.write(folder, marks.REFUSED, message)


def _leave_passed(attempt: Attempt, text: str, message: str, findings: Sequence[Finding]) -> None:
    """Says the warnings, once, and leaves to the hooks that follow that the commit may be made."""
    _print_findings(attempt, findings)
    state.write(attempt.found.git_dir, marks.JUDGED, text)
    if attempt.bases() == (attempt.found.head,):
        _note_passed(attempt, message)
        _prepare_log(attempt, message)


def _prompt_editor(attempt: Attempt, text: str, source: str) -> int:
    """Says in comments what a plain line will become; what is a message already needs no word."""
    folder = attempt.found.git_dir
    cleanup = attempt.cleanup(text)
    message = completion.clean_message(text, cleanup)
    if source == "template" or state.read(folder, _TEMPLATE):
        state.write(folder, _TEMPLATE, message if source == "template" else "")
    if messages.classify_subject(message) or messages.parse(message).file:
        return 0
    waits = not message and state.read(folder, marks.UNSAVED)
    unsaved = _quote_word(_find_path(state.path(folder, marks.UNSAVED))) if waits else ""
    shown = completion.add_prompt(text, attempt.facts(), cleanup, unsaved=unsaved)
    if shown != text:
        attempt.write_message(shown)
    return 0


def pre_commit() -> int:
    """Judges the files alone; returns 1 where the policy refuses them."""
    attempt = attempts.start()
    if attempt is None:
        return 0
    attempt.require_whole()
    findings = _evaluate_attempt(attempt, None)
    # Warnings are for commit-msg to say, once, and with the message known.
    errors = [finding for finding in findings if finding.severity == "error"]
    accepted = _list_accepted(attempt)
    refused = any(finding.code not in accepted for finding in errors)
    return _print_findings(attempt, findings) if refused else 0


def _list_accepted(attempt: Attempt) -> tuple[str, ...]:
    """The rules that an option accepts, before there is a message: no editor need open where the
    commit is refused anyway.
    """
    values = (row.replace("=", ":", 1).partition(":") for row in attempt.invocation.trailers)
    accepts = (value for key, _, value in values if key.strip().lower() == "accepts")
    return tuple(code for value in accepts for code in waivers.parse_codes(value))


def commit_msg(args: Sequence[str]) -> int:
    """Completes and judges the message in `args[0]`, with the files; returns 1 to refuse them.

    A message without a word is left for git to refuse.
    """
    attempt = attempts.start(args[0])
    if attempt is None:
        return 0
    attempt.require_whole()
    text = attempt.read_message()
    if not _is_said(attempt, completion.clean_message(text, attempt.cleanup(text))):
        return _leave_to_git(attempt)
    done = attempts.complete_message(attempt, text)
    message = completion.clean_message(done, attempt.cleanup(done))
    findings = _evaluate_attempt(attempt, message)
    refused = _refuses(findings)
    # A person who comes back to it needs none of git's comments.
    done = message if refused else done
    if done != text:
        attempt.write_message(done)
    if attempt.has_editor:
        state.write(attempt.found.git_dir, marks.UNSAVED, message)
    status = _print_findings(attempt, findings)
    bases = attempt.bases()
    if len(bases) > 1:
        state.write(attempt.found.git_dir, marks.UNSURE, "yes")
    if not status and not attempt.is_replay and bases == (attempt.found.head,):
        _note_passed(attempt, message)
        _prepare_log(attempt, message)
    return status


def _is_said(attempt: Attempt, message: str) -> bool:
    """Whether a cleaned message is one; git refuses a template that nobody has touched."""
    if not completion.has_words(message):
        return attempt.invocation.allows_empty_message
    return not attempt.has_editor or message != state.read(attempt.found.git_dir, _TEMPLATE)


def _leave_to_git(attempt: Attempt) -> int:
    """Judges the files alone, and has git refuse a message that says nothing."""
    text = attempt.read_message()
    if not completion.has_words(completion.clean_message(text, attempt.cleanup(text))):
        # Of trailers that options have added, git would take the first for the subject.
        attempt.write_message("")
    return _print_findings(attempt, _evaluate_attempt(attempt, None))


def _evaluate_attempt(attempt: Attempt, text: str | None) -> tuple[Finding, ...]:
    """The findings on a commit; where its parent is not certain, those on the better one."""
    every = [_evaluate_commit(attempt, base, text) for base in attempt.bases()]
    return min(every, key=lambda found: sum(one.severity == "error" for one in found))


def _evaluate_commit(attempt: Attempt, base: Tree, text: str | None) -> tuple[Finding, ...]:
    rev = base.rev if isinstance(base, GitTree) else None
    carried = attempt.is_own_author and attempt.environment_actor in ("", "manual")
    repo, branch = attempt.found.repo, attempt.find_branch()
    day = _find_day(repo)
    where = judging.Place(rev, base, attempt.environment_actor, day, branch, carried)
    place = where.replace(
        by_reflection=attempt.is_own_author, signs=lambda: _expect_signature(attempt)
    )
    message = None if text is None else messages.parse(text)
    quarantine.settle_settings(repo)
    return judging.judge_staged(repo, attempt.found, place, message)


def _expect_signature(attempt: Attempt) -> bool:
    """Whether git is going to sign the commit, where a rule asks; noted, for it was not seen."""
    signs = _is_to_sign(attempt)
    attempt.awaits_signature = attempt.awaits_signature or signs
    return signs


def _is_to_sign(attempt: Attempt) -> bool:
    """Whether git is going to sign the commit; yes where nobody can tell."""
    known = attempt.invocation
    if known.command != "commit" or not known.exact:
        return True
    from molt.repo.keys import signer

    return signer.asks_to_sign(attempt.found.repo) if known.signs is None else known.signs


def _find_day(repo: Repo) -> str:
    """The day that the commit will have, as its committer has it: none before what is there."""
    today = strftime("%Y-%m-%d")
    if not os.environ.get("GIT_COMMITTER_DATE"):
        return today
    words = repo.run("var", "GIT_COMMITTER_IDENT").split()
    before = history.newest_day(repo, "HEAD")
    minutes = int(words[-1][1:3]) * 60 + int(words[-1][3:])
    there = int(words[-2]) + (-60 if words[-1][0] == "-" else 60) * minutes
    return max(before, strftime("%Y-%m-%d", gmtime(there)))


def _note_passed(attempt: Attempt, message: str) -> None:
    """Notes what may become a commit on HEAD, which the next reader, and the strict hook where
    there is one, would judge again.
    """
    found = attempt.found
    head, tree = found.reader.ask(["HEAD"])[0], found.tree_id
    # With which key git is going to sign, nobody has seen.
    if not (head and tree) or found.merge_heads or attempt.awaits_signature:
        return
    withheld.note_passed(found.git_dir, tree, head[0], message)
    if os.path.exists(os.path.join(found.git_dir, "hooks", "reference-transaction")):
        text = f"tree {tree}\nparent {head[0]}\n\n{message}"
        state.write(found.git_dir, marks.PASSED, text)


def _prepare_log(attempt: Attempt, message: str) -> None:
    """Prepares the audit log for a plain commit on HEAD."""
    found = attempt.found
    head = found.reader.ask(["HEAD"])[0]
    changes = found.index.changes(found.head)
    # git may store another encoding than UTF-8 otherwise than it stands in the file.
    if head is None or changes is None or found.merge_heads:
        return
    if any("\ud800" <= char <= "\udfff" for char in message):
        return
    from molt.errors import MoltError
    from molt.memory.provenance import audit
    from molt.repo import repository

    paths = tuple((change.status, change.path) for change in changes)
    commit = repository.LogCommit("", (head[0],), 0, message, paths)
    try:
        audit.foresee_lines(attempt.found.repo, commit, os.environ.get("MOLT_GIT", ""))
    except MoltError:
        return


def _print_findings(attempt: Attempt, findings: Sequence[Finding]) -> int:
    """Prints findings, and after a refusal the line that goes on; returns the exit status."""
    sys.stderr.write(_format_findings(attempt, findings))
    return 1 if _refuses(findings) else 0


def _format_findings(attempt: Attempt, findings: Sequence[Finding]) -> str:
    """Findings as lines for who commits, and after a refusal the line that goes on."""
    errors = sum(finding.severity == "error" for finding in findings)
    rows = []
    shown, more = _choose_shown(findings)
    advice = [finding.advice for finding in shown]
    for finding, following in zip(shown, (*advice[1:], ""), strict=False):
        where = f" {escape_text(finding.place)}" if finding.place else ""
        rows.append(
            f"molt: {finding.severity} {finding.code}{where}: {escape_text(finding.message)}"
        )
        # What helps with several in a row is said once, after the last.
        if finding.hint and finding.advice != following:
            rows.append(render_hint(_make_exact(attempt, finding.hint)))
    rows += [f"molt: and {count:,} more of {code}" for code, count in more.items()]
    if errors:
        rows.append(f"molt: commit refused, {errors} error{'s' * (errors > 1)}")
        if _leaves_some(attempt, findings):
            rows.append("molt: `molt commit -m TEXT` commits the rest, and leaves that as it is")
        rows.append(f"molt: once that is mended: {escape_text(_tell_how_to_go_on(attempt))}")
    return "".join(f"{row}\n" for row in rows)


def _leaves_some(attempt: Attempt, findings: Sequence[Finding]) -> bool:
    """Whether a bot's commit holds files that nothing is wrong with, beside those that are refused:
    one of them need not cost the others.
    """
    if not attempt.environment_actor.startswith("bot:") or attempt.is_merge or attempt.is_replay:
        return False
    refused = {one.path for one in findings if one.severity == "error"}
    changed = {one.path for one in trees.diff(attempt.found.head, attempt.found.index)}
    return refused < changed


def _choose_shown(findings: Sequence[Finding]) -> tuple[list[Finding], dict[str, int]]:
    """The first findings of each rule, errors before warnings, and of which rule how many more
    there are.
    """
    seen: dict[str, int] = {}
    shown = []
    for finding in sorted(findings, key=lambda one: one.severity != "error"):
        seen[finding.code] = seen.get(finding.code, 0) + 1
        if seen[finding.code] <= _SHOWN:
            shown.append(finding)
    return shown, {code: count - _SHOWN for code, count in seen.items() if count > _SHOWN}


def _make_exact(attempt: Attempt, hint: str) -> str:
    """A hint whose command makes this very commit again."""
    if waivers.BY_TRAILER not in hint:
        return hint
    before, _, after = hint.partition(waivers.BY_TRAILER)
    trailer, ended, rest = after.strip().partition("`")
    again = _tell_how_to_go_on(attempt, f"--trailer {trailer}")
    return f"{before}{again}{ended}{rest}"


def _tell_how_to_go_on(attempt: Attempt, option: str = "") -> str:
    """The command that makes the same commit again, with the words that were written for it, and
    one more option.
    """
    known = attempt.invocation
    if known.command == "merge" or attempt.found.merge_heads:
        # git keeps its comment on the conflicts, and puts a trailer above it.
        return f"git commit --no-edit --cleanup=strip {option}" if option else _CONCLUDE
    words = ["git", "commit", *(word for word in known.kept if word != "--no-gpg-sign")]
    if attempt.path and os.path.getsize(attempt.path):
        words[2:2] = ["-e"] * attempt.has_editor + ["-F", _find_path(attempt.path)]
    line = " ".join((*map(_quote_word, words), *([option] if option else [])))
    return f"{line} && git rebase --continue" if attempt.is_rebase else line


def _find_path(path: str) -> str:
    """A path as it is from the folder in which git was started."""
    return os.path.relpath(path, os.environ.get("GIT_PREFIX") or ".")


def _quote_word(word: str) -> str:
    """A word for a shell."""
    # Only who reads it waits for the import.
    from shlex import quote

    return quote(word)
