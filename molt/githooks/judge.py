"""The hooks before a commit: complete the message, judge the tree that git is about to commit."""

from __future__ import annotations

import os
import sys

from molt import config, trees
from molt.formats import message as messages
from molt.policy import Context, evaluate
from molt.repo import staged, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.policy import Finding
    from molt.repo.staged import Staged
    from molt.trees import Tree

JUDGED = "judged"
_BUSY = ("rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD", "REVERT_HEAD")


def prepare_commit_msg(args: Sequence[str]) -> int:
    """Completes a person's message in the file `args[0]`; with no editor, judges it at once.

    A good judgement is noted in the git folder, where commit-msg finds it and need not start
    Python again. A bad one is left for commit-msg to say: this hook must not refuse.
    """
    found = staged.here()
    if not is_workspace(found):
        return 0
    text = _read_message(args[0])
    amends = list(args[1:3]) == ["commit", "HEAD"]
    base = _parent_tree() if amends else found.head
    done = _complete_message(found, base, text)
    if done != text:
        with open(args[0], "wb") as file:
            file.write(done.encode("utf-8", "surrogateescape"))
    if _no_editor() and not amends and not _is_replaying(found):
        message = _strip_comments(found, done)
        if not _evaluate_commit(found, base, message):
            state.write(found.git_dir, JUDGED, done)
            _prepare_log(found, base, message)
    return 0


def pre_commit() -> int:
    """Judges the files alone; returns 1 where the policy refuses them."""
    found = staged.here()
    if not is_workspace(found):
        return 0
    base = _parent_tree() if _is_amending() else found.head
    findings = _evaluate_commit(found, base, None)
    # Warnings are for commit-msg to say, once, and with the message known.
    refused = any(finding.severity == "error" for finding in findings)
    return _print_findings(findings) if refused else 0


def commit_msg(args: Sequence[str]) -> int:
    """Judges files and the message in `args[0]`; returns 1 where the policy refuses them."""
    found = staged.here()
    if not is_workspace(found):
        return 0
    base = _parent_tree() if _is_amending() else found.head
    message = _strip_comments(found, _read_message(args[0]))
    status = _print_findings(_evaluate_commit(found, base, message))
    if not status and not _is_replaying(found):
        _prepare_log(found, base, message)
    return status


def is_workspace(found: Staged) -> bool:
    """Whether there is a workspace, before or after the commit."""
    return any(
        tree.entry(config.PATH) is not None or tree.names("memory")
        for tree in (found.index, found.head)
    )


def _read_message(path: str) -> str:
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


def _no_editor() -> bool:
    return os.environ.get("GIT_EDITOR") == ":"


def _is_replaying(found: Staged) -> bool:
    """In the middle of a rebase, cherry-pick or revert, where no commit-msg follows."""
    return any(os.path.exists(os.path.join(found.git_dir, name)) for name in _BUSY)


def _claimed_actor(found: Staged) -> str:
    """The actor that this environment claims; empty if it claims none."""
    return os.environ.get("MOLT_ACTOR") or str(found.config_values.get("molt.actor", ""))


def _comment_string(found: Staged) -> str:
    """The comment string; empty with no editor, for git then keeps such lines."""
    if _no_editor():
        return ""
    values = found.config_values
    text = str(values.get("core.commentstring") or values.get("core.commentchar") or "#")
    return "#" if text == "auto" else text


def _strip_comments(found: Staged, text: str) -> str:
    return messages.strip_comments(text, _comment_string(found))


def _complete_message(found: Staged, base: Tree, text: str) -> str:
    """The message completed, if a person is committing; as it is otherwise."""
    comment = _comment_string(found)
    claimed = messages.actor(messages.parse(messages.strip_comments(text, comment)))
    if (_claimed_actor(found) or "manual") != "manual" or claimed not in ("", "manual"):
        return text
    changes = trees.diff(base, found.index)
    settings, _ = config.load(base, state.FileCache(found.git_dir))
    appended = frozenset(_appended_paths(base, found.index, changes))
    return messages.complete(
        text, changes, "manual", settings.policy_critical, appended, comment=comment
    )


def _appended_paths(base: Tree, new: Tree, changes: Sequence[trees.FileChange]) -> Iterator[str]:
    for change in changes:
        if change.status == "M":
            before, after = base.read(change.path), new.read(change.path)
            if before is not None and after is not None and after.startswith(before):
                yield change.path


def _evaluate_commit(found: Staged, base: Tree, text: str | None) -> tuple[Finding, ...]:
    message = None if text is None else messages.parse(text)
    actor = _claimed_actor(found) or (messages.actor(message) if message else "") or "manual"
    settings, _ = config.load(base, state.FileCache(found.git_dir))
    parents, clean = _resolve_merge(found, base)
    context = Context(actor=actor, parents=parents, count_tokens=_count_tokens, alerts=_read_alerts)
    return evaluate(clean, found.index, message, context, settings)


def _read_alerts() -> frozenset[str]:
    from molt.memory import audit
    from molt.repo import find

    return frozenset(line.file for line in audit.alerts(find.here()))


def _count_tokens(text: str) -> int:
    from molt import tokens

    return tokens.count_tokens(text)


def _resolve_merge(found: Staged, base: Tree) -> tuple[tuple[Tree, ...], Tree]:
    """All parents of the merge that is being concluded, if one is, and what it is judged on."""
    if not found.merge_heads:
        return (), base
    from molt.repo import find

    repo = find.here()
    clean = repo.merged(("HEAD", *found.merge_heads)) or base
    return (base, *(repo.tree(oid) for oid in found.merge_heads)), clean


def _is_amending() -> bool:
    """Whether git was started with `--amend`; its hooks are not told (git-commit runs them)."""
    try:
        with open(f"/proc/{os.getppid()}/cmdline", "rb") as file:
            return b"--amend" in file.read().split(b"\0")
    except OSError:
        pass
    from molt.errors import Failed
    from molt.repo import process

    try:
        done = process.run(["ps", "-o", "args=", "-p", str(os.getppid())])
    except (Failed, OSError):
        return False
    return b"--amend" in done.split()


def _parent_tree() -> Tree:
    """The tree before the commit that is being amended."""
    from molt.errors import NotFound
    from molt.repo import find

    repo = find.here()
    try:
        return repo.tree(repo.resolve("HEAD^"))
    except NotFound:
        return trees.EMPTY


def _prepare_log(found: Staged, base: Tree, message: str) -> None:
    """Prepares the audit log for a plain commit on HEAD."""
    head = found.reader.ask(["HEAD"])[0]
    changes = found.index.changes(base)
    # git may store another encoding than UTF-8 otherwise than it stands in the file.
    if head is None or changes is None or found.merge_heads:
        return
    if any("\ud800" <= char <= "\udfff" for char in message):
        return
    from molt.errors import MoltError
    from molt.memory import audit
    from molt.repo import find, repository

    paths = tuple((change.status, change.path) for change in changes)
    commit = repository.LogCommit("", (head[0],), 0, message, paths)
    try:
        audit.foresee_lines(find.here(), commit, os.environ.get("MOLT_GIT", ""))
    except MoltError:
        return


def _print_findings(findings: Sequence[Finding]) -> int:
    """Prints findings; returns the exit status."""
    errors = sum(finding.severity == "error" for finding in findings)
    write = sys.stderr.write
    for finding in findings:
        where = f" {escape_text(finding.place)}" if finding.place else ""
        write(f"molt: {finding.severity} {finding.code}{where}: {escape_text(finding.message)}\n")
        if finding.hint:
            write(f"      {escape_text(finding.hint)}\n")
    if errors:
        write(f"molt: commit refused, {errors} error{'s' * (errors > 1)}\n")
    return 1 if errors else 0


def escape_text(text: str) -> str:
    """A text for a terminal: a file's name may hold what would steer it."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
