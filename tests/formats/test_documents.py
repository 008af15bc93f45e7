"""Which paths are of documents."""

from __future__ import annotations

import pytest

from molt.formats import documents


@pytest.mark.parametrize(
    "path",
    ["docs/a.md", "projects/boat/README.md", "Notes/2026/plan.md", "笔记/计划.md", "oldtown/a.md"],
)
def test_what_stands_in_a_folder_is_a_document(path: str) -> None:
    assert documents.is_document(path)


@pytest.mark.parametrize(
    "path",
    [
        *("a.md", "memory/a.md", "docs/a.txt", "docs/a.markdown", ".hidden/a.md", "a/.trash/b.md"),
        *("node_modules/x/readme.md", "lib/x-1.2.dist-info/a.md", "@scope/a.md", "my_venv/a.md"),
        *("skills/x/SKILL.md", "docs/SKILL.md", "my-skills/a.md", "Archive/a.md", "backup-1/a.md"),
        *("a/templates/b.md", "private/a.md", "a/Secrets/b.md", "docs/CHANGELOG.md", "tmp/a.md"),
    ],
)
def test_what_is_brought_copied_or_kept_back_is_none(path: str) -> None:
    assert not documents.is_document(path)
