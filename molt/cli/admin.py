"""Commands that look after a workspace."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from molt import errors
from molt.cli import completion, output
from molt.memory import audit as auditing
from molt.memory import verify as verifying
from molt.memory import workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from molt.policy import Rule

_FOREIGN = """warning: no hooks installed: core.hooksPath is {}, not this clone's alone
  run `molt hook-run NAME "$@"` from your own hooks, or `molt hooks install` to put them there"""


@click.command()
@click.argument("folder", default="")
@click.option("--adopt", is_flag=True, help="Say that the folder holds a workspace already.")
@click.option("--hooks/--no-hooks", default=True, help="Install the git hooks.")
@click.option("--name", default="", help="Set user.name for this repository.")
@click.option("--email", default="", help="Set user.email for this repository.")
@click.pass_obj
def init(obj: dict[str, Any], folder: str, adopt: bool, hooks: bool, name: str, email: str) -> int:
    """Make a workspace, or adopt what is there; nothing existing is rewritten."""
    target = os.path.abspath(folder or obj["start"])
    if adopt and not os.path.isdir(target):
        raise errors.NotFound(f"{target} is no folder to adopt")
    made = workspace.init(target, name=name, email=email)
    placed: tuple[str, ...] = ()
    foreign = workspace.foreign_hooks(made.repo) if hooks else ""
    if hooks and not foreign:
        from molt.githooks import install

        placed = install.install(made.repo.hooks_dir(), sys.executable)
    if foreign:
        output.note(obj, _FOREIGN.format(foreign))
    for one in made.findings:
        output.note(obj, output.finding(one).strip())
    if obj["json"]:
        findings = [one.asdict() for one in made.findings]
        output.document({**made.asdict(), "findings": findings, "hooks": list(placed)})
        return 0
    done = bool(made.commit or placed)
    click.echo(f"{made.repo.root}: {'ready' if done else 'a workspace already; nothing changed'}")
    found = {"created": made.created, "adopted": made.adopted, "left uncommitted": made.left}
    for word, paths in {**found, "hooks": placed}.items():
        if paths:
            click.echo(f"  {word}: {', '.join(paths)}")
    return 0


@click.command()
@click.pass_obj
def status(obj: dict[str, Any]) -> int:
    """Core tokens, memories by store, alerts, uncommitted edits."""
    from molt.formats import document, store
    from molt.repo import worktree

    ws = workspace.find(obj["start"], obj["actor"])
    tree = ws.files()
    tokens = document.tokens((tree.read("MEMORY.md") or b"").decode("utf-8", "replace"))
    counts: dict[str, dict[str, int]] = {}
    for path in tree.entries():
        if store(path):
            counts.setdefault(store(path), {"active": 0})["active"] += 1
    found = [line.file for line in auditing.alerts(ws.repo)]
    dirty = sorted(worktree.dirty(ws.repo))
    core = {"tokens": tokens, "cap": ws.config.core_cap}
    if obj["json"]:
        said = {"core": core, "memories": counts, "alerts": found, "dirty": dirty}
        output.document(said)
        return 0
    click.echo(f"core      {tokens:,} of {ws.config.core_cap:,} tokens")
    for name, states in sorted(counts.items()):
        click.echo(f"{name:9} {states['active']} files")
    click.echo(f"alerts    {', '.join(found) or 'none'}")
    click.echo(f"dirty     {', '.join(dirty) or 'nothing uncommitted'}")
    return 0


@click.command()
@click.argument("revisions", nargs=-1, metavar="[RANGE]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="How findings are written; github makes annotations.",
)
@click.pass_obj
def verify(obj: dict[str, Any], revisions: tuple[str, ...], form: str) -> int:
    """Judge every commit of RANGE, by default all since the adoption."""
    ws = workspace.find(obj["start"], obj["actor"])
    report = verifying.verify(ws.repo, revisions)
    if obj["json"] or form == "json":
        findings = [{"commit": oid, **one.asdict()} for oid, one in report.findings]
        said = {"range": report.range, "commits": report.commits, "findings": findings}
        output.document(said)
    elif form == "github":
        output.github(report.findings)
    else:
        for oid, one in report.findings:
            click.echo(output.finding(one, oid))
        click.echo(
            f"{output.count(report.commits, 'commit')}, "
            f"{output.count(len(report.findings), 'finding')}"
        )
    return int(any(one.severity == "error" for _, one in report.findings))


@click.command()
@click.pass_obj
def check(obj: dict[str, Any]) -> int:
    """Judge what is on disk against the last commit."""
    from molt.policy import Context, evaluate
    from molt.repo import worktree

    ws = workspace.find(obj["start"], obj["actor"])
    head = ws.head()
    new = worktree.Worktree(ws.repo, head)
    findings = evaluate(head, new, None, Context(actor=obj["actor"] or "manual", alerts=ws.alerts))
    if obj["json"]:
        output.document([one.asdict() for one in findings])
    for one in () if obj["json"] else findings:
        click.echo(output.finding(one))
    return int(any(one.severity == "error" for one in findings))


@click.command()
@click.argument("code", default="", shell_complete=completion.rules)
@click.pass_obj
def rule(obj: dict[str, Any], code: str) -> int:
    """Explain the rule CODE, or list them all."""
    from molt import policy

    found = policy.rule(code)
    if code and found is None:
        raise errors.NotFound(f"no rule {code}", "`molt rule` lists them")
    if obj["json"]:
        output.document(_told(found) if found else [_told(one) for one in policy.RULES])
    elif found:
        _explain(found)
    else:
        for one in policy.RULES:
            click.echo(f"{one.code:9} {one.severity:8} {one.name} — {one.protects}")
    return 0


def _told(one: Rule) -> dict[str, Any]:
    named = {key: getattr(one, key) for key in ("code", "name", "severity", "protects")}
    return named | {"passes": one.passes.asdict(), "fails": one.fails.asdict()}


def _explain(found: Rule) -> None:
    click.echo(f"{found.code} {found.name} ({found.severity})\nProtects: {found.protects}")
    for word, example in (("Passes", found.passes), ("Fails", found.fails)):
        click.echo(f"\n{word}, as {example.actor or 'manual'}:")
        for path, content in example.new.items():
            before = example.base.get(path)
            if before != content:
                said = "new" if before is None else f"was {before[:200]!r}"
                click.echo(f"  {path} ({said}): {content[:200]!r}")
        if example.message:
            click.echo(f"  message: {example.message!r}")


@click.command()
@click.argument("what", type=click.Choice(["install", "uninstall", "status"]))
@click.option("--strict", is_flag=True, help="Judge what skips other hooks, too.")
@click.pass_obj
def hooks(obj: dict[str, Any], what: str, strict: bool) -> int:
    """Install, remove or inspect the git hooks."""
    from molt.githooks import install

    folder = workspace.find(obj["start"], obj["actor"]).repo.hooks_dir()
    done: tuple[str, ...] = ()
    if what == "install":
        done = install.install(folder, sys.executable, strict=strict)
    elif what == "uninstall":
        done = install.uninstall(folder)
    found = install.status(folder, sys.executable)
    if obj["json"]:
        output.document({"changed": list(done), "hooks": [one.asdict() for one in found]})
    elif what == "status":
        for one in found:
            click.echo(f"{one.name:20} {one.state}")
    else:
        click.echo(f"{what}ed: {', '.join(done) or 'nothing to do'}")
    return 0


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended.")
@click.pass_obj
def doctor(obj: dict[str, Any], fix: bool) -> int:
    """Find interrupted writes, stale locks and outdated projections."""
    found = list(_problems(obj, fix))
    open_ = [said for said, mended in found if not mended]
    if obj["json"]:
        said = [{"problem": text, "mended": mended} for text, mended in found]
        output.document({"problems": said})
        return int(bool(open_))
    for text, _ in found:
        click.echo(text)
    click.echo(output.count(len(open_), "problem") if open_ else "all is well")
    return int(bool(open_))


def _problems(obj: dict[str, Any], fix: bool) -> Iterator[tuple[str, bool]]:
    """What is wrong, and whether it was mended."""
    from molt.repo import git, health

    repo = git.find(obj["start"])
    yield from health.problems(repo, fix=fix)
    ws = workspace.find(obj["start"], obj["actor"])
    for warning in ws.warnings:
        yield warning, False
    if fix:
        auditing.rebuild(repo)


@click.command()
@click.argument("what", type=click.Choice(["rebuild", "verify"]))
@click.pass_obj
def audit(obj: dict[str, Any], what: str) -> int:
    """Rebuild the audit log, or compare it with history."""
    repo = workspace.find(obj["start"], obj["actor"]).repo
    path = os.path.join(repo.root, auditing.PATH)
    before = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            before = file.read()
    count = auditing.rebuild(repo)
    with open(path, "rb") as file:
        same = file.read() == before
    if obj["json"]:
        output.document({"lines": count, "same": same})
        return int(what == "verify" and not same)
    click.echo(
        f"{count} lines" + ("" if what == "rebuild" else f", {'as' if same else 'not as'} before")
    )
    return int(what == "verify" and not same)


@click.command("hook-run", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
def hook_run(args: tuple[str, ...]) -> int:
    """What an installed hook runs where its interpreter is gone."""
    from molt import githooks

    return githooks.main(list(args))
