"""The sentences of a line, and which of them tell that a text is from another that has them too."""

from __future__ import annotations

from molt.policy import letters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Sentence = tuple[str, bool | None]
    """What a sentence or line says by its letters, and whether that tells where it is from; None
    for a heading or row that does where it stands in a text that has it as none.
    """

_LEAST = 12
"""So many letters of a line of some words tell where it is from, if all of them are the same."""
ENOUGH = 24
"""So many do so if most of them are the same: about five words."""
_FORM = 48
"""So many of a heading or of a row of a table, which many texts have in the same words."""
_FEW = 4
"""Blanks of a line that is more than a name, a setting or a command."""


def split_row(row: str) -> list[Sentence]:
    """The sentences of a line, of which a heading or a row of a table is none."""
    parts = letters.split_sentences(row)
    if not _is_form(row, sum(len(said) for said, _ in parts)):
        return [*parts]
    return [(join_said(parts), None if any(whole for _, whole in parts) else False)]


def _is_form(row: str, size: int) -> bool:
    return size < _FORM and row.lstrip().startswith(("#", "|"))


def tells_alone(row: str, said: str) -> bool:
    """Whether a line that two texts have tells that one is from the other."""
    if len(said) < _LEAST or _is_form(row, len(said)):
        return False
    blanks = row.strip(" \t-*+>.)0123456789").count(" ")
    # Scripts without blanks say in a dozen signs what others do in a sentence.
    is_dense = not row.isascii() and any(sign >= "\u2e80" for sign in said)
    return (
        is_dense
        or blanks >= _FEW
        or (len(said) >= ENOUGH and blanks >= _FEW - 1)
        or letters.is_command(row.casefold())
    )


def mask_form(row: str, said: str) -> str:
    """What a line says; of a heading or a row of a table something that no line does."""
    return "\0" * len(said) if _is_form(row, len(said)) else said


def join_said(sentences: Iterable[Sentence]) -> str:
    return "".join(said for said, _ in sentences)
