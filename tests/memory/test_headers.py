"""The headers of a commit, as they are searched for secrets."""

from __future__ import annotations

import base64
from functools import cache

import pytest

from molt.memory.checks import headers, labels
from molt.memory.workspace import Workspace
from molt.policy import secrets
from molt.repo.commits import Commit

SSH, PGP = ("-----BEGIN %s SIGNATURE-----" % kind for kind in ("SSH", "PGP"))  # noqa: UP031


def pack(field: bytes) -> bytes:
    return len(field).to_bytes(4, "big") + field


def sign_by_ssh(end: int, namespace: bytes = b"git") -> bytes:
    """A signature as SSH writes it, by a key that ends so: what follows is the same in each."""
    public = pack(b"ssh-ed25519") + pack(b"\xff" * 30 + end.to_bytes(2, "big"))
    made = pack(b"ssh-ed25519") + pack(bytes(64))
    fields = (public, namespace, b"", b"sha512", made)
    return b"SSHSIG" + (1).to_bytes(4, "big") + b"".join(map(pack, fields))


def armor(begin: str, blob: bytes, more: tuple[str, ...] = ()) -> str:
    letters = base64.b64encode(blob).decode()
    rows = [begin, *more, *(letters[at : at + 70] for at in range(0, len(letters), 70))]
    return "\n ".join([*rows, begin.replace("BEGIN", "END")])


def read(signature: str) -> str:
    who = "Ada <ada@example.com> 1700000000 +0000"
    head = f"tree {'a' * 40}\nauthor {who}\ncommitter {who}\ngpgsig {signature}"
    return headers.read_headers(Commit("b" * 40, f"{head}\n\nsoftened\n".encode()))


def find(text: str) -> list[str]:
    return [kind for _, matches in secrets.search(text) for _, _, kind in matches]


@cache
def unlucky(namespace: bytes = b"git") -> bytes:
    """One whose letters hold the form of a token."""
    made = (sign_by_ssh(end, namespace) for end in range(1 << 16))
    return next(blob for blob in made if find(armor(SSH, blob)))


def test_letters_of_a_signature_are_no_token() -> None:
    assert find(read(armor(SSH, unlucky()))) == []


def test_letters_of_a_signed_tag_are_no_token(ws: Workspace) -> None:
    head = f"object {ws.repo.tip()}\ntype commit\ntag v1\ntagger A <a@example.com> 1700000000 +0000"
    text = f"{head}\n\nfirst\n{armor(SSH, unlucky())}\n".replace("\n ", "\n")
    tag = ws.repo.git("hash-object", "-t", "tag", "-w", "--stdin", input=text.encode())
    assert labels.find_secret(ws.repo, "refs/tags/v1", tag.text.strip()) == ""
    assert labels.find_stray_secret(ws.repo, [tag.text.strip()], [ws.repo.tip() or ""]) == ""


def test_what_is_no_signature_for_git_is_searched() -> None:
    assert find(read(armor(SSH, unlucky(b"not-git"))))
    assert find(read(armor(SSH, unlucky() + b"\0")))


@pytest.mark.parametrize("begin", [SSH, PGP])
def test_what_is_said_beside_the_letters_is_searched(begin: str) -> None:
    token = "AKIA" + "QK3T7N5W2MXB4RVD"
    text = read(armor(begin, sign_by_ssh(7), (f"Comment: {token}", "")))
    assert token in text
    assert "softened" not in text


@pytest.mark.parametrize(
    ("blob", "is_one"),
    [
        (b"\x88\x05" + b"\4" * 5, True),
        (b"\x89\x01\x00" + b"\4" * 256, True),
        (b"\xc2\x05" + b"\4" * 5, True),
        (b"\xc2\xc0\x08" + b"\4" * 200, True),
        (b"\x88\x05" + b"\4" * 6, False),
        (b"\x98\x05" + b"\4" * 5, False),
        (b"\xc2", False),
        (b"plain words here", False),
    ],
)
def test_a_packet_of_openpgp_is_known_by_its_kind_and_length(blob: bytes, *, is_one: bool) -> None:
    letters = base64.b64encode(blob).decode()
    assert (f" {letters}\n" not in read(armor(PGP, blob, ("",)))) is is_one
