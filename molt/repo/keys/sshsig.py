"""Signatures of SSH keys checked in this process, by `cryptography` where that is installed.

Only a yes is told here: one of the usual kinds of keys, in the one form that OpenSSH writes
(PROTOCOL.sshsig). What is anything else is for ssh-keygen to judge, and to say why not.
"""

from __future__ import annotations

import binascii
import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Check = Callable[[bytes, bytes, bytes], None]
    """Raises what is wrong where a signature is not that of a key, both as SSH writes them, on
    some bytes: by the order key, signature, bytes."""

_MAGIC, _VERSION = b"SSHSIG", (1).to_bytes(4, "big")
_NAMESPACE = b"git"
_HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
_ED25519, _RSA = b"ssh-ed25519", b"ssh-rsa"
_LEAST_RSA = 2048
"""Bits of an RSA key; whether less is enough is for OpenSSH to say, whose answer has changed."""
_CURVES = {
    b"ecdsa-sha2-nistp256": (b"nistp256", "SECP256R1", "SHA256"),
    b"ecdsa-sha2-nistp384": (b"nistp384", "SECP384R1", "SHA384"),
    b"ecdsa-sha2-nistp521": (b"nistp521", "SECP521R1", "SHA512"),
}
_RSA_HASHES = {b"rsa-sha2-256": "SHA256", b"rsa-sha2-512": "SHA512"}


class SignatureChecker:
    """Checks signatures with the packages that are here; without them it is certain of none."""

    def __init__(self) -> None:
        self._checks, failures = _load_checks()
        self._failures: tuple[type[Exception], ...] = (KeyError, ValueError, *failures)

    def find_signer(self, payload: bytes, armored: bytes) -> str:
        """The fingerprint of the key that made a signature of a commit, by what was signed and the
        lines of the signature; empty where that is not certain.
        """
        try:
            public, signature, hashed = _split(armored)
            digest = _HASHES[hashed](payload).digest()
            signed = _MAGIC + b"".join(map(_pack, (_NAMESPACE, b"", hashed, digest)))
            self._checks[_read(public)[0]](public, signature, signed)
        except self._failures:
            return ""
        return _fingerprint(public)


def _split(armored: bytes) -> tuple[bytes, bytes, bytes]:
    """The key, the signature and the name of the hash in the lines of a signature for git.

    Raises ValueError for what is not in the one form that OpenSSH writes.
    """
    rows = armored.split(b"\n")
    letters = b"".join(rows[1:-2])
    blob = binascii.a2b_base64(letters, strict_mode=True)
    if binascii.b2a_base64(blob, newline=False) != letters:
        raise ValueError("bits behind the last byte, which ssh-keygen takes for no base64")
    return split_blob(blob)


def split_blob(blob: bytes) -> tuple[bytes, bytes, bytes]:
    """The key, the signature and the name of the hash in the bytes of a signature for git.

    Raises ValueError for what is none.
    """
    if not blob.startswith(_MAGIC + _VERSION):
        raise ValueError("another version")
    fields = _read_all(blob[len(_MAGIC + _VERSION) :], 5)
    public, namespace, reserved, hashed, signature = fields
    if namespace != _NAMESPACE or reserved or hashed not in _HASHES:
        raise ValueError("for another use")
    return public, signature, hashed


def _read(data: bytes) -> tuple[bytes, bytes]:
    """The first field of some bytes, as SSH writes one, and the rest (RFC 4251, `string`)."""
    size = int.from_bytes(data[:4], "big")
    if len(data) < 4 + size:
        raise ValueError("cut off")
    return data[4 : 4 + size], data[4 + size :]


def _read_all(data: bytes, count: int) -> list[bytes]:
    """So many fields, and nothing behind them."""
    found = []
    for _ in range(count):
        field, data = _read(data)
        found.append(field)
    if data:
        raise ValueError("too long")
    return found


def _pack(field: bytes) -> bytes:
    return len(field).to_bytes(4, "big") + field


def _read_number(field: bytes) -> int:
    """A positive number in its shortest form (RFC 4251, `mpint`)."""
    if not field or field[0] > 127 or (len(field) > 1 and field[0] == 0 and field[1] < 128):
        raise ValueError("no number as SSH writes one")
    return int.from_bytes(field, "big")


def _fingerprint(public: bytes) -> str:
    digest = hashlib.sha256(public).digest()
    return f"SHA256:{binascii.b2a_base64(digest, newline=False).decode().rstrip('=')}"


def _load_checks() -> tuple[dict[bytes, Check], tuple[type[Exception], ...]]:
    """What checks each kind of key, and what it raises; none where `cryptography` is not here."""
    try:
        from cryptography import exceptions
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
    except ImportError:
        return {}, ()

    def check_ed25519(public: bytes, signature: bytes, signed: bytes) -> None:
        _, raw = _read_all(public, 2)
        made = _read_made(signature, _ED25519)
        ed25519.Ed25519PublicKey.from_public_bytes(raw).verify(made, signed)

    def check_rsa(public: bytes, signature: bytes, signed: bytes) -> None:
        _, exponent, modulus = _read_all(public, 3)
        kind, made = _read_all(signature, 2)
        key = rsa.RSAPublicNumbers(_read_number(exponent), _read_number(modulus)).public_key()
        if key.key_size < _LEAST_RSA:
            raise ValueError("too short")
        key.verify(made, signed, padding.PKCS1v15(), getattr(hashes, _RSA_HASHES[kind])())

    def check_ecdsa(public: bytes, signature: bytes, signed: bytes) -> None:
        kind, curve, point = _read_all(public, 3)
        wanted, curve_name, hash_name = _CURVES[kind]
        if curve != wanted or point[:1] != b"\4":
            raise ValueError("another curve, or a point that is written otherwise")
        pair = _read_all(_read_made(signature, kind), 2)
        made = utils.encode_dss_signature(*map(_read_number, pair))
        key = ec.EllipticCurvePublicKey.from_encoded_point(getattr(ec, curve_name)(), point)
        key.verify(made, signed, ec.ECDSA(getattr(hashes, hash_name)()))

    of_curves = dict.fromkeys(_CURVES, check_ecdsa)
    failures = (exceptions.InvalidSignature, exceptions.UnsupportedAlgorithm)
    return {_ED25519: check_ed25519, _RSA: check_rsa, **of_curves}, failures


def _read_made(signature: bytes, wanted: bytes) -> bytes:
    """What a signature holds of a wanted kind."""
    kind, made = _read_all(signature, 2)
    if kind != wanted:
        raise ValueError("of another kind than its key")
    return made
