"""Histories made by hand: any commit on any parents, without a work tree in between."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from molt.formats import message as messages
from molt.repo import find
from molt.repo.repository import Repo

DAY = "memory/episodes/2026-02-02.md"
TITLE = "# 2026-02-02 — Episode Log\n"
LOG = TITLE + "\n## 09:00 | fact | confidence:high | tags:[a]\nOne.\n"
FALSE = LOG.replace("One.", "Another.")
START = {"molt.yaml": "core: {cap: 3000}\n", "SOUL.md": "s\n", "IDENTITY.md": "i\n", DAY: LOG}

Edits = dict[str, "str | None"]


def entry(text: str, time: str = "10:00") -> str:
    """An entry to append to a day."""
    return f"\n## {time} | fact | confidence:high | tags:[a]\n{text}\n"


def said(action: str, file: str, actor: str = "manual", **trailers: str) -> str:
    """A message in the schema, with the notice of a critical file where it is one."""
    return messages.render(
        action,
        file,
        "a test",
        messages.Provenance(
            actor=actor,
            approval="—" if actor == "manual" else "auto",
            trigger="a test",
            trailers=list(trailers.items()),
        ),
        body=messages.CRITICAL_NOTICE if file in ("SOUL.md", "IDENTITY.md", "molt.yaml") else "",
    )


def _find_tree(objects: pygit2.Repository, oid: str) -> str:
    """The tree of a commit, which may say of itself what pygit2 cannot read; that of a tree."""
    _, data = objects.read(oid)
    return data[5:45].decode() if data.startswith(b"tree ") else oid


class History:
    """A repository and its commits; `tip` is the last one made, and where `main` is."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True)
        self.root = root
        self.tip = ""
        self._minute = 0
        self.git("init", "-q", "-b", "main")

    @property
    def repo(self) -> Repo:
        return find.find_repo(str(self.root))

    def git(self, *args: str, text: str = "", **env: str) -> str:
        done = subprocess.run(
            ["git", *args],
            cwd=self.root,
            input=text.encode("utf-8", "surrogateescape"),
            env=os.environ | env,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().strip()

    def write_tree(self, edits: Edits, on: str = "") -> str:
        """The id of a commit's tree with some files changed."""
        objects = pygit2.Repository(str(self.root))
        index = pygit2.Index()
        if on:
            index.read_tree(objects[_find_tree(objects, on)].peel(pygit2.Tree))
        for path, text in edits.items():
            if text is not None:
                oid = objects.create_blob(text.encode("utf-8", "surrogateescape"))
                index.add(pygit2.IndexEntry(path, oid, FileMode.BLOB))
            elif path in index:
                index.remove(path)
        return str(index.write_tree(objects))

    def commit(self, edits: Edits, message: str = "", *parents: str, root: bool = False) -> str:
        """A commit on some parents, by default on the last one; a person's edit, if not said."""
        given = parents or ((self.tip,) if self.tip and not root else ())
        tree = self.write_tree(edits, given[0] if given else "")
        self._minute += 1
        date = f"2026-02-02T12:{self._minute:02}:00Z"
        words = [word for parent in given for word in ("-p", parent)]
        text = message or said("EDIT", next(iter(edits)))
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        self.move(self.git("commit-tree", tree, *words, "-F", "-", text=text, **dates))
        return self.tip

    def move(self, oid: str) -> None:
        """Have `main` at a commit, as no hook sees it."""
        self.tip = oid
        (self.root / ".git/refs/heads/main").write_text(f"{oid}\n")

    def start(self, edits: Edits | None = None) -> str:
        """A workspace as `molt init` makes it."""
        message = said("INIT", "*", "system:init", Adopted="none")
        return self.commit({**START, **(edits or {})}, message)
