"""The queue at a remote: who was late goes first, and nobody waits for who was ended."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from molt.cli import clock
from molt.memory import sync as syncing
from molt.memory import workspace
from molt.repo import push_queue, state
from molt.repo.push_queue import PushQueue

pytestmark = pytest.mark.slow
BRANCH = "refs/heads/main"


def hub(clone: Any) -> Path:
    return Path(clone.root.parent / "hub.git")


def list_tickets(clone: Any) -> list[str]:
    return str(clone.git("ls-remote", "origin", "refs/molt/turns/*")).splitlines()


def make_queue(clone: Any, *, later: float = 0.0) -> PushQueue:
    repo = workspace.find(str(clone.root)).repo
    with state.lock(repo.git_dir, "sync") as lock:
        return PushQueue(repo, "origin", BRANCH, lock.clock() + int(later * 1e9))


def fetch(clone: Any, queue: PushQueue) -> str:
    clone.git("fetch", "-q", "--prune", "origin", f"+{BRANCH}:refs/remotes/origin/main")
    clone.git("fetch", "-q", "--prune", "origin", queue.fetched)
    return str(clone.git("rev-parse", "origin/main")).strip()


def sync_beside(clone: Any) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "molt", "--workspace", str(clone.root), "--quiet", "sync"]
    return subprocess.Popen(words, stderr=subprocess.PIPE, text=True)


def sync(clone: Any) -> Any:
    return syncing.sync_workspace(workspace.find(str(clone.root)), clock.now("UTC"))


def test_who_holds_a_ticket_is_waited_for_and_a_ticket_goes_with_its_push(clones) -> None:
    one, two = clones("one", "two")
    one.molt("hooks", "install", "--server", str(hub(one)))
    one.remember("The lamp is lit at dusk")
    two.remember("The ferry sails at eight")
    with make_queue(one) as queue:
        oid = fetch(one, queue)
        assert queue.await_turn(oid, late=True) is False, "nobody is in front"
        assert len(list_tickets(one)) == 1
        beside = sync_beside(two)
        while len(list_tickets(one)) < 2:
            assert beside.poll() is None, "it pushed although another was first"
            time.sleep(0.05)
        head = one.git("rev-parse", "HEAD").strip()
        assert queue.push(f"{head}:{BRANCH}").status == 0
        _, said = beside.communicate(timeout=60)
    assert beside.returncode == 0, said
    assert list_tickets(one) == []
    sync(one)
    assert one.git("rev-parse", "HEAD") == two.git("rev-parse", "HEAD")


def test_first_come_first_served(clones) -> None:
    every = clones("one", "two", "three")
    subprocess.run(["git", "-C", str(hub(every[0])), "config", "core.logAllRefUpdates", "true"])
    for clone in every[1:]:
        clone.remember(f"A gull was seen from {clone.name}")
    jobs = []
    with make_queue(every[0]) as queue:
        queue.await_turn(fetch(every[0], queue), late=True)
        for count, clone in enumerate(every[1:], 2):
            jobs.append(sync_beside(clone))
            while len(list_tickets(clone)) < count:
                assert jobs[-1].poll() is None, "it pushed although another was first"
                time.sleep(0.05)
    for job in jobs:
        _, said = job.communicate(timeout=60)
        assert job.returncode == 0, said
    log = subprocess.run(
        ["git", "-C", str(hub(every[0])), "log", "-g", "--format=%H", "main"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert log[::-1] == [clone.git("rev-parse", "HEAD").strip() for clone in every[1:]]
    assert list_tickets(every[0]) == []


def test_nobody_waits_for_who_was_ended(clones) -> None:
    one, two = clones("one", "two")
    dead = make_queue(one)
    oid = fetch(one, dead)
    dead.await_turn(oid, late=True)
    assert len(list_tickets(one)) == 1
    with make_queue(two, later=60) as queue:
        fetch(two, queue)
        assert queue.await_turn(oid, late=False) is False
        assert len(list_tickets(one)) == 1, "nobody was to be waited for, so no ticket is needed"
        assert queue.await_turn(oid, late=True) is False


@pytest.mark.parametrize(
    "setting", [("receive.hideRefs", "refs/molt"), ("receive.denyDeletes", "true")]
)
def test_a_remote_that_has_no_such_queue_is_pushed_to_without(clones, setting) -> None:
    one, two = clones("one", "two")
    two.remember("The ferry sails at eight")
    subprocess.run(["git", "-C", str(hub(one)), "config", *setting], check=True)
    head = two.git("rev-parse", "HEAD").strip()
    with make_queue(two) as queue:
        oid = fetch(two, queue)
        assert queue.await_turn(oid, late=True) is False
        assert queue.push(f"{head}:{BRANCH}").status == 0
    assert one.git("ls-remote", "origin", "main").split()[0] == head


def test_who_lost_its_ticket_takes_another(clones) -> None:
    (one,) = clones("one")
    with make_queue(one) as queue:
        oid = fetch(one, queue)
        queue.await_turn(oid, late=True)
        ticket = list_tickets(one)[0].split("\t")[1]
        one.git("push", "-q", "--no-verify", "origin", f":{ticket}")
        fetch(one, queue)
        assert queue.await_turn(oid, late=True) is False
        assert len(list_tickets(one)) == 1
        assert not list_tickets(one)[0].endswith(ticket)
    assert list_tickets(one) == []


def test_a_branch_that_never_stands_still_takes_in_what_comes(clones) -> None:
    one, two = clones("one", "two")
    two.remember("The ferry sails at eight")
    sync(two)
    loop = (
        "import sys\nfrom molt.cli import main\n"
        "for n in range(25): assert main([*sys.argv[1:], f'gull {n}', '--store', 'episodic']) == 0"
    )
    words = [sys.executable, "-c", loop, "--workspace", str(one.root), "--quiet", "remember"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as job:
        one.remember("The lamp is lit at dusk")
        done = sync(one)
        _, said = job.communicate(timeout=120)
    assert job.returncode == 0, said
    assert (done.received, bool(done.sent)) == (1, True)
    assert any("ferry" in text for text in one.episodes().values())


def test_tickets_without_end_keep_nobody_from_pushing(clones, monkeypatch) -> None:
    (one,) = clones("one")
    with make_queue(one) as queue:
        oid = fetch(one, queue)
        places = ("00000000-a", "00000000-b/c", "00000000-z%40", "1", "99999999-x")
        forged = [f"{oid}:refs/molt/turns/main/{name}" for name in places]
        one.git("push", "-q", "--no-verify", "origin", *forged)
        fetch(one, queue)
        monkeypatch.setattr(push_queue, "_MOST", 0.3)
        assert queue.await_turn(oid, late=True) is True
        fetch(one, queue)
        assert queue.await_turn(oid, late=True) is False, "it has waited long enough"
    assert len(list_tickets(one)) == len(forged)
