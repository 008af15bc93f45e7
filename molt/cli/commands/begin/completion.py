"""`molt completion`: what a shell reads."""

from __future__ import annotations

import click

from molt.cli import output
from molt.cli.call import Call, pass_call

# bash splits words at colons, and memory ids are full of them: the words are taken from the line
# itself, and what stands before the last colon is cut from the answers again.
_BASH = """\
_molt_completion() {
    local line="${COMP_LINE:0:COMP_POINT}" kind value
    local -a words
    read -r -a words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local current="${words[-1]}"
    local before="${current%"${current##*:}"}"
    [[ $COMP_WORDBREAKS == *:* ]] || before=""
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            plain) COMPREPLY+=("${value#"$before"}") ;;
            dir) compopt -o dirnames 2>/dev/null ;;
            file) compopt -o default 2>/dev/null ;;
        esac
    done < <(COMP_WORDS="$line" COMP_CWORD=$((${#words[@]} - 1)) \\
        _MOLT_COMPLETE=bash_complete molt 2>/dev/null)
}
complete -o nosort -F _molt_completion molt
"""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@pass_call
def completion(call: Call, shell: str) -> int:
    """Print what SHELL reads to complete commands, options and memory ids.

    For bash and zsh: `eval "$(molt completion bash)"` in the shell's start file. For fish:
    `molt completion fish > ~/.config/fish/completions/molt.fish`.
    """
    text = _BASH if shell == "bash" else _render_script(shell)
    if call.json:
        output.print_json({"shell": shell, "script": text})
    else:
        click.echo(text, nl=False)
    return 0


def _render_script(shell: str) -> str:
    from click import shell_completion

    found = shell_completion.get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"no completion for {shell}")
    group = click.get_current_context().find_root().command
    return found(group, {}, "molt", "_MOLT_COMPLETE").source()
