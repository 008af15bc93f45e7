"""The law of refusals: each tells a person how to go on, and what it tells does so.

Of every rule its refused cases go by each road: the hooks refuse the commit, and the line of the
refusal is run as it stands, once the finding is mended and once it is accepted; or it is made
without the hooks, and what `molt verify` tells is run. What nobody may accept is offered to
nobody.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import policy_cases
import pytest
from policy_cases import Case, Files

from molt import policy, trees
from molt.cli import main
from molt.policy import waivers

from .test_doors import CHANGE, CODES, START, Doors, needs_history

ROUNDS = 6
"""How many findings of one case are accepted one after the other."""


NEWER = "CONF001"
"""Where the format is a newer one no command opens, and who is no person can only upgrade."""


def refused(code: str) -> list[Case]:
    """A refused case of a rule by a person, and one by somebody else."""
    every = [
        case
        for case in policy_cases.load()
        if case.code == code and case.refused and not needs_history(case)
    ]
    found = {case.actor == "manual": case for case in reversed(every)}
    if code == NEWER:
        # A commit there has another way: a newer molt.
        found = {True: next(one for one in every if "molt.yaml" in one.new)} if every else {}
    return [found[by] for by in sorted(found)]


KEYED = ("SIGN001", "SIGN002")
"""What a key mends that git is told of, and no edit does; the tests of signatures go on so."""
UNREADABLE = "CONF002"
RAISED = ("SEC006",)
"""Off until a workspace makes an error of it, as cases of it do."""
REFUSED = [code for code in (*CODES, NEWER, UNREADABLE) if code not in KEYED and refused(code)]
PLACES = ("HIST001", "HIST002", "HIST003", "HIST004")
"""What a door has seen of history is no matter of one commit."""


@pytest.fixture
def doors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Doors:
    return Doors(tmp_path / "w", capsys)


def bind_own_key(doors: Doors, cases: list[Case]) -> None:
    """Puts a key that this machine has in the place of the one to which the cases bind actors."""
    file = doors.root.with_suffix(".key")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)
    own = b" ".join(file.with_suffix(".key.pub").read_bytes().split()[:2])
    for case in cases:
        text, mode = case.base["molt.yaml"]
        case.base["molt.yaml"] = (re.sub(rb"ssh-ed25519 [\w+/=]+", lambda _: own, text), mode)


def sign_commits(doors: Doors, case: Case, *, whether: str = "true") -> None:
    """Has git sign from now on, as the refusal of what is not signed tells; or not any more."""
    if case.code not in waivers.AFTERWARDS:
        return
    doors.git("config", "gpg.format", "ssh")
    doors.git("config", "user.signingkey", str(doors.root.with_suffix(".key")))
    doors.git("config", "commit.gpgsign", whether)


def run_line(doors: Doors, line: str, case: Case) -> subprocess.CompletedProcess[str]:
    """Runs what a refusal tells, in the shell of who reads it: a person, where it is no bot."""
    acting = case.environment or case.actor
    named = acting if acting.startswith("bot:") else "manual"
    env = os.environ | {"MOLT_ACTOR": named, "GIT_COMMITTER_DATE": f"{case.day}T12:00:00+0000"}
    return subprocess.run(
        ["sh", "-c", line], cwd=doors.root, env=env, capture_output=True, encoding="utf-8"
    )


def list_offers(said: str) -> list[str]:
    """The lines that accept something."""
    rows = (row.partition("or accept it: `")[2] for row in said.splitlines())
    return [row.rpartition("`")[0] for row in rows if row]


def list_codes(said: str) -> set[str]:
    """The rules whose errors a refusal tells of."""
    rows = (row.split() for row in said.splitlines() if "error " in row)
    return {word.rstrip(":") for row in rows for word in row if policy.rule(word.rstrip(":"))}


def refuse(doors: Doors, case: Case) -> str:
    """What the hooks say of a case; empty where they complete what is missing, and take it."""
    doors.start(case)
    sign_commits(doors, case, whether="false")
    doors.lay(case.after)
    done = doors.commit(case)
    return done.stderr if done.returncode else ""


def mend(doors: Doors, case: Case, said: str) -> str:
    """Mends what was refused, and runs the last line; what is wrong with that."""
    sign_commits(doors, case)
    doors.lay({**case.base, "mended.md": (b"mended\n", trees.REGULAR)})
    (doors.root / ".git/COMMIT_EDITMSG").write_text("mended\n", "utf-8")
    if (doors.root / ".git/MERGE_HEAD").exists():
        # `git merge` leaves its words here when a hook stops it.
        (doors.root / ".git/MERGE_MSG").write_text("Merge branch 'theirs'\n", "utf-8")
    row = said.rstrip("\n").rpartition("\n")[2]
    before, found, line = row.partition("once that is mended: ")
    if not found or before != "molt: ":
        return f"no way on: {row}"
    done = run_line(doors, line, case)
    return f"{line}: {done.stderr}" if done.returncode else ""


def is_by_person(case: Case) -> bool:
    """Whether a person makes the commit of a case: the words of a merge are git's, and name
    nobody where they do not say who.
    """
    return case.actor == "manual" and (case.theirs is None or "Actor: manual" in case.message)


def never(text: str) -> bool:
    """Whether a text names a rule whose findings nobody can accept."""
    return any(code in text for code in policy.NEVER)


def accept(doors: Doors, case: Case, said: str) -> str:
    """Accepts what was refused, finding by finding, as the refusals say; what is wrong with it."""
    for _ in range(ROUNDS):
        offers, codes = list_offers(said), list_codes(said)
        person = is_by_person(case)
        if not person or not policy.NEVER.isdisjoint(codes):
            wrong = [line for line in offers if not person or never(line)]
            silent = never(said) and "nobody can accept it" not in said
            return f"offered: {wrong}" if wrong else said * silent
        if codes and codes <= waivers.AFTERWARDS:
            # Who it is by is what such a commit has not shown.
            return f"offered: {offers}" if offers else ""
        if not offers:
            return f"nothing is offered: {said}"
        done = run_line(doors, offers[0], case)
        if not done.returncode:
            return ""
        said = done.stderr
    return f"refused again and again: {said}"


def accept_later(doors: Doors, case: Case) -> Iterator[str]:
    """Accepts what went by the hooks as `molt verify` tells; yields what is wrong with that."""
    doors.start(case)
    sign_commits(doors, case, whether="false")
    doors.lay(case.after)
    done = doors.commit(case, hooks="/dev/null")
    assert done.returncode == 0, done.stderr
    sign_commits(doors, case)
    for _ in range(ROUNDS):
        doors.capsys.readouterr()
        status = main(["--workspace", str(doors.root), "verify", "HEAD~1..HEAD"])
        text = "\n".join(doors.capsys.readouterr())
        if not status:
            return
        offers, codes = list_offers(text), list_codes(text)
        told = text.partition("a person says: molt ")[2].partition("\n")[0]
        if not policy.NEVER.isdisjoint(codes):
            # To accept the rest of such a commit gets nobody further.
            way = text.partition("molt: nobody can accept ")[2]
            if told or "`git revert " not in way or not policy.NEVER & set(way.split()[:1]):
                yield f"it leads nowhere: {text}"
            return
        if not offers:
            yield f"nothing is offered: {text}"
            return
        words = shlex.split(told)
        if not words or main(["--workspace", str(doors.root), *words]):
            yield f"{told!r} does not do: {text}"
            return
    yield f"found again and again: {text}"


@pytest.mark.slow
@pytest.mark.parametrize("code", REFUSED)
def test_every_refusal_goes_on_as_it_says(code: str, doors: Doors) -> None:
    wrong = {}
    cases = refused(code)
    if code in waivers.AFTERWARDS:
        bind_own_key(doors, cases)
    for case in cases:
        said = refuse(doors, case)
        if said:
            wrong[f"{case!r} accepted"] = accept(doors, case, said)
            doors.start(case)
            wrong[f"{case!r} mended"] = mend(doors, case, said)
        if code != NEWER:
            wrong[f"{case!r} later"] = "; ".join(accept_later(doors, case))
    assert not {name: what for name, what in wrong.items() if what}


def lay_history(doors: Doors, code: str) -> tuple[str, str]:
    """A history whose last commits break a rule of HIST; gives where it was sound, and its tip."""
    files: Files = {"molt.yaml": (b"core: {cap: 3000}\n", trees.REGULAR)}
    one, other = ({name: (b"x\n", trees.REGULAR)} for name in ("one.md", "other.md"))
    made, created = START.replace("a start", "a file"), CHANGE.replace("[EDIT]", "[CREATE]")
    root = doors.record(files, made)
    known = doors.record(files | one, created, root)
    if code == "HIST001":
        return known, doors.record(files | other, created, root)
    if code == "HIST004":
        plain = doors.git("cat-file", "commit", doors.record(files | one | other, created, known))
        stamp = plain.partition("\ncommitter ")[2].partition("\n")[0]
        late = stamp.rpartition(" ")[0].rpartition(" ")[0] + " 99999999999999 +0000"
        typed = ("hash-object", "--literally", "-t", "commit", "-w", "--stdin")
        return known, doors.git(*typed, data=plain.replace(stamp, late) + "\n")
    begun = doors.record(other, START if code == "HIST003" else created)
    return known, doors.record(files | one | other, "Merge branch 'other'\n", known, begun)


@pytest.mark.slow
@pytest.mark.parametrize("code", PLACES)
def test_what_is_wrong_with_history_goes_on_as_is_told(code: str, doors: Doors) -> None:
    known, tip = lay_history(doors, code)
    at = ("--workspace", str(doors.root))
    doors.git("update-ref", "refs/heads/main", tip)
    doors.git("reset", "-q", "--hard")
    assert main([*at, "verify", f"{known}..HEAD"]) == 1
    said = "\n".join(doors.capsys.readouterr())
    assert code in list_codes(said)
    if code in policy.NEVER:
        assert "nobody can accept it" in said
        assert not any(code in line for line in list_offers(said))
        doors.git("reset", "-q", "--hard", known)
    else:
        for line in list_offers(said):
            assert main([*at, *shlex.split(line)[1:]]) == 0
        told = said.partition("a person says: molt ")[2].partition("\n")[0]
        doors.git("reset", "-q", "--hard", tip)
        assert main([*at, *shlex.split(told)]) == 0
    assert main([*at, "verify", f"{known}..HEAD"]) == 0


def test_every_rule_that_refuses_a_commit_is_among_them() -> None:
    errors = {rule.code for rule in policy.RULES if rule.severity == "error"}
    assert errors.union(RAISED) == {*REFUSED, *PLACES, *KEYED}
