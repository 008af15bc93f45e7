"""Signatures checked in this process: a yes is one of ssh-keygen too, and nothing else is a yes."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

import pytest

from molt.policy import signers
from molt.repo import find
from molt.repo.keys import signatures, sshsig

pytest.importorskip("cryptography")

KINDS = {
    "ed25519": ("-t", "ed25519"),
    **{f"ecdsa-{bits}": ("-t", "ecdsa", "-b", bits) for bits in ("256", "384", "521")},
    "rsa": ("-t", "rsa", "-b", "2048"),
    "rsa-short": ("-t", "rsa", "-b", "1024"),
}
PAYLOAD = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\nwords\n"


def make_key(folder: Path, kind: str) -> Path:
    file = folder / kind
    words = ["ssh-keygen", "-q", *KINDS[kind], "-N", "", "-C", "x", "-f", str(file)]
    subprocess.run(words, check=True)
    return file


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    return {kind: make_key(folder, kind) for kind in KINDS}


def sign(key: Path, *options: str, namespace: str = "git") -> bytes:
    words = ["ssh-keygen", "-Y", "sign", "-q", "-n", namespace, *options, "-f", str(key)]
    return subprocess.run(words, input=PAYLOAD, capture_output=True, check=True).stdout


def read_fingerprint(key: Path) -> str:
    done = subprocess.run(["ssh-keygen", "-lf", key], capture_output=True, text=True, check=True)
    return done.stdout.split()[1]


def find_signer(text: bytes, payload: bytes = PAYLOAD) -> str:
    return sshsig.SignatureChecker().find_signer(payload, text)


def make_commit(text: bytes) -> bytes:
    """The payload with a signature in its header, as a commit has it."""
    head, _, body = PAYLOAD.partition(b"\n\n")
    return head + b"\ngpgsig " + text.strip().replace(b"\n", b"\n ") + b"\n\n" + body


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "rsa-short"])
@pytest.mark.parametrize("hashed", ["sha256", "sha512"])
def test_the_signer_is_who_ssh_keygen_says(kind: str, hashed: str, keys: dict[str, Path]) -> None:
    text = sign(keys[kind], "-O", f"hashalg={hashed}")
    assert find_signer(text) == read_fingerprint(keys[kind])
    assert signatures.check_commit(make_commit(text)).fingerprint == read_fingerprint(keys[kind])
    assert find_signer(text, PAYLOAD + b"more") == ""


def test_what_is_not_certain_is_left_to_ssh_keygen(keys: dict[str, Path]) -> None:
    text = sign(keys["ed25519"])
    assert find_signer(sign(keys["ed25519"], namespace="file")) == ""
    assert find_signer(sign(keys["rsa-short"])) == ""
    assert find_signer(text.replace(b"\n", b"\r\n")) == ""
    assert find_signer(b"-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n") == ""


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa-256", "rsa"])
def test_no_other_byte_is_taken(kind: str, keys: dict[str, Path]) -> None:
    text = sign(keys[kind])
    for at in range(len(text)):
        changed = text[:at] + (b"A" if text[at : at + 1] != b"A" else b"B") + text[at + 1 :]
        found = find_signer(changed)
        if found:
            # The marks around it are not looked at here, for who calls this has.
            assert changed.split(b"\n")[1:-2] == text.split(b"\n")[1:-2]


def test_bits_behind_the_last_byte_are_no_other_way_to_write_it(keys: dict[str, Path]) -> None:
    text = sign(keys["ed25519"])
    head, last, tail = text.rpartition(b"=\n")
    letters = base64.b64encode(bytes(range(256)))
    others = {bytes([letter]) for letter in letters.rstrip(b"=")} - {head[-1:]}
    assert len(others) == 63
    assert not any(find_signer(head[:-1] + letter + last + tail) for letter in others)


def test_many_are_checked_here_and_a_bad_one_is_told_as_ever(
    tmp_path: Path, keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    good = make_commit(sign(keys["ed25519"]))
    bad = good.replace(b"words", b"other")
    reader = signatures.SignatureReader(find.find_repo(str(tmp_path)))
    for number in range(8):
        assert reader.read(f"{number:040}", good).state == signers.SIGNED
    assert reader.read("f" * 40, bad).state == signers.BROKEN
    monkeypatch.setenv("PATH", str(tmp_path))
    assert reader.read("e" * 40, good).fingerprint == read_key(good)


def read_key(commit: bytes) -> str:
    _, text, _ = signatures.split_commit(commit)
    return find_signer(text + b"\n")


def test_without_the_package_ssh_keygen_says_it_all(
    keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    text = sign(keys["ed25519"])
    assert find_signer(text) == ""
    found = signatures.check_commit(make_commit(text), sshsig.SignatureChecker().find_signer)
    assert found.state == signers.SIGNED
