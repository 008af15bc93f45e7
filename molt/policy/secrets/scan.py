"""Search lines for the formats of the table, and for `NAME [=:] VALUE`.

Nothing is compiled before its prefix is in the text, each match reads a bounded window, and a long
line is read in windows that overlap: the time grows with the text alone.
"""

from __future__ import annotations

from molt.policy import letters
from molt.policy.secrets import checksums, patterns, prefilter, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from molt.policy.secrets import Match
    from molt.policy.secrets.patterns import SecretFormat

    Candidates = tuple[SecretFormat, ...]

MARKED = 4
"""The shortest prefix that says something among random bytes."""
_LONG = 8 * patterns.WINDOW
"""Characters of a line that are searched at once."""
_CHUNK = 4096
"""About so many characters of a text are asked together whether they can hold a secret."""
_TELLING = 6
"""Characters of a value from which on it may be a placeholder; a mere header has fewer."""
_FILLED = 41
"""So many characters of base64 before a prefix make it a part of a picture."""
_VALUES = r"""[\w-]{0,30}["'`*\])]{0,4}\s{0,4}(?:=>|:=|={1,2}|:|：)\s{0,4}["'`*]{0,4}\s?["'`]?"""
_VALUE = r"""([^\s"'`<>,;|()\[\]{}、。，；：]{8,200})"""
_assigned: list[re.Pattern[str]] = []


def find(line: str) -> tuple[Match, ...]:
    """Return the secrets of a line, in order, without overlaps."""
    return _find(line, _list_candidates(prefilter.drop_ignorable(line)), asks=True)


def search(
    text: str, *, least_prefix: int = 0, asks: bool = True
) -> Iterator[tuple[int, tuple[Match, ...]]]:
    """Yield the rows of a text that hold secrets, by their numbers from 0, with the matches.

    With a `least_prefix` only formats that have one so long count; without `asks` only formats.
    """
    rows = text.split("\n")
    for first, end in _cut_chunks(rows):
        joined = "\n".join(rows[first:end])
        if not prefilter.may_contain_secret(joined):
            continue
        candidates = _list_candidates(prefilter.drop_ignorable(joined), least_prefix)
        for at in range(first, end):
            if matches := _find(rows[at], candidates, asks=asks and not least_prefix):
                yield at, matches


def _cut_chunks(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where groups of rows of some length begin and end."""
    first, size = 0, 0
    for at, row in enumerate(rows, 1):
        size += len(row)
        if size >= _CHUNK or at == len(rows):
            yield first, at
            first, size = at, 0


def _list_candidates(text: str, least_prefix: int = 0) -> Candidates:
    """Return the formats of which a prefix, at least so long, is in a text, or the shape is."""
    found = []
    data = text.encode("ascii", "replace")
    runs = not least_prefix and prefilter.has_long_run(data)
    numbers = not least_prefix and prefilter.has_number(data)
    for form in patterns.load_formats():
        if form.prefixes:
            for prefix in form.prefixes:
                if len(prefix) >= least_prefix and prefix in text:
                    found.append(form)
                    break
        elif numbers if form.name in _NUMBERS else runs:
            found.append(form)
    return tuple(found)


_NUMBERS = frozenset(("card number", "bank account"))


def _find(line: str, candidates: Candidates, *, asks: bool) -> tuple[Match, ...]:
    plain = prefilter.drop_ignorable(line)
    asks = asks and prefilter.has_assignment(plain)
    if not candidates and not asks:
        return ()
    matches: list[Match] = []
    for at in range(0, max(1, len(plain) - patterns.WINDOW), _LONG - patterns.WINDOW):
        piece = plain[at : at + _LONG]
        last = at + len(piece) >= len(plain)
        for start, end, kind in _find_in_piece(piece, candidates, asks=asks):
            # What is cut by an edge is whole in the piece beside it.
            cut = (start == 0 and at) or (end == len(piece) and not last)
            if not cut:
                matches.append((at + start, at + end, kind))
    joined = _join_overlaps(matches)
    return joined if plain is line else _place_in_line(line, joined)


def _place_in_line(line: str, matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Return the matches where they are in a line with characters that no reader sees."""
    places = [at for at, char in enumerate(line) if char not in letters.IGNORABLE]
    return tuple((places[start], places[end - 1] + 1, kind) for start, end, kind in matches)


def _find_in_piece(piece: str, candidates: Candidates, *, asks: bool) -> Iterator[Match]:
    if "\\" in piece:
        piece = _blank_escapes(piece)
    for form in candidates:
        yield from _find_format(form, piece)
    if asks:
        yield from _find_assigned(piece)


def _blank_escapes(piece: str) -> str:
    """Return a line of JSON or a program with its escapes as blanks, at the same places."""
    import re

    return re.sub(r"\\[nrtbf]|\\u[0-9a-fA-F]{4}", lambda escape: " " * len(escape[0]), piece)


def _find_format(form: SecretFormat, piece: str) -> Iterator[Match]:
    import re

    prefixes = form.prefixes
    if prefixes and not any(map(piece.__contains__, prefixes)):
        return
    pattern = re.compile(form.pattern)
    check = checksums.CHECKS.get(form.check)
    for match in pattern.finditer(piece):
        group = "secret" if "secret" in pattern.groupindex else min(pattern.groups, 1)
        start, end = match.span(group)
        value = piece[start:end]
        told = next(filter(match[0].startswith, prefixes), "")
        if told[:1].isalnum() and not _begins_at(piece, match.start()):
            continue
        bare = value.removeprefix(told)
        shown = (group or len(bare) >= _TELLING) and values.is_placeholder(bare)
        # Words that hyphens join are a name: `BSA-to-implementation-layer`.
        shown = shown or (not group and values.is_words(bare)) or values.is_public_token(value)
        if not shown and (check is None or check(match)):
            yield start, end, form.name


def _begins_at(piece: str, at: int) -> bool:
    """Return whether a word begins at a place; inside a picture in base64 none does."""
    before = piece[at - 1 : at]
    if before.isalnum():
        return False
    run = piece[max(0, at - _FILLED) : at]
    return not (before in ("+", "/") and len(run) == _FILLED and _is_base64(run))


def _is_base64(run: str) -> bool:
    return run.isascii() and run.replace("+", "").replace("/", "").isalnum()


def _find_assigned(piece: str) -> Iterator[Match]:
    """Yield the values that a name of a password or key announces, if they look like one."""
    if not _assigned:
        import re

        names = "|".join(map(re.escape, prefilter.NAMES))
        _assigned.append(re.compile(f"({names}){_VALUES}{_VALUE}", re.IGNORECASE))
    for match in _assigned[0].finditer(piece):
        start, end = match.span(2)
        value = piece[start:end].rstrip(".,*_")
        behind = piece[start + len(value) : end + 3]
        if behind.startswith(("...", "…")) or piece[end : end + 1] in ("(", "["):
            continue
        chosen = match[1].lower() in prefilter.PASSWORDS
        test = values.is_password if chosen else values.is_random
        shown = values.is_placeholder(value) or values.is_public_token(value)
        if test(value) and not shown:
            yield start, start + len(value), "password" if chosen else "secret"


def _join_overlaps(matches: list[Match]) -> tuple[Match, ...]:
    """Return matches in order; what overlaps is one, under the name that was found first."""
    kept: list[tuple[int, int, int]] = []
    for rank, (start, end, _) in sorted(enumerate(matches), key=lambda row: row[1][:2]):
        if kept and start < kept[-1][1]:
            first, last, name = kept.pop()
            start, end, rank = first, max(last, end), min(rank, name)
        kept.append((start, end, rank))
    return tuple((start, end, matches[rank][2]) for start, end, rank in kept)
