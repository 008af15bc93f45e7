"""What is given away is of one of three classes, and says of which."""

from __future__ import annotations

import pytest

from molt import config, policy
from molt.config import Config
from molt.policy import Context, Finding, evaluate, secrets
from molt.policy.secrets.patterns import sample
from molt.trees import DictTree

SURE = sample("use ghp_{an:36}\n")
LIKELY = "wifi password: tulip4471\n"
MARK = "<!-- molt:allow-secret -->"


def judge(text: str, actor: str, **chosen: str) -> tuple[Finding, ...]:
    """What SEC001 says of a note under some settings, `_` for a blank in the name of a kind."""
    kinds = tuple((kind.replace("_", " "), rank) for kind, rank in sorted(chosen.items()))
    made = DictTree({"memory/a.md": text.encode()})
    context = Context(actor=actor)
    found = evaluate(DictTree({}), made, None, context, Config(policy_secrets=kinds))
    return tuple(one for one in found if one.code == "SEC001")


@pytest.mark.parametrize("actor", ["manual", "bot:main", "subagent:scout"])
@pytest.mark.parametrize(("text", "level"), [(SURE, secrets.BLOCK), (LIKELY, secrets.ASK)])
def test_a_finding_says_of_which_class_it_is(text: str, level: str, actor: str) -> None:
    (found,) = judge(text, actor)
    asked_person = level == secrets.ASK and actor == "manual"
    assert found.severity == ("warning" if asked_person else "error")
    assert found.message.rpartition(": ")[2] == level


def test_with_a_word_a_person_goes_on_and_a_bot_does_not() -> None:
    text = LIKELY.replace("\n", f" {MARK}\n")
    assert judge(text, "manual") == ()
    (found,) = judge(text, "bot:main")
    assert "only a person" in found.hint
    assert "only a person" not in judge(SURE, "bot:main")[0].hint


@pytest.mark.parametrize("actor", ["manual", "bot:main"])
def test_a_workspace_makes_a_kind_milder_or_stricter(actor: str) -> None:
    (found,) = judge(LIKELY, actor, password="warn")
    assert (found.severity, found.message[-4:]) == ("warning", "warn")
    (found,) = judge(LIKELY, actor, password="block")
    assert (found.severity, found.message[-5:]) == ("error", "block")
    (found,) = judge(SURE, actor, GitHub_token="ask")
    assert found.message.endswith("ask")


def test_of_several_settings_the_strictest_holds() -> None:
    mild = Config(policy_secrets=(("password", "warn"), ("card number", "ask")))
    assert policy.strictest([mild, Config()]).policy_secrets == (
        ("card number", "block"),
        ("password", "ask"),
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("{PIN: block}", (("PIN", "block"),)),
        ("{PIN: forbid}", ()),
        ("[PIN]", ()),
        ("{PIN: [ask]}", ()),
    ],
)
def test_only_known_classes_are_taken_from_settings(said: str, kept: object) -> None:
    settings, warnings = config.parse(f"policy: {{secrets: {said}}}\n")
    assert settings.policy_secrets == kept
    assert bool(warnings) == (kept == ())


SCRIPT = "var page = render(1, 2);" * 200
"""A line as programs write them into each page that they make."""


def judge_files(**texts: str) -> list[tuple[str, int]]:
    """Where SEC001 finds something in files of one commit by a person."""
    made = DictTree({f"{name}.html": text.encode() for name, text in texts.items()})
    found = evaluate(DictTree({}), made, None, Context(actor="manual"))
    return [(one.path, one.line) for one in found if one.code == "SEC001"]


def test_a_long_line_that_many_files_have_hides_nothing_in_any() -> None:
    page = f"<html>\n{SCRIPT}\n{{}}\n"
    assert judge_files(a=page.format(""), b=page.format(SURE), c=page.format("")) == [("b.html", 3)]


def test_a_long_line_that_gives_something_away_does_so_in_each_file() -> None:
    page = f"{SCRIPT} {SURE}"
    assert judge_files(a=page, b=page) == [("a.html", 1), ("b.html", 1)]


def test_a_line_of_an_installed_file_is_searched_where_it_is_a_text() -> None:
    page = f"{SCRIPT} password: Xk7#mPq92vL\n"
    made = DictTree({"a/node_modules/x.html": page.encode(), "b.html": page.encode()})
    found = evaluate(DictTree({}), made, None, Context(actor="manual"))
    assert [one.path for one in found if one.code == "SEC001"] == ["b.html"]


def test_large_commit_is_searched_whole_for_known_formats_and_says_what_is_not() -> None:
    bulk = "row after row of it\n" * 250_000
    files = {"data/0.csv": bulk + LIKELY, "data/1.csv": bulk + SURE}
    made = DictTree({path: text.encode() for path, text in files.items()})
    found = evaluate(DictTree({}), made, None, Context(actor="bot:main"))
    told = [(one.severity, one.path) for one in found if one.code == "SEC001"]
    assert told == [("warning", "data/0.csv"), ("error", "data/1.csv")]
