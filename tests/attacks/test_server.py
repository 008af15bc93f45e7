"""Some of the attacks as a push to a server; `python tests/attacks/server.py` tries all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from attacks import server

EVERY = server.load_refused()
STEP = 20
"""One of so many is tried here: all of them take ten minutes."""


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return server.make(tmp_path_factory.mktemp("server") / "template")


@pytest.mark.parametrize("name", sorted(EVERY)[::STEP])
def test_a_server_refuses_it_with_the_rule_that_is_meant(
    name: str, template: Path, tmp_path: Path
) -> None:
    attack = server.load_attacks()[name]
    end, codes = server.attack_server(attack, template, tmp_path / "w")
    assert end == "refused"
    assert set(EVERY[name]) <= set(codes)


def test_every_attack_is_in_the_table_or_a_claim() -> None:
    known = server.CLAIMS.union(EVERY)
    # molt itself refuses these before there is anything to push.
    own = [name for name in server.load_attacks() if name not in known]
    assert all(server.load_attacks()[name].doors == "hooks" for name in own)
