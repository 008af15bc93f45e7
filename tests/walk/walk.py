"""A month of ordinary work with plain git, made up by a seed: nothing of it may be refused.

    python tests/walk/walk.py [--ops 500] [--seeds 5] [--first 1] [--keep FOLDER]

Each seed is walked in a fresh workspace and in one that was adopted. After every piece of work it
is pushed to a server that judges it; at the end `molt verify` finds no error in all of the history.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from walk import rarer  # noqa: F401 (registers its work)
from walk.place import Place, Refusal
from walk.work import EVERYDAY, Work

OLD = {
    "MEMORY.md": "# MEMORY.md\n\n## Environment\n\n### Proxy\n- at home\n",
    "AGENTS.md": "# AGENTS.md\n\nBe kind. Diary in memory/DATE.md.\n",
    "SOUL.md": "# Soul\n\nSpeak softly.\n",
    "USER.md": "# User\n\n- Ada\n",
    "TOOLS.md": "# Tools\n",
    "HEARTBEAT.md": "# every hour\n",
    "memory/ideas.md": "# Ideas\n\n- one\n- two\n",
    "memory/graph/entities/person--ada.md": "# person--ada\n<!-- Type: person -->\n## Facts\n- x\n",
    "src/main.py": "pass\n",
}


class Walk:
    """Two clones of one workspace, one of them without hooks, and what was refused in them."""

    def __init__(self, folder: Path, seed: int, *, adopted: bool, keys: bool = False) -> None:
        self.rng = random.Random(seed)
        self.refused: list[str] = []
        self.done: Counter[str] = Counter()
        folder.mkdir(parents=True)
        home = folder / "home"
        home.mkdir()
        self.place = Place(folder / "agent", seed, home)
        self.place.root.mkdir()
        self.place.git("init", "-q", "-b", "main")
        if adopted:
            self._live_for_a_year()
        self.place.molt("init", actor="")
        if keys:
            self._bind_people(home)
        self.place.git("init", "-q", "--bare", "-b", "main", str(folder / "hub.git"))
        self.place.molt("hooks", "install", "--server", str(folder / "hub.git"), actor="")
        self.place.git("remote", "add", "origin", str(folder / "hub.git"))
        self.place.git("push", "-q", "-u", "origin", "main")
        self.bare = self._clone(folder / "bare", seed + 1)
        self.other = self._clone(folder / "other", seed + 2)
        self.other.molt("init", actor="")

    def _bind_people(self, home: Path) -> None:
        """From now on what a person commits has to be signed, and is, by git as by molt."""
        key = home / "key"
        self.place.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key))
        for name, value in (
            *(("gpg.format", "ssh"), ("commit.gpgsign", "true")),
            *(("user.signingkey", str(key)), ("molt.manual.signingkey", str(key))),
        ):
            self.place.git("config", "--global", name, value)
        self.place.molt("keys", "add", "manual", str(key.with_suffix(".pub")), actor="manual")

    def _live_for_a_year(self) -> None:
        """A workspace of another tool: commits in any style, a core memory that is too long."""
        place = self.place
        for path, text in OLD.items():
            place.write(path, text)
        place.commit(message="Initial commit")
        for number in range(12):
            day = place.past()
            place.append(f"memory/{day}.md", f"# {day}\n\n- {place.words()}\n\n## End\n- done\n")
            place.append("MEMORY.md", "".join(f"- {place.words(8, 16)}\n" for _ in range(25)))
            place.commit(message=f"auto-backup {number}")

    def _clone(self, folder: Path, seed: int) -> Place:
        self.place.git("clone", "-q", str(folder.parent / "hub.git"), str(folder))
        made = Place(folder, seed, self.place.home)
        made.trace = self.place.trace
        return made

    def step(self) -> None:
        """One piece of work, and the push of it."""
        chosen: Work = self.rng.choice([*EVERYDAY, self.join_a_bare_clone, self.join_a_clone])
        name = getattr(chosen, "__name__", "work")
        self.done[name] += 1
        at = len(self.place.trace)
        try:
            chosen(self.place)
            if not self.place.is_clean():
                raise Refusal("something is left unfinished")
            self.place.push()
        except Refusal as refusal:
            commands = "\n".join(f"    {line}" for line in self.place.trace[at:])
            self.refused.append(f"{name}: {refusal}\n{commands}")
            for place in (self.place, self.bare, self.other):
                place.recover()

    def join_a_bare_clone(self, place: Place) -> None:
        """Somebody without hooks has pushed plain commits; they are pulled, one way or another."""
        bare = self.bare
        bare.git("pull", "-q", "--no-rebase", "--no-edit")
        for _ in range(self.rng.randint(1, 3)):
            bare.append(f"memory/bare-{bare.rng.randint(1, 9)}.md", f"- {bare.words()}\n")
            bare.append(f"memory/{bare.today()}.md", f"- {bare.words()}\n")
            bare.commit(message=self.rng.choice(["wip", "more notes", "fix: typo", "sync (#4)"]))
        bare.git("push", "-q", "origin", "HEAD:main")
        place.append("pulled.md", f"- {place.words()}\n")
        place.commit()
        if self.rng.random() < 0.5:
            place.pull()
        elif place.run("git", "pull", "-q", "--rebase", check=False).returncode:
            place.keep_both()
            place.git("rebase", "--continue")

    def join_a_clone(self, place: Place) -> None:
        """Two clones with hooks remember on the same day, and one pulls the other."""
        other = self.other
        other.pull()
        other.molt("remember", other.words(4, 9), "--store", "episodic")
        other.molt("remember", other.words(4, 9), "--entity", "person:Ada")
        other.append("notes.md", f"- {other.words()}\n")
        other.commit()
        other.git("push", "-q", "origin", "main")
        place.molt("remember", place.words(4, 9), "--store", "episodic")
        place.molt("remember", place.words(4, 9), "--entity", "tool:Git")
        place.pull()

    def finish(self) -> None:
        """What verify says of all of it."""
        done = self.place.run(sys.executable, "-m", "molt", "verify", check=False)
        if done.returncode:
            errors = [line for line in done.stdout.split("\n") if " error " in line]
            self.refused.append("verify: " + "\n    ".join(errors[:20] or [done.stderr]))


def walk(folder: Path, seed: int, ops: int, *, adopted: bool, keys: bool = False) -> Walk:
    """A walk of so many pieces of work, to its end."""
    made = Walk(folder, seed, adopted=adopted, keys=keys)
    for _ in range(ops):
        made.step()
    made.finish()
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", type=int, default=500)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", default="")
    parser.add_argument("--keys", action="store_true")
    given = parser.parse_args()
    refused = 0
    top = Path(given.keep or tempfile.mkdtemp(prefix="walk-"))
    for seed in range(given.first, given.first + given.seeds):
        for adopted in (False, True):
            name = f"{'adopted' if adopted else 'fresh'}-{seed}"
            made = walk(top / name, seed, given.ops, adopted=adopted, keys=given.keys)
            refused += len(made.refused)
            print(f"{name}: {given.ops} pieces of work, {len(made.refused)} refused", flush=True)
            for one in made.refused:
                print(f"  {one}", flush=True)
            if not given.keep:
                shutil.rmtree(top / name)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
