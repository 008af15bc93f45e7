"""The rules of the house that a machine can hold, in numbers."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from house import (
    ROOT,
    Module,
    count_late_imports,
    count_words,
    measure_rooms,
    modules,
    parameters,
)

LINES, LENGTH, PARAMETERS, ONE_WORD = 500, 60, 5, 0.3


# How many times the functions of a room import a module of ours when they run. Importing at the top
# is the rule; these are what a commit, a write or a search would otherwise load for nothing.
LATE_IMPORTS = {
    # A command imports what it calls: the help none of it, an approval no engine, and whether a
    # reflection is due, asked at the end of each conversation, neither (3.5 P instead of 12);
    # and a message to a host no store of conversations (25 ms of 45). Where two that are imported
    # together stand in two rooms, they count as two. The deletion of a conversation is one. What
    # click finds wrong is told where click was needed (a refused plain call: 25 ms instead of 39).
    # A host's program is asked for a plan alone; what prunes the audit log each night alone.
    "cli": 86,
    # Each moment of a conversation is another path, and Python starts for each; a host asks for a
    # version or a list of collections as often as for a search. A server needs the engines of a
    # plan only where one is proposed (0.1 s of its start).
    "hosts": 21,
    # Each hook is another path, and Python starts for each; the transaction where one was
    # interrupted.
    "githooks": 21,
    # The transaction for a write alone, the index for a search alone, or for a context with a query
    # (60 ms, twice as long as one without takes), an engine too.
    # What judges the commits that nobody has judged is imported where there are any, what marks
    # what is held back where something is; what sends text elsewhere where molt.yaml has it,
    # what reads proposals where a plan accepts one (a third of the imports of an approval) and what
    # unites entities where one merges two (a tenth of its modules), and
    # records where what was said in a conversation is asked for (a get reads none else). The graph
    # where a question is about an entity (2.6 ms of a recall of 80). What a search finds kept, or
    # hardly ever needs: what entries, facts and scores look like, messages, reflections, the past
    # (a seventh of its modules, a tenth of its CPU). And what messages ask for where a text to keep
    # may ask for something (1.2 ms of a write, a twentieth of its imports), and what reads secrets
    # where it may hold one, as the policy does.
    "memory": 97,
    # Keys of actors where somebody is bound (0.25 ms of a hook of 20), patterns where a word
    # tells, what tells orders where a bot's words are read (0.8 ms of a person's hook), what reads
    # secrets where something may be one (a quarter of a hook's imports), and golden questions where
    # a commit touches them, and what takes files apart where a merge meets tombstones.
    "policy": 7,
    "index": 11,  # a provider is loaded where it is the one that is asked
    "repo": 7,
    "formats": 7,  # the merge of each kind of file is another path
    "tokens": 1,
    "config": 1,  # what a file sets is kept by the clone, so that hardly anybody reads one
    "untrusted": 1,  # YAML takes twice as long to import as a plain write takes
}

# The lines that a room may have. One that grows gets its line here in a commit of its own, with the
# reason, and another one shrinks by as much: the sum only gets less, but for what stands beside an
# old room until it goes. The goal is 45,000.
BUDGET = {
    "cli": 6_522,
    "formats": 9_267,
    "githooks": 1_766,
    "ground": 2_396,
    "hosts": 8_352,
    "index": 6_275,
    "memory": 1_657,
    "memory/adopt": 989,
    "memory/answers": 899,
    "memory/checks": 1_207,
    "memory/clone": 237,
    "memory/consents": 207,
    "memory/critical": 538,
    "memory/decay": 1_254,
    "memory/engines": 1_314,
    "memory/forget": 1_868,
    "memory/govern": 2_379,
    "memory/graph": 2_016,
    "memory/health": 785,
    "memory/held": 766,
    "memory/proposed": 141,
    "memory/provenance": 1_045,
    "memory/recall": 958,
    "memory/reflect": 9_506,
    "memory/search": 2_739,
    "memory/talks": 397,
    "memory/triggers": 477,
    "memory/visible": 321,
    "memory/why": 498,
    "memory/write": 4_047,
    "policy": 8_859,
    "repo": 8_630,
    "untrusted": 410,
}
TOTAL, BESIDE = 101_775, 3_000
"""The sum that it began with, and so many lines that may stand beside what they are to replace."""
SHARE, SLACK = 0.1, 100
"""A room that is smaller than its budget by this share, and by so many lines, gets a lower one."""

# How many words of natural languages stand in the lists of a module, and in its patterns: none is
# to have such a list but those that say where a search finds dates, and which words it leaves out.
# Formats have the words that stand in files; what people say is judged by models and by people. A
# few of these lists are no language: names of commands and fields, kinds of keys.
WORDS = {
    "cli.commands": 92,  # the table of commands, with names and helps: it may grow with them
    "githooks.invocation": 34,
    "surroundings": 12,  # names of programs and of the variables by which they mark what they run
    "hosts.mcp.inputs": 8,
    "hosts.session.prompt": 73,
    "index.content.function_words": 387,
    "index.content.signs": 8,
    "index.content.speakers": 86,
    "index.content.words": 124,
    "index.search.date_words": 58,
    "index.search.dates": 35,
    "memory.adopt.adoption": 10,
    "memory.ends": 18,
    "memory.forget.purge_words": 9,
    "memory.graph.name_keys": 42,
    "memory.graph.resolve": 14,
    "memory.recall.questions": 181,
    "memory.reflect.meta": 24,
    "memory.reflect.plans.spellings": 59,
    "memory.reflect.summary.summarise": 12,
    "memory.visible.books": 8,
    "memory.write.provenance": 8,
    "policy": 8,
    "policy.letters": 29,
    "policy.personal": 46,
    "policy.rules.meta": 8,
    "policy.secrets.prefilter": 26,  # names of keys and passwords in files
    "policy.secrets.values": 54,  # what placeholders and manuals write in their place
    "repo.commits": 10,
    "settings": 8,
}


@pytest.mark.parametrize("module", modules(), ids=lambda module: str(module.name))
def test_a_module_says_what_it_is_for_and_is_short(module: Module) -> None:
    assert not module.tree.body or ast.get_docstring(module.tree)
    assert module.lines <= LINES
    long = [one.name for one in module.functions() if _length(one) > LENGTH]
    assert not long, f"more than {LENGTH} lines"


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or 0) - function.lineno + 1


def test_a_function_takes_few_parameters() -> None:
    found = {
        f"{module.name}.{one.name}"
        for module in modules()
        for one in module.functions()
        if len(parameters(one)) > PARAMETERS
    }
    assert not found, f"more than {PARAMETERS} parameters: make them a value"


def test_the_name_of_a_class_is_used_once() -> None:
    # A class may be one for type checkers and another one at run time, in the same module.
    classes = {
        (module.name, node.name)
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
    }
    names = Counter(name for _, name in classes)
    assert [name for name, count in names.items() if count > 1] == []


def test_a_function_is_called_by_a_verb_and_an_object() -> None:
    names = [one.name for module in modules() for one in module.functions()]
    plain = [name for name in names if not name.startswith("__")]
    single = sum("_" not in name.strip("_") for name in plain)
    assert single / len(plain) <= ONE_WORD


def test_no_module_is_called_by_what_it_is_doing() -> None:
    doing = {module.name for module in modules() if module.name.endswith("ing")}
    # What judges, and what makes forget: both are nouns here.
    known = {"molt.memory.write.forgetting", "molt.memory.judging"}
    known |= {"molt.policy.finding"}
    assert doing <= known


def test_what_a_room_imports_late_only_gets_less() -> None:
    found = Counter[str]()
    for module in modules():
        found[module.room] += count_late_imports(module)
    grown = {room: count for room, count in found.items() if count > LATE_IMPORTS.get(room, 0)}
    assert not grown, "import at the top of the module, or measure what that costs and say so"


def test_a_room_stays_within_its_budget() -> None:
    grown = {room: lines for room, lines in measure_rooms().items() if lines > BUDGET.get(room, 0)}
    assert not grown, "take as many lines away, or say in a commit of its own why the budget grows"


def test_the_budgets_follow_what_rooms_have_left() -> None:
    found = measure_rooms()
    assert sum(BUDGET.values()) <= TOTAL + BESIDE
    loose = {
        room: found.get(room, 0)
        for room, budget in BUDGET.items()
        if budget - found.get(room, 0) > max(SHARE * budget, SLACK) or room not in found
    }
    assert not loose, "lower the budget to these lines, or take out the room that is gone"


def test_lists_of_words_of_natural_languages_only_get_fewer() -> None:
    found = {
        module.name.removeprefix("molt."): count_words(module)
        for module in modules()
        if module.room != "formats"
    }
    grown = {name: count for name, count in found.items() if count > WORDS.get(name, 0)}
    assert not grown, "words belong to a model, to templates, or to a table of data"
    gone = [name for name in WORDS if not found.get(name)]
    assert not gone, "take out what has no list any more"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("X = ('one', 'two', 'three', 'four', 'five', 'six', 'seven')", 0),
        ("X = ('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'ten')", 8),
        ("X = frozenset('one two three four five six seven ten'.split())", 8),
        ("X = r'\\b(?:one|two|three|four|five|six|seven|from now on)\\b'", 8),
        ("X = (*('的', '了', '是', '我', '你'), *('他', '她', '它'))", 8),
        ("X = {'a': one, 'b': two, 'three': 3, 'four': 4, 'five': 5, 'six': 6, 'ten': f()}", 0),
        (
            "X = ('--one', 'pre-commit', 'SEC', 'camelCase', 'x_y', 'a1', '.md', 'a b c d')",
            0,
        ),
    ],
)
def test_what_is_a_list_of_words(text: str, count: int, tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text(f"{text}\n", encoding="utf-8")
    assert count_words(Module("molt.one", path)) == count


def test_help_imports_no_command_module() -> None:
    script = (
        "import sys\nfrom molt.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith('molt.memory') or m in "
        "('pygit2', 'apsw', 'numpy', 'yaml', 'tiktoken')], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"
