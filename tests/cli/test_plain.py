"""Calls that run without click mean what they mean with it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molt import errors
from molt.cli import app, spec
from molt.cli.commands import PLAIN, module_name

SPECS = {name: getattr(import_module(module_name(name)), name) for name in PLAIN}
GLOBAL = ("--json", "-q", "--quiet", "--workspace", "--actor", "--no-color", "--debug")
WORDS = (
    "words",
    "two words",
    "-",
    "--",
    "0",
    "3",
    "-1",
    "+2",
    "x=y",
    "--limt",
    "-h",
    "--help",
    "-x",
)
NOTHING = {
    "actor": "",
    "workspace": "",
    **dict.fromkeys(("json", "quiet", "no_color", "debug"), False),
}


def by_click(declared: spec.Spec, args: list[str]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What click makes of a call: parameters and settings; None where it does not run it."""
    seen: list[dict[str, Any]] = []
    obj = dict(NOTHING)

    def hear(_obj: object, **params: Any) -> int:
        seen.append(params)
        return 0

    heard = declared.replace(run=hear)
    one = app._add_globals(app.build_command(heard))
    lazy = app.Lazy(commands={declared.name: one}, params=app.global_options())
    try:
        lazy.main(args, prog_name="molt", standalone_mode=False, obj=obj)
    except (click.ClickException, errors.Usage):
        return None
    return (seen[0], obj) if seen else None


def by_us(declared: spec.Spec, args: list[str]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    read = spec.parse(declared, args) if spec.find_command(args) == declared.name else None
    if read is None:
        return None
    obj = dict(NOTHING)
    obj.update(read[1])
    return read[0], obj


def _parts(declared: spec.Spec) -> Iterator[st.SearchStrategy[tuple[str, ...]]]:
    """Options as somebody would give them, each with a value that it may take."""
    word = st.sampled_from(WORDS)
    for option in declared.options:
        flag = st.sampled_from(option.flags)
        value = st.sampled_from(option.choices) if option.choices else word
        value = st.sampled_from(("0", "1", "3")) if option.kind == spec.NUMBER else value
        value = st.sampled_from(("0", ".5", "1.", "2.50")) if option.kind == spec.DECIMAL else value
        if option.kind == spec.FLAG:
            yield st.tuples(flag)
        else:
            yield st.tuples(flag, value) | st.tuples(st.builds("{}={}".format, flag, value))
    yield st.tuples(st.sampled_from(("--json", "-q", "--quiet")))
    yield st.tuples(st.sampled_from(("--workspace", "--actor")), word)


@st.composite
def calls(draw: st.DrawFn) -> tuple[spec.Spec, list[str]]:
    """Calls, most of them good: one word among options, and now and then something odd."""
    declared = SPECS[draw(st.sampled_from(PLAIN))]
    part = st.one_of(*_parts(declared))
    odd = draw(st.lists(st.tuples(st.sampled_from((*GLOBAL, *WORDS))), max_size=1))
    odd = odd if draw(st.integers(0, 4)) == 0 else []
    after = draw(st.permutations([*draw(st.lists(part, max_size=4)), ("words",), *odd]))
    before = draw(st.lists(st.sampled_from((("--json",), ("--actor", "bot:x"))), max_size=1))
    return declared, [word for one in (*before, (declared.name,), *after) for word in one]


@given(calls())
@settings(max_examples=200, deadline=None)
def test_a_plain_call_is_what_click_makes_of_it(call: tuple[spec.Spec, list[str]]) -> None:
    ours, theirs = by_us(*call), by_click(*call)
    if ours is not None:
        assert theirs is not None, call[1]
        assert ours[0] == theirs[0]
        assert all(ours[1][name] == theirs[1][name] for name in ours[1])


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(["search", "which auth flow?", "--limit", "3", "--json"], id="search"),
        pytest.param(["--workspace", "a", "search", "--tag=x", "--tag", "y", "z"], id="before"),
        pytest.param(["remember", "-", "--quiet"], id="standard input"),
        pytest.param(["get", "--", "--json"], id="two dashes"),
    ],
)
def test_a_plain_call_needs_no_click(args: list[str]) -> None:
    ours = by_us(SPECS[spec.find_command(args)], args)
    assert ours is not None
    assert ours == by_click(SPECS[spec.find_command(args)], args)
