"""Critical files that are not what their history and their acknowledged checksums say."""

from __future__ import annotations

import os

from molt import config, errors, surroundings, trees
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.meta import checksums
from molt.memory.critical import differences, integrity
from molt.memory.provenance import audit
from molt.repo import worktree
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from molt.memory.critical.integrity import BrokenPast
    from molt.memory.provenance.audit_lines import Line
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

    T = TypeVar("T")

CHANGED, UNCOMMITTED, UNEXPLAINED = "changed", "uncommitted", "unexplained"
BROKEN = "broken"
SHOWN = 20
"""Lines of a diff that are shown beside an alert."""


class Alert(Value):
    """A critical file to look at.

    Of kind `changed` (in a commit that nobody has acknowledged), `uncommitted` (on disk, behind
    git's back), `unexplained` (no commit tells why it differs from its checksum) or `broken` (its
    history or its checksum is not the one that this clone has seen). `look` is the
    command that shows what differs, `then` what to do after that; `time` and `commit` are those
    of a change.
    """

    file: str
    kind: str
    summary: str
    look: str
    then: str
    time: str = ""
    commit: str = ""


def list_alerts(ws: Workspace) -> tuple[Alert, ...]:
    """All alerts: changes that nobody has acknowledged first, then what is not as it should be."""
    lines = audit.alerts(ws.repo)
    changed = [_describe_change(line) for line in lines]
    head = ws.head()
    explained = frozenset(line.file for line in lines)
    found = [*changed, *find_uncommitted(ws, head), *_find_unexplained(ws, head, explained)]
    known = {one.file for one in found if one.kind != UNCOMMITTED}
    broken = integrity.look_back(ws.repo, head, ws.config.policy_critical, known)
    return (*found, *(_describe_broken(one) for one in broken))


def _describe_broken(one: BrokenPast) -> Alert:
    return Alert(one.file, BROKEN, one.said, one.look, f"molt ack {one.file}")


def _describe_change(line: Line) -> Alert:
    summary = f"changed in {line.commit[:10]} at {line.time}"
    look = f"git show {line.commit[:10]} -- {line.file}"
    return Alert(line.file, CHANGED, summary, look, f"molt ack {line.file}", line.time, line.commit)


def find_uncommitted(ws: Workspace, head: Tree) -> Iterator[Alert]:
    """The critical files that differ on disk from the last commit.

    git is not asked: an index that says `assume-unchanged` would hide what was edited.
    """
    for path in (*ws.config.policy_critical, paths.CHECKSUMS):
        data = head.read(path)
        if data is not None and (said := _describe_difference(ws.repo.root, path, data)):
            then = _tell_way_on(ws.repo.state(), path)
            yield Alert(path, UNCOMMITTED, said, f"git diff HEAD -- {path}", then)


def _tell_way_on(unfinished: str, path: str) -> str:
    """What settles a file on disk; in a merge git takes neither a part of it nor a restore."""
    if unfinished in ("", "bisect"):
        return f"`git commit {path}`, or `git restore {path}`"
    ends = f"`git {unfinished} --continue`; or `git {unfinished} --abort`"
    return f"`git add {path}` once it is right, and {ends}"


def _describe_difference(root: str, path: str, data: bytes) -> str:
    """How a file on disk is not what the last commit holds; empty where it is."""
    if os.path.islink(os.path.join(root, path)):
        return "a symbolic link on disk"
    try:
        found = worktree.read(root, path)
    except errors.Failed as error:
        return error.message
    if found is None:
        return "gone from disk"
    # git may write other line ends than it holds.
    same = found == data or found.replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n")
    return "" if same else "edited on disk, and in no commit"


def _find_unexplained(ws: Workspace, head: Tree, explained: frozenset[str]) -> Iterator[Alert]:
    """The critical files that differ from their checksums, and no pending change tells why."""
    sums = checksums.parse_checksums(trees.read_text(head, paths.CHECKSUMS))
    for path in ws.config.policy_critical:
        data, digest = head.read(path), sums.get(path)
        if path in explained or digest is None:
            continue
        found = "" if data is None else trees.sha256(data).hexdigest()
        if found != digest:
            gone = "gone from the last commit, though acknowledged"
            said = "not as acknowledged, and no commit says why" if found else gone
            look = f"git log -p -- {path} {paths.CHECKSUMS}"
            yield Alert(path, UNEXPLAINED, said, look, f"molt ack {path}")


def read_diff(ws: Workspace, alert: Alert, most: int = SHOWN) -> tuple[str, ...]:
    """What is different, as the lines of a diff without their context, at most so many: on disk
    from the last commit, or in that from what was acknowledged. Empty where that cannot be told.

    git compares nothing here: attributes could call the file binary, an index could look away.
    """
    head = ws.head()
    now = head.read(alert.file) or b""
    if alert.kind == UNCOMMITTED:
        found = differences.render_diff(now, differences.read_disk(ws.repo.root, alert.file), most)
    else:
        before = differences.read_acknowledged(ws.repo, head, alert.file)
        if before is None and alert.commit:
            parents = ws.repo.run("rev-parse", f"{alert.commit}^@", check=False).split()
            before = (ws.repo.tree(parents[0]).read(alert.file) or b"") if parents else None
        if before is None:
            return ()
        found = differences.render_diff(before, now, most)
    return (*found[:-1], f"{found[-1]}: `{alert.look}`") if len(found) > most else found


def describe_alert(ws: Workspace, alert: Alert) -> dict[str, object]:
    """An alert for programs, with what is different."""
    return {**alert.asdict(), "diff": list(read_diff(ws, alert))}


def write_own(ws: Workspace, write: Callable[[], Written[T]]) -> Written[T]:
    """Return what a write of the settings gives. A person who does it at a terminal has seen what
    it does, so that it awaits nobody, unless an earlier change of the settings still does.
    """
    waits = (one.file == config.PATH for one in list_alerts(ws))
    settled = surroundings.is_own_deed(ws.named) and not any(waits)
    done = write()
    if settled and done.oid:
        acknowledge_files(ws, (config.PATH,))
    return done


def acknowledge_files(
    ws: Workspace, files: tuple[str, ...], actor: str = "manual"
) -> Written[None]:
    """Commit the checksums of critical files as the last commit has them, for a person.

    Raises Refused for another `actor`, Usage for a file that is not critical, NotFound for one
    that no commit holds, and what a write raises.
    """
    for path in files:
        if path not in ws.config.policy_critical:
            raise errors.Usage(f"{path} is no critical file", ", ".join(ws.config.policy_critical))
        if ws.head().read(path) is None:
            raise errors.NotFound(f"no {path} in the last commit")

    text = messages.render(
        "ACK",
        paths.CHECKSUMS,
        f"acknowledged {', '.join(files)}",
        messages.Provenance(
            actor=actor,
            approval="approved",
            trigger="molt ack",
            trailers=[("Acknowledged", path) for path in files],
        ),
    )

    def make_change(tree: Tree) -> Change[None]:
        sums = checksums.parse_checksums((tree.read(paths.CHECKSUMS) or b"").decode())
        sums |= {path: trees.sha256(tree.read(path) or b"").hexdigest() for path in files}
        edits = {paths.CHECKSUMS: checksums.render_checksums(sums).encode()}
        return Change(edits, text, None)

    broken = {one.file for one in list_alerts(ws) if one.kind == BROKEN}
    done = ws.commit(make_change, actor=actor)
    if not done.oid and broken.intersection(files):
        if actor != "manual":
            raise errors.Refused(f"{actor} cannot acknowledge", "a person does: `molt ack`")
        # The checksums are right already, and that somebody has looked belongs on record.
        from molt.memory import remarks

        done = done.replace(oid=remarks.commit_words(ws, text, actor))
    if done.oid:
        integrity.remember_files(ws.repo, files)
    return done
