from __future__ import annotations

import pytest

from molt.policy import Context, evaluate, names
from molt.trees import DictTree

IMPOSSIBLE = [
    *("memory/.git/config", "data/.GIT/hooks/pre-commit", "memory/git~1/config", "a/.git./x"),
    *("a/.git /x", "a/.Git::$INDEX_ALLOCATION/x", "memory/.g\u200cit/config", "a/../b", "a//b"),
    *("/".join(["d" * 80] * 60), "/".join("d" * 70), f"data/{'n' * 256}", f"data/{'ü' * 128}"),
]


@pytest.mark.parametrize("path", IMPOSSIBLE)
@pytest.mark.parametrize("actor", ["manual", "bot:main", "system:init"])
def test_what_no_clone_can_check_out_is_refused_to_everybody(path: str, actor: str) -> None:
    found = evaluate(DictTree(), DictTree({path: b"a\n"}), None, Context(actor=actor))
    assert ("SEC004", "error", path) in [(one.code, one.severity, one.path) for one in found]


@pytest.mark.parametrize(
    "path",
    [".gitignore", ".github/x.yml", "a/.gitkeep", "git~12", "会议/笔记.md"],
)
def test_what_git_checks_out_is_possible(path: str) -> None:
    assert names.find_impossible(path) == ""


@pytest.mark.parametrize(
    ("path", "target", "outside"),
    [
        ("CLAUDE.md", "AGENTS.md", False),
        ("docs/a.md", "../README.md", False),
        ("docs/a.md", "./b/../c.md", False),
        ("a.md", "/etc/passwd", True),
        ("a.md", "../a.md", True),
        ("docs/a.md", "../../.ssh/id_rsa", True),
        ("docs/a.md", "b/../../../x", True),
        ("a.md", "C:\\x", True),
        ("a.md", ".git/config", True),
    ],
)
def test_where_a_link_leads(path: str, target: str, outside: bool) -> None:
    assert names.leads_out(path, target) == outside


def test_each_name_that_collides_is_told_however_many_there_are() -> None:
    many = {f"memory/n{number}.md": b"" for number in range(20)}
    alike = {"memory/N3.md": b"", "memory/n7.MD": b""}
    found = names.find_collisions(DictTree(many), DictTree(many | alike), sorted(alike))
    assert [path for path, _ in found] == sorted(alike)
    found = names.find_collisions(DictTree(), DictTree(many | alike), sorted(many | alike))
    assert {path for path, _ in found} == {*alike, "memory/n3.md", "memory/n7.md"}


def test_a_new_folder_collides_with_one_that_is_there() -> None:
    base = DictTree({"memory/Vault/a.md": b""})
    new = DictTree({"memory/Vault/a.md": b"", "memory/vault/deep/b.md": b""})
    ((path, why),) = names.find_collisions(base, new, ["memory/vault/deep/b.md"])
    assert path == "memory/vault/deep/b.md"
    assert "'vault' and 'Vault'" in why


@pytest.mark.parametrize(
    ("short", "name", "is_it"),
    [
        ("claude~1", ".claude", True),
        ("molt~1.yam", "molt.yaml", True),
        ("pre-co~1.yam", ".pre-commit-config.yaml", True),
        ("claude~2.md", "claude.local.md", True),
        ("claude~x", ".claude", False),
        ("molt~1.yml", "molt.yaml", False),
        ("notes~1", ".claude", False),
    ],
)
def test_names_of_eight_letters_are_read(short: str, name: str, is_it: bool) -> None:
    assert names.is_short_for(short, name) is is_it
