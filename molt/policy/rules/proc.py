"""PROC: procedures and vault files parse."""

from __future__ import annotations

from molt.formats import frontmatter
from molt.policy import shapes
from molt.policy.engine import Example, Fault, Judged, Rule, changed_files
from molt.trees import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_STEPS = "---\nid: ship\ntype: procedure\nlabel: Ship\n---\n# Ship\n\n## Steps\n1. go\n"


def _check_front_matter(judged: Judged) -> Iterator[Fault]:
    for change in changed_files(judged, "procedure", "vault"):
        content = read_text(judged.new, change.path)
        try:
            frontmatter.front_matter(content)
        except ValueError:
            yield Fault(change.path, 1, "the front matter is not valid YAML", "mend it")
            continue
        had = frontmatter.split_front_matter(read_text(judged.base, change.path))[0] is not None
        if had and frontmatter.split_front_matter(content)[0] is None:
            yield Fault(change.path, 1, "its front matter is gone", "put the two --- lines back")


RULES = (
    Rule(
        "PROC001",
        "front matter",
        "error",
        _check_front_matter,
        "That procedures and vault files parse.",
        Example({}, {"memory/procedures/ship.md": _STEPS}),
        Example({}, {"memory/procedures/ship.md": _STEPS.replace("id: ship", "id: [ship")}),
        concerns=shapes.touching("procedure", "vault", but="D"),
    ),
)
