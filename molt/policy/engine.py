"""The engine: a change between two trees and a message in, findings out; pure."""

from __future__ import annotations

from itertools import chain

from molt import config as configuration
from molt import errors
from molt.formats import message as messages
from molt.formats import paths as layout
from molt.formats.reflections import refs
from molt.policy import growth, sensitivity, shapes, texts, waivers
from molt.policy.finding import ERROR, OFF, WARNING, Finding
from molt.policy.sides import Sides, list_carried, list_edits
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence

    from molt.config import Config
    from molt.formats.keys import PublicKey
    from molt.formats.message import Message
    from molt.policy.quotes import Quotable
    from molt.policy.shapes import Concern, Shape, Trait, Words
    from molt.policy.signers import Signature
    from molt.trees import FileChange, Tree

    _Key = tuple[frozenset[Trait], str, Words | None, bool, bool, bool]


MERGED, MOVED = "merged", "moved"
_MOST = 1000
"""How many findings of a rule on one commit are told: a file of a megabyte can have six for each of
thirty thousand pieces, and saying them takes longer than finding them."""


class Context(Value):
    """What a rule needs from outside, collected by the door that asks.

    Who: `actor` acts where there is no message yet; with one, only its Actor trailer counts, and
    who is not named is nobody. `environment_actor` is whom the environment names, empty for none.
    `approved`: a person's merge brings the commit to the branch that is judged.

    Merges: `parents` are the trees of all parents of a merge, and `bases` those of the merge
    bases. Both are empty for any other commit, also for one with a second parent that the first
    has already. `clean`: the tree is git's own merge of the parents, which had no conflict. The
    base of a merge is git's own merge, conflicts marked in the files.

    When: `today` gives the day of the commit (`YYYY-MM-DD`), never before that of a commit that
    leads to it; empty where it does not matter. `restores(path, blob, now)` tells whether a path
    held a blob (`""`: was absent) in an earlier state on the line of first parents, and, if `now`
    is not None, whether it was `now` that took its place. `holds(texts)` gives those of some texts
    that a text file of the commit before has already. `find_shortest(path)` gives the shortest
    bytes of a file since the workspace was adopted, None for none. `list_proposed()` gives the
    reflections that this clone has a branch of, each with the tree that it was made on and its own.
    `list_gone()` gives what earlier commits of the same range took out of memory that was from
    outside. These read the history, and are asked last. `ordered(blob)` tells of a blob of
    decay-scores.json whether it is known to be as `sorted_scores.is_ordered` says: then only its
    changes are read.

    Where: `staged` for a commit that git is about to make, `commit` for the id of one that
    exists, `publish` where it is about to leave. `history` is what was seen of its place among
    the others and of its object: the words of `hist`. `branch` is the full name of the ref that
    is judged, empty where nobody knows it; `onto` the tree of the first parent of a commit that has
    several; and `arrival` how what a reflection proposes came there: `MERGED`, by a merge of a
    person or of nobody that is named, `MOVED`, by who rebased it, or by neither. `by_reflection`:
    its author, as git has it, is one that only reflections have. `headers` are the lines of
    author and committer of a commit that exists, and what its other headers say.

    `signature(keys)` gives that of the commit, of whoever has made it; where it is to be made, of
    one of these keys. None where the door knows of none.

    `alerts` gives the critical files whose change awaits acknowledgement, and is asked only where
    that matters; `count_tokens` counts the tokens of a text.
    """

    actor: str = ""
    environment_actor: str = ""
    approved: bool = False
    parents: tuple[Tree, ...] = ()
    bases: tuple[Tree, ...] = ()
    clean: bool = False
    today: Callable[[], str] = str
    restores: Callable[[str, str, str | None], bool] | None = None
    holds: Callable[[Collection[str]], frozenset[str]] | None = None
    find_shortest: Callable[[str], bytes | None] | None = None
    list_proposed: Callable[[], Collection[tuple[str, Tree, Tree]]] | None = None
    list_gone: Callable[[], Iterable[Quotable]] = tuple
    ordered: Callable[[str], bool] | None = None
    staged: bool = False
    commit: str = ""
    publish: bool = False
    history: tuple[str, ...] = ()
    branch: str = ""
    onto: Tree | None = None
    arrival: str = ""
    by_reflection: bool = False
    headers: str = ""
    alerts: Callable[[], Container[str]] = frozenset
    count_tokens: Callable[[str], int] | None = None
    signature: Callable[[Sequence[PublicKey]], Signature] | None = None

    @property
    def sides(self) -> Sides:
        """What a merge joins."""
        return Sides(self.parents, self.bases)


class Judged(Value):
    """One commit as rules see it: both trees, what changed, message (None before there is one).

    Of a merge, `changes` are what it holds beyond git's own merge of its parents.
    """

    base: Tree
    new: Tree
    changes: tuple[FileChange, ...]
    message: Message | None
    actor: str
    context: Context
    config: Config
    lines: texts.AddedLines

    def added(self, path: str) -> tuple[tuple[int, str], ...]:
        """The lines of a file that were not there before, with their numbers: read once."""
        return self.lines.read(path)

    @property
    def is_person(self) -> bool:
        """Whether a person commits, by name: who says nothing is nobody."""
        return self.actor == "manual"

    @property
    def who(self) -> str:
        """The actor, for a sentence."""
        return self.actor or "nobody that is named"

    @property
    def lenient(self) -> bool:
        """Whether words are forgiven: to a person, and to who has no hooks to complete them."""
        return self.actor in ("", "manual")

    @property
    def merge(self) -> bool:
        """Whether this joins histories."""
        return len(self.context.parents) > 1

    @property
    def is_proposal(self) -> bool:
        """Whether a reflection proposes it on its own branch, where it waits for a person."""
        named = refs.find_id(self.context.branch)
        return bool(named) and self.actor == f"reflection:{named}"

    @property
    def befores(self) -> tuple[Tree, ...]:
        """The trees that were there before: those of all parents."""
        return self.context.parents if self.merge else (self.base,)

    @property
    def init(self) -> bool:
        """Whether this adopts or makes the workspace: it says so, and there is none."""
        says = self.message is None or self.message.action == "INIT"
        there = self.base.entry(configuration.PATH) is not None
        return says and not there and self.actor == "system:init"

    def sensitivity(self, change: FileChange) -> str:
        """The class of a changed file, as the configuration of before has it; `standard` for one
        that the making of a workspace adds.
        """
        adopted = self.init and change.status == "A"
        return sensitivity.STANDARD if adopted else sensitivity.classify(change.path, self.config)


class Fault(Value):
    """A finding before the engine stamps code and severity on it; `soft` makes it a warning."""

    path: str
    line: int
    message: str
    hint: str = ""
    soft: bool = False


def _always(_shape: Shape) -> bool:
    return True


class Rule(Value):
    """A rule with its documentation and one example each way: (base, new, message) of texts.

    `concerns` tells of the shape of a commit that is no merge whether `check` can find anything;
    where it says no, it is not asked.
    """

    code: str
    name: str
    severity: str
    check: Callable[[Judged], Iterator[Fault]]
    protects: str
    passes: Example
    fails: Example
    needs_message: bool = False
    concerns: Concern = _always


class Example(Value):
    """Files before, files after, the message, who commits, whom the environment names, what was
    seen of the history, and on which branch it is.
    """

    base: dict[str, str]
    new: dict[str, str]
    message: str = ""
    actor: str = ""
    environment: str = ""
    history: tuple[str, ...] = ()
    branch: str = ""


class Submission(Value):
    """A commit as it is handed in: the tree before, the tree after, and its message; None before
    there is one.
    """

    base: Tree
    new: Tree
    message: str | Message | None


class Table:
    """Rules that are there when they are asked for, a family of them at a time.

    Each family has the concern of all of its rules together: where that says no, it is not even
    loaded, which would take longer than to judge a commit.
    """

    def __init__(self, families: Sequence[tuple[Concern, Callable[[], Sequence[Rule]]]]) -> None:
        self._families = families

    def __iter__(self) -> Iterator[Rule]:
        return chain.from_iterable(load() for _, load in self._families)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, rule: object) -> bool:
        return any(one == rule for one in self)

    def choose_rules(self, shape: Shape) -> Iterator[Rule]:
        """The rules of each family that can find anything on commits of a shape."""
        return chain.from_iterable(load() for concerns, load in self._families if concerns(shape))


def judge_commit(
    rules: Table | Sequence[Rule],
    submission: Submission,
    context: Context,
    config: Config | None = None,
) -> tuple[Finding, ...]:
    """The findings of `rules`, by path and line; the configuration is that of the tree before.

    Without a message the rules that need one are left out, and those about who commits take
    the context's actor. A rule that raises gives an error finding: the policy fails closed.
    """
    base, new, message = submission.base, submission.new, submission.message
    settings = configuration.load(base)[0] if config is None else config
    parsed = messages.parse(message) if isinstance(message, str) else message
    changes = () if context.clean else list_edits(base, new, context.sides)
    if carried := tuple(list_carried(new, context.sides, settings)):
        # Somebody has to answer for it, as for any edit.
        context = context.replace(clean=False)
        changes = _join_changes(changes, carried)
    lines, who = texts.AddedLines(base, new), _who_acts(parsed, context)
    judged = Judged(base, new, changes, parsed, who, context, settings, lines)
    levels = dict(settings.policy_severity)
    found: list[Finding] = []
    for rule in _choose_rules(rules, judged):
        level = levels.get(rule.code, rule.severity)
        if level != OFF and not (rule.needs_message and parsed is None):
            found.extend(_run_rule(rule, level, judged))
    if judged.is_person:
        found = list(waivers.accept(found, waivers.accepted(parsed)))
    return tuple(sorted(found, key=lambda one: (one.path, one.line, one.code)))


class _Chosen:
    """The rules of one table that can find anything on commits of a shape, by that shape."""

    def __init__(self, rules: Table | Sequence[Rule]) -> None:
        self.rules = rules
        self.known: dict[_Key, tuple[Rule, ...]] = {}


_chosen = [_Chosen(())]


def _choose_rules(rules: Table | Sequence[Rule], judged: Judged) -> Iterable[Rule]:
    """The rules that can find anything; of a merge all, for it is not only what it changes."""
    context, message = judged.context, judged.message
    if context.parents or context.clean or context.onto is not None:
        return rules
    if _chosen[0].rules is not rules or len(_chosen[0].known) > _MOST:
        _chosen[0] = _Chosen(rules)
    known = _chosen[0].known
    changes = judged.changes
    traits = frozenset([shapes.describe_change(one, judged.config) for one in changes])
    wording = shapes.describe_message(message, changes) if message else None
    plain = growth.is_plain(judged.base, judged.new, changes)
    around = bool(context.environment_actor), bool(context.history)
    key = (traits, judged.actor, wording, *around, plain)
    found = known.get(key)
    if found is None:
        words = shapes.Wording(*wording) if wording else None
        shape = shapes.Shape(*key[:2], words, *key[3:])
        asked = rules.choose_rules(shape) if isinstance(rules, Table) else rules
        found = known[key] = tuple(rule for rule in asked if rule.concerns(shape))
    return found


def _join_changes(
    changes: Sequence[FileChange], carried: Sequence[FileChange]
) -> tuple[FileChange, ...]:
    """Changes with others beside them, of each path one, sorted by path."""
    every = {one.path: one for one in (*carried, *changes)}
    return tuple(every[path] for path in sorted(every))


def _who_acts(message: Message | None, context: Context) -> str:
    """The actor that counts: a person has to be named by the message itself."""
    if message is None:
        return context.actor
    named = messages.actor(message)
    if named.startswith("reflection:") and messages.classify_subject(message.subject) == "forge":
        # The last lines of a squash are those of a commit that it is made of.
        named = ""
    surroundings = context.environment_actor
    return named or (surroundings if surroundings != "manual" else "")


def _limit_faults(faults: Iterator[Fault]) -> Iterator[Fault]:
    """As many as anybody reads; what is no warning is among them, however many are before it."""
    hard = False
    for number, fault in enumerate(faults):
        if number < _MOST or not fault.soft:
            yield fault
        hard = hard or not fault.soft
        if number >= _MOST and hard:
            return


def _run_rule(rule: Rule, level: str, judged: Judged) -> Iterable[Finding]:
    try:
        faults = iter(rule.check(judged))
        first = next(faults, None)
    except Exception as error:
        return (_tell_failed(rule, error),)
    # Most rules find nothing in most commits.
    return () if first is None else _stamp_faults(rule, level, judged, chain((first,), faults))


def _stamp_faults(
    rule: Rule, level: str, judged: Judged, faults: Iterator[Fault]
) -> Iterator[Finding]:
    try:
        for fault in _limit_faults(faults):
            severity = WARNING if fault.soft else level
            where = (fault.path, fault.line, fault.message)
            hint = fault.hint if severity != ERROR else _offer_waiver(rule.code, fault.hint, judged)
            yield Finding(rule.code, severity, *where, hint)
    except Exception as error:
        yield _tell_failed(rule, error)


def _tell_failed(rule: Rule, error: Exception) -> Finding:
    why = f"{rule.name} could not be checked: {type(error).__name__}: {error}"
    known = error if isinstance(error, errors.MoltError) else None
    hint = known.hint if known else "this is a defect of molt; please report it"
    return Finding(rule.code, ERROR, "", 0, why, hint)


def _offer_waiver(code: str, hint: str, judged: Judged) -> str:
    """A hint with the line that accepts what was found, for whoever can."""
    context = judged.context
    if not waivers.is_acceptable(code):
        return f"{hint}; nobody can accept it" if hint else "nobody can accept it"
    line = waivers.tell_how(code, commit=context.commit, staged=context.staged)
    if not line or not (judged.is_person or context.commit):
        return hint
    return f"{hint}; or accept it: {line}" if hint else f"accept it: {line}"


def changed_files(judged: Judged, *kinds: str) -> Iterator[FileChange]:
    """The files of some kinds that a commit adds or edits; none of those it only adopts."""
    for change in judged.changes:
        adopted = judged.init and change.status == "A"
        if change.status != "D" and not adopted and layout.kind_of(change.path) in kinds:
            yield change
