"""The graph as JSON, DOT, Mermaid or GraphML."""

from __future__ import annotations

from molt.formats import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.graph.graph import Graph


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


def _list_names(graph: Graph) -> dict[str, str]:
    """Every id that an edge names or an entity has, with what to call it."""
    ends = (end for edge in graph.edges for end in (edge.source, edge.target))
    missing = {end: end for end in ends if end not in graph.nodes}
    return {**{one.id: one.label for one in graph.nodes.values()}, **dict(sorted(missing.items()))}


def _render_json(graph: Graph) -> str:
    import json

    return json.dumps(as_json(graph), ensure_ascii=False, indent=2) + "\n"


def _render_dot(graph: Graph) -> str:
    def quote_text(text: str) -> str:
        text = lines.one_line(text).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{text}"'

    rows = [
        f"  {quote_text(one)} [label={quote_text(name)}];"
        for one, name in _list_names(graph).items()
    ]
    rows += [
        f"  {quote_text(one.source)} -> {quote_text(one.target)} [label={quote_text(one.word)}];"
        for one in graph.edges
    ]
    return "\n".join(("digraph memory {", *rows, "}", ""))


def _render_mermaid(graph: Graph) -> str:
    def quote_text(text: str) -> str:
        text = lines.one_line(text)
        # Mermaid has no escapes, but entities; a bare `#` would begin one.
        return '"' + "".join(f"#{ord(char)};" if char in '#"<>|;' else char for char in text) + '"'

    names = _list_names(graph)
    number = {one: f"n{at}" for at, one in enumerate(names)}
    rows = [f"  {number[one]}[{quote_text(name)}]" for one, name in names.items()]
    rows += [
        f"  {number[one.source]} -->|{quote_text(one.word)}| {number[one.target]}"
        for one in graph.edges
    ]
    return "\n".join(("graph LR", *rows, ""))


def _render_graphml(graph: Graph) -> str:
    from xml.sax.saxutils import escape, quoteattr

    def quote_attribute(text: str) -> str:
        return quoteattr(lines.one_line(text))

    rows = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '  <key id="label" for="node" attr.name="label" attr.type="string"/>',
        '  <key id="type" for="node" attr.name="type" attr.type="string"/>',
        '  <key id="relation" for="edge" attr.name="relation" attr.type="string"/>',
        '  <graph id="memory" edgedefault="directed">',
    ]
    for one, name in _list_names(graph).items():
        kind = graph.nodes[one].type if one in graph.nodes else ""
        data = (("label", lines.one_line(name)), ("type", lines.one_line(kind)))
        inner = "".join(f'<data key="{key}">{escape(text)}</data>' for key, text in data)
        rows.append(f"    <node id={quote_attribute(one)}>{inner}</node>")
    for edge in graph.edges:
        ends = f"source={quote_attribute(edge.source)} target={quote_attribute(edge.target)}"
        rows.append(f'    <edge {ends}><data key="relation">{escape(edge.word)}</data></edge>')
    return "\n".join((*rows, "  </graph>", "</graphml>", ""))


_FORMS = {
    "dot": _render_dot,
    "json": _render_json,
    "mermaid": _render_mermaid,
    "graphml": _render_graphml,
}
FORMS = tuple(_FORMS)


def export_graph(graph: Graph, form: str) -> str:
    """The graph as the text of one of `FORMS`."""
    return _FORMS[form](graph)
