"""What no proposal may say: what was forgotten on purpose, and secrets."""

from __future__ import annotations

from molt.formats import facts
from molt.memory.visible import unsaid
from molt.policy import secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from molt.formats.reflections.plan import Operation
    from molt.trees import Tree

    Part = tuple[Operation, str]
    """What of an operation was left out, and why."""

_LISTS = ("facts", "aliases", "tags", "add", "replace", "drop")
"""The fields of which a part can be left out, and the rest still says something."""
_MASK = "…"
_WHOLE = ("upsert-entity", "rewrite-core")


class UnfitWords:
    """Finds in texts what must not be said again: by what a tree says was forgotten, and by what
    else `says` it.
    """

    def __init__(self, tree: Tree, says: Callable[[str], bool] | None = None) -> None:
        self._buried = unsaid.read_graveyard(tree)
        self._says = says

    def find_fault(self, text: str) -> str:
        """Why a text must not be said; empty where it may be."""
        if not text:
            return ""
        if secrets.redact(text) != text:
            return "it holds a secret"
        return self.find_forgotten(text)

    def find_forgotten(self, text: str) -> str:
        """The same of what was forgotten alone."""
        if self._says is not None and self._says(text):
            return "it says what was forgotten"
        if not self._buried:
            return ""
        bare = facts.strip_asides(text)
        found = (*self._buried.find_said(text), *self._buried.find_said(bare, whole=True))
        return f"it says what was forgotten on {found[0].date}" if found else ""

    def search(self, value: Any) -> str:
        """The same of all texts in a value of a plan."""
        if isinstance(value, str):
            return self.find_fault(value)
        if isinstance(value, dict):
            value = list(value.values())
        parts = value if isinstance(value, list | tuple) else ()
        return next(filter(None, map(self.search, parts)), "")

    def sift(self, one: Operation) -> tuple[Operation | None, list[Part]]:
        """An operation without the parts that must not be said, None where nothing is left; and
        these parts, of which nothing can be read, with the reason.
        """
        reason = "" if self.find_fault(one.reason) else one.reason
        one = one.replace(reason=reason)
        dropped: list[Part] = []
        args: dict[str, Any] = {}
        for name, value in one.args.items():
            if name not in _LISTS or one.op not in _WHOLE:
                if why := self.search(value):
                    return None, [(self._mask(one), why)]
                args[name] = value
                continue
            faults = [(row, self.search(row)) for row in value]
            if kept := [row for row, why in faults if not why]:
                args[name] = kept
            dropped += [
                (self._mask(one.replace(args={**args, name: [row]})), why)
                for row, why in faults
                if why
            ]
        left = args.keys() - {"entity"} or not one.args.keys() - {"entity"}
        return (one.replace(args=args) if left else None), dropped

    def sift_quotes(self, one: Operation) -> Operation:
        """Return an operation without the quotes that must not be said: a memory may hold more than
        what is claimed of it.
        """
        return one.replace(quotes=tuple(q for q in one.quotes if not self.find_fault(q.text)))

    def _mask(self, one: Operation) -> Operation:
        """An operation with nothing of what must not be said."""
        return one.replace(args=self._blank(one.args))

    def _blank(self, value: Any) -> Any:
        if isinstance(value, str):
            return _MASK if self.find_fault(value) else value
        if isinstance(value, dict):
            return {name: self._blank(one) for name, one in value.items()}
        return [self._blank(one) for one in value] if isinstance(value, list | tuple) else value
