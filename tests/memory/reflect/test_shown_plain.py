"""The refs of reflections are not followed elsewhere."""

from __future__ import annotations

from pathlib import Path

from molt.repo import find
from molt.repo.write import ref_moves


def test_a_name_that_leads_elsewhere_is_not_followed(tmp_path: Path, git) -> None:
    repo = find.init(str(tmp_path / "w"))
    root = Path(repo.root)
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    tip = git(root, "rev-parse", "HEAD").strip()
    git(root, "symbolic-ref", "refs/heads/reflect/r-003", "refs/heads/elsewhere")
    ref_moves.move_refs(repo, [ref_moves.RefMove("refs/heads/reflect/r-003", "", tip)], "test")
    assert git(root, "for-each-ref", "--format=%(refname)", "refs/heads/elsewhere") == ""
