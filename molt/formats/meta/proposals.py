"""The proposals of sub-agents in pending-memories.md."""

from __future__ import annotations

from molt import values
from molt.formats import lines, paths
from molt.values import Value

TITLE = "# Pending Memory Proposals"
NOTE = "<!-- Sub-agents append proposals here. Main agent reviews and commits. -->"
CONFIDENCES = ("high", "medium", "low")
CONFLICT = "⚠️ CONFLICT"
_HEAD = "## Proposal #"
_DIGITS = 9
"""More digits number no proposal, and Python reads no number of thousands."""
_KEYS = (
    ("Id", "id"),
    ("From", "agent"),
    ("Timestamp", "timestamp"),
    ("Trigger", "trigger"),
    ("Suggested store", "store"),
    ("Content", "content"),
    ("Entities", "entities"),
    ("Confidence", "confidence"),
    ("Core-worthy", "core_worthy"),
    ("Status", "status"),
)
_NAMES = {key.lower(): name for key, name in _KEYS}


class Proposal(Value):
    """What a sub-agent would have remembered. `fields` are further bullets; `start` and `end`
    its lines in the file, from 1, inclusive; number 0 and an empty id are given by `append`.
    """

    agent: str
    content: str
    timestamp: str = ""
    trigger: str = ""
    store: str = "episodic"
    entities: tuple[str, ...] = ()
    confidence: str = "medium"
    core_worthy: bool = False
    status: str = "pending"
    id: str = ""
    number: int = 0
    flag: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    start: int = 0
    end: int = 0


def _parse_number(row: str) -> tuple[int, str] | None:
    """Number and flag (`⚠️ CONFLICT with #4`) of a proposal's heading line; None for others."""
    if not row.startswith(_HEAD):
        return None
    rest = row[len(_HEAD) :]
    number, _, flag = rest.strip().partition(" ")
    plain = number.isascii() and number.isdigit() and len(number) <= _DIGITS
    return (int(number), flag.strip()) if plain else None


def list_pending(text: str) -> tuple[Proposal, ...]:
    """The proposals of a file that await a decision, in order."""
    # A conflict is a pending proposal whose status says so (`conflict — see #4`).
    waiting = ("pending", "conflict", "deferred")
    return tuple(one for one in parse_proposals(text) if one.status.partition(" ")[0] in waiting)


@values.keep_last
def parse_proposals(text: str) -> tuple[Proposal, ...]:
    """The proposals of a file, in order; what is none is left out."""
    rows = lines.bare_lines(text)
    starts = [number for number, row in enumerate(rows) if _parse_number(row)]
    ends = [*starts[1:], len(rows)]
    return tuple(_parse_proposal(rows, *span) for span in zip(starts, ends, strict=False))


def _parse_proposal(rows: list[str], start: int, end: int) -> Proposal:
    while end > start + 1 and rows[end - 1].strip() in ("", "---"):
        end -= 1
    said, fields = _parse_bullets(rows[start + 1 : end])
    number, flag = _parse_number(rows[start]) or (0, "")
    entities = said.get("entities", "").removeprefix("[").removesuffix("]").split(",")
    return Proposal(
        agent=said.get("agent", ""),
        content=said.get("content", ""),
        timestamp=said.get("timestamp", ""),
        trigger=said.get("trigger", ""),
        store=said.get("store", ""),
        entities=tuple(entity.strip() for entity in entities if entity.strip()),
        confidence=said.get("confidence", ""),
        core_worthy=said.get("core_worthy", "").lower() in ("yes", "true"),
        status=said.get("status", "pending"),
        id=said.get("id", ""),
        number=number,
        flag=flag,
        fields=tuple(fields),
        start=start + 1,
        end=end,
    )


def _parse_bullets(rows: list[str]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    pairs: list[tuple[str, str]] = []
    for row in rows:
        key, found, value = row.partition("**:")
        if key.startswith("- **") and found:
            pairs.append((key[4:].strip(), value.strip()))
        elif row.strip() and pairs:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]}\n{row.strip()}")
    said: dict[str, str] = {}
    fields: list[tuple[str, str]] = []
    for key, value in pairs:
        name = _NAMES.get(key.lower())
        if name is None or name in said:
            fields.append((key, value))
        else:
            said[name] = value
    return said, fields


def malformed_proposals(text: str, *, strict: bool = False) -> tuple[tuple[int, str], ...]:
    """What in a file is not a well-formed proposal: (line, why) for each, in order. A proposal may
    leave out store and confidence, as the seed's do; `strict` is for what is written now.
    """
    rows = lines.bare_lines(text)
    proposals = parse_proposals(text)
    heads = frozenset(one.start for one in proposals)
    covered = {line for one in proposals for line in range(one.start, one.end + 1)}
    found: list[tuple[int, str]] = []
    for number, row in enumerate(rows, 1):
        plain = row.strip() in ("", "---", TITLE) or row.startswith("<!--")
        if row.startswith("#") and row != TITLE and number not in heads:
            found.append((number, "a heading that starts no proposal: ## Proposal #N"))
        elif not plain and number not in covered:
            found.append((number, "text outside a proposal"))
    for one in proposals:
        found += [(one.start, why) for why in find_faults(one, strict=strict)]
    return tuple(sorted(found))


def find_faults(one: Proposal, *, strict: bool = True) -> tuple[str, ...]:
    """What a proposal lacks, what its values cannot be, and what it says twice; what it may leave
    out is a fault only where it is read in the `strict` form.
    """
    faults = [f"no {name}" for name in ("agent", "content") if not getattr(one, name)]
    if one.store not in paths.STORE_NAMES and (one.store or strict):
        faults.append(f"unknown store {one.store!r}; one of {', '.join(paths.STORE_NAMES)}")
    if one.confidence not in CONFIDENCES and (one.confidence or strict):
        faults.append(f"unknown confidence {one.confidence!r}; one of {', '.join(CONFIDENCES)}")
    # Of a line that is there twice, the first counts, and the second stays among the others.
    faults += [f"a second line **{key}**" for key, _ in one.fields if key.lower() in _NAMES]
    return tuple(faults)


def _inline_text(text: str) -> str:
    return lines.one_line(text)


def render_proposal(one: Proposal) -> str:
    """A proposal in the canonical form, with LF and a final newline; each value is one line."""
    rows = [f"## Proposal #{one.number} {one.flag}".rstrip()]
    for key, name in _KEYS:
        value = getattr(one, name)
        if name == "entities":
            value = f"[{', '.join(map(_inline_text, value))}]"
        elif name == "core_worthy":
            value = "yes" if value else "no"
        if value or name != "id":
            rows.append(f"- **{key}**: {_inline_text(value)}".rstrip())
    rows += [
        f"- **{_inline_text(key)}**: {_inline_text(value)}".rstrip() for key, value in one.fields
    ]
    return "\n".join(rows) + "\n"


def append_proposal(text: str | None, proposal: Proposal) -> str:
    """The file with a proposal added under the next number; the text before is its prefix."""
    text = text or f"{TITLE}\n{NOTE}\n"
    known = parse_proposals(text)
    if not proposal.number:
        proposal = proposal.replace(number=max((one.number for one in known), default=0) + 1)
    if not proposal.id:
        proposal = proposal.replace(id=_choose_id(proposal, frozenset(one.id for one in known)))
    end = lines.detect_newline(text)
    before = text if text.endswith("\n") else f"{text}{end}"
    return before + f"---\n{render_proposal(proposal)}".replace("\n", end)


def _choose_id(one: Proposal, taken: frozenset[str]) -> str:
    from hashlib import sha256

    seed = "\0".join((one.agent, one.timestamp, one.content))
    for salt in range(len(taken) + 1):
        name = f"p-{sha256(f'{seed}{salt}'.encode('utf-8', 'replace')).hexdigest()[:8]}"
        if name not in taken:
            return name
    raise AssertionError("more ids than proposals")


def revise_proposal(
    text: str, proposal_id: str, *, status: str | None = None, flag: str | None = None
) -> str:
    """The file with another status of a proposal, or another mark (`CONFLICT`) at its heading; all
    else, further lines included, stays as it is written.
    """
    one = next((one for one in parse_proposals(text) if proposal_id in name_proposal(one)), None)
    if one is None:
        return text
    if flag is not None and flag != one.flag:
        head = f"{_HEAD}{one.number} {flag}".rstrip()
        text = lines.splice_lines(text, one.start - 1, one.start, [head])
    if status is not None and status != one.status:
        rows = lines.bare_lines(text)[one.start : one.end]
        said = f"- **Status**: {_inline_text(status)}"
        keys = [row.partition("**:")[0].strip().lower() for row in rows]
        at = one.start + keys.index("- **status") if "- **status" in keys else one.end
        text = lines.splice_lines(text, at, at + ("- **status" in keys), [said])
    return text


def name_proposal(one: Proposal) -> tuple[str, ...]:
    """What a proposal is called by: its id, and its number with or without `#`."""
    return (*filter(None, (one.id,)), f"#{one.number}", str(one.number))


def remove_proposal(text: str, proposal_id: str) -> str:
    """The file without the proposal of that id (or `#N`) and the rule above it."""
    for one in parse_proposals(text):
        if proposal_id in (one.id, f"#{one.number}"):
            rows = lines.split_lines(text)
            start = one.start - 1
            if start and rows[start - 1].strip() == "---":
                start -= 1
            return lines.splice_lines(text, start, one.end, ())
    return text
