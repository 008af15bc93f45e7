"""Which commit changed the answer to a question: asked at commits, halving what is left."""

from __future__ import annotations

import contextlib

from molt import errors, trees
from molt.formats import ids
from molt.formats import message as messages
from molt.memory.reflect.questions import ask
from molt.memory.reflect.questions.ask import Asking
from molt.memory.reflect.questions.gate import Comparison
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.formats.meta.questions import GoldenQuestion
    from molt.memory.reflect.questions.ask import GoldenAnswer
    from molt.memory.workspace import Workspace

HEAD = "HEAD"
_MOST = 200
"""Commits that are asked one by one where halving finds none: some seconds."""


class BisectRange(Value):
    """Between which commits is looked: `bad` does not answer, and `good`, which comes before it,
    does; empty for one that has to be found.
    """

    bad: str = HEAD
    good: str = ""


class Culprit(Value):
    """The commit that changed an answer: its subject and actor, the files that it changed, the
    answers of the commit before and of its own, how many commits were asked, and the merge that
    brought it; empty where it stands on the line itself.
    """

    commit: str
    subject: str
    actor: str
    files: tuple[str, ...]
    parent: str
    answers: Comparison
    asked: int
    merge: str = ""

    @property
    def memories(self) -> tuple[str, ...]:
        """The memories that had what is lost; `molt why` tells their stories."""
        ranks = dict(self.answers.before.ranks)
        found = (self.answers.before.results[ranks[part] - 1].id for part in self.answers.lost)
        return tuple(dict.fromkeys(found))


def bisect_question(
    ws: Workspace, question: GoldenQuestion, limits: BisectRange, asking: Asking
) -> Culprit:
    """The commit of the line of first parents from which on a question is not answered. All are
    asked as of one second, so that nothing fades on the way; no file, index or ref changes.

    Raises Usage where the bad commit answers it, or the good one does not, and NotFound where no
    commit answers it, for one that is no revision, or where only time has taken the answer.
    """
    search = _AskedCommits(ws, question, asking)
    bad = ws.repo.resolve(limits.bad)
    _require_bad(search, bad)
    line = _list_line(ws, bad, limits.good)
    if limits.good:
        good = ws.repo.resolve(limits.good)
        if not search.ask(good).passed:
            said = f"{good[:10]} does not answer it either"
            raise errors.Usage(said, "give an older one, or none: one that does is looked for")
        line.append(good)
    bad, good = _halve(search, line, *_find_good(search, line))
    side = _list_side(search, bad)
    if not side:
        return search.make_culprit(bad, good)
    found = search.make_culprit(*_halve(search, side, 0, len(side) - 1))
    return found.replace(merge=bad)


def _halve(search: _AskedCommits, line: Sequence[str], bad: int, good: int) -> tuple[str, str]:
    """Two commits beside each other, of which the newer does not answer and the older does, between
    places of a line of which that is true.
    """
    while good - bad > 1:
        middle = (bad + good) // 2
        if search.ask(line[middle]).passed:
            good = middle
        else:
            bad = middle
    return line[bad], line[good]


def _list_side(search: _AskedCommits, merge: str) -> list[str]:
    """What a merge brings, newest first, and the commit that it began at, such as the operations of
    a reflection; empty where they do not tell which of them it was.
    """
    repo = search.ws.repo
    ours, *theirs = repo.run("rev-list", "--parents", "-1", merge, "--").split()[1:]
    if len(theirs) != 1:
        return []
    side = repo.run("rev-list", "--first-parent", theirs[0], f"^{ours}", "--").split()
    if not side or search.ask(side[0]).passed:
        return []
    begin = repo.run("rev-list", "--parents", "-1", side[-1], "--").split()[1:2]
    return [*side, *begin] if begin and search.ask(begin[0]).passed else []


def _list_line(ws: Workspace, bad: str, good: str) -> list[str]:
    """The commits from the bad one back, along first parents, newest first."""
    stop = (f"^{ws.repo.resolve(good)}",) if good else ()
    line = ws.repo.run("rev-list", "--first-parent", bad, *stop, "--").split()
    if not line:
        raise errors.Usage("the good commit holds the bad one", "`--good` is the older one")
    return line


def _require_bad(search: _AskedCommits, bad: str) -> None:
    if not search.ask(bad).passed:
        return
    if bad == search.ws.repo.tip() and not search.ask_files().passed:
        said = "HEAD answers it, and the files on disk do not"
        raise errors.Usage(said, "`git diff` shows what is not committed")
    said = f"{bad[:10]} answers it: nothing is wrong there"
    raise errors.Usage(said, "`--bad REV` names a commit that does not")


def _find_good(search: _AskedCommits, line: Sequence[str]) -> tuple[int, int]:
    """The places of a commit that does not answer, and of an older one that does. Raises NotFound.

    Each time twice as far back; what was known for a short time is between two of these, so then
    the commits that wrote the answer or took it away, and those before them.
    """
    bad, step = 0, 1
    while bad < len(line) - 1:
        place = min(bad + step, len(line) - 1)
        if search.ask(line[place]).passed:
            return bad, place
        bad, step = place, step * 2
    for place in search.list_likely(line):
        if search.ask(line[place]).passed:
            return 0, place
    if search.ask_faded(line[0]).passed:
        said = "no commit took the answer away: the memory has faded"
        hint = "`molt search --archived` shows it; `molt touch ID` or `molt pin ID` brings it back"
        raise errors.NotFound(said, hint)
    said = f"none of {len(search.known):,} commits that were asked answers it"
    raise errors.NotFound(said, "`--good REV` names one that does")


class _AskedCommits:
    """Asks commits one question, each once."""

    def __init__(self, ws: Workspace, question: GoldenQuestion, asking: Asking) -> None:
        self.ws = ws
        self.question = question
        self.asking = asking
        self.known: dict[str, GoldenAnswer] = {}

    def ask(self, commit: str) -> GoldenAnswer:
        """The answer of a commit."""
        if commit not in self.known:
            at = ask.find_moment(self.ws, commit, self.asking.now)
            self.known[commit] = self._ask_once(self.asking.replace(at=at))
        return self.known[commit]

    def ask_faded(self, commit: str) -> GoldenAnswer:
        """The answer of a commit, with what has faded by now."""
        at = ask.find_moment(self.ws, commit, self.asking.now)
        return self._ask_once(self.asking.replace(at=at, faded=True))

    def ask_files(self) -> GoldenAnswer:
        """The answer of the files on disk."""
        return self._ask_once(self.asking.replace(at=None))

    def list_likely(self, line: Sequence[str]) -> list[int]:
        """The places of commits that may be the last or the first to answer, newest first: those
        that change how often a word of the answer stands in files, or the file of a memory, and
        those before them.
        """
        log = ("log", "--first-parent", "--format=%H", line[0])
        found: set[str] = set()
        for words in self.question.expect:
            longest = max(words.split(), key=len)
            found.update(self.ws.repo.run(*log, "-i", f"-S{longest}", "--").split())
        for memory in self.question.memories:
            with contextlib.suppress(ValueError):
                path = f":(top,literal){ids.path_of(memory)}"
                found.update(self.ws.repo.run(*log, "--", path).split())
        changed = [place for place, commit in enumerate(line) if commit in found]
        places = dict.fromkeys(near for place in changed for near in (place, place + 1))
        return [place for place in places if place < len(line)][:_MOST]

    def _ask_once(self, asking: Asking) -> GoldenAnswer:
        return ask.ask_questions(self.ws, (self.question,), asking)[0]

    def make_culprit(self, bad: str, good: str) -> Culprit:
        """What is told of the commit that does not answer, next to one that does."""
        repo = self.ws.repo
        text = repo.run("log", "-1", "--format=%B", bad, "--")
        changes = trees.diff(repo.tree(good), repo.tree(bad))
        return Culprit(
            commit=bad,
            subject=text.partition("\n")[0],
            actor=messages.actor(messages.parse(text)),
            files=tuple(one.path for one in changes),
            parent=good,
            answers=Comparison(self.question, self.ask(good), self.ask(bad)),
            asked=len(self.known),
        )
