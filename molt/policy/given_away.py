"""What a commit gives away, in three classes: what is certain is blocked, what is likely is asked
about, and of the rest a word is said.
"""

from __future__ import annotations

from itertools import groupby

from molt import trees
from molt.policy import allowed, leaks, names, ranks, secrets, sensitivity, texts
from molt.policy.budget import Budget
from molt.policy.engine import Fault, Judged
from molt.policy.secrets.form import SecretForm
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# As many characters tell a value from others: shorter ones stand in a text by chance.
_TELLING = 8
_LONG = 2000
"""Characters from which on to search a line again takes longer than to know it again."""
_MOST = 50_000
"""Places that may hold a secret which are read for one commit: about half a second."""
_MOST_MARKED = 50_000
"""Places with a mark of its own (`ghp_`) which are read beside them: bulk has none of these."""
_MOST_SHORT = 20
"""Short values that are looked for in what the files of a commit were before."""
_PIECE = 64
"""Characters of a line that take as long to read for shapes as one or two marks do."""
_LONGEST_MESSAGE = 1 << 18
"""Characters of a message that is read, trailers and all."""
_END = 200
"""Characters of a known line that are searched again: they may announce what stands below."""
_PDF = b"%PDF-"
"""How a file begins that is no text to read, though all of it can be ASCII."""
_TESTS = frozenset(("test", "tests", "__tests__", "spec", "fixtures", "testdata"))
_NAMED = ("secret", "PIN", "credentials in a header")
"""What only the words before it tell, and nothing of its own."""
_MADE = (*_NAMED, "password", "private key of a wallet")
_KEPT = (".netrc", ".npmrc", ".pgpass", ".pypirc")
"""Files of programs that hold what opens something."""
_KEEPING = ("auth", "credential", "key", "passw", "secret", "token")
"""What a file of data is called that holds it: `.dropbox_auth.json`, `client_secrets.json`."""


def may_tell(text: str) -> bool:
    """Whether anything in a text tells of a secret."""
    return bool(secrets.suspects(secrets.KNOWN.drop_plain(text)))


def find_all(judged: Judged, written: Sequence[str]) -> Iterator[Fault]:
    """What the files that a commit writes, their names, and what is said beside them give away."""
    budget = Budget(_MOST)
    added = [change.path for change in judged.changes if change.status == "A"]
    message = judged.message.text if judged.message else ""
    if len(message) > _LONGEST_MESSAGE:
        yield _tell_unread("", "its message")
        message = ""
    headers = judged.context.headers
    for said in (
        [(path.replace("\n", " "), path, "its name") for path in added],
        [(row, "", "the message") for row in message.split("\n")],
        [(row, "", "the name of who made it, or another header") for row in headers.split("\n")],
    ):
        yield from _find_said(judged, said, budget)
    if budget.is_over:
        yield _tell_unread("", "what is said beside its files")
    # What agents read, and what is there to hold secrets, comes before what is only there in bulk.
    sooner = sorted(written, key=lambda path: not _is_sooner(judged, path))
    yield from _find_written(judged, sooner, budget)


def _find_said(
    judged: Judged, said: Sequence[tuple[str, str, str]], budget: Budget
) -> Iterator[Fault]:
    """The faults of lines that are in no file, each with the path that it is of and what it is."""
    rows = [row for row, _, _ in said]
    for at, few in _narrow(rows, secrets.suspects("\n".join(rows)), budget):
        row, path, where = said[at]
        for kind, name in _tell_secrets(row, few):
            found = _make_fault(judged, (path, 0), kind, f"{name} in {where}", soft=False)
            yield found.replace(hint="rename it, and rotate it" if path else "take it out")


def _find_written(judged: Judged, written: Sequence[str], budget: Budget) -> Iterator[Fault]:
    bare: set[str] = set()
    found: list[tuple[Fault, tuple[str, ...]]] = []
    unread = ""
    for path in written if not budget.is_over else ():
        found += _find_secrets(judged, path, _read_lines(judged, path, bare), budget, bare)
        if budget.is_over:
            unread = path
            found += _find_marked(judged, written[written.index(path) :])
            break
    found = list(dict.fromkeys(found))
    # What is known is told apart first: of many lines that are, the last may be the new one.
    for _, faults in groupby(_soften_known(judged, found), lambda fault: fault.path):
        yield from leaks.limit(faults)
    if unread:
        soft = judged.is_person or judged.init or not _is_sooner(judged, unread)
        yield _tell_unread(unread, "this, with the files behind it,").replace(soft=soft)


def _find_marked(judged: Judged, written: Sequence[str]) -> Iterator[tuple[Fault, tuple[str, ...]]]:
    """What has a mark of its own in files that are not read for all else: the faults, each with
    what the line gives away.
    """
    budget = Budget(_MOST_MARKED)
    for path in written:
        yield from _find_secrets(judged, path, _read_marked(judged, path), budget)
        if budget.is_over:
            yield _tell_unread(path, "this, with the files behind it,"), ()
            return


def _is_sooner(judged: Judged, path: str) -> bool:
    return leaks.is_read(judged, path) or _is_keeper(path)


def _tell_unread(path: str, what: str) -> Fault:
    wrong = f"more may hold a secret than is read for one commit: {what} is not"
    return Fault(path, 0, wrong, "commit less at once")


def _narrow(
    rows: Sequence[str], likely: secrets.Suspects, budget: Budget
) -> Iterator[tuple[int, secrets.Suspects]]:
    """The places in some lines that are to be read, each with what for, as long as may be."""
    for at, few in secrets.narrow(rows, likely, budget.left + 1):
        if not budget.take(_count_places(rows[at], few)):
            return
        yield at, few


def _count_places(line: str, few: secrets.Suspects) -> int:
    """How many places of a line have to be read for what it may hold: each mark of it, and the
    pieces that may have a shape.
    """
    lower, count = line.lower(), len(few) + len(line) // _PIECE
    for _, reader, tells in few:
        if isinstance(reader, SecretForm):
            count += sum(map(line.count, reader.words.split()))
        else:
            count += sum(map(lower.count, tells))
    return count


def _soften_known(judged: Judged, found: list[tuple[Fault, tuple[str, ...]]]) -> Iterator[Fault]:
    """The faults, as warnings where a person gives away nothing that the commit before does not:
    what is in history is not made worse by being there again.
    """
    values = {value for fault, some in found if not fault.soft for value in some}
    known = _list_known(judged, values) if judged.is_person and values else frozenset()
    for fault, some in found:
        yield fault.replace(soft=fault.soft or (bool(some) and known.issuperset(some)))


def _list_known(judged: Judged, values: set[str]) -> frozenset[str]:
    """Which of some values the commit before gives away: long ones anywhere; of others the first
    ones, where a file that changes told of them as it does now.
    """
    holds, telling = judged.context.holds, sorted(filter(_is_telling, values))
    known = holds(telling) if holds and telling else frozenset()
    others = sorted(values.difference(telling))[:_MOST_SHORT]
    olds = (change.path for change in judged.changes if change.old and others)
    rows = (row for path in olds for row in trees.read_text(judged.base, path).split("\n"))
    told = (row for row in rows if any(value in row for value in others))
    return known.union(row[at:end] for row in told for at, end, _ in secrets.find(row))


def _is_telling(value: str) -> bool:
    """Whether a value is long enough to be no other one by chance."""
    return len(value) >= _TELLING and not value.isdigit()


def _find_secrets(
    judged: Judged, path: str, gained: GainedLines, budget: Budget, bare: set[str] | None = None
) -> Iterator[tuple[Fault, tuple[str, ...]]]:
    """The faults of what a file gains, each with what the line gives away. `bare` are the ids of
    files, and the long lines, that hold nothing: of what is installed, every third is there twice,
    and the pages that a program makes have the same script in them.
    """
    taken_over, tried = leaks.is_taken_over(path), _is_test(path)
    telling = set[int]()
    for at, few in _narrow(gained.searched, gained.likely, budget):
        (number, whole), line = gained.rows[at], gained.searched[at]
        found = secrets.find(line, few)
        if found:
            telling.add(at)
        if judged.is_person and allowed.MARK in whole:
            continue
        if found and allowed.hash_line(whole) in _read_allowed(judged):
            continue
        values = tuple(line[start:end] for start, end, _ in found)
        # A person writes manuals.
        shown = all(_is_shown(line[start:end], kind) for start, end, kind in found)
        built = names.is_built(path) and all(kind in _MADE for _, _, kind in found)
        for kind, said in _tell_found(line, found):
            soft = judged.init or taken_over or (tried and _is_made_up(line, kind, found))
            soft = soft or (judged.is_person and (shown or built))
            soft = soft or _is_own_affair(judged, path, kind)
            yield _make_fault(judged, (path, number), kind, said, soft=soft), values
    if gained.for_all and bare is not None:
        long = (at for at, line in enumerate(gained.searched) if len(line) >= _LONG)
        bare.update(gained.searched[at] for at in long if at not in telling)


class GainedLines(Value):
    """The lines that a file gains, with their numbers; of each what is to be searched; what for;
    and whether that is all that there is, for which a text is searched.
    """

    rows: Sequence[tuple[int, str]]
    searched: Sequence[str]
    likely: secrets.Suspects
    for_all: bool


def _read_lines(judged: Judged, path: str, bare: set[str]) -> GainedLines:
    taken_over, entry = leaks.is_taken_over(path), judged.new.entry(path)
    if taken_over and entry and entry.oid in bare:
        return GainedLines((), (), (), False)
    data = judged.new.read(path) or b""
    if taken_over or (not leaks.is_text(path) and (texts.is_binary(data) or data.startswith(_PDF))):
        marked = _read_marked(judged, path)
        if entry and not marked.likely:
            bare.add(entry.oid)
        return marked
    rows = judged.added(path)
    lines = [line[-_END:] if line in bare else line for _, line in rows]
    return GainedLines(rows, lines, secrets.suspects("\n".join(lines)), True)


def _read_marked(judged: Judged, path: str) -> GainedLines:
    """What a file gains, to be searched for what has a mark of its own alone."""
    likely = secrets.suspects_of_binary(texts.narrow(judged.new.read(path) or b""))
    rows = judged.added(path) if likely else ()
    return GainedLines(rows, [line for _, line in rows], likely, False)


def _is_own_affair(judged: Judged, path: str, kind: str) -> bool:
    """Whether it is a person's own affair what something is: it is likely only by the words beside
    it, and stands in a program, a log or data that nobody here reads, and whose name does not say
    that it keeps such things. There every other thing is called a token or a pass.
    """
    if not judged.is_person or ranks.rank_kind(kind, judged.config.policy_secrets) != ranks.ASK:
        return False
    plain = sensitivity.classify(path, judged.config) == sensitivity.STANDARD
    return plain and not leaks.is_read(judged, path) and not _is_keeper(path)


def _is_keeper(path: str) -> bool:
    """Whether a file is there to hold what opens something, by its name: `.env`, `prod.env`."""
    name = path.rpartition("/")[2].lower()
    if name.startswith(".env") or name.endswith((".env", *_KEPT)):
        return True
    return name.endswith(leaks.TEXTS) and any(word in name for word in _KEEPING)


def _is_shown(value: str, kind: str) -> bool:
    """Whether a value is made up to be shown; one with a mark of its own is a token whatever it
    looks like, but for those that were published.
    """
    return secrets.is_of_manual(value) or (kind in _NAMED and secrets.is_counted(value))


def _make_fault(
    judged: Judged, place: tuple[str, int], kind: str, said: str, *, soft: bool
) -> Fault:
    """What is said of one thing that is given away, by its class."""
    rank = ranks.rank_kind(kind, judged.config.policy_secrets)
    path, number = place
    if rank == ranks.WARN:
        wrong = f"{said} stands in plain text: {rank}"
        return Fault(path, number, wrong, "no harm where it is meant to be", soft=True)
    wrong, hint = f"{said} is given away: {rank}", "take it out and rotate it"
    if rank == ranks.ASK:
        wrong = f"{said} seems to be given away: {rank}"
        who = "" if judged.is_person else "; only a person can say that it is none"
        hint = f"take it out, and rotate it if it is one{who}"
    return Fault(path, number, wrong, hint + _tell_ways(judged, path, number), soft=soft)


def _tell_ways(judged: Judged, path: str, number: int) -> str:
    """The commands that help where something is no secret, or is no file for git; for a commit that
    is to be made, as what is in history stays there.
    """
    ways = ""
    if not path or judged.context.commit:
        return ways
    if judged.is_person:
        place = names.quote_path(f"{path}:{number}")
        ways = f'; or say that it is none: `molt check --allow {place} --why "…"`'
    if not leaks.is_read(judged, path):
        # What a program writes, as a cache of tokens, nobody can take a line out of.
        out = f"git rm --cached {names.quote_path(path)}"
        ways += f"; or git leaves the file out: `{out}`, a line in .gitignore"
    return ways


def _read_allowed(judged: Judged) -> frozenset[str]:
    """The lines that were allowed before, and those that a person allows with this commit."""
    before = allowed.read_hashes(judged.base)
    return before | allowed.read_hashes(judged.new) if judged.is_person else before


def _is_test(path: str) -> bool:
    """Whether a file tests a program, and so is full of what it makes up."""
    folders, _, name = path.rpartition("/")
    named = any(mark in name for mark in (".test.", ".spec.", "_test."))
    named = named or (name.startswith("test_") and name.endswith(".py"))
    return not leaks.is_below_memory(path) and (named or not _TESTS.isdisjoint(folders.split("/")))


def _is_made_up(line: str, kind: str, found: Iterable[secrets.Found]) -> bool:
    """Whether what is found of a kind in a line of a test has no mark of its own, or goes through
    the alphabet.
    """
    if all(secrets.is_alphabet(line[start:end]) for start, end, one in found if one == kind):
        return True
    marked = secrets.suspects_of_binary(line.encode("utf-8", "replace"))
    return kind not in dict(_tell_secrets(line, marked))


def _tell_secrets(line: str, likely: secrets.Suspects | None = None) -> Iterator[tuple[str, str]]:
    """What a line gives away, each kind once: it, and its name with as much as finds it again."""
    return _tell_found(line, secrets.find(line, likely))


def _tell_found(line: str, found: tuple[secrets.Found, ...]) -> Iterator[tuple[str, str]]:
    told: set[str] = set()
    for start, end, kind in found:
        if kind not in told:
            told.add(kind)
            yield kind, f"{kind} ({line[start : min(start + 4, (start + end) // 2)]}…)"
