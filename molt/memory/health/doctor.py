"""What can be wrong with a workspace: where, what to do about it, and mending of what can be."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress

from molt import __version__, config, errors, settings, tokens, trees
from molt.formats import episodes, frontmatter, paths
from molt.formats.meta import checksums, proposals, scores
from molt.memory import inventory, projections, workspace
from molt.memory.adopt import adoption
from molt.memory.checks import offers, verify
from molt.memory.clone import installation
from molt.memory.clone.problems import Problem, show_path
from molt.memory.decay import mend
from molt.memory.graph import graph
from molt.memory.health import growth
from molt.memory.provenance import audit
from molt.policy import allowed
from molt.repo import find, health, ignores, rewrite, state
from molt.repo.write.plan import Change, describe_state, find_hindrance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo
    from molt.repo.worktree import Worktree
    from molt.trees import Tree

_SHOWN = 3  # rows that are named; the others are counted
_VERIFIED = "verified"


def examine(
    start: str, actor: str, *, now: float, tell_time: Callable[[str], object], fix: bool
) -> Iterator[Problem]:
    """All problems of the workspace that a folder is in, those of its repository first.

    `now` is in seconds since 1970; `tell_time` reads the clock in a zone, and raises Usage for one
    that is none. Raises NotFound where there is no repository or no workspace.
    """
    repo = find.find_repo(start)
    yield from examine_repository(repo, now, fix=fix)
    try:
        ws = workspace.find(start, actor)
        yield from installation.check_hooks(ws.repo, sys.executable, fix=fix)
        yield from installation.check_driver(ws.repo, sys.executable, fix=fix)
        yield from _check_zone(ws.config.workspace_timezone, tell_time)
        yield from examine_workspace(ws, fix=fix)
    except errors.Failed as error:
        # Where git itself cannot go on, what was found before is all the more worth telling.
        yield Problem(error.message, repo.root, error.hint or "see above")


def _check_zone(zone: str, tell_time: Callable[[str], object]) -> Iterator[Problem]:
    """A zone that only a clock can judge: without it no memory is written."""
    try:
        tell_time(zone)
    except errors.Usage as error:
        said = error.message.removeprefix("molt.yaml: ")
        yield Problem(said, "molt.yaml", f"workspace.timezone: {error.hint}")


def examine_repository(repo: Repo, now: float, *, fix: bool) -> Iterator[Problem]:
    """The problems of the repository itself, for which its configuration is not read.

    With `fix` what can be mended is. Raises what mending raises.
    """
    for said, mended, remedy in health.problems(repo, now, fix=fix):
        hint = "" if mended else remedy or "`molt doctor --fix` mends it"
        yield Problem(said, show_path(repo, repo.git_dir), hint, mended=mended)
    if rewrite.read_note(repo):
        said = "a purge was interrupted: its new history is made, and not in place yet"
        yield Problem(said, show_path(repo, repo.git_dir), "`molt purge --continue` ends it")
    said, way_on = find_hindrance(repo.head())
    if said:
        yield Problem(said, show_path(repo, repo.git_dir), way_on, "warning")
    try:
        repo.identity()
    except errors.Failed as error:
        yield Problem(error.message, "git config", error.hint)


def examine_workspace(ws: Workspace, *, fix: bool) -> Iterator[Problem]:
    """The problems of what a workspace holds, likewise."""
    tree = ws.files()
    yield from _check_settings(ws, tree)
    yield from _check_core(ws, tree)
    yield from _check_ignored(ws.repo)
    yield from _check_projections(ws.head())
    yield from _check_secrets(ws, tree)
    yield from _check_formats(tree)
    damaged = list(_check_scores(ws, tree, fix=fix))
    yield from damaged
    yield from _check_orphans(ws, ws.files() if damaged else tree, fix=fix)
    yield from _check_relations(ws, tree)
    yield from _check_index(ws, tree, fix=fix)
    yield from _check_history(ws.repo)
    yield from growth.check_growth(ws, fix=fix)
    yield from _check_failures(ws.repo, fix=fix)
    if fix:
        audit.rebuild(ws.repo)


def _check_settings(ws: Workspace, tree: Tree) -> Iterator[Problem]:
    """What counts for nothing in the configuration that is in force, and in that on disk."""
    for warning in dict.fromkeys((*ws.warnings, *config.load(tree)[1])):
        severity = "error" if warning.endswith(f"; {settings.UNREAD}") else "warning"
        hint = "`docs/configuration.md` has every key"
        if warning == config.UNTAKEN:
            hint = f"`molt ack {paths.CONFIG}`"
        yield Problem(warning.removeprefix(f"{paths.CONFIG}: "), paths.CONFIG, hint, severity)


def _check_core(ws: Workspace, tree: Tree) -> Iterator[Problem]:
    """Core memory that was over its cap when it was adopted, and was never under it since."""
    cap = ws.config.core_cap
    text = trees.read_text(tree, paths.CORE)
    size = len(text.encode())
    # No token is shorter than a byte.
    if size <= cap:
        return
    far = size > cap * tokens.LONGEST
    count = size if far else tokens.count_tokens(text, ws.config.core_encoding)
    if count > cap:
        said = f"{count:,} tokens, {count - cap:,} over the cap of {cap:,}"
        said = f"{size:,} bytes, far over the cap of {cap:,} tokens" if far else said
        hint = "move what is no longer pressing into memory/, or raise the cap (`molt core cap`)"
        yield Problem(said, paths.CORE, hint, "warning")


def _check_ignored(repo: Repo) -> Iterator[Problem]:
    found = ignores.list_ignored(repo)
    if found:
        said = f"git ignores {_join_names(list(found))}: that is searched by nobody"
        hint = "`molt init --unignore` has git keep it; or move it out of memory/"
        yield Problem(said, ignores.PATH, hint, "warning")


def _check_projections(head: Tree) -> Iterator[Problem]:
    """What molt makes anew at any time, and git keeps all the same: no commit of it is allowed."""
    for path in paths.PROJECTIONS:
        if head.entry(path) is not None:
            hint = f'`git rm -q --cached {path} && git commit -qm "molt makes it anew"`'
            yield Problem("git keeps it, and molt makes it anew", path, hint)


def _check_secrets(ws: Workspace, tree: Tree) -> Iterator[Problem]:
    some = (*adoption.list_notes(tree), *adoption.list_documents(tree, ws.config))
    for one in adoption.find_secrets(tree, some):
        said = f"it gives away {adoption.render_secrets(one)}"
        hint = f"take it out and rotate it; a harmless line may end with {allowed.MARK}"
        yield Problem(said, one.path, hint, "warning")


def _check_formats(tree: Tree) -> Iterator[Problem]:
    """The files that their formats cannot read, one problem a file."""
    for path in sorted(tree.entries()):
        faults = (
            _list_faults(path, tree) if paths.kind_of(path) not in ("other", "projection") else []
        )
        if faults:
            line, why = faults[0]
            more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
            where = f"{path}:{line}" if line else path
            hint = (
                f"fix it (`git log -p -- {shlex.quote(path)}` shows how it was); then `molt check`"
            )
            yield Problem(f"{why}{more}", where, hint)


def _list_faults(path: str, tree: Tree) -> list[tuple[int, str]]:
    """What a file holds that its codec cannot read: (line, why) for each."""
    try:
        text = (tree.read(path) or b"").decode("utf-8")
    except UnicodeDecodeError:
        return [(0, "it is not UTF-8")]
    kind = paths.kind_of(path)
    try:
        if kind in paths.FILE_KINDS:
            frontmatter.front_matter(text)
    except ValueError as error:
        return [(0, str(error))]
    if path.startswith(paths.EPISODES):
        return sorted(episodes.find_malformed(text))
    if kind == "proposals":
        return list(proposals.malformed_proposals(text))
    if kind == "checksums":
        rows = enumerate(text.split("\n"), 1)
        bad = (at for at, row in rows if row.strip() and not checksums.parse_checksums(row))
        return [(at, "this line is no checksum") for at in bad]
    return []


def _join_names(found: list[str]) -> str:
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return ", ".join(found[:_SHOWN]) + more


def find_orphans(tree: Tree) -> list[str]:
    """The ids in decay-scores.json that no memory has any longer, in order."""
    try:
        entries = scores.parse_scores(_read_scores(tree))["entries"]
    except ValueError:
        return []
    there = set(inventory.list_ids(tree))
    there |= {memory.partition("#")[0] for memory in there}
    # An adopted note may hold what a listing does not see.
    return sorted(
        memory for memory in entries.keys() - there if not inventory.has_memory(tree, memory)
    )


def _read_scores(tree: Tree) -> str:
    return trees.read_text(tree, paths.SCORES)


def _check_scores(ws: Workspace, tree: Tree, *, fix: bool) -> Iterator[Problem]:
    """Scores that cannot be read, on disk or in the last commit."""
    head = ws.head()
    said = mend.find_damage(head) or mend.find_damage(tree)
    if not said:
        return
    hint = "`molt doctor --fix` mends it, and keeps the uses that are noted"
    unfinished = ws.repo.state()
    if unfinished:
        hint = f"{describe_state(unfinished)}: `molt resolve`"
    elif fix and mend.find_damage(head):
        _mend_scores(ws)
    elif fix:
        said += f"; what was there is in {mend.restore_file(ws.repo)}"
    yield Problem(said, paths.SCORES, hint, mended=fix and not unfinished)


def _mend_scores(ws: Workspace) -> None:
    def mend_scores(tree: Tree) -> str:
        return mend.mend_text(ws.repo, tree.read(paths.SCORES) or b"")

    _commit_scores(ws, mend_scores, "damaged scores mended")


def _check_orphans(ws: Workspace, tree: Tree, *, fix: bool) -> Iterator[Problem]:
    found = find_orphans(tree)
    if not found:
        return
    count = "1 score" if len(found) == 1 else f"{len(found):,} scores"
    said = f"{count} without a memory: {_join_names(found)}"
    if fix:
        _remove_orphans(ws, f"{count} without a memory removed")
    yield Problem(said, paths.SCORES, "`molt doctor --fix` removes them", "warning", fix)


def _remove_orphans(ws: Workspace, summary: str) -> None:
    def remove_orphans(tree: Tree) -> str:
        return scores.edit_entries(_read_scores(tree), dict.fromkeys(find_orphans(tree)))

    _commit_scores(ws, remove_orphans, summary)


def _commit_scores(ws: Workspace, make_text: Callable[[Tree], str], summary: str) -> None:
    from molt.formats import message as messages

    text = messages.render(
        "EDIT",
        paths.SCORES,
        summary,
        messages.Provenance(ws.actor, approval="auto", trigger="molt doctor"),
    )

    def make_change(tree: Tree) -> Change[None]:
        return Change({paths.SCORES: make_text(tree).encode()}, text, None)

    ws.commit(make_change)


def _check_relations(ws: Workspace, tree: Tree) -> Iterator[Problem]:
    found = graph.load(tree, ws.repo.cache)
    for node in found.nodes.values():
        missing = list(dict.fromkeys(e.target for e in node.edges if e.target not in found.nodes))
        if missing:
            where = f"{paths.ENTITIES}{node.id}.md"
            hint = 'make it with `molt remember "…" --entity TYPE:LABEL`, or take the line out'
            yield Problem(f"it leads to no entity: {_join_names(missing)}", where, hint, "warning")


def _check_index(ws: Workspace, tree: Worktree, *, fix: bool) -> Iterator[Problem]:
    """What is wrong with the search index, which a search would mend as well."""
    from molt.memory.answers import status

    path = status.index_path(ws)
    if not path:
        return
    broken = _is_broken(path)
    lag = None if broken else status.measure_lag(ws, tree)
    if lag is not None and not lag.stale:
        return
    said = "the search index is damaged, or of another version"
    hint = "`molt index --rebuild` makes it anew, as does a search that meets it"
    if lag is not None:
        said = f"the search index is behind: {lag}"
        hint = "the next search mends it; `molt index` does now"
    where = show_path(ws.repo, path)
    if fix:
        try:
            _mend_index(ws, path, broken=broken)
        except errors.Failed as error:
            fix, hint = False, f"{error.message}: {error.hint}"
    yield Problem(said, where, hint, "warning", fix)


def _mend_index(ws: Workspace, path: str, *, broken: bool) -> None:
    from molt.memory.search import index

    index.check_writable(ws)
    for suffix in ("", "-wal", "-shm") if broken else ():
        if os.path.exists(path + suffix):
            os.unlink(path + suffix)
    index.build_index(ws)


def _check_failures(repo: Repo, *, fix: bool) -> Iterator[Problem]:
    """What a write could not bring up afterwards, or a host's hook not do, and nobody was told."""
    for log, when, remedy in _LOGS:
        said = projections.last_failure(repo, log)
        if not said:
            continue
        if fix:
            projections.forget_failures(repo, log)
        where = show_path(repo, os.path.join(repo.molt_dir, log))
        hint = f"{remedy}; `molt doctor --fix` forgets it"
        yield Problem(f"the last failure {when}: {said}", where, hint, "warning", fix)


_LOGS = (
    (projections.LOG, "after a write", "readers mend what lags behind"),
    (projections.HOSTS_LOG, "of a host's hook", "the host went on without molt then"),
)


def _is_broken(path: str) -> bool:
    from molt.index import copies
    from molt.index import db as dbs

    try:
        db = copies.open_readable(path)
        if db is None:
            return True
        try:
            return bool(db.rows("PRAGMA quick_check") != [("ok",)])
        finally:
            db.close()
    except dbs.DAMAGED:
        return True
    except dbs.UNWRITABLE as error:
        raise dbs.unwritable_error(path, error) from error


def _check_history(repo: Repo) -> Iterator[Problem]:
    """What `molt verify` finds, from where this version last found nothing: a long history takes
    minutes.
    """
    tip = repo.tip()
    since = _read_verified(repo, tip) if tip else ""
    judged = verify.verify_commits(repo, [f"{since}..HEAD"] if since else [])
    found = judged.errors
    if judged.missing:
        yield Problem(verify.tell_missing(judged), repo.git_dir, verify.FETCH, "warning")
    if found:
        oid, first = found[0]
        count = "1 finding" if len(found) == 1 else f"{len(found):,} findings"
        said = f"the history breaks the rules: {count}, the first {first.code}: {first.message}"
        line = offers.tell_acceptance(judged)
        hint = "`molt verify` lists them"
        yield Problem(said, oid[:10], f"{hint}; a person accepts them: `{line}`" if line else hint)
    elif tip and tip != since:
        # One that cannot be written, as on a medium that must not be, is only not remembered.
        with suppress(errors.Failed):
            state.write(repo.common_dir, _VERIFIED, f"{__version__} {tip}")


def _read_verified(repo: Repo, tip: str) -> str:
    """The commit up to which this version of the rules is known to be kept; empty for none."""
    version, _, known = state.read(repo.common_dir, _VERIFIED).partition(" ")
    return known if known and version == __version__ and repo.is_ancestor(known, tip) else ""
