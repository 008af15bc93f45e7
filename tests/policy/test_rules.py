from __future__ import annotations

import pytest

from molt import trees
from molt.formats import message as messages
from molt.policy import RULES, Context, Finding, Rule, evaluate, rule
from molt.policy.engine import Example


def tree(files: dict[str, str]) -> trees.DictTree:
    marked = {
        path: (content.encode(), trees.SYMLINK if content.startswith("link:") else trees.REGULAR)
        for path, content in files.items()
    }
    return trees.DictTree(marked)


def findings(example: Example) -> tuple[Finding, ...]:
    return evaluate(
        tree(example.base),
        tree(example.new),
        example.message or None,
        Context(
            actor=example.actor or "manual",
            environment_actor=example.environment,
            history=example.history,
            branch=example.branch,
        ),
    )


@pytest.mark.parametrize("one", RULES, ids=lambda one: one.code)
def test_a_rule_passes_its_good_example_and_fails_its_bad_one(one: Rule) -> None:
    passed = [found for found in findings(one.passes) if found.code == one.code]
    assert not passed, f"{one.code} finds something in its good example, which is the first"
    failed = [found for found in findings(one.fails) if found.code == one.code]
    assert failed, f"{one.code} finds nothing in its bad example: see its check and `concerns`"
    # The example of a rule that is off until it is asked for has it switched on, as a warning.
    level = "warning" if one.severity == "off" else one.severity
    assert all(found.severity == level and found.message for found in failed)


def test_codes_are_unique_and_found_in_any_case() -> None:
    assert len({one.code for one in RULES}) == len(RULES)
    assert rule("epi001") is next(one for one in RULES if one.code == "EPI001")
    assert rule("NONE") is None


def test_a_commit_cannot_switch_off_the_rule_that_it_breaks() -> None:
    off = {"molt.yaml": "policy: {severity: {SEC004: off}}\n"}
    bad = {"memory/aux.md": "a\n"}
    codes = [found.code for found in evaluate(tree({}), tree(off | bad), None, Context())]
    assert "SEC004" in codes
    codes = [found.code for found in evaluate(tree(off), tree(off | bad), None, Context())]
    assert "SEC004" not in codes


def test_a_secret_is_never_printed() -> None:
    secret = "ghp_" + "a1" * 20
    (found,) = evaluate(tree({}), tree({"memory/a.md": f"use {secret}\n"}), None, Context())
    assert found.code == "SEC001"
    assert secret not in found.message


@pytest.mark.parametrize(
    ("context", "unstaged", "completed"),
    [
        pytest.param(Context(actor="bot:main", staged=True), True, False, id="git-is-about-to"),
        pytest.param(Context(actor="bot:main"), False, False, id="molt-is-about-to"),
        pytest.param(Context(commit="a" * 40), False, True, id="is-there"),
    ],
)
def test_a_way_out_is_one_where_the_commit_stands(
    context: Context, unstaged: bool, completed: bool
) -> None:
    base, new = tree({"AGENTS.md": "a\n"}), tree({"AGENTS.md": "b\n"})
    said = messages.parse("new rules") if context.commit or context.staged else None
    hints = " ".join(one.hint for one in evaluate(base, new, said, context))
    assert ("git restore --staged AGENTS.md" in hints) is unstaged
    assert ("molt hooks install" in hints) is completed


def test_a_merge_keeps_the_lines_of_every_parent() -> None:
    path = "memory/2026-02-02.md"
    ours, theirs = tree({path: "a\nb\n"}), tree({path: "a\nc\n"})
    context = Context(actor="manual", parents=(ours, theirs))
    assert not evaluate(ours, tree({path: "a\nb\nc\n"}), None, context)
    (found,) = evaluate(ours, tree({path: "a\nc\n"}), None, context)
    assert found.code == "EPI001"


def test_a_rule_that_cannot_be_evaluated_refuses() -> None:
    from molt.policy.engine import Judged, Submission, judge_commit

    def broken(judged: Judged) -> object:
        raise RuntimeError("no")

    bad = next(iter(RULES)).replace(check=broken, needs_message=False, concerns=lambda _: True)
    (found,) = judge_commit((bad,), Submission(tree({}), tree({"a.md": "a"}), None), Context())
    assert found.severity == "error"
