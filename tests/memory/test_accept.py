"""A way out of a finding: a person takes it on record, and what judges history goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from histories import DAY, FALSE, LOG, History, entry, said

from molt import errors
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.govern import accept
from molt.memory.health import doctor
from molt.memory.provenance import audit
from molt.memory.workspace import Workspace

pytestmark = pytest.mark.slow

OFF = "policy:\n  severity: {EPI001: 'off'}\n"
FORGED = said("INIT", "*", "system:init", Adopted="none")


@pytest.fixture
def history(tmp_path: Path) -> History:
    made = History(tmp_path / "w")
    made.start()
    return made


@pytest.fixture
def ws(history: History) -> Workspace:
    history.git("reset", "-q", "--hard")
    return workspace.find(str(history.root))


def codes(ws: Workspace, *words: str) -> set[str]:
    return {one.code for _, one in verify.verify_commits(ws.repo, words).errors}


def take(ws: Workspace, *words: str, why: str = "known and fine") -> set[str]:
    """Accept as a person; the rules that were accepted."""
    return {code for _, code in accept.accept_findings(ws, words, why, "manual").accepted}


def test_what_a_person_accepts_is_an_error_no_more(history, ws) -> None:
    bad = history.commit({DAY: FALSE})
    history.commit({"a.md": "a\n"}, "in no schema\n\nActor: bot:main")
    assert codes(ws) == {"EPI001", "MSG001", "MSG004"}
    assert take(ws, bad, "EPI001", why="a typo in a name") == {"EPI001"}
    assert codes(ws) == {"MSG001", "MSG004"}
    assert take(ws, "HEAD~2..HEAD") == {"MSG001", "MSG004"}
    assert codes(ws) == set()
    first = next(one for oid, one in verify.verify_commits(ws.repo).findings if oid == bad)
    assert (first.code, first.severity) == ("EPI001", "warning")
    problems = [one.what for one in doctor.examine_workspace(ws, fix=False)]
    assert not [one for one in problems if "breaks the rules" in one]


def test_the_log_says_who_accepted_what_and_why(history, ws) -> None:
    bad = history.commit({DAY: FALSE})
    history.git("reset", "-q", "--hard")
    take(ws, "HEAD", why="the user asked for it")
    last = (Path(ws.repo.root) / audit.PATH).read_text().splitlines()[-1]
    for word in ("| ACK |", "| manual |", f"EPI001 of {bad[:10]}", "the user asked for it"):
        assert word in last
    assert history.git("diff", "HEAD^", "HEAD") == ""
    assert history.git("status", "--porcelain", "-uno") == ""
    log = (Path(ws.repo.root) / audit.PATH).read_bytes()
    audit.rebuild(ws.repo)
    assert (Path(ws.repo.root) / audit.PATH).read_bytes() == log


def test_each_range_that_ends_behind_the_answer_is_green(history, ws) -> None:
    base = history.tip
    bad = history.commit({DAY: FALSE})
    take(ws, bad)
    assert codes(ws, f"{base}..HEAD") == set()
    assert codes(ws, f"{base}..{bad}") == {"EPI001"}


def test_only_what_leads_to_an_answer_is_accepted_by_it(history, ws) -> None:
    base = history.tip
    bad = history.commit({DAY: FALSE})
    take(ws, bad)
    answer = history.git("rev-parse", "HEAD")
    other = history.commit({DAY: FALSE, "a.md": "a\n"}, "", base)
    assert codes(ws, f"{base}..{other}") == {"EPI001"}
    text = history.git("log", "-1", "--format=%B", answer).replace(bad, other)
    history.commit({}, text, base)
    merged = history.commit({DAY: FALSE}, "Merge branch 'x'", history.tip, other)
    assert (other, "EPI001") in {
        (oid, one.code) for oid, one in verify.verify_commits(ws.repo, [merged]).errors
    }


@pytest.mark.parametrize("text", ["bot:main", "manual"])
def test_only_a_person_accepts(history, ws, text) -> None:
    bad = history.commit({DAY: FALSE})
    with pytest.raises(errors.Refused):
        accept.accept_findings(ws, [bad], "because", "bot:main")
    history.commit({}, said("ACK", "*", text, Accepts=f"{bad} EPI001"))
    assert codes(ws) == ({"EPI001"} if text == "bot:main" else set())


def test_no_short_id_and_no_other_action_accepts(history, ws) -> None:
    bad = history.commit({DAY: FALSE})
    history.commit({}, said("ACK", "*", Accepts=f"{bad[:12]} EPI001"))
    history.commit({"a.md": "a\n"}, said("CREATE", "a.md", Accepts=f"{bad} EPI001"))
    assert codes(ws) == {"EPI001"}


def test_an_answer_that_is_refused_itself_accepts_nothing(history, ws) -> None:
    bad = history.commit({DAY: FALSE})
    history.commit({"a.md": "a\n"}, said("ACK", "*", Accepts=f"{bad} EPI001"))
    assert codes(ws) == {"EPI001", "MSG007"}


def test_a_bot_in_the_vault_is_never_accepted(history, ws) -> None:
    path = "memory/vault/a.md"
    bad = history.commit({path: "---\nid: a\n---\n"}, said("CREATE", path, "bot:main"))
    with pytest.raises(errors.Refused, match="VAULT001"):
        take(ws, bad)
    history.commit({}, said("ACK", "*", Accepts=f"{bad} VAULT001"))
    assert "VAULT001" in codes(ws)


def test_a_breach_with_what_loosens_its_rule_is_never_accepted_together(history, ws) -> None:
    base = history.tip
    history.commit({"molt.yaml": OFF})
    bad = history.commit({DAY: FALSE})
    with pytest.raises(errors.Refused, match="EPI001"):
        take(ws, f"{base}..HEAD")
    history.commit({}, said("ACK", "*", Accepts=f"{bad} EPI001"))
    assert codes(ws, f"{base}..HEAD") == {"EPI001"}


def test_a_forged_adoption_is_never_accepted(history, ws) -> None:
    history.commit({"molt.yaml": None}, said("DELETE", "molt.yaml"))
    forged = history.commit({"molt.yaml": OFF}, FORGED)
    with pytest.raises(errors.Refused, match="HIST003"):
        take(ws, forged)
    history.commit({}, said("ACK", "*", Accepts=f"{forged} HIST003"))
    assert "HIST003" in codes(ws)


def test_a_history_that_was_rewritten_on_purpose_is_accepted(history, ws) -> None:
    base = history.tip
    old = history.commit({DAY: LOG + entry("A password.")})
    history.commit({"a.md": "a\n"}, "", base)
    assert {"HIST001", "EPI001"} <= take(ws, f"{old}..HEAD", why="a password was in it")
    assert codes(ws, f"{old}..HEAD") == set()


@pytest.mark.parametrize(
    ("words", "why", "error"),
    [
        ((), "x", errors.Usage),
        (("EPI001",), "x", errors.Usage),
        (("HEAD",), " ", errors.Usage),
        (("HEAD",), "x", errors.NotFound),
        (("nosuch",), "x", errors.NotFound),
        (("-n1",), "x", errors.NotFound),
        (("-n1..HEAD",), "x", errors.Usage),
    ],
)
def test_what_makes_no_sense_is_said(history, ws, words, why, error) -> None:
    before = history.git("rev-parse", "HEAD")
    with pytest.raises(error):
        take(ws, *words, why=why)
    assert history.git("rev-parse", "HEAD") == before


def test_nothing_is_said_in_the_middle_of_something(history, ws) -> None:
    bad = history.commit({DAY: FALSE})
    (history.root / ".git/MERGE_HEAD").write_text(f"{bad}\n")
    with pytest.raises(errors.Failed, match="merge"):
        take(ws, bad)
    (history.root / ".git/MERGE_HEAD").unlink()
    history.git("checkout", "-q", "--detach")
    with pytest.raises(errors.Failed, match="no branch"):
        take(ws, bad)


def test_what_is_accepted_already_is_not_accepted_again(history, ws) -> None:
    bad = history.commit({DAY: FALSE})
    take(ws, bad)
    with pytest.raises(errors.NotFound, match="nothing to accept"):
        take(ws, bad)


def test_a_name_that_is_another_commits_too_accepts_nothing(history, ws) -> None:
    bad = history.commit({DAY: FALSE})
    short = history.commit({"a.md": "a\n"}, "in no schema\n\nActor: bot:main")[:10]
    history.git("tag", short, bad)
    history.git("reset", "-q", "--hard")
    with pytest.raises(errors.Usage, match="two refs, or a ref and a commit"):
        take(ws, short)
    assert codes(ws) == {"EPI001", "MSG001", "MSG004"}


def test_a_range_is_accepted_with_what_may_not_leave(history, ws) -> None:
    history.commit({"memory/a.md": "a\n"}, said("CREATE", "memory/a.md"))
    draft = history.commit({"memory/b.md": "b\n"}, "fixup! [CREATE] memory/a.md\n")
    assert (draft, "MSG001") in accept.accept_findings(
        ws, [f"{draft}^..{draft}"], "fine", "manual"
    ).accepted
