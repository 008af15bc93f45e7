"""What the notes call the user and the agent, by the files that say who they are."""

from __future__ import annotations

import re

from molt import trees
from molt.memory.reflect.rules.notes import note_cues
from molt.memory.reflect.rules.notes.prose import UserNames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.memory.reflect.material.material import ReflectionMaterial

_SAID = re.compile(
    r"^[ \t]*[-*]?[ \t]*\**[ \t]*"
    r"(?:full name|preferred name|name|what to call (?:him|her|them)|call (?:him|her|them|me)"
    r"|称呼|姓名|名字|名称|昵称|怎么称呼)"
    r"[ \t]*\**[ \t]*[:：][ \t]*\**[ \t]*(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_LONGEST, _HEAD = 40, 4_000
"""Characters of a name, and of the head of a file in which it stands."""
_UNTOLD = (
    *("unknown", "tbd", "to be", "not set", "none", "n/a", "todo", "optional"),
    *("待", "未知", "无"),
)
_CUT = re.compile(r"[(（,，/、|;；—]| - |\bor\b|或")


def read_names(material: ReflectionMaterial) -> UserNames:
    """The names of the user and of the agent."""
    user = list(_list_names(material, "USER.md"))
    agent = list(_list_names(material, "IDENTITY.md"))
    words = {word for name in user for word in _split_name(name)}
    words -= {word for name in agent for word in _split_name(name)}
    label = next(
        (name for name in user if note_cues.fold_title(name) not in note_cues.USER_WORDS), ""
    )
    return UserNames(
        frozenset(note_cues.USER_WORDS) | words,
        frozenset(word for name in agent for word in _split_name(name)),
        label,
    )


def _list_names(material: ReflectionMaterial, path: str) -> list[str]:
    text = trees.read_text(material.tree, path)[:_HEAD]
    found = []
    for match in _SAID.finditer(text):
        for part in _CUT.split(match.group(1)):
            said = part.strip(" *_`\"'“”.。")
            plain = said and said.replace(" ", "").replace("-", "").isalpha()
            if plain and len(said) <= _LONGEST and not said.casefold().startswith(_UNTOLD):
                found.append(said)
    return found


def _split_name(name: str) -> tuple[str, ...]:
    """The words by which somebody is called: the whole of a name that has no spaces between."""
    low = name.casefold()
    return tuple(low.split()) if low.isascii() else (name,)
