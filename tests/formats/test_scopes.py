"""Scopes: how they are written, and what each view shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt.formats import scopes


@pytest.mark.parametrize("text", ["private", "project:molt", "Family", " a ", "team/x.y-z_1"])
def test_a_scope_has_one_form(text: str) -> None:
    assert scopes.parse_scope(text) == text.strip().lower()


@pytest.mark.parametrize("text", ["", " ", "a b", ":a", "a:", "a|b", "x" * 81, "a\nb", "[a]"])
def test_what_is_no_scope(text: str) -> None:
    with pytest.raises(ValueError, match="is no scope"):
        scopes.parse_scope(text)


@given(st.text(max_size=30))
def test_what_cannot_be_read_is_private(text: str) -> None:
    found = scopes.read_scope({"scope": text})
    assert found in (scopes.PRIVATE, scopes.OPEN) or scopes.parse_scope(found) == found


SCOPES = st.sampled_from(["", "private", "group", "project:a", "project:b"])


@given(SCOPES, st.lists(st.sampled_from(["private", "project:a", "group"])), st.booleans())
def test_nobody_else_sees_what_is_private(scope: str, asked: list[str], closed: bool) -> None:
    default = "private" if closed else ""
    view = scopes.choose_view(asked, "guests", default=default)
    assert not view.shows("private")
    assert view.shows(scope) == (scope != "private" and (scope in asked or scope == default == ""))
    assert not any(view.shows("guests", store) for store in ("core", "vault", "session"))
    assert view.shows("guests", "episodic")
