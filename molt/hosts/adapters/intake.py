"""What other programs keep, brought into the workspace in its own words."""

from __future__ import annotations

import os
from datetime import UTC

from molt import errors, trees
from molt.formats import lines, paths
from molt.hosts.adapters import archive, chatgpt, folder, obsidian, table
from molt.memory.write import import_notes, import_sources, put_back
from molt.policy import growth
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from molt.hosts.adapters.shape import Files, Format
    from molt.memory.workspace import Workspace
    from molt.memory.write.import_notes import Imported
    from molt.memory.write.import_sources import SourceContent
    from molt.memory.write.put_back import PutBack
    from molt.trees import Tree

    _Reader = Callable[[str], tuple[str, int]]


class BringRequest(Value):
    """What is brought in: a file or folder, of which format (empty where its content tells), and of
    records only those of a group.
    """

    path: str
    form: str = ""
    group: str = ""
    dry_run: bool = False


class _SourceFiles(Value):
    """The files of a source, the characters that were taken out, what is no text, and what is too
    large for a memory.
    """

    files: dict[str, str]
    odd: int = 0
    skipped: tuple[str, ...] = ()
    large: tuple[str, ...] = ()


def bring_in(ws: Workspace, asked: BringRequest, now: datetime) -> tuple[str, Imported]:
    """Commit what a source holds as the word of an import; gives the name of its format too, empty
    where it is plain notes or records. Raises NotFound and Usage for what cannot be read, and
    what the transaction raises.
    """
    with archive.unpacked(asked.path) as path:
        return _bring_folder(ws, asked.replace(path=path), now)


def _bring_folder(ws: Workspace, asked: BringRequest, now: datetime) -> tuple[str, Imported]:
    """The same for what is no archive."""
    import_notes.refuse_own(ws, asked.path)
    form, found = _recognise(asked)
    if form is None or form.read is None:
        # A folder is read whole, but where its format was named, which is one file.
        path = _find_file(form, asked.path) if asked.form else asked.path
        done = import_notes.import_source(
            ws, path, group=asked.group, dry_run=asked.dry_run, now=now
        )
        if path != asked.path:
            beside = (one for every in import_sources.list_files(asked.path) for one in every)
            left = (name for name in beside if name != os.path.basename(path))
            done = done.replace(skipped=(*done.skipped, *left))
        return form.name if form else "", done
    made = _leave_known(ws, form, found.files, now.tzinfo or UTC)
    large = tuple(f"{name} {import_sources.LARGE}, and left out" for name in found.large)
    remarks = (*made.remarks, *large)
    made = made.replace(odd=found.odd, skipped=found.skipped, remarks=remarks)
    source = import_notes.label_source(asked.path)
    done = import_notes.import_found(ws, source, made, dry_run=asked.dry_run, now=now)
    return form.name, done


def _leave_known(ws: Workspace, form: Format, files: Files, zone: tzinfo) -> SourceContent:
    """What the files say, without notes of molt's that are here as they are there: beside what it
    has exported another program puts its own, which link to them.
    """
    made = form.read(files, zone) if form.read else import_sources.SourceContent()
    head = ws.head()
    known = {name: text for name, text in files.items() if _is_here(head, form, name, text)}
    if not known or form.read is None:
        return made
    own = form.read(known, zone)
    names = {name for name, _ in own.notes}
    gone = {one.id for one in own.entities}
    kept = [one for one in made.entities if one.id not in gone]
    dangling = {one for one in gone if head.entry(f"{paths.ENTITIES}{one}.md") is None}
    return made.replace(
        notes=tuple(one for one in made.notes if one[0] not in names),
        records=tuple(one for one in made.records if one.origin not in known),
        entities=tuple(
            one.replace(relations=tuple(e for e in one.relations if e.target not in dangling))
            for one in kept
        ),
        remarks=(f"{len(known)} notes are memories of this workspace", *made.remarks),
    )


def _is_here(head: Tree, form: Format, name: str, text: str) -> bool:
    """Whether a note is molt's, and says nothing that the file which it names does not say here: an
    export has left out what is private.
    """
    found = form.unpack({name: text}) if form.unpack and not form.placed else ()
    return any(
        head.entry(one.path) is not None
        and {*lines.bare_lines(one.text)} <= {*lines.bare_lines(trees.read_text(head, one.path))}
        for one in found
    )


def restore_export(ws: Workspace, asked: BringRequest, now: datetime) -> tuple[str, PutBack]:
    """Put what molt has exported back where it was; gives the name of the format too. Raises
    Refused where no person does it, Usage where it is no export, and what the transaction raises.
    """
    import_notes.refuse_own(ws, asked.path)
    form, found = _recognise(asked, import_sources.read_exact)
    if form is None or form.unpack is None:
        hint = "name its format with --from, or leave --restore"
        raise errors.Usage(f"{asked.path} is no export of molt", hint)
    notes = form.unpack(found.files)
    surely = bool(asked.form) or is_own(asked.path) or not form.placed
    # Where places are all that tells, it may as well be what somebody else has written.
    if not notes or not surely:
        hint = f"`--from {form.name}` says that it is yours; without --restore it is an import"
        raise errors.Usage(f"{asked.path} holds nothing that molt exported", hint)
    bases = folder.read_manifest(asked.path).notes if os.path.isdir(asked.path) else {}
    given = {one.path: (one.text, bases.get(one.path, "")) for one in notes}
    source = import_notes.label_source(asked.path)
    return form.name, put_back.put_back(ws, source, given, dry_run=asked.dry_run, now=now)


def is_own(path: str) -> bool:
    """Whether a folder is one that molt has exported to."""
    return os.path.isdir(path) and bool(folder.read_manifest(path).format)


def _recognise(
    asked: BringRequest, read: _Reader = import_sources.read_text
) -> tuple[Format | None, _SourceFiles]:
    """The format that was named, or that the content tells. Raises NotFound where nothing is there,
    and Usage where it is another.
    """
    if not os.path.exists(asked.path):
        raise errors.NotFound(f"no file {asked.path}", import_sources.READ)
    if not os.path.isdir(asked.path):
        return _recognise_file(asked, read)
    form = table.FORMATS[asked.form] if asked.form else None
    if form is not None and form.whole:
        return form, _read_file(_find_file(form, asked.path), read)
    found = _read_folder(asked.path, read)
    known = folder.read_manifest(asked.path).format
    form = form or table.FORMATS.get(known) or table.recognise_folder(found.files)
    if form is None and os.path.isfile(os.path.join(asked.path, chatgpt.FILE)):
        form = chatgpt.FORMAT
    return form, found


def _recognise_file(asked: BringRequest, read: _Reader) -> tuple[Format | None, _SourceFiles]:
    plain = _SourceFiles({})
    if asked.path.lower().endswith((".json", ".md", ".markdown")):
        plain = _read_file(asked.path, read)
    if not asked.form:
        every = (table.FORMATS[name] for name in ("mem0", "chatgpt"))
        return next((one for one in every if plain.files and one.knows(plain.files)), None), plain
    form = table.FORMATS[asked.form]
    if not form.knows(plain.files) and form.whole:
        raise errors.Usage(f"{asked.path} is nothing that {form.title} exports", "leave --from")
    return form, plain


def _read_file(path: str, read: _Reader) -> _SourceFiles:
    text, odd = read(path)
    return _SourceFiles({os.path.basename(path): text}, odd)


def _find_file(form: Format | None, path: str) -> str:
    """The file of a format that is one; a folder may have it."""
    inner = os.path.join(path, form.whole) if form and form.whole else ""
    return inner if inner and os.path.isdir(path) else path


def _read_folder(path: str, read: _Reader) -> _SourceFiles:
    """The Markdown of a folder with its settings; what else is in it is told."""
    files: dict[str, str] = {}
    large: list[str] = []
    odd = 0
    if os.path.isdir(os.path.join(path, obsidian.FOLDER)):
        # Without settings of its own it is a vault as well.
        files[obsidian.FOLDER] = ""
    found, skipped = import_sources.list_files(path)
    if os.path.isfile(os.path.join(path, obsidian.DAILY)):
        found.append(obsidian.DAILY)
    for name in found:
        full = os.path.join(path, *name.split("/"))
        try:
            if os.path.getsize(full) > growth.LIMIT:
                large.append(name)
                continue
            files[name], more = read(full)
        except errors.Usage:
            # One file that only has the name of a note does not keep the others out.
            skipped.append(name)
            continue
        odd += more
    return _SourceFiles(files, odd, tuple(skipped), tuple(large))
