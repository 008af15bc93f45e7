"""What a client of the Model Context Protocol finds: tools with their fields, and answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from copies import Copy
from golden import normal
from golden.grounds import BEGIN, hold_clock, make_lived
from golden.kept import check_answers
from golden.table import HERE
from mcp import Client

from molt.hosts.mcp import server
from molt.hosts.mcp.desk import ServerPlace

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("memory_status", {}),
    ("memory_search", {"query": "how do we deploy to production", "limit": 2}),
    ("memory_recall", {"question": "What does Alex prefer?", "max_tokens": 60}),
    ("memory_get", {"ref": "entity:person--alex"}),
    ("memory_get", {"ref": "entity:tool--none"}),
    ("memory_entity", {"name": "Alex"}),
    ("memory_history", {"ref": "entity:tool--postgres"}),
    ("search", {"query": "Lisbon"}),
    ("fetch", {"id": "entity:person--alex"}),
    ("memory_remember", {"text": "The ferry leaves at noon", "store": "episodic"}),
    ("memory_remember", {"text": "The gate opens at nine", "store": "moon"}),
    ("memory_propose", {"text": "Alex swims on Mondays", "store": "semantic"}),
    ("memory_forget", {"what": "the ferry leaves at noon"}),
    ("reflection_show", {}),
    ("reflection_decide", {"decision": "approve"}),
)


def test_tools_have_the_fields_that_clients_know(pytestconfig: pytest.Config) -> None:
    check_answers(
        HERE / "answers/mcp/tools.json", anyio.run(list_offers), update=asks(pytestconfig)
    )


def test_tools_answer_as_before(
    tmp_path: Path, copy: Copy, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy(tmp_path / "agent", make_lived)
    monkeypatch.chdir(root)
    with hold_clock(BEGIN):
        found = anyio.run(call_tools, root)
    check_answers(HERE / "answers/mcp/calls.json", found, update=asks(pytestconfig))


def asks(config: pytest.Config) -> bool:
    """Whether the answers are to be written again."""
    return bool(config.getoption("--golden-update", default=False))


async def list_offers() -> list[dict[str, Any]]:
    """Each tool by name, with its fields; then resources and prompts."""
    async with Client(server.make_server(ServerPlace(".", "", lambda: 0.0))) as client:
        tools = (await client.list_tools()).tools
        resources = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        prompts = (await client.list_prompts()).prompts
    return [
        *({"tool": one.name, **_describe(one.input_schema, one.output_schema)} for one in tools),
        {"resources": [str(one.uri) for one in resources]},
        {"templates": [one.uri_template for one in templates]},
        {"prompts": [one.name for one in prompts]},
    ]


def _describe(given: dict[str, Any], gives: dict[str, Any] | None) -> dict[str, Any]:
    """The fields that a tool takes, with their defaults and choices, and the keys that it gives."""
    shapes = (gives or {}).get("$defs", {})
    return {
        "takes": {name: _cut_schema(one) for name, one in given.get("properties", {}).items()},
        "required": sorted(given.get("required", ())),
        "gives": sorted((gives or {}).get("properties", ())),
        "shapes": {name: sorted(one.get("properties", ())) for name, one in sorted(shapes.items())},
    }


def _cut_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """What a value may be: its type, its choices, its default."""
    kept = ("type", "enum", "const", "default", "minimum", "maximum")
    found = {key: schema[key] for key in kept if key in schema}
    if "items" in schema:
        found["items"] = _cut_schema(schema["items"])
    if "anyOf" in schema:
        found["any of"] = [_cut_schema(one) for one in schema["anyOf"]]
    return found


async def call_tools(root: Path) -> list[dict[str, Any]]:
    """What some calls give, one after another."""
    places = {str(root): "<root>"}
    made = server.make_server(ServerPlace(str(root), "", lambda: float(BEGIN)))
    found: list[dict[str, Any]] = []
    async with Client(made) as client:
        for tool, given in CALLS:
            done = await client.call_tool(tool, given)
            texts = "\n".join(getattr(one, "text", "") for one in done.content)
            gives = texts if done.structured_content is None else done.structured_content
            answer = {"call": tool, "with": given, "is_error": bool(done.is_error)}
            found.append({**answer, "gives": normal.hide_all(gives, places)})
    return found
