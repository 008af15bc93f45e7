"""The shape of a commit: what tells, before anything is read, which rules can find anything.

Most commits of a history have one of a few shapes, so the rules are asked once a shape.
"""

from __future__ import annotations

from molt import trees
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.policy import names, sensitivity
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from molt.config import Config
    from molt.formats.message import Message
    from molt.trees import FileChange

    Concern = Callable[["Shape"], bool]
    Words = tuple[str, str, str, bool, bool, bool]
    """The fields of a wording."""


class Trait(Value):
    """What of a changed file decides which rules look at it: its kind, its class, what was done
    (`A`, `M` or `D`), whether it becomes anything but a regular file, and whether the
    configuration names just this path among the critical ones.
    """

    kind: str
    sensitivity: str
    status: str
    special: bool
    listed: bool

    def __hash__(self) -> int:
        # The traits of a history are few, and each commit of it asks for their rules.
        known: dict[str, int] = self.__dict__
        if "hashed" not in known:
            known["hashed"] = super().__hash__()
        return known["hashed"]


class Wording(Value):
    """What of a message decides it. `complete`: its subject is in the schema; `about`: the file
    that it names, if any, is one that changes; `required`: each trailer that has to be there is
    there, once.
    """

    actor: str
    action: str
    approval: str
    complete: bool
    about: bool
    required: bool


class Shape(Value):
    """A commit that is no merge, as far as it decides which rules can find anything. Without a
    message `wording` is None. `plain`: all that it does is to append well-formed entries to the
    log of a day (see `growth.is_plain`).
    """

    traits: frozenset[Trait]
    actor: str
    wording: Wording | None
    surrounded: bool
    seen: bool
    plain: bool

    @property
    def is_person(self) -> bool:
        """Whether a person commits, by name."""
        return self.actor == "manual"

    def touches(self, *kinds: str, but: str = "") -> bool:
        """Whether a file of some kinds changes, and that not only as it is told not to count."""
        return any(one.kind in kinds and one.status != but for one in self.traits)

    def weighs(self, *classes: str) -> bool:
        """Whether a file of some classes changes."""
        return any(one.sensitivity in classes for one in self.traits)


def touching(*kinds: str, but: str = "") -> Concern:
    """The concern of a rule that looks at files of some kinds; see `Shape.touches`."""
    return lambda shape: shape.touches(*kinds, but=but)


def unless_plain(concern: Concern | None = None) -> Concern:
    """The concern of a rule that has another one, if any, and nothing to say where entries are
    plainly appended.
    """
    return lambda shape: not shape.plain and (concern is None or concern(shape))


def by_others(*classes: str) -> Concern:
    """The concern of a rule about who but a person changes files of some classes."""
    return lambda shape: not shape.is_person and shape.weighs(*classes)


IGNORES = "ignores"
"""The kind of a .gitignore, which leaves memory out or does not."""


def is_ignore_file(path: str) -> bool:
    """Whether a path is a .gitignore, in the letters of any file system."""
    return names.fold_path(path).rpartition("/")[2] == ".gitignore"


# A history has few paths and messages of a kind; whoever makes up many of them fills no memory.
_MOST = 4096
_traits: dict[tuple[object, ...], Trait] = {}
_said: dict[tuple[tuple[str, str], ...], tuple[str, str, bool]] = {}


def describe_change(change: FileChange, config: Config) -> Trait:
    """The trait of a changed file; one that was asked for is known."""
    path, mode = change.path, change.new.mode if change.new else trees.REGULAR
    key = (path, change.status, mode, config.policy_critical, config.policy_high)
    made = _traits.get(key)
    if made is None:
        if len(_traits) >= _MOST:
            _traits.clear()
        kind = IGNORES if is_ignore_file(path) else layout.kind_of(path)
        weight = sensitivity.classify(path, config)
        listed = path in config.policy_critical
        made = Trait(kind, weight, change.status, mode != trees.REGULAR, listed)
        _traits[key] = made
    return made


def describe_message(message: Message, changes: Sequence[FileChange]) -> Words:
    """The fields of a message's wording."""
    file = message.file
    about = not file or file == "*" or any(one.path == file for one in changes)
    said = tuple([pair for pair in message.trailers if pair[0].lower() in _REQUIRED])
    known = _said.get(said)
    if known is None:
        if len(_said) >= _MOST:
            _said.clear()
        held = [value for _, value in said if value]
        names = frozenset([name.lower() for name, _ in said])
        required = len(said) == len(held) == len(names) == len(_REQUIRED)
        known = _said[said] = messages.actor(message), messages.approval(message), required
    actor, approval, required = known
    return actor, message.action, approval, bool(file and message.summary), about, required


_REQUIRED = frozenset(key.lower() for key in messages.REQUIRED)
