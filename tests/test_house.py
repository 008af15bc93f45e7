"""The rules of the house that a machine can hold, in numbers."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter

import pytest
from house import ROOT, Module, count_late_imports, modules, parameters

LINES, LENGTH, PARAMETERS, ONE_WORD = 400, 60, 5, 0.3


# How many times the functions of a room import a module of ours when they run. Importing at the top
# is the rule; these are what a commit, a write or a search would otherwise load for nothing.
LATE_IMPORTS = {
    # A command imports what it calls: the help none of it, an approval no engine, and whether a
    # reflection is due, asked at the end of each conversation, neither (3.5 P instead of 12);
    # and a message to a host no store of conversations (25 ms of 45). Where two that are imported
    # together stand in two rooms, they count as two. The deletion of a conversation is one. What
    # click finds wrong is told where click was needed (a refused plain call: 25 ms instead of 39).
    # A host's program is asked for a plan alone.
    "cli": 85,
    # Each moment of a conversation is another path, and Python starts for each; a host asks for a
    # version or a list of collections as often as for a search. A server needs the engines of a
    # plan only where one is proposed (0.1 s of its start).
    "hosts": 22,
    "githooks": 30,  # each hook is another path, and Python starts for each
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
    # And NumPy, with what reads ahead, where a thousand commits are judged (0.1 s).
    "memory": 97,
    # Keys of actors where somebody is bound (0.25 ms of a hook of 20), patterns where a word
    # tells, what tells orders where a bot's words are read (0.8 ms of a person's hook), what reads
    # secrets where something may be one (a quarter of a hook's imports), and golden questions where
    # a commit touches them.
    "policy": 6,
    "index": 15,  # a provider is loaded where it is the one that is asked
    "repo": 8,
    "formats": 7,  # the merge of each kind of file is another path
    "tokens": 1,
    "config": 1,  # what a file sets is kept by the clone, so that hardly anybody reads one
    "untrusted": 1,  # YAML takes twice as long to import as a plain write takes
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
