"""Golden questions: what the memory must be able to answer, whatever is done to it."""

from __future__ import annotations

from molt import untrusted
from molt.formats import frontmatter, ids, lines
from molt.values import Value, ValueOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeVar

    T = TypeVar("T")
else:
    T = None

RESULTS = 5
"""Among so many results the answer must be, where a question does not say how many."""
MOST_RESULTS = 100
"""What stands further down than this nobody finds, and each costs reading."""
MOST = 500
"""Questions that are asked: a person writes some dozens, and each costs two searches."""
_LONGEST = 1_000
"""Characters of a text of a question."""
_MOST_PARTS = 20
"""Words and memories that an answer has."""
_HEADER = (
    "# Golden questions. A reflection that would answer one of them worse is not approved;",
    "# `molt question run` asks them, `molt question add` writes one.",
)
# What people call the parts, with the name that is written.
_KEYS = {
    "id": ("id",),
    "question": ("question", "q", "ask"),
    "expect": ("expect", "answer", "words"),
    "memories": ("memories", "memory", "ids"),
    "k": ("k",),
    "tags": ("tags",),
}
_KNOWN = tuple(name for names in _KEYS.values() for name in names)


class GoldenQuestion(Value):
    """A question with its answer: texts that stand in its first `k` results, and the ids of
    memories that are among them; there is one of these at least.
    """

    id: str
    question: str
    expect: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    k: int = RESULTS
    tags: tuple[str, ...] = ()


class QuestionFile(Value):
    """What a file of questions says: the questions, what is wrong with others or was guessed, and
    why nothing of it can be read; empty where it can.
    """

    questions: tuple[GoldenQuestion, ...] = ()
    problems: tuple[str, ...] = ()
    broken: str = ""


class _ItemReading(ValueOf[T]):
    """What a value says, and what is wrong with it."""

    value: T
    problems: tuple[str, ...] = ()


def parse_questions(text: str) -> QuestionFile:
    """The questions of a file; never raises. What has no question or no answer is left out."""
    try:
        items = _list_items(text)
    except ValueError as error:
        return QuestionFile(broken=str(error))
    found: list[GoldenQuestion] = []
    problems: list[str] = []
    taken: set[str] = set()
    for number, item in enumerate(items[:MOST], 1):
        read = _parse_item(item)
        problems += [f"question {number}: {said}" for said in read.problems]
        if read.value is None:
            continue
        one = read.value
        if one.id in taken:
            problems.append(f"question {number}: another one has the id {one.id}")
            one = one.replace(id=_find_free(one.id, taken))
        taken.add(one.id)
        found.append(one)
    if len(items) > MOST:
        problems.append(f"only the first {MOST} of {len(items):,} questions are asked")
    return QuestionFile(tuple(found), tuple(problems))


def _list_items(text: str) -> list[object]:
    """The items of the list in a text. Raises ValueError where there is none."""
    # Mostly there is no such file, and YAML takes longer to import than an approval takes to judge.
    data = untrusted.parse_yaml(text) if text else None
    if isinstance(data, dict) and set(data) == {"questions"}:
        data = data["questions"]
    if data is None:
        return []
    if not isinstance(data, list):
        raise ValueError("not a list of questions")
    return data


def _find_free(name: str, taken: set[str]) -> str:
    return next(one for n in range(2, MOST + 2) if (one := f"{name}-{n}") not in taken)


def _parse_item(item: object) -> _ItemReading[GoldenQuestion | None]:
    """The question of an item; None, with the reason, where it is none."""
    if not isinstance(item, dict):
        return _ItemReading(None, ("not a mapping of `question` and `expect`",))
    problems = [f"unknown key {str(key)[:40]!r}" for key in item if key not in _KNOWN]
    texts: dict[str, tuple[str, ...]] = {}
    for key in ("id", "question", "expect", "memories", "tags"):
        read = _read_texts([item[name] for name in _KEYS[key] if name in item])
        texts[key] = read.value
        problems += [f"{key}: {said}" for said in read.problems]
    most = item.get("k", RESULTS)
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_RESULTS:
        problems.append(f"k is no number from 1 to {MOST_RESULTS}; {RESULTS} holds")
        most = RESULTS
    asked = " ".join(texts["question"])
    if not asked:
        return _ItemReading(None, (*problems, "no `question`"))
    if not texts["expect"] and not texts["memories"]:
        return _ItemReading(None, (*problems, "no `expect` and no `memories`: any answer would do"))
    name = ids.slug(texts["id"][0]) if texts["id"] else name_question(asked)
    parts = (texts["expect"], texts["memories"], most, texts["tags"])
    return _ItemReading(GoldenQuestion(name, asked, *parts), tuple(problems))


def _read_texts(values: list[object]) -> _ItemReading[tuple[str, ...]]:
    """Texts or lists of them as texts of one line."""
    given = [one for value in values for one in (value if isinstance(value, list) else [value])]
    problems = []
    found = []
    for one in given[:_MOST_PARTS]:
        if isinstance(one, list | dict):
            problems.append("no text")
            continue
        if isinstance(one, bool | float):
            problems.append(f"{one} may be meant as other words; put them in quotes")
        iso = getattr(one, "isoformat", None)
        said = "" if one is None else lines.one_line(str(iso() if iso else one)).strip()
        if len(said) > _LONGEST:
            problems.append(f"more than {_LONGEST:,} characters")
        elif said:
            found.append(said)
    if len(given) > _MOST_PARTS:
        problems.append(f"more than {_MOST_PARTS} texts")
    return _ItemReading(tuple(dict.fromkeys(found)), tuple(problems))


def name_question(question: str) -> str:
    """The id of a question that says none."""
    return f"q-{ids.digest(question)}"


def render_question(one: GoldenQuestion) -> str:
    """The canonical text of a question: an item of the list."""
    rows = [f"- id: {frontmatter.render(one.id)}"]
    rows.append(f"  question: {frontmatter.render(one.question)}")
    for key, said in (("expect", one.expect), ("memories", one.memories)):
        rows += [f"  {key}: {frontmatter.render(said)}"] if said else []
    rows += [f"  k: {one.k}"] if one.k != RESULTS else []
    rows += [f"  tags: {frontmatter.render(one.tags)}"] if one.tags else []
    return "".join(f"{row}\n" for row in rows)


def render_questions(questions: tuple[GoldenQuestion, ...]) -> str:
    """The canonical text of a file of questions, with LF and a final newline."""
    head = "".join(f"{row}\n" for row in _HEADER)
    return "".join((head, *(f"\n{render_question(one)}" for one in questions)))


def add_question(text: str, one: GoldenQuestion) -> str:
    """The text with a question at its end; all that was there is its beginning.

    Raises ValueError where the file cannot be read, has the id, or is in a form of YAML that
    cannot be appended to.
    """
    known = parse_questions(text)
    if known.broken:
        raise ValueError(known.broken)
    if any(other.id == one.id for other in known.questions):
        raise ValueError(f"there is a question {one.id} already")
    if len(known.questions) >= MOST:
        raise ValueError(f"there are {MOST} questions already")
    if not text.strip():
        return render_questions((one,))
    indent = next((row[: -len(row.lstrip())] for _, row in _list_starts(text)), "")
    fresh = [f"{indent}{row}" for row in render_question(one).splitlines()]
    rows = lines.bare_lines(text)
    gap = [""] if rows and rows[-1].strip() else []
    changed = lines.splice_lines(text, len(rows), len(rows), [*gap, *fresh])
    changed = changed if changed.endswith("\n") else changed + lines.detect_newline(text)
    _require_same(changed, (*known.questions, one))
    return changed


def remove_question(text: str, name: str) -> str:
    """The text without the question of an id; all other lines stay as they are.

    Raises ValueError where there is none, or the file is in a form of YAML whose lines are not
    those of its questions.
    """
    known = parse_questions(text)
    if known.broken:
        raise ValueError(known.broken)
    if all(one.id != name for one in known.questions):
        raise ValueError(f"there is no question {name}")
    left = tuple(one for one in known.questions if one.id != name)
    rows = lines.bare_lines(text)
    starts = [number for number, _ in _list_starts(text)]
    for start, after in zip(starts, [*starts[1:], len(rows)], strict=True):
        stop = _find_end(rows, start, after)
        changed = lines.splice_lines(text, start, stop, ())
        if parse_questions(changed).questions == left:
            return changed
    raise ValueError("its lines are not a list of questions, each on its own")


def _list_starts(text: str) -> Iterator[tuple[int, str]]:
    """The numbers of the lines, from 0, at which items of the list begin, and the lines."""
    indent: str | None = None
    for number, row in enumerate(lines.bare_lines(text)):
        said = row.lstrip(" ")
        mark = row[: len(row) - len(said)]
        if (said.startswith("- ") or said == "-") and indent in (None, mark):
            indent = mark
            yield number, row


def _find_end(rows: list[str], start: int, after: int) -> int:
    """The line after an item that ends before another one; what stands between is of the next."""
    stop = after
    while stop > start + 1 and (not rows[stop - 1].strip() or rows[stop - 1].startswith("#")):
        stop -= 1
    return stop


def _require_same(text: str, wanted: tuple[GoldenQuestion, ...]) -> None:
    if parse_questions(text).questions != wanted:
        raise ValueError("it is in a form of YAML that cannot be appended to")
