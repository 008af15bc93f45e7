"""Numbered steps in notes, as procedures: those below a title that says how something is done, and
those that two notes tell.
"""

from __future__ import annotations

from molt.formats.reflections.plan import LABEL, MOST_ITEMS, TEXT, Operation
from molt.memory.reflect.rules import procedures
from molt.memory.reflect.rules.notes import note_cues, prose
from molt.memory.reflect.rules.ranked import RankedOperation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.formats.prose.notes import NotePiece
    from molt.memory.reflect.material.material import ReflectionMaterial

_FEWEST, _A_NIGHT = 3, 3
"""Two steps are a sentence; and what a person has to review of a night stays short."""
_HOW = ("how to", "procedure", "workflow", "playbook", "runbook", "checklist", "sop", "steps to")
_HOW_ZH = ("流程", "操作步骤", "操作指南", "检查清单", "使用方法", "做法", "SOP")


def propose_steps(material: ReflectionMaterial) -> Iterator[RankedOperation]:
    """Procedures for the steps of new notes; none that memory has already."""
    known = [procedures.fold_steps(one.steps) for one in material.procedures.values()]
    lists = [one for one in list_steps(material.notes.pieces) if _are_steps(one)]
    folded = [procedures.fold_steps(tuple(each.text for each in one)) for one in lists]
    count = 0
    for at in range(len(lists) - 1, -1, -1):
        one, words = lists[at], folded[at]
        others = [
            other[0].path
            for other, said in zip(lists, folded, strict=True)
            if other[0].path != one[0].path and procedures.is_same(words, said)
        ]
        title = _find_title(one)
        told = _says_how(title) or (others and not note_cues.heads_no_steps(title))
        if not told or not title or any(procedures.is_same(words, old) for old in known):
            continue
        known.append(words)
        count += 1
        if count > _A_NIGHT:
            return
        steps = [prose.clean_text(each.text) for each in one]
        reason = "more than one note tells it" if others else "the note says that it is done so"
        bearing = tuple(dict.fromkeys(each.id for each in one))
        args = {"title": title, "steps": steps}
        yield RankedOperation(3.2, Operation("upsert-procedure", args, bearing, reason))


def list_steps(pieces: Sequence[NotePiece]) -> Iterator[tuple[NotePiece, ...]]:
    """The runs of steps that count up from 1, each below one title."""
    run: list[NotePiece] = []
    for one in pieces:
        goes_on = run and one.path == run[-1].path and one.titles == run[-1].titles
        if goes_on and one.step == run[-1].step + 1:
            run.append(one)
        elif goes_on and not one.step and one.depth > run[-1].depth:
            continue
        else:
            yield from [tuple(run)] if len(run) >= _FEWEST else []
            run = [one] if one.step == 1 else []
    yield from [tuple(run)] if len(run) >= _FEWEST else []


def _are_steps(run: Sequence[NotePiece]) -> bool:
    """Whether a run tells what to do, and not what was done, found or offered."""
    if len(run) > MOST_ITEMS or note_cues.is_foreign((*run[0].titles, run[0].lead)):
        return False
    texts = [prose.clean_text(one.text) for one in run]
    done = sum(_is_done(one.text) for one in run)
    linked = sum("://" in text for text in texts)
    if linked * 3 > len(run):
        return False
    fit = all(2 < len(text) <= TEXT and not text.endswith(("?", "？")) for text in texts)
    return fit and not any(one.box for one in run) and done * 3 < len(run)


def _is_done(text: str) -> bool:
    first = next(iter(prose.clean_text(text).split()), "").casefold().strip(":,.")
    return (
        text.startswith(note_cues.STATES)
        or "✅" in text
        or first.endswith("ed")
        or "已" in text[:8]
    )


def _find_title(run: Sequence[NotePiece]) -> str:
    for said in (run[0].lead, *reversed(run[0].titles)):
        title = prose.clean_text(said).rstrip(":： ")
        if 2 < len(title) <= LABEL and any(map(str.isalpha, title)):
            return title
    return ""


def _says_how(title: str) -> bool:
    low = note_cues.pad_words(title)
    return any(f" {one} " in low for one in _HOW) or any(one in title for one in _HOW_ZH)
