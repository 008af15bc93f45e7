"""Three versions of a list of lines: what each side changed, and where both did."""

from __future__ import annotations

from molt.formats import lines as textlines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Lines = tuple[str, ...]
    Piece = tuple[Lines, Lines, Lines]
    """A stretch as base, ours and theirs have it."""
    Range = tuple[int, int, int, int]

MARK = 7
"""How many characters the markers of a conflict have, unless git is told otherwise."""

# Anchors nest seldom; text that is made to nest them deeper gets coarser pieces, and no more work.
_DEEPEST = 40
# Lines that are nowhere unique are compared each with each, up to so many pairs.
_PAIRS = 4096


def cut_pieces(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[Piece]:
    """The three versions cut where all have the same lines: in turn a stretch that all share and
    one in which any differ. A stretch that would be empty is left out.
    """
    here, there = _match_lines(base, ours), _match_lines(base, theirs)
    b = o = t = 0
    same: list[str] = []
    for at, line in enumerate(base):
        mine, yours = here[at], there[at]
        if mine < 0 or yours < 0:
            continue
        if (at, mine, yours) != (b, o, t):
            if same:
                yield _share_piece(same)
                same = []
            yield tuple(base[b:at]), tuple(ours[o:mine]), tuple(theirs[t:yours])
        same.append(line)
        b, o, t = at + 1, mine + 1, yours + 1
    if same:
        yield _share_piece(same)
    rest = (tuple(base[b:]), tuple(ours[o:]), tuple(theirs[t:]))
    if any(rest):
        yield rest


def _share_piece(lines: list[str]) -> Piece:
    kept = tuple(lines)
    return kept, kept, kept


def choose_side(base: object, ours: object, theirs: object) -> int:
    """Which version of a thing stands: 1 for ours, 2 for theirs, 0 where both changed it in their
    own way.
    """
    if theirs in (ours, base):
        return 1
    return 2 if ours == base else 0


def merge_lines(
    base: Sequence[str],
    ours: Sequence[str],
    theirs: Sequence[str],
    *,
    settle: Callable[[Piece], Sequence[str]],
) -> list[str]:
    """The lines with the changes of both sides; `settle` gives those of a piece that both changed
    in their own way.
    """
    merged: list[str] = []
    for piece in cut_pieces(base, ours, theirs):
        side = choose_side(*piece)
        merged += piece[side] if side else settle(piece)
    return merged


def mark_conflict(ours: Sequence[str], theirs: Sequence[str], mark: int = MARK) -> list[str]:
    """The lines of both sides between the markers that git uses, all of them ended; the blank ones
    that both end in stand below.
    """
    blank = 0
    while blank < min(len(ours), len(theirs)) and not ours[-1 - blank].strip():
        if ours[-1 - blank] != theirs[-1 - blank]:
            break
        blank += 1
    after = list(ours[len(ours) - blank :])
    ours, theirs = ours[: len(ours) - blank], theirs[: len(theirs) - blank]
    end = next(("\r\n" for line in (*ours, *theirs) if line.endswith("\r\n")), "\n")
    return [
        *(f"{'<' * mark} ours{end}", *_end_lines(ours, end), f"{'=' * mark}{end}"),
        *(*_end_lines(theirs, end), f"{'>' * mark} theirs{end}", *after),
    ]


def _end_lines(lines: Sequence[str], end: str) -> list[str]:
    return [line if line.endswith("\n") else line + end for line in lines]


def match_ends(text: str, model: str) -> str:
    """A text with the line ends of another one, where that has one kind only."""
    plain = text.replace("\r\n", "\n")
    if textlines.detect_newline(model) == "\n":
        return plain if "\r\n" not in model else text
    whole = model.count("\r\n") == model.count("\n")
    return plain.replace("\n", "\r\n") if whole else text


def _match_lines(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """For each old line the place of its partner among the new ones, in order; -1 for none.

    Patience diff (Bram Cohen): lines that are unique on both sides are partners, as far as their
    order goes, and what is between two of them is compared in the same way.
    """
    found = [-1] * len(old)
    work: list[tuple[Range, int]] = [((0, len(old), 0, len(new)), 0)]
    while work:
        (a, a_end, b, b_end), depth = work.pop()
        while a < a_end and b < b_end and old[a] == new[b]:
            found[a] = b
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and old[a_end - 1] == new[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            found[a_end] = b_end
        if a == a_end or b == b_end:
            continue
        anchors = _find_anchors(old, new, (a, a_end, b, b_end)) if depth < _DEEPEST else []
        if not anchors:
            _match_repeated(old, new, (a, a_end, b, b_end), found)
            continue
        for mine, yours in anchors:
            work.append(((a, mine, b, yours), depth + 1))
            found[mine] = yours
            a, b = mine + 1, yours + 1
        work.append(((a, a_end, b, b_end), depth + 1))
    return found


def _find_anchors(old: Sequence[str], new: Sequence[str], within: Range) -> list[tuple[int, int]]:
    """The lines that are unique on both sides, the most that stand in the same order on both."""
    a, a_end, b, b_end = within
    places: dict[str, int] = {}
    for at in range(a, a_end):
        places[old[at]] = -1 if old[at] in places else at
    others: dict[str, int] = {}
    for at in range(b, b_end):
        others[new[at]] = -1 if new[at] in others else at
    pairs = [
        (at, others[line]) for line, at in places.items() if at >= 0 and others.get(line, -1) >= 0
    ]
    return _find_rising(sorted(pairs))


def _find_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, in their order, whose second numbers rise."""
    from bisect import bisect_left

    ends: list[int] = []
    last: list[int] = []
    before = [-1] * len(pairs)
    for at, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before[at] = last[length - 1] if length else -1
        if length == len(ends):
            ends.append(place)
            last.append(at)
        else:
            ends[length], last[length] = place, at
    run: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]


def _match_repeated(
    old: Sequence[str], new: Sequence[str], within: Range, found: list[int]
) -> None:
    """Partners among lines of which none is unique, by the longest common subsequence; none where
    that would take too long.
    """
    a, a_end, b, b_end = within
    wide, high = a_end - a, b_end - b
    if wide * high > _PAIRS:
        return
    best = [[0] * (high + 1) for _ in range(wide + 1)]
    for i in range(wide - 1, -1, -1):
        for j in range(high - 1, -1, -1):
            same = old[a + i] == new[b + j]
            best[i][j] = best[i + 1][j + 1] + 1 if same else max(best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < wide and j < high:
        if old[a + i] == new[b + j]:
            found[a + i] = b + j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
