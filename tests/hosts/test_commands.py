"""`molt session` and `molt adopt-changes`, as a host of one's own calls them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from copies import Copy
from moments import make_workspace

from molt.cli import main

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def root(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_workspace)


@pytest.fixture
def ask(root: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """What a command answers as JSON."""

    def call(*args: str, status: int = 0) -> dict[str, Any]:
        assert main(["--workspace", str(root), *args, "--json"]) == status
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return call


def test_a_start_answers_with_the_block_and_what_was_adopted(ask: Ask, root: Path) -> None:
    (root / "DREAMS.md").write_text("# Dreams\n")
    said = ask("session", "start", "--source", "resume", "--session", "s")
    assert said["source"] == "resume"
    assert said["context"].startswith("<!-- molt:memory ")
    assert [one["actor"] for one in said["adopted"]["done"]] == ["bot:openclaw-dreaming"]
    assert said["adopted"]["kept"] == []


def test_a_message_answers_with_what_it_asks_for(ask: Ask) -> None:
    said = ask("session", "prompt", "remember that I prefer tabs", "--session", "s")
    assert (said["intent"], said["payload"]) == ("remember", "I prefer tabs")
    assert set(said["stored"]) == {"id", "store", "path", "commit", "near"}
    assert said["memories"] == []
    assert ask("session", "prompt", "ok")["context"] == ""


def test_a_host_that_speaks_for_itself_is_no_person(ask: Ask) -> None:
    said = ask("session", "prompt", "remember that I prefer tabs", "--speaker", "host")
    assert (said["intent"], said["stored"], said["context"]) == ("none", None, "")


def test_a_message_may_come_on_standard_input(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.TextIOWrapper(io.BytesIO("remember that Zoë prefers tabs".encode()))
    monkeypatch.setattr(sys, "stdin", data)
    assert ask("session", "prompt", "-")["payload"] == "Zoë prefers tabs"


def test_a_flush_answers_with_both_prompts(ask: Ask) -> None:
    usage = ("--tokens", "20576", "--window", "32768", "--session", "s")
    said = ask("session", "flush", *usage)
    assert (said["flush"], said["threshold"], said["silent"]) == (True, 20_576, "NO_REPLY")
    assert "NO_REPLY" in said["prompt"]
    assert not ask("session", "flush", *usage)["flush"]
    assert ask("session", "flush", *usage, "--compaction", "1")["flush"]
    for flag in ("--heartbeat", "--read-only"):
        assert not ask("session", "flush", flag)["flush"]
    assert ask("session", "flush", *usage[:2], "--window", "9", "--soft", "0", "--reserve", "0")


def test_tokens_without_a_window_are_refused(ask: Ask) -> None:
    said = ask("session", "flush", "--tokens", "5", status=2)
    assert said["error"]["kind"] == "usage"


def test_an_answer_and_an_end_say_what_they_noted(ask: Ask) -> None:
    stored = ask("session", "prompt", "remember that the gate opens at nine")["stored"]
    assert ask("session", "turn", f"See `{stored['id']}`.") == {"used": [stored["id"]]}
    assert ask("session", "end", "--session", "s") == {"queued": True, "waiting": 1}
    assert ask("session", "end") == {"queued": False, "waiting": 1}


def test_what_breaks_a_rule_is_shown_with_status_1(ask: Ask, root: Path) -> None:
    key = "ghp_a8Zk3Lq0Wm5Rt7Yx2Bv9Nc4Jd6Fh1Ps8Ue3K"
    (root / "memory/2026-02-01-key.md").write_text(f"# Session\n\n{key}\n")
    said = ask("adopt-changes", status=1)
    assert [one["file"] for one in said["kept"]] == ["memory/2026-02-01-key.md"]
    assert said["done"] == []


def test_a_bot_adopts_what_it_names(ask: Ask, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "memory/2026-02-01.md").write_text("- The gate opens at nine.\n")
    assert ask("adopt-changes", "memory/2026-02-01.md", status=2)["error"]["kind"] == "usage"
    monkeypatch.setenv("MOLT_ACTOR", "bot:claw")
    said = ask("adopt-changes", "memory/2026-02-01.md")
    assert [one["actor"] for one in said["done"]] == ["bot:claw"]
    assert ask("adopt-changes", "memory/2026-02-01.md")["done"] == []
