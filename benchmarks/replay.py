"""Real commits under the hooks: who is refused, and by which rule.

    python benchmarks/replay.py [--last N] [--actor ACTOR] [--why] [--way-on] REPOSITORY...

Each repository is cloned into a temporary folder, adopted by `molt init` as it was N commits of
its first-parent line ago, and the commits since are made again one by one, with their own
messages, dates and files, by `git commit` with the hooks. One that is refused is made without
them, so that the next one meets the files that it met; with `--way-on` it is made by the commands
that the refusal names, as they stand: the cap is raised, all else is accepted. How often one cause
was refused once more is told. At the end `molt status`, `molt doctor` and `molt verify` look at it,
and all is pushed to an empty remote; where that is refused, the commands that the refusal names are
run, and it is pushed again. A hook, command or push that ends in a traceback, or in something that
no command mends, is a fault, and the run ends with status 1. Nothing of a repository is kept or
printed but counts, and with `--why` what molt said.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

MOLT = [sys.executable, "-m", "molt"]
CODE = re.compile(r"^molt: error ([A-Z]+\d+)", re.MULTILINE)
CAUSE = re.compile(r"^molt: error ([A-Z]+\d+)(?: [^:\n]+(?::\d+)?)?: (.*)$", re.MULTILINE)
WAY_ON = re.compile(r"a person says: (molt accept .*)$", re.MULTILINE)
RAISE = re.compile(r"or raise the cap: `(.*)`$", re.MULTILINE)
ACCEPT = re.compile(r"(?:or )?accept it: `(.*)`$", re.MULTILINE)
GO_ON = re.compile(r"^molt: once that is mended: (.*)$", re.MULTILINE)
ROUNDS = 40
"""How often a push may be refused, each time with another commit to accept."""


def environment(home: Path, actor: str) -> dict[str, str]:
    """Nobody's configuration, and who acts."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "MOLT_"))}
    who = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", "Replay"), ("EMAIL", "replay@example.org"))
    }
    fixed = {"HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": ":"}
    claim = {"MOLT_ACTOR": actor} if actor else {}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, **who, **fixed, **claim, "PATH": path}


class Replay:
    """One repository, replayed; what was refused is counted."""

    def __init__(self, source: Path, folder: Path, asked: argparse.Namespace) -> None:
        self.root = folder / "ws"
        self.env = environment(folder, asked.actor)
        self.person = environment(folder, "")
        self.why, self.way_on = asked.why, asked.way_on
        self.causes: Counter[str] = Counter()
        self.made = self.refused = self.lost = self.accepted = 0
        self.codes: Counter[str] = Counter()
        self.longest = (0.0, "nothing")
        self.faults: list[str] = []
        clone = ["git", "clone", "-q", "--no-checkout", str(source), str(self.root)]
        subprocess.run(clone, env=self.env, check=True, capture_output=True)
        line = self.git("rev-list", "--reverse", "--first-parent", "HEAD").split()
        first = max(1, len(line) - asked.last)
        self.start, self.rest = line[first - 1], line[first:]

    def run(
        self, *args: str, data: str = "", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command; what takes longest is noted, and a traceback is a fault."""
        began = os.times()
        done = subprocess.run(
            args,
            cwd=self.root,
            env=env or self.env,
            input=data,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
        ended = os.times()
        used = sum(ended[2:4]) - sum(began[2:4])
        words = " ".join(args[2 if args[0] == sys.executable else 0 :][:2])
        self.longest = max(self.longest, (used, words))
        if "Traceback" in done.stderr or "(report: " in done.stderr:
            self.faults.append(f"traceback: {shlex.join(args)[:80]}")
            self.tell(done.stderr)
        return done

    def git(self, *args: str, data: str = "", env: dict[str, str] | None = None) -> str:
        """What git prints."""
        return self.run("git", *args, data=data, env=env).stdout

    def tell(self, text: str) -> None:
        """Shows what molt said, to who asked for it."""
        if self.why:
            print(text.encode("utf-8", "replace").decode(), flush=True)

    def replay(self) -> None:
        """Adopts the workspace as it was, and makes every commit since."""
        self.git("read-tree", self.start)
        rows = [row for row in self.git("ls-files", "-s", "-z").split("\0") if row]
        held = [(row.split(" ")[1], row.partition("\t")[2]) for row in rows]
        missing = self.missing({oid for oid, _ in held})
        gone = [path for oid, path in held if oid in missing]
        self.git("update-index", "-z", "--force-remove", "--stdin", data="\0".join(gone))
        date = self.git("log", "-1", "--format=%cI", self.start).strip()
        dated = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        tree = self.git("write-tree").strip()
        root = self.git(
            "commit-tree", tree, "-m", "as it was", env={**self.person, **dated}
        ).strip()
        self.git("checkout", "-q", "-f", "-B", "replayed", root)
        done = self.run(*MOLT, "init", ".", env=self.person)
        self.tell(done.stdout + done.stderr)
        if done.returncode:
            self.faults.append("init is refused")
            return
        # The hooks judge by the day of the committer, and none is before that of its parent.
        self.git(
            "commit", "-q", "--amend", "--no-edit", "--no-verify", env={**self.person, **dated}
        )
        before = self.start
        for oid in self.rest:
            self.commit(before, oid)
            before = oid

    def missing(self, blobs: Iterable[str]) -> set[str]:
        """Those that a partial copy lacks: they can be no part of a commit."""
        said = self.git("cat-file", "--batch-check", data="".join(f"{oid}\n" for oid in blobs))
        rows = said.splitlines()
        return {row.split(" ")[0] for row in rows if row.endswith(" missing")} - {"0" * 40}

    def stage(self, before: str, oid: str) -> None:
        """Stages what a commit changed."""
        flags = ("-r", "-z", "--no-renames", "--raw", "--no-abbrev")
        words = self.git("diff-tree", *flags, before, oid).split("\0")
        missing = self.missing(meta.split(" ")[3] for meta in words[::2] if meta)
        rows = []
        for meta, path in zip(words[::2], words[1::2], strict=False):
            _, mode, _, blob, status = meta.split(" ")
            if blob not in missing:
                gone = status == "D"
                rows.append(f"{'0' if gone else mode} {'0' * 40 if gone else blob}\t{path}\0")
        self.git("update-index", "-z", "--index-info", data="".join(rows))
        self.git("checkout-index", "-q", "-f", "-a")

    def commit(self, before: str, oid: str) -> None:
        """Makes a commit again, with the hooks; without them where they refuse it."""
        self.stage(before, oid)
        if not self.git("diff-index", "--cached", "--name-only", "HEAD").strip():
            return
        date, _, text = self.git("log", "-1", "--format=%aI%x00%B", oid).partition("\0")
        env = {**self.env, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        say = ("-q", "--cleanup=whitespace", "-F", "-")
        done = self.run("git", "commit", *say, data=text.strip("\0") or "x\n", env=env)
        self.made += 1
        if done.returncode:
            found = set(CODE.findall(done.stderr))
            self.refused += bool(found)
            self.lost += not found
            self.codes.update(found)
            self.causes.update({name_cause(*row) for row in CAUSE.findall(done.stderr)})
            self.tell(f"--- {oid[:10]} {date[:10]}\n{done.stderr}")
            if not (self.way_on and self.go_on(done.stderr, env)):
                self.git("commit", "--no-verify", *say, data=text or "x\n", env=env)

    def go_on(self, said: str, env: dict[str, str]) -> bool:
        """Takes the ways on that a refusal names, until the commit is made; whether it is."""
        for _ in range(ROUNDS):
            lines = ACCEPT.findall(said)[:1]
            if "CORE001" in CODE.findall(said) and RAISE.search(said):
                lines = [*RAISE.findall(said)[:1], *GO_ON.findall(said)]
            taken = [self.run("sh", "-c", line, env=env) for line in lines]
            if not taken:
                break
            if not any(one.returncode for one in taken):
                return True
            said = taken[-1].stderr
        self.faults.append("no way on")
        self.tell(said)
        return False

    def finish(self) -> str:
        """What molt says of all of it, and whether it can be pushed at last."""
        status = self.run(*MOLT, "status", env=self.person)
        doctor = self.run(*MOLT, "doctor", env=self.person)
        self.tell(f"status\n{status.stdout}{status.stderr}doctor\n{doctor.stdout}{doctor.stderr}")
        self.git("init", "-q", "--bare", "../remote.git")
        pushed = self.push()
        found = self.run(*MOLT, "verify", env=self.person)
        self.tell(f"verify\n{found.stdout[-2000:]}{found.stderr[-2000:]}")
        if status.returncode or found.returncode or not pushed:
            self.faults.append("it is not sound in the end")
        return (
            f"status {status.returncode}, doctor {doctor.returncode}, verify {found.returncode}, "
            f"push {'ok' if pushed else 'REFUSED'} ({self.accepted} accepted)"
        )

    def push(self) -> bool:
        """Pushes; runs what a refusal names, and pushes again."""
        for _ in range(ROUNDS):
            done = self.run("git", "push", "-q", "../remote.git", "HEAD:main", env=self.person)
            ways = WAY_ON.findall(done.stderr)
            if not done.returncode or not ways:
                self.tell(done.stderr[-1500:])
                return not done.returncode
            for line in ways:
                taken = self.run(*MOLT, *shlex.split(line)[1:], env=self.person)
                self.accepted += not taken.returncode
                if taken.returncode:
                    self.tell(f"{line}\n{taken.stderr}")
                    return False
        return False


def name_cause(code: str, said: str) -> str:
    """What is refused, without the numbers of the case: of a cap the rule says all."""
    return code if code == "CORE001" else f"{code} {said}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--last", type=int, default=60)
    parser.add_argument("--actor", default="")
    parser.add_argument("--why", action="store_true")
    parser.add_argument("--way-on", action="store_true")
    given = parser.parse_args()
    total: Counter[str] = Counter()
    for source in given.repositories:
        name = source.parent.name if source.name in ("repo", ".git") else source.name
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            one = Replay(source, Path(folder), given)
            one.replay()
            used, what = one.longest
            codes = ", ".join(f"{code} {count}" for code, count in one.codes.most_common())
            print(
                f"{name[:28]:28} {one.made:4} commits {one.refused:3} refused  {codes or '-'}; "
                f"again {sum(one.causes.values()) - len(one.causes)}, "
                f"other failures {one.lost}; longest {used:.1f} CPU s ({what}); {one.finish()}; "
                f"faults: {', '.join(one.faults) or '-'}",
                flush=True,
            )
            total.update(commits=one.made, refused=one.refused, faults=len(one.faults))
    print(
        f"{'all':28} {total['commits']:4} commits {total['refused']:3} refused, "
        f"{total['faults']} faults"
    )
    return 1 if total["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
