"""What nobody should pass to molt: a clear answer, the right exit status, nothing changed."""

from __future__ import annotations

import pytest

BIG = b"many words " * (2 << 20 >> 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(b"", b"nothing to remember", id="empty"),
        pytest.param(b" \n\t ", b"nothing to remember", id="blank"),
        pytest.param(BIG, b"over 1 MiB", id="2-mib"),
        pytest.param(b"a\0b", b"NUL", id="nul"),
        pytest.param(b"caf\xe9", b"not UTF-8", id="latin-1"),
        pytest.param(b"\xed\xa0\x80", b"not UTF-8", id="surrogate"),
    ],
)
def test_a_text_that_is_none_is_refused(still, molt, text, said) -> None:
    done = molt("remember", "-", stdin=text)
    assert done.returncode == 2
    assert said in done.stderr


def test_an_argument_that_is_no_utf8_is_refused(still, molt) -> None:
    done = molt("remember", b"caf\xe9")
    assert done.returncode == 2
    assert b"UTF-8" in done.stderr


@pytest.mark.parametrize("path", ["../x.md", "/etc/x.md", "memory/../../x.md", ".git/x.md"])
def test_a_path_outside_the_workspace_is_refused(still, molt, path) -> None:
    done = molt("get", path)
    assert done.returncode in (2, 4)
    assert path.encode() in done.stderr


@pytest.mark.parametrize("name", ["../../evil", "/etc/evil", "a/../../evil", ".git/hooks/evil"])
@pytest.mark.parametrize("flags", [("--store", "vault", "--title"), ("--entity",)])
def test_a_name_cannot_lead_out_of_its_folder(agent, molt, git, name, flags) -> None:
    prefix = "tool:" if flags == ("--entity",) else ""
    assert molt("remember", "x", *flags, prefix + name).returncode in (0, 1, 2)
    new = git(agent, "diff", "--name-only", "HEAD~1").split()
    assert all(path.startswith("memory/") for path in new)
    assert not list(agent.parent.rglob("evil*"))[1:]
    assert git(agent, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("core:\n  cap: [", b"not valid YAML", id="half-written"),
        pytest.param("corr:\n  cap: 5\n", b"did you mean core", id="unknown-key"),
        pytest.param("core:\n  cap: many\n", b"does not fit", id="wrong-type"),
        pytest.param("- a\n", b"not a mapping", id="list"),
        pytest.param("\ufeffa: &a [*a]\n", b"molt.yaml", id="strange"),
    ],
)
def test_a_broken_configuration_warns_and_never_locks_out(agent, molt, git, text, said) -> None:
    (agent / "molt.yaml").write_text(text)
    git(agent, "commit", "-qam", "break it", "--no-verify")
    done = molt("remember", "still here")
    assert done.returncode == 0
    assert said in done.stderr
    assert said in molt("doctor").stdout


def test_a_linked_file_is_neither_read_nor_written_through(agent, molt, git, tmp_path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("the moon is a harsh mistress\n")
    (agent / "memory/linked.md").symlink_to(secret)
    assert b"harsh" not in molt("search", "harsh mistress").stdout
    assert molt("get", "memory/linked.md").returncode == 1
    assert b"SEC002" in molt("check").stdout
    git(agent, "add", "memory/linked.md")
    assert "SEC002" in git(agent, "commit", "-m", "link", check=False)


def test_a_linked_folder_is_refused(agent, molt, tmp_path) -> None:
    (tmp_path / "outside").mkdir()
    (agent / "memory/procedures").symlink_to(tmp_path / "outside")
    done = molt("remember", "always run the tests", "--store", "procedural", "--title", "t")
    assert done.returncode == 1
    assert b"symbolic link" in done.stderr
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_linked_core_is_refused(agent, molt, tmp_path) -> None:
    (agent / "MEMORY.md").rename(tmp_path / "MEMORY.md")
    (agent / "MEMORY.md").symlink_to(tmp_path / "MEMORY.md")
    before = (tmp_path / "MEMORY.md").read_bytes()
    done = molt("remember", "x", "--store", "core")
    assert done.returncode == 1
    assert b"symbolic link" in done.stderr
    assert (tmp_path / "MEMORY.md").read_bytes() == before
