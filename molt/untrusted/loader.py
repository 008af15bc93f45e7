"""YAML with bounds: no anchors, no key twice, few levels, short numbers. Loads the library."""

from __future__ import annotations

import yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from yaml.nodes import MappingNode, ScalarNode

DEEPEST = 32
"""Most levels in each other; no file of a workspace needs five."""
_LONGEST_NUMBER = 64
"""Characters of a number or a date, more than one of 128 bits has: nobody computes with others."""


class Unread(yaml.MarkedYAMLError):
    """What is YAML and is not read all the same."""


class BoundedLoader(yaml.SafeLoader):
    """The safe loader, which refuses what takes more time or room than it has bytes."""

    def fetch_alias(self) -> None:
        raise Unread(problem="an alias is not read", problem_mark=self.get_mark())

    def fetch_anchor(self) -> None:
        raise Unread(problem="an anchor is not read", problem_mark=self.get_mark())

    # The scanner looks at each open bracket again for each further one.
    def fetch_flow_collection_start(self, token: Any) -> None:
        self._bound_depth(self.flow_level)
        super().fetch_flow_collection_start(token)

    def add_indent(self, column: int) -> bool:
        self._bound_depth(len(self.indents))
        return bool(super().add_indent(column))

    def _bound_depth(self, depth: int) -> None:
        if depth >= DEEPEST:
            raise Unread(problem=f"more than {DEEPEST} levels", problem_mark=self.get_mark())

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[object] = set()
        for key, _ in node.value:
            name = self.construct_object(key, deep=True)
            if name in seen:
                problem = f"the key {str(name)[:40]!r} stands twice"
                raise Unread(problem=problem, problem_mark=key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)

    def construct_number(self, node: ScalarNode) -> object:
        """A number or a date that is one."""
        try:
            if len(node.value) <= _LONGEST_NUMBER:
                return yaml.SafeLoader.yaml_constructors[node.tag](self, node)
        except (ValueError, OverflowError):
            pass
        problem = f"{node.value[:40]!r} is no number or date"
        raise Unread(problem=problem, problem_mark=node.start_mark)


for _kind in ("int", "float", "timestamp"):
    BoundedLoader.add_constructor(f"tag:yaml.org,2002:{_kind}", BoundedLoader.construct_number)


def load_yaml(text: str) -> object:
    """What a text says. Raises YAMLError, Unread among them, and whatever odd values raise."""
    return yaml.load(text, BoundedLoader)  # noqa: S506 it is a safe loader


def describe_error(error: Exception, above: int) -> str:
    """What is wrong and where, `above` lines standing before the text in its file."""
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1 + above}: " if mark else ""
    return f"{where}{error.problem if isinstance(error, Unread) else 'not valid YAML'}"
