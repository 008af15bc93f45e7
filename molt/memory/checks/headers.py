"""What a commit says beside its message, as it is searched for what gives something away."""

from __future__ import annotations

import binascii

from molt.repo.keys import sshsig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.commits import Commit

_KINDS = (b"SSH", b"PGP")
_SIGNED = b" SIGNATURE-----"
_SIGNATURE = 2
"""The kind of packet that a signature is (RFC 9580, 5)."""


def read_headers(commit: Commit) -> str:
    """The lines of author and committer, once where they are one person's, and what other headers
    say, without the sign of a mail address: by that alone every commit would be worth a second
    look. The letters of a signature are left out.
    """
    lines = dict.fromkeys(one.rpartition(b">")[0] for one in (commit.author, commit.committer))
    more = b"\n".join((*lines, drop_signatures(commit.more)))
    return more.replace(b"@", b" ").decode("utf-8", "replace")


def drop_signatures(text: bytes) -> bytes:
    """A text without the base64 of its signatures, and the rows around it, where it is what it
    says: by chance the form of a token stands in there, of two thousand SSH keys one has it in all
    that it signs, and private keys begin as signatures do.
    """
    for kind in _KINDS if _SIGNED in text else ():
        begin, end = (b"-----%s %s SIGNATURE-----" % (word, kind) for word in (b"BEGIN", b"END"))
        before, *parts = text.split(begin)
        if parts:
            text = before + b"".join(_drop_letters(begin + part, begin, end) for part in parts)
    return text


def _drop_letters(part: bytes, begin: bytes, end: bytes) -> bytes:
    body, _, rest = part.removeprefix(begin).partition(end)
    said: list[bytes] = [b""]
    letters: list[bytes] = []
    for row in map(bytes.strip, body.split(b"\n")):
        (said if b":" in row or row[:1] == b"=" else letters).append(row)
    try:
        blob = binascii.a2b_base64(b"".join(letters), strict_mode=True)
    except ValueError:
        return part
    return b"\n".join((*said, rest)) if _is_signature(blob) else part


def _is_signature(blob: bytes) -> bool:
    """Whether bytes are a signature as SSH or OpenPGP write one, and nothing besides."""
    try:
        sshsig.split_blob(blob)
    except ValueError:
        return _is_packet(blob)
    return True


def _is_packet(blob: bytes) -> bool:
    """Whether bytes are one packet of OpenPGP that is a signature (RFC 9580, 4.2)."""
    first, second = (*blob[:2], 0, 0)[:2]
    if first & 0xC0 == 0x80 and first & 3 < 3:
        width = (1, 2, 4)[first & 3]
        kind, head, size = first >> 2 & 15, 1 + width, int.from_bytes(blob[1 : 1 + width], "big")
    elif first & 0xC0 == 0xC0 and second < 224:
        wide = second >= 192
        kind, head = first & 63, 2 + wide
        size = int.from_bytes(blob[1:3], "big") - (192 << 8) + 192 if wide else second
    else:
        return False
    return kind == _SIGNATURE and head + size == len(blob)
