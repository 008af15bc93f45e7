"""The three workspaces that the documented calls are made in, the same on every day and machine."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from molt.cli import main

BEGIN = 1_770_364_800
"""2026-02-06, 08:00 UTC: when the calls begin; each comes a minute after the one before."""

PEOPLE = {
    "MEMORY.md": """# MEMORY.md — Core Memory

## Identity
- Name: Alex Rivera
- Role: backend engineer on the memory project
- Prefers dark mode and Vim
- Timezone: Europe/Lisbon

## Active Context
- Currently working on: the design of the memory store
- Open decision: how fast memories fade

## Persona
- Wants several options with their trade-offs before anything is built
- Likes short answers in the evening

## Critical Facts
- Never deploys on a Friday
- Allergic to penicillin
""",
    "SOUL.md": "# Soul\n\nBe of use, be honest, and be brief.\n",
    "IDENTITY.md": "# Identity\n\nA lobster that remembers.\n",
    "USER.md": "# User\n\nAlex builds tools for agents.\n",
    "TOOLS.md": "# Tools\n\n- git is on the path\n",
    "memory/episodes/2026-02-01.md": """# 2026-02-01 — Episode Log

## 10:15 | event | confidence:medium | tags:[research] | source:conversation
Alex read three papers on the memory of agents and took notes on how they forget.

## 17:40 | emotion | confidence:low | tags:[mood] | source:conversation
Alex sounded tired of flat files full of notes.
""",
    "memory/episodes/2026-02-02.md": """# 2026-02-02 — Episode Log

## 14:30 | decision | confidence:high | tags:[memory, architecture] | source:user-explicit
We chose the hybrid design: several stores, and core memory that is always in the context.

## 15:45 | preference | confidence:medium | tags:[workflow] | source:conversation
Alex prefers to compare options before the first line of code is written.

## 16:00 | task | confidence:high | tags:[memory, design] | source:user-explicit
The design document is written; Alex reads it next and answers on each part.
""",
    "memory/graph/entities/person--alex.md": """---
id: person--alex
type: person
label: Alex
aliases: [Alex Rivera]
created: 2026-01-15
updated: 2026-02-02
---
# Alex

## Summary
The person whom this agent works for.

## Facts
- lives in Lisbon
- writes Python and TypeScript

## Relations
- develops: [[project--moltbot-memory]]
- prefers: [[concept--brainstorm-first]]
""",
    "memory/graph/entities/project--moltbot-memory.md": """# project--moltbot-memory
<!-- Type: project | Created: 2026-01-15 | Last updated: 2026-02-02 -->
<!-- Decay score: 0.95 | Access count: 14 | Pinned: no -->

## Summary
A memory for agents that forgets on purpose and can be audited.

## Facts
- Routing: a model decides where a memory goes
- Forgetting: memories fade, nothing is deleted
- Core memory budget: about 3,000 tokens

## Timeline
- 2026-01-15: the first papers were read
- 2026-02-02: the direction was chosen

## Open Questions
- How much may one reflection write?

## Relations
- uses: [[tool--openclaw]]
- decided-on: [[concept--oauth2-pkce]]
""",
    "memory/graph/entities/concept--oauth2-pkce.md": """---
id: concept--oauth2-pkce
type: concept
label: OAuth2 PKCE
aliases: [PKCE]
created: 2026-01-20
updated: 2026-01-20
---
# OAuth2 PKCE

## Facts
- the login flow of the mobile client
""",
    "memory/graph/entities/concept--brainstorm-first.md": """---
id: concept--brainstorm-first
type: concept
label: Brainstorm first
created: 2026-02-02
updated: 2026-02-02
---
# Brainstorm first

## Facts
- options first, code later
""",
    "memory/graph/entities/tool--openclaw.md": """---
id: tool--openclaw
type: tool
label: OpenClaw
created: 2026-01-15
updated: 2026-02-02
---
# OpenClaw

## Facts
- the program that runs the agent
""",
    "memory/procedures/how-to-deploy.md": """# how-to-deploy
<!-- Type: procedure | Learned: 2026-01-25 | Last used: 2026-01-30 -->
<!-- Decay score: 0.85 | Access count: 3 -->

## Trigger
When Alex asks to ship or to go to production.

## Steps
1. Run the whole test suite
2. Look for changes that are not committed
3. Tag the version with git
4. Deploy to staging, then to production

## Notes
- Ask before production, each time

## Learned From
- Episode 2026-01-25 14:30 — the first deployment
- Episode 2026-01-30 09:15 — after staging broke
""",
    "memory/vault/promise.md": """---
id: promise
type: vault
label: Promise
created: 2026-01-15
---
# Promise

The diary of Alex's grandmother is never summarised.
""",
    "memory/meta/decay-scores.json": """{
  "version": 1,
  "last_updated": "2026-02-02T16:00:00Z",
  "entries": {
    "episode:2026-02-02:14:30": {
      "store": "episodic",
      "base_relevance": 1.0,
      "created": "2026-02-02T14:30:00Z",
      "last_accessed": "2026-02-02T16:00:00Z",
      "access_count": 2,
      "type_weight": 0.8,
      "current_score": 0.92,
      "status": "active",
      "pinned": false
    },
    "entity:concept--oauth2-pkce": {
      "store": "semantic",
      "base_relevance": 0.7,
      "created": "2025-08-20T10:00:00Z",
      "last_accessed": "2025-08-20T10:00:00Z",
      "access_count": 1,
      "type_weight": 1.2,
      "current_score": 0.52,
      "status": "active",
      "pinned": false
    }
  }
}
""",
    "memory/meta/reflection-log.md": """# Reflection Log

## Reflection #1 — 2026-01-25
- approved: what the first weeks taught
""",
    "memory/meta/evolution.md": """# Evolution

## Active Threads
- Alex asks for both where others ask for one of two
""",
}
"""A life of some weeks in the formats that the first design of this memory describes."""

NOTES = {
    "AGENTS.md": "# AGENTS.md\n\nEvery session: read SOUL.md, then yesterday's notes.\n",
    "SOUL.md": "# SOUL.md\n\nHelp for real, not for show.\n",
    "IDENTITY.md": "# IDENTITY.md\n\n- **Name:** Pim\n- **Creature:** crab\n",
    "USER.md": "# USER.md\n\n- **Name:** Mara\n- **Time zone:** Europe/Vienna\n",
    "TOOLS.md": "# TOOLS.md\n\n### Cameras\n\n- hall: the one above the coats\n",
    "HEARTBEAT.md": "# HEARTBEAT.md\n\n- look whether the greenhouse is too warm\n",
    "MEMORY.md": """# Long-term memory

Mara runs a nursery with two greenhouses near Graz.

## People
- Jonas waters the plants on weekends
- Dr. Huber is the vet of her dog Bruno

## Lessons
- Ask before ordering seeds; the shed is full
""",
    "memory/2026-02-03.md": """# 2026-02-03

- Mara ordered 400 tomato seedlings from Gärtnerei Lindner
- the heating of greenhouse two failed at night, Jonas restarted it

## Evening
Talked about the market stall in Graz. It opens on 2026-03-14.
""",
    "memory/2026-02-04.md": """# 2026-02-04

The plumber came at 10:00 and replaced the valve of greenhouse two. The bill was 180 euros.

- 玛拉的女儿下周从北京回来
- the new thermometer is called Frosty
""",
    "memory/2026-02-05.md": "# 2026-02-05\n\nA quiet day. Bruno limps again; call Dr. Huber.\n",
    "memory/projects/stall.md": """---
title: The market stall
---
# The market stall

Six square metres, Saturdays only, 45 euros a day.
""",
}
"""A folder as an agent of another program leaves it, with a page for each day."""


@contextlib.contextmanager
def hold_clock(second: int) -> Iterator[None]:
    """Let no clock pass: neither this process's own nor that of git's commits."""
    stamp = f"{second} +0000"
    dates = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    held = mock.patch.object(time, "time", return_value=float(second))
    with held, mock.patch.dict(os.environ, dates):
        yield


def call_molt(second: int, root: Path, *args: str) -> None:
    """Run a command that is to succeed, at a second."""
    with hold_clock(second), contextlib.redirect_stdout(io.StringIO()) as out:
        status = main(["--workspace", str(root), *args])
    assert status == 0, (args, out.getvalue())


def make_fresh(root: Path) -> None:
    """What `molt init` makes, and nothing else."""
    with hold_clock(BEGIN - 3_600), contextlib.redirect_stdout(io.StringIO()):
        assert main(["init", str(root)]) == 0


def make_lived(root: Path) -> None:
    """A life of some weeks, adopted, with what an agent and a person have done since."""
    _write(root, PEOPLE)
    _commit(root, BEGIN - 3 * 86_400)
    with hold_clock(BEGIN - 2 * 86_400), contextlib.redirect_stdout(io.StringIO()):
        assert main(["init", str(root)]) == 0
    day = BEGIN - 86_400
    said = ("--phrase", "remember that the demo is on Thursday", "--type", "event")
    call_molt(day, root, "remember", "The demo is on Thursday", "--store", "episodic", *said)
    fact = ("--entity", "tool:Postgres", "--store", "semantic")
    call_molt(day + 60, root, "remember", "Postgres 16 holds the job queue", *fact)
    call_molt(day + 120, root, "pin", "entity:tool--openclaw", "--actor", "manual")
    what = ("--entity", "person:Alex", "--trigger", "auto-detect", "--store", "semantic")
    call_molt(day + 180, root, "propose", "Alex reads papers on Sundays", *what, "--actor",
              "subagent:researcher")  # fmt: skip
    call_molt(day + 240, root, "propose", "Write the tests first when refactoring", "--store",
              "procedural", "--confidence", "high", "--actor", "subagent:coder")  # fmt: skip


def make_adopted(root: Path) -> None:
    """Another program's folder with pages for days, adopted as it stands."""
    _write(root, NOTES)
    with hold_clock(BEGIN - 3_600), contextlib.redirect_stdout(io.StringIO()):
        assert main(["init", str(root)]) == 0


GROUNDS = {"fresh": make_fresh, "lived": make_lived, "adopted": make_adopted}


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def _commit(root: Path, second: int) -> None:
    with hold_clock(second):
        for args in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "as it was")):
            subprocess.run(["git", *args], cwd=root, check=True)
