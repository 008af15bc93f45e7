"""Every attack as a push to a server with molt's hook: none may land.

    python tests/attacks/server.py [--write | --keys] [NAME ...]

All of them take minutes; the tests judge what each would push, in their own process, and push some
in earnest. With `--write` the table of the rules that each is refused with is made anew. With
`--keys` people are bound to a key that no attack has: then what only claims to be a person is
refused, too, and all the others as without.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import pygit2
import pytest
from attacks import ground, table
from attacks.table import Attack

from molt.githooks import server
from molt.memory.clone import installation

REFUSED = Path(__file__).parent / "refused.yaml"
HEAD = """# The rules that a server must name when it refuses an attack, pushed without hooks.
# `python tests/attacks/server.py --write` makes this anew, for a person to read.
"""
_COMMON = ("MSG004", "MSG008")
CLAIMS = {
    "configured-bot-says-manual": "SIGN001",
    "reflection-merged-by-a-bot": "REFL001",
    "reflection-squashed-by-a-bot": "SIGN002",
    "reflection-squashed-in-its-own-name": "SIGN002",
    **{
        f"{who}-claims-to-be-a-person-{what}": "SIGN001"
        for who in ("bot", "subagent")
        for what in ("soul", "config", "vault", "note", "agents")
    },
}
"""Who calls itself a person, or says nothing where git's own words are enough. Only the machine on
which that is done knows better; a server knows who signs, and then this rule refuses it.
"""

CARRIED = ("graft-hides-a-commit", "object-mode-of-nothing")
"""What git itself leaves out of a push, which is judged by what is missing."""


_MAIN = "refs/heads/main"
_PUSH = """what=HEAD:main
git diff --quiet base HEAD && what='refs/heads/*' # it is on a branch beside
git push -q -f --no-verify origin "$what"
"""
_BIND = """ssh-keygen -q -t ed25519 -N '' -f ../home/key
printf '\nactors:\n  manual: %s\n' "$(cut -d' ' -f1,2 ../home/key.pub)" >>molt.yaml
say EDIT molt.yaml manual; rm ../home/key
git push -q origin main; git tag -f base
"""


def load_attacks() -> dict[str, Attack]:
    """All attacks, by name."""
    doors = ("hooks", "verify", "push")
    return {one.name: one for door in doors for one in table.load_attacks(door)}


def make(folder: Path, *, bound: bool = False) -> Path:
    """The attacked workspace, whose remote judges what it gets; people may be `bound` to a key."""
    root = ground.make(folder)
    if bound:
        done = ground.run(root, _BIND, ground.environment(folder / "home"), hooks=False)
        assert done.returncode == 0, done.stderr
    installation.install_server(str(root.parent / "remote.git"), sys.executable)
    return root


def attack_server(attack: Attack, template: Path, folder: Path) -> tuple[str, list[str]]:
    """What came of a push of an attack, and the rules that the server named: it `landed`, was
    `refused`, or there was `nothing` of it to push.
    """
    root = ground.copy(template, folder)
    env = ground.environment(folder / "home", attack.actor)
    ground.run(root, attack.does, env, hooks=False)
    if ground.run(root, attack.bad, env, hooks=False).returncode:
        return "nothing", []
    # Some begin with what a person does, in earnest; who has the server has that already.
    ground.run(root, "git -C ../remote.git fetch -q ../ws +base:main", env, hooks=False)
    done = ground.run(root, _PUSH, env, hooks=False)
    return "refused" if done.returncode else "landed", list_codes(done.stderr)


def list_moves(root: Path) -> str:
    """What git tells the hook of a push of what an attack has made, as lines of two ids and a ref.

    The server is given what a person has published first, and finds the objects of the push as it
    does those that lie in a folder of their own until it has judged them.
    """
    remote = root.parent / "remote.git"
    (remote / "objects/info/alternates").write_text(f"{root}/.git/objects\n", encoding="utf-8")
    base, head = read_tips(root)
    (remote / "refs/heads/main").write_text(f"{base}\n", encoding="utf-8")
    repo = pygit2.Repository(str(root))
    trees = {repo.read(oid)[1].split(b"\n", 1)[0] for oid in (base, head)}
    made = {_MAIN: head} if len(trees) > 1 else dict(_list_branches(repo))
    olds = {_MAIN: base}
    rows = ((olds.get(ref, "0" * 40), new, ref) for ref, new in made.items())
    return "".join(f"{old} {new} {ref}\n" for old, new, ref in rows if old != new)


def read_tips(root: Path) -> tuple[str, str]:
    """Where an attack began, and what it made: commits that may be of any form."""
    refs = pygit2.Repository(str(root)).references
    return str(refs["refs/tags/base"].target), str(refs["HEAD"].resolve().target)


def _list_branches(repo: pygit2.Repository) -> Iterator[tuple[str, str]]:
    for ref in sorted(repo.references):
        if ref.startswith("refs/heads/"):
            yield ref, str(repo.references[ref].resolve().target)


def receive(root: Path, moves: str, *, bound: bool = False) -> int:
    """What the server's hook returns for a push, which it judges in this process. With `bound`
    a second branch is trusted, on which people are bound to a key.
    """
    protected = f"main {ground.KEYS}" if bound else "main"
    settings = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "molt.protected"}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root.parent / "remote.git")
        for name, value in {**settings, "GIT_CONFIG_VALUE_0": protected, "GIT_DIR": "."}.items():
            patch.setenv(name, value)
        return server.pre_receive(moves)


def list_codes(said: str) -> list[str]:
    """The rules that a server names, each once, in what it says."""
    return [*dict.fromkeys(re.findall(r"error ([A-Z]+\d+)", said))]


def find_lacking(name: str, end: str, codes: Sequence[str], *, bound: bool = False) -> set[str]:
    """The rules that should have refused an attack and were not named; "landed" where it did."""
    if name in CLAIMS:
        wanted = {CLAIMS[name]} if bound else set[str]()
    else:
        wanted = set(load_refused().get(name, ()))
    if end == "landed" and (bound or name not in CLAIMS):
        return {"landed", *wanted}
    return wanted.difference(codes) if end == "refused" else set()


@cache
def load_refused() -> dict[str, list[str]]:
    """The rules that each attack must be refused with."""
    rows = (row.partition(": ") for row in REFUSED.read_text().splitlines() if row[:1] != "#")
    return {name: codes.split() for name, _, codes in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keys", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    top = Path(tempfile.mkdtemp(prefix="attacks-"))
    template = make(top / "template", bound=given.keys)
    found = dict[str, list[str]]()
    bad = 0
    for name, attack in load_attacks().items():
        if given.names and name not in given.names:
            continue
        end, codes = attack_server(attack, template, top / "tried")
        shutil.rmtree(top / "tried")
        if end == "refused":
            found[name] = [one for one in codes if one not in _COMMON] or codes
        if lacking := find_lacking(name, end, codes, bound=given.keys):
            print(f"{name}: {end} {' '.join(codes)}; lacks {' '.join(lacking)}", flush=True)
            bad += 1
    shutil.rmtree(top)
    if given.write and not (given.names or given.keys):
        rows = (f"{name}: {' '.join(sorted(codes))}\n" for name, codes in sorted(found.items()))
        REFUSED.write_text(HEAD + "".join(rows))
    print(f"{len(found):,} refused, {bad:,} not as they should be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
