"""Files are chosen by their bytes, and those that say what is sought are among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from molt.formats.prose import sayings
from molt.formats.prose.sayings import Saying
from molt.memory.forget import matches, said_words
from molt.trees import DictTree

if TYPE_CHECKING:
    from molt.memory.forget.said_words import Condensed

PIECES = st.sampled_from(
    (
        *("gym", "Gym", "GYMS", "the", "code", "4711", "locker code", "the pit", "e", "ss", "fi"),
        *("straße", "STRASSE", "ﬁt", "fit", "Ｇｙｍ", "K", "kelvin", "½", "1⁄2", "№", "…", "..."),
        *(
            "café",
            "cafe\u0301",
            "cafe",
            "體育館",
            "体育馆",
            "育馆",
            "在体育馆",
            "각",
            "\u1100\u1161",
        ),
        *("الكِتاب", "كتاب", "\u00ad", "\u200d", "\u00a0", "´", "İ", "ı", "a´b", "ς", "Σ", "\0"),
        *("gym-code", "gym_code", "'gym'", "gym.", "(code)", "foo,bar", "\\", "''", "\\u0041", "'"),
    )
)
SAID = st.lists(PIECES, max_size=5).map(" ".join) | st.lists(PIECES, max_size=4).map("".join)
ASKED = SAID.filter(str.strip)
NAMES = {
    "MEMORY.md": "# M\n\n## Active Context\n- {0}\n- {1}\n",
    "memory/episodes/2026-02-02.md": "# 2026-02-02 — Episode Log\n\n## 14:30 | fact |"
    " confidence:high | tags:[gym] | session:s-1\n{0}\n\n## 14:31 | fact | tags:[]\n{1}\n",
    "memory/graph/entities/place--quiet-gym.md": "---\nid: place--quiet-gym\ntype: place\n"
    "label: {0}\naliases: [{1}]\n---\n# X\n\n## Facts\n- {1}\n",
    "memory/graph/entities/place--b.md": "---\nlabel: '{0}'\n---\n{1}\n",
    "memory/procedures/train.md": '---\nid: train\nlabel: "{0}"\n---\n# Train\n\n{1}\n',
    "memory/2026-02-03.md": "# 2026-02-03\n\n{0}\n\n## {1}\n\n## 14:30 | fact\nrain\n",
    "memory/notes.md": "# Notes\n\n{0}\n{1}\n",
}


def condense_files(texts: dict[str, str]) -> dict[str, Condensed]:
    """What is kept of some files."""
    return {path: said_words.condense_file(path, text.encode()) for path, text in texts.items()}


def list_rows(one: Saying) -> str:
    """All by which one thing is found."""
    name = one.id.partition(":")[2] if one.kind == sayings.NOTE else ""
    return f"{one.text} {one.named} {name.replace('-', ' ')}"


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, st.tuples(SAID, SAID))), ASKED)
@example({"memory/notes.md": ("the Ｇｙｍ", "")}, "gym the")
@example({"memory/notes.md": ("a´b", "x")}, "a´b")
@example({"memory/notes.md": ("gym, code", "")}, "gym,code")
@example({"memory/graph/entities/place--quiet-gym.md": ("x", "")}, "quiet gym")
def test_every_file_is_chosen_that_says_it(files: dict[str, tuple[str, str]], asked: str) -> None:
    texts = {path: NAMES[path].format(*said) for path, said in files.items()}
    tree = DictTree({path: text.encode() for path, text in texts.items()})
    choose, says = said_words.make_chooser(asked), said_words.make_line_test(asked)
    assert choose is not None
    every = [one for one in matches.list_sayings(tree) if says(list_rows(one))]
    chosen = choose(condense_files(texts))
    assert [one for one in matches.list_sayings(tree, chosen) if says(list_rows(one))] == every


def test_what_no_file_says_chooses_none() -> None:
    choose = said_words.make_chooser("gym code")
    assert choose is not None
    texts = {
        "memory/a.md": "the gym — 体育馆",
        "memory/b.md": "a code\\",
        "memory/c.md": "Ｇｙｍ 1",
    }
    assert choose(condense_files(texts)) == []


@pytest.mark.parametrize(
    ("asked", "some"),
    [
        pytest.param("the door: it is ajar", True, id="a colon"),
        pytest.param("issue #12 is closed", True, id="a number"),
        pytest.param("episode: the pilot", True, id="the name of a store"),
        pytest.param("episode:2026-02-02:14:30", False, id="an entry"),
        pytest.param("entity:place--b#1f0c2a9b", False, id="a part of an entity"),
        pytest.param("memory/my notes.md#1f0c2a9b", False, id="a part of a note"),
        pytest.param("MEMORY.md#1f0c2a9b", False, id="a part of core memory"),
    ],
)
def test_what_is_no_id_chooses_files(asked: str, some: bool) -> None:
    assert (said_words.make_chooser(asked) is not None) == some
