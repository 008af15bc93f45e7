"""`molt demo`, a guided run: every command is printed, then really run."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from molt import errors, surroundings
from molt.cli import output
from molt.cli.call import Call, pass_call
from molt.formats import episodes

_OTHERS = (
    *("MOLT_", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"),
    *surroundings.MARKS,
)


@click.command()
@click.argument("folder", default="")
@pass_call
def demo(call: Call, folder: str) -> int:
    """Show what molt does, on a throw-away workspace."""
    root = Path(os.path.abspath(folder or tempfile.mkdtemp(prefix="molt-demo-"))) / "agent"
    _refuse_taken(root)
    tour = Tour(root, silent=call.json)
    tour.run()
    if call.json:
        output.print_json({"workspace": str(root), "steps": tour.steps})
    else:
        click.echo(f"\nThe workspace is {root}")
    return 0


def _refuse_taken(root: Path) -> None:
    """Raises Usage where the demo would write into what is somebody's already."""
    from molt.repo import find

    hint = "give a folder elsewhere, or none for a temporary one"
    if root.exists():
        raise errors.Usage(f"{root} is there already", hint)
    above = next(folder for folder in root.parents if folder.is_dir())
    with contextlib.suppress(errors.NotFound):
        inside = find.find_repo(str(above)).root
        raise errors.Usage(f"{root.parent} is inside the repository {inside}", hint)


class Tour:
    """Runs molt and git as a person would, printing what it types."""

    def __init__(self, root: Path, *, silent: bool = False) -> None:
        self.root = root
        self.silent = silent
        self.steps: list[dict[str, object]] = []
        who = {"NAME": "Ada", "EMAIL": "ada@example.org"}
        identity = {
            f"GIT_{role}_{k}": v for role in ("AUTHOR", "COMMITTER") for k, v in who.items()
        }
        # What points to another workspace, repository or actor is not for this one.
        kept = {key: os.environ[key] for key in os.environ if not key.startswith(_OTHERS)}
        self.env = {**kept, **identity, "MOLT_ACTOR": surroundings.PERSON}

    def say(self, text: str) -> None:
        if not self.silent:
            click.secho(f"\n# {text}", fg="cyan")

    def call(self, *args: str, fails: bool = False) -> None:
        """Run one command; raises where it fails and should not, or the other way round."""
        if not self.silent:
            click.secho(f"$ {shlex.join(args)}", bold=True)
        command = [sys.executable, "-m", "molt", *args[1:]] if args[0] == "molt" else list(args)
        cwd = self.root if self.root.exists() else None
        done = subprocess.run(command, cwd=cwd, env=self.env, capture_output=True, check=False)
        said = (done.stdout + done.stderr).decode("utf-8", "replace").rstrip()
        self.steps.append({"command": list(args), "status": done.returncode, "output": said})
        if not self.silent:
            click.echo(said)
        if bool(done.returncode) != fails:
            raise click.ClickException(f"{args[0]} exited with {done.returncode}")

    def append(self, path: str, text: str) -> None:
        with (self.root / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def run(self) -> None:
        """The whole tour."""
        self.say("A workspace from nothing")
        self.call("molt", "init", str(self.root))
        self.say("Memories in three stores")
        self.call("molt", "remember", "We chose PKCE for the mobile login", "--type", "decision")
        self.call(
            "molt", "remember", "signs tokens with Ed25519", "--entity", "concept:OAuth2 PKCE"
        )
        self.call("molt", "remember", "Ada prefers short answers", "--store", "core")
        self.call("molt", "search", "which auth flow for mobile?")
        self.say("A person edits SOUL.md and commits; the hook completes the message")
        self.append("SOUL.md", "\nSpeak softly.\n")
        self.call("git", "commit", "-q", "-a", "-m", "softer tone")
        self.call("git", "log", "-1", "--format=%B")
        self.call("molt", "alerts")
        self.call("molt", "ack", "SOUL.md")
        self.say("The past stays written: an edited episode is refused")
        episode = next((self.root / "memory/episodes").glob("*.md"))
        episode.write_text(episode.read_text("utf-8").replace("PKCE", "passwords"), "utf-8")
        self.call("git", "commit", "-q", "-a", "-m", "rewrite history", fails=True)
        self.call("git", "checkout", "-q", "--", str(episode.relative_to(self.root)))
        self._reflect()
        self.say("Who changed what")
        self.call("molt", "log")
        self.call("molt", "why", "entity:concept--oauth2-pkce")
        self.call("molt", "verify")

    def _reflect(self) -> None:
        """A reflection from episodes to its approval, with a plan as a host's model gives it."""
        self.say("A reflection: what happened becomes knowledge, proposed on a branch")
        told = "Ben reviews every change of the login on Fridays"
        self.call("molt", "remember", told, "--store", "episodic")
        self.call("molt", "remember", "The mobile login goes live on 2026-03-02")
        found = sorted((self.root / "memory/episodes").glob("*.md"))
        every = [
            one for path in found for one in episodes.parse(path.read_text("utf-8"), path.stem)
        ]
        named = {
            word: one.id for one in every for word in ("PKCE", "Ben", "live") if word in one.text
        }
        plan = self.root.parent / "plan.json"
        plan.write_text(json.dumps({"operations": _plan(named)}, indent=2), "utf-8")
        self.say("plan.json is what a model answered; one thing in it was never said: see Left Out")
        self.call("molt", "reflect", "--plan", str(plan))
        self.say("A person answers what it asks, and takes all but one of its proposals")
        self.call("molt", "reflect", "answer", "5", "Yes, from March on")
        self.call("molt", "reflect", "approve", "--except", "3")
        self.call("git", "log", "-6", "--graph", "--format=%h %s")
        self.say("What was taken is Markdown, each line with the memory that it is from")
        self.call("git", "show", "HEAD:memory/graph/entities/person--ben.md")
        self.call("molt", "core", "show")


def _plan(named: dict[str, str]) -> list[dict[str, object]]:
    """What a model might propose, one invention included."""
    ben = {"op": "upsert-entity", "entity": "person:Ben", "facts": ["reviews the login on Fridays"]}
    pkce = {
        "op": "add-fact",
        "entity": "concept--oauth2-pkce",
        "fact": "chosen for the mobile login",
    }
    core = {"block": "Active Context", "text": "The mobile login goes live on 2026-03-02"}
    return [
        {**ben, "evidence": [named["Ben"]], "reason": "He comes up whenever the login changes."},
        {**pkce, "evidence": [named["PKCE"]], "reason": "It is decided."},
        {"op": "reinforce", "memories": [named["PKCE"]], "reason": "It still guides the work."},
        {"op": "question", "text": "Is PKCE meant for the web login as well?"},
        {
            "op": "add-fact",
            "entity": "person:Ben",
            "fact": "is paid 90,000",
            "evidence": [named["Ben"]],
        },
        {
            "op": "rewrite-core",
            "add": [{**core, "evidence": [named["live"]]}],
            "reason": "A date to keep.",
        },
    ]
