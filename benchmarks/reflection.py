"""What reflection by rules makes of conversations, and what it costs their search.

    MOLT_BENCH_DATA=DATA python benchmarks/reflection.py SET [GROUP…] [--names FILE] [--show]

Each group of a set is brought in day by day, with a reflection each night of which everything is
carried out. Told are: recall@10 of the questions on the episodes alone and afterwards (as the
library searches, and as `molt search` does, with what has faded); bullets and tokens of MEMORY.md,
and how many cite an episode; the facts whose words or numbers are not in the episode that they
cite; of the names in FILE (a group, a tab, alternatives between bars) how many are an entity; and
the CPU seconds of all nights and of the slowest.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from molt import tokens, trees
from molt.formats import bullets, facts, paths
from molt.formats import entity as entity_notes
from molt.formats import message as messages
from molt.formats.reflections import record as records
from molt.formats.reflections.plan import Operation, hash_plan, to_item
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.health import measure
from molt.memory.reflect.draft import draft_reflection
from molt.memory.reflect.material.material import read_material
from molt.memory.reflect.operations import apply
from molt.memory.reflect.operations.applied import ReflectionStamp
from molt.memory.search import search as searching
from molt.memory.search.visible import Sight
from molt.memory.workspace import Workspace
from molt.memory.write import import_notes
from molt.repo.write.plan import Change
from molt.trees import Tree

_CITED = re.compile(r"\((?:source|since|until|origin): [^()]*\)")
_EPISODE = re.compile(r"episode:\d{4}-\d\d-\d\d:[\d:]+")
_WORD = re.compile(r"[a-z]+|\d+|[\u4e00-\u9fff]")
_PLAIN = frozenset(["is", "has", "was", "a", "an", "the", "s", "of", "in", "and", "to", "on", "at"])


class Night:
    """What came of one night: its operations, what was not applied, and the CPU seconds."""

    def __init__(self, operations: Sequence[Operation], dropped: Sequence[str], cpu: float) -> None:
        self.operations = operations
        self.dropped = dropped
        self.cpu = cpu


def list_days(folder: Path, group: str) -> dict[str, list[str]]:
    """The lines of a group of a corpus, by day."""
    days: dict[str, list[str]] = {}
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("group") == group:
            days.setdefault(row["date"][:10], []).append(line)
    return dict(sorted(days.items()))


def import_day(ws: Workspace, home: Path, rows: Iterable[str], now: datetime) -> dict[str, str]:
    """Bring in one day; gives the memory of each record."""
    source = home / "corpus.jsonl"
    source.write_text("\n".join(rows), encoding="utf-8")
    return import_notes.import_source(ws, str(source), now=now).memories


def reflect(ws: Workspace, now: datetime) -> Night:
    """One night: everything that rules propose is carried out, in one commit with its record."""
    day, second = now.strftime("%Y-%m-%d"), now.timestamp()
    started = time.process_time()
    draft = draft_reflection(ws, day, second, engine="rules")
    material, operations = draft.material, draft.operations
    cpu = time.process_time() - started
    name = f"r-{material.number:03}"
    stamp = ReflectionStamp(name, day, ws.config)
    dropped: list[str] = []

    def make_change(tree: Tree) -> Change[None]:
        done = apply.apply_all(tree, operations, stamp)
        dropped[:] = [f"{one.op}: {why}" for one, why in (*draft.dropped, *done.dropped)]
        kept = records.ReflectionRecord(
            name, "approved", material.base, hash_plan(operations), day, day, "manual",
            items=tuple(to_item(one) for one in operations),
        )  # fmt: skip
        edits = dict(done.edits)
        edits[records.record_path(name)] = records.render_record(kept).encode()
        by = messages.Provenance("manual", approval="approved", trigger="benchmark")
        return Change(edits, messages.render("EDIT", "memory/*", name, by), None)

    ws.commit(make_change, now=second)
    return Night(operations, dropped, cpu)


def measure_recall(
    ws: Workspace, known: Mapping[str, str], asked: Sequence[measure.GoldQuery], now: float
) -> tuple[float, float]:
    """Recall@10 where no time has passed, and as a person sees it at a second."""
    sums = [0.0, 0.0]
    options = (
        searching.SearchOptions(limit=measure.DEPTH),
        searching.SearchOptions(limit=measure.DEPTH, sight=Sight(now)),
    )
    for one in asked:
        for at, option in enumerate(options):
            found = searching.search(ws, one.text, option).results
            hits = sum(known.get(result.id, "") in one.gold for result in found)
            sums[at] += hits / len(one.gold)
    return sums[0] / len(asked), sums[1] / len(asked)


def list_notes(tree: Tree) -> Iterator[entity_notes.Entity]:
    """The entities of a tree."""
    for path in sorted(tree.entries()):
        if path.startswith(paths.ENTITIES) and path.endswith(".md"):
            stem = path.removeprefix(paths.ENTITIES).removesuffix(".md")
            yield entity_notes.parse_entity(trees.read_text(tree, path), stem)


def find_invented(said: str, episodes: Mapping[str, str]) -> set[str]:
    """The words and numbers of a fact or bullet that none of the episodes which it cites has."""
    sources = [episodes.get(one, "") for one in _EPISODE.findall(said)]
    if not sources or not all(sources):
        return {"no source"}
    have = set(_WORD.findall(" ".join(sources).lower()))
    return set(_WORD.findall(_CITED.sub("", said).lower())) - have - _PLAIN


def find_names(wanted: Sequence[str], notes: Sequence[entity_notes.Entity]) -> list[str]:
    """The names, each with alternatives between bars, that no entity is called by."""
    called = [
        set(re.findall(r"\w+", name.lower())) for one in notes for name in (one.label, *one.aliases)
    ]
    labels = [name.lower() for one in notes for name in (one.label, *one.aliases)]
    missing = []
    for names in wanted:
        every = [name.strip() for name in names.split("|")]
        latin = any(
            set(re.findall(r"\w+", name.lower())) <= words for name in every for words in called
        )
        if not latin and not any(
            name.lower() in label for name in every for label in labels if not label.isascii()
        ):
            missing.append(names)
    return missing


def run_group(folder: Path, group: str, names: Sequence[str], asked: argparse.Namespace) -> None:
    """Bring in a group, reflect each night, and tell what came of it."""
    questions = [one for one in measure.read_set(str(folder)).questions if one.group == group]
    days = list_days(folder, group)
    now = datetime.now().astimezone()  # noqa: TID251 the fading that a person would see
    with tempfile.TemporaryDirectory(prefix="molt-reflect-") as place:
        home = Path(place) / "source"
        home.mkdir()
        raw, full = (make_workspace(Path(place) / name) for name in ("raw", "full"))
        known: dict[str, dict[str, str]] = {"raw": {}, "full": {}}
        nights: list[Night] = []
        for rows in days.values():
            for name, ws in (("raw", raw), ("full", full)):
                made = import_day(ws, home, rows, now)
                known[name] |= {memory: record for record, memory in made.items()}
            nights.append(reflect(full, now))
        print(f"## {folder.name} {group}: {len(known['full'])} episodes, {len(days)} nights")
        tell_files(full, asked, names, nights)
        if not asked.quick:
            before = measure_recall(raw, known["raw"], questions, now.timestamp())
            after = measure_recall(full, known["full"], questions, now.timestamp())
            print(
                f"recall@10 {before[0]:.4f} -> {after[0]:.4f} ({100 * (after[0] - before[0]):+.2f})"
                f", as a person sees it {before[1]:.4f} -> {after[1]:.4f} "
                f"({100 * (after[1] - before[1]):+.2f}); {len(questions)} questions"
            )
        sys.stdout.flush()


def make_workspace(folder: Path) -> Workspace:
    setup.init(str(folder), name="molt eval", email="eval@localhost")
    return workspace.find(str(folder), "manual")


def tell_files(
    ws: Workspace, asked: argparse.Namespace, names: Sequence[str], nights: Sequence[Night]
) -> None:
    """Print what the files hold, and what the nights took."""
    tree = ws.head()
    notes = list(list_notes(tree))
    episodes = {
        one.id: one.text
        for one in read_material(ws, "2026-01-01", 0.0).memories.values()
        if one.id.startswith("episode:")
    }
    core = trees.read_text(tree, paths.CORE)
    every = bullets.core_bullets(core)
    cited = [one for one in every if _EPISODE.search(one.text)]
    said = [one.text for one in every] + [fact for one in notes for fact in one.facts]
    invented = [(one, words) for one in said if (words := find_invented(one, episodes))]
    missing = find_names(names, notes)
    operations = [one for night in nights for one in night.operations]
    kinds: dict[str, int] = {}
    for one in operations:
        kinds[one.op] = kinds.get(one.op, 0) + 1
    size = tokens.count_tokens(core, ws.config.core_encoding)
    print(f"{len(every)} bullets, {len(cited)} cite an episode, {size} tokens")
    print(f"{len(notes)} entities, {sum(len(one.facts) for one in notes)} facts")
    print(f"{len(said)} facts and bullets, {len(invented)} with words that their source has not")
    if names:
        print(f"{len(names) - len(missing)} of {len(names)} names; missing: {', '.join(missing)}")
    most = max(len(night.operations) for night in nights)
    print(f"{len(operations)} operations {kinds}, at most {most} a night")
    dropped = [why for night in nights for why in night.dropped]
    print(f"{len(dropped)} operations or parts dropped: {dropped[:6]}")
    cpu = [night.cpu for night in nights]
    print(f"{sum(cpu):.2f} s CPU of all nights, {max(cpu):.2f} s of the slowest")
    for one, words in invented[:10]:
        print("  ?", one, words)
    if asked.show:
        for one in notes:
            print(f"  {one.type}:{one.label} {list(one.aliases) or ''}")
            for fact in one.facts:
                print("      ", facts.strip_asides(fact))
        print(core)
        for one in operations:
            if one.op not in ("upsert-entity", "rewrite-core"):
                print("  ", one.op, one.args, one.evidence[:3])


def read_names(path: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in Path(path).read_text(encoding="utf-8").splitlines() if path else ():
        if row and not row.startswith("#"):
            group, _, name = row.partition("\t")
            found.setdefault(group, []).append(name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("set")
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--names", default="", help="a file of names that the graph should hold")
    parser.add_argument("--show", action="store_true", help="print all that was made")
    parser.add_argument("--quick", action="store_true", help="ask no questions")
    asked = parser.parse_args()
    data = os.environ.get("MOLT_BENCH_DATA")
    if not data:
        parser.error("set MOLT_BENCH_DATA to the folder of the sets")
    folder = Path(data) / asked.set
    names = read_names(asked.names)
    groups = asked.groups or list(measure.read_set(str(folder)).groups[:3])
    for group in groups:
        run_group(folder, group, names.get(group, []), asked)


if __name__ == "__main__":
    main()
