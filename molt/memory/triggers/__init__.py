"""Which intent a message carries: to remember, forget, reflect, recall, or none of these."""

from __future__ import annotations

from molt import errors, trees
from molt.memory.triggers import detect, phrases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from molt.memory.triggers.detect import Trigger
    from molt.memory.triggers.phrases import Phrases
    from molt.trees import Tree

MOST_FILES = 16
"""A file for each language that somebody speaks; each is read for each message."""
load_shipped = phrases.load_shipped


def detect_intent(text: str, known: Phrases | None = None) -> Trigger:
    """The first request in a message, `none` if there is none. What phrases of a workspace say is
    no guess.
    """
    shipped = phrases.load_shipped()
    known = known or shipped
    found = detect.find_trigger(text, known)
    own = known is not shipped and found != detect.NONE
    return found if own else detect.weigh_trigger(text, found, known.same)


def detect_message(
    tree: Tree, files: Sequence[str], text: str, cache: MutableMapping[str, bytes]
) -> Trigger:
    """The same of a message with the phrases of a workspace, of which as few are read as that takes
    where it has none of its own.
    """
    if not files:
        table = phrases.load_table(cache)
        return detect.weigh_trigger(text, detect.find_in_table(text, table), dict(table.same))
    return detect_intent(text, load_phrases(tree, files, cache)[0])


def cut_phrase(text: str, known: Phrases | None = None) -> str:
    """A text that is to be remembered without the words that say so at its head or its end."""
    return detect.cut_phrase(text, known or phrases.load_shipped())


def load_phrases(
    tree: Tree, files: Sequence[str], cache: MutableMapping[str, bytes] | None = None
) -> tuple[Phrases, tuple[str, ...]]:
    """The phrases that come with molt and those in files of a tree, and warnings about the files
    that hold none: one that cannot be read is left out, for it must not take a command down.
    """
    known = phrases.load_shipped(cache)
    warnings = [f"triggers.files: only the first {MOST_FILES} are read"] * (len(files) > MOST_FILES)
    for path in files[:MOST_FILES]:
        if tree.entry(path) is None:
            warnings.append(f"triggers.files names {path}, which is not committed")
            continue
        try:
            known = known.join(phrases.load_text(trees.read_text(tree, path), path, cache))
        except errors.Usage as error:
            warnings.append(f"{error.message}; its phrases are left out")
    return known, tuple(warnings)
