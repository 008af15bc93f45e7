"""The policy on commits that exist: every commit of a range against what leads to it.

What may exempt or loosen comes from the side that is trusted, never from the commits under test:
an adoption counts where the start of the range reaches it, or for a whole history on its line of
first parents, and the configuration of the start holds for the whole range.
"""

from __future__ import annotations

from molt import config, policy, trees
from molt.formats import message as messages
from molt.formats import times
from molt.formats.reflections import refs
from molt.memory import judging
from molt.memory.checks import headers, settled
from molt.memory.checks.arrivals import Arrivals
from molt.memory.checks.gone import GoneTexts
from molt.memory.checks.scope import Scope
from molt.memory.provenance import open_changes
from molt.policy import Finding, signers
from molt.repo import ancestry, history, merge_driver, ranges
from molt.repo.history import revisions
from molt.repo.keys import signatures
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from molt.config import Config
    from molt.formats.message import Message
    from molt.policy.signers import Signature
    from molt.repo.commits import Commit
    from molt.repo.history.revisions import CommitRange
    from molt.repo.ranges import ObjectTree
    from molt.repo.repository import Repo
    from molt.trees import Tree

    _Key = tuple[str, str, int, str]

_OF_A_STATE = ("CRIT", "EPI", "HIST", "VAULT")
"""Rules of what one tree may not become in another, whatever lies between."""
FINAL = "what loosens a rule cannot come with what breaks it: publish that commit first, alone"

_PERSON = "manual"
_ACCEPTING = frozenset(("all", "accept"))
_SIGNED = ("SIGN001", "SIGN002")
_OTHER_KEY = (
    "where this goes the actor has other keys: sign it with one of those, or publish the commit "
    "that binds the key first, alone"
)


class VerifyReport(Value):
    """What was verified, and what was found: (commit id, finding) pairs.

    `final` are the commits and rules of findings that nobody can accept. `missing` is a commit
    behind which this clone has no history, which was to be judged; empty for none. `faulty` is
    the smallest range, of the form `A..B`, that holds all errors; empty where there is none.
    """

    range: str
    commits: int
    findings: tuple[tuple[str, Finding], ...]
    final: frozenset[tuple[str, str]] = frozenset()
    missing: str = ""
    faulty: str = ""

    @property
    def errors(self) -> tuple[tuple[str, Finding], ...]:
        """The findings that are errors."""
        return tuple(pair for pair in self.findings if pair[1].severity == "error")


FETCH = "fetch all of it: `git fetch --unshallow`, in CI `fetch-depth: 0` or `GIT_DEPTH: 0`"


def tell_missing(report: VerifyReport) -> str:
    """What to say of a report about a clone that lacks what was to be judged."""
    return f"history is missing behind {report.missing[:10]}: this clone is shallow"


def verify_commits(repo: Repo, words: Sequence[str] = ()) -> VerifyReport:
    """The findings on a range of commits, by default on all since the workspace was adopted.

    Raises Usage or NotFound for a bad range.
    """
    return judge_range(repo, revisions.resolve_range(repo, words))


def judge_range(
    repo: Repo, asked: CommitRange, *, publish: bool = False, everywhere: bool = False
) -> VerifyReport:
    """The findings on the commits of a range, which are about to leave if they `publish`. With
    `everywhere` those count as accepted that any branch here accepts, not only the range itself.

    Where neither what it starts from nor any of its commits is a workspace, none is judged.
    """
    return judge_scope(Scope(repo, asked), publish=publish, everywhere=everywhere)


def judge_scope(
    scope: Scope, *, publish: bool = False, everywhere: bool = False, environment: str = ""
) -> VerifyReport:
    """`judge_range` of what is known of a range already; `environment` is whom it names where the
    commits are just put on a branch.
    """
    asked = scope.asked
    if not scope.is_of_memory():
        return VerifyReport(asked.text, 0, (), missing=scope.missing)
    bench = _Bench(scope, publish=publish, environment=environment)
    found = [(oid, one) for oid in scope.judged for one in bench.judge(oid)]
    bench.signatures.keep()
    if scope.rewrites():
        found += bench.judge_rewriting()
    final = frozenset(bench.final)
    if any(map(_refuses, (one for _, one in found))):
        elsewhere = bench.may_accept if publish or everywhere else None
        found = list(settled.settle(scope, found, final, elsewhere=elsewhere))
    faulty = scope.find_range({oid for oid, one in found if _refuses(one)})
    if scope.rewrites() and asked.onto:
        faulty = f"{asked.onto[0][:10]}..{asked.tips[0][:10]}"
    return VerifyReport(asked.text, len(scope.judged), tuple(found), final, scope.missing, faulty)


class _Bench:
    """Judges the commits of a scope, parents before children."""

    def __init__(self, scope: Scope, *, publish: bool, environment: str) -> None:
        self._scope = scope
        self._repo = scope.repo
        self._store = scope.store
        self._publish = publish
        self._configs: dict[str, Config] = {}
        self._kept = scope.repo.cache
        trusted = dict.fromkeys((*scope.start, *scope.asked.trusted))
        starts = (self._tree(oid) for oid in trusted if scope.is_workspace(oid))
        self._trusted = [self._load(tree) for tree in starts]
        self._starts = tuple(trusted)
        self._onward: set[str] = set()
        self._pasts: dict[str, open_changes.Past] = {}
        self._outside = open_changes.Past(self._was_pending)
        self._by_bot = environment not in ("", "manual")
        self._arrivals = Arrivals(scope, self._may_decide)
        self._gone = GoneTexts(scope.ancestry.parents, self._tree)
        self._latest: dict[str, str] = {}
        self._newest: str | None = None
        self.final: set[tuple[str, str]] = set()
        self.signatures = signatures.SignatureReader(scope.repo)

    def _tree(self, oid: str) -> ObjectTree:
        return self._store.tree(self._store.commit(oid).tree)

    def _load(self, tree: Tree) -> Config:
        """The configuration of a tree; of most commits it is the same blob."""
        entry = tree.entry(config.PATH)
        oid = entry.oid if entry else ""
        if oid not in self._configs:
            self._configs[oid] = config.load(tree, self._kept)[0]
        return self._configs[oid]

    def _was_pending(self, file: str) -> bool:
        """Whether a critical file had a pending change where the range starts."""
        border = self._scope.ancestry.border()
        return any(open_changes.look_up(self._repo, oid, file) for oid in border)

    def judge(self, oid: str) -> tuple[Finding, ...]:
        """The findings on one commit."""
        commit = self._store.commit(oid)
        message = messages.parse(commit.message)
        self._latest[oid] = self._follow_days(commit)
        parents, bases = ancestry.reduce_heads(
            commit.parents, self._common, self._repo.find_independent
        )
        base, facts = self._find_base(commit, parents, bases)
        before = [self._tree(parent) for parent in parents]
        past = self._past(parents)
        seen = self._see(commit, message, before)
        seen += () if bases or len(parents) < 2 else (policy.UNRELATED,)
        context = judging.context_for(
            self._repo,
            next(iter(parents), None),
            commit=oid,
            publish=self._publish,
            today=lambda: max(self._latest[oid], self._newest_before()),
            approved=self._arrivals.is_approved(commit, message),
            alerts=lambda: past,
            history=seen,
            branch=self._scope.asked.branch,
            onto=self._tree(commit.parents[0]) if len(commit.parents) > 1 else None,
            arrival=self._arrivals.find_arrival(commit, message, by_bot=self._by_bot),
            by_reflection=refs.is_own(commit.author),
            headers=headers.read_headers(commit),
            list_gone=lambda: self._gone.list_before(oid),
            signature=lambda _: self._read_signature(oid),
            **facts,
        )
        own = judging.settings_of(before, self._load)
        case = _Case(base, self._store.tree(commit.tree), message, context, own)
        self._pasts[oid] = past.follow(
            oid, case.alerting(before), open_changes.acknowledged(message)
        )
        return self._decide(case)

    def _read_signature(self, oid: str) -> Signature:
        found = self._store.read(oid)
        return self.signatures.read(oid, found[1] if found else b"")

    def _decide(self, case: _Case) -> tuple[Finding, ...]:
        """The findings by the strictest of what the parents and the start of the range say; what
        only the start refuses is final.
        """
        strict = self._join_trusted(case)
        if strict is case.settings or strict == case.settings:
            return case.evaluate()
        found = case.replace(settings=strict).evaluate()
        loosened = self._find_loosened(case, strict, found)
        self.final.update((case.context.commit, code) for code, *_ in loosened)
        return tuple(
            one.replace(severity="error", hint=_OTHER_KEY if one.code in _SIGNED else FINAL)
            if _key(one) in loosened
            else one
            for one in found
        )

    def _find_loosened(self, case: _Case, strict: Config, found: Sequence[Finding]) -> set[_Key]:
        """What is refused by stricter settings alone, whoever accepts it; `found` is what is found
        by those.
        """
        bare = case.replace(message=settled.without_trailers(case.message))
        # To judge takes up to half a second, and of most commits nothing is refused.
        if bare.message != case.message:
            found = bare.replace(settings=strict).evaluate()
        refused = {_key(one) for one in found if _refuses(one)}
        if refused:
            refused -= {_key(one) for one in bare.evaluate() if _refuses(one)}
        return refused

    def _join_trusted(self, case: _Case) -> Config:
        """The strictest of the settings of a commit and of what is trusted. Who raises the cap and
        makes use of it may publish both at once, where that goes on from what is trusted.
        """
        own = case.settings
        strict = policy.strictest([own, *self._trusted])
        if strict.core_cap == own.core_cap:
            return strict
        oid = case.context.commit
        before = self._scope.ancestry.parents[oid]
        if self._onward.isdisjoint(before) and not all(
            self._repo.is_ancestor(start, oid) for start in self._starts
        ):
            return strict
        self._onward.add(oid)
        return strict.replace(core_cap=own.core_cap)

    def judge_rewriting(self) -> Iterator[tuple[str, Finding]]:
        """The findings on one tree that took the place of another, whose history it is not."""
        (old,), (new,) = self._scope.start, self._scope.tips
        line = self._scope.ancestry.first_parents(new)
        oid = line[-1] if line else new
        base = self._tree(old)
        context = judging.context_for(
            self._repo, old, commit=oid, publish=self._publish, history=(policy.REWRITTEN,)
        )
        case = _Case(base, self._tree(new), None, context, self._load(base))
        return ((oid, one) for one in case.evaluate() if one.code.startswith(_OF_A_STATE))

    def _common(self, heads: Sequence[str]) -> tuple[str, ...]:
        """The best common ancestors of some commits; git is asked where a range cannot tell."""
        found = self._scope.ancestry.bases(*heads) if len(heads) == 2 else None
        return self._repo.find_bases(heads) if found is None else found

    def _find_base(
        self, commit: Commit, parents: Sequence[str], bases: Sequence[str]
    ) -> tuple[Tree, dict[str, Any]]:
        """The tree that a commit is judged on, and what there is to know of a merge."""
        sides = [self._tree(parent) for parent in parents]
        if len(sides) < 2:
            return sides[0] if sides else self._store.tree(""), {}
        starts = tuple(self._tree(oid) for oid in bases)
        facts = {"parents": tuple(sides), "bases": starts}
        start = starts[0].oid if starts else ""
        oids = [side.oid for side in sides]
        if len(starts) < 2 and ranges.merges_alike(self._store, start, oids, commit.tree):
            return self._store.tree(commit.tree), {**facts, "clean": True}
        merged, whole = merge_driver.merge_heads(self._repo, parents)
        base = self._store.tree(merged) if merged else sides[0]
        return base, {**facts, "clean": whole and merged == commit.tree}

    def _past(self, parents: Sequence[str]) -> open_changes.Past:
        first, *others = [self._pasts.get(oid, self._outside) for oid in parents] or [self._outside]
        return first.join(others) if others else first

    def _see(
        self, commit: Commit, message: Message, parents: Sequence[ObjectTree]
    ) -> tuple[str, ...]:
        """What the place of a commit and its object say against it."""
        scope = self._scope
        seen = [*commit.odd, *judging.tell_unsound(self._find_unsound(commit, parents))]
        if scope.established and not commit.parents and commit.oid in scope.lines:
            seen.append(policy.UNRELATED)
        # On top of a workspace an INIT does not fit, which is another rule. Where there was none
        # and nothing was adopted, the line of first parents may begin with one.
        begins = commit.oid in scope.lines and not (scope.established or scope.adoption)
        there = any(tree.entry(config.PATH) is not None for tree in parents)
        if message.action == "INIT" and not (there or begins or commit.oid == scope.adoption):
            seen.append(policy.ADOPTED)
        return tuple(seen)

    def _find_unsound(self, commit: Commit, parents: Sequence[ObjectTree]) -> tuple[str, ...]:
        """The paths that git never writes so; of a merge those that are so beside each parent."""
        starts = [tree.oid for tree in parents] or [self._store.tree("").oid]
        every = [self._store.find_unsound(start, commit.tree) for start in starts]
        if len(every) == 1:
            return every[0]
        return tuple(path for path in every[0] if all(path in one for one in every))

    def _follow_days(self, commit: Commit) -> str:
        """The day of a commit in its own zone, never before that of one in the range that leads
        to it: who sets the clock back is no younger than what is there.
        """
        own = times.render_day((commit.time + commit.zone * 60) // times.DAY)
        return max((own, *(self._latest.get(parent, "") for parent in commit.parents)))

    def _newest_before(self) -> str:
        """The newest day of all that leads to the range."""
        if self._newest is None:
            border = self._scope.ancestry.border()
            self._newest = history.newest_day(self._repo, *border) if border else ""
        return self._newest

    def _may_decide(self, oid: str) -> bool:
        """Whether a commit of a person, or of nobody, decides on what it brings: where people are
        bound to keys only if it is signed with one, whatever it says of who made it.
        """
        parents = [self._tree(parent) for parent in self._scope.ancestry.parents[oid]]
        own = judging.settings_of(parents, self._load)
        settings = policy.strictest([own, *self._trusted])
        keys = signers.find_keys(settings, _PERSON)
        if keys is None:
            return "approve" not in settings.signatures_require
        fingerprint = self._read_signature(oid).fingerprint
        return any(key.fingerprint == fingerprint for key in keys)

    def may_accept(self, commit: Commit) -> bool:
        """Whether a commit that is not judged here accepts findings: where people are bound to
        keys, it may lie on a branch from before they were.
        """
        own = judging.settings_of([self._tree(oid) for oid in commit.parents], self._load)
        settings = policy.strictest([own, *self._trusted])
        keys = signers.find_keys(settings, _PERSON)
        if keys is None:
            return "accept" not in settings.signatures_require
        if _ACCEPTING.isdisjoint(settings.signatures_require):
            return True
        fingerprint = self._read_signature(commit.oid).fingerprint
        return any(key.fingerprint == fingerprint for key in keys)


class _Case(Value):
    """A commit with all that it is judged by."""

    base: Tree
    new: Tree
    message: Message | None
    context: policy.Context
    settings: Config

    def evaluate(self) -> tuple[Finding, ...]:
        """What the policy finds."""
        return policy.evaluate(self.base, self.new, self.message, self.context, self.settings)

    def alerting(self, parents: Sequence[Tree]) -> set[str]:
        """The critical files that it changes; of a merge those that differ from every parent."""
        there = any(tree.entry(config.PATH) is not None for tree in parents)
        sides = ({one.path for one in trees.diff(side, self.new)} for side in parents if there)
        return set(self.settings.policy_critical).intersection(*sides) if there else set()


def _key(one: Finding) -> _Key:
    return one.code, one.path, one.line, one.message


def _refuses(one: Finding) -> bool:
    return one.severity == "error"
