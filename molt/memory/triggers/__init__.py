"""Which intent a message carries: to remember, forget, reflect, recall, or none of these."""

from __future__ import annotations

from molt import errors, trees
from molt.memory.triggers import detect, phrases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.memory.triggers.detect import Trigger
    from molt.memory.triggers.phrases import Phrases
    from molt.trees import Tree

MOST_FILES = 16
"""A file for each language that somebody speaks; each is read for each message."""
load_shipped = phrases.load_shipped


def detect_intent(text: str, known: Phrases | None = None) -> Trigger:
    """Return the request in a message, `none` if there is none. A phrase of a workspace's own is
    taken at its word, one that ships only as far as the model agrees.
    """
    return detect.find_trigger(text, known or phrases.load_shipped())


def detect_message(tree: Tree, files: Sequence[str], text: str) -> Trigger:
    """Return the same of a message with the phrases of a workspace."""
    return detect_intent(text, load_phrases(tree, files)[0])


def load_phrases(tree: Tree, files: Sequence[str]) -> tuple[Phrases, tuple[str, ...]]:
    """Return the phrases that come with molt and those in files of a tree, and warnings about the
    files that hold none: one that cannot be read is left out, for it must not take a command down.
    """
    known = phrases.load_shipped()
    warnings = [f"triggers.files: only the first {MOST_FILES} are read"] * (len(files) > MOST_FILES)
    for path in files[:MOST_FILES]:
        if tree.entry(path) is None:
            warnings.append(f"triggers.files names {path}, which is not committed")
            continue
        try:
            known = known.join(phrases.parse(trees.read_text(tree, path), path))
        except errors.Usage as error:
            warnings.append(f"{error.message}; its phrases are left out")
    return known, tuple(warnings)
