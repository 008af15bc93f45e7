"""Signatures of commits that exist: what ssh-keygen says of each, kept by the id of the commit.

Whose key it is, and whether it may sign, is no question of git's configuration: the signature is
checked alone, and the policy compares its key with what the workspace binds.
"""

from __future__ import annotations

import os

from molt import errors
from molt.policy import signers
from molt.policy.signers import Signature
from molt.repo import process, state
from molt.repo.keys import sshsig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.config import Config
    from molt.repo.repository import Repo

_KEPT = "signatures"
_MOST = 20_000
"""Commits whose key is kept, some 2 MB: the newest; another one is asked again."""
_HEADER, _OTHER = b"gpgsig ", b"gpgsig-sha256"
_BEGIN, _END = b"-----BEGIN SSH SIGNATURE-----\n", b"-----END SSH SIGNATURE-----\n"
_GOOD = 'Good "git" signature with '
_LONGEST = 20_000
"""Bytes of a signature; one by RSA of 16,384 bits has some 6,000."""


_FEW = 4
"""Signatures that ssh-keygen is asked for: four times its start is what loading `cryptography`
takes, which then needs 0.1 ms for each."""


class SignatureReader:
    """The signatures of one repository. A commit never changes, and so what made its signature
    does not: it is asked once per clone.
    """

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._known: dict[str, str] | None = None
        self._fresh: dict[str, str] = {}
        self._asked = 0
        self._checker: sshsig.SignatureChecker | None = None

    def read(self, oid: str, data: bytes) -> Signature:
        """The signature of a commit, by its id and bytes."""
        known = self._load()
        fingerprint = known.get(oid)
        if fingerprint:
            return Signature(signers.SIGNED, fingerprint)
        found = check_commit(data, self._find_signer)
        if found.state == signers.SIGNED:
            known[oid] = self._fresh[oid] = found.fingerprint
        return found

    def _find_signer(self, payload: bytes, signature: bytes) -> str:
        """Who signed, once there are so many that to load what tells it pays; empty if it does not
        know.
        """
        self._asked += 1
        if self._asked <= _FEW:
            return ""
        if self._checker is None:
            self._checker = sshsig.SignatureChecker()
        return self._checker.find_signer(payload, signature)

    def _load(self) -> dict[str, str]:
        if self._known is None:
            rows = state.read(self._repo.common_dir, _KEPT).split("\n")
            pairs = (row.partition(" ") for row in rows)
            self._known = {oid: told for oid, _, told in pairs if len(oid) == 40 and told}
        return self._known

    def keep(self) -> None:
        """Keep what was asked; where that cannot be, it is asked again."""
        if not self._fresh:
            return
        pairs = list(self._load().items())[-_MOST:]
        self._fresh = {}
        text = "".join(f"{oid} {told}\n" for oid, told in pairs)
        try:
            state.write(self._repo.common_dir, _KEPT, text)
        except (errors.MoltError, OSError):
            return


def is_signed_by(repo: Repo, oid: str, settings: Config, actor: str) -> bool | None:
    """Whether a commit is signed with a key of an actor; None where that is bound to none."""
    keys = signers.find_keys(settings, actor)
    if keys is None:
        return None
    found = repo.reader.ask([oid])[0]
    fingerprint = check_commit(found[2] if found else b"").fingerprint
    return any(key.fingerprint == fingerprint for key in keys)


def split_commit(data: bytes) -> tuple[bytes, bytes, int]:
    """What is signed of a commit, its signature (empty for none), and how many it has: the bytes
    without the header `gpgsig` and its continued lines (gitformat-signature(5)).
    """
    head, blank, body = data.partition(b"\n\n")
    kept: list[bytes] = []
    signature: list[bytes] = []
    count, inside = 0, False
    for row in head.split(b"\n"):
        if inside and row.startswith(b" "):
            signature.append(row[1:])
            continue
        inside = row.startswith(_HEADER)
        if inside:
            count += 1
            signature.append(row[len(_HEADER) :])
        else:
            count += row.startswith(_OTHER)
            kept.append(row)
    return b"\n".join(kept) + blank + body, b"\n".join(signature), count


def check_commit(
    data: bytes, find_signer: Callable[[bytes, bytes], str] = lambda _payload, _text: ""
) -> Signature:
    """The signature of a commit, by its bytes: of a payload and a signature `find_signer` gives the
    fingerprint where it is certain, and ssh-keygen says the rest. Raises Failed where there is no
    ssh-keygen.
    """
    payload, signature, count = split_commit(data)
    if not count:
        return signers.NONE
    if count > 1 or not signature:
        return _broken("it has several, or one of another kind beside it")
    text = signature.rstrip(b"\n") + b"\n"
    whole = text.startswith(_BEGIN) and text.endswith(_END) and text.count(b"-----BEGIN") == 1
    if not whole or len(text) > _LONGEST:
        return _broken("it is none of an SSH key")
    if signer := find_signer(payload, text):
        return Signature(signers.SIGNED, signer)
    status, out, err = _ask_program(payload, text)
    said = out.decode("utf-8", "replace")
    words = said.split()
    if status or not said.startswith(_GOOD) or not words[-1].startswith("SHA256:"):
        why = err.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return _broken(why or "it does not fit the commit")
    return Signature(signers.SIGNED, words[-1])


def _broken(why: str) -> Signature:
    return Signature(signers.BROKEN, "", why)


def _ask_program(payload: bytes, signature: bytes) -> tuple[int, bytes, bytes]:
    """What ssh-keygen says of a signature, which it reads from a file."""
    from tempfile import mkstemp

    file, path = mkstemp(prefix="molt-", suffix=".sig")
    try:
        with os.fdopen(file, "wb") as out:
            out.write(signature)
        words = ("ssh-keygen", "-Y", "check-novalidate", "-n", "git", "-s", path)
        return process.call(words, input=payload)
    except errors.Failed as error:
        hint = "install OpenSSH 8.2 or newer: signatures are checked with it"
        raise errors.Failed("ssh-keygen is not on PATH", hint) from error
    finally:
        os.unlink(path)
