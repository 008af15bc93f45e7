"""Addresses that let in who knows them: of hooks, and with a key in their path or their query."""

from __future__ import annotations

from itertools import pairwise

from molt.policy.secrets import stand_ins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy.secrets.form import Span

HOOKS = frozenset(("://",))
"""Words of which one must be in a text, in lower case, before its lines are read."""
_NAMED = frozenset(
    ("hook", "hooks", "webhook", "webhooks", "incoming", "key", "token", "heartbeat")
)
"""What stands in a path before what nobody else knows."""
_HOSTS = """
api.day.app cronitor.link hc-ping.com hook.make.com nosnch.in sctapi.ftqq.com quiknode.pro
ankr.com getblock.io alchemyapi.io make.com integromat.com
"""
_OF_HOOKS = tuple(_HOSTS.split())
"""How the hosts end whose paths are keys."""
_FIELDS = ("key", "token", "secret", "appid", "apikey", "auth", "pass", "password", "pwd", "sign")
"""What the fields of a query end with whose values are keys."""
_ENDS = " \t\"'`<>()[]{}|\\"
_REACH = 512
"""Characters of an address that are read."""
_SHORTEST = 16
"""Characters of a key in an address: shorter ones are ids."""


def find_in_paths(line: str, lower: str) -> Iterator[Span]:
    """What of addresses is a key: a part of a path behind its name or of a known host, and the
    value of a field of a query.
    """
    at = lower.find("://")
    while at >= 0:
        rest = line[at + 3 : at + 3 + _REACH]
        stop = min((found for found in map(rest.find, _ENDS) if found >= 0), default=len(rest))
        address, _, query = rest[:stop].partition("?")
        yield from _find_in_path(address.split("/"), at + 3)
        yield from _find_in_query(query, at + 4 + len(address))
        at = lower.find("://", at + 3)


def _find_in_path(parts: list[str], at: int) -> Iterator[Span]:
    known = parts[0].lower().endswith(_OF_HOOKS)
    for before, part in pairwise(parts):
        at += len(before) + 1
        told = known or before.lower() in _NAMED
        value = part.rstrip(".,;:!")
        if told and _is_secret(value) and not stand_ins.is_account(value):
            yield at, at + len(value)


def _find_in_query(query: str, at: int) -> Iterator[Span]:
    for field in query.split("&"):
        name, mark, value = field.partition("=")
        value = value.partition("#")[0].rstrip(".,;:!")
        if mark and name.lower().endswith(_FIELDS) and _is_secret(value):
            start = at + len(name) + 1
            yield start, start + len(value)
        at += len(field) + 1


def _is_secret(value: str) -> bool:
    """Whether a part of an address was drawn by lot, and is no name of something."""
    if len(value) < _SHORTEST or stand_ins.is_public(value) or stand_ins.is_filler(value):
        return False
    return stand_ins.is_uuid(value) or stand_ins.is_long_key(value)
