"""The block in AGENTS.md and CLAUDE.md that tells an agent of molt; text around it is others'."""

from __future__ import annotations

from molt.formats import lines

BEGIN = "<!-- molt: begin"
END = "<!-- molt: end -->"
BLOCK = f"""{BEGIN} (molt keeps this block up to date; write outside of it) -->
## Memory

molt keeps your memory: plain Markdown in git, every change a commit that says who and why.

- **Core memory**, `MEMORY.md`, is always in your context: do not search for what it says. It has a
  cap (`molt status`).
- **Remember** ("remember", "don't forget", "keep in mind", "note that", "for future reference"):
  run `molt remember "…"`, one thing at a time, as the user said it; not where a note of molt's says
  that it is stored already. It needs no second diary.
- **Forget** ("forget about", "no longer relevant", "scratch that"): `molt forget "…"` shows what
  matches; ask the user, then run it again with `--yes`.
- **Reflect** ("reflect on", "consolidate", "clean up memory"): run `molt reflect` and show its
  summary. Nothing of it holds before the user approves.
- **Before you answer** on earlier work, decisions, people or preferences: core memory, then
  `molt search "…"` or `molt recall "…?"`. If they give little, say that you looked and are not
  sure.
- **At the start of a session** `molt context` is what to load. What `molt alerts` names (`SOUL.md`
  was changed, say), ask the user about: was this intended?
- Never write below `memory/` by hand: what was said is only appended to, the vault
  (`memory/vault/`) is the user's, `SOUL.md`, `IDENTITY.md` and `molt.yaml` change with the user's
  leave alone. `molt log` and `molt why` say who changed what, `molt revert` takes it back.
- **A sub-agent** only proposes: `molt propose "…" --actor subagent:NAME`. The main agent decides,
  by `molt review`.
- Say who you are: `export MOLT_ACTOR=bot:main`.
{END}
"""

EARLIER = (
    """## Memory

molt keeps this workspace's memory in git.

- `MEMORY.md` is core memory; it is always in context and has a cap (`molt status`).
- To remember something, run `molt remember "…"`: it goes into `memory/episodes/`, and needs no
  second diary beside it. To find something, run `molt search "…"` or `molt recall "…?"`.
- What was said is only appended to. The vault (`memory/vault/`) is written by people.
- A sub-agent never writes memory itself; it runs `molt propose "…"`.
- Say who you are: `export MOLT_ACTOR=bot:main`.
""",
    """## Memory

- `MEMORY.md` is core memory; it is always in context and holds at most 3,000 tokens.
- To remember something, run `molt remember "…"`. To find something, run `molt search "…"`.
- Episodes are only appended to. The vault is written by people.
- A sub-agent never writes memory itself; it proposes.
""",
)
"""What versions before there were marks wrote; where it stands unchanged, the block takes its
place.
"""


def find_block(text: str, begin: str = BEGIN, end: str = END) -> tuple[int, int] | None:
    """Where a block between two marks is, with the end of its last line; None if there is none.

    Raises ValueError for one that begins and does not end.
    """
    start = _find_line(text, begin)
    if start < 0:
        return None
    stop = text.index(end, start) + len(end)
    for newline in ("\r\n", "\n"):
        if text.startswith(newline, stop):
            return start, stop + len(newline)
    return start, stop


def _find_line(text: str, begin: str) -> int:
    """Where a line begins with a mark; a mark in the middle of one is somebody's prose."""
    at = text.find(begin)
    while at > 0 and text[at - 1] not in "\n\ufeff":
        at = text.find(begin, at + 1)
    return at


def find_earlier(text: str) -> tuple[int, int] | None:
    """Where the words of an earlier version stand, unchanged; None if they do not."""
    for words in EARLIER:
        for block in (words, words.replace("\n", "\r\n")):
            at = text.find(block)
            if at >= 0:
                return at, at + len(block)
    return None


def is_told(text: str) -> bool:
    """Whether the instructions of an agent name molt in words of their own."""
    return "`molt " in text


def put_block(text: str) -> str:
    """An agent's instructions with the block as it is now: in its place, or at the end.

    Raises ValueError for a block that begins and does not end.
    """
    span = find_block(text) or find_earlier(text)
    block = BLOCK.replace("\n", lines.detect_newline(text))
    if span is not None:
        return text[: span[0]] + block + text[span[1] :]
    return text + make_gap(text) + block


def make_gap(text: str) -> str:
    """What comes between a text and a block at its end: an empty line."""
    return lines.detect_newline(text) * (2 - text.endswith("\n")) if text else ""


def take_block(text: str) -> str:
    """The instructions without the block, and without one of the empty lines before it.

    Raises ValueError for a block that begins and does not end.
    """
    span = find_block(text)
    if span is None:
        return text
    start, end = widen_span(text, span)
    return text[:start] + text[end:]


def widen_span(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The place of a block with one of the empty lines before it."""
    start, end = span
    for newline in ("\r\n", "\n"):
        if text[:start].endswith(newline * 2):
            return start - len(newline), end
    return span


def blank_block(text: str) -> str:
    """The text with empty lines where the block is: what is in it, every agent knows already."""
    try:
        span = find_block(text) or find_earlier(text)
    except ValueError:
        return text
    if span is None:
        return text
    return text[: span[0]] + "\n" * text[span[0] : span[1]].count("\n") + text[span[1] :]


def is_current(text: str) -> bool:
    """Whether a file needs no change: the block is in it as it is now, or it has its own words.

    Raises ValueError for a block that begins and does not end.
    """
    if find_block(text) is None and find_earlier(text) is None:
        return is_told(text)
    return put_block(text) == text
