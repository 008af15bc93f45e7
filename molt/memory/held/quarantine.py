"""Commits that break a rule and got in anyway: what they brought is held back until it is mended,
reverted, or accepted by a person.

A commit may skip every hook, or come by a merge that a forge made. The next reader finds out: what
is new since the last look is judged, once. A look that finds nothing new costs a small file; what
molt has committed itself, or a hook has judged, is known by a note and needs no judging.

Held back is what a commit brought to the files in which it breaks a rule, or to all where the rule
is of the commit as a whole: the lines with words that a file has after it, and that neither
it nor another file that the commit changed had before. A line goes free where a commit without a
fault writes it, and follows where one moves it to another file.
"""

from __future__ import annotations

from molt import config, errors
from molt.memory.held import withheld
from molt.memory.held.withheld import NOTHING, Held, HeldCommit
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.repo.repository import Repo

_PROPOSES = "Actor: reflection:"
"""What was judged on the branch of a reflection was judged for no other."""
_NEAR = 64
"""Commits that are looked up one by one; of more, git lists them."""


def freshen_held(repo: Repo) -> Held:
    """What is held back now; new commits are judged first.

    Where they cannot be judged it is what was known before: that a memory can be read at all
    comes first, and `molt verify` says what is wrong.
    """
    known = withheld.load(repo.git_dir)
    tip = repo.tip()
    if tip is None:
        return NOTHING
    if known is not None and known.head == tip:
        return known
    try:
        made = known and _follow_passed(repo, known, tip)
        if made is None:
            # What judges takes longer to import than a whole search.
            from molt.memory.held import quarantine_judged

            made = quarantine_judged.follow_history(repo, known or NOTHING, tip)
        if _is_proposed(repo):
            # What may be proposed here was judged for no other branch.
            return made
        withheld.save(repo.git_dir, made)
        note_settings(repo, made, tip)
        withheld.forget_passed(repo.git_dir)
    except (errors.MoltError, OSError):
        return known or NOTHING
    return made


def settle_settings(repo: Repo) -> None:
    """Judge what has changed the settings since somebody looked, so that those are in force which
    are trusted. On the branch of a reflection nothing is: what is found out there is not kept.
    """
    tip = repo.tip()
    if config.is_settled(repo.cache, config.find_id(repo.tree(tip))):
        return
    if not _is_proposed(repo):
        held = freshen_held(repo)
        # A cache may be deleted at any time: what was found out stands in the quarantine too.
        if tip and held.head == tip:
            note_settings(repo, held, tip)


def _is_proposed(repo: Repo) -> bool:
    """Whether HEAD is on the branch of a reflection."""
    # A search, which asks only where there is a new commit, would import a fiftieth more.
    from molt.formats.reflections import refs

    return bool(refs.find_id(repo.branch() or ""))


def note_settings(repo: Repo, held: Held, tip: str) -> None:
    """Note which settings are in force, in place of those that are held back."""
    swaps = {
        oid: withheld.read_blob(repo, before)
        for oid, (before, _) in held.blobs.get(config.PATH, {}).items()
    }
    config.settle(repo.cache, config.find_id(repo.tree(tip)), swaps)


def _follow_passed(repo: Repo, known: Held, tip: str) -> Held | None:
    """What is held back where all that is new was judged before it was made, and touches nothing of
    it; None where somebody has to look closer.
    """
    from molt.repo.commits import Commit

    passed = withheld.list_passed(repo.git_dir)
    oid = tip
    for _ in range(_NEAR if passed else 0):
        found = repo.reader.ask([oid])[0]
        if found is None or found[1] != "commit":
            return None
        made = Commit(oid, found[2])
        name = withheld.name_commit(made.tree, made.parents, made.message)
        if len(made.parents) != 1 or not passed.intersection((oid, name)) or made.odd:
            return None
        if _PROPOSES in made.message:
            return None
        if known.commits and withheld.mentions_commits(made.message):
            return None
        oid = made.parents[0]
        if oid == known.head:
            before, after = repo.tree(oid), repo.tree(tip)
            held = (*known.lines, *known.blobs)
            same = all(before.entry(path) == after.entry(path) for path in held)
            return known.replace(head=tip) if same else None
    return None


class Quarantined(Value):
    """A commit whose part of the memory is held back: rules, how many lines stand, in which files,
    and the commands that show and accept it.
    """

    commit: str
    codes: tuple[str, ...]
    lines: int
    files: tuple[str, ...]
    look: str
    then: str


def list_quarantined(held: Held) -> tuple[Quarantined, ...]:
    """The commits that break rules and were neither mended nor reverted nor accepted."""
    return tuple(_list_open(held))


def _list_open(held: Held) -> Iterator[Quarantined]:
    files = _list_files(held)
    counts = held.count_lines()
    for one in held.commits:
        standing = counts.get(one.oid, 0)
        stands = standing or one.oid in files
        # One that brought nothing, as by taking a memory away, can only be accepted or reverted.
        if not one.open or one.reverted or (one.brought and not stands):
            continue
        look = f"git show {one.oid[:10]}"
        yield Quarantined(one.oid, one.open, standing, files.get(one.oid, ()), look, tell_way(one))


def tell_way(one: HeldCommit) -> str:
    """The command that ends it: a person accepts, or where nobody can, reverts."""
    if set(one.open) & set(one.final):
        return f"git revert {one.oid[:10]}"
    return f'molt accept {one.oid[:10]} --why "…"'


def _list_files(held: Held) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    whole = ((path, [oid for _, oid in some.values()]) for path, some in held.blobs.items())
    parts = ((path, texts.values()) for path, texts in held.lines.items())
    for path, oids in (*parts, *whole):
        for oid in dict.fromkeys(oids):
            found.setdefault(oid, []).append(path)
    return {oid: tuple(sorted(some)) for oid, some in found.items()}


def tell_held(found: Sequence[Quarantined]) -> str:
    """In one line that something is held back, and who says more; empty where nothing is."""
    some = [one for one in found if one.lines]
    if not some:
        return ""
    lines = sum(one.lines for one in some)
    commits = f"{len(some):,} commit{'s break rules' if len(some) != 1 else ' breaks rules'}"
    left = f"{lines:,} line{'s' * (lines != 1)} of it held back"
    return f"{commits}, {left}: `molt status` says which, `molt verify` why"
