"""Signing what molt commits: which key, and what git is told of it. git runs the programs."""

from __future__ import annotations

import os
from time import strftime

from molt import errors
from molt.formats import keys as formats
from molt.formats import message as messages
from molt.policy import signers
from molt.policy.signers import Signature
from molt.repo import process
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from molt.config import Config
    from molt.formats.keys import PublicKey
    from molt.repo.repository import Repo

_SIGN = "commit.gpgsign"
_KEY, _COMMAND = "user.signingkey", "gpg.ssh.defaultkeycommand"
_LARGEST = 20_000
"""Bytes of a key file that are read: a public key of RSA with 16,384 bits has some 3,000."""
_FALSE = ("false", "no", "off", "0")


class Signing(Value):
    """How a commit is signed: what git is told before its command, and after it; `needed` where an
    actor is bound, and the commit must not be without.
    """

    settings: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    needed: bool = False


NOT_SIGNED = Signing()


def name_setting(actor: str) -> str:
    """The setting of git's configuration that holds the key file of an actor on this machine."""
    return f"molt.{actor.lower()}.signingkey"


def choose_signing(repo: Repo, settings: Config, message: str) -> Signing:
    """How to sign a commit with a message: with a key of its actor, where that is bound; else as
    git itself would. Raises Refused where this machine has no key of a bound actor.
    """
    actor = messages.actor(messages.parse(message)) if settings.actors_keys else ""
    keys = signers.find_keys(settings, actor) if actor else None
    if keys is None:
        return Signing((), ("-S",)) if asks_to_sign(repo) else NOT_SIGNED
    found = find_key(repo, actor, keys)
    if found is None:
        if actor == signers.PERSON and "all" not in settings.signatures_require:
            return NOT_SIGNED
        said = f"{actor} is bound to keys, and this machine has none of them"
        raise errors.Refused(said, tell_way_on(actor))
    return Signing(("-c", "gpg.format=ssh", "-c", f"user.signingkey={found}"), ("-S",), needed=True)


def describe_failure(message: str, said: str) -> errors.Refused:
    """The error of a commit whose actor is bound, and whose key cannot sign."""
    actor = messages.actor(messages.parse(message))
    words = f"{actor} is bound to keys, and its key could not sign: {said}"
    return errors.Refused(words, tell_way_on(actor))


def asks_to_sign(repo: Repo) -> bool:
    """Whether git is told to sign all commits."""
    value = repo.config(_SIGN)
    return value is not None and value.lower() not in _FALSE


def foresee(repo: Repo, actor: str, keys: Sequence[PublicKey]) -> Signature:
    """The signature that a commit of an actor is going to have, with one of some keys."""
    found = find_key(repo, actor, keys)
    if found is None:
        return Signature(signers.UNSIGNED, "", tell_way_on(actor))
    key = read_public(found)
    return Signature(signers.SIGNED, key.fingerprint if key else "")


def expect(signs: Callable[[], bool] | None) -> Signature:
    """The signature of what git is about to commit: one is coming, unless none is for sure."""
    return Signature(signers.COMING) if signs is None or signs() else signers.NONE


def tell_way_on(actor: str) -> str:
    """What to do on a machine that has no key of an actor."""
    place = f"`git config '{name_setting(actor)}' FILE`"
    return f"{place} names its file, ssh-agent may hold it, and `molt keys add {actor}` binds one"


def find_key(repo: Repo, actor: str, keys: Sequence[PublicKey]) -> str | None:
    """What git takes for `user.signingkey` to sign with one of some keys: a file, or `key::` and a
    key that ssh-agent holds; None where this machine has none that holds today.
    """
    today = strftime("%Y-%m-%d")
    wanted = {key.bare for key in keys if key.holds_on(today)}
    if not wanted:
        return None
    for place in _list_places(repo, actor):
        key = read_public(place)
        if key is not None and key.bare in wanted:
            return place
    return None


def _list_places(repo: Repo, actor: str) -> Iterator[str]:
    """Where a key may be, the likeliest first."""
    for name in (name_setting(actor), _KEY):
        if place := repo.config(name):
            yield _complete(place)
    folder = os.path.expanduser("~/.ssh")
    files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    there = (name.removesuffix(".pub") for name in files if name.endswith(".pub"))
    yield from (os.path.join(folder, name) for name in there if name in files)
    if command := repo.config(_COMMAND):
        said = _ask("sh", "-c", command)
        yield from (_complete(row) for row in said.split("\n")[:1] if row)
    if os.environ.get("SSH_AUTH_SOCK"):
        yield from (f"key::{row}" for row in _ask("ssh-add", "-L").split("\n") if row)


def _complete(place: str) -> str:
    """A key as git's configuration names it: a file, `key::KEY`, or just the key."""
    if place.startswith("key::"):
        return place
    return f"key::{place}" if place.startswith("ssh-") else os.path.expanduser(place)


def read_public(place: str) -> PublicKey | None:
    """The public key at a place; None where there is none."""
    if place.startswith("key::"):
        return formats.parse_key(place.removeprefix("key::"))
    for path in (f"{place}.pub", place):
        if (key := _read_key_file(path)) is not None:
            return key
    # A private key tells its public part, unless it is locked in an old format.
    return formats.parse_key(_ask("ssh-keygen", "-y", "-P", "", "-f", place))


def _read_key_file(path: str) -> PublicKey | None:
    """The public key in a file; None where it holds none."""
    try:
        with open(path, "rb") as file:
            return formats.parse_key(file.read(_LARGEST).decode("utf-8", "replace").split("\n")[0])
    except (OSError, ValueError):
        return None


def _ask(*words: str) -> str:
    """What a program prints; empty where it fails or is not there."""
    try:
        status, out, _ = process.call(words)
    except errors.Failed:
        return ""
    return "" if status else out.decode("utf-8", "replace")
