"""The host's own model, asked for the plan of a reflection by the host's program.

A person chooses that by `molt setup model host`, in this clone alone: a workspace cannot make a
clone run a program.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess

from molt import errors
from molt.hosts import detached
from molt.repo import state
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.repo.repository import Repo

REFLECTING = "MOLT_REFLECTING"
"""Set while a host makes a plan: its hooks then add nothing, and start no further reflection."""
SECONDS = 600
"""Nobody waits for a reflection, but a program that hangs is ended."""
PROGRAMS: dict[str, tuple[str, ...]] = {
    # No tools, no hooks, no servers, no transcript: the question is all that the model sees.
    "claude-code": (
        *("claude", "-p", "--output-format", "json", "--tools", "", "--strict-mcp-config"),
        *("--no-session-persistence", "--settings", '{"disableAllHooks": true}'),
        # The host's own instructions are for work on code, and five times as long as the question.
        *("--system-prompt", "You answer with what is asked for, and nothing else."),
    ),
}
"""Per host, the call of its program that reads a question and prints the answer as JSON."""


class HostAnswer(Value):
    """The text that a host's model answered, and what it cost, in words for people."""

    text: str
    spent: str


def read_host(repo: Repo) -> str:
    """Return the host that makes plans in this clone; empty where a person has chosen none."""
    name = state.read(repo.common_dir, detached.CHOICE).strip()
    return name if name in PROGRAMS else ""


def set_host(repo: Repo, name: str) -> None:
    """Keep which host makes plans in this clone; empty for none. Raises Failed."""
    if name or read_host(repo):
        state.write(repo.common_dir, detached.CHOICE, f"{name}\n" if name else "", durable=True)


def require_host(repo: Repo) -> str:
    """Return the host that makes plans in this clone. Raises Usage where none is chosen."""
    name = read_host(repo)
    if not name:
        raise errors.Usage("no host makes plans in this clone", "molt setup model host")
    return name


def ask_host(name: str, prompt: str) -> HostAnswer:
    """Return the answer of a host's model to a prompt. Raises Unavailable where the program is
    missing, fails, takes too long, or prints no answer.
    """
    program, *options = PROGRAMS[name]
    found = shutil.which(program)
    if found is None:
        raise errors.Unavailable(
            f"{name}: there is no `{program}` on PATH",
            "install it, or choose an endpoint: molt setup model --help",
        )
    try:
        done = subprocess.run(
            [found, *options],
            input=prompt.encode(),
            capture_output=True,
            timeout=SECONDS,
            # A folder without a project: its instructions are not part of the question.
            cwd=os.path.expanduser("~"),
            env={**os.environ, REFLECTING: "1"},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise errors.Unavailable(f"{name}: no answer in {SECONDS} s", "try it again") from error
    except OSError as error:
        raise errors.Unavailable(f"{name}: {found} cannot be run: {error}", "") from error
    return _read_answer(name, done)


def _read_answer(name: str, done: subprocess.CompletedProcess[bytes]) -> HostAnswer:
    try:
        fields = json.loads(done.stdout)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not isinstance(fields.get("result"), str):
        shown = " ".join((done.stderr or done.stdout).decode("utf-8", "replace").split())[:200]
        raise errors.Unavailable(f"{name}: status {done.returncode}: {shown or 'no answer'}", "")
    if done.returncode or fields.get("is_error"):
        raise errors.Unavailable(f"{name}: {' '.join(fields['result'].split())[:200]}", "")
    return HostAnswer(fields["result"], _describe_cost(name, fields))


def _describe_cost(name: str, fields: dict[str, object]) -> str:
    """Return the tokens and the price of an answer, as far as the host reports them."""
    usage = fields.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    given = [counts[one] for one in names if isinstance(counts.get(one), int)]
    out = counts.get("output_tokens")
    parts = [f"{sum(given):,} tokens in" if given else "? tokens in"]
    parts.append(f"{out:,} out" if isinstance(out, int) else "? out")
    price = fields.get("total_cost_usd")
    if isinstance(price, int | float) and price >= 0:
        parts.append(f"{price:.4f} USD")
    return f"{name}: {', '.join(parts)}"
