"""What entities, procedures and vault files share: typed fields and items."""

from __future__ import annotations

from molt.formats import frontmatter, lines, sections
from molt.formats.bullets import bullets, item_lines, section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.values import Value


def section_text(text: str, title: str) -> str:
    found = section(text, title)
    rows = lines.bare_lines(text)
    return "\n".join(rows[found.start : found.end]).strip() if found else ""


def text_field(data: Mapping[str, object], key: str, default: str = "") -> str:
    value = data.get(key)
    return default if value is None or isinstance(value, list | dict) else str(value).strip()


def text_list(data: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = data.get(key)
    if isinstance(value, list):
        return tuple(str(item) for item in value if item is not None)
    return (str(value),) if value else ()


def pinned_flag(data: Mapping[str, object], default: bool = False) -> bool:
    value = data.get("pinned", default)
    return value if isinstance(value, bool) else str(value).lower() in ("yes", "true")


def title_of(text: str, default: str) -> str:
    found = sections.parse_sections(text)
    return next((one.title for one in found if one.level == 1 and one.title), default)


def section_items(text: str, title: str) -> tuple[str, ...]:
    return tuple(bullet.text for bullet in bullets(text, title))


def front_fields(note: Value, label: str) -> list[str]:
    """The front matter of a note in canonical order, and the title line that repeats its label."""
    keys = (
        *("id", "type", "label", "aliases", "tags", "created", "updated", "source", "origin"),
        "pinned",
    )
    pairs = [(key, getattr(note, key)) for key in keys if hasattr(note, key)]
    rows = [
        f"{key}: {frontmatter.render(value)}"
        for key, value in pairs
        if value != "" or key == "label"
    ]
    return ["---", *rows, "---", f"# {lines.one_line(label)}"]


def render_note(front: Sequence[str], parts: Sequence[tuple[str, Sequence[str]]]) -> str:
    rows = list(front)
    for title, content in parts:
        rows += ["", f"## {title}", *content]
    return "\n".join(rows) + "\n"


def bullet_lines(items: Sequence[str]) -> list[str]:
    return [row for item in items for row in item_lines(item)]


def list_words(text: str) -> list[str]:
    return text.strip().split("\n") if text.strip() else []
