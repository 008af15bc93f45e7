"""How the git that runs a hook was started: git itself tells its hooks too little of it."""

from __future__ import annotations

import os

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GLOBAL_VALUED = frozenset(
    (
        *("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix"),
        *("--config-env", "--attr-source"),
    )
)
_SHORT_VALUED = "mFCct"
_SHORT_ATTACHED = "SuU"
_VALUED = frozenset(
    (
        *("file", "author", "date", "message", "reedit-message", "reuse-message", "fixup"),
        *("squash", "trailer", "template", "cleanup", "pathspec-from-file"),
    )
)
_FLAGS = frozenset(
    (
        *("quiet", "verbose", "reset-author", "signoff", "edit", "status", "gpg-sign", "all"),
        *("include", "interactive", "patch", "only", "no-verify", "dry-run", "short", "branch"),
        *("ahead-behind", "porcelain", "long", "null", "amend", "no-post-rewrite", "verify"),
        *("untracked-files", "pathspec-file-nul", "allow-empty", "allow-empty-message"),
        *("no-edit", "no-signoff", "no-gpg-sign", "no-status", "no-amend", "no-all", "no-quiet"),
        *("no-verbose", "no-include", "no-only", "no-patch", "post-rewrite"),
    )
)
_WORDS_OF_MESSAGE = frozenset(
    (
        *("message", "file", "reuse-message", "reedit-message", "template", "edit", "no-edit"),
        *("trailer", "fixup", "squash", "quiet"),
    )
)
_SHORT_NAMES = {
    "m": "message",
    "F": "file",
    "C": "reuse-message",
    "c": "reedit-message",
    "t": "template",
    "e": "edit",
    "n": "no-verify",
    "q": "quiet",
    "v": "verbose",
    "S": "gpg-sign",
}
_ABOVE = 8  # processes: shells and a framework may stand between git and the hook


class Invocation(Value):
    """What is known of the git process above a hook.

    `command` is what it does (`commit`, `merge`, `rebase`), empty where that cannot be seen; the
    rest is known of a `commit` alone. `kept` are its arguments without those about the message,
    `trailers` what it adds to the message, and `signs` whether it says to sign, None where it says
    nothing of that. Where the arguments are not `exact` (blanks in them were lost), `amends` is no
    more than likely.
    """

    command: str = ""
    exact: bool = True
    amends: bool = False
    verifies: bool = True
    allows_empty_message: bool = False
    verbose: bool = False
    cleanup: str = ""
    trailers: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    signs: bool | None = None


def find_invocation() -> Invocation:
    """The git process that runs this hook, looked for above this one."""
    pid = int(os.environ.get("MOLT_GIT") or 0) or os.getppid()
    for _ in range(_ABOVE):
        found = _read_process(pid)
        if found is None:
            break
        pid, arguments, exact = found
        words = find_command(arguments)
        if words[:1] == ["commit"]:
            return parse_commit(words[1:], exact=exact)
        if words:
            return Invocation(words[0])
        if pid <= 1:
            break
    return Invocation(exact=False)


def _read_process(pid: int) -> tuple[int, list[str], bool] | None:
    """The parent of a process, its arguments, and whether they are exact; None if unknown."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            arguments = os.fsdecode(file.read()).split("\0")[:-1]
        with open(f"/proc/{pid}/stat", "rb") as file:
            parent = int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return _ask_ps(pid)
    return parent, arguments, True


def _ask_ps(pid: int) -> tuple[int, list[str], bool] | None:
    """The same as `ps` tells it, where there is no `/proc`: blanks in arguments are lost."""
    from molt import errors
    from molt.repo import process

    try:
        status, out, _ = process.call(("ps", "-o", "ppid=", "-o", "args=", "-p", str(pid)))
        words = [] if status else out.split()
        return int(words[0]), [os.fsdecode(word) for word in words[1:]], False
    except (errors.Failed, OSError, ValueError, IndexError):
        return None


def find_command(arguments: Sequence[str]) -> list[str]:
    """The command of git and its arguments; empty where the process is no git."""
    if not arguments:
        return []
    name = arguments[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    if name.startswith("git-"):
        return [name.removeprefix("git-"), *arguments[1:]]
    if name != "git":
        return []
    rest = iter(arguments[1:])
    for word in rest:
        if word in _GLOBAL_VALUED:
            next(rest, "")
        elif not word.startswith("-"):
            return [word, *rest]
    return []


def parse_commit(arguments: Sequence[str], *, exact: bool = True) -> Invocation:
    """What the arguments of `git commit` say."""
    seen: dict[str, str] = {}
    trailers: list[str] = []
    kept: list[str] = []
    for name, value, words in _list_options(arguments):
        # The last of two that contradict each other counts.
        seen.pop(name.removeprefix("no-") if name.startswith("no-") else f"no-{name}", None)
        seen[name] = value
        if name == "trailer":
            trailers.append(value)
        if name not in _WORDS_OF_MESSAGE:
            kept.extend(words)
    return Invocation(
        command="commit",
        exact=exact,
        amends="amend" in seen,
        verifies="no-verify" not in seen,
        allows_empty_message="allow-empty-message" in seen,
        verbose="verbose" in seen,
        cleanup=seen.get("cleanup", ""),
        trailers=tuple(trailers),
        kept=tuple(kept),
        signs="gpg-sign" in seen if "gpg-sign" in seen or "no-gpg-sign" in seen else None,
    )


def _list_options(arguments: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Each option with its value and the words it is made of; paths have no name."""
    rest = iter(arguments)
    for word in rest:
        if word == "--":
            yield "", "", [word, *rest]
        elif word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            name = _expand(name)
            words = [word]
            if name in _VALUED and not equals:
                value = next(rest, "")
                words.append(value)
            yield name, value, words
        elif word.startswith("-") and len(word) > 1:
            yield from _list_short(word, rest)
        else:
            yield "", "", [word]


def _list_short(word: str, rest: Iterator[str]) -> Iterator[tuple[str, str, list[str]]]:
    """The options of a cluster such as `-qam`."""
    for at, letter in enumerate(word[1:], 1):
        name = _SHORT_NAMES.get(letter, letter)
        if letter in _SHORT_VALUED:
            attached = word[at + 1 :]
            yield name, attached or next(rest, ""), []
            return
        if letter in _SHORT_ATTACHED:
            yield name, word[at + 1 :], [f"-{word[at:]}"]
            return
        yield name, "", [f"-{letter}"]


def _expand(name: str) -> str:
    """The whole name of a long option that may be cut short."""
    if name in _VALUED or name in _FLAGS:
        return name
    matching = [full for full in (*_VALUED, *_FLAGS) if full.startswith(name)]
    return matching[0] if len(matching) == 1 else name
