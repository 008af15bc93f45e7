"""Write cli.md, configuration.md and rules.md from the program; `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from molt import config, errors, settings
from molt.cli.app import cli, global_options
from molt.cli.commands import COMMANDS
from molt.policy import RULES, Rule, sensitivity
from molt.policy.engine import Example

FOLDER = Path(__file__).parent
NOTICE = "<!-- Written by docs/generate.py: change the program, then run `make docs`. -->"
STATUSES = (
    (0, "done; also a search that finds nothing"),
    (errors.Refused.status, "refused by the policy, with findings; or failed"),
    (errors.Usage.status, "the call makes no sense"),
    (errors.NeedsAnswer.status, "a person must answer first; nothing was changed"),
    (errors.NotFound.status, "no such workspace, memory, revision, rule or file"),
    (errors.Busy.status, "another process holds the workspace, or moved it on every try"),
    (130, "interrupted; nothing is half-done"),
)


def main(argv: list[str]) -> int:
    """Writes the documents that are outdated, or with `--check` names them; the exit status."""
    outdated = [name for name, text in pages().items() if read(name) != text]
    if "--check" in argv:
        for name in outdated:
            click.echo(f"docs/{name} is outdated: run `make docs`", err=True)
        return int(bool(outdated))
    for name in outdated:
        (FOLDER / name).write_text(pages()[name], encoding="utf-8")
        click.echo(f"docs/{name}")
    return 0


def read(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def pages() -> dict[str, str]:
    """The text of every generated document, by its name."""
    made = {"cli.md": commands(), "configuration.md": list_settings(), "rules.md": rules()}
    return {name: "\n".join((NOTICE, "", *rows)) + "\n" for name, rows in made.items()}


def commands() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "`molt [OPTIONS] COMMAND`. The workspace is found upwards from the current folder, or is"
    yield "`MOLT_WORKSPACE`; `MOLT_FALLBACK_WORKSPACE` is that of folders which lie in none."
    yield "Who acts is `--actor`, `MOLT_ACTOR`, `git config molt.actor`, or who runs it: a person"
    yield "at a terminal, else an agent ([Routing](routing.md#whose-word-it-is))."
    yield ""
    yield "Results go to stdout, all else to stderr. Colour is for terminals; `NO_COLOR` holds."
    yield "A text argument `-` reads standard input; `--` ends the options."
    yield ""
    yield "## Options of every command"
    yield ""
    yield "They stand before the command or after it."
    yield ""
    yield from options(global_options())
    yield ""
    yield "## Exit status"
    yield ""
    yield from table(("status", "means"), ((str(n), text) for n, text in STATUSES))
    yield ""
    yield "With `--json` an error is a document on stdout as well:"
    yield '`{"error": {"kind", "message", "hint", "findings": []}}`.'
    for name, line in COMMANDS.items():
        if line:
            yield from command(f"molt {name}", found(name))


def found(name: str) -> click.Command:
    one = cli.get_command(click.Context(cli), name)
    if one is None:
        raise LookupError(name)
    return one


def command(path: str, one: click.Command) -> Iterator[str]:
    """A command, and the commands below it."""
    ctx = click.Context(one, info_name=path)
    yield ""
    yield f"## {path}"
    yield ""
    yield f"    {' '.join((path, *one.collect_usage_pieces(ctx)))}"
    yield ""
    yield from paragraphs(one.help or "")
    own = [param for param in one.params if isinstance(param, click.Option) and not param.hidden]
    if own:
        yield ""
        yield from options(own)
    if isinstance(one, click.Group):
        for name, inner in one.commands.items():
            yield from command(f"{path} {name}", inner)


def paragraphs(text: str) -> Iterator[str]:
    """The text of a docstring, each paragraph on one line."""
    parts = (" ".join(part.split()) for part in text.replace("\b", "").split("\n\n"))
    for number, part in enumerate(part for part in parts if part):
        yield from ("", part) if number else (part,)


def options(given: Iterable[click.Option]) -> Iterator[str]:
    rows = ((f"`{names(one)}`", meaning(one)) for one in given)
    yield from table(("option", "does"), rows)


def names(one: click.Option) -> str:
    words = "/".join((", ".join(one.opts), *one.secondary_opts))
    if one.is_flag:
        return words
    if isinstance(one.type, click.Choice):
        return f"{words} {'|'.join(map(str, one.type.choices))}"
    number = isinstance(one.type, click.types.IntParamType | click.types.FloatParamType)
    return f"{words} {one.metavar or ('N' if number else 'TEXT')}"


def meaning(one: click.Option) -> str:
    text = one.help or ""
    if one.is_flag or not isinstance(one.default, str | int | float) or one.default in ("", 0):
        return text
    return f"{text} Default: {one.default}."


def table(head: tuple[str, str], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def list_settings() -> Iterator[str]:
    yield "# Configuration"
    yield ""
    yield f"Settings are in `{config.PATH}` at the top of a workspace, in sections:"
    yield ""
    yield "```yaml"
    yield from ("core:", "  cap: 3000", "policy:", "  severity:", "    EPI002: error")
    yield "```"
    yield ""
    yield "What is absent has its default; a value that does not fit has it too, with a warning."
    yield "A commit is judged by the configuration that it finds, not by the one it brings."
    yield "The file is critical: bots may not change it, and a change awaits `molt ack molt.yaml`."
    for section in settings.SECTIONS:
        yield ""
        yield f"## {section}"
        for name in (one for one in settings.SETTINGS if one.startswith(f"{section}_")):
            yield ""
            yield from setting(name)


def setting(name: str) -> Iterator[str]:
    known, default = settings.SETTINGS[name], getattr(config.DEFAULT, name)
    shown = name.partition("_")[0] if name == settings.BOUND else name.replace("_", ".", 1)
    yield f"### {shown}"
    yield ""
    yield known.doc
    yield ""
    yield f"- Default: {value(default)}"
    if known.choices:
        yield f"- One of: {', '.join(f'`{one}`' for one in known.choices)}"
    if isinstance(default, int | float) and not isinstance(default, bool):
        yield f"- At least: {known.low:g}"


def value(default: object) -> str:
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, tuple):
        return f"`[{', '.join(map(str, default))}]`" if default else "nothing"
    return f"`{default}`" if default != "" else "nothing"


def rules() -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield "One policy judges every commit: before it exists, where molt writes it; in the hooks,"
    yield "where git does; and in `molt verify`, whoever made it. `molt rule CODE` prints one rule."
    yield "An error refuses the commit. `policy.severity` in `molt.yaml` makes any rule an `error`,"
    yield "a `warning` or `off`, from the next commit on."
    yield ""
    heads = ("code", "name", "severity", "protects")
    rows = (
        (f"[{one.code}](#{one.code.lower()})", one.name, one.severity, one.protects)
        for one in RULES
    )
    yield from table(heads, rows)
    yield ""
    yield "## Who may change what"
    yield ""
    yield "Every file has a class, by the configuration of the commit before (`policy.critical`,"
    yield "`policy.high`). Who is not named is nobody, and a claim of approval opens nothing."
    yield ""
    yield from table(("class", "files", "who"), classes())
    yield ""
    yield "## What is no longer searched for"
    yield ""
    yield from table(("code", "what", "instead"), GIVEN_UP)
    for one in RULES:
        yield from rule(one)


GIVEN_UP = (
    (
        "SEC001",
        "passwords, PINs, door codes, recovery codes and seeds in sentences, tables and commands",
        "`NAME: VALUE` asks (`ask`); a password manager",
    ),
    (
        "SEC001",
        "tokens in base64, hex or percent signs, or joined from pieces",
        "the format itself",
    ),
    ("SEC001", "names of services beside random values", "a name with `=` or `:` before the value"),
    (
        "SEC005",
        "base64, base32, hex, escapes, rot13, reversed words, spaced letters, digits for letters",
        "lookalike letters are folded; marks of origin (ORIG001)",
    ),
    (
        "SEC005",
        "chat templates, forged tool calls, image links and hidden elements by their form alone",
        "the model reads their words",
    ),
)
"""What rules searched for once, and what took its place."""


def classes() -> Iterator[tuple[str, str, str]]:
    """The table of who may change what."""
    named = {
        sensitivity.CRITICAL: config.DEFAULT.policy_critical,
        sensitivity.HIGH: config.DEFAULT.policy_high,
        sensitivity.VAULT: ("memory/vault/*",),
        sensitivity.BOOKKEEPING: ("memory/meta/*",),
    }
    for name, who in sensitivity.WHO.items():
        files = ", ".join(f"`{one}`" for one in named.get(name, ())) or "all others"
        yield name, files, who


def rule(one: Rule) -> Iterator[str]:
    yield ""
    yield f"## {one.code}"
    yield ""
    yield f"**{one.name}** ({one.severity}). Protects: {one.protects[:1].lower()}{one.protects[1:]}"
    for word, example in (("Passes", one.passes), ("Fails", one.fails)):
        yield ""
        yield f"{word}, committed by `{example.actor or 'manual'}`:"
        yield ""
        yield from (f"    {row}".rstrip() for row in shown(example))


def shown(example: Example) -> Iterator[str]:
    """An example as lines: what each changed file was and becomes, then the message."""
    for path in sorted({*example.base, *example.new}):
        before, after = example.base.get(path), example.new.get(path)
        if before != after:
            said = "new" if before is None else "removed" if after is None else "changed"
            yield f"{path} ({said})"
            yield from (f"  - {row}" for row in rows_of(before))
            yield from (f"  + {row}" for row in rows_of(after))
    if example.message:
        yield "message"
        yield from (f"  {row}".rstrip() for row in example.message.rstrip("\n").split("\n"))


def rows_of(content: str | None) -> list[str]:
    if content is None:
        return []
    if content.startswith("link:"):
        return [f"a symbolic link to {content.removeprefix('link:')}"]
    if len(content) > 1000:
        return [f"{content[:40]}… ({len(content):,} characters)"]
    return [plain(row) for row in content.rstrip("\n").split("\n")]


def plain(row: str) -> str:
    """A line with what does not print as an escape."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in row)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
