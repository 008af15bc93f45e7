"""`molt bisect`: the commit that changed an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from molt import errors
from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.formats import ids
from molt.formats.lines import escape_text
from molt.formats.meta import questions
from molt.memory import days
from molt.memory.reflect.questions import bisect as searching
from molt.memory.reflect.questions import golden
from molt.memory.reflect.questions.ask import Asking

if TYPE_CHECKING:
    from molt.formats.meta.questions import GoldenQuestion
    from molt.memory.reflect.questions.ask import GoldenAnswer
    from molt.memory.reflect.questions.bisect import Culprit
    from molt.memory.workspace import Workspace


@click.command()
@click.argument("question")
@click.option("--bad-now", is_flag=True, help="HEAD does not answer it; without --bad, it is so.")
@click.option("--bad", default="", metavar="REV", help="A commit that does not answer it.")
@click.option("--good", default="", metavar="REV", help="An older one that does.")
@click.option("--expect", multiple=True, metavar="WORDS", help="Words that the answer must hold.")
@click.option("--memory", multiple=True, metavar="ID", help="A memory that must be found.")
@pass_call
def bisect(
    call: Call,
    /,
    question: str,
    bad_now: bool,
    bad: str,
    good: str,
    **wanted: tuple[str, ...],
) -> int:
    """Find the commit from which on a QUESTION is not answered: the id of a golden one, or a text
    with --expect or --memory. Only reads.
    """
    if bad_now and bad:
        raise errors.Usage("--bad-now is --bad HEAD", "give one of them")
    ws = call.workspace()
    asked = _choose_question(ws, question, wanted["expect"], wanted["memory"])
    second = clock.seconds()
    asking = Asking(second, days.day(second, ws.config.workspace_timezone))
    limits = searching.BisectRange(bad or searching.HEAD, good)
    found = searching.bisect_question(ws, asked, limits, asking)
    if call.json:
        output.print_json(found.asdict() | {"memories": list(found.memories)})
    else:
        _print_culprit(found)
    return 0


def _choose_question(
    ws: Workspace, text: str, expect: tuple[str, ...], memories: tuple[str, ...]
) -> GoldenQuestion:
    """The golden question of an id, or the one that the options make of a text."""
    if expect or memories:
        name = questions.name_question(text)
        named = tuple(map(ids.complete_id, memories))
        return questions.GoldenQuestion(name, text, expect, named)
    every = golden.list_questions(ws).questions
    found = next((one for one in every if text in (one.id, one.question)), None)
    if found is None:
        hint = "`molt question list` gives their ids; or say what is missed: `--expect WORDS`"
        raise errors.NotFound(f"no golden question {text!r}", hint)
    return found


def _print_culprit(found: Culprit) -> None:
    said = escape_text(found.subject)
    click.echo(f"{click.style(found.commit[:10], fg='yellow')}  {said}")
    files = ", ".join(found.files[:5]) + f", and {len(found.files) - 5} more" * (
        len(found.files) > 5
    )
    click.echo(escape_text(f"by {found.actor or 'nobody that is named'}, in {files}"))
    if found.merge:
        click.echo(f"merged by {found.merge[:10]}")
    click.echo(escape_text(f"lost: {'; '.join(found.answers.lost)}"))
    _print_answer(f"before ({found.parent[:10]})", found.answers.before)
    _print_answer(f"after ({found.commit[:10]})", found.answers.after)
    for memory in found.memories:
        click.echo(escape_text(f"`molt why {memory}` tells its story"))
    click.echo(f"`git show {found.commit[:10]}` shows the commit; {found.asked} were asked")


def _print_answer(when: str, answer: GoldenAnswer) -> None:
    click.echo(f"{when}:")
    for number, one in enumerate(answer.results, 1):
        click.echo(escape_text(f"  {number}. {one.citation}  {one.text[:80]}"))
    if not answer.results:
        click.echo("  nothing")
    for line in dict.fromkeys(filter(None, answer.said)):
        click.echo(escape_text(f"  says: {line[:100]}"))
