"""Which memory has superseded which, as files say it, and how a log and core memory show it."""

from __future__ import annotations

import pytest

from molt.formats import ids, paths, successors

OLD = "episode:2026-02-02:14:30"
STRUCK = (
    "~~lives in Oslo~~ (until 2026-02-03; now: lives in Rome (source: episode:2026-02-03:10:00))"
)
DAY = f"""# 2026-02-02 — Episode Log

## 14:30 | fact | confidence:high | tags:[]
the tram leaves at nine

## 15:00 | fact | confidence:high | tags:[] | supersedes:{OLD}
the tram leaves at ten

## 15:10 | fact | confidence:high | tags:[]
the ferry is blue
"""


def list_links(path: str, text: str) -> list[tuple[str, str]]:
    return [(one.old, one.new) for one in successors.list_successors(path, text)]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        (f"{paths.EPISODES}2026-02-02.md", DAY, [(OLD, "episode:2026-02-02:15:00")]),
        ("memory/2026-02-02.md", DAY, [(OLD, "episode:2026-02-02:15:00")]),
        (
            paths.CORE,
            f"# M\n\n## Persona\n- lives in Rome (supersedes: {OLD})\n- {STRUCK}\n",
            [
                (OLD, ids.bullet("Persona", f"lives in Rome (supersedes: {OLD})")),
                (ids.bullet("Persona", STRUCK), "episode:2026-02-03:10:00"),
            ],
        ),
        (
            f"{paths.ENTITIES}person--ada.md",
            f"# Ada\n\n## Facts\n- lives in Rome (supersedes: {OLD})\n- ~~lives in Oslo~~\n",
            [(OLD, "entity:person--ada")],
        ),
        (
            f"{paths.PROCEDURES}ship.md",
            f"---\nsupersedes: {OLD}\nsuperseded_by: procedure:sail\n---\n# Ship\n",
            [(OLD, "procedure:ship"), ("procedure:ship", "procedure:sail")],
        ),
        (f"{paths.VAULT}key.md", "---\nsuperseded_by: vault:b\n---\n", [("vault:key", "vault:b")]),
        ("memory/notes.md", f"a text that says supersedes: {OLD}\n", []),
        (paths.CORE, "# M\n\n## Persona\n- ~~lives in Oslo~~ (until 2026-02-03)\n", []),
    ],
)
def test_a_file_says_what_was_superseded(path: str, text: str, found) -> None:
    assert list_links(path, text) == found


def test_a_log_shows_what_was_superseded_behind_its_successor() -> None:
    known = {OLD: "episode:2026-02-02:15:00"}
    text = successors.mark_entries(DAY, "2026-02-02", known)
    rows = [row for row in text.split("\n") if row.startswith("## ")]
    assert [row[3:8] for row in rows] == ["15:00", "14:30", "15:10"]
    assert rows[1].endswith("| tags:[] | superseded-by:episode:2026-02-02:15:00")
    assert sorted(text.split("\n")) != sorted(DAY.split("\n"))
    last = successors.mark_entries(DAY, "2026-02-02", {OLD: "episode:2026-02-02:15:10"})
    assert (last.count("\n\n## "), last.endswith("the tram leaves at nine\n")) == (3, True)
    assert successors.mark_entries(DAY, "2026-02-02", {"episode:2026-01-01:10:00": OLD}) == DAY


def test_a_successor_on_another_day_leaves_the_order_as_it_is() -> None:
    text = successors.mark_entries(DAY, "2026-02-02", {OLD: "core:persona#12345678"})
    assert text == DAY.replace("tags:[]\nthe tram leaves at nine",
                               "tags:[] | superseded-by:core:persona#12345678\n"
                               "the tram leaves at nine")  # fmt: skip


def test_struck_bullets_stand_last_in_their_block() -> None:
    core = f"# M\n\n## Persona\n- {STRUCK}\n- likes rye\n  with butter\n\n## Critical Facts\n- a\n"
    found = successors.sort_struck(core)
    assert found == (
        f"# M\n\n## Persona\n- likes rye\n  with butter\n- {STRUCK}\n\n## Critical Facts\n- a\n"
    )
    plain = core.replace(STRUCK, "lives in Oslo")
    assert successors.sort_struck(plain) == plain
