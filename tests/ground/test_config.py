from __future__ import annotations

import pytest

from molt import config
from molt.trees import DictTree


def load(text: str) -> tuple[config.Config, tuple[str, ...]]:
    return config.load(DictTree({"molt.yaml": text.encode()}))


def test_without_a_file_the_defaults_hold() -> None:
    assert config.load(DictTree()) == (config.DEFAULT, ())


def test_every_setting_is_a_field_and_documented() -> None:
    assert set(config.SETTINGS) == set(config.DEFAULT.asdict())


def test_settings_are_read_from_their_sections() -> None:
    loaded, warnings = load("core: {cap: 50}\npolicy: {severity: {EPI003: off}}\n")
    assert loaded.core_cap == 50
    assert loaded.policy_severity == (("EPI003", "off"),)
    assert warnings == ()


def test_an_unknown_key_is_a_warning_with_the_nearest_known_one() -> None:
    assert load("serach: {}\n")[1] == ("molt.yaml: unknown key serach; did you mean search?",)
    assert load("core: {cpa: 1}\n")[1] == (
        "molt.yaml: unknown key core.cpa; did you mean core.cap?",
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("core: {cap: many}\n", id="type"),
        pytest.param("core: {cap: 0}\n", id="low"),
        pytest.param("core: {cap: true}\n", id="bool"),
        pytest.param("search: {fusion: magic}\n", id="choice"),
        pytest.param("policy: {severity: {EPI001: fatal}}\n", id="severity"),
        pytest.param("policy: {critical: SOUL.md}\n", id="list"),
        pytest.param("core: 3000\n", id="section"),
        pytest.param("- a\n", id="no-mapping"),
        pytest.param("core: {cap: 30", id="half-written"),
    ],
)
def test_what_does_not_fit_warns_and_the_default_holds(text: str) -> None:
    loaded, warnings = load(text)
    assert loaded == config.DEFAULT
    assert len(warnings) == 1
    assert warnings[0].startswith("molt.yaml")


@pytest.mark.parametrize("text", ["", "workspace: {}\n", "workspace: {format: 1}\n"])
def test_a_workspace_of_a_known_format_is_taken(text: str) -> None:
    assert config.describe_newer_format(load(text)[0]) is None


def test_a_newer_format_names_the_molt_that_it_needs() -> None:
    newer = load(f"workspace: {{format: {config.FORMAT + 1}, needs: '7.1'}}\n")[0]
    said, hint = config.describe_newer_format(newer) or ("", "")
    assert f"has format {config.FORMAT + 1}" in said
    assert f"no format after {config.FORMAT}" in said
    assert "needs molt 7.1:" in hint
    unnamed = newer.replace(workspace_needs="")
    assert "needs a newer molt:" in (config.describe_newer_format(unnamed) or ("", ""))[1]


def test_a_cached_configuration_is_the_same_and_a_damaged_one_is_read_again() -> None:
    tree = DictTree({"molt.yaml": b"core: {cap: 7}\nodd: 1\n"})
    cache: dict[str, bytes] = {}
    first = config.load(tree, cache)
    assert config.load(tree, cache) == first
    (key,) = cache
    cache[key] = b"broken"
    assert config.load(tree, cache) == first
