"""Which keys sign for an actor, and what a signature is to the rules."""

from __future__ import annotations

from molt.formats import keys as formats
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from molt.config import Config
    from molt.formats.keys import PublicKey

PERSON = "manual"
SIGNED, UNSIGNED, COMING, BROKEN = "signed", "unsigned", "coming", "broken"


class Signature(Value):
    """What there is of a signature. `state` is `signed`, with the `fingerprint` of the key that
    made it for this very commit, whoever that is; `unsigned`; `coming`, where git is about to
    make it; or `broken`, where `why` says what is wrong with it. For an unsigned one `why` says
    what was in the way, if anything was.
    """

    state: str
    fingerprint: str = ""
    why: str = ""


NONE = Signature(UNSIGNED)


def find_keys(config: Config, actor: str) -> tuple[PublicKey, ...] | None:
    """The keys that an actor signs with: its own, else those of its kind (`bot:*`); None for an
    actor that is bound to none. One that is bound to what is no key has none that fits.
    """
    lines = _find_lines(config.actors_keys, actor)
    if not lines:
        return None
    found = (formats.parse_key(line) for line in lines)
    return tuple(key for key in found if key is not None)


def find_owner(config: Config, fingerprint: str) -> str:
    """Whose key has a fingerprint; empty for nobody's."""
    for actor, line in config.actors_keys:
        key = formats.parse_key(line)
        if key is not None and key.fingerprint == fingerprint:
            return actor
    return ""


def _find_lines(pairs: Sequence[tuple[str, str]], actor: str) -> list[str]:
    own = [line for name, line in pairs if name == actor]
    if own or ":" not in actor:
        return own
    every = f"{actor.partition(':')[0]}:*"
    return [line for name, line in pairs if name == every]


def join_bindings(configs: Sequence[Config]) -> tuple[tuple[str, str], ...]:
    """Of each actor that any configuration binds, the keys that all those have which bind it."""
    names = dict.fromkeys(name for one in configs for name, _ in one.actors_keys)
    return tuple(pair for name in names for pair in _join_keys(name, configs))


def _join_keys(name: str, configs: Sequence[Config]) -> Iterator[tuple[str, str]]:
    """The bindings of one actor; to no key where no key is everywhere."""
    every = [found for one in configs if (found := find_keys(one, name)) is not None]
    shared = [_narrow_key(key, every) for key in every[0]]
    kept = [formats.render_key(key) for key in shared if key is not None]
    return ((name, line) for line in kept or [""])


def _narrow_key(key: PublicKey, every: Sequence[Collection[PublicKey]]) -> PublicKey | None:
    """A key with the days on which it holds everywhere; None where some do not have it."""
    same = [one for keys in every for one in keys if one.bare == key.bare]
    if not all(any(one.bare == key.bare for one in keys) for keys in every):
        return None
    ends = [one.before for one in same if one.before]
    return key.replace(after=max(one.after for one in same), before=min(ends, default=""))
