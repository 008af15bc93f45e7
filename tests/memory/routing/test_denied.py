"""What a sentence denies, or puts behind something else, is no relation."""

from __future__ import annotations

import pytest

from molt.memory.engines import rules


def list_edges(text: str) -> list[tuple[str, str, str]]:
    return [(one.subject, one.word, one.object) for one in rules.answer_text(text).edges]


@pytest.mark.parametrize(
    "text",
    [
        "Kari does not use Windows",
        "Kari doesn’t use Windows",
        "Lumen does not depend on Redis",
        "Project Fjord doesn't use Kubernetes",
        "Bo uses neither Vim nor Emacs",
        "Neither Bo nor Kari uses Vim",
        "Bo never uses Docker",
        "Bo no longer uses Docker",
        "Bo uses Docker no longer",
        "Bo stopped using Docker",
        "Bo refuses to use Docker",
        "Lumen runs without Redis",
        "Chris prefers uv over pip",
        "Lumen不使用Redis",
        "Lumen没有使用Redis",
        "Lumen从不依赖Redis",
        "Lumen不再使用Docker",
    ],
)
def test_what_is_denied_is_no_relation(text: str) -> None:
    assert list_edges(text) == []


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        ("Kari does not like Bergen, but Bo uses Vim", ("Bo", "uses", "Vim")),
        ("Kari uses Linux, not Windows", ("Kari", "uses", "Linux")),
        ("Bo prefers pnpm over npm", ("Bo", "prefers", "pnpm")),
        ("Bo switched from Slack to Signal", ("Bo", "relates-to", "Signal")),
        ("Lumen reads from Postgres", ("Lumen", "uses", "Postgres")),
        ("Lumen不仅使用Redis", ("Lumen", "uses", "Redis")),
        ("Lumen使用Redis，不使用Kafka", ("Lumen", "uses", "Redis")),
    ],
)
def test_what_is_said_beside_a_denial_is_a_relation(text: str, edge: tuple[str, ...]) -> None:
    assert list_edges(text) == [edge]
