"""The summary of a reflection: sections, quotes, marks, commands, and hostile words."""

from __future__ import annotations

import json

import click
import pytest
from materials import FILES, IDS, make_material

from molt.cli import main, markdown
from molt.config import DEFAULT
from molt.formats import bullets
from molt.formats.reflections import plan, summary
from molt.formats.reflections.plan import EvidenceQuote, Operation
from molt.memory.reflect import meta
from molt.memory.reflect.branches import branch
from molt.memory.reflect.material.material import ReflectionMaterial
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.reflect.summary import items, phrases, summarise

from .conftest import ENTRY

PKCE, LISBON, COFFEE, SHANGHAI = IDS
ACTIVE = next(one for one in bullets.core_bullets(FILES["MEMORY.md"]) if "storage" in one.text)
CHINESE = {
    "MEMORY.md": "# MEMORY.md\n\n## Identity\n- 用户是王小明\n",
    "memory/episodes/2026-02-02.md": (
        "# 2026-02-02\n\n## 09:00 | fact | high\n我昨天和李雷去上海出差，住了三天酒店。\n"
    ),
}


def claim(op: str, quote: str = "", source: str = PKCE, **args: object) -> Operation:
    """An operation in a model's words with a quote."""
    quotes = (EvidenceQuote(source, quote),) if quote else ()
    wording = plan.MODEL if quote else ""
    return Operation(op, args, (source,) if quote else (), "it matters", "high", 0, quotes, wording)


MOVE = claim(
    "supersede-fact",
    "I moved to Lisbon last Friday",
    LISBON,
    entity="person--alex",
    fact="lives in Berlin",
    by="lives in Lisbon",
    since="2026-01-30",
)
TASTE = claim(
    "add-fact", "I love dark roast coffee", COFFEE, entity="person--alex", fact="dark roast coffee"
).replace(wording=plan.VERBATIM)
ASK = claim("question", text="Is the flat in Berlin given up?")


def write(
    *operations: Operation,
    dropped: tuple[tuple[Operation, str], ...] = (),
    material: ReflectionMaterial | None = None,
) -> str:
    material = material or make_material()
    numbered = summarise.number_items(operations)
    stamp = ReflectionStamp("r-001", material.day, DEFAULT)
    edits = apply.apply_all(material.tree, numbered, stamp).edits
    past = meta.review_past(material)
    made = summarise.make_summary(
        summarise.Harvest(material, past, numbered, dropped, (), edits, 100)
    )
    text = summary.render_summary(made)
    assert summary.parse_summary(text) == made
    return text


def test_a_claim_stands_above_its_quote_with_its_source() -> None:
    rows = write(MOVE, TASTE).split("\n")
    at = next(at for at, row in enumerate(rows) if row.startswith("- **1.**"))
    assert rows[at : at + 3] == [
        (
            "- **1.** **Alex**: no longer “lives in Berlin”, now “lives in Lisbon” "
            "(since 2026-01-30) — *in the model's words*"
        ),
        f"  > “I moved to Lisbon last Friday” — {LISBON}",
        "  - Why: it matters",
    ]
    assert rows[at + 3 : at + 5] == [
        "- **2.** **Alex**: dark roast coffee",
        f"  > “I love dark roast coffee” — {COFFEE}",
    ]


def test_what_is_a_quotation_as_a_whole_is_shown_once() -> None:
    words = "I love dark roast coffee, but I don't drink milk."
    one = TASTE.replace(
        args={"entity": "person--alex", "fact": words}, quotes=(EvidenceQuote(COFFEE, words),)
    )
    text = write(one)
    assert text.count("dark roast") == 1
    assert f"drink milk. — {COFFEE}\n" in text


def test_the_legend_is_for_a_model_s_words_alone() -> None:
    assert write(MOVE, TASTE).count("In the model's words*:") == 1
    assert "the model's words" not in write(TASTE)


def test_several_quotes_and_steps_have_rows_of_their_own() -> None:
    one = claim("upsert-procedure", "We chose PKCE", title="Choose", steps=["compare", "decide"])
    two = EvidenceQuote(COFFEE, "I love dark roast coffee")
    text = write(one.replace(quotes=(*one.quotes, two), evidence=(PKCE, COFFEE, LISBON)))
    assert (
        "  1. compare\n  2. decide\n"
        f"  > “We chose PKCE” — {PKCE}\n  >\n  > “I love dark roast coffee” — {COFFEE}\n"
        f"  - Also from: {LISBON}\n" in text
    )


def test_nothing_that_is_written_is_hidden() -> None:
    one = claim("upsert-entity", "We chose PKCE", entity="tool:PKCE", summary="Keeps logins safe")
    more = {"facts": ["chosen"], "aliases": ["RFC 7636"], "tags": ["auth", "mobile"]}
    text = write(one.replace(args={**one.args, **more}))
    said = "Keeps logins safe; chosen (also called RFC 7636, tagged auth; mobile)"
    assert f"**PKCE** (new tool): {said} — *in" in text


def test_empty_sections_are_left_out_and_the_others_in_order() -> None:
    archive = claim("archive", memory=SHANGHAI)
    ends = {"from": "person--alex", "to": "tool:PKCE"}
    links = claim("add-relation", "We chose PKCE", relation="uses", **ends)
    learned = claim("insight", "We chose PKCE", text="Prefers what is safe")
    core = claim("rewrite-core", "We chose PKCE", add=[{"block": "Persona", "text": "Be safe"}])
    text = write(ASK, core, archive, learned, links, MOVE)
    numbers = [int(row[4]) for row in text.split("\n") if row.startswith("- **")]
    assert sorted(numbers[:2]) == [1, 2], "what edits the graph keeps its order"
    assert numbers[2:] == [3, 4, 5, 6]
    found = summary.parse_summary(text)
    titles = [one.title for one in found.sections]
    assert titles == [title for name, title in summary.SECTIONS.items() if name != "contradictions"]
    assert "**PKCE** (new tool)" in found.section("connections")
    assert 'molt reflect answer 6 "…"' in found.section("questions")
    assert "molt restore" in found.section("archival")


def test_changes_of_core_memory_are_items_with_one_diff() -> None:
    replace = claim(
        "rewrite-core", "We chose PKCE", replace=[{"bullet": ACTIVE.id, "text": "Auth"}]
    )
    add = claim("rewrite-core", "We chose PKCE", add=[{"block": "Persona", "text": "Be safe"}])
    body = summary.parse_summary(write(replace, add)).section("core")
    assert "- **1.** Active Context: “Writing the storage layer” becomes “Auth”" in body
    assert "- **2.** Add to Persona: “Be safe”" in body
    assert body.count("```diff") == 1
    assert "-- Writing the storage layer\n+- Auth (source: " in body
    drop = claim("rewrite-core", drop=[{"bullet": ACTIVE.id, "into": "person--alex"}])
    assert "- **1.** Move out of Active Context, to the facts of **Alex**: “Wri" in write(drop)


def test_a_summary_ends_with_commands() -> None:
    rows = write(MOVE, TASTE, ASK).strip().split("\n")
    assert rows[-4:] == [
        "> - `molt reflect approve r-001` takes all 3",
        '> - `molt reflect approve r-001 --except 3 --why "…"` takes all but 3',
        "> - `molt reflect approve r-001 --verbatim` takes the 2 not in the model's words",
        '> - `molt reflect reject r-001 --why "…"` takes nothing',
    ]
    moved = branch.set_number(summary.parse_summary("\n".join(rows)), 12)
    assert moved.number == 12
    assert "approve r-012" in moved.note
    assert "r-001" not in moved.note


def test_what_was_left_out_has_its_reasons() -> None:
    lie = claim("add-fact", entity="person--alex", fact="owns 77 boats")
    every = tuple((lie, f"“{number}” is not in the evidence") for number in range(30))
    body = summary.parse_summary(write(MOVE, dropped=every)).sections[-1].body
    assert "- **Alex**: owns 77 boats — “3” is not in the evidence" in body
    assert body.endswith("- 10 more, in the record")


def test_a_chinese_memory_has_a_chinese_summary() -> None:
    material = make_material(CHINESE)
    one = claim("add-fact", "住了三天酒店", entity="person:王小明", fact="在上海住了三天酒店")
    text = write(one, material=material)
    found = summary.parse_summary(text)
    assert found.language == "zh"
    assert (
        f"**王小明**（新人物）：在上海住了三天酒店 — *模型的话*\n  > “住了三天酒店” — {PKCE}"
        in text
    )
    assert "*模型的话* 表示" in found.intro
    assert "全部拒绝" in found.note


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_language_has_the_same_phrases(language: str) -> None:
    made = phrases.SummaryPhrases(language)
    known = phrases.SummaryPhrases("en")
    assert made._phrases.keys() == known._phrases.keys()
    assert all(kind in made for kind in plan.KINDS if kind != "rewrite-core")
    assert all(f"milestone.{number}" in made for number in meta.MILESTONES)


@pytest.mark.parametrize("kind", ["web", "tool", "sub-agent", "import"])
def test_a_quote_from_outside_says_so(kind: str) -> None:
    material = make_material()
    known = dict(material.memories)
    known[LISBON] = known[LISBON].replace(outside=kind)
    said = phrases.SummaryPhrases("en").fill(f"outside.{kind}")
    assert f"Friday” — {LISBON}, {said}\n" in write(MOVE, material=material.replace(memories=known))


HOSTILE = (
    "fine\n- **2.** Approved already\n## Heading\n> “yes” — episode:x\n```\n"
    "<!-- hidden <details> ![x](http://example.org/x.png) &lt;b&gt; `open *in"
)


@pytest.mark.parametrize(
    "one",
    [
        claim("add-fact", HOSTILE, entity="person--alex", fact=HOSTILE),
        claim("question", text=HOSTILE),
        claim("insight", HOSTILE, text=HOSTILE, thread=HOSTILE),
        claim("upsert-entity", HOSTILE, entity=f"tool:{HOSTILE}", facts=[HOSTILE, "two"]),
        claim("upsert-procedure", HOSTILE, title=HOSTILE, steps=[HOSTILE], trigger=HOSTILE),
        claim("rewrite-core", HOSTILE, add=[{"block": "Persona", "text": "x"}]),
        claim("contradiction", HOSTILE, first=HOSTILE, second=HOSTILE),
    ],
    ids=lambda one: str(one.op),
)
def test_no_words_fake_an_item_a_heading_or_a_quote(one: Operation) -> None:
    one = one.replace(reason=HOSTILE)
    text = write(one, dropped=((one, HOSTILE),))
    rows = text.split("\n")
    assert [row[:8] for row in rows if row.startswith("- **") and row[4].isdigit()] == ["- **1.**"]
    assert not [row for row in rows if row.startswith(("## Heading", "- Approved", "> “"))]
    shown = [row for row in rows if row.lstrip().startswith(">") and "molt reflect" not in row]
    assert sum(row.startswith("  > ") for row in shown) <= 1
    body = text.partition("```diff")[0]
    assert "\n```" not in body
    assert not [mark for mark in ("<!--", "<details>", "![x]") if f" {mark}" in body]
    terminal = click.unstyle(markdown.render_markdown(text, 40)).split("\n")
    assert [row[:4] for row in terminal if row.startswith("- ") and row[2].isdigit()] == ["- 1."]


def test_a_page_shows_words_as_they_are() -> None:
    flat = items.flatten_text
    assert flat("a <!-- b --> <details> ![x](http://example.org/x.png) c\n## d") == (
        r"a \<!-- b --> \<details> !\[x](http://example.org/x.png) c ## d"
    )
    assert flat("&lt;b&gt; and &#65;") == r"\&lt;b\&gt; and \&#65;"
    assert flat("fish & chips, R&D, 3 < 4") == "fish & chips, R&D, 3 < 4"
    assert flat("run `molt init` and `x") == r"run \`molt init\` and \`x"
    assert flat("run `molt init`") == "run `molt init`"


def test_a_secret_in_a_quote_is_not_shown() -> None:
    key = "sk-proj-Zx81kQ0vTn4LmW7yRb2Jc9Hd5Fg3Se6Ua0Po8IqWe4"
    text = write(claim("add-fact", f"the key is {key}", entity="person--alex", fact="has a key"))
    assert key not in text
    assert f"“…” — {PKCE}" in text


def test_a_terminal_has_rows_of_its_width_indented_below_their_item() -> None:
    text = (
        f"- **1.** **Alex**: {'word ' * 30}\n  > “{'quote ' * 20}” — {PKCE}\n  - Why: 因为"
        + "好" * 60
    )
    rows = click.unstyle(markdown.render_markdown(text, 60)).split("\n")
    assert [row for row in rows if markdown._count_cells(row) > 60] == []
    assert rows[0].startswith("- 1. Alex: word")
    assert rows[1].startswith("  word")
    assert sum(row.startswith("  > ") for row in rows) == 3
    assert rows[-1].startswith("    好")


def test_a_diff_in_a_summary_is_broken_by_no_text() -> None:
    before = "## A\n- one\n- two\n\n## B\n- three\n"
    after = "## A\n- one\n- ```two\n\n## B\n- three\n- four\n"
    rows = summarise.diff_blocks(before, after)
    assert rows[0] == "````diff"
    assert rows[-1] == "````"
    assert rows[1:-1] == [" ## A", "-- two", "+- ```two", "", " ## B", "+- four"]


def test_a_dry_run_gives_a_program_the_operations(ws, tmp_path, capsys) -> None:
    fact = {"op": "add-fact", "entity": "person--alex", "fact": "uses git", "evidence": [ENTRY]}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"operations": [fact]}), "utf-8")
    call = ["--workspace", ws.repo.root, "reflect", "--plan", str(path), "--dry-run"]
    assert main([*call, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["operations"]
    assert (one["n"], one["op"], one["args"]["fact"]) == (1, "add-fact", "uses git")
    assert {"evidence", "quotes", "wording", "reason", "confidence"} <= one.keys()
    assert main(call) == 0
    assert "- **1.** **Alex**: " in capsys.readouterr().out


def test_a_pull_request_has_the_same_content(ws, tmp_path, capsys) -> None:
    fact = {"op": "add-fact", "entity": "person--alex", "fact": "uses git", "evidence": [ENTRY]}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"operations": [fact]}), "utf-8")
    call = ["--workspace", ws.repo.root, "reflect"]
    assert main([*call, "--plan", str(path)]) == 0
    shown = capsys.readouterr().out.partition("\nr-001  pending")[0].strip()
    assert main([*call, "show", "--pr"]) == 0
    body = capsys.readouterr().out
    assert shown in body
    assert body.count("uses git") == shown.count("uses git")
    assert "Plan: " in body
