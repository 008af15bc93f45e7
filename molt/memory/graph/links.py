"""Links to an entity, in whatever text they stand."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from molt.trees import Tree


def point_links(text: str, old: str, new: str) -> str:
    """The text with its links to the entity `old` leading to `new`, both names of files without
    `.md`: wikilinks (`[[old]]`, with a folder, a heading or words of their own as well) and ids
    (`entity:old`). What only begins or ends like it stays.
    """
    if old not in text:
        return text
    name = re.escape(old)
    linked = re.sub(rf"(\[\[(?:[^\[\]|#\n]*/)?){name}(?=(?:\.md)?[\]|#])", rf"\g<1>{new}", text)
    return re.sub(rf"(?<![\w-])entity:{name}(?![\w-])", f"entity:{new}", linked)


def find_mentions(tree: Tree, stem: str) -> Mapping[str, str]:
    """The Markdown files with a link to an entity, but for its own, with their texts.

    What is no UTF-8 is none.
    """
    notes: Sequence[str] = [path for path in tree.entries() if path.endswith(".md")]
    found: dict[str, str] = {}
    for path, data in tree.read_many(notes).items():
        if stem.encode() in data and not path.endswith(f"/{stem}.md"):
            try:
                text = data.decode()
            except UnicodeDecodeError:
                continue
            if point_links(text, stem, "") != text:
                found[path] = text
    return found
