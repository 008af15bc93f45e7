"""Every attack as a push to a server with molt's hook: none may land.

    python tests/attacks/server.py [--write] [NAME ...]

All of them take minutes; `test_server.py` tries some. With `--write` the table of the rules that
each is refused with is made anew.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from attacks import ground, table
from attacks.table import Attack

from molt.memory import installation

REFUSED = Path(__file__).parent / "refused.yaml"
HEAD = """# The rules that a server must name when it refuses an attack, pushed without hooks.
# `python tests/attacks/server.py --write` makes this anew, for a person to read.
"""
_COMMON = ("MSG004", "MSG008")
CLAIMS = frozenset(
    (
        *("configured-bot-says-manual", "reflection-merged-by-a-bot"),
        *("reflection-squashed-by-a-bot", "setup-worktree"),
        *(
            f"{who}-claims-to-be-a-person-{what}"
            for who in ("bot", "subagent")
            for what in ("soul", "config", "vault", "note", "agents")
        ),
    )
)
"""Who calls itself a person, or says nothing where git's own words are enough. Only the machine on
which that is done knows better; a server knows who signs.
"""


def load_attacks() -> dict[str, Attack]:
    """All attacks, by name."""
    doors = ("hooks", "verify", "push")
    return {one.name: one for door in doors for one in table.load_attacks(door)}


def make(folder: Path) -> Path:
    """The attacked workspace, whose remote judges what it gets."""
    root = ground.make(folder)
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
    # Some begin with what a person does.
    ground.run(root, "git push -q --no-verify origin base:main", env, hooks=False)
    done = ground.run(root, "git push -q -f --no-verify origin HEAD:main", env, hooks=False)
    codes = dict.fromkeys(re.findall(r"error ([A-Z]+\d+)", done.stderr))
    return "refused" if done.returncode else "landed", [*codes]


def load_refused() -> dict[str, list[str]]:
    """The rules that each attack must be refused with."""
    rows = (row.partition(": ") for row in REFUSED.read_text().splitlines() if row[:1] != "#")
    return {name: codes.split() for name, _, codes in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    top = Path(tempfile.mkdtemp(prefix="attacks-"))
    template = make(top / "template")
    wanted, found = load_refused(), dict[str, list[str]]()
    bad = 0
    for name, attack in load_attacks().items():
        if given.names and name not in given.names:
            continue
        end, codes = attack_server(attack, template, top / "tried")
        shutil.rmtree(top / "tried")
        if end == "refused":
            found[name] = [one for one in codes if one not in _COMMON] or codes
        lacking = set(wanted.get(name, ())).difference(codes) if end == "refused" else ()
        if (end == "landed" and name not in CLAIMS) or lacking:
            print(f"{name}: {end} {' '.join(codes)}", flush=True)
            bad += 1
    shutil.rmtree(top)
    if given.write and not given.names:
        rows = (f"{name}: {' '.join(sorted(codes))}\n" for name, codes in sorted(found.items()))
        REFUSED.write_text(HEAD + "".join(rows))
    print(f"{len(found):,} refused, {bad:,} not as they should be")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
