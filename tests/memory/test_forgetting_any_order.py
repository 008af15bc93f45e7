"""In any order of operations, what was forgotten is in no answer, and what was forgotten for good
in no byte.
"""

from __future__ import annotations

import base64
import shutil
import tempfile
import zlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from molt import errors
from molt.formats import paths
from molt.formats.reflections import plan
from molt.formats.reflections.plan import Operation
from molt.hosts.conversations import talks
from molt.memory import fade, workspace
from molt.memory.adopt import setup
from molt.memory.answers import context
from molt.memory.forget import forget, restore
from molt.memory.forget.forget import ForgetOptions
from molt.memory.forget.matches import Wanted
from molt.memory.graph import export, graph
from molt.memory.recall import recall
from molt.memory.reflect.branches import branch
from molt.memory.reflect.decisions import approve, rebase, redraw
from molt.memory.reflect.material import material
from molt.memory.search import search
from molt.memory.search.search import SearchOptions
from molt.memory.search.visible import Sight
from molt.memory.write import remember
from molt.memory.write import route as routing

from .reflect.conftest import HandDraft

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

START = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
WORDS = ("zebra71", "mango82", "violin93")
STORES = ("episodic", "semantic", "core", "entity")
BOX = "entity:tool--box"
THERE, HIDDEN, GONE = "there", "hidden", "gone"
KEYS = ("agent:main:direct:ada", "agent:main:group:boats")
SAID = (
    "the {} belongs to Ada and is kept in a blue box",
    "The {0} belongs to Ada, and is kept\nin a blue box!",
    'she said: "{}", and no more',
)


class Forgetting(RuleBasedStateMachine):
    """A person, a bot, time and readers, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="molt-forget-"))
        self.state: dict[str, str] = {}
        self.named: dict[str, list[str]] = {}
        self.now = START

    @initialize()
    def make(self) -> None:
        setup.init(str(self.folder))

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def open(self, actor: str = "manual") -> workspace.Workspace:
        return workspace.find(str(self.folder), actor)

    def say(self, word: str, store: str, actor: str) -> None:
        self.now += timedelta(minutes=7)
        text = f"the {word} belongs to Ada and is kept in a blue box"
        flags: dict[str, Any] = {"entity": "tool:Box"} if store == "semantic" else {}
        flags = {"entity": f"tool:{word}"} if store == "entity" else flags
        kind = "semantic" if store == "entity" else store
        route = routing.route_text(text, store=kind, **flags)
        remember.remember_text(self.open(actor), route, self.now)

    @rule(word=st.sampled_from(WORDS), store=st.sampled_from(STORES))
    def a_person_says_it(self, word: str, store: str) -> None:
        try:
            self.say(word, store, "manual")
        except errors.NeedsAnswer:
            # An entity that was forgotten is restored first.
            assert store == "entity"
            return
        if self.state.get(word) != THERE:
            # What is said again is one more; what was put away stays so.
            self.named[word] = []
            self.state[word] = f"{THERE} again"

    @rule(word=st.sampled_from(WORDS), store=st.sampled_from(STORES))
    def a_bot_says_it(self, word: str, store: str) -> None:
        if self.state.get(word) in (HIDDEN, GONE):
            with pytest.raises(errors.MoltError):
                self.say(word, store, "bot:main")

    @rule(word=st.sampled_from(WORDS), how=st.sampled_from(SAID), key=st.sampled_from(KEYS))
    def it_is_talked_about(self, word: str, how: str, key: str) -> None:
        if self.state.get(word) in (HIDDEN, GONE):
            # What somebody says again later is said again.
            return
        self.now += timedelta(minutes=3)
        turn = {"role": "user", "content": how.format(word)}
        talks.append_turn(self.open().repo, key, turn, now=self.now, rules=talks.AppendRules())

    @rule(word=st.sampled_from(WORDS), key=st.sampled_from(KEYS))
    def a_talk_is_summed_up(self, word: str, key: str) -> None:
        repo = self.open().repo
        known = {one.key for one in talks.list_talks(repo) if not one.ended}
        if key in known and self.state.get(word) not in (HIDDEN, GONE):
            text = f"They spoke of {word}: the {word} belongs to Ada."
            talks.compact(repo, key, text, now=self.now, rules=talks.CompactRules(0))

    @rule(word=st.sampled_from(WORDS), for_good=st.booleans())
    def a_person_forgets_it(self, word: str, for_good: bool) -> None:
        self.now += timedelta(minutes=7)
        ws, options = self.open(), ForgetOptions(permanently=for_good)
        try:
            done = forget.forget_matches(ws, Wanted(word), self.now, options)
        except errors.NotFound:
            return
        if for_good:
            assert redraw.erase_forgotten(self.open(), Wanted(word), done, self.now) == ()
        self.state[word] = GONE if for_good else HIDDEN
        self.named[word] = [] if for_good else [one.id for one in done.made.done]

    @rule(word=st.sampled_from(WORDS))
    def a_person_restores_it(self, word: str) -> None:
        if self.state.get(word) == HIDDEN and self.named[word]:
            restore.restore_memories(self.open(), self.named[word], self.now.timestamp())
            self.state[word] = THERE

    @rule(word=st.sampled_from(WORDS), more=st.booleans())
    def a_reflection_proposes_it(self, word: str, more: bool) -> None:
        ws = self.open()
        if self.state.get(word) in (HIDDEN, GONE):
            return
        read = material.read_material(ws, self.now.strftime("%Y-%m-%d"), self.now.timestamp())
        said = (f"the {word} belongs to Ada and is kept in a blue box", "made of oak")
        every = [Operation("add-fact", {"entity": BOX, "fact": text}) for text in said]
        made = HandDraft(read, plan.number_operations(every[: 1 + more]))
        branch.write_branch(ws, made, self.now, parallel=True)

    @rule()
    def a_person_approves(self) -> None:
        for found in tuple(branch.list_open(self.open())):
            self.now += timedelta(minutes=5)
            # What was put away meanwhile, and what applies no more, is left out.
            with suppress(errors.Refused):
                rebase.rebase_reflection(self.open(), found.id)
                approve.approve_reflection(self.open(), found.id, approve.ALL, self.now)

    @rule(days=st.integers(1, 40))
    def time_passes(self, days: int) -> None:
        self.now += timedelta(days=days)
        fade.decay_memories(self.open(), self.now.timestamp())

    @rule()
    def a_person_edits_something(self) -> None:
        path = self.folder / "MEMORY.md"
        path.write_text(path.read_text("utf-8") + "- an edit\n", "utf-8")
        self.open().repo.run("commit", "-qam", "an edit")

    @invariant()
    def no_answer_says_what_was_forgotten(self) -> None:
        away = [word for word in WORDS if self.state.get(word) in (HIDDEN, GONE)]
        for word in away:
            said = self.ask(word)
            assert word not in said
        if any(self.state[word] == GONE for word in away):
            self.no_byte_is_left([word for word in away if self.state[word] == GONE])

    def ask(self, word: str) -> str:
        ws = self.open()
        sight = SearchOptions(sight=Sight(self.now.timestamp(), dormant=True, archived=True))
        shown = graph.load_shown(ws.files(), ws.head(), ws.repo.cache)
        page = self.folder / paths.GRAPH_INDEX
        found = search.search(ws, f"{word} blue box", sight)
        with apsw.Connection(f"{ws.repo.molt_dir}/index.sqlite") as db:
            kept = [text for (text,) in db.execute("SELECT text FROM chunks")]
        recalled = recall.answer_question(ws, "what do you know about the blue box?", sight)
        return "\n".join(
            (
                *(one.snippet for one in found.results),
                *kept,
                recalled.context,
                context.build_context(ws, self.now),
                export.export_graph(shown, "json"),
                page.read_text("utf-8") if page.exists() else "",
            )
        )

    def no_byte_is_left(self, words: list[str]) -> None:
        molt = Path(self.open().repo.molt_dir)
        every = [one for one in self.folder.rglob("*") if ".git" not in one.parts]
        for path in (*every, *molt.rglob("*")):
            if path.is_file():
                texts = list(unpack(path.read_bytes()))
                ways = [(word, way) for word in words for way in write(word)]
                held = [word for word, way in ways if any(way in text for text in texts)]
                assert not held, path


def unpack(data: bytes) -> Iterator[bytes]:
    """A file's bytes, and what streams of zlib within it hold."""
    yield data
    for head in (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda"):
        at = data.find(head)
        while at >= 0:
            with suppress(zlib.error):
                yield zlib.decompressobj().decompress(data[at:])
            at = data.find(head, at + 1)


def write(word: str) -> tuple[bytes, ...]:
    """How a word may stand in a file."""
    plain = word.encode()
    return plain, plain.upper(), plain.hex().encode(), base64.b64encode(plain)[:-3]


TestForgetting = Forgetting.TestCase
TestForgetting.settings = settings(
    max_examples=6,
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
