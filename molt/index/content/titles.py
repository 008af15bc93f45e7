"""What a piece stands under: the headings above it, and the name of its file."""

from __future__ import annotations

_LONGEST = 160
"""Characters of a line that may be a title; a longer one is a sentence."""


def split_heading(text: str) -> tuple[str, str]:
    """The headings that a piece begins with, and its words; the first are empty for a piece that
    has none.
    """
    head, line, rest = text.partition("\n")
    if head.startswith("#"):
        return head, rest
    if line and len(head) < _LONGEST and not head.startswith(("- ", "* ", "|", ">", "`")):
        return head, rest
    return "", text


def read_title(path: str, text: str) -> str:
    """The headings of a piece and the words of the name of its file."""
    stem = path.rpartition("/")[2].removesuffix(".md")
    name = "" if path.startswith("memory/imported/") else stem.replace("-", " ").replace("_", " ")
    return f"{split_heading(text)[0].lstrip('# ')} {name}".strip()


def is_struck_out(text: str) -> bool:
    """Whether all that a piece says is struck out (`~~so~~`), headings and comments aside."""
    if "~~" not in text:
        return False
    rows = (row.strip().lstrip("-*+ ") for row in split_heading(text)[1].split("\n"))
    told = [row for row in rows if row and not row.startswith(("#", "<!--"))]
    return bool(told) and all(row.startswith("~~") for row in told)
