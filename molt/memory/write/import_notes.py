"""Notes and records of other tools become episodes, in one transaction for each source."""

from __future__ import annotations

import os

from molt import errors, trees
from molt.formats import entity as entity_notes
from molt.formats import episodes, frontmatter, ids, origin
from molt.formats import facts as fact_lists
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.formats.fields import pinned_flag, text_field
from molt.formats.origin import BROUGHT, FIELD, IMPORTED
from molt.memory.visible import unsaid
from molt.memory.write import import_keys, import_known, import_sources
from molt.policy import names, secrets, sensitivity
from molt.repo import history
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from molt.formats.entity import Entity
    from molt.formats.episodes import Episode
    from molt.memory.workspace import Workspace
    from molt.memory.write.import_sources import ImportRecord, SourceContent
    from molt.trees import Edits, Tree


class Imported(Value):
    """What came of one source: memory id for each record, by the record's own id; the new path
    for each Markdown file, by its own; the id of each entity. `left` is what the write could not
    do, if anything; `odd` counts the characters that were taken out, `skipped` names files that
    are no text, `remarks` what did not come along.
    """

    source: str
    memories: dict[str, str]
    commit: str | None
    left: str = ""
    odd: int = 0
    skipped: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def import_source(
    ws: Workspace,
    path: str,
    *,
    group: str = "",
    dry_run: bool = False,
    now: datetime | None = None,
) -> Imported:
    """Commit the records of a JSON-lines file, one memory a record, in order: as episodes, or
    as notes below `memory/imported/` where they have no date. A Markdown file, or a folder of
    them, becomes such notes as well.

    What an earlier import of the same source brought in is left out, and of what has an id of its
    program that of any source, so a second run changes nothing. The day of `now` is noted with
    each episode, for then it became one. Raises NotFound and Usage for what cannot be read, and
    what the transaction raises.
    """
    source = label_source(path)
    refuse_own(ws, path)
    found = import_sources.read_source(path, group, source, now)
    return import_found(ws, source, found, dry_run=dry_run, now=now)


def import_found(
    ws: Workspace, source: str, found: SourceContent, *, dry_run: bool, now: datetime | None
) -> Imported:
    """Commit what was found in a source, with its label. Raises what the transaction raises."""
    day = now.strftime("%Y-%m-%d") if now else ""
    remarks: list[str] = []

    def make_change(tree: Tree) -> Change[dict[str, str]]:
        made: dict[str, str] = {}
        remarks[:] = found.remarks
        days = _add_episodes(tree, found.records, source, made, day=day)
        brought = _Notes(ws, tree, source, remarks).add_notes(found, made)
        edits = days | brought | _add_entities(tree, found.entities, made, day)
        paths = sorted(edits)
        file = paths[0] if len(paths) == 1 else f"{_find_folder(paths)}*"
        count = f"{len(made)} {'memory' if len(made) == 1 else 'memories'}"
        summary = f"{count}{messages.FROM}{source}"
        text = messages.render(
            "IMPORT",
            file,
            summary,
            messages.Provenance(ws.actor, approval="auto", trigger="molt import"),
        )
        return Change(edits, text, made)

    second = now.timestamp() if now else 0.0
    done = ws.commit(make_change, dry_run=dry_run, now=second)
    return Imported(
        source, done.made, done.oid, done.left, found.odd, found.skipped, tuple(remarks)
    )


def refuse_own(ws: Workspace, path: str) -> None:
    """Raises Usage for what is memory of this workspace already: it would be there twice."""
    inside = os.path.relpath(os.path.realpath(path), os.path.realpath(ws.repo.root))
    own = inside.replace(os.sep, "/")
    if own in (".", "memory", layout.CORE) or own.startswith("memory/"):
        raise errors.Usage(f"{path} is this workspace's own memory", "name another source")


def _find_folder(paths: list[str]) -> str:
    return (os.path.commonpath(paths) if paths else "memory") + "/"


def label_source(path: str) -> str:
    """What a source is called in what came from it: its name and that of its folder."""
    return "/".join(os.path.abspath(path).split(os.sep)[-2:]).replace(" ", "-")


class _Notes:
    """The notes of one source on their way below `memory/imported/`."""

    def __init__(self, ws: Workspace, tree: Tree, source: str, remarks: list[str]) -> None:
        self._ws, self._tree, self._remarks = ws, tree, remarks
        self._folder = f"{IMPORTED}{ids.slug(source.removesuffix('.md'))}/"
        self._taken: set[str] = set()
        self._others: dict[str, str] | None = None
        self._again: list[str] = []
        self._gone = unsaid.read_graveyard(tree)

    def add_notes(self, found: SourceContent, made: dict[str, str]) -> Edits:
        make_edits: Edits = {}
        for name, text in found.notes:
            plain = "/".join(map(ids.slug, name.split("/")))
            wanted = name if found.named and _is_portable(name) else plain
            path = _choose_path(self._folder + wanted, self._taken)
            if sensitivity.is_obeyed_below(names.fold_path(path), self._ws.config):
                # What one folder's agents were told is no memory, and would be obeyed here.
                self._remarks.append(f"{path} would instruct agents, and is left out")
                continue
            self._taken.add(names.fold_path(path))
            fresh = _mark_note(secrets.redact(text)).encode()
            if name in found.keyed and self._is_elsewhere(name, path, text):
                continue
            if self._may_write(path, text, fresh, found.named) and not self._is_again(path, fresh):
                make_edits[path] = fresh
                _tell_made(made, name, path)
        if self._again:
            count = f"{len(self._again)} of its notes are" if self._again[1:] else "one note is"
            self._remarks.append(f"{count} here already, as {self._again[0]}, and left out")
        return make_edits

    def _is_again(self, path: str, fresh: bytes) -> bool:
        """Whether another source has brought a note of the same words that is new here."""
        if self._tree.entry(path) is not None:
            return False
        if self._others is None:
            known = [one for one in self._tree.entries() if one.startswith(IMPORTED)]
            outside = [one for one in known if not one.startswith(self._folder)]
            read = self._tree.read_many(outside)
            self._others = {import_keys.digest_note(data): one for one, data in read.items()}
        other = self._others.get(import_keys.digest_note(fresh), "")
        self._again += [other] * bool(other)
        return bool(other)

    def _is_elsewhere(self, name: str, path: str, text: str) -> bool:
        """Whether another source has brought the note that its program calls by a name."""
        for other in self._tree.entries():
            if other.startswith(IMPORTED) and other.endswith(f"/{ids.slug(name)}.md"):
                known = trees.read_text(self._tree, other)
                label = text_field(frontmatter.metadata(known), "imported")
                bodies = (frontmatter.split_front_matter(one)[1] for one in (text, known))
                same = import_keys.find_name(label) == name
                if other != path and same and import_keys.is_same(name, *bodies):
                    return True
        return False

    def _may_write(self, path: str, text: str, fresh: bytes, newer: bool) -> bool:
        """Whether a note is to be written. One that is there stays as it is, but for what is
        `newer` at the source while here only imports have written it.
        """
        if not text.strip() or self._gone.find_said(text):
            return False
        known = self._tree.entry(path)
        if known is None:
            return True
        if not newer or trees.blob_oid(fresh) == known.oid:
            return False
        last = history.messages(self._ws.repo, "-1", "HEAD", "--", path)
        if all(messages.parse(said).action == "IMPORT" for _, said in last):
            return True
        self._remarks.append(f"{path} was edited here since it was imported, and stays as it is")
        return False


def _tell_made(made: dict[str, str], name: str, memory: str) -> None:
    """Tell which memory became of a record; a second one of the same name goes by its memory's."""
    made[memory if name in made else name] = memory


def _is_portable(name: str) -> bool:
    """Whether a name, which is not changed for the sake of links, is one on every system."""
    if any(part.startswith(".") or part != part.strip() for part in name.split("/")):
        return False
    faults = (names.find_impossible, names.find_reserved, names.find_unportable)
    return not any(find(f"{name}.md") for find in faults)


def _add_entities(
    tree: Tree, entities: tuple[Entity, ...], made: dict[str, str], day: str
) -> Edits:
    """New entities as they are; to those that are there the facts and relations that they have
    not, each with the word that it was imported.
    """
    make_edits: Edits = {}
    gone = unsaid.read_graveyard(tree)
    for one in entities:
        path = f"{layout.ENTITIES}{one.id}.md"
        before = trees.read_text(tree, path)
        if before:
            own = origin.read_class(frontmatter.metadata(before)) != "import"
            text = _extend_entity(before, one, own, day)
        else:
            text = entity_notes.render_entity(one.replace(created=day, updated=day))
        text = secrets.redact(text)
        if text != before and not gone.find_said(text):
            make_edits[path] = text.encode()
            made[ids.entity(one.id)] = path
    return make_edits


def _extend_entity(before: str, one: Entity, own: bool, day: str) -> str:
    """An entity with what another one of its name has more; its `own` words are marked apart."""
    text = before
    for fact in one.facts:
        said = origin.mark_text(fact, "import") if own else fact
        text = fact_lists.add_fact(text, secrets.redact(said), day)
    for edge in one.relations:
        note = f"{FIELD}: import" if own else edge.note
        text = entity_notes.add_relation(text, edge.word, edge.target, note)
    return text


def _mark_note(text: str) -> str:
    """A note as it is, but for what it says of whose word it is, which is the import's, and that it
    is pinned, which here nobody has said. What says nothing of it is known by its folder.
    """
    front = frontmatter.metadata(text)
    if not any(key in front for key in (FIELD, "source", "pinned")):
        return text
    if text_field(front, "source"):
        text = frontmatter.set_field(text, "source", "import")
    if pinned_flag(front):
        text = frontmatter.set_field(text, "pinned", False)
    return frontmatter.set_field(text, FIELD, "import")


def _choose_path(place: str, taken: set[str]) -> str:
    """The path of a note, with a number where two names have one slug."""
    path, number = f"{place}.md", 1
    while names.fold_path(path) in taken:
        number += 1
        path = f"{place}-{number}.md"
    return path


def _add_episodes(
    tree: Tree, records: tuple[ImportRecord, ...], source: str, made: dict[str, str], *, day: str
) -> Edits:
    days: dict[str, list[ImportRecord]] = {}
    gone = unsaid.read_graveyard(tree)
    # What a person wants forgotten does not come back with a file.
    for record in (one for one in records if not gone.find_said(one.text)):
        days.setdefault(record.date, []).append(record)
    make_edits: Edits = {}
    for date, of_day in days.items():
        path = f"{layout.EPISODES}{date}.md"
        before = (tree.read(path) or b"").decode("utf-8")
        known = import_known.BroughtEntries(episodes.parse(before, date), _read_near(tree, date))
        text = _append_day(before, of_day, (source, day), known, made)
        if text != before:
            make_edits[path] = text.encode()
    return make_edits


def _read_near(tree: Tree, date: str) -> list[Episode]:
    """The entries of the days beside one: in another zone a record may be of them."""
    texts = ((day, trees.read_text(tree, f"{layout.EPISODES}{day}.md")) for day in _list_near(date))
    return [one for day, text in texts for one in episodes.parse(text, day)]


def _list_near(date: str) -> Iterator[str]:
    from datetime import date as calendar

    place = calendar.fromisoformat(date).toordinal()
    near = (place - 1, place + 1)
    yield from (
        calendar.fromordinal(one).isoformat() for one in near if 0 < one <= calendar.max.toordinal()
    )


def _append_day(
    before: str,
    records: list[ImportRecord],
    whence: tuple[str, str],
    known: import_known.BroughtEntries,
    made: dict[str, str],
) -> str:
    """The log of a day with the records of a source, `whence` they come and the day on which."""
    (source, day), date = whence, records[0].date
    clock = _Clock({one.time for one in known.known})
    parts = [before] if before else [f"{episodes.render_title(date)}\n"]
    for record in records:
        label = f"{source}#{record.origin}"
        before_it = known.find(source, record)
        if before_it is not None and not _is_other(before_it, record):
            continue
        noted = ((BROUGHT, day),) * bool(day)
        instead = (("supersedes", before_it.id),) if before_it else ()
        fields = (("imported", label), *noted, (FIELD, "import"), *instead, *record.fields)
        entry = episodes.Episode(
            date,
            clock.take_time(record.time),
            "event",
            "medium",
            (),
            "conversation",
            fields,
            record.text,
        )
        parts.append(episodes.render_entry(entry))
        _tell_made(made, record.origin, entry.id)
    if len(parts) == 1:
        return before
    return "\n".join(parts)


def _is_other(known: episodes.Episode, record: ImportRecord) -> bool:
    """Whether a record says something else now. A number is no name: others stand there later."""
    named = not record.origin.isdigit()
    return named and ids.digest(known.text) != ids.digest(record.text)


class _Clock:
    """The times of one day that are taken."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._next: dict[str, int] = {}

    def take_time(self, time: str) -> str:
        """The time, or the next second that no entry has; it is taken then."""
        found = time
        if time in self._taken:
            hours, minutes, seconds = [*map(int, time.split(":")), 0][:3]
            start = self._next.get(time, hours * 3600 + minutes * 60 + seconds + 1)
            for step in range(start, start + 86_400):
                late = step % 86_400
                found = f"{late // 3600:02}:{late // 60 % 60:02}:{late % 60:02}"
                if found not in self._taken:
                    self._next[time] = step + 1
                    break
            else:
                raise errors.Failed("a day holds no more than 86,400 entries")
        self._taken.add(found)
        return found
