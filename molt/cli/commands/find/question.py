"""`molt question`: golden questions, which a reflection may not answer worse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from molt.cli import clock, output
from molt.cli.call import Call, pass_call
from molt.cli.filters import read_moment
from molt.formats import ids, lines
from molt.formats.lines import escape_text
from molt.formats.meta import questions
from molt.memory import days
from molt.memory.reflect.questions import golden
from molt.memory.reflect.questions.ask import Asking

if TYPE_CHECKING:
    from molt.formats.meta.questions import GoldenQuestion
    from molt.memory.reflect.questions.ask import GoldenAnswer
    from molt.repo.write.transaction import Written


@click.group(invoke_without_command=True)
@click.pass_context
def question(context: click.Context) -> int | None:
    """Golden questions: what the memory must answer, before and after each reflection.

    Without a command, the list of them.
    """
    return None if context.invoked_subcommand else context.invoke(list_)


@question.command()
@click.argument("text", metavar="QUESTION")
@click.option("--expect", multiple=True, metavar="WORDS", help="Words that the answer must hold.")
@click.option(
    "--memory", "memories", multiple=True, metavar="ID", help="A memory that must be found."
)
@click.option(
    "--top",
    "k",
    type=click.IntRange(1, questions.MOST_RESULTS),
    default=questions.RESULTS,
    help="Among how many results.",
)
@click.option("--tag", "tags", multiple=True, help="A word to run it by.")
@click.option("--id", "name", default="", help="Its name; made of its words otherwise.")
@pass_call
def add(call: Call, /, text: str, name: str, **given: Any) -> int:
    """Write down a QUESTION with what its answer must hold."""
    ws = call.workspace()
    asked = lines.one_line(text)
    name = ids.slug(name) if name else questions.name_question(asked)
    # What is left of them is called like the fields.
    one = questions.GoldenQuestion(name, asked, **given)
    return _print_written(call, golden.add_question(ws, one, clock.seconds()))


@question.command()
@click.argument("name", metavar="ID")
@pass_call
def remove(call: Call, name: str) -> int:
    """Take the question of an ID out: what a person does."""
    return _print_written(call, golden.remove_question(call.workspace(), name, clock.seconds()))


def _print_written(call: Call, done: Written[GoldenQuestion]) -> int:
    output.note_warnings(call, done.warnings)
    if call.json:
        told = {"commit": done.oid, "question": done.made.asdict()}
        output.print_json(told)
    else:
        click.echo(
            escape_text(f"{done.made.id}  {done.made.question}  {(done.oid or 'unchanged')[:10]}")
        )
    return 0


@question.command(name="list")
@pass_call
def list_(call: Call) -> int:
    """All questions, with what their answers must hold."""
    found = golden.list_questions(call.workspace())
    for said in found.problems:
        output.note(call, f"warning: {said}")
    if call.json:
        output.print_json([one.asdict() for one in found.questions])
        return 0
    for one in found.questions:
        click.echo(escape_text(f"{one.id}  {one.question}"))
        wanted = "; ".join((*one.expect, *one.memories))
        click.echo(escape_text(f"    in the first {one.k}: {wanted}"))
    if not found.questions:
        output.note(call, 'no question yet: `molt question add "…?" --expect WORDS` writes one')
    return 0


@question.command()
@click.argument("names", nargs=-1, metavar="[ID…]")
@click.option("--tag", "tags", multiple=True, help="Only those with this tag.")
@click.option("--at", default="", help="Ask the memory as it was: a date, or a revision of git.")
@pass_call
def run(call: Call, names: tuple[str, ...], tags: tuple[str, ...], at: str) -> int:
    """Ask them, or some; the exit status is 1 where one is not answered."""
    ws = call.workspace()
    second = clock.seconds()
    moment = read_moment(ws, at)
    day = days.day(second, ws.config.workspace_timezone)
    answers = golden.run_questions(ws, names, tags, Asking(second, day, moment))
    for said in golden.list_questions(ws).problems:
        output.note(call, f"warning: {said}")
    passed = sum(one.passed for one in answers)
    if call.json:
        every = [one.asdict() | {"passed": one.passed, "rank": one.rank} for one in answers]
        output.print_json({"passed": passed, "asked": len(answers), "answers": every})
    else:
        for one in answers:
            _print_answer(one)
        click.echo(f"{passed} of {output.render_count(len(answers), 'question')} answered")
    return int(passed < len(answers))


def _print_answer(one: GoldenAnswer) -> None:
    mark = click.style("pass", fg="green") if one.passed else click.style("FAIL", fg="red")
    place = f"result {one.rank} of {one.question.k}" if one.passed else "not found"
    click.echo(f"{mark}  {escape_text(f'{one.question.id}  {one.question.question}')}  ({place})")
    if not one.passed:
        click.echo(escape_text(f"      missing: {'; '.join(one.missing)}"))
        for found in one.results[:1]:
            click.echo(escape_text(f"      first: {found.citation}  {found.text[:80]}"))
