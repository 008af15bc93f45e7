"""`molt verify` in CI: which range a run is about, how findings are written, and the templates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

from molt import __version__, errors, resources
from molt.cli import main
from molt.memory.checks import ci, verify
from molt.memory.workspace import Workspace

ZERO = "0" * 40
Commit = Callable[..., str]


@pytest.fixture
def commit(ws: Workspace) -> Commit:
    """Makes a good commit on HEAD, or a bad one; gives its id."""
    count = iter(range(99))

    def make(*, bad: bool = False) -> str:
        path = f"memory/{'vault/' * bad}n{next(count)}.md"
        file = Path(ws.repo.root, path)
        file.parent.mkdir(exist_ok=True)
        file.write_text("# N\n\nwords\n")
        ws.repo.run("add", "-A")
        said = "Actor: bot:main\nApproval: auto\nTrigger: test"
        ws.repo.run("commit", "-qn", "-m", f"[CREATE] {path} — x", "-m", said)
        return ws.repo.resolve("HEAD")

    return make


@pytest.fixture
def github(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """The environment of a run on an event."""

    def make(**event: Any) -> dict[str, str]:
        path = tmp_path / "event.json"
        repository = {"repository": {"default_branch": "main"}}
        path.write_text(json.dumps({**repository, **event}))
        return {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(path)}

    return make


def gitlab(**values: str) -> dict[str, str]:
    return {"GITLAB_CI": "true", "CI_DEFAULT_BRANCH": "main", **values}


def judged(ws: Workspace, environ: dict[str, str]) -> tuple[int, set[str]]:
    """How many commits a run judges, and the rules that they break."""
    found = ci.find_range(ws.repo, environ)
    assert found is not None
    report = verify.judge_range(ws.repo, found)
    return report.commits, {one.code for _, one in report.errors}


def branch_off(ws: Workspace) -> None:
    """A branch beside main, of which the remote has main as it is now."""
    ws.repo.run("update-ref", "refs/remotes/origin/main", "HEAD")
    ws.repo.run("switch", "-qc", "topic")


def test_a_push_is_what_the_branch_was_and_is(ws, commit, github) -> None:
    before = commit(bad=True)
    commit()
    after = commit()
    push = github(ref="refs/heads/main", before=before, after=after)
    assert judged(ws, push) == (2, set())
    same = {"CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main"}
    made = gitlab(CI_COMMIT_SHA=after, CI_COMMIT_BEFORE_SHA=before, **same)
    assert judged(ws, made) == (2, set())
    assert judged(ws, github(ref="refs/heads/main", before=after, after=before))[1] == {"HIST001"}


def test_the_first_push_of_a_branch_is_what_main_has_not(ws, commit, github) -> None:
    commit(bad=True)
    branch_off(ws)
    after = commit()
    for before in (ZERO, "1" * 40):
        push = github(ref="refs/heads/topic", before=before, after=after)
        assert judged(ws, push) == (1, set())
        made = gitlab(
            CI_PIPELINE_SOURCE="push",
            CI_COMMIT_BRANCH="topic",
            CI_COMMIT_SHA=after,
            CI_COMMIT_BEFORE_SHA=before,
        )
        assert judged(ws, made) == (1, set())


def test_a_branch_that_was_forced_is_judged_from_where_it_leaves_main(ws, commit, github) -> None:
    branch_off(ws)
    before = commit()
    ws.repo.run("reset", "-q", "--hard", "HEAD^")
    commit()
    after = commit(bad=True)
    push = github(ref="refs/heads/topic", before=before, after=after)
    assert judged(ws, push) == (2, {"VAULT001"})


def test_the_first_push_of_main_is_all_since_the_adoption(ws, commit, github) -> None:
    after = commit(bad=True)
    count, codes = judged(ws, github(ref="refs/heads/main", before=ZERO, after=after))
    assert count == 2
    assert codes == {"VAULT001"}


def test_main_that_has_lost_its_history_fails(ws, commit, github) -> None:
    push = github(ref="refs/heads/main", before="1" * 40, after=commit())
    with pytest.raises(errors.Failed, match="history was rewritten"):
        ci.find_range(ws.repo, push)


@pytest.mark.parametrize("event", ["pull_request", "merge_group", "merge request"])
def test_what_is_to_be_merged_is_what_its_base_has_not(ws, commit, github, event) -> None:
    commit(bad=True)
    branch_off(ws)
    base = ws.repo.resolve("HEAD")
    commit()
    head = commit(bad=True)
    # A forge tries the merge, which is nobody's commit.
    ws.repo.run("commit", "-qn", "--allow-empty", "-m", "tried")
    runs = {
        "pull_request": github(
            pull_request={"base": {"sha": base}, "head": {"sha": head, "ref": "topic"}}
        ),
        "merge_group": github(merge_group={"base_sha": base, "head_sha": head}),
        "merge request": gitlab(
            CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
            CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=head,
            CI_COMMIT_SHA="1" * 40,
        ),
    }
    assert judged(ws, runs["pull_request"]) == judged(ws, runs[event]) == (2, {"VAULT001"})


def test_elsewhere_and_on_a_schedule_it_is_all(ws, github) -> None:
    deleted = github(ref="refs/heads/topic", before="1" * 40, after=ZERO)
    scheduled = gitlab(CI_PIPELINE_SOURCE="schedule", CI_COMMIT_SHA=ws.repo.resolve("HEAD"))
    for environ in ({}, github(schedule="0 0 * * *"), deleted, scheduled):
        assert ci.find_range(ws.repo, environ) is None


@pytest.mark.parametrize(
    "pull", [{}, {"base": {"sha": "-n1"}, "head": {"sha": "--all"}}, {"base": 1, "head": []}]
)
def test_an_event_that_makes_no_sense_is_a_usage_error(ws, github, pull) -> None:
    with pytest.raises(errors.Usage):
        ci.find_range(ws.repo, github(pull_request=pull))


@pytest.mark.parametrize("text", ["", "[", "\udcff", None])
def test_an_event_that_cannot_be_read_is_a_usage_error(ws, tmp_path, text) -> None:
    path = tmp_path / "event.json"
    if text is not None:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(errors.Usage, match="GITHUB_EVENT_PATH"):
        ci.find_range(ws.repo, {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(path)})


def test_a_shallow_clone_ends_with_2_and_the_way_on(
    ws, commit, github, git, tmp_path, monkeypatch, capfd
) -> None:
    before = commit()
    after = commit()
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{ws.repo.root}", "cut")
    push = github(ref="refs/heads/main", before=before, after=after)
    for key, value in push.items():
        monkeypatch.setenv(key, value)
    assert main(["--workspace", str(tmp_path / "cut"), "verify"]) == 2
    assert "fetch-depth: 0" in capfd.readouterr().err
    assert main(["--workspace", ws.repo.root, "verify"]) == 0
    assert f"{before[:10]}..{after[:10]}" in capfd.readouterr().err


# SARIF: the shape by the standard's schema, as far as molt writes it

SHAPE: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"results", "columnKind"}),
    "driver": ({"name"}, {"semanticVersion", "rules"}),
    "rule": ({"id"}, {"name", "shortDescription", "fullDescription", "defaultConfiguration"}),
    "result": (
        {"message"},
        {"ruleId", "ruleIndex", "level", "locations", "partialFingerprints"},
    ),
}
"""The keys that must be there, and those that may be."""


def require(value: dict[str, Any], what: str) -> None:
    must, may = SHAPE[what]
    assert must <= set(value) <= must | may, what


def check_sarif(log: dict[str, Any]) -> list[dict[str, Any]]:
    """The results of a log, which is as the standard wants it."""
    require(log, "log")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    require(run, "run")
    assert set(run["tool"]) == {"driver"}
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    require(driver, "driver")
    for rule in driver["rules"]:
        require(rule, "rule")
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        require(result, "result")
        assert result["message"]["text"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert all(isinstance(one, str) for one in result["partialFingerprints"].values())
        for location in result["locations"]:
            place = location["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            assert re.fullmatch(r"([\w.~/!$&'()*+,;=@-]|%[0-9A-F]{2})+", uri, re.ASCII), uri
            assert place["region"]["startLine"] >= 1
    return list(run["results"])


@pytest.mark.parametrize("name", ["plain", "a b", "100%", "größe", "line\nbreak", "#hash?"])
def test_sarif_is_as_the_standard_wants_it(ws, name, capfd) -> None:
    file = Path(ws.repo.root, "memory/vault", f"{name}.md")
    file.parent.mkdir(exist_ok=True)
    file.write_text("x\n")
    ws.repo.run("add", "-A")
    said = "Actor: bot:main\nApproval: auto\nTrigger: test"
    ws.repo.run("commit", "-qn", "-m", f"[BOGUS] * — x\n\n{said}")
    assert main(["--workspace", ws.repo.root, "verify", "--format", "sarif"]) == 1
    found = check_sarif(json.loads(capfd.readouterr().out))
    assert {"VAULT001", "MSG002"} <= {one["ruleId"] for one in found}
    places = (one["locations"][0]["physicalLocation"]["artifactLocation"] for one in found)
    assert f"memory/vault/{name}.md" in {unquote(one["uri"]) for one in places}


def test_sarif_of_nothing_is_whole(ws, capfd) -> None:
    assert main(["--workspace", ws.repo.root, "verify", "--format", "sarif"]) == 0
    assert check_sarif(json.loads(capfd.readouterr().out)) == []


def test_annotations_end_no_field_and_begin_no_command(ws, capfd) -> None:
    file = Path(ws.repo.root, "memory/vault", "a,b%:\n::error::c.md")
    file.parent.mkdir(exist_ok=True)
    file.write_text("x\n")
    ws.repo.run("add", "-A")
    said = "Actor: bot:main\nApproval: auto\nTrigger: test"
    ws.repo.run("commit", "-qn", "-m", f"[CREATE] * — x\n\n{said}")
    assert main(["--workspace", ws.repo.root, "verify", "--format", "github"]) == 1
    rows = capfd.readouterr().out.splitlines()
    wanted = re.compile(r"::(error|warning) (file=[^:,\s]+,line=\d+,)?title=[A-Z]+\d+::[^\r\n]+")
    assert rows
    assert [row for row in rows if not wanted.fullmatch(row)] == []


# Templates


def load_template(name: str) -> dict[Any, Any]:
    text = Path(resources.find("templates"), "ci", name).read_text("utf-8")
    return dict(yaml.safe_load(text))


def test_the_template_for_github_is_a_workflow_that_judges() -> None:
    made = load_template("github.yml")
    # YAML 1.1 takes `on` for a truth value.
    events = made.pop(True)
    assert set(made) == {"name", "permissions", "jobs"}
    assert set(events) == {"push", "pull_request", "merge_group"}
    assert made["permissions"] == {"contents": "read"}
    (job,) = made["jobs"].values()
    assert set(job) <= {"runs-on", "timeout-minutes", "steps"}
    assert all(set(step) <= {"uses", "with", "run"} for step in job["steps"])
    assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    assert all(
        re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step.get("uses", "a/b@v1")) for step in job["steps"]
    )
    (checkout,) = (one for one in job["steps"] if "checkout" in one.get("uses", ""))
    assert checkout["with"]["fetch-depth"] == 0
    assert any(one.get("run", "").startswith("molt verify") for one in job["steps"])


def test_the_template_for_gitlab_is_a_job_that_judges() -> None:
    (job,) = load_template("gitlab.yml").values()
    assert set(job) == {"image", "variables", "script", "rules"}
    assert all(isinstance(value, str) for value in job["variables"].values())
    assert job["variables"]["GIT_DEPTH"] == "0"
    assert "molt verify" in job["script"]
    assert all(set(rule) == {"if"} for rule in job["rules"])


@pytest.mark.parametrize("name", ["github.yml", "gitlab.yml"])
def test_a_template_installs_this_version(name) -> None:
    text = Path(resources.find("templates"), "ci", name).read_text("utf-8")
    assert f'"molt-memory=={__version__}"' in text


def test_who_starts_from_an_old_commit_is_judged_by_where_it_goes(
    ws: Workspace, commit: Commit, github: Callable[..., dict[str, str]]
) -> None:
    config = Path(ws.repo.root, "molt.yaml")
    said = "⚠️ CRITICAL FILE CHANGED\n\nActor: manual\nApproval: —\nTrigger: test"
    for text in ("policy: {severity: {VAULT001: 'off'}}\n", "policy: {}\n"):
        config.write_text(text)
        ws.repo.run("commit", "-qan", "-m", "[EDIT] molt.yaml — x", "-m", said)
    base = ws.repo.resolve("HEAD")
    ws.repo.run("update-ref", "refs/remotes/origin/main", base)
    ws.repo.run("switch", "-qc", "side", "HEAD~1")
    bad = commit(bad=True)
    pull = {"base": {"sha": base}, "head": {"sha": bad, "ref": "side"}}
    assert judged(ws, github(pull_request=pull)) == (1, {"VAULT001"})
    pushed = github(ref="refs/heads/side", before=ZERO, after=bad)
    assert judged(ws, pushed) == (1, {"VAULT001"})
    old = ws.repo.resolve("HEAD~1")
    merged = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": old, "CI_COMMIT_SHA": bad}
    assert judged(ws, gitlab(**merged)) == (1, {"VAULT001"})
