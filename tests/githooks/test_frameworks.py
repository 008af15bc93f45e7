"""The hooks through pre-commit and prek: the same findings as through molt's own files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from molt.memory.clone import installation
from molt.repo import hooks as hook_files

MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
EPISODE = "memory/episodes/2026-02-02.md"
TWO = "\n## 10:00 | fact | confidence:high | tags:[a]\nTwo.\n"
TYPES = [
    *("prepare-commit-msg", "pre-commit", "commit-msg", "post-commit", "pre-push"),
    *("post-merge", "pre-merge-commit", "post-checkout", "post-rewrite"),
]


@pytest.fixture(params=["pre-commit", "prek"])
def framework(request, agent, tmp_path, monkeypatch) -> str:
    """A workspace whose hooks a framework runs, from the manifest, without the network."""
    beside = Path(sys.executable).with_name(request.param)
    program = str(beside) if beside.exists() else shutil.which(request.param)
    if program is None:
        pytest.skip(f"{request.param} is not installed")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PREK_HOME", str(tmp_path / "home"))
    hooks = yaml.safe_load(MANIFEST.read_text())
    for hook in hooks:
        hook["language"] = "system"
        hook["entry"] = hook["entry"].replace("python", sys.executable, 1)
    config = {"default_install_hook_types": TYPES, "repos": [{"repo": "local", "hooks": hooks}]}
    agent.put(".pre-commit-config.yaml", yaml.safe_dump(config))
    agent.git("commit", "-qm", "hooks")
    hook_files.uninstall(agent.repo.hooks_dir())
    subprocess.run([program, "install"], cwd=agent.root, check=True, capture_output=True)
    return program


def test_a_message_is_completed_and_the_audit_log_follows(framework, agent) -> None:
    agent.append(TWO)
    agent.git("commit", "-qm", "two")
    assert agent.git("log", "-1", "--format=%s") == f"[APPEND] {EPISODE} — two\n"
    assert f"| APPEND | {EPISODE} | manual |" in agent.log()


def test_a_bad_commit_is_refused_with_the_same_finding(framework, agent) -> None:
    agent.rewrite()
    with_framework = agent.run("commit", "-m", "rewrite")
    hook_files.install(str(agent.root / "own"), sys.executable)
    own = agent.run("-c", "core.hooksPath=own", "commit", "-m", "rewrite")
    finding = next(line for line in own.stderr.splitlines() if "EPI001" in line)
    assert with_framework.returncode == own.returncode == 1
    assert finding in with_framework.stderr + with_framework.stdout


def test_a_partial_commit_is_judged_on_its_own_files(framework, agent) -> None:
    agent.rewrite()
    agent.put("notes.md", "a\n")
    agent.git("commit", "-qm", "a note", "notes.md")
    assert agent.git("log", "-1", "--format=%s") == "[CREATE] notes.md — a note\n"


def test_a_bad_push_is_refused(framework, agent, tmp_path) -> None:
    agent.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    agent.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    agent.git("push", "-q", "origin", "main")
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")
    done = agent.run("push", "origin", "main")
    assert done.returncode == 1
    assert "EPI001" in done.stderr + done.stdout


def test_history_is_verified_on_demand(framework, agent) -> None:
    run = [framework, "run", "molt-verify", "--hook-stage", "manual"]
    assert subprocess.run(run, cwd=agent.root, capture_output=True).returncode == 0
    agent.rewrite()
    agent.git("commit", "-qm", "rewrite", "--no-verify")
    done = subprocess.run(run, cwd=agent.root, capture_output=True, text=True)
    assert done.returncode == 1
    assert "EPI001" in done.stdout


def test_molts_own_hooks_beside_the_framework_say_it_once_each(framework, agent) -> None:
    hook_files.install(agent.repo.hooks_dir(), sys.executable)
    agent.append(TWO)
    agent.git("commit", "-qm", "two")
    assert agent.git("log", "-1", "--format=%s") == f"[APPEND] {EPISODE} — two\n"
    agent.rewrite()
    assert agent.run("commit", "-m", "rewrite").returncode == 1


def doctor(agent) -> list[tuple[str, str]]:
    """The hints of `molt doctor` about hooks, with how bad each is."""
    found = installation.check_hooks(agent.repo, sys.executable, fix=False)
    return [(one.severity, one.hint) for one in found]


def test_the_recommended_set_up_is_healthy(framework, agent) -> None:
    assert doctor(agent) == []
    for name in ("post-merge", "post-rewrite", "post-checkout"):
        (agent.root / ".git/hooks" / name).unlink(missing_ok=True)
    assert doctor(agent) == []


def test_a_hook_that_the_framework_does_not_run_is_put_back_by_the_hint(framework, agent) -> None:
    (agent.root / ".git/hooks/commit-msg").unlink()
    ((severity, hint),) = doctor(agent)
    assert severity == "error"
    line = hint.strip("`").replace("pre-commit", framework, 1)
    subprocess.run(["sh", "-c", line], cwd=agent.root, check=True, capture_output=True)
    assert doctor(agent) == []


def test_an_id_that_is_missing_is_named(framework, agent) -> None:
    config = agent.root / ".pre-commit-config.yaml"
    config.write_text(config.read_text().replace("id: molt-commit-msg", "id: other"))
    ((severity, hint),) = doctor(agent)
    assert (severity, "- id: molt-commit-msg" in hint) == ("warning", True)
