"""`molt graph`: the entities, how they hang together, and the words that relate them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from molt import errors
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats.lines import escape_text
from molt.memory import shown as shown_trees
from molt.memory.graph import export as exporting
from molt.memory.graph import graph as graphs
from molt.memory.graph import index_page, resolve

if TYPE_CHECKING:
    from molt.memory.graph.graph import Graph, GraphEdge
    from molt.memory.graph.unite import Moved
    from molt.memory.workspace import Workspace
    from molt.repo.write.transaction import Written


@click.group()
def graph() -> None:
    """The knowledge graph."""


def _open_graph(call: Call) -> tuple[Workspace, Graph]:
    """The workspace and its graph on disk; the generated index is brought up."""
    ws = call.workspace()
    files, head = shown_trees.hide_held(ws, ws.files()), shown_trees.hide_held(ws, ws.head())
    # A workspace that cannot be written can still be read.
    with suppress(errors.Failed, OSError):
        index_page.freshen_index(ws.repo, scores=True)
    return ws, graphs.load_shown(files, head, ws.repo.cache)


def _render_edge(edge: GraphEdge) -> str:
    note = f" ({edge.note})" if edge.note else ""
    return escape_text(f"{edge.source} {edge.word} {edge.target}{note}")


def _edge_fields(edge: GraphEdge) -> dict[str, str]:
    return {"from": edge.source, "relation": edge.word, "to": edge.target, "note": edge.note}


@graph.command()
@click.argument("entity", default="")
@pass_call
def show(call: Call, entity: str) -> int:
    """All entities and relations, or those of one ENTITY (an id, label or alias)."""
    ws, found = _open_graph(call)
    if entity:
        one = resolve.require_entity(found, entity, ws.config.graph_ask)
        edges = found.edges_of(one)
        found = found.only(one)
    else:
        edges = found.edges
    if call.json:
        output.print_json(
            {**exporting.as_json(found), "edges": [_edge_fields(edge) for edge in edges]}
        )
        return 0
    for node in found.nodes.values():
        also = f", also {', '.join(node.aliases)}" if node.aliases else ""
        click.echo(escape_text(f"{node.id}  {node.label}{also}"))
    for edge in edges:
        click.echo(f"  {_render_edge(edge)}")
    return 0


@graph.command()
@click.argument("entity")
@click.option("--hops", type=click.IntRange(1), default=1, help="How far.")
@pass_call
def neighbors(call: Call, entity: str, hops: int) -> int:
    """The entities around ENTITY, nearest first."""
    ws, found = _open_graph(call)
    one = resolve.require_entity(found, entity, ws.config.graph_ask)
    steps = graphs.find_neighbours(found, one, hops)
    if call.json:
        told = [
            {"id": step.id, "hops": step.hops, "edge": _edge_fields(step.edge)} for step in steps
        ]
        output.print_json({"entity": one, "neighbors": told})
        return 0
    for step in steps:
        click.echo(f"{step.hops}  {step.id}  {_render_edge(step.edge)}")
    if not steps:
        output.note(call, f"{one} has no relations yet")
    return 0


@graph.command()
@click.argument("start")
@click.argument("end")
@pass_call
def path(call: Call, start: str, end: str) -> int:
    """A shortest way from START to END, along relations of either direction."""
    ws, found = _open_graph(call)
    ends = [resolve.require_entity(found, one, ws.config.graph_ask) for one in (start, end)]
    way = graphs.find_path(found, *ends)
    if way is None:
        raise errors.NotFound(f"no way from {ends[0]} to {ends[1]}", "`molt graph show`")
    if call.json:
        output.print_json(
            {"from": ends[0], "to": ends[1], "path": [_edge_fields(edge) for edge in way]}
        )
        return 0
    for edge in way:
        click.echo(_render_edge(edge))
    return 0


@graph.command()
@click.option(
    "--format", "form", type=click.Choice(exporting.FORMS), default="json", help="As what."
)
@pass_call
def export(call: Call, form: str) -> int:
    """The whole graph for another tool."""
    _, found = _open_graph(call)
    if call.json:
        output.print_json(exporting.as_json(found))
    else:
        output.echo(exporting.export_graph(found, form), end="")
    return 0


@graph.command()
@click.argument("entity")
@click.argument("name")
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def rename(call: Call, entity: str, name: str, dry_run: bool) -> int:
    """Call ENTITY by another NAME (a label, or TYPE:LABEL); links to it follow.

    Its old names still lead to it.
    """
    from molt.cli import clock
    from molt.memory.write import entities

    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    return _tell_move(call, entities.rename_entity(ws, entity, name, now, dry_run=dry_run))


@graph.command()
@click.argument("into")
@click.argument("others", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Show the commit that would be made.")
@pass_call
def merge(call: Call, into: str, others: tuple[str, ...], dry_run: bool) -> int:
    """OTHERS are the same as INTO: their facts, relations and links become its.

    Their names still lead there.
    """
    from molt.cli import clock
    from molt.memory.write import entities

    ws = call.workspace()
    now = clock.now(ws.config.workspace_timezone)
    return _tell_move(call, entities.merge_entities(ws, into, others, now, dry_run=dry_run))


def _tell_move(call: Call, done: Written[Moved]) -> int:
    made = done.made
    output.note_warnings(call, filter(None, (made.note, *done.warnings)))
    if made.left:
        some = ", ".join(escape_text(path) for path in made.left[:3])
        more = f" and {len(made.left) - 3} more" if len(made.left) > 3 else ""
        output.note(call, f"as they were written, the links in {some}{more} keep the old name")
    if call.json:
        told = {"id": made.id, "path": made.path, "commit": done.oid}
        output.print_json({**told, "followed": made.followed, "left": made.left})
    elif not done.oid and done.message:
        output.echo(done.message, end="")
    else:
        output.echo(f"{made.id}  {made.path}  {(done.oid or 'unchanged')[:10]}")
    return 0


@graph.group()
def relation() -> None:
    """The words that relations may use."""


@relation.command()
@click.argument("word")
@click.option("--section", default="Qualitative", help="The heading that it stands under.")
@click.option("--meaning", default="", help="What it says.")
@pass_call
def add(call: Call, word: str, section: str, meaning: str) -> int:
    """Add WORD to the vocabulary in graph/relations.md."""
    from molt.memory.write import vocabulary

    done = vocabulary.add_relation_word(call.workspace(), word, section, meaning)
    output.note_warnings(call, done.warnings)
    if call.json:
        output.print_json({"word": done.made, "commit": done.oid})
    else:
        click.echo(f"{done.made}  {done.oid[:10] if done.oid else 'known already'}")
    return 0
