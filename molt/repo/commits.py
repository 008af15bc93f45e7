"""A commit as its object says it, whoever wrote that object."""

from __future__ import annotations

from molt.formats import times

UNTIMED = "the time of its committer cannot be read"
CUT = "its message holds a NUL, behind which git shows nothing"
UNSOUND = "its headers are not those of a commit"
STRANGE = "its message is in an encoding that not every reader knows"

_HEX = "0123456789abcdef"
_ENCODINGS = frozenset(
    (
        *("", "utf-8", "utf8", "us-ascii", "ascii", "latin1", "latin-1", "koi8-r", "koi8-u"),
        *("shift-jis", "sjis", "cp932", "euc-jp", "iso-2022-jp", "euc-kr", "big5"),
        *("gb2312", "gbk", "gb18030"),
    )
)
_FAMILIES = ("iso-8859-", "iso8859-", "windows-125", "cp125")
"""The encodings that git's iconv and Python know under one name and read alike, in linear time."""


class Commit:
    """One commit: its tree, real parents and message; `time` is the committer's in seconds, `zone`
    the minutes east of UTC. `author` and `committer` are the lines of the object, and `more` the
    headers beside these, signatures and merged tags among them. What it says otherwise than git
    writes it is named in `odd`.

    Plain slots: a range may have a hundred thousand of them.
    """

    __slots__ = (
        *("author", "committer", "message", "more", "odd"),
        *("oid", "parents", "time", "tree", "zone"),
    )

    def __init__(self, oid: str, data: bytes) -> None:
        head, _, body = data.partition(b"\n\n")
        rows = head.split(b"\n")
        self.oid = oid
        self.tree = rows[0][5:].decode("ascii", "replace")
        last = 1
        while last < len(rows) and rows[last].startswith(b"parent "):
            last += 1
        self.parents = tuple(row[7:].decode("ascii", "replace") for row in rows[1:last])
        fields = dict([row.split(b" ", 1) for row in reversed(rows[last:]) if b" " in row[1:]])
        self.author, self.committer = fields.get(b"author", b""), fields.get(b"committer", b"")
        told = (b"author " + self.author, b"committer " + self.committer)
        self.more = b"\n".join([row for row in rows[last:] if row not in told])
        stamp = _stamp(self.committer)
        self.time, self.zone = stamp or (0, 0)
        encoding = fields.get(b"encoding", b"").decode("ascii", "replace")
        known = is_known_encoding(encoding)
        self.message = _text(body.partition(b"\0")[0], encoding if known else "")
        oids = (self.tree, *self.parents)
        sound = rows[0][:5] == b"tree " and all(map(_is_oid, oids)) and b"author" in fields
        whole = b"\0" not in body
        tests = ((UNSOUND, sound), (UNTIMED, stamp), (STRANGE, known), (CUT, whole))
        plain = sound and stamp and known and whole
        self.odd = () if plain else tuple(said for said, holds in tests if not holds)


def _is_oid(text: str) -> bool:
    """Whether it is an id as git writes it: one commit named in two ways would look like two."""
    return len(text) == 40 and not text.strip(_HEX)


def is_known_encoding(encoding: str) -> bool:
    """Whether every reader understands messages in an encoding."""
    name = encoding.lower().replace("_", "-")
    return name in _ENCODINGS or name.startswith(_FAMILIES)


def _stamp(line: bytes) -> tuple[int, int] | None:
    """Seconds and zone of `NAME <ADDRESS> SECONDS ZONE`; None where they cannot be read."""
    words = line.rpartition(b"> ")[2].split(b" ")
    if len(words) != 2 or not words[0].isdigit() or len(words[0]) > 12:
        return None
    seconds, zone = int(words[0]), words[1]
    if seconds > times.LATEST:
        return None
    # git takes a zone that it cannot read for UTC.
    known = len(zone) == 5 and zone[:1] in b"+-" and zone[1:].isdigit()
    minutes = int(zone[1:3]) * 60 + int(zone[3:]) if known else 0
    return seconds, -minutes if zone[:1] == b"-" else minutes


def _text(body: bytes, encoding: str) -> str:
    """The message with one line break at its end, from the encoding that the commit names."""
    try:
        text = body.decode(encoding or "utf-8", "surrogateescape")
    except (LookupError, UnicodeError):
        text = body.decode("utf-8", "surrogateescape")
    return text.rstrip("\n") + "\n"
