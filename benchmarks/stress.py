"""What must hold when much goes on at once, and when it is cut short.

    python benchmarks/stress.py [crowd] [kills] [--writers 8] [--each 50] [--kills 120]

`crowd`: writers remember at once, beside a person who stages hunks, commits them, and has edits
that are not committed. `kills`: a writer is killed at random moments. Everything is checked
afterwards; the first thing that does not hold ends the run with status 1.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOLT = [sys.executable, "-m", "molt"]
REMEMBER = """
import contextlib, os, sys
from molt.cli import main
for number in range(int(sys.argv[2])):
    where = ["--store", "core"] if number % 10 == 9 else []
    with open(os.devnull, "w") as sink, contextlib.redirect_stdout(sink):
        assert main(["remember", f"fact {sys.argv[1]}-{number}.", *where]) == 0
"""


def environment(home: Path) -> dict[str, str]:
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "MOLT_"))
    }
    who = {f"GIT_{role}_NAME": "Stress" for role in ("AUTHOR", "COMMITTER")}
    mail = {f"GIT_{role}_EMAIL": "stress@example.org" for role in ("AUTHOR", "COMMITTER")}
    own = {"HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return {**kept, **who, **mail, **own}


class Ground:
    """A workspace to be stressed."""

    def __init__(self, root: Path, env: dict[str, str]) -> None:
        self.root = root
        self.env = env
        subprocess.run([*MOLT, "init", str(root)], env=env, check=True, capture_output=True)

    def run(self, *args: str, text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            args, cwd=self.root, env=self.env, input=text, capture_output=True, encoding="utf-8"
        )

    def git(self, *args: str) -> str:
        done = self.run("git", *args)
        must(done.returncode == 0, f"git {args}: {done.stdout}{done.stderr}")
        return done.stdout

    def molt(self, *args: str) -> str:
        done = self.run(*MOLT, *args)
        must(done.returncode == 0, f"molt {args}: {done.stdout}{done.stderr}")
        return done.stdout

    def writer(self, name: str, count: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", REMEMBER, name, str(count)]
        return subprocess.Popen(command, cwd=self.root, env=self.env, start_new_session=True)

    def memories(self, rev: str = "HEAD") -> list[str]:
        """Every fact in the files of a revision, in no order."""
        found = self.git("grep", "-h", "-o", "-E", r"fact [a-z0-9]+-[0-9]+\.", rev, "--", "*.md")
        return [line.removeprefix("fact ").rstrip(".") for line in found.splitlines()]


def must(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"does not hold: {what}")


class Person:
    """Has an edit in MEMORY.md that is never committed, and commits one hunk of notes.md a turn."""

    MINE = "- mine alone, not committed yet\n"

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.commits = 0
        self.tries = 0
        notes = "".join(f"line {number}\n" for number in range(40))
        (ground.root / "notes.md").write_text(notes)
        ground.git("add", "notes.md")
        ground.git("commit", "-qm", "notes")
        core = ground.root / "MEMORY.md"
        core.write_text(core.read_text() + self.MINE)

    def turn(self) -> None:
        """Edit two places of a file, stage one of the two, commit what is staged."""
        notes = self.ground.root / "notes.md"
        committed = self.ground.git("show", "HEAD:notes.md").splitlines(keepends=True)
        mine = [f"person {self.commits}\n", *committed]
        notes.write_text("".join(mine) + f"draft {self.commits}\n")
        patch = f"--- a/notes.md\n+++ b/notes.md\n@@ -0,0 +1 @@\n+person {self.commits}\n"
        args = ("git", "apply", "--cached", "--unidiff-zero", "-")
        while (done := self.ground.run(*args, text=patch)).returncode:
            must("index.lock" in done.stderr, done.stderr)
        while (done := self.ground.run("git", "commit", "-qm", f"turn {self.commits}")).returncode:
            self.tries += 1
            busy = ("index.lock", "cannot lock ref", "unable to write new_index")
            must(any(word in done.stderr for word in busy), done.stderr)
        self.commits += 1


def crowd(ground: Ground, writers: int, each: int) -> None:
    person = Person(ground)
    start = time.monotonic()
    running = [ground.writer(f"w{number}", each) for number in range(writers)]
    while any(writer.poll() is None for writer in running) or person.commits < 3:
        person.turn()
        time.sleep(0.02)
    took = time.monotonic() - start
    must(all(writer.returncode == 0 for writer in running), "every writer ends well")
    wanted = sorted(f"w{name}-{number}" for name in range(writers) for number in range(each))
    must(sorted(ground.memories()) == wanted, "every memory is in the files, once")
    check_history(ground, person, writers * each)
    check_projections(ground)
    print(
        f"crowd: {writers} writers x {each} memories and {person.commits} commits by hand in "
        f"{took:.1f} s; {person.tries} commits by hand had to be tried again"
    )


def check_history(ground: Ground, person: Person, count: int) -> None:
    subjects = ground.git("log", "--format=%(trailers:key=Memory-Id,valueonly)").split()
    must(len(subjects) == len(set(subjects)) == count, "every memory has its commit")
    turns = ground.git("log", "--format=%H", "--grep= — turn ").split()
    must(len(turns) == person.commits, "no commit by hand is lost")
    for number, oid in enumerate(reversed(turns)):
        diff = ground.git("show", "--format=", "--unified=0", oid)
        changed = [line for line in diff.splitlines() if line[0] in "+-" and line[:3] not in _HEAD]
        must(changed == [f"+person {number}"], f"a commit by hand holds its hunk alone: {diff}")
    must(not ground.git("log", "-S", person.MINE.strip(), "--format=%H"), "an edit stays out")
    must(person.MINE in (ground.root / "MEMORY.md").read_text(), "an edit stays in its file")
    status = ground.git("status", "--porcelain")
    must(status == " M MEMORY.md\n M notes.md\n", f"only the person's edits are open: {status}")
    must("error" not in (said := ground.git("fsck", "--strict")), said)


_HEAD = ("---", "+++")


def check_projections(ground: Ground) -> None:
    log = ground.root / "memory/meta/audit.log"
    ground.molt("log")
    seen = log.read_bytes()
    ground.molt("audit", "rebuild")
    must(log.read_bytes() == seen, "the audit log is that of a rebuild")
    ground.molt("search", "fact")
    before = rows(ground)
    ground.molt("index", "--rebuild")
    must(rows(ground) == before, "the index is that of a rebuild")
    must(not json.loads(ground.molt("verify", "--json"))["findings"], "every rule is kept")


def rows(ground: Ground) -> list[list[tuple[object, ...]]]:
    import apsw

    con = apsw.Connection(str(ground.root / ".git/molt/index.sqlite"))
    asked = (
        "SELECT path, oid FROM files ORDER BY 1",
        "SELECT path, first, last, memory_id, text FROM chunks ORDER BY 1, 2, 3",
        "SELECT term, doc, cnt FROM vocab ORDER BY 1",
    )
    found = [list(con.execute(sql)) for sql in asked]
    con.close()
    return found


def kills(ground: Ground, count: int, seed: int = 7) -> None:
    """Kill a writer `count` times; git may outlive it, as where a machine runs out of memory."""
    chance = random.Random(seed)
    unfinished = 0
    known: set[str] = set()
    start = time.monotonic()
    for number in range(count):
        writer = ground.writer(f"k{number}", 1000)
        ref = ground.root / ".git/refs/heads/main"
        before = ref.read_bytes()
        while ref.read_bytes() == before:
            must(writer.poll() is None, "a write goes on after a kill")
            time.sleep(0.005)
        time.sleep(chance.random() * 0.3)
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if number % 2 else os.kill)(writer.pid, signal.SIGKILL)
        writer.wait()
        unfinished += "interrupted" in ground.molt("doctor", "--fix")
        check_whole(ground)
        now = set(ground.memories())
        must(known <= now, "no memory is lost")
        known = now
    ground.git("fsck", "--strict")
    check_projections(ground)
    took = time.monotonic() - start
    print(f"kills: {count}, {unfinished} in the middle of a write, {len(known)} memories whole")
    print(f"  in {took:.0f} s")


def check_whole(ground: Ground) -> None:
    """Files, index and HEAD are of one write."""
    status = ground.git("status", "--porcelain")
    must(not status, f"nothing is between: {status}")
    folder = ground.root / ".git"
    left = [name for name in os.listdir(folder) if name.endswith(".lock")]
    left += [name for name in os.listdir(folder / "molt") if name == "txn"]
    must(not left, f"nothing is left over: {left}")
    commits = ground.git("log", "--format=%(trailers:key=Memory-Id,valueonly)").split()
    must(len(commits) == len(ground.memories()), "as many memories as commits")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=[])
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--kills", type=int, default=120)
    given = parser.parse_args()
    wanted = given.what or ["crowd", "kills"]
    with tempfile.TemporaryDirectory() as home:
        env = environment(Path(home))
        if "crowd" in wanted:
            crowd(Ground(Path(home) / "crowd", env), given.writers, given.each)
        if "kills" in wanted:
            kills(Ground(Path(home) / "kills", env), given.kills)


if __name__ == "__main__":
    main()
