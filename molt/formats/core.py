"""MEMORY.md by block: what each may take, and one bullet in the place of another."""

from __future__ import annotations

from molt.formats import bullets, ids, lines, sections
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.formats.bullets import Bullet


class BudgetBlock(Value):
    """A block of MEMORY.md: its title, the tokens that its comment allows (0 where it says
    nothing), and its text with the heading.
    """

    title: str
    budget: int
    text: str


def render_share(tokens: int, cap: int) -> str:
    """How full a core memory is, in whole percents that are full: `151 %`."""
    return f"{100 * tokens // cap} %"


def parse_blocks(text: str) -> tuple[BudgetBlock, ...]:
    """The blocks of a core memory, in order."""
    rows = lines.bare_lines(text)
    parts = (one for one in sections.parse_sections(text) if one.level == 2)
    return tuple(
        BudgetBlock(
            one.title, _read_budget(rows[one.start : one.end]), _join(rows, one.start, one.end)
        )
        for one in parts
    )


def _join(rows: list[str], start: int, end: int) -> str:
    return "\n".join(rows[start - 1 : end]).rstrip() + "\n"


def _read_budget(rows: list[str]) -> int:
    """The number of a comment such as `<!-- ~1,000 tokens — … -->`; 0 without one."""
    for row in rows:
        said = row.strip().partition("<!--")[2].partition("-->")[0]
        number, found, _ = said.partition(" token")
        digits = number.strip().lstrip("~≈").replace(",", "")
        if found and digits.isascii() and digits.isdigit() and len(digits) < 10:
            return int(digits)
        if row.strip() and not row.strip().startswith("<!--"):
            return 0
    return 0


def find_title(text: str, name: str) -> str:
    """The title of the block that a name means, whatever its case or form; empty for none."""
    wanted = ids.slug(name.removeprefix("core:"))
    return next((one for one in list_titles(text) if ids.slug(one) == wanted), "")


def list_titles(text: str) -> tuple[str, ...]:
    """The titles of the blocks that a core memory has, and of those that any may have."""
    known = (one.title for one in sections.parse_sections(text) if one.level == 2)
    return tuple(dict.fromkeys((*known, *bullets.BLOCKS)))


def find_bullets(text: str, ref: str) -> tuple[Bullet, ...]:
    """The bullets that an id or a text means: that of the id, those that are the text, or else
    those that have it in them, whatever its case.
    """
    every = bullets.core_bullets(text)
    same = tuple(one for one in every if ref in (one.id, one.id.partition("#")[2], one.text))
    wanted = _fold(ref)
    return same or tuple(_holding(every, wanted))


def _holding(every: tuple[Bullet, ...], wanted: str) -> Iterator[Bullet]:
    return (one for one in every if wanted and wanted in _fold(one.text))


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def replace_bullet(text: str, old: Bullet, fresh: str) -> str:
    """The text with other words in the place of a bullet."""
    return lines.splice_lines(text, old.start - 1, old.end, bullets.item_lines(fresh))


def drop_bullets(text: str, gone: tuple[Bullet, ...]) -> str:
    """The text without some of its bullets."""
    for one in sorted(gone, key=lambda bullet: -bullet.start):
        text = lines.splice_lines(text, one.start - 1, one.end, ())
    return text
