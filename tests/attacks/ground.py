"""A small workspace that an agent and a person have lived in, and a shell to attack it."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from copies import Snapshot

PRELUDE = (Path(__file__).parent / "prelude.sh").read_text(encoding="utf-8")

FILES = {
    "SOUL.md": "# Soul\n\nBe kind.\n",
    "IDENTITY.md": "# Identity\n\nI am Molt.\n",
    "AGENTS.md": "# Agents\n\nAsk first.\n",
    "USER.md": "# User\n\nAda.\n",
    "NOTES.md": "# Notes\n\nplain\n",
    "memory/vault/pin.md": "---\nid: pin\ntype: vault\nlabel: Pin\n---\n# Pin\n\nunder the mat\n",
    "memory/episodes/2026-02-02.md": (
        "# 2026-02-02 — Episode Log\n\n"
        "## 09:00 | fact | confidence:high | tags:[] | source:conversation\n"
        "The deadline is March 15.\n\n"
        "## 10:00 | decision | confidence:high | tags:[] | source:conversation\n"
        "We chose option B.\n"
    ),
    "memory/2026-02-03.md": "# 2026-02-03\n\nA long day.\n\n- tea with Ada\n- the build is red\n",
    "memory/graph/entities/tool--git.md": (
        "---\nid: tool--git\ntype: tool\nlabel: Git\n---\n# Git\n\n## Facts\n- stores blobs\n"
    ),
    "memory/procedures/ship.md": (
        "---\nid: ship\ntype: procedure\nlabel: Ship\n---\n# Ship\n\n## Steps\n1. make\n"
    ),
    "memory/meta/reflection-log.md": "# Reflection Log\n\n## Reflection #1 — 2026-02-01\n- kept\n",
}


def environment(home: Path, actor: str = "") -> dict[str, str]:
    """What a process of an attack sees: nothing of this machine, and who it says it is."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "MOLT_"))
    }
    who = {"MOLT_ACTOR": actor} if actor else {}
    dates = {
        "GIT_AUTHOR_DATE": "2026-03-01T12:00:00Z",
        "GIT_COMMITTER_DATE": "2026-03-01T12:00:00Z",
    }
    people = {
        f"GIT_{who}_{what}": "ada@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    fixed = {
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_EDITOR": ":",
    }
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**kept, **people, **dates, **fixed, **who, "PATH": path}


def run(
    cwd: Path, script: str, env: dict[str, str], *, hooks: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run shell text after the prelude; without `hooks` git runs none of them."""
    more = (
        {}
        if hooks
        else {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.hooksPath",
            "GIT_CONFIG_VALUE_0": os.devnull,
        }
    )
    return subprocess.run(
        ["sh", "-c", PRELUDE + script],
        cwd=cwd, env={**env, "HOOKS": "", **more}, capture_output=True, text=True,
        errors="replace", timeout=120, check=False,
    )  # fmt: skip


def make(folder: Path) -> Path:
    """The workspace with its bare remote; the person's commits are made through the hooks."""
    home = folder / "home"
    home.mkdir(parents=True)
    root = folder / "ws"
    env = environment(home)
    molt = [sys.executable, "-m", "molt"]
    commands = (
        (*molt, "init", str(root)),
        (
            *molt,
            "--workspace",
            str(root),
            "--actor",
            "subagent:researcher",
            "propose",
            "cites papers",
        ),
        (*molt, "--actor", "manual", "ack", "SOUL.md", "IDENTITY.md"),
    )
    for number, words in enumerate(commands):
        if number == 1:
            _write_files(root, env)
        subprocess.run(
            words, cwd=root if number else folder, env=env, check=True, capture_output=True
        )
    done = run(root, _REMOTE, env)
    assert done.returncode == 0, done.stderr
    return root


KEYS = "keys"
"""The branch of the remote on which people are bound to a key that no attack has."""
_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMTI0SUZNF+pxRjW+5oKFRljxTcs5FcXqkB+LWoHYXuE"
_REMOTE = rf"""git init -q -b main --bare ../remote.git
git config maintenance.auto false
git -C ../remote.git config receive.autoGC false
git remote add origin ../remote.git
git push -q origin main
git tag base
bound=$({{ cat molt.yaml; printf '\nactors: {{manual: {_KEY}}}\n'; }} | git hash-object -w --stdin)
export GIT_INDEX_FILE=../bound
git read-tree HEAD; git update-index --cacheinfo 100644,$bound,molt.yaml
made=$(git commit-tree -p HEAD -m bound $(git write-tree)); rm ../bound; unset GIT_INDEX_FILE
git push -q --no-verify origin $made:refs/heads/{KEYS}
for one in . ../remote.git; do git -C $one repack -q -a -d; done
"""


def _write_files(root: Path, env: dict[str, str]) -> None:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    done = run(root, "git add -A; git commit -qm 'the first days'", env)
    assert done.returncode == 0, done.stderr


@cache
def _read(folder: Path) -> Snapshot:
    return Snapshot(folder)


def copy(template: Path, folder: Path) -> Path:
    """A workspace of its own, as the template is; its remote too."""
    _read(template.parent).write(folder)
    return folder / template.name
