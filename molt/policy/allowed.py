"""Lines that a person has looked at and allowed: what SEC001 finds in them gives nothing away."""

from __future__ import annotations

from molt import trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.trees import Tree

PATH = "memory/meta/secrets-allow"
MARK = "<!-- molt:allow-secret -->"
"""What a person writes at the end of a line that gives nothing away."""
# Digits of a hash: 128 bits, so that nobody finds another line that has it.
_SIZE = 32


def hash_line(line: str) -> str:
    """What stands for a line, without the blanks around it, in the list.

    It is of the whole line and not of what was found in it: a line stands in a file of the same
    history, so that its hash tells nobody more, while that of a short PIN alone could be guessed
    from a list that outlives the line. 128 bits of SHA-256, for two lines are never to be one.
    """
    data = line.strip().encode("utf-8", "surrogatepass")
    return trees.sha256(data).hexdigest()[:_SIZE]


def read_hashes(tree: Tree) -> frozenset[str]:
    """The lines that a tree allows; none of a row without a reason."""
    if tree.entry(PATH) is None:
        return frozenset()
    return frozenset(parse_hashes(trees.read_text(tree, PATH)))


def parse_hashes(text: str) -> tuple[str, ...]:
    """The hashes in a list, `HASH  # why` a line."""
    rows = (line.partition("#") for line in text.split("\n"))
    return tuple(
        head.strip() for head, _, why in rows if why.strip() and len(head.strip()) == _SIZE
    )


def add_row(text: str, line: str, why: str) -> str:
    """A list with one more line allowed; the same where it is already."""
    mark = hash_line(line)
    if mark in parse_hashes(text):
        return text
    whole = text if not text or text.endswith("\n") else f"{text}\n"
    return f"{whole}{mark}  # {' '.join(why.split())}\n"
