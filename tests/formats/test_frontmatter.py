from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import frontmatter

BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"


@pytest.mark.parametrize(
    ("block", "said"),
    [
        pytest.param(BOMB, "line 2: an anchor", id="anchors"),
        pytest.param("a: [*a]\n", "line 2: an alias", id="an-alias"),
        pytest.param(
            "id: a\nid: b\n", "line 3: the key 'id' stands twice", id="a-simple-key-twice"
        ),
        pytest.param("id: a\n'id': b\n", "line 3: the key 'id' stands twice", id="a-key-twice"),
        pytest.param("[" * 5000 + "\n", "32 levels", id="depth"),
        pytest.param(f"a: '{'x' * 70_000}'\n", "over 65,536 bytes", id="size"),
        pytest.param(f"a: {'1' * 5000}\n", "is no number or date", id="digits"),
        pytest.param("created: 2026-02-31\n", "'2026-02-31' is no number or date", id="no-day"),
        pytest.param("- a\n", "not a mapping", id="list"),
    ],
)
def test_what_is_not_read_says_why_and_where(block: str, said: str) -> None:
    text = f"---\n{block}---\nbody\n"
    with pytest.raises(ValueError, match=said):
        frontmatter.front_matter(text)
    assert frontmatter.metadata(text) == {}


@given(st.lists(st.tuples(st.sampled_from(["id", "tags", "on", "a b"]), st.text(max_size=6))))
def test_what_the_short_way_reads_is_what_yaml_says(rows: list[tuple[str, str]]) -> None:
    block = "".join(f"{key}: {value}\n" for key, value in rows)
    found = frontmatter._read_simple(block)
    if found is not None:
        loaded = yaml.load(block, yaml.BaseLoader) or {}
        assert list(found) == list(loaded)
        assert len(found) == len(rows)


@given(st.text(alphabet="0123456789", min_size=1, max_size=12))
def test_a_number_read_the_short_way_is_the_one_of_yaml(digits: str) -> None:
    found = frontmatter._read_simple(f"n: {digits}\n")
    if found is not None:
        assert found == yaml.safe_load(f"n: {digits}\n")


def test_three_dots_close_no_front_matter() -> None:
    assert frontmatter.split_front_matter("---\na: b\n...\n")[0] is None
    assert frontmatter.split_front_matter("---\na: |\n  x\n...\n---\n")[0] == "a: |\n  x\n...\n"


def test_a_comment_that_says_when_a_note_was_updated_follows() -> None:
    note = "# x\n<!-- Type: tool | Last updated: 2026-02-02 -->\n## Facts\n- a\n"
    assert frontmatter.set_updated(note, "2026-03-04") == note.replace("02-02", "03-04")
    assert frontmatter.set_updated("# x\n- a\n", "2026-03-04") == "# x\n- a\n"
