"""git: what a repository holds, and the only way to change it."""

from __future__ import annotations


def close() -> None:
    """End what still waits for questions; a door calls this last."""
    from molt.repo import process

    process.close_all()
