"""A workspace with its remote, and how a walk does things in it: every command must succeed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

DAY = "%Y-%m-%d"
WORDS = [
    "harbour",
    "lantern",
    "ledger",
    "meadow",
    "orchard",
    "pebble",
    "quarry",
    "ribbon",
    "saddle",
    "timber",
    "umber",
    "velvet",
    "willow",
    "anchor",
    "basin",
    "copper",
    "dune",
    "ember",
    "fjord",
    "gravel",
    "hollow",
    "island",
    "jasper",
    "kettle",
    "linen",
    "marble",
]
EDITORS = {
    "replaces": 'printf "%s\\n" "$WORDS" >"$1"',
    "with a body": 'printf "%s\\n\\nbecause of it\\n" "$WORDS" >"$1"',
    "above": 'printf "%s\\n" "$WORDS" | cat - "$1" >"$1.n" && mv "$1.n" "$1"',
    "first line": 'sed -i "1s/^/$WORDS/" "$1"',
    "at its end": 'sed -i "1s/\\$/ $WORDS/" "$1"',
}


class Refusal(Exception):
    """A command of everyday work that did not succeed: which one, and what it said."""


class Place:
    """One clone: a folder, who works there, and whether molt's hooks do."""

    def __init__(self, root: Path, seed: int, home: Path) -> None:
        self.root = root
        self.rng = random.Random(seed)
        self.home = home
        self.count = 0
        self.trace: list[str] = []

    def env(self, actor: str = "", **more: str) -> dict[str, str]:
        """The environment of a command: nobody's configuration, and who acts."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "MOLT_"))}
        who = "Ada" if not actor else actor.rpartition(":")[2]
        named = {
            f"GIT_{role}_{field}": value
            for role in ("AUTHOR", "COMMITTER")
            for field, value in (("NAME", who), ("EMAIL", f"{who}@example.org"))
        }
        fixed = {
            "HOME": str(self.home),
            "GIT_CONFIG_GLOBAL": str(self.home / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_EDITOR": "true",
            "GIT_MERGE_AUTOEDIT": "no",
            "LC_ALL": "C.UTF-8",
        }
        acting = {"MOLT_ACTOR": actor} if actor else {}
        return {**kept, **fixed, **named, **acting, **more}

    def run(
        self, *args: str, actor: str = "", check: bool = True, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command; raises Refusal where it fails and may not."""
        self.trace.append(f"{self.root.name}$ {actor} {' '.join(args)}".replace("\n", "\\n"))
        done = subprocess.run(
            args,
            cwd=self.root,
            env=self.env(actor, **more),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if check and done.returncode:
            raise Refusal(f"{' '.join(args)}\n{done.stdout}{done.stderr}")
        return done

    def git(self, *args: str, actor: str = "", check: bool = True, **more: str) -> str:
        """What git prints."""
        return self.run("git", *args, actor=actor, check=check, **more).stdout.strip()

    def molt(self, *args: str, actor: str = "bot:main", check: bool = True) -> str:
        """What molt prints."""
        command = (sys.executable, "-m", "molt", *args)
        return self.run(*command, actor=actor, check=check).stdout.strip()

    # Words and files

    def words(self, least: int = 2, most: int = 6) -> str:
        """Some words, never the same twice."""
        self.count += 1
        some = self.rng.choices(WORDS, k=self.rng.randint(least, most))
        return f"{' '.join(some)} {self.count}"

    def today(self) -> str:
        """The day that it is."""
        return time.strftime(DAY)

    def past(self) -> str:
        """Some day of the last year, not of this week."""
        ago = 86_400 * self.rng.randint(8, 360)
        return time.strftime(DAY, time.localtime(time.mktime(time.localtime()) - ago))

    def read(self, path: str) -> str:
        """The text of a file; empty where there is none."""
        file = self.root / path
        return file.read_text("utf-8") if file.exists() else ""

    def write(self, path: str, text: str, *, add: bool = True) -> str:
        """Writes a file, and stages it; gives its path."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        if add:
            self.git("add", "--", path)
        return path

    def append(self, path: str, text: str, *, add: bool = True) -> str:
        """Appends to a file, likewise."""
        return self.write(path, self.read(path) + text, add=add)

    def change_line(self, path: str, *, add: bool = True) -> str:
        """Changes one line of prose of a file, or adds one where it has none."""
        rows = self.read(path).split("\n")
        places = [at for at, row in enumerate(rows) if row.startswith("- ")]
        if places:
            rows[self.rng.choice(places)] = f"- {self.words()}"
            return self.write(path, "\n".join(rows), add=add)
        return self.append(path, f"- {self.words()}\n", add=add)

    def tracked(self, *patterns: str) -> list[str]:
        """The tracked files that match, in order."""
        return [path for path in self.git("ls-files", "--", *patterns).split("\n") if path]

    def choose(self, *patterns: str) -> str:
        """One of the tracked files that match; empty where none does."""
        found = self.tracked(*patterns)
        return self.rng.choice(found) if found else ""

    # Commits

    def commit(self, *flags: str, actor: str = "", message: str = "") -> None:
        """Commits what is staged, with `-m`."""
        self.git("commit", "-q", *flags, "-m", message or self.words(), actor=actor)

    def commit_in_editor(self, *flags: str) -> None:
        """Commits what is staged with words that are typed into an editor, in some way."""
        script = self.home / "editor"
        name = self.rng.choice(sorted(EDITORS))
        script.write_text(f"#!/bin/sh\n{EDITORS[name]}\n")
        script.chmod(0o755)
        self.git("commit", "-q", *flags, GIT_EDITOR=str(script), WORDS=self.words())

    def ahead(self) -> int:
        """How many commits the remote has not."""
        return int(self.git("rev-list", "--count", "origin/main..HEAD"))

    def push(self) -> None:
        """Pushes; what others have pushed meanwhile is taken in first."""
        if self.git("push", "-q", "origin", "main", check=False) or self.behind():
            self.pull()
        self.git("push", "-q", "origin", "main")

    def behind(self) -> bool:
        """Whether the remote has what is not here."""
        self.git("fetch", "-q", "origin")
        return self.git("rev-list", "--count", "HEAD..origin/main") != "0"

    def pull(self) -> None:
        """Takes in what others have pushed; both sides of a conflict are kept."""
        done = self.run("git", "pull", "-q", "--no-rebase", "--no-edit", check=False)
        if done.returncode:
            self.keep_both()
            self.git("commit", "-q", "--no-edit")

    def keep_both(self) -> None:
        """Solves every conflict by taking the marks out, as people do."""
        for path in self.git("diff", "--name-only", "--diff-filter=U").split("\n"):
            if path:
                rows = self.read(path).split("\n")
                marks = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")
                self.write(path, "\n".join(row for row in rows if not row.startswith(marks)))

    def is_clean(self) -> bool:
        """Whether nothing is left over of what was done."""
        busy = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
        return not any((self.root / ".git" / name).exists() for name in busy)

    def recover(self) -> None:
        """Back to where the remote is, after something went wrong."""
        for name in ("merge", "rebase", "cherry-pick", "revert", "am"):
            self.git(name, "--abort", check=False)
        self.git("switch", "-q", "-f", "main", check=False)
        self.git("reset", "-q", "--hard", "origin/main", check=False)
        self.git("stash", "clear", check=False)
        self.git("clean", "-qfd", check=False)
