"""Refs read as files: a process for what is seldom there would cost every write its start."""

from __future__ import annotations

import os

_HEX = frozenset("0123456789abcdef")


def list_below(common_dir: str, prefix: str) -> dict[str, str]:
    """The commits of the refs in a folder (`refs/heads/reflect/`), by the last part of their
    name; of refs deeper below, and of symbolic ones, none.
    """
    found = {name: oid for name, oid in _read_packed(common_dir, prefix) if "/" not in name}
    try:
        names = sorted(os.listdir(os.path.join(common_dir, prefix)))
    except (FileNotFoundError, NotADirectoryError):
        names = []
    for name in names:
        oid = _read_loose(os.path.join(common_dir, prefix, name))
        if oid and not name.endswith(".lock"):
            found[name] = oid
    return found


def find_worktree(common_dir: str, ref: str) -> str:
    """The folder of a work tree beside the first one that is on a branch; empty for none. One
    whose folder is gone counts for nothing, as for git.
    """
    folder = os.path.join(common_dir, "worktrees")
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ""
    for name in names:
        head, there = (_read_line(os.path.join(folder, name, one)) for one in ("HEAD", "gitdir"))
        if head == f"ref: {ref}" and os.path.exists(os.path.join(folder, name, there)):
            return os.path.dirname(there)
    return ""


def _read_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().rstrip("\n")
    except OSError:
        return ""


def _read_loose(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            oid = file.read(100).rstrip("\n")
    except OSError:
        return ""
    return oid if len(oid) == 40 and _HEX.issuperset(oid) else ""


def _read_packed(common_dir: str, prefix: str) -> list[tuple[str, str]]:
    try:
        with open(os.path.join(common_dir, "packed-refs"), "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return []
    mark = f" {prefix}".encode()
    if mark not in data:
        return []
    rows = (row.split(mark, 1) for row in data.split(b"\n") if mark in row)
    return [(name.decode("utf-8", "surrogateescape"), oid.decode()) for oid, name in rows]
