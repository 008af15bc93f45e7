"""The Markdown in other folders of a workspace is searched too, behind the memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from molt import errors
from molt.formats import documents, scopes
from molt.index.search.filters import Filters
from molt.memory import touch, workspace
from molt.memory.adopt import adoption
from molt.memory.answers import get
from molt.memory.forget import elsewhere
from molt.memory.forget.matches import Wanted
from molt.memory.health import doctor
from molt.memory.held import withheld
from molt.memory.search import at as past
from molt.memory.search import index, search
from molt.memory.workspace import Workspace

PLAN = "# Plan\n\n## Kiln\n\nThe kiln is fired with beech wood from Zell.\n"
PATH = "projects/kiln/plan.md"
TRAILERS = "Actor: manual\nApproval: approved\nTrigger: test"


def put(ws: Workspace, path: str, text: str) -> None:
    full = Path(ws.repo.root, path)
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_text(text, encoding="utf-8")


def ask(ws: Workspace, words: str, **filters: Any) -> list[tuple[str, str]]:
    options = search.SearchOptions(filters=Filters(**filters), min_score=0.0)
    return [(one.path, one.source) for one in search.search(ws, words, options).results]


def commit(ws: Workspace, git: Any, path: str) -> None:
    git(ws.repo.root, "add", "-A")
    git(ws.repo.root, "commit", "-qm", f"[CREATE] {path} — a plan", "-m", TRAILERS)


def test_a_document_is_found_read_and_followed(ws) -> None:
    put(ws, PATH, PLAN)
    (one,) = search.search(ws, "which wood is the kiln fired with").results
    assert (one.path, one.source, one.id) == (PATH, "documents", PATH)
    assert "Kiln" in one.snippet
    assert "beech" in get.get_passage(ws, one.citation).text
    put(ws, PATH, PLAN.replace("beech", "alder"))
    assert ask(ws, "beech") == []
    Path(ws.repo.root, PATH).unlink()
    assert ask(ws, "alder kiln") == []


def test_of_equals_the_memory_is_first(ws) -> None:
    put(ws, PATH, PLAN)
    put(ws, "memory/kiln.md", PLAN)
    found = search.search(ws, "kiln beech wood", search.SearchOptions(limit=1))
    assert [one.path for one in found.results] == ["memory/kiln.md"]


def test_a_source_may_be_asked_alone(ws) -> None:
    put(ws, PATH, PLAN)
    put(ws, "memory/wood.md", "# Wood\n\nThe kiln takes any wood.\n")
    assert ask(ws, "kiln wood", sources=("documents",)) == [(PATH, "documents")]
    assert ask(ws, "kiln wood", sources=("memory",)) == [("memory/wood.md", "memory")]


def test_the_configuration_may_leave_them_out_of_the_index(ws, git) -> None:
    put(ws, PATH, PLAN)
    bare = ws.replace(config=ws.config.replace(search_sources=("memory", "workspace")))
    assert ask(ws, "beech") == [(PATH, "documents")]
    before = index.read_status(ws).files
    assert ask(bare, "beech") == ask(bare, "beech", sources=("documents",)) == []
    assert (index.read_status(bare).files, index.read_status(bare).changed) == (before - 1, 0)
    commit(ws, git, PATH)
    assert ask(bare, "beech") == []
    assert index.read_status(bare).changed == 0
    assert ask(ws, "beech") == [(PATH, "documents")]
    with pytest.raises(errors.Usage):
        get.get_passage(bare, PATH)


def test_what_git_ignores_and_what_is_too_long_is_none(ws) -> None:
    put(ws, ".gitignore", "drafts\n")
    put(ws, "drafts/plan.md", PLAN)
    put(ws, "docs/all.md", PLAN + "more\n" * (documents.LARGEST // 5))
    assert ask(ws, "beech kiln") == []
    with pytest.raises(errors.Usage):
        get.get_passage(ws, "drafts/plan.md")


def test_others_do_not_see_it(ws) -> None:
    put(ws, PATH, PLAN)
    assert ask(ws, "beech", view=scopes.choose_view((), "family")) == []


def test_what_is_private_or_of_a_scope_stays_so(ws) -> None:
    put(ws, PATH, f"---\nscope: project:boat\n---\n{PLAN}")
    assert ask(ws, "beech", view=scopes.choose_view(("project:kiln",))) == []
    assert ask(ws, "beech", view=scopes.choose_view(("project:boat",))) == [(PATH, "documents")]


def test_what_is_held_back_is_not_shown(ws, git) -> None:
    put(ws, PATH, PLAN)
    commit(ws, git, PATH)
    head = ws.repo.tip()
    row = PLAN.split("\n")[4]
    held = withheld.Held(head, (), {PATH: {withheld.fold_line(row): head}})
    withheld.save(ws.repo.git_dir, held)
    assert ask(ws, "beech") == []


def test_what_is_to_be_forgotten_is_named_there(ws) -> None:
    put(ws, PATH, PLAN)
    (place,) = elsewhere.find_elsewhere(ws, Wanted("beech wood from Zell"), ())
    assert (place.path, place.line) == (PATH, 5)


def test_the_past_has_its_own(ws, git) -> None:
    put(ws, PATH, PLAN)
    commit(ws, git, PATH)
    mine = workspace.find(ws.repo.root, "manual")
    put(ws, PATH, "# Plan\n")
    then = past.find_moment(mine.repo, "HEAD", None, 4e9)
    options = search.SearchOptions(at=then)
    assert [one.path for one in search.search(mine, "beech wood", options).results] == [PATH]
    assert "beech" in get.get_passage(mine, PATH, at=then).text
    assert ask(mine, "beech") == []


def test_it_can_be_touched(ws, git) -> None:
    put(ws, PATH, PLAN)
    commit(ws, git, PATH)
    assert touch.touch_memories(ws, [PATH], 1.0)


def test_its_secrets_are_named_where_it_is_searched(ws) -> None:
    token = "ghp_" + "a1" * 18
    put(ws, PATH, f"{PLAN}token {token}\n")
    put(ws, "docs/all.md", f"token {token}\n" + "more\n" * (documents.LARGEST // 5))
    said = [
        one.where for one in doctor.examine_workspace(ws, fix=False) if "gives away" in one.what
    ]
    report = adoption.survey_files(ws.repo, ws.files())
    assert said == [one.path for one in report.secrets] == [PATH]
    bare = ws.replace(config=ws.config.replace(search_sources=("memory", "workspace")))
    problems = doctor.examine_workspace(bare, fix=False)
    assert not [one for one in problems if "gives away" in one.what]
