"""Nobody who means harm gets through: each attack at each door that it can come by.

What is judged after the fact is judged in this process, as `molt verify`, pre-push and pre-receive
do; some of it by git itself and by `molt`, so that the doors are known to be the same.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from attacks import ground, server, table
from attacks.table import Attack

from molt.githooks import updates
from molt.memory.checks import verify
from molt.memory.clone import installation
from molt.repo import find

Said = pytest.CaptureFixture[str]
_RANGE = "base..HEAD"
_WHOLE = ("evil-merge-past", "unnamed-forge-soul", "object-soul-twice-evil-last", "deep-trees")


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ground.make(tmp_path_factory.mktemp("attacked") / "template")


def holds(root: Path, attack: Attack, env: dict[str, str]) -> bool:
    return ground.run(root, attack.bad, env, hooks=False).returncode == 0


def tries(door: str) -> list[object]:
    return [pytest.param(one, id=one.name) for one in table.load_attacks(door)]


def tries_of_hooks_alone() -> list[object]:
    alone = (one for one in table.load_attacks("hooks") if "verify" not in one.doors)
    return [pytest.param(one, id=one.name) for one in alone]


def count_errors(root: Path, words: str) -> int:
    return len(verify.verify_commits(find.find_repo(str(root)), [words]).errors)


def check_server(root: Path, attack: Attack, said: Said) -> None:
    """A server refuses what an attack pushes, by the rule that is meant, with and without keys."""
    moves = server.list_moves(root)
    for bound in (False, True):
        end = "refused" if server.receive(root, moves, bound=bound) else "landed"
        codes = server.list_codes(said.readouterr().err)
        assert not server.find_lacking(attack.name, end, codes, bound=bound), (bound, end, codes)


@pytest.mark.parametrize("attack", tries("hooks"))
def test_hooks_refuse_it(attack: Attack, template: Path, tmp_path: Path) -> None:
    root, env = ground.copy(template, tmp_path / "w"), ground.environment(tmp_path, attack.actor)
    done = ground.run(root, attack.does, env)
    assert not holds(root, attack, env), "it is in HEAD"
    assert "Traceback" not in done.stderr
    assert done.returncode
    assert "molt: " in done.stderr, done.stderr


@pytest.mark.parametrize("attack", tries("verify"))
def test_what_skipped_the_hooks_is_found(
    attack: Attack, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    root, env = ground.copy(template, tmp_path / "w"), ground.environment(tmp_path, attack.actor)
    done = ground.run(root, f"({attack.bad}) && exit 9\n{attack.does}", env, hooks=False)
    assert done.returncode != 9, "it is so without the attack"
    assert holds(root, attack, env), f"the attack itself failed: {done.stderr}"
    assert count_errors(root, _RANGE)
    if "push" in attack.doors:
        old, new = server.read_tips(root)
        monkeypatch.chdir(root)
        row = f"refs/heads/main {new} refs/heads/main {old}\n"
        assert updates.pre_push(["origin", "../remote.git"], row), "pre-push let it leave"
    capsys.readouterr()
    if attack.name not in server.CARRIED:
        check_server(root, attack, capsys)


@pytest.mark.parametrize("attack", tries_of_hooks_alone())
def test_what_hooks_alone_see_lands_at_no_server(
    attack: Attack, template: Path, tmp_path: Path, capsys: Said
) -> None:
    root, env = ground.copy(template, tmp_path / "w"), ground.environment(tmp_path, attack.actor)
    ground.run(root, attack.does, env, hooks=False)
    if holds(root, attack, env):
        check_server(root, attack, capsys)
    else:
        assert attack.name not in server.load_refused(), "there is nothing to push"


@pytest.mark.parametrize("name", _WHOLE)
def test_git_itself_neither_pushes_nor_receives_it(
    name: str, template: Path, tmp_path: Path
) -> None:
    attack = next(one for one in table.load_attacks("push") if one.name == name)
    root, env = ground.copy(template, tmp_path / "w"), ground.environment(tmp_path, attack.actor)
    ground.run(root, attack.does, env, hooks=False)
    assert ground.run(root, "git push -q -f origin HEAD:main", env).returncode
    hook = root.parent / "remote.git/hooks/pre-receive"
    installation.install_server(str(root.parent / "remote.git"), sys.executable)
    assert ground.run(root, "git push -q -f --no-verify origin HEAD:main", env).returncode
    hook.unlink()
    clone = "git push -q -f --no-verify origin HEAD:main base; git clone -q -n ../remote.git ../c"
    ground.run(root, clone, env)
    said = subprocess.run(
        [sys.executable, "-m", "molt", "verify", "base..origin/main"],
        cwd=root.parent / "c", env=ground.environment(tmp_path), capture_output=True, text=True,
        errors="replace", check=False,
    )  # fmt: skip
    assert said.returncode == 1, said.stdout + said.stderr
    assert " error " in said.stdout
