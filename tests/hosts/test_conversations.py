"""Conversations of hosts that keep none themselves: nothing is lost, what is broken is mended."""

from __future__ import annotations

import io
import itertools
import json
import multiprocessing
import os
import random
import signal
import stat
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from copies import Copy
from moments import NOW, make_workspace

from molt import errors
from molt.cli import main
from molt.hosts.conversations import repair, store, talks, transcript
from molt.memory import workspace
from molt.memory.search import sessions
from molt.memory.talks import blanked, ended
from molt.repo import find, state
from molt.repo.repository import Repo

fork = multiprocessing.get_context("fork")
KEY = "agent:main:direct:ada"


@pytest.fixture
def root(tmp_path: Path, copy: Copy) -> Path:
    return copy(tmp_path / "agent", make_workspace)


@pytest.fixture
def repo(root: Path) -> Repo:
    return find.find_repo(str(root))


def say(
    repo: Repo, text: str = "Good morning", *, key: str = KEY, now: datetime = NOW, **rules: Any
) -> talks.Appended:
    message = {"role": "user", "content": text}
    return talks.append_turn(repo, key, message, now=now, rules=talks.AppendRules(**rules))


def append(repo: Repo, role: str, content: Any, **fields: Any) -> None:
    message = {"role": role, "content": content, **fields}
    talks.append_turn(repo, KEY, message, now=NOW, rules=talks.AppendRules())


def call(name: str) -> list[dict[str, Any]]:
    return [{"type": "toolCall", "id": name, "name": "bash", "arguments": {}}]


def texts(repo: Repo, key: str = KEY) -> list[str]:
    """The texts of all turns of a key's session, in order, joined turns apart."""
    found = talks.read_talk(repo, key)
    blocks = [one["content"] for one in found.turns]
    return [
        text
        for block in blocks
        for text in ([block] if isinstance(block, str) else [one["text"] for one in block])
    ]


def file_of(repo: Repo, key: str = KEY) -> Path:
    return Path(store.find_path(repo, talks.read_talk(repo, key).conversation.file))


def test_what_is_kept_is_for_its_owner_alone(repo: Repo) -> None:
    say(repo)
    folder = Path(store.find_path(repo))
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert (stat.S_IMODE(folder.stat().st_mode), modes) == (0o700, {0o600})
    say(repo)
    assert stat.S_IMODE((folder / "store.json").stat().st_mode) == 0o600


def _write_many(root: str, writer: int) -> None:
    repo = find.find_repo(root)
    for number in range(10):
        say(repo, f"{writer}-{number}", key=f"key-{writer % 2}")


def test_eight_writers_on_one_store_lose_nothing(repo: Repo) -> None:
    writers = [fork.Process(target=_write_many, args=(repo.root, one)) for one in range(8)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert [one.exitcode for one in writers] == [0] * 8
    for key in (0, 1):
        found = texts(repo, f"key-{key}")
        assert sorted(found) == sorted(f"{w}-{n}" for w in range(key, 8, 2) for n in range(10))
        for writer in range(key, 8, 2):
            own = [one for one in found if one.startswith(f"{writer}-")]
            assert own == [f"{writer}-{number}" for number in range(10)]
        assert talks.read_talk(repo, f"key-{key}").conversation.turns == 40


def _write_on(root: str, writer: int, life: int, log: str) -> None:
    """Say numbers, each of them noted once it is kept, and wait to be killed. However fast that
    goes, what all lives say is not enough to fill a transcript.
    """
    repo = find.find_repo(root)
    with open(log, "ab", buffering=0) as kept:
        for number in range(life * 1000, life * 1000 + 100):
            say(repo, f"{writer}-{number} {'x' * (number % 7 * 3_000)}", key=f"key-{writer % 3}")
            kept.write(b"%d\n" % number)
    signal.pause()


def _start_writer(repo: Repo, folder: Path, writer: int, life: int) -> Any:
    args = (repo.root, writer, life, str(folder / f"log-{writer}"))
    process = fork.Process(target=_write_on, args=args, daemon=True)
    process.start()
    return process


def _kill(process: Any) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def test_120_kills_of_eight_writers_lose_nothing(repo: Repo, tmp_path: Path) -> None:
    """What was noted as kept is there, once and in its order; besides it only what was on its way
    at a kill is, and no line is broken.
    """
    chance = random.Random(7)
    lives = itertools.count(1)
    writers = [_start_writer(repo, tmp_path, one, 0) for one in range(8)]
    for _ in range(120):
        time.sleep(chance.random() * 0.02)
        one = chance.randrange(8)
        _kill(writers[one])
        writers[one] = _start_writer(repo, tmp_path, one, next(lives))
    for process in writers:
        _kill(process)
    for key in range(3):
        say(repo, "9-0 last", key=f"key-{key}")
    for key in range(3):
        found = talks.read_talk(repo, f"key-{key}")
        assert not [one for one in found.repairs if "broken" in one]
        said = [one.split()[0].split("-") for one in texts(repo, f"key-{key}")]
        assert found.conversation.turns == len(said)
        for writer in range(key, 8, 3):
            mine = [int(number) for name, number in said if name == str(writer)]
            noted = set(map(int, (tmp_path / f"log-{writer}").read_text().split()))
            assert mine == sorted(set(mine))
            assert noted <= set(mine)
            more = set(mine) - noted
            assert len({number // 1000 for number in more}) == len(more)
            assert all(number % 1000 == 0 or number - 1 in noted for number in more)
    ends = [one.rpartition(".")[2] for one in os.listdir(store.find_path(repo))]
    assert sorted(ends) == ["json", *["jsonl"] * 3]


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param(b'{"type":"mess', id="a line that is torn"),
        pytest.param(
            b'{"type":"message","id":"1","message":{"role":"user","content":"x"}}\n', id="whole"
        ),
    ],
)
def test_what_a_dead_writer_did_not_finish_is_undone(repo: Repo, rest: bytes) -> None:
    say(repo, "one")
    path = file_of(repo)
    with state.lock(repo.common_dir, store.FOLDER) as held:
        held.note(f"{path.name}\t{path.stat().st_size}\n")
        with path.open("ab") as file:
            file.write(rest)
        assert texts(repo) == ["one"]
    say(repo, "two")
    assert texts(repo) == ["one", "two"]
    assert path.read_bytes().count(b"\n") == 2


def test_a_first_turn_that_was_not_finished_leaves_no_file(repo: Repo) -> None:
    say(repo, "one")
    stray = file_of(repo).with_name("0123456789abcdef.jsonl")
    stray.write_bytes(b"{")
    with state.lock(repo.common_dir, store.FOLDER) as held:
        held.note(f"{stray.name}\t0\n")
    say(repo, "two")
    assert not stray.exists()


@pytest.mark.parametrize("note", ["", "x", "../../config\t0\n", "store.json\t0\n", "a.jsonl\t1"])
def test_a_note_that_says_nothing_undoes_nothing(repo: Repo, note: str) -> None:
    say(repo, "one")
    stray = Path(store.find_path(repo, "a.jsonl"))
    stray.write_bytes(b"{}\n")
    config = Path(repo.common_dir, "config").read_bytes()
    with state.lock(repo.common_dir, store.FOLDER) as held:
        held.note(note)
    say(repo, "two")
    assert texts(repo) == ["one", "two"]
    assert stray.read_bytes() == b"{}\n"
    assert Path(repo.common_dir, "config").read_bytes() == config


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        pytest.param(lambda text: text.replace("two", "2"), ["one", "2", "three"], id="shorter"),
        pytest.param(
            lambda text: text.replace("two", "two and a half"),
            ["one", "two and a half", "three"],
            id="longer",
        ),
        pytest.param(lambda text: text + text, ["one", "two", "three"] * 2, id="twice"),
        pytest.param(lambda text: text[:-1], ["one", "two", "three"], id="no end"),
        pytest.param(lambda text: "\n" + text, ["one", "two", "three"], id="empty line"),
        pytest.param(lambda text: "# note\n" + text, ["one", "two", "three"], id="a note"),
        pytest.param(lambda text: "".join(text.splitlines(True)[1:]), ["two", "three"], id="cut"),
        pytest.param(lambda _text: "", [], id="emptied"),
    ],
)
def test_a_transcript_that_a_person_edited_is_read_as_it_is(
    repo: Repo, edit: Callable[[str], str], said: list[str]
) -> None:
    for text in ("one", "two", "three"):
        say(repo, text)
    path = file_of(repo)
    path.write_text(edit(path.read_text()))
    assert texts(repo) == said
    say(repo, "four")
    assert texts(repo) == [*said, "four"]


def test_lines_that_a_disk_has_lost_are_left_out(repo: Repo) -> None:
    say(repo, "one")
    say(repo, "two")
    path = file_of(repo)
    path.write_bytes(path.read_bytes()[:-9])
    assert texts(repo) == ["one"]
    assert "broken lines" in talks.read_talk(repo, KEY).repairs[0]
    say(repo, "three")
    assert texts(repo) == ["one", "three"]


def test_a_call_without_a_result_gets_an_error(repo: Repo) -> None:
    append(repo, "user", "list the files")
    append(repo, "assistant", call("c1"))
    append(repo, "user", "well?")
    turns = talks.read_talk(repo, KEY).turns
    assert [one["role"] for one in turns] == ["user", "assistant", "toolResult", "user"]
    assert (turns[2]["toolCallId"], turns[2]["isError"]) == ("c1", True)
    assert turns[2]["content"][0]["text"] == repair.NO_RESULT


def test_a_result_that_came_later_stands_behind_its_call(repo: Repo) -> None:
    append(repo, "user", "list the files")
    append(repo, "assistant", [*call("c1"), *call("c2")])
    append(repo, "user", "well?")
    append(repo, "toolResult", "b.txt", toolCallId="c2")
    append(repo, "toolResult", "a.txt", toolCallId="c1")
    turns = talks.read_talk(repo, KEY).turns
    assert [one["content"] for one in turns[2:]] == ["a.txt", "b.txt", "well?"]
    assert len(talks.read_talk(repo, KEY).repairs) == 2


def test_an_id_that_is_used_again_has_its_own_results(repo: Repo) -> None:
    append(repo, "user", "list the files")
    for result in ("", "second", "third"):
        append(repo, "assistant", call("c1"))
        if result:
            append(repo, "toolResult", result, toolCallId="c1")
    results = [one for one in talks.read_talk(repo, KEY).turns if one["role"] == "toolResult"]
    assert [one.get("isError", False) for one in results] == [True, False, False]
    assert [one["content"] for one in results[1:]] == ["second", "third"]


def test_a_result_without_a_call_and_a_second_one_are_left_out(repo: Repo) -> None:
    append(repo, "user", "list the files")
    append(repo, "toolResult", "early", toolCallId="c1")
    append(repo, "assistant", call("c1"))
    append(repo, "toolResult", "a.txt", toolCallId="c1")
    append(repo, "toolResult", "again", toolCallId="c1")
    found = talks.read_talk(repo, KEY)
    assert [one["content"] for one in found.turns if one["role"] == "toolResult"] == ["a.txt"]
    assert len(found.repairs) == 2


def test_roles_alternate_and_a_user_begins(repo: Repo) -> None:
    append(repo, "assistant", "Hello")
    append(repo, "user", "one")
    append(repo, "user", [{"type": "text", "text": "two"}])
    found = talks.read_talk(repo, KEY)
    assert [one["role"] for one in found.turns] == ["user", "assistant", "user"]
    assert texts(repo) == [repair.OPENING, "Hello", "one", "two"]


def test_what_needs_no_repair_stays_as_it_is(repo: Repo) -> None:
    append(repo, "user", "list the files")
    append(repo, "assistant", call("c1"))
    append(repo, "toolResult", "a.txt", toolCallId="c1")
    append(repo, "assistant", "There is one.")
    assert talks.read_talk(repo, KEY).repairs == ()


def test_a_compaction_keeps_a_summary_and_the_last_turns(repo: Repo) -> None:
    for text in ("one", "two", "three"):
        say(repo, text)
    assert (
        talks.compact(repo, KEY, "They counted.", now=NOW, rules=talks.CompactRules(1)).compactions
        == 1
    )
    assert texts(repo) == [f"{transcript.SUMMARY}\n\nThey counted.", "three"]
    say(repo, "four")
    talks.compact(repo, KEY, "On they went.", now=NOW, rules=talks.CompactRules(2))
    assert texts(repo) == [f"{transcript.SUMMARY}\n\nOn they went.", "three", "four"]
    talks.compact(repo, KEY, "Enough.", now=NOW, rules=talks.CompactRules(0))
    assert texts(repo) == [f"{transcript.SUMMARY}\n\nEnough."]


def test_a_compaction_parts_no_call_from_its_result(repo: Repo) -> None:
    append(repo, "user", "list the files")
    append(repo, "assistant", [*call("c1"), *call("c2")])
    append(repo, "toolResult", "a.txt", toolCallId="c1")
    append(repo, "toolResult", "b.txt", toolCallId="c2")
    talks.compact(repo, KEY, "Files.", now=NOW, rules=talks.CompactRules(1))
    found = talks.read_talk(repo, KEY)
    roles = [one["role"] for one in found.turns]
    assert (roles, found.repairs) == (["user", "assistant", "toolResult", "toolResult"], ())


def at(day: int, hours: int, minutes: int) -> timedelta:
    """A time of a month, from the day before its first."""
    return timedelta(days=day, hours=hours, minutes=minutes)


@pytest.mark.parametrize(
    ("before", "after", "idle", "begun"),
    [
        pytest.param(at(2, 23, 0), at(3, 3, 59), 0, "", id="before four"),
        pytest.param(at(2, 23, 0), at(3, 4, 0), 0, "daily", id="at four"),
        pytest.param(at(3, 3, 59), at(3, 4, 1), 0, "daily", id="two minutes, over four"),
        pytest.param(at(3, 4, 0), at(4, 3, 59), 0, "", id="a whole day"),
        pytest.param(at(3, 9, 0), at(3, 9, 30), 30, "", id="not idle for longer"),
        pytest.param(at(3, 9, 0), at(3, 9, 31), 30, "idle", id="idle"),
        pytest.param(at(3, 9, 0), at(3, 8, 0), 30, "", id="a clock that was set back"),
    ],
)
def test_a_session_ends_at_four_or_idle(
    repo: Repo, before: timedelta, after: timedelta, idle: int, begun: str
) -> None:
    zone = ZoneInfo("Asia/Tokyo")
    month = datetime(2026, 1, 31, tzinfo=zone)
    first = say(repo, now=month + before)
    second = say(repo, now=month + after, idle=idle)
    assert (first.begun, second.begun) == ("first", begun)
    assert (first.conversation.session == second.conversation.session) == (not begun)


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        pytest.param((3, 28), 7, id="into summer"),
        pytest.param((10, 24), 9, id="into winter"),
        pytest.param((2, 2), 8, id="any day"),
    ],
)
def test_four_is_four_on_the_day_that_the_clocks_change(
    repo: Repo, day: tuple[int, int], hours: int
) -> None:
    """From 20:00 to 04:00 by the clock on the wall, in hours that go by."""
    zone = ZoneInfo("Europe/Berlin")
    evening = datetime(2026, *day, 20, 0, tzinfo=zone).astimezone(UTC)
    four = evening + timedelta(hours=hours)
    say(repo, now=evening.astimezone(zone))
    assert say(repo, now=(four - timedelta(minutes=1)).astimezone(zone)).begun == ""
    assert say(repo, now=four.astimezone(zone)).begun == "daily"
    assert say(repo, now=(four + timedelta(hours=23)).astimezone(zone)).begun == ""


def test_a_traveller_keeps_the_session(repo: Repo) -> None:
    """Who flies west has 04:00 again, and has slept once."""
    tokyo, berlin = ZoneInfo("Asia/Tokyo"), ZoneInfo("Europe/Berlin")
    say(repo, now=datetime(2026, 2, 3, 5, 0, tzinfo=tokyo))
    assert say(repo, now=datetime(2026, 2, 3, 3, 0, tzinfo=berlin)).begun == ""
    assert say(repo, now=datetime(2026, 2, 3, 4, 0, tzinfo=berlin)).begun == "daily"


def test_a_clock_that_was_years_ahead_stops_nothing_later(repo: Repo) -> None:
    say(repo, now=NOW + timedelta(days=20_000))
    assert say(repo, now=NOW).begun == ""
    assert say(repo, now=NOW + timedelta(days=1)).begun == "daily"


def test_what_has_ended_waits_for_a_reflection(repo: Repo) -> None:
    first = say(repo, now=NOW).conversation.session
    path = str(file_of(repo))
    say(repo, now=NOW + timedelta(days=1))
    [waiting] = ended.list_ended(repo)
    assert waiting == ended.EndedSession(first, NOW.isoformat(), "daily", path)


def test_a_new_session_counts_anew_and_the_old_one_can_be_read(repo: Repo) -> None:
    old = say(repo, "one").conversation.session
    talks.compact(repo, KEY, "One.", now=NOW, rules=talks.CompactRules(1))
    new = say(repo, "two", anew=True)
    assert (new.begun, new.conversation.compactions, new.conversation.turns) == ("new", 0, 1)
    assert texts(repo) == ["two"]
    assert talks.read_talk(repo, old).conversation.ended == "new"


def test_a_full_transcript_is_followed_by_another(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(repo)
    monkeypatch.setattr(transcript, "MOST_BYTES", 100)
    assert say(repo).begun == "full"


def test_a_talk_goes_on_from_its_last_summary_where_its_transcript_is_full(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(repo, "one")
    talks.compact(repo, KEY, "The keel is steel.", now=NOW, rules=talks.CompactRules(0))
    old = say(repo, "two").conversation.session
    monkeypatch.setattr(transcript, "MOST_BYTES", 100)
    assert say(repo, "three").begun == "full"
    begins, then = texts(repo)
    assert "The keel is steel." in begins
    assert then == "three"
    assert talks.read_talk(repo, old).conversation.ended == "full"
    assert say(repo, "four", anew=True).begun == "new"
    assert texts(repo) == ["four"]


def test_the_oldest_conversations_go(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_KEPT", 2)
    for number in range(4):
        say(repo, key=f"key-{number}", now=NOW + timedelta(minutes=number))
    assert [one.key for one in talks.list_talks(repo)] == ["key-3", "key-2"]
    assert len(os.listdir(store.find_path(repo))) == 3


def test_tokens_are_counted(repo: Repo) -> None:
    append(repo, "user", "hi")
    for _ in range(2):
        append(repo, "assistant", "ho", usage={"input": 10, "output": 3, "totalTokens": 13})
    append(repo, "assistant", "ha", usage={"input": "many", "output": -1, "totalTokens": 1e400})
    one = talks.read_talk(repo, KEY).conversation
    assert (one.input_tokens, one.output_tokens, one.context_tokens) == (20, 6, 0)


def _hold(root: str, told: Any) -> None:
    with state.lock(find.find_repo(root).common_dir, store.FOLDER):
        told.send("held")
        told.recv()


@pytest.fixture
def holder(repo: Repo) -> Any:
    """Another process that holds the lock, and how it is let go."""
    mine, its = fork.Pipe()
    process = fork.Process(target=_hold, args=(repo.root, its))
    process.start()
    assert mine.recv() == "held"
    yield process, mine
    if process.is_alive():
        process.kill()
    process.join()


def _say_soon(repo: Repo, seconds: float, told: Any) -> None:
    store._WAIT = seconds
    try:
        say(repo)
    except errors.Busy:
        told.send("busy")
    else:
        told.send("said")


def test_a_live_lock_is_not_taken_over(repo: Repo, holder: Any) -> None:
    mine, its = fork.Pipe()
    for seconds in (0.0, 60.0):
        writer = fork.Process(target=_say_soon, args=(repo, seconds, its))
        writer.start()
        if seconds:
            assert not mine.poll(0.2)
            holder[1].send("let go")
        assert mine.recv() == ("said" if seconds else "busy")
        writer.join()
        assert len(talks.list_talks(repo)) == bool(seconds)


def test_the_lock_of_a_dead_process_is_taken_over(repo: Repo, holder: Any) -> None:
    os.kill(holder[0].pid, signal.SIGKILL)
    holder[0].join()
    mine, its = fork.Pipe()
    writer = fork.Process(target=_say_soon, args=(repo, 0.0, its))
    writer.start()
    assert mine.recv() == "said"
    writer.join()


def test_the_file_of_a_lock_that_nobody_holds_is_no_lock(repo: Repo) -> None:
    Path(repo.molt_dir, "conversations.lock").write_text("4194305\n")
    say(repo)
    assert texts(repo) == ["Good morning"]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b'{"role": "system", "content": "x"}', id="a role that is none"),
        pytest.param(b'{"role": "user"}', id="no content"),
        pytest.param(b'{"role": "user", "content": []}', id="no blocks"),
        pytest.param(b'{"role": "user", "content": [1]}', id="a block that is none"),
        pytest.param(b'{"role": "toolResult", "content": "x"}', id="a result of nothing"),
        pytest.param(b'{"role": "assistant", "content": [{"type": "toolCall"}]}', id="no id"),
        pytest.param(b"[" * 100_000, id="levels"),
        pytest.param(b'"' + b"x" * transcript.MOST_TURN + b'"', id="too long"),
    ],
)
def test_what_is_no_turn_is_refused(data: bytes) -> None:
    with pytest.raises(errors.Usage):
        transcript.parse_message(data)


@pytest.mark.parametrize("key", ["", "a\nb", "x" * 257, "\udc80"])
def test_what_is_no_key_is_refused(repo: Repo, key: str) -> None:
    with pytest.raises(errors.Usage):
        say(repo, key=key)


@pytest.mark.parametrize(
    "data", ["[]", "{", '{"conversations":[1]}', '{"conversations":[{"session":"../x"}]}']
)
def test_a_damaged_store_is_named_and_left_as_it_is(repo: Repo, data: str) -> None:
    say(repo)
    path = Path(store.find_path(repo, "store.json"))
    path.write_text(data)
    with pytest.raises(errors.Failed, match="damaged"):
        say(repo)
    assert path.read_text() == data


def test_private_talks_are_searched_and_shared_ones_are_not(root: Path, repo: Repo) -> None:
    say(repo, "the harbour gate opens at nine")
    say(repo, "the whole group knows", key="agent:main:group:42")
    with (root / "molt.yaml").open("a") as file:
        file.write("\nsearch:\n  sources: [memory, sessions]\n")
    ws = workspace.find(str(root), "manual")
    ws = ws.replace(config=ws.config.replace(search_sources=("memory", "sessions")))
    found = sessions.find_sources(ws, everything=True)
    said = b"".join(found.read(path) for path in found.versions)
    assert b"harbour gate" in said
    assert b"whole group" not in said


Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What `molt session` answers as JSON to a text on standard input."""

    def answer(*args: str, stdin: str = "", status: int = 0) -> dict[str, Any]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        assert main(["--workspace", str(root), "session", *args, "--json"]) == status
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return answer


def test_a_host_keeps_a_conversation(ask: Ask) -> None:
    first = ask("append", KEY, stdin='{"role": "user", "content": "Good morning"}')
    assert (first["begun"], first["turns"], first["flushed"]) == ("first", 1, -1)
    ask("flush", "--session", first["session"], "--compaction", "0")
    assert ask("compact", KEY, "--keep", "1", stdin="Nothing yet.")["compactions"] == 1
    [listed] = ask("list")["conversations"]
    assert (listed["key"], listed["flushed"], listed["compactions"]) == (KEY, 0, 1)
    shown = ask("show", KEY)
    assert [one["role"] for one in shown["messages"]] == ["user"]
    assert os.path.isfile(shown["transcript"])


def test_a_host_is_told_what_cannot_be(ask: Ask) -> None:
    assert ask("append", KEY, stdin="hello", status=2)["error"]["kind"] == "usage"
    assert ask("show", "nobody", status=4)["error"]["kind"] == "not-found"
    assert ask("compact", "nobody", stdin="x", status=4)["error"]["kind"] == "not-found"
    assert ask("list") == {"conversations": []}


def test_a_conversation_is_deleted_with_all_that_is_kept_of_it(root: Path, repo: Repo) -> None:
    first = say(repo, "The boat is called Skua").conversation
    second = say(repo, "The dog is called Rex", anew=True).conversation
    other = say(repo, "The cat is called Mia", key="agent:main:direct:ben").conversation
    assert [one.session for one in ended.list_ended(repo)] == [first.session]
    at = ["--workspace", str(root)]
    assert main(["session", "delete", first.session, "--dry-run", *at]) == 0
    assert Path(store.find_path(repo, first.file)).exists()

    assert main(["session", "delete", first.session, *at]) == 0
    assert ended.list_ended(repo) == ()
    assert not Path(store.find_path(repo, first.file)).exists()
    assert {one.session for one in talks.list_talks(repo)} == {second.session, other.session}
    assert main(["session", "delete", first.session, *at]) == 4
    assert main(["session", "delete", KEY, *at]) == 0
    left = b"".join(path.read_bytes() for path in Path(repo.molt_dir).rglob("*") if path.is_file())
    assert b"Skua" not in left
    assert b"Rex" not in left
    assert b"Mia" in left


def test_what_is_forgotten_for_good_is_blanked_in_conversations(root: Path, repo: Repo) -> None:
    append(repo, "user", "Remember: the  Café's harbour\nrule is 'blue boats first'.")
    append(repo, "assistant", 'Noted: THE CAFÉ\'S harbour rule is "green".\\now')
    path = Path(store.find_path(repo, talks.list_talks(repo)[0].file))
    size, rows = path.stat().st_size, path.read_bytes().count(b"\n")

    values = ("The Café's harbour rule is 'blue boats first'", "harbour rule is", "now")
    assert blanked.blank_values(repo, values) >= 2
    assert (path.stat().st_size, path.read_bytes().count(b"\n")) == (size, rows)
    said = " ".join(str(turn["content"]) for turn in talks.read_talk(repo, KEY).turns)
    assert "blue boats" not in said
    assert "harbour" not in said
    assert "Noted" in said
    assert talks.read_talk(repo, KEY).repairs == ()
    assert say(repo, "later").conversation.turns == 3


def test_what_is_forgotten_is_blanked_in_any_case_of_any_letter(root: Path, repo: Repo) -> None:
    append(repo, "user", "özil LIKES ÉCLAIRS, and ÖZIL likes Éclairs 😀 ΑΘΗΝΑ")
    path = Path(store.find_path(repo, talks.list_talks(repo)[0].file))
    path.write_bytes(path.read_bytes() + json.dumps({"text": "özil likes éclairs"}).encode())
    path.write_bytes(path.read_bytes() + "ÖZIL likes éclairs".encode())
    assert blanked.blank_values(repo, ["Özil likes éclairs", "😀 αθηνα"]) == 5


def test_what_is_forgotten_is_blanked_with_other_marks_and_as_it_was_asked(
    root: Path, repo: Repo
) -> None:
    append(repo, "user", 'The zebra71, (of Ada) is kept in a "blue" box; a zebra71 and zebra712')
    assert blanked.blank_values(repo, ["the zebra71 of Ada is kept in a blue box."], "zebra71") == 2
    (said,) = (str(turn["content"]) for turn in talks.read_talk(repo, KEY).turns)
    assert said.endswith("; a ....... and zebra712")


def test_nothing_outside_is_blanked(root: Path, repo: Repo, tmp_path: Path) -> None:
    append(repo, "user", "the door code is green")
    own, path = (tmp_path / "own.jsonl"), Path(store.find_path(repo, "a0.jsonl"))
    own.write_text("the door code is green")
    path.symlink_to(own)
    os.mkfifo(path.with_name("b0.jsonl"))
    assert blanked.blank_values(repo, ["The door code is green"]) == 1
    assert own.read_text() == "the door code is green"
