"""What the arguments of git tell a hook."""

from __future__ import annotations

import pytest

from molt.githooks import invocation


def parse(line: str) -> invocation.Invocation:
    return invocation.parse_commit(line.split())


@pytest.mark.parametrize(
    ("line", "amends"),
    [
        ("-m x", False),
        ("--amend", True),
        ("--amend -m x", True),
        ("--ame --no-edit", True),
        ("-q --am", True),
        ("-m --amend", False),
        ("-qm --amend", False),
        ("--message --amend", False),
        ("--message=x --amend", True),
        ("-F --amend", False),
        ("-mx --amend", True),
        ("-uno --amend", True),
        ("-S --amend", True),
        ("-- --amend", False),
        ("--amend --no-amend", False),
        ("--no-amend --amend", True),
        ("-a", False),
        ("--author --amend", False),
        ("--trailer --amend", False),
    ],
)
def test_an_amend_is_an_option_and_no_value(line: str, amends: bool) -> None:
    assert parse(line).amends == amends


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("-m x", ""),
        ("-am x", "-a"),
        ("-qam x notes.md", "-a notes.md"),
        ("-e -m x -- a.md b.md", "-- a.md b.md"),
        ("--amend --no-edit", "--amend"),
        ("-C HEAD --author A --date D", "--author A --date D"),
        ("--trailer T --only a.md", "--only a.md"),
    ],
)
def test_what_is_not_about_the_message_is_kept(line: str, kept: str) -> None:
    assert parse(line).kept == tuple(kept.split())


def test_what_matters_to_the_message_is_known() -> None:
    known = parse("-nv --cleanup=scissors --allow-empty-message --trailer=Ticket:7 --trailer b")
    assert not known.verifies
    assert known.verbose
    assert known.allows_empty_message
    assert known.cleanup == "scissors"
    assert known.trailers == ("Ticket:7", "b")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["git", "commit", "-m"], ["commit", "-m"]),
        (["/usr/lib/git-core/git", "commit"], ["commit"]),
        (["/usr/lib/git-core/git-commit", "-q"], ["commit", "-q"]),
        (["C:\\git\\git.exe", "commit"], ["commit"]),
        (["git", "-C", "commit", "-c", "a.b=c", "--no-pager", "rebase"], ["rebase"]),
        (["git", "--git-dir", "x", "merge", "y"], ["merge", "y"]),
        (["sh", "commit"], []),
        (["git"], []),
        ([], []),
    ],
)
def test_the_command_is_found_behind_gits_own_options(arguments, words) -> None:
    assert invocation.find_command(arguments) == words
