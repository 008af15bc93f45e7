"""What keys, tokens and passwords look like, in time that grows with the text and no faster.

Nothing is read before a word or a shape has told of it: hardly any text has one, and reading
costs more than the rest of a hook. Lines are read in windows, and every reading has an end.
"""

from __future__ import annotations

from molt.policy import ranks
from molt.policy.glance import DIGITS, MARKS, classes, kind_of
from molt.policy.secrets import (
    below,
    calls,
    coded,
    codes,
    commands,
    hooks,
    lines,
    logins,
    named,
    numbers,
    places,
    stand_ins,
    vocabulary,
)
from molt.policy.secrets.familiar import Familiar
from molt.policy.secrets.form import WINDOW, SecretForm
from molt.policy.secrets.formats import FORMS, MARKED, SHAPED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Container, Iterator, Sequence

    from molt.policy.secrets.form import Span

    Reader = Callable[[str, str], Iterator[Span]]
    Suspect = tuple[str, "SecretForm | Reader", tuple[str, ...]]
    """A kind, what reads it, and words of which a line must have one, if any."""
    Suspects = tuple[Suspect, ...]
    Found = tuple[int, int, str]
    """Where a secret begins and ends in a line, and what it is."""

is_alphabet, is_counted = stand_ins.is_alphabet, stand_ins.is_counted
is_of_manual = stand_ins.is_of_manual

_LONG = 8 * WINDOW
"""Characters of a line that is read at once; of longer ones each window is read an eighth twice."""
_TOKENS = tuple((word, form) for form in MARKED for word in form.words.split())
_READERS: tuple[tuple[str, Reader, frozenset[str]], ...] = (
    ("password in a URL", lines.find_in_addresses, lines.ADDRESSES),
    ("key in an address", hooks.find_in_paths, hooks.HOOKS),
    ("password in a call", calls.find_in_calls, calls.CALLS),
    ("credentials in a header", lines.find_in_headers, lines.HEADERS),
    ("password", lines.find_in_rows, lines.ROWS),
    ("password", logins.find_in_cells, lines.ADDRESSES),
    ("password in a command", commands.find_in_commands, commands.COMMANDS),
    ("password", named.find_passwords, named.PASSWORDS),
    ("password", named.find_mailed, named.MAILED),
    ("seed of one-time passwords", named.find_grouped, named.GROUPED),
    ("secret", named.find_keys, named.KEYS),
    ("PIN", codes.find_pins, codes.PINS),
    ("code of a lock", codes.find_locks, codes.LOCKS),
    ("recovery code", named.find_codes, named.CODES),
    ("password", logins.find_logins, logins.LOGINS),
    ("seed of a wallet", numbers.find_seeds, numbers.SEEDS),
)


def _find_coded(line: str, _lower: str) -> Iterator[Span]:
    yield from (span for text, span in coded.decode_runs(line) if _find_within(text))


def _find_quoted(line: str, _lower: str) -> Iterator[Span]:
    yield from (span for text, span in coded.decode_percents(line) if _find_within(text))


def _find_joined(line: str, _lower: str) -> Iterator[Span]:
    text, stands = coded.join_pieces(line)
    for start, end, _ in _find_within(text):
        if stands[end - 1] - stands[start] > end - 1 - start:
            yield stands[start], stands[end - 1] + 1


def _find_within(text: str) -> tuple[Found, ...]:
    """The secrets in a text that a line holds in another form, which is undone once: who codes it
    twice would have it undone as often as a line has letters.
    """
    again = (_find_coded, _find_quoted, _find_joined)
    return find(text, tuple(one for one in suspects(text) if one[1] not in again))


_NUMBERS: tuple[tuple[str, Reader, str], ...] = (
    ("card number", numbers.find_cards, DIGITS),
    ("bank account", numbers.find_accounts, "AA00"),
    ("private key of a wallet", numbers.find_wallet_keys, "b" * 51),
    ("secret", numbers.find_random, "b" * 40),
    ("password", logins.find_beside_mail, "w@w"),
    ("password", logins.find_in_sources, "w@w"),
    ("password", logins.find_alone, "p!p"),
    ("secret in another coding", _find_coded, "w" * 40),
    ("secret in another coding", _find_quoted, "%ww"),
    ("secret in pieces", _find_joined, "w**w"),
)
_SHAPES: dict[Reader, str] = {reader: shape for _, reader, shape in _NUMBERS}
WORDS = tuple(dict.fromkeys(word for _, _, told in _READERS for word in sorted(told)))
"""What tells of a secret, in lower case."""
# A colon stands in every message, so that it tells of nothing; it has no part.
_COMMON = tuple(("", word, form) for word, form in _TOKENS if word == ":")
_EVERY = (*WORDS, *(word for form in FORMS for word in form.words.split()))
_parted: list[tuple[str, str, SecretForm]] = []
KNOWN = Familiar(
    dict.fromkeys(word for word, _ in _TOKENS if word != ":"),
    WORDS,
    (
        *((shape, kind_of(shape)) for shape in (*SHAPED, *(form.shape for _, _, form in _COMMON))),
        *((shape, kind_of(shape)) for _, _, shape in _NUMBERS if shape != DIGITS),
    ),
)


def suspects(text: str) -> Suspects:
    """What is worth looking for in the lines of a text; nothing in most texts."""
    if len(text) >= vocabulary.LONG:
        text = vocabulary.fold_digits(text, _EVERY)
        short = vocabulary.condense(text)
        return _list_suspects(text, short, short)
    telling = KNOWN.find_telling(text)
    # Groups of digits go on across the blanks between them.
    if telling or DIGITS.encode() in classes(text, "0"):
        return _list_suspects(text, text, "\n".join(telling))
    return ()


def _list_suspects(text: str, short: str, telling: str) -> Suspects:
    """What a text may hold, from what of it is searched for shapes, and for marks and words."""
    told = _find_told(text, short, telling)
    shapes: dict[str, bytes] = {}
    if short is not text:
        # Of groups of digits the blanks between them are no end.
        shapes["0"] = classes(text, "0")
    found = [*_suspect_forms(short, telling, shapes)]
    found += _list_shaped(short, shapes)
    # What tells of a secret stands in the first part of it, so that here it is known.
    if joints := tuple(joint for joint in coded.JOINTS if joint in text):
        found.append(("secret in pieces", _find_joined, joints))
    for kind, reader, tells in _READERS if told else ():
        if not told.isdisjoint(tells):
            found.append((kind, reader, tuple(told.intersection(tells))))
    for kind, reader, shape in _NUMBERS:
        if _has_shape(shape, short, shapes):
            found.append((kind, reader, ()))
    return tuple(found)


def _find_told(text: str, short: str, telling: str) -> set[str]:
    """Which of the words are in a text; of a long one the search itself looks at parts first."""
    if telling is short:
        return vocabulary.find_words(WORDS, text, short)
    lower, whole = telling.lower(), ""
    found = set()
    for word in KNOWN.find_words(lower):
        whole = whole or text.lower()
        if word in whole:
            found.add(word)
    return found


def suspects_of_binary(data: bytes) -> Suspects:
    """What is worth looking for in the lines of a file that is no text: only what a mark of its
    own tells, for among bytes at random there is all else.
    """
    text = places.condense(data)
    found = (_suspect_forms(text, text, {}, shortest=4), _list_shaped(text, {}, shortest=4))
    return tuple(one for some in found for one in some) if text else ()


def narrow(
    rows: Sequence[str], likely: Suspects, most: int | None = None
) -> Iterator[tuple[int, Suspects]]:
    """The places in `rows`, which hold no line break, of those that may hold what is `likely` in
    all of them, in order, each with what of that; what is found in others is nothing. For each
    thing that is likely so many places `most`.
    """
    signs = [_tell_sign(one) for one in likely]
    rowed = places.find_rows(rows, signs, most).items()
    found = {at: tuple(likely[number] for number in numbered) for at, numbered in rowed}
    told = [pair for at, few in found.items() for pair in below.list_below(rows, at, _readers(few))]
    for at, suspect in told:
        found[at] = (*found.get(at, ()), suspect)
    for at in sorted(found) if told else found:
        yield at, found[at]


def _readers(few: Suspects) -> tuple[object, ...]:
    return tuple(one[1] for one in few)


def _tell_sign(suspect: Suspect) -> places.Sign:
    """What a line has that something is to be found in."""
    _, reader, tells = suspect
    shape = reader.shape if isinstance(reader, SecretForm) else _SHAPES.get(reader, "")
    if shape and not tells:
        return kind_of(shape), (shape,)
    if isinstance(reader, SecretForm):
        return "", tuple(reader.words.split())
    return places.LOWER, tells


def _suspect_forms(
    text: str, telling: str, shapes: dict[str, bytes], *, shortest: int = 1
) -> Iterator[Suspect]:
    """The formats of which a mark, at least so long, is in what tells of it in a text, and the
    shape is in the text.
    """
    parts = {"", *(part for part in MARKS if part in telling)}
    rows = _list_parted() if len(parts) > 1 else _COMMON
    found = [
        form
        for part, word, form in rows
        if part in parts and len(word) >= shortest and word in telling
    ]
    for form in dict.fromkeys(found):
        if _has_shape(form.shape, text, shapes):
            yield form.name, form, ()


def _list_parted() -> Sequence[tuple[str, str, SecretForm]]:
    """Each mark with the part of it that is looked for first. Most processes meet no such part."""
    if not _parted:
        told = [(next((part for part in MARKS if part in row[0]), ""), *row) for row in _TOKENS]
        _parted[:] = told  # at once, for other threads
    return _parted


def _list_shaped(text: str, shapes: dict[str, bytes], *, shortest: int = 0) -> Iterator[Suspect]:
    """The formats of which the shape is in a text, and one of their words, at least so long."""
    for shape, forms in SHAPED.items():
        if _has_shape(shape, text, shapes):
            for form in forms:
                marks = [word for word in form.words.split() if len(word) >= shortest]
                if any(word in text for word in marks) or not (form.words or shortest):
                    yield form.name, form, ()


def _has_shape(shape: str, text: str, shapes: dict[str, bytes]) -> bool:
    if not shape:
        return True
    kind = kind_of(shape)
    if kind not in shapes:
        shapes[kind] = classes(text, kind)
    return shape.encode() in shapes[kind]


def find(line: str, likely: Suspects | None = None) -> tuple[Found, ...]:
    """The secrets in a line, in order, none inside another; `likely` is what its text may hold."""
    if likely is None:
        likely = suspects(line)
    if not likely:
        return ()
    if len(line) <= _LONG:
        return _apart(list(_find(line, likely)))
    found = []
    # What the line may hold is asked once: to ask it of each window takes longer than to read it.
    for at in range(0, max(1, len(line) - WINDOW), _LONG - WINDOW):
        piece = line[at : at + _LONG]
        last = at + len(piece) >= len(line)
        found += [
            (at + start, at + end, kind)
            for start, end, kind in _find(piece, likely)
            if not _is_cut(piece, start, end, first=at == 0, last=last)
        ]
    return _apart(found)


def _is_cut(piece: str, start: int, end: int, *, first: bool, last: bool) -> bool:
    """Whether what stands at the edge of a piece may be a part of something that another piece,
    which overlaps it, holds whole.
    """
    if start == 0 and not first:
        return True
    return end == len(piece) and not last and start >= len(piece) - WINDOW


def _find(line: str, likely: Suspects) -> Iterator[Found]:
    line = places.take_out_escapes(line)
    lower = line.lower()
    if len(lower) != len(line):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in line)
    for kind, reader, tells in likely:
        if isinstance(reader, SecretForm):
            spans = _read(reader, line)
        elif tells and not any(word in lower for word in tells):
            continue
        else:
            spans = reader(line, lower)
        for start, end in spans:
            yield start, end, kind


def _read(form: SecretForm, line: str) -> Iterator[Span]:
    """The tokens of one format in a line."""
    for word in form.words.split() or [""]:
        at = line.find(word)
        while at >= 0:
            end = at + len(word)
            if not word or form.behind or not word[0].isalnum() or _begins(line, at):
                token = _match(form, line, at, end)
                if token:
                    yield from _span(token, word)
                    end = max(end, token.end())
                elif not word:
                    break
            at = line.find(word, end)


def _match(form: SecretForm, line: str, at: int, end: int) -> re.Match[str] | None:
    """A token whose word is at a place, or that is somewhere behind it if it has none."""
    import re

    pattern = re.compile(form.pattern)
    if not form.words:
        return pattern.search(line, at)
    if form.behind:
        return pattern.search(line, max(0, at - form.behind), end + WINDOW // 4)
    return pattern.match(line, at, at + WINDOW)


def _begins(line: str, at: int) -> bool:
    """Whether a word begins at a place; within a picture in base 64 nothing does."""
    if at and line[at - 1].isalnum():
        return False
    return not (at > 40 and line[at - 1] in "+/" and classes(line[at - 41 : at], "b") == b"b" * 41)


def _span(token: re.Match[str], word: str) -> Iterator[Span]:
    group = 1 if token.re.groups else 0
    if not stand_ins.is_filler(token.group(group).removeprefix(word)):
        yield token.span(group)


def _apart(found: list[Found]) -> tuple[Found, ...]:
    """What overlaps made one, by the name found first, which says most; one only told of last."""
    kept: list[tuple[int, int, int]] = []
    found.sort(key=lambda one: ranks.rank_kind(one[2]) == ranks.WARN)
    for number, (start, end, _) in sorted(enumerate(found), key=lambda row: row[1][0]):
        if kept and start < kept[-1][1]:
            first, last, name = kept.pop()
            start, end, number = first, max(last, end), min(number, name)
        kept.append((start, end, number))
    return tuple((start, end, found[name][2]) for start, end, name in kept)


def redact(text: str) -> str:
    """A text with what it gives away replaced by the name of it, but for what is only told of."""
    return redact_counted(text)[0]


def redact_counted(text: str, told: Container[str] = ranks.list_told()) -> tuple[str, int]:
    """A text as `redact` gives it, where some kinds are only `told`, and how much was replaced."""
    # What stands in a block goes with it, and is nothing beside it.
    whole, blocks = _redact_blocks(text)
    likely = suspects(whole)
    rows, others = _redact_lines(whole, likely, told) if likely else (whole, 0)
    return rows, blocks + others


def _redact_lines(text: str, likely: Suspects, told: Container[str]) -> tuple[str, int]:
    rows, count = text.split("\n"), 0
    for at, few in tuple(narrow(rows, likely)):
        line, parts, last = rows[at], [], 0
        for start, end, kind in find(line, few):
            if kind not in told:
                parts += [line[last:start], f"[{kind}]"]
                last = end
                count += 1
        rows[at] = "".join((*parts, line[last:]))
    return "\n".join(rows), count


_BLOCK, _BEGIN, _END = "private key", "-----BEGIN ", "-----END "


def _redact_blocks(text: str) -> tuple[str, int]:
    """A text without the private keys that stand between two lines of hyphens, and how many."""
    parts, last, count = [], 0, 0
    at = text.find(_BEGIN)
    while at >= 0:
        head = text[at : at + 64].partition("\n")[0]
        stop = at + len(_BEGIN)
        if "PRIVATE KEY" in head:
            closing = text.find(_END, at)
            stop = text.find("-----", closing + len(_END)) + 5 if closing >= 0 else len(text)
            stop = stop if stop > 4 else len(text)
            parts += [text[last:at], f"[{_BLOCK}]"]
            last = stop
            count += 1
        at = text.find(_BEGIN, stop)
    return "".join((*parts, text[last:])), count
