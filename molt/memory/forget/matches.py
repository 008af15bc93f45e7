"""All that says something: in every store, with what forgetting does to it."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.formats import entity, paths
from molt.formats import message as messages
from molt.formats.prose import sayings
from molt.formats.prose.sayings import Saying
from molt.memory import workspace
from molt.memory.decay import formula, known
from molt.memory.decay import scores as decay_scores
from molt.memory.forget import said_files, said_words
from molt.memory.graph import graph
from molt.memory.visible import forgotten
from molt.repo import history
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from molt.memory.decay.scores import Scores
    from molt.memory.forget.said_files import Cache
    from molt.memory.workspace import Workspace
    from molt.trees import Tree

    Test = Callable[[Saying], bool]
    Seen = dict[tuple[str, str], list[Saying]]

# Characters of a match on a line that a person reads.
_SHOWN = 100
ARCHIVED = "archived; its file stays"
TAKEN = "taken out of its file; `molt restore` puts it back"
EMPTIED = "its file goes, which says nothing else; `molt restore` puts it back"
ERASED = "removed from the files for good"


class Wanted(Value):
    """What is to be forgotten: what says a text, or has an id; or what came from a session, an
    actor or an import. `actor` is who asks.
    """

    text: str = ""
    ids: tuple[str, ...] = ()
    session: str = ""
    by: str = ""
    brought: str = ""


class Match(Value):
    """One thing that says it, what happens to it, and whether it is left to a person instead."""

    id: str
    kind: str
    store: str
    path: str
    text: str
    effect: str
    left: bool = False


def find_matches(
    ws: Workspace,
    tree: Tree,
    wanted: Wanted,
    *,
    permanently: bool = False,
    seen: Seen | None = None,
) -> tuple[Match, ...]:
    """All of a tree that says it, by path. What was `seen` to say it, by path and blob, is not
    looked for again in another tree. Raises Usage where nothing is asked for.
    """
    test = _make_test(ws, wanted)
    found = _select(tree, test, wanted, {} if seen is None else seen, ws.repo.cache)
    found += _list_linked(ws, tree, found)
    unique = {one.id: one for one in found}
    scores = _load_scores(ws, tree, unique)
    covered = {one.id for one in unique.values() if one.kind == sayings.NOTE}
    kept = [
        one
        for one in unique.values()
        # What is in a note that goes as a whole goes with it.
        if one.id in covered or one.id.partition("#")[0] not in covered
        if permanently or not scores.is_forgotten(one.id)
    ]
    described = [_describe(ws, one, scores, permanently) for one in kept]
    return _tell_emptied(tree, kept, described)


def _load_scores(ws: Workspace, tree: Tree, memories: Collection[str]) -> Scores:
    """What the scores of a tree say of some memories. Those of all, as a table, take as long to
    bring up after each write as to find what is to be forgotten.
    """
    cache, fading = ws.repo.cache, formula.read_fading(ws.config)
    entry = tree.entry(paths.SCORES)
    if entry is None or not known.is_ordered(cache, entry.oid):
        return decay_scores.load_scores(ws.repo, tree, 0.0, fading)
    # The write asks for them once more, and of another tree.
    ws.repo.reader.keep_blob(tree.read(paths.SCORES) or b"")
    table = decay_scores.make_table(known.KnownScores(tree, cache).find(memories))
    return decay_scores.Scores(table, {}, 0.0, fading)


def _describe(ws: Workspace, one: Saying, scores: Scores, permanently: bool) -> Match:
    store = paths.store_of(one.path) or paths.kind_of(one.path)
    said = " ".join(one.text.split())[:_SHOWN]
    why = _find_obstacle(ws, one, scores)
    if why:
        return Match(one.id, one.kind, store, one.path, said, why, left=True)
    soft = ARCHIVED if one.kind in sayings.WHOLE else TAKEN
    return Match(one.id, one.kind, store, one.path, said, ERASED if permanently else soft)


def _tell_emptied(
    tree: Tree, kept: Sequence[Saying], described: Sequence[Match]
) -> tuple[Match, ...]:
    """The matches, of which those say so whose file goes with them."""
    taken: dict[str, list[Saying]] = {}
    for one, match in zip(kept, described, strict=True):
        if match.effect == TAKEN:
            taken.setdefault(one.path, []).append(one)
    emptied = {
        path
        for path, some in taken.items()
        if not sayings.is_left(path, sayings.cut_sayings(trees.read_text(tree, path), some))
    }
    return tuple(
        match.replace(effect=EMPTIED) if match.path in emptied else match for match in described
    )


def _find_obstacle(ws: Workspace, one: Saying, scores: Scores) -> str:
    """Why a match is left as it is; empty where it need not be."""
    person = find_actor(ws) == "manual"
    kind = paths.kind_of(one.path)
    if kind == "vault":
        return f"left: the vault is changed by people; edit or delete {one.path}"
    if kind == "episode" and one.kind in (sayings.PARAGRAPH, sayings.HEADING) and not person:
        return f"left: a note of a person, who edits {one.path}"
    pinned = scores.is_pinned(one.id) or dict(one.fields).get("pinned", "").lower() == "true"
    if pinned and not person:
        return f"left: it is pinned; a person unpins it: `molt unpin {one.id}`"
    return ""


def find_actor(ws: Workspace) -> str:
    """Who asks to forget: whom the call or the environment names, or where this runs."""
    return workspace.find_decider(ws)


def list_sayings(tree: Tree, among: Iterable[str] | None = None) -> Iterator[Saying]:
    """All that a tree says, or what some of its files say, by path."""
    every = tree.entries() if among is None else among
    for texts in said_files.read_rounds(tree, filter(sayings.has_sayings, every)):
        for path in sorted(texts):
            yield from sayings.parse_sayings(path, texts[path].decode("utf-8", "replace"))


def _select(tree: Tree, test: Test, wanted: Wanted, seen: Seen, cache: Cache) -> list[Saying]:
    """What passes a test, of things that have the ids that are wanted, if any are."""
    ids = wanted.ids
    near = list(filter(test, list_sayings(tree, forgotten.find_places(ids)))) if ids else []
    # Hardly an id is elsewhere than where it says.
    if ids and {one.id for one in near}.issuperset(ids):
        return near
    every = {
        path: (path, one.oid)
        for path, one in sorted(tree.entries().items())
        if sayings.has_sayings(path)
    }
    fresh = [path for path, key in every.items() if key not in seen]
    seen.update((every[path], []) for path in fresh)
    choose = said_words.make_chooser(wanted.text) if wanted.text.strip() and not ids else None
    chosen = said_files.choose_files(tree, fresh, choose, cache) if choose else fresh
    for one in filter(test, list_sayings(tree, chosen)):
        seen[every[one.path]].append(one)
    return [one for key in every.values() for one in seen[key]]


def _list_linked(ws: Workspace, tree: Tree, found: Sequence[Saying]) -> list[Saying]:
    """The relations of others that lead to an entity which goes as a whole."""
    kind = "entity:"
    stems = {
        one.id.removeprefix(kind)
        for one in found
        if one.kind == sayings.NOTE and one.id.startswith(kind)
    }
    if not stems:
        return []
    others = graph.load(tree, ws.repo.cache).list_leading(stems)
    files = [f"{paths.ENTITIES}{stem}.md" for stem in others]
    return [
        one
        for one in list_sayings(tree, files)
        if one.kind == sayings.RELATION and not stems.isdisjoint(entity.list_targets(one.text))
    ]


def _make_test(ws: Workspace, wanted: Wanted) -> Test:
    """Whether something is among what is wanted. Raises Usage."""
    tests: list[Test] = []
    if wanted.ids:
        named = frozenset(wanted.ids)
        tests.append(lambda one: one.id in named)
    elif wanted.text.strip():
        tests.append(_make_text_test(wanted.text.strip()))
    if wanted.session or wanted.by or wanted.brought:
        tests.append(_make_source_test(ws, wanted))
    if not tests:
        said = "say what to forget: a text, an id, or --session, --by or --import"
        raise errors.Usage(said, 'molt forget "the locker code"')
    return lambda one: all(test(one) for test in tests)


def _make_text_test(text: str) -> Test:
    """What has an id, is in a file, or says all words of a text, in whatever case and order."""
    named = paths.kind_of(text) not in ("core", "proposals") and sayings.has_sayings(text)
    says = said_words.make_line_test(text)

    def test(one: Saying) -> bool:
        if one.id == text or (named and one.path == text):
            return True
        name = one.id.partition(":")[2] if one.kind == sayings.NOTE else ""
        return says(f"{one.text} {one.named} {name.replace('-', ' ')}")

    return test


def _make_source_test(ws: Workspace, wanted: Wanted) -> Test:
    """What the fields of an entry, or the commits that brought it, say of where it is from."""
    commits = [oid for oid, text in history.messages(ws.repo, "HEAD") if _is_from(text, wanted)]
    said = _list_brought(ws, commits)

    def test(one: Saying) -> bool:
        fields = dict(one.fields)
        if one.id in said:
            return True
        if wanted.session and fields.get("session") == wanted.session:
            return True
        source = fields.get("imported", "").rpartition("#")[0]
        return bool(source and wanted.brought) and is_source(source, wanted.brought)

    return test


def is_source(source: str, said: str) -> bool:
    """Whether a source, which is called by its file and the folder that this is in, is what
    somebody says: its name or the end of it, or any path that leads to it.
    """
    if f"/{source}".endswith(f"/{said}"):
        return True
    full = os.path.abspath(os.path.expanduser(said)).replace(os.sep, "/")
    return full.endswith(f"/{source}")


def _is_from(text: str, wanted: Wanted) -> bool:
    message = messages.parse(text)
    if wanted.brought:
        # What says nothing of it itself, as a note, is told by the commit that brought it.
        source = message.summary.rpartition(messages.FROM)[2]
        if message.action != "IMPORT" or not is_source(source, wanted.brought):
            return False
    named = messages.trailer_values(message, "Session")
    fits = not wanted.session or wanted.session in named
    return fits and (not wanted.by or messages.is_by(messages.actor(message), wanted.by))


def _list_brought(ws: Workspace, commits: Sequence[str]) -> frozenset[str]:
    """The ids of what some commits said first; not of notes that others wrote in as well."""
    if not commits:
        return frozenset()
    found: set[str] = set()
    every = [one for one in history.versions(ws.repo, commits) if sayings.has_sayings(one.path)]
    for one in every:
        blobs = ws.repo.reader.blobs([one.new, *one.old])
        texts = {oid: data.decode("utf-8", "replace") for oid, data in blobs.items()}
        before = {
            saying.id
            for oid in one.old
            for saying in sayings.parse_sayings(one.path, texts.get(oid, ""))
        }
        after = sayings.parse_sayings(one.path, texts.get(one.new, ""))
        found.update(saying.id for saying in after if saying.id not in before)
    return frozenset(found - _list_shared(ws, found))


def _list_shared(ws: Workspace, found: set[str]) -> set[str]:
    """The notes among what was brought of which others wrote a part."""
    whole = {name for name in found if "#" not in name and name.startswith("entity:")}
    every = list_sayings(ws.head(), (f"{paths.ENTITIES}{name[7:]}.md" for name in whole))
    return {one.id.partition("#")[0] for one in every if one.id not in found}
