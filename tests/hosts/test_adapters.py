"""Formats of other programs: what goes there comes back the same, to the letter and the id."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molt.formats import entity, episodes, frontmatter, procedure, vault
from molt.hosts.adapters import marks, places, send
from molt.hosts.adapters.shape import Format, Note
from molt.hosts.adapters.table import FORMATS

WRITTEN = [one for one in FORMATS.values() if one.pack is not None]
each_format = pytest.mark.parametrize("form", WRITTEN, ids=lambda one: one.name)

words = st.text(
    st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("[]|#:-()\"'"), min_size=1
).map(lambda said: " ".join(said.split()))
lines = words.filter(lambda said: bool(said.strip()))
slugs = st.from_regex(r"[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,5})?", fullmatch=True)
dates = st.dates().map(lambda day: f"{day:%Y-%m-%d}".rjust(10, "0"))
times = st.times().map(lambda time: f"{time:%H:%M:%S}")
references = st.sampled_from(
    ("episode:2026-02-02:14:30", "[[tool--openclaw]]", "[[tool--openclaw|OC]]", "[fact] x", "- y")
)
said = st.lists(lines | references, min_size=1, max_size=3).map(" ".join)


@st.composite
def core_notes(draw: st.DrawFn) -> Note:
    bullets = draw(st.lists(said, max_size=4))
    rows = ["# MEMORY.md — Core Memory", "", "## Identity", *(f"- {one}" for one in bullets)]
    return Note("MEMORY.md", "\n".join((*rows, "", "## Critical Facts", "- Always.", "")))


@st.composite
def days(draw: st.DrawFn) -> Note:
    date = draw(dates)
    entries = tuple(
        episodes.Episode(
            date,
            time,
            draw(st.sampled_from(episodes.TYPES)),
            tags=tuple(draw(st.lists(slugs, max_size=2))),
            source=draw(st.sampled_from(("", "conversation", "user-explicit"))),
            text=draw(st.lists(said, min_size=1, max_size=3).map("\n".join)),
        )
        for time in draw(st.lists(times, min_size=1, max_size=4, unique=True))
    )
    return Note(f"memory/episodes/{date}.md", episodes.render(date, entries))


@st.composite
def entities(draw: st.DrawFn) -> Note:
    kind, slug = draw(st.sampled_from(entity.ENTITY_TYPES)), draw(slugs)
    made = entity.Entity(
        f"{kind}--{slug}",
        kind,
        draw(lines),
        aliases=tuple(draw(st.lists(lines, max_size=2))),
        created="2026-01-15",
        summary=draw(said),
        facts=tuple(draw(st.lists(said, max_size=3))),
        timeline=tuple(draw(st.lists(said, max_size=2))),
        relations=(entity.Relation("uses", "tool--openclaw", draw(st.sampled_from(("", "x")))),),
    )
    return Note(f"memory/graph/entities/{kind}--{slug}.md", entity.render_entity(made))


@st.composite
def others(draw: st.DrawFn) -> Note:
    slug, text = draw(slugs), draw(said)
    return draw(
        st.sampled_from(
            (
                Note(
                    f"memory/procedures/{slug}.md",
                    procedure.render_procedure(procedure.Procedure(slug, slug, steps=(text,))),
                ),
                Note(
                    f"memory/vault/{slug}.md",
                    vault.render_vault(vault.Vault(slug, slug, text)),
                ),
                Note(f"memory/notes/{slug}.md", f"{text}\n\n- a list\r\n- of two"),
                Note(f"memory/imported/a/{slug}.md", f"---\ntitle: {slug}\n---\n{text}"),
            )
        )
    )


workspaces = st.builds(
    lambda core, some: tuple({one.path: one for one in (core, *some)}.values()),
    core_notes(),
    st.lists(days() | entities() | others(), max_size=5),
)


def come_back(form: Format, notes: tuple[Note, ...]) -> tuple[Note, ...]:
    assert form.pack is not None
    assert form.unpack is not None
    return tuple(sorted(form.unpack(form.pack(notes)), key=lambda one: one.path))


@each_format
@settings(max_examples=60)
@given(notes=workspaces)
def test_memories_come_back_with_their_ids_and_texts(form: Format, notes: tuple[Note, ...]) -> None:
    back = come_back(form, notes)
    assert send.list_memories(back) == send.list_memories(
        tuple(sorted(notes, key=lambda one: one.path))
    )
    assert back == tuple(sorted(notes, key=lambda one: one.path))


@each_format
@pytest.mark.parametrize(
    "text",
    [
        "",
        "---\n---\n",
        "---\ntitle: x\n---",
        "---\n: [broken\n---\nText.\n",
        "\ufeff---\ntitle: x\n---\nText.\n",
        "---\r\ntitle: x\r\n---\r\nText.\r\n",
        "---\nmolt: memory/other.md\n---\nSomebody's.\n",
        "---\nname: n\ndescription: d\nmetadata:\n  type: user\n---\nText.\n",
        "[[tool--a|episode:2026-02-02:14:30]] episode:2026-02-02:14:30\n",
        "[tool--a](/entities/tool--a.md) [[tool--a]]\n",
    ],
)
def test_an_odd_note_comes_back_as_it_was(form: Format, text: str) -> None:
    notes = (
        Note("memory/graph/entities/tool--a.md", "---\nid: tool--a\n---\n# A\n\n## Facts\n"),
        Note("memory/notes/odd.md", text),
    )
    assert come_back(form, notes) == notes


def test_places_are_told_apart_on_every_file_system() -> None:
    every = [f"memory/notes/{name}.md" for name in ("a--b", "A--B", "a/b", "x" * 300)]
    found = places.choose_places(every, places.place_flat)
    assert len({place.casefold() for place in found.values()}) == len(every)
    assert all(len(place.encode()) < 240 for place in found.values())


def test_a_mark_survives_an_editor_that_orders_and_quotes_properties() -> None:
    text = marks.add_mark("---\nid: x\n---\nText.\n", "memory/notes/x.md", (("name", '"x"'),))
    other = (
        "---\nmolt-keys:\n  - name\nname: 'other'\nmolt: 'memory/notes/x.md'\nid: x\n---\nText.\n"
    )
    assert frontmatter.metadata(text).keys() == frontmatter.metadata(other).keys()
    assert marks.find_mark(other) == "memory/notes/x.md"
    assert marks.remove_mark(other) == "---\nid: x\n---\nText.\n"


def test_basic_memory_sees_observations_and_relations() -> None:
    made = entity.Entity(
        "tool--a", "tool", "A", facts=("Fast.",), relations=(entity.Relation("uses", "tool--b"),)
    )
    note = Note("memory/graph/entities/tool--a.md", entity.render_entity(made))
    pack = FORMATS["basic-memory"].pack
    assert pack is not None
    text = pack((note,))["entities/tool--a.md"]
    assert "- [fact] Fast.\n" in text
    assert "- uses [[tool--b]]\n" in text
    assert frontmatter.metadata(text)["permalink"] == "tool-a"


def test_okf_has_types_links_and_an_index() -> None:
    made = entity.Entity(
        "tool--a", "tool", "A", summary="Fast.", relations=(entity.Relation("uses", "tool--b"),)
    )
    notes = tuple(
        Note(f"memory/graph/entities/{one.id}.md", entity.render_entity(one))
        for one in (made, entity.Entity("tool--b", "tool", "B"))
    )
    pack = FORMATS["okf"].pack
    assert pack is not None
    files = pack((*notes, Note("MEMORY.md", "# Core\n")))
    assert "- uses [tool--b](/entities/tool--b.md)\n" in files["entities/tool--a.md"]
    assert "* [A](/entities/tool--a.md) - Fast." in files["index.md"]
    assert frontmatter.metadata(files["index.md"]) == {"okf_version": "0.2"}
    concepts = [text for name, text in files.items() if name != "index.md"]
    assert all(frontmatter.metadata(text)["type"] for text in concepts)


def test_obsidian_gets_links_to_what_memories_name() -> None:
    day = episodes.render("2026-02-02", (episodes.Episode("2026-02-02", "14:30", "event"),))
    text = "Said so (source: episode:2026-02-02:14:30), see [[tool--a]].\n"
    pack = FORMATS["obsidian"].pack
    assert pack is not None
    files = pack((Note("memory/episodes/2026-02-02.md", day), Note("memory/n.md", text)))
    assert "[[2026-02-02|episode:2026-02-02:14:30]])" in files["notes/n.md"]


def test_claude_gets_an_index_and_is_told_where_it_ends() -> None:
    form = FORMATS["claude-memory"]
    notes = tuple(Note(f"memory/n/{number}.md", "Text.\n") for number in range(300))
    assert form.pack is not None
    assert form.measure is not None
    files = form.pack(notes)
    assert files["MEMORY.md"].count("\n- [") == 300
    (lack,) = form.measure(files)
    assert "200 lines" in lack.why


def test_letta_gets_two_keys_and_an_index_in_each_folder() -> None:
    form = FORMATS["memfs"]
    notes = (
        Note("MEMORY.md", "# Core\n"),
        Note("memory/MEMORY.md", "---\ntitle: x\n---\nText.\n"),
        Note("memory/imported/a/b/c.md", "Deep.\n"),
    )
    assert form.pack is not None
    files = form.pack(notes)
    assert set(files) == {
        *("MEMORY.md", "core-memory.md", "imported/MEMORY.md", "imported/a--b--c.md"),
        *("notes/MEMORY.md", "notes/MEMORY-2.md"),
    }
    for name, text in files.items():
        keys = set() if name.endswith("/MEMORY.md") or name == "MEMORY.md" else {"name"}
        assert frontmatter.metadata(text).keys() == keys | ({"description"} if keys else set())
    assert "- [Core memory](core-memory.md) — " in files["MEMORY.md"]
    assert "- [Imported](imported/MEMORY.md) — files: 1\n" in files["MEMORY.md"]


def test_letta_gets_no_index_that_its_hook_refuses_and_is_told_of_a_note() -> None:
    form = FORMATS["memfs"]
    notes = tuple(Note(f"memory/n/{number}.md", "word " * 20) for number in range(300))
    assert form.pack is not None
    assert form.measure is not None
    files = form.pack(notes)
    assert len(files["notes/MEMORY.md"]) <= 20_000
    assert re.search(r"\n- and \d+ more in this folder\n$", files["notes/MEMORY.md"])
    assert form.measure(files) == ()
    (lack,) = form.measure(form.pack((Note("memory/n.md", "x" * 20_000),)))
    assert (lack.what, "20,000 characters" in lack.why) == ("notes/n.md", True)


def test_a_note_for_letta_is_known_where_the_mark_was_once() -> None:
    form = FORMATS["memfs"]
    before = "---\ndescription: x\nmolt: memory/n.md\nmolt-keys: [description]\n---\nText.\n"
    assert form.unpack is not None
    assert form.unpack({"notes/n.md": before}) == (Note("memory/n.md", "Text.\n"),)


def test_mem0_gets_short_memories_and_relations() -> None:
    made = entity.Entity("tool--a", "tool", "A", relations=(entity.Relation("uses", "tool--b"),))
    pack = FORMATS["mem0"].pack
    assert pack is not None
    day = episodes.render(
        "2026-02-02", (episodes.Episode("2026-02-02", "14:30", "event", text="Hi."),)
    )
    notes = (
        Note("MEMORY.md", "# M\n\n## Identity\n- Ada.\n- Likes tea.\n"),
        Note("memory/episodes/2026-02-02.md", day),
        Note("memory/graph/entities/tool--a.md", entity.render_entity(made)),
    )
    data = json.loads(pack(notes)["memories.json"])
    assert [one["memory"] for one in data["results"]][:3] == ["Ada.", "Likes tea.", "Hi."]
    assert data["results"][2]["created_at"] == "2026-02-02T14:30"
    assert data["relations"] == [{"source": "tool--a", "relationship": "uses", "target": "tool--b"}]
    assert len({one["id"] for one in data["results"]}) == 4
