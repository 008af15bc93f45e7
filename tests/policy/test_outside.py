from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from molt.formats import paths
from molt.policy import outside

KEYS = ("origin", "Origin", "source", "SOURCE", "imported", "label", "'source'", '"origin"')
VALUES = (
    "agent",
    "user",
    "web",
    "tool",
    "Sub-Agent",
    "subagent:ada",
    "import",
    "'web'",
    "|\n  web",
    "|2-\n  web",
    "!!str web",
    "&a web",
    "# why\n  web",
    '"we\\x62"',
    "\u00a0web",
    "\u017fubagent:ada",
)
PIECES = (
    ": ",
    ":",
    " : ",
    "\t",
    "\n",
    "\r\n",
    " | ",
    " (",
    "ori gin",
    "\u017fource",
    '"import\\x65d"',
    ")",
    "---\n",
    "## 09:00 | fact | ",
    "é ",
)
TEXT = st.lists(st.sampled_from((*KEYS, *VALUES, *PIECES)), max_size=14).map("".join)
PATHS = st.sampled_from(
    (
        *("memory/episodes/2026-02-02.md", "memory/graph/entities/tool--a.md", "memory/a.md"),
        *("memory/imported/a.md", "memory/graph/relations.md", "memory/a.txt"),
    )
)


@given(PATHS, TEXT)
@example("memory/graph/entities/tool--a.md", "---\norigin: agent\nsource: web\n---\n")
@example("memory/episodes/2026-02-02.md", "## 09:00 | fact | origin:user | source:web\nx\n")
@example("memory/a.md", "---\nsource: >-\n  web\n---\nx\n")
@example("memory/a.md", '---\nsource: "we\\x62"\n---\nx\n')
@example("memory/a.md", "---\nsource: !!str web\n---\nx\n")
@example("memory/a.md", "---\nsource: &a web\n---\nx\n")
@example("memory/a.md", "---\nsource: # why\n  web\n---\nx\n")
@example("memory/a.md", "---\nsource: |2-\n  web\n---\nx\n")
@example("memory/a.md", "---\nsource: \u00a0web\n---\nx\n")
@example("memory/a.md", "---\norigin: user\n\u017fource: web\n---\nx\n")
@example("memory/a.md", '---\norigin: user\n"import\\x65d": web\n---\nx\n')
@example("memory/graph/relations.md", "a fact (ori gin: web)\n")
@example("memory/a.md", "a fact (origin: agent)\nanother (Origin:\tweb)\n")
def test_a_file_that_is_not_taken_apart_says_nothing_from_outside(path: str, text: str) -> None:
    assert paths.kind_of(path) in outside._KINDS
    data = text.encode()
    if not path.startswith("memory/imported/") and not outside._may_tell(data.lower()):
        assert not any(kind for _, kind in outside._list_parts(path, data))


def test_front_matter_says_what_its_sentences_say_and_no_list_of_tags() -> None:
    about, tags = "lamps burn at all of the piers", "[lamps, and boats, and all of the piers]"
    note = f"---\nabout: {about}\ntags: {tags}\nsource: web\n---\nwords\n".encode()
    (told,) = outside.list_marked("memory/a.md", note)
    assert told.rows == (about, "words", "")


@pytest.mark.parametrize(
    "note",
    [
        "# N\n\n- the gate is green\n  - the lamp is red (origin: web)\n",
        "- the gate is green\n\n  the lamp is red (origin: web)\n",
        "- the gate is green\n   \n  the lamp is red (origin: web)\n",
    ],
)
def test_a_bullet_is_not_from_where_what_stands_below_it_is(note: str) -> None:
    told = {row for one in outside.list_marked("memory/a.md", note.encode()) for row in one.rows}
    assert any("lamp" in row for row in told)
    assert not any("gate" in row for row in told)
