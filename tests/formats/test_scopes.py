"""Scopes: how they are written, and what each view shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import episodes, scopes
from molt.index.content import chunks


@pytest.mark.parametrize("text", ["private", "project:molt", "Family", " a ", "team/x.y-z_1"])
def test_a_scope_has_one_form(text: str) -> None:
    assert scopes.parse_scope(text) == text.strip().lower()


@pytest.mark.parametrize("text", ["", " ", "a b", ":a", "a:", "a|b", "x" * 81, "a\nb", "[a]"])
def test_what_is_no_scope(text: str) -> None:
    with pytest.raises(ValueError, match="is no scope"):
        scopes.parse_scope(text)


@given(st.text(max_size=30))
def test_what_cannot_be_read_is_private(text: str) -> None:
    found = scopes.read_scope([("scope", text)])
    assert found in (scopes.PRIVATE, scopes.OPEN) or scopes.parse_scope(found) == found


PRIVATE_NOTES = (
    "---\nid: a\nscope: private\n---\n",
    '---\nid: a\n"scope": private\n---\n',
    "---\nid: a\nScope: PRIVATE # mine\n---\n",
    "---\n{id: a, scope: private}\n---\n",
    "---\nscope:\n  private\nid: a\n---\n",
    "---\n  id: a\n  scope: private\n---\n",
    "---\nid: a\n? scope\n: private\n---\n",
    "---\nscope: [private, group]\n---\n",
    "---\nscope: private\nscope: group\n---\n",
    "---\nscope\uff1a private\n---\n",
    "---\nid: a\nscope: private\n\n# A note whose front matter nobody closed\n",
    "\ufeff---\r\nscope: private\r\n---\r\n",
    "# A\n<!-- Type: tool | Scope: private -->\n",
)


@pytest.mark.parametrize("head", PRIVATE_NOTES)
def test_every_form_of_a_private_note_is_private_to_all_its_readers(head: str) -> None:
    text = f"{head}\nunder the mat\n"
    assert scopes.read_note(text) == scopes.PRIVATE
    for path in ("memory/a.md", "memory/graph/entities/tool--a.md", "memory/2026-02-03.md"):
        found = chunks.chunk_file(path, text)
        assert found
        assert {one.scope for one in found} == {scopes.PRIVATE}


@pytest.mark.parametrize(
    "head", ["", "---\nid: a\nlabel: telescope\n---\n", "---\nscope:\n---\n", "# scope: private\n"]
)
def test_a_note_that_says_nothing_is_for_anybody(head: str) -> None:
    assert scopes.read_note(f"{head}\nscope: private, as an example\n") == scopes.OPEN


@pytest.mark.parametrize(
    "head", ["Scope:private", "scope\uff1aprivate", "scope:private | scope:", "scope:a | scope:b"]
)
def test_a_private_entry_is_private(head: str) -> None:
    (one,) = episodes.parse(f"# 2026-02-02\n\n## 09:00 | fact | confidence:low | {head}\nx\n")
    assert scopes.read_scope(one.fields) == scopes.PRIVATE


def test_the_scope_of_a_day_is_that_of_its_entries() -> None:
    day = "---\nscope: private\n---\nabove\n\n## 09:00\none\n\n## 10:00 | fact | scope:group\ntwo\n"
    found = chunks.chunk_file("memory/2026-02-02.md", day)
    assert [one.scope for one in found] == ["private", "private", "group"]


SCOPES = st.sampled_from(["", "private", "group", "project:a", "project:b"])


@given(SCOPES, st.lists(st.sampled_from(["private", "project:a", "group"])), st.booleans())
def test_nobody_else_sees_what_is_private(scope: str, asked: list[str], closed: bool) -> None:
    default = "private" if closed else ""
    view = scopes.choose_view(asked, "guests", default=default)
    assert not view.shows("private")
    assert view.shows(scope) == (scope != "private" and (scope in asked or scope == default == ""))
    assert not any(view.shows("guests", store) for store in ("core", "vault", "session"))
    assert view.shows("guests", "episodic")
