"""Golden questions asked of the memory as it is, was, or would be."""

from __future__ import annotations

from molt import trees
from molt.index.content import signs
from molt.memory.graph import graph, resolve
from molt.memory.search import at as past
from molt.memory.search import search
from molt.memory.search.visible import Sight
from molt.normal import normalize
from molt.repo.objects import GitTree
from molt.repo.write.loose import Loose
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from molt.formats.meta.questions import GoldenQuestion
    from molt.memory.search.at import Moment
    from molt.memory.search.search import Result
    from molt.memory.workspace import Workspace
    from molt.trees import Edits, Tree

_STRUCK = "~~"
_BOOKS = "memory/meta/"
"""What tells of the memory is none: the log of reflections names what a reflection took away."""
_SPARE = 10
"""Results beside those that are wanted, of which some may be of the books."""


class Asking(Value):
    """When golden questions are asked: the second that is now, the day that "last week" counts
    from (empty for the newest memory's), and of what (None for the files on disk).
    """

    now: float
    day: str = ""
    at: Moment | None = None


class GoldenResult(Value):
    """A result, as far as people are shown it: its memory, where it stands, its first words."""

    id: str
    citation: str
    text: str


class GoldenAnswer(Value):
    """How a question was answered: each part of its answer (words, or the id of a memory) with
    the result, from 1, that has it first; 0 for none. Those results; and for each part the line
    that says it, of one that no result has the line that says it struck through, or nothing.
    """

    question: GoldenQuestion
    ranks: tuple[tuple[str, int], ...]
    results: tuple[GoldenResult, ...]
    said: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts of the answer that no result has."""
        return tuple(part for part, rank in self.ranks if not rank)

    @property
    def passed(self) -> bool:
        """Whether all of the answer was found."""
        return not self.missing

    @property
    def rank(self) -> int:
        """The result with which the answer is complete; 0 where it is not."""
        return 0 if self.missing else max((rank for _, rank in self.ranks), default=0)


def ask_questions(
    ws: Workspace, questions: Iterable[GoldenQuestion], asking: Asking
) -> tuple[GoldenAnswer, ...]:
    """The answers to some questions, in their order. Raises what `search.search` raises."""
    tree = ws.files() if asking.at is None else ws.repo.tree(asking.at.tree)
    asker = _Asker(ws, tree, asking)
    return tuple(asker.ask(one) for one in questions)


class _Asker:
    """Asks one tree."""

    def __init__(self, ws: Workspace, tree: Tree, asking: Asking) -> None:
        self.ws = ws
        self.tree = tree
        self.asking = asking

    def ask(self, one: GoldenQuestion) -> GoldenAnswer:
        """The answer to a question."""
        found = [result for result in self._search(one) if not result.path.startswith(_BOOKS)]
        found = found[: one.k]
        texts = [self._read_result(result) for result in found]
        said = list(map(fold_text, texts))
        ranks = [
            (part, _find_first(holds_words(text, part) for text in said)) for part in one.expect
        ]
        for memory in one.memories:
            wanted = (memory, self._follow_memory(memory))
            ranks.append((memory, _find_first(got.id in wanted for got in found)))
        shown = tuple(map(_show_result, found))
        lines = tuple(_find_line(texts, part) for part, _ in ranks)
        return GoldenAnswer(one, tuple(ranks), shown, lines)

    def _search(self, one: GoldenQuestion) -> tuple[Result, ...]:
        day = self.asking.day
        options = search.SearchOptions(
            limit=one.k + _SPARE,
            sight=Sight(self.asking.now),
            today=(lambda: day) if day else None,
            at=self.asking.at,
        )
        return search.search(self.ws, one.question, options).results

    def _read_result(self, result: Result) -> str:
        """All that a result says: the snippet of a long one is cut."""
        if len(result.snippet) < search.SNIPPET:
            return result.snippet
        rows = trees.read_text(self.tree, result.path).split("\n")
        return "\n".join(rows[result.start_line - 1 : result.end_line])

    def _follow_memory(self, memory: str) -> str:
        """The memory that one is now, where it is an entity that was merged into another."""
        stem = memory.removeprefix("entity:")
        path = f"memory/graph/entities/{stem}.md"
        if stem == memory or self.tree.entry(path) is not None:
            return memory
        found = resolve.resolve_entity(graph.load(self.tree, self.ws.repo.cache), stem)
        return f"entity:{found}" if found else memory


def _find_first(fits: Iterable[bool]) -> int:
    """The number, from 1, of the first that fits; 0 for none."""
    return next((number for number, one in enumerate(fits, 1) if one), 0)


def _find_line(texts: Iterable[str], words: str) -> str:
    """The first line that says some words, or else the first that says them struck through."""
    rows = [row.strip() for text in texts for row in text.split("\n")]
    said = (row for row in rows if holds_words(fold_text(row), words))
    struck = (row for row in rows if holds_words(fold_text(row.replace(_STRUCK, " ")), words))
    return next(said, "") or next(struck, "")


def _show_result(one: Result) -> GoldenResult:
    return GoldenResult(one.id, one.citation, " ".join(one.snippet.split())[:160])


def fold_text(text: str) -> str:
    """A text as answers are looked for in it: without case, forms of letters and spacing, and
    without what is struck through, which is what the memory no longer believes.
    """
    kept = "\n".join(map(_drop_struck, text.split("\n"))) if _STRUCK in text else text
    return " ".join(normalize("NFKC", kept).casefold().split())


def _drop_struck(row: str) -> str:
    parts = row.split(_STRUCK)
    # What is opened and not closed is no strike.
    return " ".join(parts[::2]) if len(parts) % 2 else row


def holds_words(folded: str, words: str) -> bool:
    """Whether a folded text has some words, not as a part of longer ones: `4` is not in `42`.

    Scripts without spaces between words have no ends of words.
    """
    wanted = fold_text(words)
    at = folded.find(wanted)
    while wanted and at >= 0:
        end = at + len(wanted)
        before, after = folded[max(at - 1, 0) : at], folded[end : end + 1]
        if not _goes_on(before, wanted[0]) and not _goes_on(wanted[-1], after):
            return True
        at = folded.find(wanted, at + 1)
    return False


def _goes_on(left: str, right: str) -> bool:
    """Whether two characters beside each other are of one word."""
    if not (left.isalnum() and right.isalnum()):
        return False
    return not (signs.has_unspaced(left) or signs.has_unspaced(right))


def find_moment(ws: Workspace, side: Tree | str, now: float) -> Moment:
    """What is asked where a side is a revision, or a tree that no branch has yet: that is written
    as objects, to which nothing refers, and no branch, index or file changes.

    Raises NotFound for what is no revision.
    """
    if isinstance(side, str):
        found = past.find_moment(ws.repo, side, None, now)
        return found.replace(now=now)
    edits: Edits = {}
    base = side
    while isinstance(base, trees.Overlay):
        edits = {**base.edits, **edits}
        base = base.base
    with Loose(ws.repo) as objects:
        oid = objects.tree(_require_committed(base), edits)
        objects.store()
    return past.Moment("", oid, now)


def _require_committed(tree: Tree) -> GitTree:
    if not isinstance(tree, GitTree):
        raise TypeError(f"{type(tree).__name__} is no tree of git")
    return tree
