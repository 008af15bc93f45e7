"""Odd content on its way to other programs and back: names, titles, bodies as people have them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from copies import Copy, make_fresh
from hosts.test_adapters import each_format
from hypothesis import given, settings
from hypothesis import strategies as st

from molt.cli import main
from molt.formats import entity, episodes, procedure, vault
from molt.hosts.adapters import folder, send
from molt.hosts.adapters.shape import Format, Note
from molt.memory import inventory, workspace
from molt.normal import normalize

NAMES = (
    *(
        "a: b",
        'He said "no"',
        "it's",
        "🎉 party",
        "会议记录",
        "שלום עולם",
        "-leading",
        "--- dashes",
    ),
    *(
        "# hash",
        "[[x]]",
        "a|b#c",
        "{x} %y @at",
        "`code`",
        "true",
        "null",
        "~",
        "2026-02-02",
        "1969",
    ),
    *("漢" * 60, "x" * 200, normalize("NFD", "Café"), "Café", "CAFÉ", "café", "Same"),
    *(
        "same",
        "SAME",
        "index",
        "log",
        "MEMORY",
        "core-memory",
        "tool--a",
        "a--b",
        "trailing.",
        "a\\b",
        ".hidden",
    ),
    *("family 👨‍👩‍👧", "zero‌width", "a, b", "- x", "? y", "& z", "! w", "> v", "'", '"', "\\"),
)
BODIES = (
    *(
        "",
        "\n",
        "\n\n\n",
        "no end",
        "# only a heading\n",
        "---\n",
        "---\n---\n",
        "before\n---\nafter\n",
    ),
    *(
        "---\ntitle: fake\n---\nbody\n",
        "---\nmolt: memory/other.md\n---\nx\n",
        "---\n- a\n---\nlist\n",
    ),
    *("---\nmolt-keys: [a]\nmolt-words: plain\n---\nx\n", "--- \ntitle: spaced\n---  \nx\n"),
    *(
        "```\n- [fact] in a fence\n[[tool--a]] ## Facts\n```\n",
        "~~~\n# x\n---\n~~~\n",
        "```\nopen\n",
    ),
    *("see [[tool--a]], [[tool--a#b]], [[tool--a|x]], [[a|b|c]], ![[i.png]], [[ ]], [[]]\n",),
    *("[tool--a](/entities/tool--a.md) [x](/notes/a b.md) [[x]](/tool--a.md)\n",),
    *("[[tool--a|episode:2026-02-02:14:30]] entity:tool--a [[2026|episode:2026-02-02:14:30]]\n",),
    *(
        "a\r\nb\r\n",
        "a\r\nb\n",
        "---\r\ntitle: x\r\n---\r\nb\r\n",
        "tail   \n\ttab\n",
        "\n- \n-\n- - x\n",
    ),
    *(
        "- [fact] one #tag (why)\n- [x] done\n- [ ] todo\n- knows [[tool--a]]\n",
        "<!-- a: b -->\nx\n",
    ),
    *(
        "עברית ו-English\n",
        "漢字 — “quotes” 🎉\n",
        "| a | b |\n|---|---|\n",
        "> quote\n",
        "$x$ \\n \\\\\n",
    ),
    *("## 14:30 | fact | high\nlike an entry\n", "title: x\nmolt: y\n", "+++\ntitle = 1\n+++\n"),
    *("\ufeffa mark first", "in the \ufeffmiddle", "a\u00a0b\u200d", "x" * 3000),
)
names, bodies = st.sampled_from(NAMES), st.sampled_from(BODIES)
rows = bodies.map(lambda body: " ".join(body.split()) or "x")
dates = st.sampled_from(("0001-01-01", "1899-12-31", "1969-12-31", "2026-02-02", "2026-02-03"))


def make_file_name(name: str) -> str:
    return name.replace("\\", "_") or "x"


@st.composite
def notes(draw: st.DrawFn) -> Note:
    kind = draw(st.sampled_from(("prose", "entity", "day", "core", "procedure", "vault")))
    name, body, row = draw(names), draw(bodies), draw(rows)
    if kind == "prose":
        place = draw(st.sampled_from(("", "notes/", "notes/deep er/", "imported/vault/")))
        return Note(f"memory/{place}{make_file_name(name)}.md", body)
    if kind == "core":
        return Note("MEMORY.md", f"# {name}\n\n## Identity\n- {row}\n- {row}\n\n{body}")
    if kind == "day":
        date = draw(dates)
        every = tuple(
            episodes.Episode(date, time, "event", text=draw(bodies))
            for time in ("00:00", "14:30:59")[: draw(st.integers(1, 2))]
        )
        return Note(f"memory/episodes/{date}.md", episodes.render(date, every))
    slug = draw(st.sampled_from(("a", "b", "same-name", "x" * 150)))
    if kind == "entity":
        made = entity.Entity(
            *(f"tool--{slug}", "tool", name),
            aliases=(draw(names),),
            summary=row,
            facts=(draw(rows), row),
            timeline=(row,),
            relations=(entity.Relation("uses", "tool--a", draw(rows)),),
        )
        return Note(f"memory/graph/entities/tool--{slug}.md", entity.render_entity(made))
    if kind == "vault":
        return Note(f"memory/vault/{slug}.md", vault.render_vault(vault.Vault(slug, name, row)))
    made_steps = procedure.Procedure(slug, name, steps=(row, row))
    return Note(f"memory/procedures/{slug}.md", procedure.render_procedure(made_steps))


workspaces = st.lists(notes(), min_size=1, max_size=6).map(
    lambda found: tuple(sorted({one.path: one for one in found}.values(), key=lambda one: one.path))
)


def come_back(form: Format, given_notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """The notes of the files as they are read from a disk."""
    assert form.pack is not None
    assert form.unpack is not None
    files = folder.read_back(form.pack(given_notes))
    return tuple(sorted(form.unpack(files), key=lambda one: one.path))


@each_format
@settings(max_examples=120, deadline=None)
@given(found=workspaces)
def test_odd_memories_come_back_over_the_disk(form: Format, found: tuple[Note, ...]) -> None:
    if form.name == "openclaw":
        found = tuple(one for one in found if "/." not in one.path)
    back = come_back(form, found)
    assert [one.path for one in back] == [one.path for one in found]
    assert back == found
    assert send.list_memories(back) == send.list_memories(found)


@each_format
@pytest.mark.parametrize("body", BODIES)
def test_every_odd_body_comes_back_under_every_kind_of_name(form: Format, body: str) -> None:
    # A hidden file of OpenClaw's workspace stays where it is, and the export says so.
    every = sorted({*NAMES} - ({".hidden"} if form.name == "openclaw" else set()))
    found = tuple(Note(f"memory/notes/{make_file_name(name)}.md", body) for name in every)
    assert come_back(form, found) == found


def make_odd_agent(root: Path) -> None:
    """A workspace with every name and body, as a person commits them."""
    assert main(["init", str(root)]) == 0
    folder_of = root / "memory/notes"
    folder_of.mkdir()
    taken: set[str] = set()
    for number, name in enumerate(sorted(set(NAMES))):
        plain = normalize("NFC", name).casefold()
        if plain in taken or plain.endswith(".") or not plain.isprintable():
            continue
        taken.add(plain)
        body = BODIES[number % len(BODIES)]
        (folder_of / f"{make_file_name(name)}.md").write_bytes(body.encode())
    for number, body in enumerate(BODIES):
        (folder_of / f"body {number}.md").write_bytes(body.encode())
    day = root / "memory/episodes/1969-12-31.md"
    entry = episodes.Episode("1969-12-31", "23:59", "event", text="Before all clocks.")
    day.parent.mkdir(exist_ok=True)
    day.write_text(episodes.render("1969-12-31", (entry,)), encoding="utf-8")
    for command in (("add", "-A"), ("commit", "-qm", "what there was")):
        subprocess.run(("git", *command), cwd=root, check=True, capture_output=True)


def read_notes(root: Path) -> dict[str, bytes]:
    tree = workspace.find(str(root)).head()
    every = (path for path in tree.entries() if path.startswith("memory/notes/"))
    return {path: tree.read(path) or b"" for path in every}


@each_format
def test_an_odd_workspace_comes_back_to_the_byte(
    form: Format, tmp_path: Path, copy: Copy, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = copy(tmp_path / "agent", make_odd_agent)
    fresh = copy(tmp_path / "fresh", make_fresh)
    target = str(tmp_path / ("out.json" if form.name == "mem0" else "out"))
    capsys.readouterr()
    assert main(["--workspace", str(agent), "--json", "export", "--to", form.name, target]) == 0
    named = {one["what"] for one in json.loads(capsys.readouterr().out)["lacks"]}

    back = ("--actor", "manual", "--workspace", str(fresh), "--json", "import", "--restore")
    assert main([*back, "--from", form.name, target]) == 0
    kept = {one["what"] for one in json.loads(capsys.readouterr().out)["kept"]}
    want, got = read_notes(agent), read_notes(fresh)
    other = {path for path in want if got.get(path) != want[path]}
    assert other <= named | kept, "what does not come back is named"
    assert len(other) < 3
    days = [one for one in inventory.list_ids(workspace.find(str(fresh)).head()) if "1969" in one]
    assert days == ["episode:1969-12-31:23:59"]


@each_format
def test_an_editor_that_ends_lines_its_own_way_changes_nothing(
    form: Format, tmp_path: Path, copy: Copy, capsys: pytest.CaptureFixture[str]
) -> None:
    if form.name == "mem0":
        pytest.skip("one JSON file, whose lines are no lines of a note")
    agent = copy(tmp_path / "agent", make_odd_agent)
    out = tmp_path / "out"
    assert main(["--workspace", str(agent), "export", "--to", form.name, str(out)]) == 0
    for file in out.rglob("body 1*.md"):
        data = file.read_bytes()
        if b"\r" not in data:
            file.write_bytes("\ufeff".encode() + data.replace(b"\n", b"\r\n"))
    capsys.readouterr()
    back = ("--actor", "manual", "--workspace", str(agent), "--json", "import", "--restore")
    assert main([*back, "--from", form.name, str(out)]) == 0
    assert json.loads(capsys.readouterr().out)["paths"] == []
