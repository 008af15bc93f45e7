"""All that is uncommitted, in one commit but for what a rule refuses: one protected file does not
keep the day from being saved.
"""

from __future__ import annotations

from molt import config, errors, policy
from molt.formats import lines
from molt.formats import message as messages
from molt.memory import judging
from molt.repo import worktree
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from molt.memory.workspace import Workspace
    from molt.policy import Finding

_TRIGGER = "molt commit"
_ROUNDS = 20
"""How often what is left is judged again: what a refused file held up may be refused with it."""


class LeftFile(Value):
    """A file that stays as it is on disk: by which rule, why, and what goes on."""

    path: str
    code: str
    why: str
    hint: str = ""


class SavedRest(Value):
    """What was committed, and what was not; without a commit nothing was, or it was only tried."""

    commit: str
    files: tuple[str, ...]
    left: tuple[LeftFile, ...]


def commit_rest(ws: Workspace, text: str, *, dry_run: bool = False) -> SavedRest:
    """Commit all that is uncommitted and that who acts may commit, in one commit; the rest stays
    in the working tree, staged or not as it was.

    Raises Failed in the middle of a merge or the like, which git concludes as a whole, and where
    git or a hook refuses the commit.
    """
    if unfinished := ws.repo.state():
        hint = f"`git {unfinished} --continue`, or `git {unfinished} --abort`"
        raise errors.Failed(f"a {unfinished} is not concluded", hint)
    found = worktree.dirty(ws.repo)
    files, left = _split_files(ws, found)
    if not files or dry_run:
        return SavedRest("", files, left)
    fresh = [one for one in files if found[one] == "??"]
    _commit_files(ws, files, fresh, _make_message(ws, files, fresh, text))
    ws.freshen()
    return SavedRest(ws.repo.resolve("HEAD"), files, left)


def _split_files(
    ws: Workspace, found: Iterable[str]
) -> tuple[tuple[str, ...], tuple[LeftFile, ...]]:
    """The files that may be committed together, and those that may not."""
    kept = set(found)
    left: dict[str, LeftFile] = {}
    for _ in range(_ROUNDS):
        refused = _judge_files(ws, left) if kept else []
        named = {one.path for one in refused}
        if not refused:
            return tuple(sorted(kept)), tuple(left[path] for path in sorted(left))
        for one in refused:
            # What no file of the commit is at fault for, all of them stay for.
            for path in (one.path,) if one.path in kept else kept if named - kept else ():
                left.setdefault(path, LeftFile(path, one.code, one.message, one.hint))
        kept -= left.keys()
    for path in kept:
        left[path] = LeftFile(path, "", "it could not be judged apart from what is refused")
    return (), tuple(left[path] for path in sorted(left))


def _judge_files(ws: Workspace, without: Iterable[str]) -> list[Finding]:
    """What is refused of what is on disk, but for some files, as who acts."""
    repo, actor = ws.repo, ws.actor
    head = repo.tree(repo.head().commit)
    new = worktree.Worktree(repo, head, without)
    context = judging.context_for(repo, repo.tip(), actor=actor, environment_actor=actor)
    settings = config.load_in_force(head, repo.cache)[0]
    findings = policy.evaluate(head, new, None, context, settings)
    return [one for one in findings if one.severity == "error"]


def _make_message(ws: Workspace, files: Sequence[str], fresh: Sequence[str], text: str) -> str:
    """The message in the schema; of a message that is in it already, the words as they are."""
    if messages.parse(text).action:
        return text
    subject, _, body = text.partition("\n")
    count = f"{len(files):,} files" if len(files) > 1 else "a file"
    action = "CREATE" if len(fresh) == len(files) else "EDIT"
    where = files[0] if len(files) == 1 else "*"
    approval = "—" if ws.actor == "manual" else "auto"
    by = messages.Provenance(ws.actor, approval, _TRIGGER)
    said = lines.one_line(subject) or f"what was changed in {count}"
    return messages.render(action, where, said, by, body=body)


def _commit_files(ws: Workspace, files: Sequence[str], fresh: Sequence[str], message: str) -> None:
    """Have git commit these files alone, through its hooks; the index keeps what else it holds."""
    repo = ws.repo
    named = ("--pathspec-from-file=-", "--pathspec-file-nul")
    env = {"GIT_LITERAL_PATHSPECS": "1", "MOLT_ACTOR": ws.actor}
    spelled = "\0".join(fresh).encode("utf-8", "surrogateescape")
    every = "\0".join(files).encode("utf-8", "surrogateescape")
    if fresh:
        repo.git("add", "--intent-to-add", *named, input=spelled, env=env).require()
    done = repo.git("commit", "--quiet", "-m", message, "--only", *named, input=every, env=env)
    if done.status:
        if fresh:
            repo.git("reset", "--quiet", *named, input=spelled, env=env)
        raise errors.Refused(
            done.said or "git refused the commit", "mend what is named, call again"
        )
