"""What a person wants gone: found in every store, put away, brought back, or removed for good."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from moments import BY_HAND

from molt import errors
from molt.cli import main
from molt.formats import bullets, paths
from molt.formats import message as messages
from molt.formats.meta import scores as score_file
from molt.formats.meta import tombstones
from molt.formats.prose import sayings
from molt.memory import inventory, workspace
from molt.memory.answers import context, get
from molt.memory.checks import verify
from molt.memory.forget import elsewhere, forget, matches, pins, restore
from molt.memory.forget.forget import ForgetOptions
from molt.memory.forget.matches import Wanted
from molt.memory.graph import graph, index_page
from molt.memory.recall import recall
from molt.memory.search import at as past
from molt.memory.search import search
from molt.memory.search.search import SearchOptions
from molt.memory.search.visible import Sight
from molt.memory.workspace import Workspace
from molt.repo.history import revisions
from molt.trees import DictTree, Overlay

pytestmark = pytest.mark.slow

NOW = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
SOFT, GOOD = ForgetOptions(), ForgetOptions(permanently=True)
SECRET = "the locker code is 4711"
DAY = "memory/episodes/2026-02-02.md"
ENTRY = "episode:2026-02-02:14:30"
PLACE = "entity:place--gym"
FILES = {
    "MEMORY.md": f"# M\n\n## Active Context\n- {SECRET}\n- the move to Porto\n",
    DAY: f"# 2026-02-02 — Episode Log\n\n## 14:30 | fact | confidence:high | tags:[gym]"
    f" | session:s-1\n{SECRET}\n\n## 14:30 | fact | confidence:high | tags:[]\nrain all day\n",
    "memory/graph/entities/place--gym.md": "---\nid: place--gym\ntype: place\nlabel: Gym\n"
    f"aliases: [locker 4711, the pit]\n---\n# Gym\n\n## Facts\n- {SECRET} (source: {ENTRY})\n"
    "- opens at nine\n\n## Timeline\n- 2026-02-02: locker 4711 taken\n\n## Relations\n"
    "- near [[place--port]]\n",
    "memory/graph/entities/place--port.md": "---\nid: place--port\ntype: place\nlabel: Port\n"
    "---\n# Port\n\n## Facts\n- ships\n\n## Relations\n- near [[place--gym]]\n",
    "memory/procedures/train.md": "---\nid: train\ntype: procedure\nlabel: Train\n---\n# Train\n\n"
    f"## Steps\n1. {SECRET}\n",
    "memory/vault/keys.md": f"---\nid: keys\ntype: vault\nlabel: Keys\n---\n# Keys\n\n{SECRET}\n",
    "memory/notes.md": f"# Notes\n\nplain\n\n{SECRET}\n",
    paths.PROPOSALS: "# Pending Memory Proposals\n\n---\n## Proposal #1\n- **Id**: p-0a1b2c3d\n"
    "- **From**: coder\n- **Timestamp**: 2026-02-03T10:00:00Z\n- **Trigger**: auto-detect\n"
    f"- **Suggested store**: semantic\n- **Content**: {SECRET}\n- **Entities**: []\n"
    "- **Confidence**: medium\n- **Core-worthy**: no\n- **Status**: pending\n",
}


@pytest.fixture
def full(ws: Workspace) -> Workspace:
    """A workspace in which every store says it."""
    for path, text in FILES.items():
        file = Path(ws.repo.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    ws.repo.run("add", "-A")
    ws.repo.run(
        "commit",
        "-qm",
        "[CREATE] * — a life",
        "-m",
        "Actor: manual\nApproval: approved\nTrigger: test",
    )
    ws.repo.run("tag", "start")
    return workspace.find(ws.repo.root, "manual")


def away(ws: Workspace, wanted: Wanted, options: ForgetOptions = SOFT):
    return forget.forget_matches(workspace.find(ws.repo.root, ws.named), wanted, NOW, options)


def text_of(ws: Workspace, path: str) -> str:
    return Path(ws.repo.root, path).read_text("utf-8")


def errors_of(ws: Workspace):
    return verify.judge_range(ws.repo, revisions.resolve_range(ws.repo, ["start..HEAD"])).errors


def answers(ws: Workspace, query: str = "locker code 4711") -> str:
    """All that an agent is told when it asks."""
    ws = workspace.find(ws.repo.root, ws.named)
    sight = SearchOptions(sight=Sight(NOW.timestamp(), dormant=True, archived=True))
    found = search.search(ws, query, sight)
    recalled = recall.answer_question(ws, f"what do you know about {query}?", sight)
    shown = graph.load_shown(ws.files(), ws.head(), ws.repo.cache)
    pages = [text_of(ws, paths.GRAPH_INDEX)] if os.path.exists(
        os.path.join(ws.repo.root, paths.GRAPH_INDEX)) else []  # fmt: skip
    return "\n".join(
        (
            *(one.snippet for one in found.results),
            recalled.context,
            context.build_context(ws, datetime(2026, 2, 2, 15, 0, tzinfo=UTC)),
            *(f"{one.label} {one.aliases}" for one in shown.nodes.values()),
            *(f"{one.source} {one.target}" for one in shown.edges),
            *pages,
        )
    )


def test_all_that_says_it_is_found_with_what_happens_to_each(full) -> None:
    found = matches.find_matches(full, full.head(), Wanted("LOCKER  4711"))
    effects = {(one.kind, one.store): one.effect for one in found}
    assert set(effects) == {
        *(("bullet", "core"), ("entry", "episodic"), ("alias", "semantic"), ("fact", "semantic")),
        *(("note", "procedural"), ("note", "vault"), ("paragraph", "prose")),
        ("proposal", "proposals"),
    }
    assert sum(one.kind == "fact" for one in found) == 2
    assert [one.path for one in found if one.left] == ["memory/vault/keys.md"]
    assert "edit or delete memory/vault/keys.md" in effects["note", "vault"]


@pytest.mark.parametrize("text", ["lock", "4711 banana", "rain port", "471"])
def test_what_has_other_words_is_not_found(full, text: str) -> None:
    assert matches.find_matches(full, full.head(), Wanted(text)) == ()


@pytest.fixture
def taken(monkeypatch) -> list[str]:
    """The files that are taken apart, in order."""
    found: list[str] = []
    parse = sayings.parse_sayings

    def note_path(path: str, text: str):
        found.append(path)
        return parse(path, text)

    monkeypatch.setattr(sayings, "parse_sayings", note_path)
    return found


def test_files_without_the_words_are_not_taken_apart(full, taken) -> None:
    found = matches.find_matches(full, full.head(), Wanted("rain all day"))
    assert len(found) == 1
    assert set(taken) == {DAY}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("label: Gym 8", "gym 8"),
        ("label: 'Ann''s gym'", "ann's gym"),
        ('label: "Gym \\u0041nn"', "gym ann"),
        ("label: Ｇｙｍ ﬁt", "GYM fit"),
        ("label: 體育館", "体育馆"),
        ("label: STRASSE", "straße"),
        ("label: Cafe\u0301", "café"),
        ("label: Caf\u00e9", "cafe\u0301"),
        ("label: \u1100\u1161\u11a8", "각"),
        ("label: \u212aelvin", "kelvin"),
        ("label: — No\u00a0gym", "no gym"),
        ("label: الكِتاب", "كتاب"),
        ("label: Gym", "quiet place"),
    ],
)
def test_what_is_written_otherwise_is_found(full, said: str, asked: str) -> None:
    path = "memory/graph/entities/place--quiet-place.md"
    text = f"---\nid: place--quiet-place\ntype: place\n{said}\n---\n# X\n"
    found = matches.find_matches(full, DictTree({path: text.encode()}), Wanted(asked))
    assert [one.id for one in found] == ["entity:place--quiet-place"]


def test_what_says_nothing_of_it_and_a_backslash_is_not_taken_apart(full, taken) -> None:
    said = {"memory/notes.md": "# A\n\nC:\\gyms — ''two''\n", DAY: FILES[DAY]}
    tree = DictTree({path: text.encode() for path, text in said.items()})
    assert len(matches.find_matches(full, tree, Wanted("rain all day"))) == 1
    assert taken == [DAY]


def test_of_another_tree_only_what_changed_is_taken_apart(full, taken) -> None:
    seen: matches.Seen = {}
    before = matches.find_matches(full, full.head(), Wanted("locker 4711"), seen=seen)
    taken.clear()
    assert matches.find_matches(full, full.head(), Wanted("locker 4711"), seen=seen) == before
    assert taken == []
    edits = {"memory/notes.md": b"# Notes\n\nthe locker, 4711\n", DAY: None}
    after = matches.find_matches(
        full, Overlay(full.head(), edits), Wanted("locker 4711"), seen=seen
    )
    assert taken == ["memory/notes.md"]
    assert {one.path for one in before} == {one.path for one in after} | {DAY}


def test_of_what_has_an_id_no_other_file_is_taken_apart(full, taken) -> None:
    every = {one.id: one.path for one in matches.list_sayings(full.head())}
    taken.clear()
    found = matches.find_matches(full, full.head(), Wanted(ids=(ENTRY,)))
    assert [one.id for one in found] == [ENTRY]
    assert set(taken) == {every[ENTRY]}
    # What its id does not place is looked for everywhere.
    for name in every:
        assert name in {
            one.id for one in matches.find_matches(full, full.head(), Wanted(ids=(name,)))
        }


def test_forgetting_hides_it_from_every_answer_in_one_commit(full) -> None:
    assert "4711" in answers(full)
    before = full.repo.tip()
    done = away(full, Wanted("locker 4711"))
    assert full.repo.run("rev-list", "--count", f"{before}..HEAD").strip() == "1"
    vault = FILES["memory/vault/keys.md"].splitlines()[-1]
    told = answers(full).replace(vault, "", 1)
    assert [one.path for one in done.made.left] == ["memory/vault/keys.md"]
    # What is left to a person is the only one that says it.
    assert {one.id for one in _hits(full)} == {"vault:keys"}
    assert "4711" not in told.replace(SECRET, "")
    assert SECRET in text_of(full, DAY)
    assert SECRET in text_of(full, "memory/procedures/train.md")
    assert "opens at nine" in text_of(full, "memory/graph/entities/place--gym.md")
    assert "the pit" in text_of(full, "memory/graph/entities/place--gym.md")
    for path in ("MEMORY.md", "memory/notes.md", paths.PROPOSALS):
        assert "4711" not in text_of(full, path)
    assert errors_of(full) == ()


def _hits(ws: Workspace):
    sight = SearchOptions(sight=Sight(NOW.timestamp(), archived=True))
    found = search.search(workspace.find(ws.repo.root), "locker code 4711", sight).results
    return [one for one in found if "4711" in one.snippet]


def test_a_forgotten_entry_leaves_the_ids_of_others_alone(full) -> None:
    away(full, Wanted(ids=(ENTRY,)))
    (entry,) = [one for one in _all(full, "rain") if "rain all" in one.snippet]
    assert entry.id == "episode:2026-02-02:14:30:01"
    assert get.get_passage(full, entry.id).text.endswith("rain all day\n")
    with pytest.raises(errors.NotFound, match="was forgotten"):
        get.get_passage(full, ENTRY)
    assert "4711" not in get.get_passage(full, DAY).text


def _all(ws: Workspace, query: str):
    return search.search(workspace.find(ws.repo.root), query).results


def test_forgetting_an_entry_draws_no_entity_anew(full) -> None:
    index_page.freshen_index(full.repo, scores=True)
    page = Path(full.repo.root, index_page.PATH)
    before = page.stat().st_ino, page.read_text()
    away(full, Wanted(ids=(ENTRY,)))
    assert ENTRY in (full.head().read(paths.SCORES) or b"").decode()
    assert (page.stat().st_ino, page.read_text()) == before


def test_a_forgotten_entity_is_out_of_the_graph_with_what_leads_to_it(full) -> None:
    done = away(full, Wanted(PLACE))
    assert {one.kind for one in done.made.done} == {"note", "relation"}
    assert "gym" not in answers(full, "gym").lower().replace("tags:[gym]", "")
    assert "place--gym" not in text_of(full, paths.GRAPH_INDEX)
    assert SECRET in text_of(full, "memory/graph/entities/place--gym.md")
    assert errors_of(full) == ()


def test_what_leads_to_another_entity_of_a_longer_name_stays(full) -> None:
    edges = "- near [[place--gymnasium]]\n- near [[places/place--gym|the gym]]\n"
    other = "memory/graph/entities/place--pool.md"
    text = f"---\nid: place--pool\ntype: place\nlabel: Pool\n---\n# Pool\n\n## Relations\n{edges}"
    tree = Overlay(full.head(), {other: text.encode()})
    found = matches.find_matches(full, tree, Wanted(ids=(PLACE,)))
    told = {one.text for one in found if one.path == other}
    assert told == {"near [[places/place--gym|the gym]]"}


def test_forgetting_an_entity_draws_no_other_anew(full, monkeypatch) -> None:
    away(full, Wanted(ids=(ENTRY,)))
    index_page.freshen_index(full.repo, scores=True)
    monkeypatch.setattr(index_page, "draw_index", lambda *_: pytest.fail("drawn anew"))
    before = text_of(full, paths.GRAPH_INDEX)
    away(full, Wanted(ids=(PLACE,)))
    assert "place--gym" not in text_of(full, paths.GRAPH_INDEX)
    assert "place--port" in text_of(full, paths.GRAPH_INDEX)
    restore.restore_memories(full, [PLACE], NOW.timestamp())
    after = text_of(full, paths.GRAPH_INDEX)
    assert [row for row in after.split("\n") if "place--gym" not in row] == [
        row for row in before.split("\n") if "place--gym" not in row
    ]
    assert "| place--gym | place | Gym |" in after


def test_restoring_brings_back_what_was_there(full) -> None:
    before = {path: text_of(full, path) for path in FILES}
    done = away(full, Wanted("locker 4711"))
    named = [one.id for one in done.made.done]
    mine = workspace.find(full.repo.root, "manual")
    restore.restore_memories(mine, named, NOW.timestamp())
    assert {path: text_of(full, path) for path in FILES} == before
    assert restore.list_restorable(mine) == ()
    assert tombstones.parse_tombstones(text_of(full, paths.TOMBSTONES)) == ()
    assert "procedure:train" in [one.id for one in _hits(full)]
    assert errors_of(full) == ()


def test_a_part_comes_back_into_a_file_that_went_on(full) -> None:
    (bullet,) = [one for one in bullets.core_bullets(FILES["MEMORY.md"]) if "4711" in one.text]
    away(full, Wanted(ids=(bullet.id,)))
    path = Path(full.repo.root, "MEMORY.md")
    path.write_text(path.read_text() + "- and more\n")
    full.repo.run("commit", "-qam", "more")
    restore.restore_memories(workspace.find(full.repo.root, "manual"), [bullet.id], 0.0)
    kept = [one.text for one in bullets.core_bullets(path.read_text())]
    assert sorted(kept) == sorted((SECRET, "the move to Porto", "and more"))


def test_what_was_taken_out_of_a_file_is_listed_until_it_is_back(full) -> None:
    away(full, Wanted("locker 4711"))
    mine = workspace.find(full.repo.root, "manual")
    (note,) = [one for one in restore.list_restorable(mine) if one.id.startswith("memory/notes")]
    (bullet,) = [one for one in restore.list_restorable(mine) if one.id.startswith("core:")]
    assert (note.text, bullet.text) == (SECRET, SECRET)
    restore.restore_memories(mine, [note.id], NOW.timestamp())
    left = [one.id for one in restore.list_restorable(mine)]
    assert (note.id in left, bullet.id in left) == (False, True)
    away(full, Wanted(ids=(note.id,)), GOOD)
    assert note.id not in [one.id for one in restore.list_restorable(mine)]


def test_what_is_named_twice_comes_back_once(full) -> None:
    (bullet,) = [one for one in bullets.core_bullets(FILES["MEMORY.md"]) if "4711" in one.text]
    away(full, Wanted(ids=(bullet.id,)))
    mine = workspace.find(full.repo.root, "manual")
    done = restore.restore_memories(mine, [bullet.id, bullet.id], 0.0)
    assert done.made.ids == (bullet.id,)
    assert text_of(full, "MEMORY.md") == FILES["MEMORY.md"]


def test_what_was_not_forgotten_is_not_restored(full) -> None:
    with pytest.raises(errors.NotFound, match="was not forgotten"):
        restore.restore_memories(full, ["entity:place--port"], 0.0)


@pytest.mark.parametrize("actor", ["bot:main", "subagent:coder", "skill:x"])
def test_who_may_not_forget_is_refused(full, actor: str) -> None:
    other = workspace.find(full.repo.root, actor)
    with pytest.raises(errors.Refused):
        forget.forget_matches(other, Wanted("locker"), NOW, SOFT)
    with pytest.raises(errors.Refused):
        restore.restore_memories(other, [ENTRY], 0.0)
    with pytest.raises(errors.Refused):
        pins.set_pins(other, [ENTRY], 0.0, pinned=True)


def test_the_bot_that_was_told_to_forgets(full) -> None:
    other = workspace.find(full.repo.root, messages.FORGETTER)
    done = forget.forget_matches(other, Wanted("locker 4711"), NOW, SOFT)
    assert "Actor: bot:trigger-forget\nApproval: approved\n" in done.message
    assert errors_of(full) == ()


def test_what_a_bot_was_told_to_forget_is_put_away_and_not_removed(full) -> None:
    other = workspace.find(full.repo.root, messages.FORGETTER)
    before = other.repo.head().commit
    with pytest.raises(errors.Refused, match="removes nothing for good") as refused:
        forget.forget_matches(other, Wanted("locker 4711"), NOW, GOOD)
    assert "molt --actor manual forget --permanently" in refused.value.hint
    assert other.repo.head().commit == before


def test_a_bot_leaves_what_is_pinned_to_a_person(full) -> None:
    pins.set_pins(full, [ENTRY], NOW.timestamp(), pinned=True)
    other = workspace.find(full.repo.root, messages.FORGETTER)
    left = {one.id: one.effect for one in matches.find_matches(other, other.head(), Wanted("4711"))}
    assert "molt unpin" in left[ENTRY]
    away(full, Wanted(ids=(ENTRY,)))
    known = restore.list_restorable(workspace.find(full.repo.root))
    assert ["4711" in one.text for one in known if one.id == ENTRY] == [True]
    # What was put away is in no answer to a bot.
    assert {one.text for one in restore.list_restorable(other)} == {""}


def test_forgetting_for_good_leaves_no_byte(full) -> None:
    _all(full, "locker")
    past.find_moment(full.repo, "HEAD", None, NOW.timestamp())
    moment = past.find_moment(full.repo, "HEAD", None, NOW.timestamp())
    search.search(full, "locker", SearchOptions(at=moment))
    from molt.memory.touch import touch_memories

    touch_memories(full, [ENTRY, PLACE], 5.0)
    full.repo.run("rm", "-q", "memory/vault/keys.md")
    full.repo.run("commit", "-qm", "no key")
    full.repo.run("tag", "-f", "start")
    done = away(full, Wanted("locker 4711"), GOOD)
    assert forget.erase_copies(full, done) == ()
    _all(full, "gym")
    assert holding(full, b"4711") == []
    assert errors_of(full) == ()


def test_the_name_of_a_file_that_is_forgotten_for_good_is_in_no_lock(ws) -> None:
    at = ("--workspace", ws.repo.root)
    assert main(["remember", "--entity", "person:Quill", "--store", "semantic", "a fact", *at]) == 0
    assert main(["forget", "entity:person--quill", "--permanently", "--yes", *at]) == 0
    assert holding(ws, b"person--quill") == []


def holding(ws: Workspace, part: bytes) -> list[str]:
    """The files of the work tree and of molt's own folder that have some bytes."""
    root = Path(ws.repo.root)
    every = [*root.rglob("*"), *Path(ws.repo.molt_dir).rglob("*")]
    files = {one for one in every if one.is_file()}
    mine = (one for one in files if ".git" not in one.relative_to(root).parts[:1]
            or "molt" in one.relative_to(root).parts)  # fmt: skip
    return sorted(str(one.relative_to(root)) for one in mine if part in one.read_bytes())


def test_the_audit_log_is_the_same_when_made_anew(ws) -> None:
    from molt.memory.provenance import audit

    at = ("--workspace", ws.repo.root)
    assert main(["remember", SECRET, *at]) == 0
    assert main(["forget", "locker", "--permanently", "--yes", *at]) == 0
    assert audit.compare_log(ws.repo).same
    assert "4711" not in text_of(ws, paths.AUDIT_LOG)
    assert main(["remember", "another thing", *at]) == 0
    assert audit.compare_log(ws.repo).same
    assert holding(ws, b"4711") == []


def test_forgetting_by_session(full) -> None:
    found = matches.find_matches(full, full.head(), Wanted(session="s-1"))
    assert [one.id for one in found] == [ENTRY]


def grant_skill(ws: Workspace, grant: str, git) -> None:
    """A person's setting that lets a skill write what it says."""
    root = Path(ws.repo.root)
    with (root / "molt.yaml").open("a") as file:
        file.write(f"\nagents:\n  grants: ['{grant}']\n")
    git(root, "commit", "-qam", BY_HAND)


def test_forgetting_by_actor_takes_what_it_said_and_no_more(full, git) -> None:
    at = ("--workspace", full.repo.root)
    grant_skill(full, "spy memory/graph/entities/*", git)
    main(["remember", "has a pool", "--entity", "place:Gym", "--actor", "skill:spy", *at])
    main(["remember", "a rumour", "--actor", "skill:spy", *at])
    main(["remember", "a truth", *at])
    mine = workspace.find(full.repo.root, "manual")
    found = matches.find_matches(mine, mine.head(), Wanted(by="skill:*"))
    assert sorted(one.text for one in found) == ["a rumour", "has a pool (source: agent)"]


def test_forgetting_an_import(ws, tmp_path, capsys) -> None:
    source = tmp_path / "talk.jsonl"
    rows = [{"id": "a", "text": "the pool is warm", "date": "2026-01-05"}]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    at = ("--workspace", ws.repo.root)
    assert main(["import", str(source), *at]) == 0
    assert main(["forget", "--import", "talk.jsonl", "--yes", "--json", *at]) == 0
    out = capsys.readouterr().out.strip().splitlines()[-1]
    assert [one["text"] for one in json.loads(out)["forgotten"]] == ["the pool is warm"]


def test_without_a_terminal_the_list_is_the_answer(full, capsys) -> None:
    at = ("--workspace", full.repo.root)
    before = full.repo.tip()
    assert main(["forget", "locker 4711", *at]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["error"]["kind"] == "needs-answer"
    assert ENTRY in [one["id"] for one in told["matches"]]
    assert full.repo.tip() == before
    assert main(["forget", "--id", ENTRY, "--dry-run", *at]) == 0
    assert full.repo.tip() == before
    assert main(["forget", "--id", ENTRY, *at]) == 0
    assert main(["forget", "banana", *at]) == 4
    assert main(["forget", *at]) == 2
    assert main(["restore", ENTRY, *at]) == 0


def test_the_past_does_not_tell_what_was_forgotten_since(full) -> None:
    before = full.repo.tip() or ""
    away(full, Wanted("locker 4711"))
    mine = workspace.find(full.repo.root)
    moment = past.find_moment(mine.repo, before, None, NOW.timestamp())
    found = search.search(mine, "locker", SearchOptions(at=moment)).results
    assert ENTRY not in [one.id for one in found]
    assert "procedure:train" not in [one.id for one in found]


def test_a_pin_holds_until_it_is_taken_off(full) -> None:
    done = pins.set_pins(full, [ENTRY, PLACE], NOW.timestamp(), pinned=True)
    assert done.made == (ENTRY, PLACE)
    entries = score_file.parse_scores(text_of(full, paths.SCORES))["entries"]
    assert [entries[one]["pinned"] for one in (ENTRY, PLACE)] == [True, True]
    assert pins.set_pins(full, [ENTRY], 0.0, pinned=True).oid is None
    assert pins.set_pins(full, [ENTRY], 0.0, pinned=False).made == (ENTRY,)
    assert errors_of(full) == ()


def test_a_pin_in_a_note_is_taken_off_there(full) -> None:
    path = Path(full.repo.root, "memory/graph/entities/place--port.md")
    path.write_text(path.read_text().replace("label:", "pinned: true\nlabel:", 1))
    full.repo.run("commit", "-qam", "pin")
    done = pins.set_pins(full, ["entity:place--port"], NOW.timestamp(), pinned=False)
    assert done.made == ("entity:place--port",)
    assert "pinned: false" in path.read_text()
    origins = inventory.find_origins(full.files(), ["entity:place--port"])
    assert not origins["entity:place--port"].pinned


@pytest.mark.parametrize(
    ("memory", "pinned", "error"),
    [
        pytest.param("entity:tool--none", True, errors.NotFound, id="none"),
        pytest.param("core:active-context", True, errors.NotFound, id="block"),
        pytest.param("vault:keys", False, errors.Usage, id="vault"),
    ],
)
def test_what_cannot_be_pinned_is_refused(full, memory: str, pinned: bool, error) -> None:
    with pytest.raises(error):
        pins.set_pins(full, [memory], 0.0, pinned=pinned)


def test_a_saying_is_cut_without_touching_others() -> None:
    for path, text in FILES.items():
        for one in sayings.parse_sayings(path, text):
            if one.kind != sayings.NOTE:
                left = sayings.cut_sayings(text, (one,))
                ids = {other.id for other in sayings.parse_sayings(path, left)}
                assert one.id not in ids or one.kind == "entry"
                assert len(sayings.parse_sayings(path, text)) == len(ids) + 1


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(session="s-9"), "nothing came from session 's-9'"),
        (Wanted(by="bot:x", brought="a.jsonl"), "came from actor 'bot:x' and import 'a.jsonl'"),
        (Wanted("rain", session="s-9"), "nothing that says 'rain' came from session 's-9'"),
        (Wanted("no such words"), "nothing says 'no such words'"),
    ],
)
def test_what_was_not_found_is_named(full, wanted: Wanted, said: str) -> None:
    with pytest.raises(errors.NotFound, match=said):
        away(full, wanted)


def test_what_can_be_asked_for_is_named_by_its_options(full) -> None:
    with pytest.raises(errors.Usage, match="--session, --by or --import"):
        away(full, Wanted())


def test_no_list_of_what_is_put_away_says_so(ws, capsys) -> None:
    assert main(["restore", "--workspace", ws.repo.root]) == 0
    assert capsys.readouterr().err == "molt: nothing is put away\n"


def test_where_else_it_stands_is_told(full, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "old.md").write_text("one\nthe locker code was 4711\n")
    Path(full.repo.root, "USER.md").write_text("# User\n\n- Locker 4711\n")
    Path(full.repo.root, "TOOLS.md").write_text("- a drill\n")
    settings = full.config.replace(search_extra_paths=(str(beside),))
    ws = full.replace(config=settings)
    wanted = Wanted("locker 4711")
    found = matches.find_matches(ws, ws.head(), wanted)
    places = elsewhere.find_elsewhere(ws, wanted, found)
    assert [str(one) for one in places] == ["USER.md:3", f"{beside}/old.md:2"]
    assert elsewhere.describe_places(places).startswith("it stands in USER.md:3, ")
    one = matches.find_matches(ws, ws.head(), Wanted(ids=(ENTRY,)))
    assert elsewhere.find_elsewhere(ws, Wanted(ids=("none",)), ()) == ()
    assert elsewhere.describe_places(()) == ""
    assert one


def test_it_stands_in_what_is_uncommitted_below_memory_too(full) -> None:
    for path in ("memory/meta/reflections/2026/r-001.md", "memory/graph/relations.md"):
        file = Path(full.repo.root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# R\n\nplays the theremin\n")
    places = elsewhere.find_elsewhere(full, Wanted("theremin"), ())
    told = ["memory/graph/relations.md:3", "memory/meta/reflections/2026/r-001.md:3"]
    assert [str(one) for one in places] == told


def test_what_stands_elsewhere_alone_is_named(full) -> None:
    Path(full.repo.root, "USER.md").write_text("- plays the theremin\n")
    wanted = Wanted("theremin")
    told = elsewhere.describe_places(elsewhere.find_elsewhere(full, wanted, ()))
    with pytest.raises(errors.NotFound) as said:
        forget.require_matches(wanted, (), told)
    assert "USER.md:1" in said.value.hint
