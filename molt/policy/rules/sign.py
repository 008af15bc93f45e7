"""SIGN: who is bound to keys signs, and what a person decides is signed where that is required."""

from __future__ import annotations

from molt import config
from molt.formats import message as messages
from molt.formats import paths
from molt.formats.reflections import refs
from molt.policy.engine import Example, Fault, Judged, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from molt.formats.keys import PublicKey

_ALL, _EVERYONE, _PERSON = "all", "everyone", "manual"
_DECISIONS = {
    "approve": "what a reflection proposes is approved",
    "accept": "findings are accepted",
    "ack": "a critical file is acknowledged",
}
_HOW = (
    "`git commit -S` signs it, for good `git config commit.gpgsign true`, once git knows the key:"
    " `git config gpg.format ssh && git config user.signingkey FILE`"
)


def _import_signers() -> ModuleType:
    """What no commit of a workspace without keys should wait for."""
    from molt.policy import signers

    return signers


def _find_signer(judged: Judged) -> str:
    """The actor that the message names: git's own merge, without one, says nothing for anybody."""
    return judged.actor if judged.message and messages.actor(judged.message) else ""


def _check_signature(judged: Judged) -> Iterator[Fault]:
    settings = judged.config
    everyone = _EVERYONE in settings.signatures_require
    if not settings.actors_keys and not everyone:
        return
    actor = _find_signer(judged)
    keys = _import_signers().find_keys(settings, actor) if actor else None
    if keys is None:
        if everyone and not judged.context.clean:
            said = f"{judged.who} is bound to no key, and here everyone signs"
            yield Fault("", 0, said, f"a person binds one: `molt keys add {actor or 'ACTOR'} KEY`")
        return
    if actor != _PERSON or _ALL in settings.signatures_require:
        yield from _compare(judged, actor, keys)


def _check_unnamed(judged: Judged) -> Iterator[Fault]:
    """A commit of nobody that brings in what a reflection proposes decides for a person; the last
    lines of a squash may be those of what it is made of.
    """
    keys = _import_signers().find_keys(judged.config, _PERSON) if judged.config.actors_keys else ()
    if not keys or judged.context.onto is not None or judged.init:
        return
    actor = _find_signer(judged)
    brought = judged.is_proposal or judged.context.approved or judged.context.arrival
    if actor and (brought or not actor.startswith("reflection:")):
        return
    added = (one.path for one in judged.changes if one.status == "A")
    if any(path.startswith(refs.RECORDS) and path.endswith(".md") for path in added):
        for fault in _compare(judged, _PERSON, keys):
            yield fault.replace(message=f"it brings in what a reflection proposes: {fault.message}")


def _check_decision(judged: Judged) -> Iterator[Fault]:
    """What a person decides, or binds, where not all of a person's commits have to be signed."""
    yield from _check_unnamed(judged)
    settings = judged.config
    required = settings.signatures_require
    if judged.actor != _PERSON or (not settings.actors_keys and required == (_ALL,)):
        return
    keys = _import_signers().find_keys(settings, _PERSON)
    if keys is not None and _ALL in required:
        return
    said = next((_DECISIONS[one] for one in _list_decisions(judged) if one in required), "")
    if not said and keys is not None and any(one.path == config.PATH for one in judged.changes):
        said = f"{config.PATH} changes, which says who signs"
    if not said:
        return
    if keys is None:
        hint = "`molt keys add manual KEY` binds a key for people"
        yield Fault("", 0, f"{said}, which has to be signed, and no person is bound to a key", hint)
        return
    for fault in _compare(judged, _PERSON, keys):
        yield fault.replace(message=f"{said}: {fault.message}")


def _list_decisions(judged: Judged) -> Iterator[str]:
    """The decisions that a commit takes."""
    message = judged.message
    if message is None:
        return
    if messages.trailer_values(message, "Accepts"):
        yield "accept"
    touched = any(one.path == paths.CHECKSUMS for one in judged.changes)
    if touched or messages.trailer_values(message, "Acknowledged"):
        yield "ack"
    if message.action == "MERGE" and messages.approval(message) in ("approved", "partial"):
        yield "approve"


def _compare(judged: Judged, actor: str, keys: Sequence[PublicKey]) -> Iterator[Fault]:
    """What is wrong with the signature of an actor that is bound to keys."""
    context, signers = judged.context, _import_signers()
    found = context.signature(keys) if context.signature else signers.NONE
    if found.state == signers.COMING:
        return
    if found.state == signers.UNSIGNED:
        hint = found.why or _HOW
        yield Fault("", 0, f"{actor} is bound to keys, and this commit is not signed", hint)
    elif found.state == signers.BROKEN:
        yield Fault("", 0, f"its signature proves nothing: {found.why}", f"sign it anew: {_HOW}")
    else:
        yield from _compare_key(judged, actor, keys, found.fingerprint)


def _compare_key(
    judged: Judged, actor: str, keys: Sequence[PublicKey], fingerprint: str
) -> Iterator[Fault]:
    fitting = [key for key in keys if key.fingerprint == fingerprint]
    if not fitting:
        owner = _import_signers().find_owner(judged.config, fingerprint)
        whose = f", which is that of {owner}" if owner else ""
        said = f"it says {actor}, and is signed with {fingerprint}{whose}"
        yield Fault("", 0, said, f"{actor} signs with a key that is bound where this goes")
        return
    day = judged.context.today() if any(key.after or key.before for key in fitting) else ""
    if not any(key.holds_on(day) for key in fitting):
        said = f"it is signed with {fingerprint}, which does not hold for {actor} on {day}"
        yield Fault("", 0, said, "`molt keys list` shows the days; `molt keys add` binds another")


_BOT = "[APPEND] notes.md — x\n\nActor: bot:main\nApproval: auto\nTrigger: x\n"
_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINaPz/m0V4RJKIWa7cb+XwmSk/IrJGp1uHGox++Yvsrn"
_BOUND = f"actors:\n  bot:main: {_KEY}\n"
_ACK = (
    "[ACK] memory/meta/critical.sha256 — acknowledged SOUL.md\n\n"
    "Actor: manual\nApproval: approved\nTrigger: molt ack\nAcknowledged: SOUL.md\n"
)

RULES = (
    Rule(
        "SIGN001",
        "who is bound signs",
        "error",
        _check_signature,
        "That an actor is who it says.",
        Example({"notes.md": "a\n"}, {"notes.md": "a\nb\n"}, _BOT),
        Example(
            {"notes.md": "a\n", config.PATH: _BOUND},
            {"notes.md": "a\nb\n", config.PATH: _BOUND},
            _BOT,
        ),
        needs_message=True,
    ),
    Rule(
        "SIGN002",
        "signed decisions",
        "error",
        _check_decision,
        "That a person has decided.",
        Example({"SOUL.md": "a"}, {"SOUL.md": "a"}, _ACK),
        Example(
            {"SOUL.md": "a", config.PATH: "signatures:\n  require: [ack]\n"},
            {"SOUL.md": "a", config.PATH: "signatures:\n  require: [ack]\n"},
            _ACK,
        ),
        needs_message=True,
    ),
)
