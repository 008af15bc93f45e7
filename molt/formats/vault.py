"""Vault files: free Markdown below its front matter."""

from __future__ import annotations

from molt.formats import frontmatter
from molt.formats.fields import (
    front_fields,
    list_words,
    pinned_flag,
    text_field,
    text_list,
    title_of,
)
from molt.formats.frontmatter import metadata
from molt.values import Value


class Vault(Value):
    """A file pinned by the user: its front matter and its free text."""

    id: str
    label: str
    text: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    pinned: bool = True
    type: str = "vault"
    source: str = ""
    origin: str = ""


def parse_vault(text: str, stem: str) -> Vault:
    """The vault file named `stem`.md; never raises. Its text leaves the title out."""
    data = metadata(text)
    label = text_field(data, "label") or title_of(text, stem)
    body = frontmatter.split_front_matter(text)[1].replace("\r\n", "\n").strip()
    body = body.removeprefix(f"# {label}").strip() if body.startswith(f"# {label}\n") else body
    return Vault(
        id=text_field(data, "id", stem),
        label=label,
        text="" if body == f"# {label}" else body,
        tags=text_list(data, "tags"),
        created=text_field(data, "created"),
        updated=text_field(data, "updated"),
        pinned=pinned_flag(data, True),
        type=text_field(data, "type", "vault"),
        source=text_field(data, "source"),
        origin=text_field(data, "origin"),
    )


def replace_text(text: str, label: str, body: str, date: str) -> str:
    """Return the text of a vault file with other words below its front matter, of a day."""
    before = frontmatter.split_front_matter(text)[2]
    head = "".join(text.splitlines(keepends=True)[:before])
    rows = (f"# {label}", "", body.strip(), "")
    return frontmatter.set_updated(f"{head}" + "\n".join(rows), date)


def render_vault(vault: Vault) -> str:
    """The canonical text of a vault file."""
    rows = front_fields(vault, vault.label)
    return "\n".join([*rows, "", *list_words(vault.text)] if vault.text.strip() else rows) + "\n"
