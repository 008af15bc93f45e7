"""The graph in the forms that other tools read, and as the index that is generated from it."""

from __future__ import annotations

from molt.formats import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from molt.memory.graph import Graph


def as_json(graph: Graph) -> dict[str, object]:
    """Nodes and edges as plain values."""
    nodes = [
        {"id": one.id, "type": one.type, "label": one.label, "aliases": list(one.aliases)}
        for one in graph.nodes.values()
    ]
    edges = [
        {"from": one.source, "relation": one.word, "to": one.target, "note": one.note}
        for one in graph.edges
    ]
    return {"nodes": nodes, "edges": edges}


def _names(graph: Graph) -> dict[str, str]:
    """Every id that an edge names or an entity has, with what to call it."""
    ends = (end for edge in graph.edges for end in (edge.source, edge.target))
    missing = {end: end for end in ends if end not in graph.nodes}
    return {**{one.id: one.label for one in graph.nodes.values()}, **dict(sorted(missing.items()))}


def _json_text(graph: Graph) -> str:
    import json

    return json.dumps(as_json(graph), ensure_ascii=False, indent=2) + "\n"


def _dot(graph: Graph) -> str:
    def quoted(text: str) -> str:
        text = lines.one_line(text).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'

    rows = [f"  {quoted(one)} [label={quoted(name)}];" for one, name in _names(graph).items()]
    rows += [
        f"  {quoted(one.source)} -> {quoted(one.target)} [label={quoted(one.word)}];"
        for one in graph.edges
    ]
    return "\n".join(("digraph memory {", *rows, "}", ""))


def _mermaid(graph: Graph) -> str:
    def quoted(text: str) -> str:
        text = lines.one_line(text)
        # Mermaid has no escapes, but entities; a bare `#` would begin one.
        return '"' + "".join(f"#{ord(char)};" if char in '#"<>|;' else char for char in text) + '"'

    names = _names(graph)
    number = {one: f"n{at}" for at, one in enumerate(names)}
    rows = [f"  {number[one]}[{quoted(name)}]" for one, name in names.items()]
    rows += [
        f"  {number[one.source]} -->|{quoted(one.word)}| {number[one.target]}"
        for one in graph.edges
    ]
    return "\n".join(("graph LR", *rows, ""))


def _graphml(graph: Graph) -> str:
    from xml.sax.saxutils import escape, quoteattr

    def attribute(text: str) -> str:
        return quoteattr(lines.one_line(text))

    rows = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '  <key id="label" for="node" attr.name="label" attr.type="string"/>',
        '  <key id="type" for="node" attr.name="type" attr.type="string"/>',
        '  <key id="relation" for="edge" attr.name="relation" attr.type="string"/>',
        '  <graph id="memory" edgedefault="directed">',
    ]
    for one, name in _names(graph).items():
        kind = graph.nodes[one].type if one in graph.nodes else ""
        data = (("label", lines.one_line(name)), ("type", lines.one_line(kind)))
        inner = "".join(f'<data key="{key}">{escape(text)}</data>' for key, text in data)
        rows.append(f"    <node id={attribute(one)}>{inner}</node>")
    for edge in graph.edges:
        ends = f"source={attribute(edge.source)} target={attribute(edge.target)}"
        rows.append(f'    <edge {ends}><data key="relation">{escape(edge.word)}</data></edge>')
    return "\n".join((*rows, "  </graph>", "</graphml>", ""))


_FORMS = {"dot": _dot, "json": _json_text, "mermaid": _mermaid, "graphml": _graphml}
FORMS = tuple(_FORMS)


def export(graph: Graph, form: str) -> str:
    """The graph as the text of one of `FORMS`."""
    return _FORMS[form](graph)


HEAD = """# Semantic Graph Index
<!-- Made by molt from the entities; what is written here is lost. -->
"""
_NODES = """
## Entity Registry
| ID | Type | Label | File | Decay Score |
|----|------|-------|------|-------------|
"""
_EDGES = """
## Edges
| From | Relation | To | Confidence | First Seen | Last Accessed |
|------|----------|----|------------|------------|---------------|
"""


def index(graph: Graph, entries: Mapping[str, Mapping[str, object]]) -> str:
    """The text of `graph/index.md`: a row for each entity that is not archived, and its edges.

    `entries` are those of decay-scores.json; scores and last accesses are as they stand there.
    """
    shown = [one for one in graph.nodes.values() if not _archived(entries, one.id)]
    rows = [
        _row(
            one.id,
            one.type,
            one.label,
            f"entities/{one.id}.md",
            _score(entries, one.id, one.pinned),
        )
        for one in shown
    ]
    edges = [
        _row(
            *(edge.source, edge.word, edge.target, edge.field("confidence")),
            *(edge.field("since") or one.created, _last(entries, one.id)),
        )
        for one in shown
        for edge in one.edges
        if not _archived(entries, edge.target)
    ]
    return "".join((HEAD, _NODES, *rows, _EDGES, *edges))


def _row(*cells: str) -> str:
    plain = (lines.one_line(cell).replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(cell or '—' for cell in plain)} |\n"


def _entry(entries: Mapping[str, Mapping[str, object]], stem: str) -> Mapping[str, object]:
    return entries.get(f"entity:{stem}", {})


def _archived(entries: Mapping[str, Mapping[str, object]], stem: str) -> bool:
    return _entry(entries, stem).get("status") == "archived"


def _score(entries: Mapping[str, Mapping[str, object]], stem: str, pinned: bool) -> str:
    entry = _entry(entries, stem)
    if pinned or entry.get("pinned") is True:
        return "1.00 (pinned)"
    score = entry.get("current_score")
    return f"{score:.2f}" if isinstance(score, int | float) else ""


def _last(entries: Mapping[str, Mapping[str, object]], stem: str) -> str:
    return str(_entry(entries, stem).get("last_accessed", ""))[:10]
