"""What a rule has found wrong, and how much it matters."""

from __future__ import annotations

from molt.values import Value

ERROR, WARNING, OFF = "error", "warning", "off"


class Finding(Value):
    """One rule broken: where, what is wrong, and how to mend it. `line` 0 means the whole file."""

    code: str
    severity: str
    path: str
    line: int
    message: str
    hint: str

    @property
    def place(self) -> str:
        """Where, for people: the path with the line, as far as there are any."""
        return f"{self.path}:{self.line}" if self.path and self.line else self.path

    @property
    def advice(self) -> str:
        """How to mend it, without its place: one for all that the same helps with."""
        return self.hint.replace(self.place, "") if self.place else self.hint
