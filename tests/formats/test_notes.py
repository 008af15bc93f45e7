from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from molt import tokens
from molt.formats import bullets, frontmatter, lines, procedure, sections, vault
from molt.formats import entity as entity_notes
from molt.formats import facts as formats_facts
from molt.formats.entity import Entity, Relation
from molt.formats.procedure import Procedure
from molt.formats.vault import Vault

CORE = """# MEMORY.md — Core Memory
<!-- TOKEN BUDGET -->
## Identity
<!-- ~500 tokens -->
- Name: Alex
  and more
## Active Context
## Persona
- Direct

## Critical Facts
- 猫 is a cat
"""
SEED = """# project--moltbot-memory
<!-- Type: project | Created: 2026-01-15 | Last updated: 2026-02-02 -->
<!-- Decay score: 0.95 | Access count: 14 | Pinned: no -->
## Summary
Building a memory.
## Facts
- Routing: LLM
## Relations
- Developed by: [[person--alex]]
- Inspired by: [[concept--a]], [[concept--b]]
"""
line = st.text(max_size=20).map(lambda text: lines.one_line(text).strip())
lists = st.lists(line.filter(bool), max_size=3).map(tuple)
entities = st.builds(
    Entity,
    id=st.just("tool--x"),
    type=st.sampled_from(entity_notes.ENTITY_TYPES),
    label=line.filter(bool),
    aliases=lists,
    tags=lists,
    created=st.sampled_from(["", "2026-01-15"]),
    pinned=st.booleans(),
    facts=st.sampled_from([(), ("a",), ("東京", "b [x]")]),
    relations=st.sampled_from([(), (Relation("uses", "tool--y", "confidence: high"),)]),
)


@given(entities)
def test_an_entity_rendered_and_read_is_the_same(entity: Entity) -> None:
    text = entity_notes.render_entity(entity)
    assert entity_notes.parse_entity(text, "tool--x") == entity
    assert entity_notes.render_entity(entity_notes.parse_entity(text, "tool--x")) == text


def test_procedures_and_vault_files_come_back_as_they_were() -> None:
    how = Procedure("d", "How: to", ("a",), "2026-01-01", "", False, "When.", ("x", "y"), ("n",))
    assert procedure.parse_procedure(procedure.render_procedure(how), "d") == how
    kept = Vault("p", "Passport", "Free\n\ntext", created="2026-01-01")
    assert vault.parse_vault(vault.render_vault(kept), "p") == kept


def test_the_comments_of_the_design_are_read() -> None:
    entity = entity_notes.parse_entity(SEED, "project--moltbot-memory")
    assert (entity.type, entity.created, entity.updated) == ("project", "2026-01-15", "2026-02-02")
    assert [edge.target for edge in entity.relations] == [
        "person--alex",
        "concept--a",
        "concept--b",
    ]
    assert entity.relations[0].word == "developed-by"
    assert not entity.pinned


def test_core_bullets_carry_their_block_and_lines() -> None:
    found = [(one.block, one.text, one.start, one.end) for one in bullets.core_bullets(CORE)]
    assert found == [
        ("Identity", "Name: Alex\nand more", 5, 6),
        ("Persona", "Direct", 9, 9),
        ("Critical Facts", "猫 is a cat", 12, 12),
    ]


@given(
    st.sampled_from(bullets.BLOCKS),
    line.filter(bool),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_adding_a_bullet_touches_no_other_line(
    block: str, bullet: str, end: str, final: bool
) -> None:
    text = CORE.replace("\n", end) if final else CORE.replace("\n", end).removesuffix(end)
    added = bullets.add_bullet(text, block, bullet)
    assert bullets.add_bullet(added, block, bullet) == added
    assert added.endswith(end) == final
    old, new = text.split(end), added.split(end)
    assert len(new) == len(old) + 1
    at = next(
        (n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), len(old)
    )
    assert old == new[:at] + new[at + 1 :]
    assert bullets.remove_bullet(added, block, bullet) == text


def test_a_missing_block_is_made_in_its_place() -> None:
    text = bullets.add_bullet("# M\n\n## Identity\n- a\n\n## Critical Facts\n- b\n", "Persona", "c")
    assert text == "# M\n\n## Identity\n- a\n\n## Persona\n- c\n\n## Critical Facts\n- b\n"


def test_setting_a_block_keeps_its_heading_and_comment() -> None:
    text = bullets.set_block(CORE, "Identity", ["x", "y"])
    assert text == CORE.replace("- Name: Alex\n  and more\n", "- x\n- y\n")
    assert bullets.set_block(text, "Identity", ["x", "y"]) == text


def test_a_field_is_set_without_touching_comments_or_unknown_keys() -> None:
    text = "---\r\nid: a # why\r\nweird:\r\n- 1\r\ntags: [b]\r\n---\r\nbody"
    changed = frontmatter.set_field(text, "tags", ["c", "d e"])
    assert changed == text.replace("[b]", "[c, d e]")
    assert frontmatter.set_field(text, "weird", "x") == text.replace("weird:\r\n- 1", "weird: x")
    assert frontmatter.front_matter(frontmatter.set_field("body\n", "label", "a: b")) == {
        "label": "a: b"
    }


def test_facts_and_relations_are_added_once() -> None:
    text = entity_notes.render_entity(Entity("tool--x", "tool", "X", updated="2026-01-01"))
    once = formats_facts.add_fact(text, "It is fast", "2026-02-02")
    assert formats_facts.add_fact(once, "It is fast", "2026-03-03") == once
    entity = entity_notes.parse_entity(
        entity_notes.add_relation(once, "uses", "tool--y"), "tool--x"
    )
    assert (entity.facts, entity.updated) == (("It is fast",), "2026-02-02")
    assert entity.relations == (Relation("uses", "tool--y"),)


def test_relation_words_are_those_in_backquotes() -> None:
    text = "# R\n- `uses` / `used-by` — project ↔ `tool`\n- `prefers` — x\n"
    assert entity_notes.parse_relation_words(text) == {"uses", "used-by", "prefers"}


@pytest.mark.parametrize(
    "text", ["---\na: [\n---\n", "---\n- 1\n---\n", "---\nd: 2026-13-45\n---\n"]
)
def test_bad_front_matter_is_a_value_error_and_still_readable(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        frontmatter.front_matter(text)
    assert entity_notes.parse_entity(text, "tool--x").type == "tool"


def test_headings_in_code_and_comments_are_none() -> None:
    text = "---\na: 1\n---\n# T\n```\n## no\n```\n<!--\n## no\n-->\n## Yes ##\nx\n"
    found = [(one.title, one.start, one.end) for one in sections.parse_sections(text)]
    assert found == [("T", 4, 12), ("Yes", 11, 12)]


def test_joiners_and_wide_spaces_survive() -> None:
    label = "می\u200cخواهم 👨\u200d👩 東\u3000京"
    entity = Entity("tool--x", "tool", label)
    assert entity_notes.parse_entity(entity_notes.render_entity(entity), "tool--x").label == label


@given(st.text())
def test_lines_lose_nothing(text: str) -> None:
    assert "".join(lines.split_lines(text)) == text
    sections.parse_sections(text)


def test_tokens_are_counted_without_the_network() -> None:
    assert tokens.count_tokens("hello world <|endoftext|>") > 2


OLD = "budget: 3,000 tokens (source: episode:2026-02-02:14:30)"
FACTS = f"""---
id: project--molt
updated: 2026-01-01
---
# Molt

## Facts
- {OLD}
- owner: Ada
  since the first day

## Timeline
- 2026-01-15: begun
"""


def test_a_superseded_fact_is_struck_through_and_its_successor_added() -> None:
    text = formats_facts.supersede_fact(
        FACTS, "budget: 3,000 tokens", "2026-02-03", "budget: 4,000 tokens"
    )
    assert entity_notes.parse_entity(text, "project--molt").facts == (
        f"~~{OLD}~~ (until 2026-02-03; now: budget: 4,000 tokens)",
        "owner: Ada\nsince the first day",
        "budget: 4,000 tokens",
    )
    assert "updated: 2026-02-03" in text
    assert text.endswith("\n## Timeline\n- 2026-01-15: begun\n")


def test_a_fact_of_several_lines_is_struck_through_line_by_line() -> None:
    text = formats_facts.supersede_fact(FACTS, "owner: Ada  since the first day", "2026-02-03")
    assert "- ~~owner: Ada~~\n  ~~since the first day~~ (until 2026-02-03)\n" in text


@pytest.mark.parametrize(
    ("fact", "by"), [("no such fact", "x"), ("budget: 3,000 tokens", "budget: 3,000  tokens")]
)
def test_nothing_is_superseded_by_itself_or_where_it_is_not(fact: str, by: str) -> None:
    assert formats_facts.supersede_fact(FACTS, fact, "2026-02-03", by) == FACTS


def test_a_fact_is_superseded_once_and_may_become_true_again() -> None:
    once = formats_facts.supersede_fact(
        FACTS, "owner: Ada since the first day", "2026-02-03", "owner: Bob"
    )
    assert (
        formats_facts.supersede_fact(once, "owner: Ada since the first day", "2026-02-04", "x")
        == once
    )
    again = formats_facts.supersede_fact(once, "owner: Bob", "2026-02-05", "owner: Ada")
    held = filter(formats_facts.holds, entity_notes.parse_entity(again, "project--molt").facts)
    assert list(held)[1:] == ["owner: Ada"]


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4, unique=True), st.data())
def test_only_the_lines_of_the_superseded_fact_change(words, data) -> None:
    text = FACTS
    for word in words:
        text = formats_facts.add_fact(text, word, "")
    facts = entity_notes.parse_entity(text, "project--molt").facts
    chosen = data.draw(st.sampled_from(facts))
    changed = formats_facts.supersede_fact(text, chosen, "")
    after = entity_notes.parse_entity(changed, "project--molt").facts
    if formats_facts.holds(chosen):
        at = next(
            n for n, one in enumerate(facts) if " ".join(one.split()) == " ".join(chosen.split())
        )
        assert after[:at] + after[at + 1 :] == facts[:at] + facts[at + 1 :]
        assert not formats_facts.holds(after[at])


VALUES = st.one_of(
    st.text("aZé-_./: \"\\[],#'0519yes~", max_size=8),
    st.sampled_from(("yes", "No", "null", "true", "2026-02-02", "2026-02-30", "[a, 2026-01-01]")),
    st.text('a"\\, ', max_size=6).map(lambda text: f'"{text}"'),
    st.sampled_from(("[a,]", '["a, b"]', '"x: y"', "1.5", "a b  c", "[]", "[ a , b ]", "...")),
)
KEYS = st.sampled_from(("a", "b", "label", "created", "y", "On", "a-b", "1", "a b", "", "- a"))


@given(st.lists(st.tuples(KEYS, st.sampled_from((":", ": ", ":  ", "")), VALUES), max_size=4))
def test_simple_front_matter_means_what_yaml_says(rows) -> None:
    block = "".join(f"{key}{colon}{value}\n" for key, colon, value in rows)
    simple = frontmatter._read_simple(block)
    if simple is not None:
        data = yaml.safe_load(block) or {}
        assert simple == {str(key): frontmatter._make_plain(value) for key, value in data.items()}


def test_what_molt_writes_needs_no_yaml() -> None:
    entity = Entity("a--b", "a", 'B: "c\\', ("d, e",), ("f",), "2026-01-01", pinned=True)
    block, _, _ = frontmatter.split_front_matter(entity_notes.render_entity(entity))
    assert block is not None
    simple = frontmatter._read_simple(block.replace('["d, e"]', "[d]"))
    assert simple is not None
    assert simple["label"] == 'B: "c\\'
