"""The attacks: what is tried, by whom, and how one sees that it got through.

Each principle of the policy has its file of them. `does` and `bad` are shell; `bad` succeeds where
HEAD holds what the attack wanted. `doors` says where it is tried: `hooks` (a commit with them),
`verify` (made without hooks, then judged), `push` (made without hooks, then pushed, received by a
server, and judged in a clone).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Attack(NamedTuple):
    """One attack; `actor` is what the environment says."""

    name: str
    does: str
    bad: str
    actor: str = ""
    doors: str = "hooks verify push"


def load_attacks(door: str) -> list[Attack]:
    """The attacks that are tried at a door."""
    return [one for one in _load() if door in one.doors]


@cache
def _load() -> tuple[Attack, ...]:
    files = sorted((Path(__file__).parent / "cases").glob("*.yaml"))
    tables = (yaml.load(file.read_text(encoding="utf-8"), _LOADER) for file in files)
    every = tuple(Attack(name, **fields) for table in tables for name, fields in table.items())
    assert len({one.name for one in every}) == len(every)
    return every
