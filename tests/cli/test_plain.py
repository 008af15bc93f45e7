"""Calls that run without click mean what they mean with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molt import cli, errors
from molt.cli import app, spec
from molt.cli.commands import PLAIN, module_name

DECLARED = [getattr(import_module(module_name(name)), name) for name in PLAIN]
GROUPS = [one for one in DECLARED if isinstance(one, spec.SpecGroup)]
SPECS: dict[tuple[str, ...], spec.Spec] = {
    (one.name,): one for one in DECLARED if isinstance(one, spec.Spec) and not one.lenient
}
SPECS |= {(group.name, one.name): one for group in GROUPS for one in group.specs}
SPECS |= {(group.name,): group.own for group in GROUPS if group.own is not None}
Named = tuple[tuple[str, ...], spec.Spec]
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


def by_click(named: Named, args: list[str]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What click makes of a call: parameters and settings; None where it does not run it."""
    seen: list[dict[str, Any]] = []
    obj = dict(NOTHING)

    def hear(_obj: object, **params: Any) -> int:
        seen.append(params)
        return 0

    (name, *inner), declared = named
    heard = declared.replace(run=hear)
    group = spec.SpecGroup(name, "", (heard,))
    one = app._add_globals(app.build_group(group) if inner else app.build_command(heard))
    lazy = app.Lazy(commands={name: one}, params=app.global_options())
    try:
        lazy.main(args, prog_name="molt", standalone_mode=False, obj=obj)
    except (click.ClickException, errors.Usage):
        return None
    return (seen[0], obj) if seen else None


def by_us(named: Named, args: list[str]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    (name, *inner), declared = named
    if spec.find_command(args) != name:
        return None
    found: spec.Spec | None = declared
    if inner:
        found, args = spec.choose_spec(spec.SpecGroup(name, "", (declared,)), args)
    elif any(one.name == name for one in GROUPS):
        found, args = spec.choose_spec(spec.SpecGroup(name, "", (), declared), args)
    read = spec.parse(found, args) if found else None
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
def calls(draw: st.DrawFn) -> tuple[Named, list[str]]:
    """Calls, most of them good: one word among options, and now and then something odd."""
    names = draw(st.sampled_from(sorted(SPECS)))
    declared = SPECS[names]
    part = st.one_of(*_parts(declared))
    odd = draw(st.lists(st.tuples(st.sampled_from((*GLOBAL, *WORDS))), max_size=1))
    odd = odd if draw(st.integers(0, 4)) == 0 else []
    before = draw(st.lists(st.sampled_from((("--json",), ("--actor", "bot:x"))), max_size=1))
    words = [("words",)] if declared.argument else []
    after = draw(st.permutations([*draw(st.lists(part, max_size=4)), *words, *odd]))
    return (names, declared), [word for one in (*before, names, *after) for word in one]


@given(calls())
@settings(max_examples=200, deadline=None)
def test_a_plain_call_is_what_click_makes_of_it(call: tuple[Named, list[str]]) -> None:
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
        pytest.param(["--json", "session", "flush", "--tokens", "3"], id="of a group"),
        pytest.param(["--json", "reflect", "--if-due"], id="a group itself"),
        pytest.param(["reflect", "approve", "--only=1,2", "r-001"], id="beside one of its own"),
    ],
)
def test_a_plain_call_needs_no_click(args: list[str]) -> None:
    name = spec.find_command(args)
    fit = (one for one in SPECS.items() if one[0][0] == name and set(one[0]) <= set(args))
    named = max(fit, key=lambda one: len(one[0]))
    ours = by_us(named, args)
    assert ours is not None
    assert ours == by_click(named, args)


def test_a_plain_call_that_is_refused_needs_no_click(tmp_path: Path) -> None:
    code = "import sys; from molt.cli import main; print(main(['status']), 'click' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr.startswith("molt: ")
    assert done.stdout == "4 False\n"


def test_what_a_hook_does_not_know_is_a_word_and_no_mistake() -> None:
    from molt.cli.commands.agents.hook import hook

    read = spec.parse(hook, ["hook", "codex", "--new", "x", "--workspace=w"])
    assert read == ({"words": ("codex", "--new", "x")}, {"workspace": "w"})
    assert spec.parse(hook, ["hook", "--help"]) is None


def test_windows_is_told_of_wsl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit, match="WSL"):
        cli.run()
