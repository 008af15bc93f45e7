"""What is given away is of one of three classes, and says of which."""

from __future__ import annotations

from pathlib import Path

import pytest

from molt import config, policy
from molt.config import Config
from molt.policy import Context, Finding, evaluate, ranks, secrets
from molt.policy.secrets.form import sample
from molt.policy.secrets.formats import FORMS
from molt.trees import DictTree

SURE = sample("use ghp_{an:36}\n")
LIKELY = "the PIN of the card is 4718\n"
MARK = "<!-- molt:allow-secret -->"
DATA = Path(__file__).parent / "data"
"""`formats.txt` and `nothing.txt` are templates for `sample`: of lines that give something away,
and of such as look like it.
"""


def judge(text: str, actor: str, **chosen: str) -> tuple[Finding, ...]:
    """What SEC001 says of a note under some settings, `_` for a blank in the name of a kind."""
    kinds = tuple((kind.replace("_", " "), rank) for kind, rank in sorted(chosen.items()))
    made = DictTree({"memory/a.md": text.encode()})
    context = Context(actor=actor)
    found = evaluate(DictTree({}), made, None, context, Config(policy_secrets=kinds))
    return tuple(one for one in found if one.code == "SEC001")


@pytest.mark.parametrize("actor", ["manual", "bot:main", "subagent:scout"])
@pytest.mark.parametrize(("text", "rank"), [(SURE, ranks.BLOCK), (LIKELY, ranks.ASK)])
def test_a_finding_says_of_which_class_it_is(text: str, rank: str, actor: str) -> None:
    (found,) = judge(text, actor)
    assert (found.severity, found.message.rpartition(": ")[2]) == ("error", rank)


def test_with_a_word_a_person_goes_on_and_a_bot_does_not() -> None:
    text = LIKELY.replace("\n", f" {MARK}\n")
    assert judge(text, "manual") == ()
    (found,) = judge(text, "bot:main")
    assert "only a person" in found.hint
    assert "only a person" not in judge(SURE, "bot:main")[0].hint


@pytest.mark.parametrize("actor", ["manual", "bot:main"])
def test_a_workspace_makes_a_kind_milder_or_stricter(actor: str) -> None:
    (found,) = judge(LIKELY, actor, PIN="warn")
    assert (found.severity, found.message[-4:]) == ("warning", "warn")
    (found,) = judge(LIKELY, actor, PIN="block")
    assert (found.severity, found.message[-5:]) == ("error", "block")
    (found,) = judge(SURE, actor, GitHub_token="ask")
    assert found.message.endswith("ask")


@pytest.mark.parametrize("actor", ["", "bot:main", "subagent:scout", "system:import"])
def test_a_guess_in_a_program_is_for_a_person_alone_to_judge(actor: str) -> None:
    made = DictTree({"scan/check.py": b"API_KEY = 'C49WBACXIIPINPD7'\n"})
    who = f"\n\nActor: {actor}" * bool(actor)
    message = f"a scan{who}\n"
    found = evaluate(DictTree({}), made, message, Context(actor="manual"))
    assert [one.severity for one in found if one.code == "SEC001"] == ["error"]


@pytest.mark.parametrize("chosen", ["ask", "block"])
def test_what_a_workspace_calls_certain_is_no_guess(chosen: str) -> None:
    made = DictTree({"scan/check.py": b"API_KEY = 'C49WBACXIIPINPD7'\n"})
    settings = Config(policy_secrets=(("secret", chosen),))
    found = evaluate(DictTree({}), made, None, Context(actor="manual"), settings)
    severity = "error" if chosen == "block" else "warning"
    assert [one.severity for one in found if one.code == "SEC001"] == [severity]


@pytest.mark.parametrize("text", ["Password: samba123\n", "IBAN GB82WEST12345698765432\n"])
def test_what_manuals_show_a_person_is_told_of_and_a_bot_is_refused(text: str) -> None:
    assert [one.severity for one in judge(text, "manual")] == ["warning"]
    assert [one.severity for one in judge(text, "bot:main")] == ["error"]
    both = judge(f"{text.strip()} or password: k7-Tulpe!29\n", "manual")
    assert {one.severity for one in both} == {"error"}


def test_of_several_settings_the_strictest_holds() -> None:
    mild = Config(policy_secrets=(("PIN", "warn"), ("card number", "ask")))
    assert policy.strictest([mild, Config()]).policy_secrets == (
        ("PIN", "ask"),
        ("card number", "block"),
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


def test_every_form_of_its_own_is_certain() -> None:
    assert {ranks.rank_kind(form.name) for form in FORMS} == {ranks.BLOCK}


def read_lines(name: str) -> list[str]:
    """The lines of a file of templates, filled in; `${` and `{{` stand for themselves."""
    rows = (DATA / name).read_text("utf-8").splitlines()
    kept = (row.replace("${", "\0").replace("{{", "\1") for row in rows)
    return [sample(row).replace("\0", "${").replace("\1", "{{") for row in kept]


def test_of_many_formats_each_is_found() -> None:
    told = read_lines("formats.txt")
    assert len(told) >= 150
    assert [line for line in told if not secrets.find(line)] == []


def test_of_many_lines_that_look_like_it_none_is() -> None:
    told = read_lines("nothing.txt")
    assert len(told) >= 200
    assert [line for line in told if secrets.find(line)] == []


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


def test_what_a_known_line_announces_below_is_found() -> None:
    page = f"{SCRIPT} Password:\n{{}}\n"
    assert judge_files(a=page.format(""), b=page.format("Xk7#mPq92vL")) == [("b.html", 2)]


def test_a_line_of_an_installed_file_is_searched_where_it_is_a_text() -> None:
    page = f"{SCRIPT} password: Xk7#mPq92vL\n"
    made = DictTree({"a/node_modules/x.html": page.encode(), "b.html": page.encode()})
    found = evaluate(DictTree({}), made, None, Context(actor="manual"))
    assert [one.path for one in found if one.code == "SEC001"] == ["b.html"]
