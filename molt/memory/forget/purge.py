"""A history without some words: they are forgotten, and then no commit has held them."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from os import urandom

from molt import errors
from molt.memory import workspace
from molt.memory.critical import integrity
from molt.memory.forget import erase, forget, purge_words
from molt.memory.forget.forget import ForgetOptions
from molt.memory.forget.matches import Wanted
from molt.memory.forget.purge_words import PurgedWords
from molt.repo import bundles, purge_driver, rewrite, state, worktree
from molt.repo.write import plan
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import Any

    from molt.memory.workspace import Workspace

_MARK = "purged-"
_NOTHING = ""
"""What is left for the next write: what the last one left names the files that it removed."""
_SHOWN = 20  # rows that are named; the others are counted


class PurgePlan(Value):
    """What a purge would do: the words, how many objects of which kind hold them now, and what has
    to be installed before (empty for nothing).
    """

    what: str
    words: PurgedWords
    commits: int
    files: int
    lacks: str


class PurgeDone(Value):
    """What was purged: the commit before and after, the backup, where the words stand still, and
    what a person must do now.
    """

    before: str
    after: str
    backup: str
    rest: tuple[str, ...]
    todo: tuple[str, ...]


def plan_purge(ws: Workspace, what: str, *, dry_run: bool = False) -> PurgePlan:
    """What is to be purged, and where it stands; a dry run needs no git-filter-repo.

    Raises Refused for who is no person, Failed for a clone that cannot be purged, Usage and
    NotFound for what makes no sense.
    """
    workspace.require_person(ws, "rewrite history")
    if rewrite.read_note(ws.repo):
        said = "a purge was interrupted, and has to be ended first"
        raise errors.Failed(said, "`molt purge --continue`")
    lacks = _find_lack(dry_run)
    rewrite.require_simple(ws.repo)
    plan.writable_head(ws.repo)
    dirty = [path for path, state_ in worktree.dirty(ws.repo).items() if state_ != "??"]
    if dirty:
        said = f"{', '.join(sorted(dirty)[:3])}: not committed, and history is about to change"
        raise errors.Failed(said, "commit it first")
    words = purge_words.find_words(ws, what)
    tests = _compile(words)
    kinds = [kind for _, kind, data in rewrite.scan_objects(ws.repo) if _says(tests, data)]
    if not kinds:
        raise errors.NotFound(f"no object of this clone holds {what!r}", "`molt search` finds")
    return PurgePlan(what, words, kinds.count("commit"), kinds.count("blob"), lacks)


def _find_lack(dry_run: bool) -> str:
    try:
        rewrite.find_tool()
    except errors.Failed as missing:
        if not dry_run:
            raise
        return f"{missing.message}: {missing.hint}"
    return ""


def _compile(words: PurgedWords) -> tuple[re.Pattern[bytes], ...]:
    stems = (f"(?<![a-z0-9]){re.escape(one)}(?![a-z0-9])" for one in words.stems)
    return tuple(re.compile(one.encode(), re.IGNORECASE) for one in (*words.patterns, *stems))


def _says(tests: Sequence[re.Pattern[bytes]], data: bytes) -> bool:
    return any(test.search(data) for test in tests)


def purge(ws: Workspace, asked: PurgePlan, now: datetime, *, backup: str = "") -> PurgeDone:
    """Forget it for good, rewrite all of history without it, and look whether it is gone; before
    that `backup` gets a bundle with all, where a file is named.

    Until the new history is whole nothing of the old one has changed; from then on
    `continue_purge` ends what was interrupted. Raises what `plan_purge` and a commit do.
    """
    repo = ws.repo
    backup = bundles.write_bundle(repo, backup).path if backup else ""
    if asked.words.memories:
        wanted = Wanted("", ids=asked.words.memories)
        forget.forget_matches(ws, wanted, now, ForgetOptions(permanently=True))
    mark = f"{_MARK}{urandom(4).hex()}"
    with state.lock(repo.git_dir, "write", 30.0, shared=True) as lock:
        lock.note(_NOTHING)
        before = repo.resolve("HEAD")
        names = [(stem, _mark_stem(stem, mark)) for stem in asked.words.stems]
        spec = {"patterns": asked.words.patterns, "names": names, "sums": [], "mark": mark}
        sums = _list_sums(ws, spec)
        rewrite.make_history(repo, {**spec, "sums": sums})
        note = {"before": before, "backup": backup, "sums": sums}
        rewrite.note_whole(repo, json.dumps({**note, "words": asked.words.asdict()}))
        return _finish(ws, note, asked.words)


def _mark_stem(stem: str, mark: str) -> str:
    kind, dashes, _ = stem.rpartition("--")
    return f"{kind}{dashes}{mark}"


def _list_sums(ws: Workspace, spec: dict[str, Any]) -> list[tuple[str, str]]:
    """The checksums of files that change, and those that they have then: what was acknowledged of
    a critical file stays acknowledged.
    """
    replace = purge_driver.make_replacer(spec)
    found = []
    for _, kind, data in rewrite.scan_objects(ws.repo):
        if kind == "blob" and (fresh := replace(data)) != data:
            found.append((sha256(data).hexdigest(), sha256(fresh).hexdigest()))
    return found


def continue_purge(ws: Workspace) -> PurgeDone:
    """End a purge that was interrupted. Raises NotFound where there is none, Refused for who is no
    person.
    """
    workspace.require_person(ws, "rewrite history")
    note = rewrite.read_note(ws.repo)
    if not note:
        raise errors.NotFound("no purge was interrupted", '`molt purge ID|"TEXT"` begins one')
    told = json.loads(note)
    words = PurgedWords(**{key: tuple(value) for key, value in told["words"].items()})
    with state.lock(ws.repo.git_dir, "write", 30.0, shared=True) as lock:
        lock.note(_NOTHING)
        return _finish(ws, told, words)


def _finish(ws: Workspace, note: dict[str, Any], words: PurgedWords) -> PurgeDone:
    """Put the new history in its place, as a note says, and look what holds the words still."""
    repo, before, backup = ws.repo, note["before"], note["backup"]
    remotes = repo.run("remote").split()
    rewrite.take_over(repo, before)
    repo.close()
    rewrite.drop_history(repo)
    erase.erase_copies(ws, words.values, words.memories)
    integrity.follow_rewriting(repo, dict(note["sums"]))
    rewrite.end_purge(repo)
    repo.close()
    rest = tuple(_find_rest(ws, _compile(words)))
    todo = tuple(_list_todo(ws, remotes, backup, words))
    return PurgeDone(before, repo.resolve("HEAD"), backup, rest, todo)


def _find_rest(ws: Workspace, tests: Sequence[re.Pattern[bytes]]) -> Iterator[str]:
    """Where the words stand still: objects that lead nowhere too, and each file of the folder."""
    for oid, kind, data in rewrite.scan_objects(ws.repo):
        if _says(tests, data):
            yield f"{kind} {oid}"
    for path, data in rewrite.scan_files(ws.repo):
        if _says(tests, data) or _says(tests, path.encode("utf-8", "surrogateescape")):
            yield path
    for ref in ws.repo.run("for-each-ref", "--format=%(refname)").split():
        if _says(tests, ref.encode("utf-8", "surrogateescape")):
            yield ref


def _list_todo(
    ws: Workspace, remotes: Sequence[str], backup: str, words: PurgedWords
) -> Iterator[str]:
    for name in remotes:
        push = f"`git push --force --all {name}`, and with `--tags`"
        yield f"{name} has it still: {push}; a server of molt wants `molt.rewrite` for it"
        yield f"until then a fetch of {name} brings it back; a forge keeps caches and requests"
    yield (
        "every other clone has it: clone anew there; one that merges its old history with the new"
        " brings all of it back"
    )
    if backup:
        yield f"{backup} holds it: delete it once all is well"
    yield "older backups, copies of the disk, and what hosts keep of conversations hold it"
    yield "what an embedding or model endpoint was sent is there"
    yield "signatures of commits are gone with the old commits: sign the new ones if they must be"
    for ref in rewrite.list_notes(ws.repo):
        yield f"{ref} is about the old commits: their ids are others now"
    if words.short:
        shown = ", ".join(map(repr, words.short[:_SHOWN]))
        yield f"too short to be looked for everywhere: {shown}; `molt purge` takes longer words"
