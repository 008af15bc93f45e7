"""Some of the attacks as a push in earnest: the tests of all of them judge what would be pushed."""

from __future__ import annotations

from pathlib import Path

import pytest
from attacks import server

EVERY = sorted(server.load_refused())
STEP = 80
"""One of so many is pushed: all of them take ten minutes."""


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return server.make(tmp_path_factory.mktemp("server") / "template")


@pytest.fixture(scope="session")
def bound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return server.make(tmp_path_factory.mktemp("server") / "bound", bound=True)


@pytest.mark.parametrize("name", [*server.CARRIED, *EVERY[::STEP]])
def test_a_server_refuses_it_with_the_rule_that_is_meant(
    name: str, template: Path, tmp_path: Path
) -> None:
    attack = server.load_attacks()[name]
    end, codes = server.attack_server(attack, template, tmp_path / "w")
    assert end == "refused"
    assert not server.find_lacking(name, end, codes)


@pytest.mark.parametrize("name", [*sorted(server.CLAIMS)[::4], *EVERY[STEP // 2 :: STEP]])
def test_with_keys_a_server_refuses_who_only_claims_to_be_a_person_too(
    name: str, bound: Path, tmp_path: Path
) -> None:
    attack = server.load_attacks()[name]
    end, codes = server.attack_server(attack, bound, tmp_path / "w")
    assert end == "refused"
    assert not server.find_lacking(name, end, codes, bound=True)


def test_every_attack_is_in_the_table_or_a_claim() -> None:
    known = {*server.CLAIMS, *server.load_refused()}
    # molt itself refuses these before there is anything to push.
    own = [name for name in server.load_attacks() if name not in known]
    assert all(server.load_attacks()[name].doors == "hooks" for name in own)
