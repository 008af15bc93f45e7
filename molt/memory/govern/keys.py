"""Keys of actors: a person binds them in `molt.yaml`, and this machine learns where they are."""

from __future__ import annotations

import os

from molt import config, errors
from molt.formats import bindings
from molt.formats import keys as formats
from molt.formats import message as messages
from molt.formats.lines import escape_text
from molt.memory import workspace
from molt.policy import signers
from molt.repo.keys import signer
from molt.repo.write.plan import Change
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from molt.formats.keys import PublicKey
    from molt.memory.workspace import Workspace
    from molt.repo.repository import Repo
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

    Pairs = tuple[tuple[str, str], ...]
    Edit = Callable[[str, Pairs], tuple[str, set[tuple[str, str]]]]
    """The text of a `molt.yaml` and its bindings, to another text and what it then binds."""


class BoundKey(Value):
    """A key of an actor; `here` says whether this machine can sign with it. One that cannot be
    read has no `fingerprint`, and nobody signs with it.
    """

    actor: str
    fingerprint: str
    kind: str = ""
    comment: str = ""
    after: str = ""
    before: str = ""
    here: bool = False


class KeyChange(Value):
    """What was done to whose key: `added` or `removed`; no fingerprint for all of an actor."""

    actor: str
    fingerprint: str
    done: str


def list_keys(ws: Workspace) -> tuple[BoundKey, ...]:
    """The keys that the last commit binds, in the order of the file."""
    return tuple(_describe(ws.repo, *pair) for pair in ws.config.actors_keys)


def _describe(repo: Repo, actor: str, line: str) -> BoundKey:
    key = formats.parse_key(line)
    if key is None:
        return BoundKey(actor, "")
    here = signer.find_key(repo, actor, [key]) is not None
    said = escape_text(key.comment)
    return BoundKey(actor, key.fingerprint, key.kind, said, key.after, key.before, here)


def add_key(
    ws: Workspace, actor: str, given: str, *, days: str = "", dry_run: bool = False
) -> Written[KeyChange]:
    """Commit that an actor signs with a key: a file (public or private), or the key itself; on the
    `days` from `FROM..UNTIL` alone, either of which may be empty. Of a file with its private part
    this clone remembers where it is.

    Raises Usage for what is no actor, key or day, and what a write raises.
    """
    _require_actor(actor)
    after, dots, before = days.partition("..")
    key = _read_key(given).replace(after=after, before=before)
    line = formats.render_key(key)
    if (days and not dots) or formats.parse_key(line) != key:
        raise errors.Usage(
            f"{days!r} are no days", "--valid 2026-01-01..2027-01-01, or ..2027-01-01"
        )
    made = KeyChange(actor, key.fingerprint, "added")

    def bind(text: str, pairs: Pairs) -> tuple[str, set[tuple[str, str]]]:
        same = [one for one in pairs if one[0] == actor and key.bare in one[1]]
        if (actor, line) in pairs:
            return text, set(pairs)
        for _ in same:
            # The days of a key that is bound already are set anew.
            text = bindings.remove_key(text, actor, key.data)
        kept = {one for one in pairs if one not in same and one != (actor, "")}
        return bindings.add_key(text, actor, line), kept | {(actor, line)}

    done = _commit(ws, bind, f"{actor} signs with {key.fingerprint}", made, dry_run=dry_run)
    place = _find_private(given)
    if place and not dry_run:
        ws.repo.set_config(signer.name_setting(actor), place)
    return done


def remove_key(
    ws: Workspace, actor: str, which: str = "", *, unbind: bool = False, dry_run: bool = False
) -> Written[KeyChange]:
    """Commit that an actor signs with a key no more, by its fingerprint, its comment, a file or
    itself; by default with none. Then nobody is that actor, until a key is added, or with `unbind`
    everybody can be again.

    Raises NotFound for what is not bound, Refused for the last key of people, for whom nobody
    could bind another, and what a write raises.
    """
    own = [one for one in ws.config.actors_keys if one[0] == actor]
    found = [key for _, line in own if (key := formats.parse_key(line)) is not None]
    chosen = [key for key in found if not which or _is_meant(key, which)]
    if not own or (which and not chosen):
        raise errors.NotFound(f"no such key of {actor}", "`molt keys list` shows all")
    if len(chosen) > 1 and which:
        raise errors.Usage(f"{which!r} names several keys of {actor}", "give a fingerprint")
    free = unbind and len(chosen) == len(found)
    if actor == signers.PERSON and len(chosen) == len(found) and not unbind:
        hint = "`molt keys add manual KEY` first, or `--unbind` to have people sign no more"
        raise errors.Refused("without a key no person could commit anything again", hint)

    def take(text: str, pairs: Pairs) -> tuple[str, set[tuple[str, str]]]:
        others = {one for one in pairs if one[0] != actor}
        if free:
            return bindings.remove_actor(text, actor), others
        for key in chosen:
            text = bindings.remove_key(text, actor, key.data)
        kept = {
            one
            for one in pairs
            if one[0] == actor and one[1] and not any(key.bare in one[1] for key in chosen)
        }
        return text, others | (kept or {(actor, "")})

    shown = chosen[0].fingerprint if len(chosen) == 1 else ""
    said = f"{actor} is bound to no key" if free else f"{actor} signs no more with {shown or 'any'}"
    return _commit(ws, take, said, KeyChange(actor, shown, "removed"), dry_run=dry_run)


def _is_meant(key: PublicKey, which: str) -> bool:
    if which in (key.fingerprint, key.comment):
        return True
    named = _parse_given(which)
    return named is not None and named.bare == key.bare


def _commit(
    ws: Workspace, edit: Edit, said: str, made: KeyChange, *, dry_run: bool
) -> Written[KeyChange]:
    """Commit an edit of the bindings, which leaves all else as it says it."""
    by = workspace.find_decider(ws)
    provenance = messages.Provenance(by, "—" if by == signers.PERSON else "auto", "molt keys")
    text = messages.render("EDIT", config.PATH, said, provenance, body=messages.CRITICAL_NOTICE)

    def make_change(tree: Tree) -> Change[KeyChange]:
        before = (tree.read(config.PATH) or b"").decode("utf-8", "replace")
        settings, _ = config.parse(before)
        after, wanted = edit(before, settings.actors_keys)
        found, _ = config.parse(after)
        same = found.replace(actors_keys=()) == settings.replace(actors_keys=())
        if not same or set(found.actors_keys) != wanted:
            hint = "write it below `actors:` by hand, one key a line, and commit it"
            raise errors.Failed(f"{config.PATH} has a form that cannot be edited here", hint)
        return Change({config.PATH: after.encode()}, text, made)

    return ws.commit(make_change, actor=by, dry_run=dry_run)


def _require_actor(actor: str) -> None:
    kind, colon, rest = actor.partition(":")
    every = bool(colon) and rest == "*" and kind in messages.ACTOR_TYPES and kind != signers.PERSON
    if not every and not messages.is_valid_actor(actor):
        hint = "`manual` for people, bot:main, or bot:* for all bots"
        raise errors.Usage(f"{actor!r} is no actor", hint)


def _read_key(given: str) -> PublicKey:
    found = _parse_given(given)
    if found is None:
        hint = "a file such as ~/.ssh/id_ed25519.pub, or `ssh-ed25519 AAAA… name`; `ssh-keygen -t "
        raise errors.Usage("that is no public SSH key", f"{hint}ed25519` makes one")
    return found.replace(comment=" ".join(escape_text(found.comment).split())[:_LONGEST])


_LONGEST = 100
"""Characters of what a key says about whose it is."""


def _parse_given(given: str) -> PublicKey | None:
    """The key in a text, or in a file that it names."""
    if (key := formats.parse_key(given.strip())) is not None:
        return key
    path = os.path.expanduser(given)
    return signer.read_public(path) if "\n" not in given and os.path.isfile(path) else None


def _find_private(given: str) -> str:
    """The file with the private part of a key that was given by a file; empty where it is not."""
    path = os.path.abspath(os.path.expanduser(given))
    places = (path.removesuffix(".pub"), path) if "\n" not in given else ()
    return next((place for place in places if _is_private(place)), "")


def _is_private(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"PRIVATE KEY" in file.readline(_LONGEST)
    except (OSError, ValueError):
        return False
