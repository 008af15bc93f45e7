"""Golden questions kept: added, removed, and run."""

from __future__ import annotations

from molt import errors, trees
from molt.formats import ids, paths
from molt.formats import message as messages
from molt.formats.meta import questions as question_file
from molt.memory import inventory, shown
from molt.memory.reflect.questions import ask
from molt.repo.write.plan import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.formats.meta.questions import GoldenQuestion, QuestionFile
    from molt.memory.reflect.questions.ask import Asking, GoldenAnswer
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

_MEND = f"mend {paths.QUESTIONS}; it is a list of `question` and `expect`"


def list_questions(ws: Workspace) -> QuestionFile:
    """The golden questions on disk. Raises Failed where the file cannot be read."""
    found = question_file.parse_questions(shown.read_text(ws, paths.QUESTIONS))
    if found.broken:
        raise errors.Failed(f"{paths.QUESTIONS}: {found.broken}", _MEND)
    return found


def run_questions(
    ws: Workspace, named: Sequence[str], tags: Sequence[str], asking: Asking
) -> tuple[GoldenAnswer, ...]:
    """The answers to the golden questions on disk, or to those of some ids or tags.

    Raises NotFound for an id that none has, and what `list_questions` and a search raise.
    """
    every = list_questions(ws).questions
    for name in named:
        require_question(every, name)
    chosen = [
        one
        for one in every
        if (not named or one.id in named) and (not tags or set(tags) & set(one.tags))
    ]
    return ask.ask_questions(ws, chosen, asking)


def require_question(every: Sequence[GoldenQuestion], name: str) -> GoldenQuestion:
    """The question of an id. Raises NotFound."""
    found = next((one for one in every if one.id == name), None)
    if found is None:
        raise errors.NotFound(f"no question {name!r}", "`molt question list` gives their ids")
    return found


def add_question(ws: Workspace, one: GoldenQuestion, now: float) -> Written[GoldenQuestion]:
    """Write a golden question, in one commit.

    Raises Usage for one that expects nothing, NotFound for a memory that there is not, and Failed
    where the file has its id, or cannot be appended to.
    """
    if not one.expect and not one.memories:
        hint = "`--expect WORDS`, or `--memory ID`: what the answer must hold"
        raise errors.Usage("any answer would do", hint)
    asked = one.replace(memories=tuple(map(ids.complete_id, one.memories)))
    files = ws.files()
    for memory in asked.memories:
        if not inventory.has_memory(files, memory):
            raise errors.NotFound(f"no memory {memory!r}", "`molt search` gives ids")

    def make_change(tree: Tree) -> Change[GoldenQuestion]:
        before = trees.read_strict(tree, paths.QUESTIONS)
        try:
            text = question_file.add_question(before, asked)
        except ValueError as error:
            raise errors.Failed(f"{paths.QUESTIONS}: {error}", _MEND) from error
        action = "EDIT" if tree.entry(paths.QUESTIONS) else "CREATE"
        return _make_change(ws, action, text, asked)

    return ws.commit(make_change, now=now)


def remove_question(ws: Workspace, name: str, now: float) -> Written[GoldenQuestion]:
    """Take a golden question out, in one commit. Raises NotFound where there is none, Refused for
    who is no person, and Failed where the file cannot be edited by lines.
    """

    def make_change(tree: Tree) -> Change[GoldenQuestion]:
        before = trees.read_strict(tree, paths.QUESTIONS)
        one = require_question(question_file.parse_questions(before).questions, name)
        try:
            text = question_file.remove_question(before, name)
        except ValueError as error:
            raise errors.Failed(f"{paths.QUESTIONS}: {error}", _MEND) from error
        return _make_change(ws, "EDIT", text, one)

    return ws.commit(make_change, now=now)


def _make_change(
    ws: Workspace, action: str, text: str, one: GoldenQuestion
) -> Change[GoldenQuestion]:
    approval = "approved" if ws.actor == "manual" else "auto"
    by = messages.Provenance(ws.actor, approval, "molt question", [("Question", one.id)])
    message = messages.render(action, paths.QUESTIONS, f"{one.id}: {one.question}"[:72], by)
    return Change({paths.QUESTIONS: text.encode()}, message, one)
