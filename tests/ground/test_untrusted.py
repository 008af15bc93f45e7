from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml
from house import ROOT
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


def read_by_library(text: str | bytes) -> object:
    """What the library makes of a text; the exception's kind where it reads none."""
    try:
        return json.loads(text, parse_constant=untrusted._refuse_constant)
    except (ValueError, RecursionError):
        return ValueError


def read_by_us(text: str | bytes) -> object:
    try:
        return untrusted.parse_json(text)
    except ValueError:
        return ValueError


@given(st.text(alphabet='{}[]:,"\\u00e9d8 \n\tntrue1-+.eE/', max_size=40), st.booleans())
def test_any_json_is_read_as_the_library_reads_it(text: str, as_bytes: bool) -> None:
    given_text = text.encode() if as_bytes else text
    assert read_by_us(given_text) == read_by_library(given_text)


@given(data, st.sampled_from(("utf-8", "utf-16", "utf-32-le", "utf-8-sig")))
def test_json_is_read_in_the_encodings_that_the_library_reads(value: object, code: str) -> None:
    text = json.dumps(value, ensure_ascii=False).encode(code)
    assert read_by_us(text) == read_by_library(text)


@pytest.mark.parametrize("text", ["", "{", "[1,]", '{"a":1}x', "\ufeff{}", b"\xff", b"\xc3("])
def test_what_is_no_json_is_a_value_error_also_where_no_library_is_loaded(text: str) -> None:
    code = "import sys; from molt import untrusted\ntry: untrusted.parse_json(eval(sys.argv[1]))\n"
    code += "except ValueError: sys.exit(7)"
    done = subprocess.run([sys.executable, "-c", code, repr(text)], cwd=ROOT, check=False)
    assert done.returncode == 7


@given(st.text(max_size=40))
def test_a_text_is_rendered_as_the_library_renders_it(text: str) -> None:
    assert untrusted.render_json_text(text) == json.dumps(text)
