"""Approvals that have to be signed: molt's own are, and nothing else approves."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from moments import BY_HAND

from molt import errors
from molt.memory import workspace
from molt.memory.checks import verify
from molt.memory.reflect.decisions import approve
from molt.memory.workspace import Workspace

from .conftest import NOW, Propose

RULES = {
    "all": "",
    "decisions": "signatures:\n  require: [approve]\n",
}


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("keys") / "ada"
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(place)]
    subprocess.run(words, check=True)
    return place


def bind(ws: Workspace, key: Path, more: str, actor: str = "manual") -> Workspace:
    """Somebody bound to a key, in a person's commit."""
    public = key.with_suffix(".pub").read_text(encoding="utf-8")
    file = Path(ws.repo.root, "molt.yaml")
    file.write_text(f"{file.read_text()}actors:\n  {actor}: {public}{more}", encoding="utf-8")
    ws.repo.run("commit", "-qam", BY_HAND, "--no-verify")
    return workspace.find(ws.repo.root)


@pytest.mark.parametrize("name", RULES)
def test_molt_signs_the_merge_that_approves(
    ws: Workspace, propose: Propose, key: Path, name: str
) -> None:
    propose()
    ws = bind(ws, key, RULES[name])
    before = ws.repo.tip()
    with pytest.raises(errors.Refused):
        approve.approve_reflection(ws, "", approve.ALL, NOW)
    assert ws.repo.tip() == before, "nothing changes without the key"
    ws.repo.set_config("molt.manual.signingkey", str(key))
    approve.approve_reflection(workspace.find(ws.repo.root), "", approve.ALL, NOW)
    assert "gpgsig" in ws.repo.run("cat-file", "commit", "HEAD")
    assert not verify.verify_commits(ws.repo, [f"{before}..HEAD"]).errors


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody", "Merge branch 'reflect/r-001'"),
        ("a person", "[MERGE] * — x\n\nActor: manual\nApproval: approved\nTrigger: t"),
    ],
)
def test_a_merge_that_nobody_signed_approves_nothing(
    ws: Workspace, propose: Propose, key: Path, name: str, said: str
) -> None:
    propose()
    ws = bind(ws, key, RULES["decisions"])
    off = ("-c", "core.hooksPath=/dev/null")
    ws.repo.run(*off, "merge", "-q", "--no-ff", "-m", said, "reflect/r-001")
    found = verify.verify_commits(ws.repo, ["HEAD^1..HEAD"]).errors
    assert "REFL001" in {one.code for _, one in found}, name
    signed = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}")
    if name == "a person":
        ws.repo.run(*off, *signed, "commit", "--amend", "-q", "-S", "--no-edit")
        found = verify.verify_commits(ws.repo, ["HEAD^1..HEAD"]).errors
        assert "REFL001" not in {one.code for _, one in found}


def test_where_no_approval_has_to_be_signed_a_forge_may_merge(
    ws: Workspace, propose: Propose, key: Path
) -> None:
    propose()
    ws = bind(ws, key, "", "bot:main")
    off = ("-c", "core.hooksPath=/dev/null")
    ws.repo.run(
        *off, "merge", "-q", "--no-ff", "-m", "Merge branch 'reflect/r-001'", "reflect/r-001"
    )
    assert not verify.verify_commits(ws.repo, ["HEAD^1..HEAD"]).errors
