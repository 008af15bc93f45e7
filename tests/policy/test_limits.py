"""What a commit has against it is told of to a bound, and never hides an error."""

from __future__ import annotations

from molt import policy, trees
from molt.formats import message as messages

_PROPOSALS = "memory/meta/pending-memories.md"
_SAID = "[EDIT] * — x\n\nActor: bot:main\nApproval: auto\nTrigger: t\n"


def test_thousands_of_findings_are_told_of_to_a_bound() -> None:
    text = "# Pending Memory Proposals\n" + "\n---\n## Proposal #2\n" * 3000
    new = trees.DictTree({_PROPOSALS: text.encode()})
    found = policy.evaluate(trees.EMPTY, new, _SAID, policy.Context())
    assert len(found) < 4000
    assert {one.code for one in found if one.severity == "error"} >= {"AGENT004"}


def test_an_error_behind_thousands_of_warnings_is_told() -> None:
    head, entry = (
        "# 2026-02-02 — Episode Log\n",
        "\n## 09:00 | fact | confidence:high | tags:[]\nx\n",
    )
    text = head + entry * 1500 + entry.replace("fact", "rumour")
    new = trees.DictTree({"memory/episodes/2026-02-02.md": text.encode()})
    found = policy.evaluate(trees.EMPTY, new, _SAID, policy.Context())
    assert [one.code for one in found if one.severity == "error"] == ["EPI002"]


def test_a_subject_of_any_length_is_read_at_once() -> None:
    for piece in ("[!", "*a", "["):
        assert not messages.names_any(piece * 1_000_000, ["a.md"])
    assert messages.names_any("memory/*.md", ["a.md", "memory/b.md"])
