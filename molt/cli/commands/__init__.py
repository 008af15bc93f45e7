"""The one table of commands; each has a module that is called like it.

The modules of a section stand in a folder of their own, those of `Find` in `find`.
"""

from __future__ import annotations

SECTIONS = {
    "Begin": {
        "init": "Make or adopt a workspace.",
        "status": "What is here, and what waits.",
        "install": "Put molt into a program that runs an agent.",
        "setup": "Connect a language model, and try it.",
        "uninstall": "Take molt out of such a program again.",
        "hooks": "Install, remove or inspect the git hooks.",
        "doctor": "Find and mend what is wrong.",
        "demo": "A guided run on a throw-away workspace.",
        "completion": "What a shell reads to complete commands and memory ids.",
    },
    "Remember": {
        "remember": "Write one memory.",
        "core": "Core memory, by block and bullet.",
        "import": "Bring in records of another tool.",
        "export": "Write memories for another program.",
        "pin": "Keep memories from fading.",
        "unpin": "Let memories fade again.",
        "touch": "Say that memories were used.",
        "decay": "Tell what has faded.",
        "forget": "Put away all that says something.",
        "restore": "Bring back what was forgotten.",
    },
    "Find": {
        "search": "Find memories.",
        "recall": "Answer a question from memory.",
        "get": "Read one memory.",
        "context": "What to load at the start of a session.",
        "graph": "The knowledge graph.",
        "index": "Bring the search index up.",
        "question": "Questions that the memory must answer.",
        "eval": "Measure the search on a set of questions.",
    },
    "Agents and their programs": {
        "session": "The moments of a conversation, for hosts.",
        "hook": "Answer an event of Claude Code or Codex.",
        "mcp": "Serve agents over the Model Context Protocol.",
        "trigger": "Say what a message asks of the memory.",
        "propose": "Propose a memory as a sub-agent.",
        "review": "Decide on what sub-agents propose.",
        "procedure": "Learned workflows, and skills of them.",
        "adopt-changes": "Commit what known foreign writers left.",
        "commit": "Commit what may be committed, and leave the rest.",
    },
    "Reflect": {
        "reflect": "Consolidate on a branch; a person approves.",
    },
    "Who, when and why": {
        "log": "Who changed what, and when.",
        "why": "The story of one memory.",
        "blame": "Who wrote each line, when, why, by whose leave.",
        "alerts": "Changes of critical files that await acknowledgement.",
        "ack": "Acknowledge a change of a critical file.",
        "audit": "The audit log.",
    },
    "Rules": {
        "verify": "Judge commits by the policy.",
        "check": "Judge what is on disk, before a commit.",
        "rule": "Explain one rule, or list them all.",
        "accept": "Take on what `verify` finds, with who and why.",
        "keys": "Which SSH keys sign for whom.",
        "consent": "Let this clone use what molt.yaml leads to.",
    },
    "Undo and share": {
        "revert": "Undo a commit, a reflection, or a file's changes.",
        "rollback": "Make the workspace as it was on a day.",
        "sync": "Bring this clone and its remote together.",
        "resolve": "Merge what stands in conflict, by meaning.",
        "backup": "All of the history in one file, tried.",
        "purge": "Rewrite history without a memory.",
    },
    "": {
        "hook-run": "",
    },
}
"""The commands as the help shows them, each with its line; one without a line is for programs."""

COMMANDS = {name: line for section in SECTIONS.values() for name, line in section.items()}
PLAIN = (
    *("remember", "search", "recall", "get", "touch", "propose", "trigger"),
    *("log", "why", "alerts", "status", "context", "session", "hook", "reflect"),
)
"""Commands that are declared as a Spec, and run without click where the call is plain.

A Spec is for what agents and hosts call all the time; every other command is click's.
"""

_NAMED = {"import": "import_"}
_FOLDERS = {
    "Begin": "begin",
    "Remember": "remember",
    "Find": "find",
    "Agents and their programs": "agents",
    "Who, when and why": "who",
    "Rules": "rules",
    "Undo and share": "undo",
}


def module_name(command: str) -> str:
    """The module of a command."""
    module = _NAMED.get(command, command.replace("-", "_"))
    folder = next((_FOLDERS.get(title) for title in SECTIONS if command in SECTIONS[title]), None)
    return f"{__name__}.{folder}.{module}" if folder else f"{__name__}.{module}"
