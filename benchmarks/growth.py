"""How the time of every reader, rule and pattern grows with the worst that it can be given.

    python benchmarks/growth.py [--size BYTES] [--all] [NAME...]

Each reader is given texts made of one unit over and over; the unit that takes longest per byte is
its worst input. That is measured at once, twice, four and eight times the size, in CPU seconds of
this process; a ratio of two from row to row is linear growth. Ends with status 1 if any grows by
more than the 1.35th power, or a MiB would take more than ten seconds.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from molt import config, trees, untrusted
from molt.formats import (
    bullets,
    completion,
    entity,
    episodes,
    facts,
    frontmatter,
    ids,
    lines,
    message,
    procedure,
    sections,
    vault,
)
from molt.formats.meta import checksums, proposals, score_changes, scores
from molt.formats.reflections import histories, record, summary
from molt.index.content import chunks
from molt.policy import RULES, Context, names, secrets
from molt.policy.engine import Rule, Submission, judge_commit
from molt.policy.secrets import prefilter
from molt.policy.secrets.patterns import load_formats, sample

Read = Callable[[str], object]

CORE, DAY = "MEMORY.md", "memory/episodes/2026-02-02.md"
ENTITY, STEPS = "memory/graph/entities/tool--git.md", "memory/procedures/ship.md"
NOTE, SECRET = "memory/note.md", "memory/vault/secret.md"
HEAD = "## 14:30:{n:02} | fact | confidence:high | tags:[a, b] | source:conversation\nwords\n\n"
FRONT = "---\nid: tool--git\ntype: tool\nlabel: Git\n---\n"

PLAIN = (
    *("\n", " \n", "\r\n", "x", "word ", "a,", "|", "\\", "\\n", '"', "`", "*", "_", "~~a~~ "),
    *("# a\n", "## a\n", "###### a\n", "#", "- a\n", "- **a**: b\n", "  - a\n", "1. a\n", "- "),
    *("---\n", "```\n", "~~~\n", "<!--", "<!--\n", "-->", "<!-- a -->\n", "[[", "[[a]] ", "]]"),
    *("- uses [[tool--hg]] (since: 2026)\n", "- [[a]] [[b]]\n", "## Relations\n- a [[b]]\n"),
    *("## 14:30 | fact\n", "## 14:30 | fact | a:b\nwords\n", "## 14:30\n\n\n", "\\## a\n"),
    *("## Proposal #1\n", "## Proposal #1\n- **From**: a\n- **Content**: b\n", "## Proposal #x\n"),
    *("a: b\n", "a:\n- b\n", "Actor: a\n", "a: [", "{", "[", "? ", "- - ", "&a ", "*a ", "!a "),
    *("## Critical Facts\n- a\n", "## Facts\n- a\n", "## r-001\n", "### a\n", "> a\n", "a | b\n"),
    *("<<<<<<< a\n", "=======\n", ">>>>>>> b\n", "\u2028", "\u202e", "\u4e2d", "\x1b[2J"),
    *("\u0301", "\u0301\u0327"),
    *('"a": {\n', '{"a": [', "0" * 64 + "  a\n", "2026-02-02 ", "(", ")", "%", "\t", "\ufeff"),
)
FRONTS = ("a: b\n", "- a\n", "a:\n", "  - b\n", "a: [b, c]\n", "'a': b\n", "# a\n", "? a\n", "[")
SPACED = tuple(f"{word}{after}" for word in prefilter.NAMES for after in ("", ": ", " for ", "\n"))
TOKENS = tuple(
    unit
    for form in load_formats()
    for word in form.prefixes or ["", "."]
    for unit in (word or "w", f"{word}{'a' * 40}", f"{word}{'0' * 34} ", f"{sample(form.example)} ")
)
NUMBERS = (
    "4 ",
    "4444 ",
    "4444-",
    "4",
    "DE89 ",
    "DE89",
    "3704 ",
    "a" * 40 + " ",
    "5" + "K" * 50 + " ",
)
SECRETS = (*PLAIN, *SPACED, *TOKENS, *NUMBERS, "a.", "eyJaaaaaaaaaaa-", " ://", "x://a:b@c ")


def repeat(unit: str, size: int, head: str = "", tail: str = "") -> str:
    """A text of about a size that is one unit over and over."""
    return head + unit * max(1, size // len(unit)) + tail


def scored(text: str) -> object:
    """What is done with scores, on entries as many as a text is long."""
    rows = {f"episode:{number}": {"access_count": 1} for number in range(len(text) // 60)}
    fresh = scores.render_scores({"version": 1, "entries": rows})
    more = scores.edit_entries(fresh, {"episode:1x": {"access_count": 2}, "a": {"pinned": True}})
    score_changes.changed_entries(fresh, more)
    scores.find_faults(more)
    return scores.edit_entries(more, {"a": None, "episode:1": None})


def completed(text: str) -> object:
    """A message completed whose commit changes as many files as the text has bytes by ten."""
    blob = trees.Entry("0" * 40)
    every = tuple(
        trees.FileChange("A", f"memory/{number}.md", None, blob)
        for number in range(len(text) // 10)
    )
    return completion.complete(text, completion.CommitFacts("manual", every))


READERS: dict[str, tuple[Read, tuple[str, ...]]] = {
    "lines": (lambda text: (lines.split_lines(text), lines.one_line(text)), PLAIN),
    "sections": (sections.parse_sections, PLAIN),
    "fences": (lambda text: sections.find_fences(lines.bare_lines(text)), PLAIN),
    "slug": (ids.slug, PLAIN),
    "front matter": (lambda text: frontmatter.metadata(f"---\n{text}\n---\n"), (*FRONTS, *PLAIN)),
    "front matter, set": (
        lambda text: frontmatter.set_field(f"---\n{text}\n---\n", "z", 1),
        FRONTS,
    ),
    "YAML": (lambda text: _try(untrusted.parse_yaml, text), (*FRONTS, *PLAIN)),
    "molt.yaml": (config.parse, (*FRONTS, *PLAIN, "core: {cap: 1}\n", "core:\n  x: 1\n")),
    "core memory": (bullets.core_bullets, PLAIN),
    "core memory, add": (lambda text: bullets.add_bullet(text, "Identity", "x"), PLAIN),
    "entity": (lambda text: entity.parse_entity(FRONT + text, "tool--git"), PLAIN),
    "entity, add": (lambda text: entity.add_relation(FRONT + text, "uses", "x"), PLAIN),
    "facts": (lambda text: facts.add_fact(FRONT + text, "x", "2026-02-02"), PLAIN),
    "relation words": (entity.parse_relation_words, PLAIN),
    "procedure": (lambda text: procedure.parse_procedure(text, "a"), PLAIN),
    "vault file": (lambda text: vault.parse_vault(text, "a"), PLAIN),
    "episodes": (lambda text: episodes.parse(text, "2026-02-02"), PLAIN),
    "episodes, malformed": (episodes.find_malformed, PLAIN),
    "proposals": (proposals.parse_proposals, PLAIN),
    "proposals, malformed": (proposals.malformed_proposals, PLAIN),
    "checksums": (checksums.parse_checksums, PLAIN),
    "scores": (scored, ("x",)),
    "message": (message.parse, PLAIN),
    "message, completed": (completed, PLAIN),
    "reflection log": (histories.parse_log, PLAIN),
    "evolution": (histories.parse_evolution, PLAIN),
    "archive": (histories.parse_archive, PLAIN),
    "reflection record": (lambda text: _try(record.parse_record, text), PLAIN),
    "reflection summary": (lambda text: _try(summary.parse_summary, text), PLAIN),
    "chunks of core": (lambda text: chunks.chunk_file(CORE, text), PLAIN),
    "chunks of a day": (lambda text: chunks.chunk_file(DAY, text), PLAIN),
    "chunks of a note": (lambda text: chunks.chunk_file(NOTE, text), PLAIN),
    "chunks of an entity": (
        lambda text: chunks.chunk_file(ENTITY, f"---\n{text}\n---\na\n"),
        FRONTS,
    ),
    "secrets": (lambda text: [secrets.find(line) for line in text.split("\n")], SECRETS),
    "secrets, taken out": (secrets.redact, SECRETS),
}


def _try(read: Read, text: str) -> object:
    try:
        return read(text)
    except ValueError:
        return None


def judge(rule: Rule, path: str, before: str, after: str) -> object:
    """One rule on a commit of a bot that writes one file."""
    context = Context(actor="bot:main", count_tokens=lambda text: len(text) // 4)
    said = "[EDIT] x — y\n\nActor: bot:main\nApproval: auto\nTrigger: t\n"
    base = trees.DictTree({path: before.encode("utf-8", "surrogatepass")} if before else {})
    new = trees.DictTree({path: after.encode("utf-8", "surrogatepass")})
    return judge_commit((rule,), Submission(base, new, said), context, config.DEFAULT)


def rule_readers() -> Iterator[tuple[str, Read, tuple[str, ...]]]:
    """Every rule on every kind of file: one that is added, one that is edited within."""
    for rule in RULES:
        units = SECRETS if rule.code == "SEC001" else PLAIN
        for path in (CORE, DAY, ENTITY, STEPS, SECRET, "memory/meta/pending-memories.md"):
            title = f"{rule.code} {path.rpartition('/')[2]}"
            yield f"{title}, added", _adder(rule, path), units
            yield f"{title}, edited", _editor(rule, path), PLAIN
    yield "many files", many_files, ("a", "A", "\u00e4")


def _adder(rule: Rule, path: str) -> Read:
    return lambda text: judge(rule, path, "", text)


def _editor(rule: Rule, path: str) -> Read:
    middle = "\nthe middle\n"
    return lambda text: judge(rule, path, text + middle + text, f"{text}\nnew\n{text}x")


def many_files(text: str) -> object:
    """All rules on a commit of as many entities as a text has bytes by a hundred."""
    body = "# Thing\n\n## Facts\n- a fact\n\n## Relations\n- uses [[concept--1]]\n"
    files = {
        f"memory/graph/entities/concept--{text[:1]}{number}.md": (
            f"---\nid: concept--{text[:1]}{number}\ntype: concept\nlabel: T\n---\n{body}".encode()
        )
        for number in range(len(text) // 100)
    }
    said = "[CREATE] memory/graph/entities/* — x\n\nActor: bot:main\nApproval: auto\nTrigger: t\n"
    context = Context(actor="bot:main")
    made = Submission(trees.EMPTY, trees.DictTree(files), said)
    return judge_commit(RULES, made, context, config.DEFAULT)


def paths_of(text: str) -> object:
    """Names that collide, in folders as deep as they may be."""
    every = [f"{'d/' * (number % 50)}{text[:1]}{number}" for number in range(len(text) // 20)]
    tree = trees.DictTree(dict.fromkeys(every, b""))
    return list(names.find_collisions(trees.EMPTY, tree, every))


_turns = itertools.count()


def forget_texts() -> None:
    """Have the readers forget what they keep of the last texts: each reading counts in full."""
    for turn in itertools.islice(_turns, 8):
        other = f"a text that nobody reads twice: {turn}"
        episodes.parse(other, "2026-02-02")
        episodes.find_malformed(other)
        proposals.parse_proposals(other)


def clock(read: Read, text: str) -> float:
    """CPU seconds of one reading."""
    forget_texts()
    gc.collect()
    start = time.process_time()
    read(text)
    return time.process_time() - start


def find_worst(read: Read, units: tuple[str, ...], size: int) -> str:
    """The unit that takes longest to read, of those that are not slow already at a sixteenth."""
    return max(units, key=lambda unit: clock(read, repeat(unit, size)))


def measure(name: str, read: Read, units: tuple[str, ...], size: int) -> bool:
    """Prints one row; whether it grows as it should."""
    unit = find_worst(read, tuple(dict.fromkeys(filter(None, units))), size // 16)
    spent = [
        min(clock(read, repeat(unit, size * times)) for _ in range(2)) for times in (1, 2, 4, 8)
    ]
    ratios = [after / max(before, 1e-4) for before, after in itertools.pairwise(spent)]
    power = math.log(max(spent[3], 1e-4) / max(spent[0], 1e-4)) / math.log(8)
    pace = spent[3] / (size * 8 / (1 << 20))
    good = (power <= 1.35 or spent[3] < 0.02) and pace < 10
    told = "  ".join(f"{ratio:4.1f}" for ratio in ratios)
    mark = "" if good else "  <-- too much"
    print(f"{name:42} {spent[3] * 1000:8.1f} ms  {told}  {pace:6.2f} s/MiB  {unit[:24]!r}{mark}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--size", type=int, default=16_384, help="bytes of the smallest text")
    parser.add_argument("--all", action="store_true", help="each rule on each kind of file as well")
    parser.add_argument("names", nargs="*", help="what to measure, by the start of its name")
    asked = parser.parse_args()
    rows = [(name, *pair) for name, pair in READERS.items()]
    rows.append(("names that collide", paths_of, ("a", "A", "\u00e4")))
    rows += [*rule_readers()] if asked.all or asked.names else [("many files", many_files, ("a",))]
    wanted = tuple(asked.names) or ("",)
    print(f"{'':42} {'8 times':>11}  twice, 4, 8 times")
    good = [measure(*row, asked.size) for row in rows if row[0].startswith(wanted)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
