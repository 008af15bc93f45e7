"""Memory ids and the slugs they are made of."""

from __future__ import annotations

from molt import trees
from molt.formats import lines, paths
from molt.formats.times import is_date, is_time
from molt.normal import normalize
from molt.values import Value

NOTE = "note"
"""The prefix of the pieces of notes, which are evidence and in no store."""
TURN = "turn"
"""The prefix of what was said in conversations: evidence too, which records quote."""
# A file name may have 255 bytes: with its type before it and its ending there is room to spare.
_MOST_BYTES = 160
# Hexadecimal digits of the hash of a text: enough to tell those of one workspace apart.
_DIGEST = 8
_BEFORE = {".": "dot", "@": "at", "#": "hash", "$": "dollar"}
_BEHIND = {"+": "plus", "#": "sharp", "*": "star", "-": "minus"}
_BETWEEN = {"&": "and"}
_SPELLED = frozenset((*_BEFORE, *_BEHIND, *_BETWEEN))
_WIDE = str.maketrans("．＠＃＄＋＊－♯＆", ".@#$+*-#&")
_OPENS = " \t\n([{<\"'“‘（「『"
"""What may stand before a word."""
_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)


class MemoryId(Value):
    """An id taken apart: its store, what follows the prefix, the file that should hold it, and
    the place in that file (time of an episode, hash of a bullet; else empty).
    """

    store: str
    key: str
    path: str
    anchor: str = ""


def slug(text: str) -> str:
    """Lower-case words joined by `-`; letters of every script are kept (NFC), never empty. Signs
    that are all that tells some names apart are words: `.NET`, C++, C#, A*, `@home`, AT&T.
    """
    source = _lower_letters(text)
    return _join_words(text, source if _SPELLED.isdisjoint(source) else _spell_signs(source))


def is_unspelled(name: str, text: str) -> bool:
    """Whether a slug is that of a text without the signs that are words of it: an older molt named
    the file so, and another text has that slug now.
    """
    if name == slug(text):
        return False
    return name == _join_words(text, _lower_letters(text))


def _lower_letters(text: str) -> str:
    if text.isascii():
        return text
    return normalize("NFC", normalize("NFC", text).lower()).translate(_WIDE)


def _join_words(text: str, source: str) -> str:
    kept = "".join(char if _is_word(char) else " " for char in source.lower())
    # A word takes a byte at least: of a long text no more of them can stay.
    words = kept.split(None, _MOST_BYTES)[:_MOST_BYTES]
    while len(words) > 1 and len("-".join(words).encode()) > _MOST_BYTES:
        words.pop()
    name = "-".join(words)
    if len(name.encode()) > _MOST_BYTES:
        name = name.encode()[:_MOST_BYTES].decode("utf-8", "ignore")
    if not name:
        return f"untitled-{digest(text)}" if text.strip() else "untitled"
    return f"{name}-1" if name in _RESERVED else name


def _spell_signs(text: str) -> str:
    """A text with the signs at the edges of its words that people say."""
    return "".join(
        _say_sign(text, at) if char in _SPELLED else char for at, char in enumerate(text)
    )


def _say_sign(text: str, at: int) -> str:
    """What a sign is called where it belongs to a word; else itself."""
    char = text[at]
    if char in _BEFORE and _is_before(text, at):
        return f" {_BEFORE[char]} "
    if char in _BETWEEN and text[at - 1 : at].isalnum() and text[at + 1 : at + 2].isalnum():
        return f" {_BETWEEN[char]} "
    return f" {_BEHIND[char]} " if char in _BEHIND and _is_behind(text, at) else char


def _is_before(text: str, at: int) -> bool:
    """Whether a sign stands before a word, and behind none."""
    before = text[at - 1 : at] if at else ""
    return text[at + 1 : at + 2].isalpha() and not before.strip(_OPENS)


def _is_behind(text: str, at: int) -> bool:
    """Whether a sign, or the second one of its kind, stands behind a word and joins no other to
    it. A pair of stars is emphasis, and a hyphen belongs to a letter or two (`A-`) alone.
    """
    char, after = text[at], text[at + 1 : at + 2]
    if char == "*" and text.find(char) != text.rfind(char):
        return False
    second = text[at - 1 : at] == char
    end = at - second
    word = text[max(0, end - 3) : end]
    if not word[-1:].isalnum():
        return False
    if char == "-":
        short = word.split()[-1]
        return short.isalpha() and len(short) < 3 and not after.isalnum()
    return second or not after.isalnum()


def _is_word(char: str) -> bool:
    if char.isalnum():
        return True
    if char.isascii():
        return False
    from unicodedata import category

    # Vowel signs of Indic scripts and Thai are marks; without them the words are others.
    return category(char) in ("Mn", "Mc") and not "\ufe00" <= char <= "\ufe0f"


def digest(text: str) -> str:
    """The eight hex digits that stand for a text in an id; spacing does not matter."""
    words = " ".join(normalize("NFC", text).split())
    return trees.sha256(words.encode("utf-8", "replace")).hexdigest()[:_DIGEST]


def core(block: str) -> str:
    """The id of a whole block of MEMORY.md."""
    return f"core:{slug(block)}"


def bullet(block: str, text: str) -> str:
    """The id of one bullet of a block; spacing does not matter."""
    return f"core:{slug(block)}#{digest(text.strip().removeprefix('- '))}"


def episode(date: str, time: str) -> str:
    """The id of an entry of a daily log."""
    return f"episode:{date}:{time}"


def entity(stem: str) -> str:
    """The id of an entity by the name of its file, without `.md`."""
    return f"entity:{stem}"


def procedure(stem: str) -> str:
    """The id of a procedure by the name of its file, without `.md`."""
    return f"procedure:{stem}"


def vault(stem: str) -> str:
    """The id of a vault file by its name, without `.md`."""
    return f"vault:{stem}"


def _is_name(text: str) -> bool:
    if text in ("", ".", "..") or text != text.strip():
        return False
    return not any(char in "/\\" or lines.is_control(char) for char in text)


def parse(text: str) -> MemoryId:
    """An id taken apart. Raises ValueError when it is none."""
    prefix, _, key = text.partition(":")
    if prefix == NOTE:
        return _parse_note(text, key)
    if prefix == TURN:
        return _parse_turn(text, key)
    store = paths.STORE_OF_KIND.get(prefix)
    if store is None or not key:
        raise ValueError(f"not a memory id: {text!r}")
    if store.kind == "core":
        block, _, anchor = key.partition("#")
        if _is_name(block) and (anchor or "#" not in key):
            return MemoryId(store.name, key, store.folder, anchor)
    elif store.kind == "episode":
        date, _, time = key.partition(":")
        if is_date(date) and is_time(time):
            return MemoryId(store.name, key, f"{store.folder}{date}.md", time)
    elif _is_name(key):
        return MemoryId(store.name, key, f"{store.folder}{key}.md")
    raise ValueError(f"not a memory id: {text!r}")


def _parse_note(text: str, key: str) -> MemoryId:
    """The id of a piece of a note, which is in no store: `note:2026-03-04#1f2e3d4c`."""
    name, _, anchor = key.rpartition("#")
    plain = all(map(_is_name, name.split("/"))) and "#" not in name
    if not plain or not _is_digest(anchor):
        raise ValueError(f"not a memory id: {text!r}")
    return MemoryId(NOTE, key, f"memory/{name}.md", anchor)


def _parse_turn(text: str, key: str) -> MemoryId:
    """The id of what was said in a conversation, which is in no file: `turn:0a1b2c3d#1f2e3d4c`."""
    session, _, anchor = key.partition("#")
    if not (_is_digest(session) and _is_digest(anchor)):
        raise ValueError(f"not a memory id: {text!r}")
    return MemoryId(TURN, key, "", anchor)


def _is_digest(text: str) -> bool:
    return len(text) == _DIGEST and set(text) <= set("0123456789abcdef")


def complete_id(text: str) -> str:
    """The id that a text means: the name of an entity's file is as good as its id."""
    plain = ":" not in text and "--" in text and "/" not in text and not text.endswith(".md")
    return entity(text) if plain else text


def list_paths(text: str) -> tuple[str, ...]:
    """Return the files that may hold a memory: adopted daily logs lie directly below `memory/`.
    Raises ValueError when it is not an id.
    """
    one = parse(text)
    return (one.path, f"memory/{one.key[:10]}.md") if one.store == "episodic" else (one.path,)


def path_of(text: str) -> str:
    """The file that should hold a memory, by its id. Raises ValueError when it is no id."""
    return parse(text).path
