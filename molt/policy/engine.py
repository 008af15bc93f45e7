"""The engine: a change between two trees and a message in, findings out; pure."""

from __future__ import annotations

from molt import config as configuration
from molt import trees
from molt.formats import message as messages
from molt.formats import paths
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from molt.config import Config
    from molt.formats.message import Message
    from molt.trees import FileChange, Tree

ERROR, WARNING, OFF = "error", "warning", "off"


class Finding(Value):
    """One rule broken: where, what is wrong, and how to mend it. `line` 0 means the whole file."""

    code: str
    severity: str
    path: str
    line: int
    message: str
    hint: str

    @property
    def place(self) -> str:
        """Where, for people: the path with the line, as far as there are any."""
        return f"{self.path}:{self.line}" if self.path and self.line else self.path


class Context(Value):
    """What a rule needs from outside, collected by the door that asks.

    Who: `actor` acts where there is no message yet; with one, only its Actor trailer counts, and
    who is not named is nobody. `environment_actor` is whom the environment names, empty for none.
    `approved`: a person's merge brings the commit to the branch that is judged.

    Merges: `parents` are the trees of all parents of a merge, and `bases` those of the merge
    bases. Both are empty for any other commit, also for one with a second parent that the first
    has already. `clean`: the tree is git's own merge of the parents, which had no conflict. The
    base of a merge is git's own merge, conflicts marked in the files.

    When: `today` is the day of the commit (`YYYY-MM-DD`), never before that of a parent; empty
    where it does not matter. `restores` tells whether a path held a blob (`""`: was absent) in an
    earlier state on the line of first parents; it reads the history, and is asked last.

    Where: `staged` for a commit that git is about to make, `commit` for the id of one that
    exists, `publish` where it is about to leave. `history` is what was seen of its place among
    the others and of its object: the words of `hist`.

    `alerts` gives the critical files whose change awaits acknowledgement, and is asked only where
    that matters; `count_tokens` counts the tokens of a text.
    """

    actor: str = ""
    environment_actor: str = ""
    approved: bool = False
    parents: tuple[Tree, ...] = ()
    bases: tuple[Tree, ...] = ()
    clean: bool = False
    today: str = ""
    restores: Callable[[str, str], bool] | None = None
    staged: bool = False
    commit: str = ""
    publish: bool = False
    history: tuple[str, ...] = ()
    alerts: Callable[[], Container[str]] = frozenset
    count_tokens: Callable[[str], int] | None = None


class Judged(Value):
    """One commit as rules see it: both trees, what changed, message (None before there is one)."""

    base: Tree
    new: Tree
    changes: tuple[FileChange, ...]
    message: Message | None
    actor: str
    context: Context
    config: Config

    @property
    def is_person(self) -> bool:
        """Whether a person commits."""
        return self.actor in ("", "manual")

    @property
    def init(self) -> bool:
        """Whether this adopts or makes the workspace: it can do so where there is none."""
        return self.actor == "system:init" and self.base.entry(configuration.PATH) is None


class Fault(Value):
    """A finding before the engine stamps code and severity on it; `soft` makes it a warning."""

    path: str
    line: int
    message: str
    hint: str = ""
    soft: bool = False


class Rule(Value):
    """A rule with its documentation and one example each way: (base, new, message) of texts."""

    code: str
    name: str
    severity: str
    check: Callable[[Judged], Iterator[Fault]]
    protects: str
    passes: Example
    fails: Example
    needs_message: bool = False


class Example(Value):
    """Files before, files after, the message, who commits, and what was seen of its history."""

    base: dict[str, str]
    new: dict[str, str]
    message: str = ""
    actor: str = ""
    history: tuple[str, ...] = ()


def judge_commit(
    rules: Sequence[Rule],
    base: Tree,
    new: Tree,
    message: str | Message | None,
    context: Context,
    config: Config | None = None,
) -> tuple[Finding, ...]:
    """The findings of `rules`, by path and line; the configuration is that of `base`.

    Without a message the rules that need one are left out, and those about who commits take
    the context's actor. A rule that raises gives an error finding: the policy fails closed.
    """
    settings = configuration.load(base)[0] if config is None else config
    parsed = messages.parse(message) if isinstance(message, str) else message
    actor = (messages.actor(parsed) if parsed else "") or context.actor
    judged = Judged(base, new, trees.diff(base, new), parsed, actor, context, settings)
    levels = dict(settings.policy_severity)
    found: list[Finding] = []
    for rule in rules:
        level = levels.get(rule.code, rule.severity)
        if level != OFF and not (rule.needs_message and parsed is None):
            found.extend(_run_rule(rule, level, judged))
    return tuple(sorted(found, key=lambda one: (one.path, one.line, one.code)))


def _run_rule(rule: Rule, level: str, judged: Judged) -> Iterator[Finding]:
    try:
        for fault in rule.check(judged):
            severity = WARNING if fault.soft else level
            where = (fault.path, fault.line, fault.message)
            yield Finding(rule.code, severity, *where, fault.hint)
    except Exception as error:
        why = f"{rule.name} could not be checked: {type(error).__name__}: {error}"
        yield Finding(rule.code, ERROR, "", 0, why, "this is a defect of molt; please report it")


def changed_files(judged: Judged, *kinds: str) -> Iterator[FileChange]:
    """The files of some kinds that a commit adds or edits; none of those it only adopts."""
    for change in judged.changes:
        adopted = judged.init and change.status == "A"
        if change.status != "D" and not adopted and paths.kind_of(change.path) in kinds:
            yield change


def read_text(tree: Tree, path: str) -> str:
    """A file as text; empty where there is none, with what is no UTF-8 replaced."""
    return (tree.read(path) or b"").decode("utf-8", "replace")
