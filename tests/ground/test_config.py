from __future__ import annotations

import marshal

import pytest

from molt import __version__, config, settings
from molt.trees import DictTree


def load(text: str) -> tuple[config.Config, tuple[str, ...]]:
    return config.load(DictTree({"molt.yaml": text.encode()}))


def test_without_a_file_the_defaults_hold() -> None:
    assert config.load(DictTree()) == (config.DEFAULT, ())


def test_every_setting_is_a_field_and_documented() -> None:
    half = set(settings.SETTINGS) ^ set(config.DEFAULT.asdict())
    assert not half, f"{half}: a field of Config without its row in SETTINGS, or the reverse"


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


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("core: {cap: 2026-02-31}\n", id="a-date-that-is-none"),
        pytest.param(f"core: {{cap: {'1' * 5000}}}\n", id="too-many-digits"),
        pytest.param(f"core: {{cap: 1{':1' * 9000}}}\n", id="base-60"),
        pytest.param("[" * 3000, id="open-brackets"),
        pytest.param("? " * 3000, id="open-keys"),
        pytest.param("- " * 3000, id="open-lists"),
        pytest.param("a: &a [b, b]\nb: &b [*a, *a]\nc: [*b, *b]\n", id="aliases"),
        pytest.param("a: &a [*a]\n", id="an-alias-of-itself"),
        pytest.param("core: {cap: 1}\ncore: {cap: 2}\n", id="a-key-twice"),
        pytest.param("core:\n  cap: 1\n  cap: 2\n", id="a-setting-twice"),
        pytest.param("[a]: b\n", id="a-list-for-a-key"),
        pytest.param("core: !!python/object/apply:os.getcwd []\n", id="a-call"),
        pytest.param(f"# {'x' * 70_000}\ncore: {{cap: 1}}\n", id="too-long"),
        pytest.param("core: {cap: \0}\n", id="nul"),
        pytest.param("core: {<<: {cap: 5}, cap: 5, cap: 5}\n", id="merged"),
    ],
)
def test_what_is_not_read_puts_the_defaults_in_force_and_says_so(text: str) -> None:
    loaded, (said,) = load(text)
    assert loaded == config.DEFAULT
    assert said.startswith("molt.yaml: ")
    assert said.endswith(settings.UNREAD)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("search: {min_score: .nan}\n", id="nan"),
        pytest.param("decay: {lambda: .inf}\n", id="infinite"),
        pytest.param("decay: {lambda: 1.0e+999}\n", id="overflow"),
        pytest.param("embedding: {dims: 99999999999999999999}\n", id="beyond-64-bits"),
        pytest.param("graph: {similarity: 1.01}\n", id="high"),
        pytest.param(f"workspace: {{timezone: {'x' * 2000}}}\n", id="long-text"),
        pytest.param(f"policy: {{critical: [{'a,' * 2000}]}}\n", id="long-list"),
    ],
)
def test_a_value_out_of_bounds_warns_and_its_default_holds(text: str) -> None:
    loaded, (said,) = load(f"{text}core: {{cap: 50}}\n")
    assert loaded == config.DEFAULT.replace(core_cap=50)
    assert said.endswith("its default holds")
    assert len(said) < 200


def test_many_odd_keys_give_a_few_warnings_and_the_others_hold() -> None:
    loaded, warnings = load("".join(f"odd{n}: 1\n" for n in range(500)) + "core: {cap: 50}\n")
    assert loaded.core_cap == 50
    assert len(warnings) == 21
    assert warnings[-1] == "molt.yaml: and 480 more"


def test_only_what_the_file_sets_is_cached_under_the_version() -> None:
    tree = DictTree({"molt.yaml": b"core: {cap: 7}\nodd: 1\n"})
    cache: dict[str, bytes] = {}
    config.load(tree, cache)
    ((key, kept),) = cache.items()
    assert __version__ in key
    values, warnings = marshal.loads(kept)
    assert values == {"core_cap": 7}
    assert len(warnings) == 1
