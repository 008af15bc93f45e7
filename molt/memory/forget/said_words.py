"""Whether a line says all words of a text, in whatever case and order, and which files may."""

from __future__ import annotations

from molt.formats import paths
from molt.formats.lines import BOM
from molt.index.content import words
from molt.normal import normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import AnyStr

    # The path and bytes of a file with small letters for capitals of ASCII, and its signs beyond
    # ASCII; None for a file that may say something otherwise than it stands.
    Condensed = tuple[bytes | None, str]
    # Gives the paths of some files.
    Chooser = Callable[[Mapping[str, Condensed]], list[str]]

# What its bytes are in UTF-8, and no others' bytes hold.
_ASCII = bytes(range(128))
_FENCE = f"{BOM}---".encode()
_KINDS = frozenset(store.kind for store in paths.STORES)


def make_line_test(text: str) -> Callable[[str], bool]:
    """Whether a line says all words of a text, in whatever case and order."""
    terms = [fold_text(term) for term in words.split_terms(text)]
    phrase = fold_text(text.strip())

    def test(row: str) -> bool:
        said = fold_text(row)
        return _says(said, phrase) or (bool(terms) and all(_says(said, term) for term in terms))

    return test


def fold_text(text: str) -> str:
    """A text in one form of its letters and spaces."""
    return " ".join(words.fold_text(text).casefold().split())


def _says(said: str, part: str) -> bool:
    """Whether a text has a part, whose ends are ends of words."""
    at = said.find(part)
    while at >= 0:
        before, after = said[at - 1 : at], said[at + len(part) : at + len(part) + 1]
        if not (_joins(before, part[:1]) or _joins(part[-1:], after)):
            return True
        at = said.find(part, at + 1)
    return False


def _joins(one: str, other: str) -> bool:
    """Whether two signs are of one word."""
    return one.isascii() and other.isascii() and one.isalnum() and other.isalnum()


def condense_file(path: str, data: bytes) -> Condensed:
    """What tells whether a file may say something."""
    said = b"%s %s" % (path.encode("utf-8", "surrogateescape"), data)
    signs = "" if said.isascii() else "".join(_list_signs(said))
    return None if _has_escape(data) else said.lower(), signs


def make_chooser(text: str) -> Chooser | None:
    """What chooses files that may have what says all words of a text: to take all files of a large
    memory apart takes ten times as long as to look for the words in them. None for what may be an
    id, which its file need not say.
    """
    if _may_be_id(text):
        return None
    sought = _list_sought(text)
    plain = [[part.encode("utf-8", "replace") for part in parts] for parts in sought]
    stands_for = _make_sign_test("".join(part for parts in sought for part in parts))

    def choose(files: Mapping[str, Condensed]) -> list[str]:
        found: list[str] = []
        others: dict[str, tuple[bytes, str]] = {}
        for path, (said, signs) in files.items():
            if said is None or _has_row(said, plain):
                found.append(path)
            elif signs:
                others[path] = (said, signs)
        # Most have signs beyond ASCII, and of all of these none that stands for what is sought.
        if any(map(stands_for, frozenset().union(*(signs for _, signs in others.values())))):
            found += (
                path
                for path, (said, signs) in others.items()
                if any(map(stands_for, signs)) and _has_row(_fold_bytes(said), sought)
            )
        return found

    return choose


def _may_be_id(text: str) -> bool:
    """Whether a text may be the id of a memory, or of a part of a file."""
    kind, colon, rest = text.strip().partition(":")
    if colon and kind in _KINDS:
        return len(rest.split()) == 1
    return "#" in text and paths.kind_of(text.strip().rpartition("#")[0]) != "other"


def _fold_bytes(said: bytes) -> str:
    return words.fold_text(said.decode("utf-8", "replace")).casefold()


def _list_sought(text: str) -> list[tuple[str, ...]]:
    """What a file has that says a text: all parts of one of these rows. The first part of each is
    the longest, and most likely the rarest.
    """
    every = (fold_text(text).split(), [fold_text(term) for term in words.split_terms(text)])
    rows = {tuple(sorted(parts, key=len, reverse=True)) for parts in every if parts}
    kept: list[tuple[str, ...]] = []
    for row in sorted(rows, key=len):
        # What has all parts of it has those of another, which is looked for anyway.
        if not any(_implies(row, one) for one in kept):
            kept.append(row)
    return kept


def _implies(row: Sequence[str], other: Sequence[str]) -> bool:
    return all(any(part in one for one in row) for part in other)


def _has_row(said: AnyStr, sought: Iterable[Iterable[AnyStr]]) -> bool:
    """Whether a text has all parts of one of some rows."""
    for parts in sought:
        for part in parts:
            if part not in said:
                break
        else:
            return True
    return False


def _list_signs(said: bytes) -> frozenset[str]:
    """The signs beyond ASCII of a text in UTF-8."""
    return frozenset(said.translate(None, _ASCII).decode("utf-8", "replace"))


def _has_escape(data: bytes) -> bool:
    """Whether the front matter of a file says what YAML reads otherwise than it stands."""
    if b"---" not in data[: len(_FENCE)]:
        return False
    end = data.find(b"\n---")
    head = data if end < 0 else data[:end]
    return b"\\" in head or b"''" in head


def _make_sign_test(sought: str) -> Callable[[str], bool]:
    """Whether a sign that is not ASCII may be of one that is sought once it is folded, or stand
    between two of them and be nothing.
    """
    known: dict[str, bool] = {}
    letters, parts = frozenset(sought), _list_parts(sought)

    def stands_for(sign: str) -> bool:
        if sign not in known:
            folded = words.fold_text(sign).casefold()
            shared = letters.intersection(folded) or parts.intersection(_list_parts(sign))
            known[sign] = not folded or bool(shared)
        return known[sign]

    return stands_for


def _list_parts(text: str) -> frozenset[str]:
    """What the signs of a text may be put together from, but for letters of ASCII."""
    if text.isascii():
        return frozenset()
    return frozenset(part for part in normalize("NFKD", text) if not part.isascii())
