"""Every state in which a folder can be made or adopted as a workspace."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from molt import errors
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.adopt.setup import Made
from molt.memory.checks import verify
from molt.repo import hooks

pytestmark = pytest.mark.slow

Git = Callable[..., str]
OLD = b"# Mine\r\n\r\n- a note\r\n"
FILES = {
    "MEMORY.md": b"I like tea.\n",
    "SOUL.md": OLD,
    "memory/2026-01-02.md": b"- went for a walk\r\n- no end of line",
    "memory/graph/entities/person--ada.md": b"<!-- type: person -->\n# Ada\n",
    "src/main.py": b"pass\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "agent"


def put(root: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


def same(root: Path, files: dict[str, bytes]) -> None:
    assert {path: (root / path).read_bytes() for path in files} == files


def repository(root: Path, git: Git) -> None:
    root.mkdir(exist_ok=True)
    git(root, "init", "-q", "-b", "main")


def committed(root: Path, git: Git, files: dict[str, bytes], message: str = "wip") -> str:
    repository(root, git)
    put(root, files)
    git(root, "add", "-A", "-f")
    git(root, "commit", "-qm", message)
    return git(root, "rev-parse", "HEAD").strip()


def judged(made: Made, git: Git) -> None:
    """The workspace passes its own rules, and a second run changes nothing."""
    assert verify.verify_commits(made.repo).findings == ()
    root = Path(made.repo.root)
    before = git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")
    again = setup.init(str(root))
    assert (again.commit, again.created, again.adopted) == (None, (), ())
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == before


def test_a_new_folder_becomes_a_clean_workspace(root, git) -> None:
    made = setup.init(str(root / "deep/er"))
    assert "MEMORY.md" in made.created
    assert git(root / "deep/er", "status", "--porcelain") == ""
    judged(made, git)


def test_files_without_a_repository_are_adopted_byte_for_byte(root, git) -> None:
    put(root, FILES)
    made = setup.init(str(root))
    same(root, FILES)
    assert set(made.adopted) == set(FILES) - {"src/main.py"}
    assert git(root, "status", "--porcelain") == "?? src/\n"
    judged(made, git)


def test_an_unborn_branch_keeps_what_is_staged_as_it_is_staged(root, git) -> None:
    repository(root, git)
    put(root, FILES)
    git(root, "add", "SOUL.md", "src/main.py")
    put(root, {"SOUL.md": b"later\n"})
    made = setup.init(str(root))
    same(root, FILES | {"SOUL.md": b"later\n"})
    assert git(root, "show", "HEAD:SOUL.md").encode() == OLD.replace(b"\r\n", b"\n")
    assert git(root, "status", "--porcelain") == " M SOUL.md\nA  src/main.py\n"
    judged(made, git)


def test_history_in_another_style_stays_and_is_not_judged(root, git) -> None:
    tip = committed(root, git, FILES, "fix stuff")
    made = setup.init(str(root))
    same(root, FILES)
    assert git(root, "rev-parse", "HEAD^").strip() == tip
    assert f"Adopted: {tip}" in git(root, "log", "-1", "--format=%B")
    assert made.adopted == ()
    judged(made, git)


def test_a_dirty_work_tree_stays_dirty(root, git) -> None:
    committed(root, git, FILES)
    put(root, {"SOUL.md": b"edited\n", "memory/new.md": b"new\n", "staged.md": b"s\n"})
    git(root, "add", "staged.md")
    before = git(root, "status", "--porcelain", "-uall")
    made = setup.init(str(root))
    assert git(root, "status", "--porcelain", "-uall") == before
    assert made.left == ("memory/new.md", "staged.md")
    same(root, {"SOUL.md": b"edited\n"})
    judged(made, git)


def test_an_uncommitted_configuration_is_taken_as_it_is(root, git) -> None:
    committed(root, git, FILES)
    put(root, {"molt.yaml": b"core:\n  cap: 4000\n"})
    made = setup.init(str(root))
    assert made.adopted == ("molt.yaml",)
    assert workspace.find(str(root)).config.core_cap == 4000
    judged(made, git)


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
def test_a_file_of_git_that_exists_is_left_alone(root, git, name) -> None:
    mine = {name: b"*.tmp binary\n"}
    committed(root, git, FILES | mine)
    made = setup.init(str(root))
    same(root, mine)
    assert (root / "memory/meta/audit.log").exists()
    assert git(root, "status", "--porcelain") == ""
    judged(made, git)


def test_a_clone_of_an_adopted_workspace_ignores_the_projections_too(root, git, tmp_path) -> None:
    committed(root, git, FILES | {".gitignore": b"*.tmp"})
    setup.init(str(root))
    git(tmp_path, "clone", "-q", str(root), "clone")
    setup.init(str(tmp_path / "clone"))
    assert (tmp_path / "clone/memory/meta/audit.log").exists()
    assert git(tmp_path / "clone", "status", "--porcelain") == ""


def test_what_the_rules_would_refuse_later_is_adopted_with_a_warning(root, git) -> None:
    put(root, FILES | {"memory/keys.md": b"ghp_" + b"a1" * 20 + b"\n"})
    made = setup.init(str(root))
    assert [(one.code, one.severity) for one in made.findings] == [("SEC001", "warning")]
    assert "memory/keys.md" in made.adopted
    assert not any(one.severity == "error" for _, one in verify.verify_commits(made.repo).findings)


def test_the_audit_log_of_another_tool_is_kept(root, git) -> None:
    put(root, {"memory/meta/audit.log": b"theirs\n"})
    made = setup.init(str(root))
    assert made.left == ("memory/meta/audit.log.before-molt",)
    same(root, {made.left[0]: b"theirs\n"})
    assert b"system:init" in (root / "memory/meta/audit.log").read_bytes()


def test_links_are_neither_followed_nor_replaced(root, git, tmp_path) -> None:
    root.mkdir()
    (tmp_path / "elsewhere.md").write_text("theirs\n")
    (root / "MEMORY.md").symlink_to(tmp_path / "elsewhere.md")
    setup.init(str(root))
    assert (root / "MEMORY.md").is_symlink()
    assert (tmp_path / "elsewhere.md").read_text() == "theirs\n"
    assert git(root, "status", "--porcelain") == "?? MEMORY.md\n"


def test_a_linked_memory_folder_is_refused_and_nothing_is_made(root, tmp_path) -> None:
    root.mkdir()
    (tmp_path / "outside").mkdir()
    (root / "memory").symlink_to(tmp_path / "outside")
    with pytest.raises(errors.Failed, match="symbolic link"):
        setup.init(str(root))
    assert [path.name for path in root.iterdir()] == ["memory"]
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_new_folder_inside_a_workspace_is_refused(root) -> None:
    setup.init(str(root))
    with pytest.raises(errors.Failed, match="inside the repository"):
        setup.init(str(root / "another"))
    assert not (root / "another").exists()


def test_a_folder_inside_a_repository_is_refused_with_both_ways_out(root, git) -> None:
    committed(root, git, FILES)
    with pytest.raises(errors.Failed, match="inside the repository") as failed:
        setup.init(str(root / "sub/agent"))
    assert f"molt init {root}" in failed.value.hint
    assert not (root / "sub").exists()
    git(root, "init", "-q", "nested")
    assert setup.init(str(root / "nested")).repo.root == str(root / "nested")


def test_a_folder_of_a_workspace_is_that_workspace(root, git) -> None:
    setup.init(str(root))
    assert setup.init(str(root / "memory")).commit is None


def test_a_bare_repository_is_refused(root, git) -> None:
    git(root.parent, "init", "-q", "--bare", str(root))
    with pytest.raises(errors.Failed, match="bare repository"):
        setup.init(str(root))


def test_a_detached_head_is_refused_and_nothing_changes(root, git) -> None:
    committed(root, git, FILES | {".gitignore": b"x\n"})
    git(root, "checkout", "-q", "--detach")
    before = (root / ".git/info").exists(), sorted(path.name for path in root.rglob("*.md"))
    with pytest.raises(errors.Failed, match="detached"):
        setup.init(str(root))
    assert ((root / ".git/info").exists(), sorted(p.name for p in root.rglob("*.md"))) == before


def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER"))]:
        monkeypatch.delenv(name)


def test_without_an_identity_nothing_is_made_and_the_hint_says_how(root, monkeypatch) -> None:
    nobody(monkeypatch)
    with pytest.raises(errors.Failed) as failed:
        setup.init(str(root / "a/b"))
    assert "git config --global user.name" in failed.value.hint
    assert not root.exists()


def test_without_an_identity_a_folder_of_files_stays_one(root, monkeypatch) -> None:
    nobody(monkeypatch)
    put(root, FILES)
    with pytest.raises(errors.Failed):
        setup.init(str(root))
    assert not (root / ".git").exists()
    same(root, FILES)


def test_an_identity_can_be_given_for_the_repository(root, git, monkeypatch) -> None:
    nobody(monkeypatch)
    made = setup.init(str(root), name="Ada L", email="ada@example.org")
    assert git(root, "log", "-1", "--format=%an <%ae> %cn") == "Ada L <ada@example.org> Ada L\n"
    judged(made, git)


@pytest.mark.parametrize("place", [".husky", "../shared"])
def test_hooks_that_are_not_this_clones_alone_are_told(root, git, place) -> None:
    committed(root, git, FILES)
    git(root, "config", "core.hooksPath", place)
    made = setup.init(str(root))
    told = hooks.describe_foreign(made.repo)
    assert told is not None
    assert place in told.what


def test_an_ignored_hooks_folder_may_be_filled(root, git) -> None:
    committed(root, git, {".husky/_/.gitignore": b"*\n"})
    git(root, "config", "core.hooksPath", ".husky/_")
    assert hooks.describe_foreign(setup.init(str(root)).repo) is None


def test_hooks_of_a_linked_work_tree_are_the_clones_own(root, git, tmp_path) -> None:
    committed(root, git, FILES)
    git(root, "worktree", "add", "-q", str(tmp_path / "second"))
    made = setup.init(str(tmp_path / "second"))
    assert hooks.describe_foreign(made.repo) is None
    judged(made, git)
