"""The headings of the digests in audit-archive.md, one for each month."""

from __future__ import annotations

from molt.formats import times

NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_HEAD = "# Audit Digest — "


def parse_heading(row: str) -> str:
    """`2026-01` for `# Audit Digest — January 2026`; empty for what is no heading of a month."""
    if not row.startswith(_HEAD):
        return ""
    name, _, year = row.removeprefix(_HEAD).strip().partition(" ")
    known = [one.casefold() for one in NAMES]
    number = known.index(name.casefold()) + 1 if name.casefold() in known else 0
    month = f"{year.strip()}-{number:02d}"
    return month if times.is_date(f"{month}-01") else ""


def render_heading(month: str) -> str:
    """The heading of a month `2026-01`."""
    year, _, number = month.partition("-")
    return f"{_HEAD}{NAMES[int(number) - 1]} {year}"


def list_months(text: str) -> tuple[str, ...]:
    """The months that an archive has digests of, in its order."""
    found = (parse_heading(row.rstrip("\r")) for row in text.split("\n"))
    return tuple(filter(None, found))


def next_month(month: str) -> str:
    """The month after another."""
    year, number = int(month[:4]), int(month[5:])
    return f"{year + number // 12:04}-{number % 12 + 1:02}"
