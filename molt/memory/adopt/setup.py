"""A workspace made, or adopted without rewriting a byte."""

from __future__ import annotations

import os
import shlex

from molt import config, errors, resources
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.formats.prose import instructions
from molt.memory import workspace
from molt.memory.adopt import adoption
from molt.memory.graph import adopted_edges
from molt.memory.held import quarantine, withheld
from molt.memory.projections import freshen_all
from molt.policy import Context
from molt.repo import find as repositories
from molt.repo import ignores, worktree
from molt.repo.repository import NOBODY, Repo
from molt.repo.write import journal, transaction
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from molt.memory.adopt.adoption import AdoptionReport
    from molt.memory.graph.adopted_edges import IndexEdge
    from molt.policy import Finding
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

_COPY = ".before-molt"
_WITHOUT_DOCUMENTS = b"search:\n  sources: [memory, workspace]\n"
_TITLE = "# AGENTS.md\n"

_TEMPLATES = {
    "MEMORY.md": "MEMORY.md",
    "SOUL.md": "SOUL.md",
    "IDENTITY.md": "IDENTITY.md",
    "AGENTS.md": "AGENTS.md",
    "molt.yaml": "molt.yaml",
    "memory/graph/relations.md": "memory/graph/relations.md",
    ".gitattributes": "gitattributes",
    ".gitignore": "gitignore",
}


class Made(Value):
    """What `init` did: paths created, paths taken in as they were, paths of memories that stay
    uncommitted, projections that git keeps no longer, the entities that got relations of
    graph/index.md, the commit (or None), what the policy warns of, what was found before all that
    (None in a workspace), and what could not be done.
    """

    repo: Repo
    created: tuple[str, ...] = ()
    adopted: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    commit: str | None = None
    findings: tuple[Finding, ...] = ()
    report: AdoptionReport | None = None
    notes: tuple[str, ...] = ()


def init(
    folder: str,
    *,
    name: str = "",
    email: str = "",
    tell: Callable[[AdoptionReport], None] | None = None,
) -> Made:
    """Make or adopt a workspace: what is missing is added, nothing existing is rewritten, but for
    relations that `graph/index.md` alone has.

    In a repository without commits, the Markdown of a workspace that lies there untracked is
    committed as it is. `tell` is called with what was found, before anything is committed. A
    second run changes nothing. Raises Failed where git cannot commit, and for a folder inside
    another repository; Refused by the policy. Nothing has changed then.
    """
    repo, fresh = _open_repository(os.path.abspath(folder))
    try:
        if name:
            repo.set_config("user.name", name)
        if email:
            repo.set_config("user.email", email)
        made = _adopt_files(repo, tell)
    except errors.MoltError as error:
        if fresh and repo.tip() is None:
            _remove_repository(repo, fresh)
        raise _explain_identity(error, folder) from error
    ignores.exclude_projections(repo)
    freshen_all(repo)
    if made.commit and (tip := repo.tip()):
        # What was before is adopted, and this was judged.
        withheld.save(repo.git_dir, withheld.Held(tip))
        quarantine.note_settings(repo, withheld.NOTHING, tip)
        return made
    return made.replace(notes=(*made.notes, *_list_warnings(repo)))


def _list_warnings(repo: Repo) -> Iterator[str]:
    """What does not hold in a workspace that was there already, and what is held back of it."""
    yield from workspace.find(repo.root).warnings
    if told := quarantine.tell_held(quarantine.list_quarantined(quarantine.freshen_held(repo))):
        yield told


def _explain_identity(error: errors.MoltError, folder: str) -> errors.MoltError:
    """The error with the way that this command has, where git knows of nobody."""
    if error.message == NOBODY:
        place = "" if os.path.abspath(folder) == os.getcwd() else f" {shlex.quote(folder)}"
        error.hint += f'; or `molt init{place} --name "…" --email "…"` for this workspace alone'
    return error


def _open_repository(folder: str) -> tuple[Repo, str]:
    """The repository that `folder` is the top of; if it is new, also the topmost new path."""
    repositories.leave_hook(folder)
    there = folder
    fresh = os.path.join(folder, ".git")
    while not os.path.isdir(there):
        fresh, there = there, os.path.dirname(there)
    try:
        repo = repositories.find_repo(there)
    except errors.NotFound:
        return repositories.init(folder), fresh
    inside = os.path.realpath(repo.root) != os.path.realpath(folder)
    # A folder that is there is a part of its workspace; one that is not was meant to be another.
    if inside and (there != folder or not _is_workspace(repo)):
        raise errors.Failed(
            f"{folder} is inside the repository {repo.root}",
            f"`molt init {repo.root}` adopts all of that, or `git init {folder}` first",
        )
    return repo, ""


def _is_workspace(repo: Repo) -> bool:
    return repo.tree(repo.tip()).entry(config.PATH) is not None


def _remove_repository(repo: Repo, fresh: str) -> None:
    """Remove the repository without commits that this very call has made."""
    import shutil

    shutil.rmtree(repo.git_dir)
    place = repo.root
    while len(place) >= len(fresh):
        os.rmdir(place)
        place = os.path.dirname(place)


def _adopt_files(repo: Repo, tell: Callable[[AdoptionReport], None] | None) -> Made:
    tip = repo.tip()
    base = repo.tree(tip)
    if base.entry(config.PATH) is not None:
        return Made(repo)
    edges = adopted_edges.parse_edges(_read_text(os.path.join(repo.root, layout.GRAPH_INDEX)))
    files = worktree.Worktree(repo, base)
    related = adopted_edges.add_edges(files, edges)
    report = adoption.survey_files(repo, files, len(related))
    if tell is not None:
        tell(report)
    created = _find_missing(repo, base)
    if report.has_too_many and config.PATH in created:
        created[config.PATH] = created[config.PATH].replace(b"search:\n", _WITHOUT_DOCUMENTS)
    found = _find_untracked(repo)
    wanted = found if tip is None else {key: found[key] for key in found if key == config.PATH}
    untracked = [path for path in layout.PROJECTIONS if base.entry(path) is not None]
    edits: dict[str, bytes | None] = {**wanted, **created, **dict.fromkeys(untracked)}
    kept = _keep_projections(repo)
    try:
        _take_away(repo, [path for path in untracked if f"{path}{_COPY}" in kept])
        done = _commit_adoption(repo, edits, tip, is_adopted=bool(tip or wanted))
    except errors.MoltError:
        for copy in kept:
            os.replace(_join(repo, copy), _join(repo, copy.removesuffix(_COPY)))
        raise
    _unstage(repo, layout.PROJECTIONS)
    entities, note = _relate_entities(repo, edges)
    return Made(
        repo,
        created=tuple(sorted(created)),
        adopted=tuple(sorted(wanted)),
        left=tuple(sorted(path for path in found if path not in wanted) + kept),
        untracked=tuple(untracked),
        related=entities,
        commit=done.oid,
        findings=done.findings,
        report=report,
        notes=(*note, *((done.left,) if done.left else ())),
    )


def _commit_adoption(
    repo: Repo, edits: Mapping[str, bytes | None], tip: str | None, *, is_adopted: bool
) -> Written[None]:
    """The first commit of a workspace; a file that there is by then stays as it is."""
    text = messages.render(
        "INIT",
        "*",
        "workspace adopted" if is_adopted else "workspace made",
        messages.Provenance(
            actor="system:init",
            approval="auto",
            trigger="molt init",
            trailers=(("Adopted", tip or "none"),),
        ),
        body=messages.CRITICAL_NOTICE,
    )

    def make_change(tree: Tree) -> Change[None]:
        # What a person has written there meanwhile, or not yet staged, is theirs.
        fresh = (path for path, data in edits.items() if data is not None)
        kept = {path: tree.read(path) for path in fresh}
        wanted = {**edits, **{path: data for path, data in kept.items() if data is not None}}
        return Change(wanted, text, None)

    context = Context(actor="system:init")
    return transaction.commit(repo, make_change, context)


def _relate_entities(
    repo: Repo, edges: Sequence[IndexEdge]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Gives the entities what graph/index.md alone knew: their paths, and why where it cannot."""
    if not edges:
        return (), ()
    text = messages.render(
        "EDIT",
        f"{layout.ENTITIES}*",
        "relations that graph/index.md had",
        messages.Provenance(actor="system:init", approval="auto", trigger="molt init"),
    )

    def make_change(tree: Tree) -> Change[None]:
        return Change(adopted_edges.add_edges(tree, edges), text, None)

    context = Context(actor="system:init")
    try:
        done = transaction.commit(repo, make_change, context)
    except errors.MoltError as error:
        return (), (f"the edges of {layout.GRAPH_INDEX} were left: {error.message}",)
    return done.paths, (done.left,) if done.left else ()


def _keep_projections(repo: Repo) -> list[str]:
    """Copy what another tool has written where molt keeps what it can make again."""
    import shutil

    kept: list[str] = []
    for path in layout.PROJECTIONS:
        copy = f"{path}{_COPY}"
        if os.path.isfile(_join(repo, path)) and not os.path.lexists(_join(repo, copy)):
            shutil.copy2(_join(repo, path), _join(repo, copy))
            kept.append(copy)
    return kept


def _take_away(repo: Repo, paths: Sequence[str]) -> None:
    """Files out of the way of a commit that removes them: edits of them are in their copies."""
    _unstage(repo, paths)
    for path in paths:
        os.unlink(_join(repo, path))


def _unstage(repo: Repo, paths: Sequence[str]) -> None:
    """Have the index hold files as the last commit does, where it holds them otherwise."""
    base = repo.tree(repo.tip())
    held = journal.staged_blobs(repo, list(paths)) if paths else {}
    known = {path: entry.oid for path in held if (entry := base.entry(path))}
    changed = [path for path in held if known.get(path) != held[path]]
    if changed:
        repo.run("reset", "-q", "--", *changed)


def _join(repo: Repo, path: str) -> str:
    return os.path.join(repo.root, path)


def _find_missing(repo: Repo, base: Tree) -> dict[str, bytes]:
    """The templates of the files that are neither committed nor on disk."""
    there = (
        path
        for path in _TEMPLATES
        if base.entry(path) is None and not os.path.lexists(os.path.join(repo.root, path))
    )
    return {path: _read_template(path) for path in there}


def _read_template(path: str) -> bytes:
    with open(resources.find(f"templates/workspace/{_TEMPLATES[path]}"), "rb") as file:
        return file.read()


def _read_text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _find_untracked(repo: Repo) -> dict[str, bytes]:
    """The Markdown of a workspace that no commit holds yet; what is staged, as it is staged."""
    found: dict[str, bytes] = {}
    for path, status in worktree.dirty(repo).items():
        known = layout.kind_of(path) not in ("other", "projection") or _is_loose(path)
        if not known or status not in ("??", "A ", "AM", "AD"):
            continue
        if status == "??":
            data = _read_file(repo, path)
        else:
            data = repo.reader.blobs([journal.staged_blobs(repo, [path])[path]]).popitem()[1]
        if data is not None:
            found[path] = data
    return found


def _read_file(repo: Repo, path: str) -> bytes | None:
    try:
        return worktree.read(repo.root, path)
    except errors.MoltError:
        return None


def _is_loose(path: str) -> bool:
    """Whether it is Markdown at the top, which agents keep notes in as well."""
    return "/" not in path and path.endswith(".md")


def unignore(repo: Repo) -> Written[None]:
    """Commits lines to .gitignore, in a person's name, that have git keep memory.

    Raises what the transaction raises.
    """
    text = messages.render(
        "EDIT",
        ignores.PATH,
        "memory is kept in git",
        messages.Provenance(actor="manual", approval="—", trigger="molt init --unignore"),
    )

    def make_change(tree: Tree) -> Change[None]:
        before = (tree.read(ignores.PATH) or b"").decode("utf-8", "surrogateescape")
        after = ignores.add_exceptions(before)
        return Change({ignores.PATH: after.encode("utf-8", "surrogateescape")}, text, None)

    context = Context(actor="manual")
    return transaction.commit(repo, make_change, context)


def instruct_agents(repo: Repo) -> Written[None]:
    """Commits to the instructions of agents, in a person's name, what tells them of molt.

    Raises what the transaction raises.
    """
    untold = adoption.list_untold(repo.tree(repo.tip()))
    text = messages.render(
        "EDIT",
        untold[0] if len(untold) == 1 else "*.md",
        "how an agent uses molt",
        messages.Provenance(actor="manual", approval="—", trigger="molt init --agents"),
    )

    def make_change(tree: Tree) -> Change[None]:
        texts = {
            path: (tree.read(path) or b"").decode("utf-8", "surrogateescape") for path in untold
        }
        edits = {
            path: instructions.put_block(before or _TITLE).encode("utf-8", "surrogateescape")
            for path, before in texts.items()
        }
        return Change(edits, text, None)

    context = Context(actor="manual")
    return transaction.commit(repo, make_change, context)
