"""What a page shows of a proposal is its words: nothing in them hides or loads anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt.memory.reflect.summary import teller
from molt.repo import find
from molt.repo.write import ref_moves


def test_words_of_a_memory_are_no_elements_of_the_page() -> None:
    said = teller._flatten("a <!-- b --> <details> ![x](http://example.org/x.png) c\n## d")
    assert said == r"a \<!-- b --> \<details> !\[x](http://example.org/x.png) c ## d"


@pytest.mark.parametrize("said", ["&lt;b&gt; and &#65; &nbsp;", "AT&amp;T"])
def test_a_sign_that_is_written_as_its_name_stays_so(said: str) -> None:
    assert teller._flatten(said) == said.replace("&", r"\&")
    assert teller._flatten("fish & chips, R&D") == "fish & chips, R&D"


def test_a_name_that_leads_elsewhere_is_not_followed(tmp_path: Path, git) -> None:
    repo = find.init(str(tmp_path / "w"))
    root = Path(repo.root)
    git(root, "commit", "-q", "--allow-empty", "-m", "x")
    tip = git(root, "rev-parse", "HEAD").strip()
    git(root, "symbolic-ref", "refs/heads/reflect/r-003", "refs/heads/elsewhere")
    ref_moves.move_refs(repo, [ref_moves.RefMove("refs/heads/reflect/r-003", "", tip)], "test")
    assert git(root, "for-each-ref", "--format=%(refname)", "refs/heads/elsewhere") == ""
