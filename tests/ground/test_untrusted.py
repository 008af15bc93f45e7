from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from molt import untrusted

scalars = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20)
data = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@given(data)
def test_plain_yaml_is_read_as_the_library_reads_it(value: object) -> None:
    text = yaml.safe_dump(value, allow_unicode=True)
    assert untrusted.parse_yaml(text) == yaml.safe_load(text)


@given(st.text(alphabet="{}[]?-:&*!|>'\"%@# \n\tab12.~<", max_size=80))
def test_any_text_is_read_or_is_a_value_error(text: str) -> None:
    try:
        found = untrusted.parse_yaml(text)
    except ValueError:
        return
    assert found == yaml.safe_load(text)


def test_the_line_is_that_of_the_file() -> None:
    with pytest.raises(ValueError, match="line 4: an alias is not read"):
        untrusted.parse_yaml("a: 1\nb: 2\nc: *a\n", above=1)
    with pytest.raises(ValueError, match="line 2: the key 'a' stands twice"):
        untrusted.parse_yaml("a: 1\na: 2\n")


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "NaN", '{"a": -Infinity}', "1" * 5000, "", "{"]
)
def test_json_that_cannot_be_computed_with_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 its own words differ from Python to Python
        untrusted.parse_json(text)


def test_json_is_read() -> None:
    assert untrusted.parse_json('{"a": [1, 2.5, null, "\\u00fc"]}') == {"a": [1, 2.5, None, "ü"]}
