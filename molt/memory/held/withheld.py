"""What is held back of a memory because the commit that brought it breaks a rule, and the tree in
which nobody sees it.

`held.quarantine` finds out what that is; here it is read from where the clone keeps it, which is
one small file, and taken out of a tree line by line: what stood beside a line stays.
"""

from __future__ import annotations

import os

from molt import __version__, trees
from molt.formats import lines, paths
from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.repo.repository import Repo
    from molt.trees import Tree

KEPT, PASSED = "quarantine", "passed-commits"
"""The files of a git folder that hold the state, and the commits that were judged as they were
made.
"""
# Hexadecimal digits of a line's hash: two lines of one file are not the same in half of them.
_ENOUGH = 20
# After so many bytes of commits nobody has asked, all of them are judged anew at once.
_LONGEST = 1 << 20


EVERY = "*"


class HeldCommit(Value):
    """A commit that breaks rules: all of them by their codes, those that nobody has accepted
    (`open`) and that nobody can (`final`), how many lines it `brought`, whether it was `reverted`
    by its id, and of which `files` what it brought is held back, `EVERY` for all.
    """

    oid: str
    codes: tuple[str, ...]
    open: tuple[str, ...]
    final: tuple[str, ...] = ()
    brought: int = 0
    reverted: bool = False
    files: tuple[str, ...] = (EVERY,)

    def has(self, path: str) -> bool:
        """Whether what it brought to a file is held back."""
        return path in self.files or EVERY in self.files


class Held(Value):
    """What is known of the history that leads to `head`, which is where HEAD was: the `commits` in
    it that break rules, and the lines that they brought and that stand, by path and by what
    `fold_line` gives, each with its commit. Of files that are no Markdown `blobs` has the contents,
    by path and id: each with that which is trusted in its place (empty for no file) and its commit.
    """

    head: str = ""
    commits: tuple[HeldCommit, ...] = ()
    lines: Mapping[str, Mapping[str, str]] = {}
    blobs: Mapping[str, Mapping[str, tuple[str, str]]] = {}

    def list_open(self) -> dict[str, tuple[str, ...]]:
        """The commits that nobody has accepted or reverted, each with the rules it breaks."""
        return {one.oid: one.open for one in self.commits if one.open and not one.reverted}

    def count_lines(self) -> dict[str, int]:
        """How many lines each commit has brought that still stand."""
        counts: dict[str, int] = {}
        for rows in self.lines.values():
            for oid in rows.values():
                counts[oid] = counts.get(oid, 0) + 1
        return counts


NOTHING = Held()


def load(git_dir: str) -> Held | None:
    """What a clone keeps; None where this version of molt has found out nothing yet."""
    try:
        return _parse(state.read(git_dir, KEPT))
    except ValueError:
        # A file that somebody has damaged is made again.
        return None


def _parse(text: str) -> Held | None:
    head, *rows = text.split("\n")
    version, _, tip = head.partition(" ")
    if version != __version__ or not tip:
        return None
    commits: list[HeldCommit] = []
    found: dict[str, dict[str, str]] = {}
    blobs: dict[str, dict[str, tuple[str, str]]] = {}
    for row in rows:
        kind, *fields = state.parse_row(row)
        if kind == "commit" and len(fields) >= 6:
            every, waiting, final = (tuple(filter(None, one.split(","))) for one in fields[1:4])
            more = int(fields[4]), fields[5] == "yes", tuple(fields[6:])
            commits.append(HeldCommit(fields[0], every, waiting, final, *more))
        elif kind == "line" and len(fields) == 3:
            found.setdefault(fields[1], {})[fields[2]] = fields[0]
        elif kind == "blob" and len(fields) == 4:
            blobs.setdefault(fields[1], {})[fields[2]] = fields[3], fields[0]
    return Held(tip, tuple(commits), found, blobs)


def save(git_dir: str, held: Held) -> None:
    """Keep it. Raises Failed where the folder cannot be written."""
    rows = [f"{__version__} {held.head}\n"]
    for one in held.commits:
        codes = (",".join(some) for some in (one.codes, one.open, one.final))
        reverted = "yes" if one.reverted else "no"
        named = ("commit", one.oid, *codes, str(one.brought), reverted, *one.files)
        rows.append(state.render_row(named))
    for path, texts in held.lines.items():
        rows += (state.render_row(("line", oid, path, text)) for text, oid in texts.items())
    for path, some in held.blobs.items():
        every = (("blob", commit, path, oid, before) for oid, (before, commit) in some.items())
        rows += map(state.render_row, every)
    state.write(git_dir, KEPT, "".join(rows))


def read_held(repo: Repo) -> Held:
    """What is known to be held back, as of the last time that somebody looked."""
    return load(repo.git_dir) or NOTHING


_MENTIONS = ("Accepts:", "Acknowledged:", "Reverts:", "This reverts commit")


def mentions_commits(message: str) -> bool:
    """Whether a message may accept or revert another commit, or acknowledge what one has done."""
    return any(word in message for word in _MENTIONS)


# Commits that were judged before they were made


def note_commit(git_dir: str, oid: str) -> None:
    """Note that a commit was judged before it was made."""
    _append(git_dir, oid)


def note_passed(git_dir: str, tree: str, parent: str, message: str) -> None:
    """Note that a commit of this tree, parent and message may be made."""
    _append(git_dir, name_commit(tree, (parent,), message))


def name_commit(tree: str, parents: Sequence[str], message: str) -> str:
    """What tells a commit apart, whoever makes it and when."""
    text = "\n".join((tree, *parents, "", message))
    return trees.sha1(text.encode("utf-8", "surrogateescape")).hexdigest()


def _append(git_dir: str, row: str) -> None:
    path = state.path(git_dir, PASSED)
    try:
        with open(path, "ab") as file:
            file.write(f"{row}\n".encode())
            grown = file.tell()
        if grown > _LONGEST:
            os.unlink(path)
    except OSError:
        # Whoever asks judges it once more.
        return


def list_passed(git_dir: str) -> frozenset[str]:
    """The commits that were judged before they were made, by id or name."""
    return frozenset(state.read(git_dir, PASSED).split())


def forget_passed(git_dir: str) -> None:
    """Drop the notes, once they were read."""
    from contextlib import suppress

    with suppress(OSError):
        os.unlink(state.path(git_dir, PASSED))


# Texts and trees


def fold_line(row: str) -> str:
    """What a line is known by, whatever blanks are around it; empty where it has no word.

    It is a hash, so that what a clone keeps of a line does not say it: it may be forgotten.
    """
    text = row.strip()
    if not any(map(str.isalnum, text)):
        return ""
    return trees.sha1(text.encode("utf-8", "surrogateescape")).hexdigest()[:_ENOUGH]


def list_lines(text: str) -> frozenset[str]:
    """The lines of a text that have a word, as they are known."""
    return frozenset(filter(None, map(fold_line, lines.split_lines(text))))


def _show_part(
    path: str, text: str, held: Mapping[str, str], *, keep_lines: bool, only: bool = False
) -> str:
    """A file without the lines that are held back; with `keep_lines` what is behind them stays
    where it is. With `only` these lines alone, below their headings; empty for nothing with words.
    """
    # Nearly always nothing is held back, and a search would import a thirtieth more.
    from molt.formats import episodes

    day = paths.kind_of(path) == "episode"
    rows: list[str] = []
    for row in lines.split_lines(text):
        if (fold_line(row) in held) == only or (only and row.startswith("#")):
            rows.append(row)
        elif keep_lines:
            rows.append(episodes.blank_row(row, day=day))
    shown = "".join(rows)
    return shown if _has_words(shown) else ""


def hide_lines(path: str, text: str, held: Held) -> str:
    """A text of a file with empty lines in place of those that are held back; empty where nothing
    else is said.
    """
    gone = held.lines.get(path)
    return _show_part(path, text, gone, keep_lines=True) if gone else text


def _has_words(text: str) -> bool:
    rows = (row for row in text.split("\n") if not row.startswith("#"))
    return any(map(fold_line, rows))


def veil_tree(tree: Tree, held: Held, *, keep_lines: bool = True) -> Tree:
    """A tree without what is held back; itself where nothing is."""

    def show(path: str, data: bytes) -> bytes | None:
        text = data.decode("utf-8", "surrogateescape")
        shown = _show_part(path, text, held.lines[path], keep_lines=keep_lines)
        return shown.encode("utf-8", "surrogateescape") if shown else None

    return trees.Veil(tree, held.lines, show) if held.lines else tree


def hide_blobs(repo: Repo, tree: Tree, held: Held) -> Tree:
    """A tree whose files that are no Markdown are as they were before a rule was broken."""

    def show(path: str, data: bytes) -> bytes | None:
        swap = held.blobs[path].get(trees.blob_oid(data))
        return data if swap is None else read_blob(repo, swap[0]) or None

    return trees.Veil(tree, held.blobs, show) if held.blobs else tree


def read_blob(repo: Repo, oid: str) -> bytes:
    """The bytes of a blob; none where there is none."""
    found = repo.reader.ask([oid])[0] if oid else None
    return found[2] if found else b""


def show_held(tree: Tree, held: Held) -> Tree:
    """Of a tree nothing but what is held back, each line where it stands, below its headings."""
    found: dict[str, bytes] = {}
    for path, texts in held.lines.items():
        text = (tree.read(path) or b"").decode("utf-8", "surrogateescape")
        shown = _show_part(path, text, texts, keep_lines=True, only=True)
        if shown:
            found[path] = shown.encode("utf-8", "surrogateescape")
    return trees.DictTree(found)
