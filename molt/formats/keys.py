"""Public keys of SSH as `molt.yaml` and key files write them: one line, a key."""

from __future__ import annotations

import binascii

from molt import trees
from molt.formats import times
from molt.values import Value

KINDS = (
    *("ssh-ed25519", "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"),
    *("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa"),
)
"""The kinds of keys that sign; a certificate is none, for what it says another key decides."""
_AFTER, _BEFORE = "valid-after", "valid-before"


class PublicKey(Value):
    """A public key: its kind, its bytes in base64, and whose it is, for people. It holds from the
    day `after` on, and no more on the day `before` (`YYYY-MM-DD`); empty for always.
    """

    kind: str
    data: str
    comment: str = ""
    after: str = ""
    before: str = ""

    @property
    def fingerprint(self) -> str:
        """What `ssh-keygen -l` calls it: `SHA256:` and the digest of its bytes (RFC 4648 base64
        without the padding).
        """
        digest = trees.sha256(binascii.a2b_base64(self.data)).digest()
        return f"SHA256:{binascii.b2a_base64(digest, newline=False).decode().rstrip('=')}"

    @property
    def bare(self) -> str:
        """Kind and bytes alone, which no two keys share."""
        return f"{self.kind} {self.data}"

    def holds_on(self, day: str) -> bool:
        """Whether it may sign on a day (`YYYY-MM-DD`); empty for any day."""
        return not day or (self.after <= day and not (self.before and day >= self.before))


def parse_key(text: str) -> PublicKey | None:
    """The key in a line `[OPTIONS] KIND BASE64 [COMMENT]`; None where it is none.

    Options are `valid-after=DATE` and `valid-before=DATE`, with a comma between them.
    """
    words = text.split()
    options = _parse_options(words.pop(0)) if words and words[0].startswith("valid-") else {}
    if options is None or len(words) < 2 or words[0] not in KINDS or not _is_key(*words[:2]):
        return None
    days = options.get(_AFTER, ""), options.get(_BEFORE, "")
    return PublicKey(words[0], words[1], " ".join(words[2:]), *days)


def render_key(key: PublicKey) -> str:
    """The line of a key."""
    pairs = ((_AFTER, key.after), (_BEFORE, key.before))
    options = ",".join(f"{name}={day}" for name, day in pairs if day)
    return " ".join(filter(None, (options, key.kind, key.data, key.comment)))


def _parse_options(word: str) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for part in word.split(","):
        name, _, day = part.partition("=")
        day = day.strip('"')
        if name not in (_AFTER, _BEFORE) or name in found or not times.is_date(day):
            return None
        found[name] = day
    return found


def _is_key(kind: str, data: str) -> bool:
    """Whether some base64 is that of a key that names its kind, and the only way to write it."""
    try:
        raw = binascii.a2b_base64(data, strict_mode=True)
    except ValueError:
        return False
    named = len(kind).to_bytes(4, "big") + kind.encode()
    whole = binascii.b2a_base64(raw, newline=False).decode() == data
    return whole and raw.startswith(named) and len(raw) > len(named)
