"""The workspace: found, read, and written through one function."""

from __future__ import annotations

import os

from molt import config, errors, surroundings
from molt.config import Config
from molt.memory.consents import consent
from molt.repo import find as repositories
from molt.repo import ignores, worktree
from molt.repo.repository import Repo
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    from molt.memory.clone.kept import Kept
    from molt.memory.consents.consent import Wish
    from molt.repo.write.plan import Change, MakeChange
    from molt.repo.write.transaction import Written
    from molt.trees import Tree

    T = TypeVar("T")


class Workspace(Value):
    """A repository with its configuration (that of HEAD), its warnings, and who the call says that
    acts, if it does. A host that asks for days hands in what it keeps open. `wishes` are what the
    configuration leads out of the workspace, and folders that nobody consented to are not in it.
    A write waits `patience` seconds for others.
    """

    repo: Repo
    config: Config
    warnings: tuple[str, ...]
    named: str = ""
    kept: Kept | None = None
    wishes: tuple[Wish, ...] = ()
    patience: float = 30.0

    @property
    def missing(self) -> tuple[Wish, ...]:
        """What the configuration asks for, and nobody has consented to in this clone."""
        return tuple(one for one in self.wishes if not one.given)

    @property
    def actor(self) -> str:
        """Who acts. To ask git's configuration takes a process, which who only reads is spared."""
        return find_actor(self.repo, self.named) or surroundings.NOBODY

    def head(self) -> Tree:
        """The last commit's tree; empty on an unborn branch."""
        head = self.repo.head()
        return self.repo.tree(head.commit)

    def files(self, without: Iterable[str] = ()) -> worktree.Worktree:
        """The tree as it is on disk; the files and folders that are left out are as in HEAD."""
        return worktree.Worktree(self.repo, self.head(), without)

    def commit(
        self,
        make_change: MakeChange[T],
        *,
        dry_run: bool = False,
        actor: str = "",
        now: float = 0.0,
    ) -> Written[T]:
        """The only way to write: the transaction, then the projections.

        The first write of a day, by the second `now`, counts the accesses of this clone as well.

        Raises what the transaction raises, and Usage where nobody can be who acts.
        """
        # A search imports a fifth less without what only a write needs.
        from molt.formats import message as messages
        from molt.memory import judging, projections
        from molt.memory.decay import fold as folds
        from molt.memory.decay import known
        from molt.repo.write import transaction

        who = actor or self.actor
        if not messages.is_valid_actor(who):
            kinds = ", ".join(kind for kind in messages.ACTOR_TYPES if kind != "manual")
            hint = f"`manual`, or TYPE:ID with a type of {kinds}, as in bot:main"
            raise errors.Usage(f"{who!r} is no actor", hint)
        make_change = self._refuse_ignored(make_change)
        context = judging.context_for(
            self.repo,
            self.repo.tip(),
            actor=who,
            ordered=lambda blob: known.is_ordered(self.repo.cache, blob),
        )
        # Who may write only some files must not be refused for bookkeeping.
        if dry_run or who.startswith(("subagent:", "skill:", "reflection:")):
            done = transaction.commit(
                self.repo, make_change, context, dry_run=dry_run, deadline=self.patience
            )
        else:
            folded = folds.fold_uses(self.repo, make_change, now)
            made = transaction.commit(self.repo, folded, context, deadline=self.patience)
            done = folds.finish(self.repo, made)
        if done.oid:
            projections.freshen_all(self.repo, done)
        return done

    def _refuse_ignored(self, make_change: MakeChange[T]) -> MakeChange[T]:
        """The same change, but for a new file that git ignores: nobody would search it."""

        def make_kept_change(tree: Tree) -> Change[T]:
            made = make_change(tree)
            edits = made.edits
            fresh = [path for path in edits if edits[path] is not None and not tree.entry(path)]
            if fresh:
                ignores.require_kept(self.repo, fresh)
            return made

        return make_kept_change

    def freshen(self) -> None:
        """Bring up all that is derived from this workspace; a failure is noted, never raised."""
        from molt.memory import projections

        projections.freshen_all(self.repo)


def find(start: str, actor: str = "", kept: Kept | None = None) -> Workspace:
    """The workspace that a folder is in. Raises NotFound where there is none, and Failed where
    its format is newer than this molt.
    """
    repositories.leave_hook(start)
    repo = repositories.find_repo(start)
    tip = repo.tip()
    tree = repo.tree(tip)
    if tip is None or (tree.entry(config.PATH) is None and not _had_settings(repo, tip)):
        raise errors.NotFound(f"{repo.root} is no workspace yet", "`molt init` makes it one")
    if not config.is_settled(repo.cache, config.find_id(tree)):
        # Hardly a call finds settings that are new.
        from molt.memory.held import quarantine

        quarantine.settle_settings(repo)
    settings, warnings = config.load_in_force(tree, repo.cache)
    warnings += _finish_interrupted(repo)
    if newer := config.describe_newer_format(settings):
        raise errors.Failed(*newer)
    if consent.is_inward(settings):
        return Workspace(repo, settings, warnings, actor, kept)
    from molt.memory.consents import wishes

    asked = wishes.list_wishes(repo, settings)
    missing = [one for one in asked if not one.given]
    warnings += tuple(one.refusal for one in missing)
    settings = consent.withhold(settings, missing)
    return Workspace(repo, settings, warnings, actor, kept, asked)


def _finish_interrupted(repo: Repo) -> tuple[str, ...]:
    """Write what an interrupted write has committed and not put on disk: the next `git commit -a`
    would take it back. Gives what keeps it from being written.
    """
    if not os.path.lexists(f"{repo.molt_dir}/txn"):
        return ()
    # Only a write needs it otherwise.
    from molt.repo.write import transaction

    said = transaction.recover_abandoned(repo)
    return (said,) if said else ()


def _had_settings(repo: Repo, tip: str) -> bool:
    """Whether there was a workspace before, whose settings were taken away. Folders alone make
    none: nothing is promised of what was there before the adoption.
    """
    return bool(repo.run("rev-list", "-1", tip, "--", config.PATH).strip())


def find_actor(repo: Repo, actor: str = "") -> str:
    """Who acts: as the call (`actor`), the environment or git's configuration says, else as where
    this runs tells; empty for nobody.
    """
    return surroundings.find_actor(actor, lambda: repo.config("molt.actor"))


def find_decider(ws: Workspace) -> str:
    """Who acts where a person alone may: who is not named is none."""
    return find_actor(ws.repo, ws.named) or surroundings.DECIDER


def require_person(ws: Workspace, deed: str) -> str:
    """Who acts. Raises Refused where that is no person, who alone does such a deed."""
    actor = find_decider(ws)
    if actor != surroundings.PERSON:
        raise make_person_error(f"{actor} does not {deed}")
    return actor


def require_approver(ws: Workspace, deed: str, *, asked: bool = False) -> str:
    """Who acts. Raises Refused for who is no person, by the call and by the environment, whatever
    the call says: who proposes does not approve. Commands that an agent runs are nobody's word
    either, where the person was not `asked` by the program itself.
    """
    host = "" if asked else surroundings.find_host()
    if host:
        said = f"a command that {host} runs does not {deed}"
        raise errors.Refused(said, "a person does, in a terminal of their own")
    named = os.environ.get("MOLT_ACTOR") or ws.repo.config("molt.actor") or surroundings.PERSON
    # A host that has asked its user has done so for the bot that its settings name.
    if named != surroundings.PERSON and not (asked and named.startswith("bot:")):
        raise make_person_error(f"{named} does not {deed}")
    return require_person(ws.replace(named=ws.named or surroundings.PERSON) if asked else ws, deed)


_AS_PERSON = "a person does, in a terminal or as `--actor manual`, without MOLT_ACTOR or molt.actor"


def make_person_error(said: str) -> errors.Refused:
    """The error of what only a person does, and somebody else has tried."""
    return errors.Refused(said, _AS_PERSON)
