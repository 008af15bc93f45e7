"""The one table of commands; each has a module here that is called like it."""

from __future__ import annotations

COMMANDS = {
    "init": "Make or adopt a workspace.",
    "status": "What is here, and what waits.",
    "verify": "Judge commits by the policy.",
    "check": "Judge what is on disk, before a commit.",
    "rule": "Explain one rule, or list them all.",
    "hooks": "Install, remove or inspect the git hooks.",
    "install": "Put molt into a program that runs an agent.",
    "uninstall": "Take molt out of such a program again.",
    "doctor": "Find and mend what is wrong.",
    "index": "Bring the search index up.",
    "audit": "The audit log.",
    "question": "Questions that the memory must answer.",
    "bisect": "Find the commit that changed an answer.",
    "eval": "Measure the search on a set of questions.",
    "demo": "A guided run on a throw-away workspace.",
    "remember": "Write one memory.",
    "core": "Core memory, by block and bullet.",
    "propose": "Propose a memory as a sub-agent.",
    "review": "Decide on what sub-agents propose.",
    "sync": "Bring this clone and its remote together.",
    "resolve": "Merge what stands in conflict, by meaning.",
    "accept": "Take on what `verify` finds, with who and why.",
    "ack": "Acknowledge a change of a critical file.",
    "keys": "Which SSH keys sign for whom.",
    "consent": "Let this clone use what molt.yaml leads to.",
    "import": "Bring in records of another tool.",
    "search": "Find memories.",
    "recall": "Answer a question from memory.",
    "get": "Read one memory.",
    "trigger": "Say what a message asks of the memory.",
    "touch": "Say that memories were used.",
    "forget": "Put away all that says something.",
    "restore": "Bring back what was forgotten.",
    "revert": "Undo a commit, a reflection, or a file's changes.",
    "rollback": "Make the workspace as it was on a day.",
    "backup": "All of the history in one file, tried.",
    "purge": "Rewrite history without a memory.",
    "pin": "Keep memories from fading.",
    "unpin": "Let memories fade again.",
    "decay": "Tell what has faded.",
    "reflect": "Consolidate on a branch; a person approves.",
    "procedure": "Learned workflows, and skills of them.",
    "graph": "The knowledge graph.",
    "log": "Who changed what, and when.",
    "why": "The story of one memory.",
    "blame": "Who wrote each line, when, why, by whose leave.",
    "context": "What to load at the start of a session.",
    "session": "The moments of a conversation, for hosts.",
    "hook": "Answer an event of Claude Code or Codex.",
    "adopt-changes": "Commit what known foreign writers left.",
    "alerts": "Changes of critical files that await acknowledgement.",
    "mcp": "Serve agents over the Model Context Protocol.",
    "completion": "What a shell reads to complete commands and memory ids.",
    "hook-run": "",
}
"""Each command with its line in the help; one without a line is for programs."""

PLAIN = (
    *("remember", "search", "recall", "get", "touch", "propose", "trigger"),
    *("log", "why", "alerts", "status", "context", "session", "hook"),
)
"""Commands that are declared as a Spec, and run without click where the call is plain.

A Spec is for what agents and hosts call all the time; every other command is click's.
"""

_NAMED = {"import": "import_"}


def module_name(command: str) -> str:
    """The module of a command."""
    return f"{__name__}.{_NAMED.get(command, command.replace('-', '_'))}"
