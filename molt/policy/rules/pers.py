"""SEC006: personal data, where a workspace asks to be told of it."""

from __future__ import annotations

from molt.formats import paths
from molt.policy import leaks, personal
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def _check_personal(judged: Judged) -> Iterator[Fault]:
    if judged.init:
        return
    for change in judged.changes:
        path = change.path
        told = path.startswith("memory/") or paths.kind_of(path) != "other"
        if change.status != "D" and told and path != paths.SCORES:
            yield from leaks.limit(_find_personal(judged, path))


def _find_personal(judged: Judged, path: str) -> Iterator[Fault]:
    for number, line in judged.added(path):
        for said in personal.find(line):
            yield Fault(path, number, said, "leave it out where the workspace is shared")


_PERSONAL = "policy:\n  severity:\n    SEC006: warning\n"

RULES = (
    Rule(
        "SEC006",
        "no personal data",
        "off",
        _check_personal,
        "Other people's data, in a workspace that is shared: `policy.severity` switches it on.",
        Example({"molt.yaml": _PERSONAL}, {"memory/a.md": "Ada lives in Rome\n"}),
        Example({"molt.yaml": _PERSONAL}, {"memory/a.md": "Ada: ada@acme-mail.net\n"}),
    ),
)
