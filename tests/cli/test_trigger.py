"""`molt trigger`: a message, a stream of messages, and the phrases of a workspace."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

ASKED = {
    "intent": "remember",
    "phrase": "remember that",
    "span": [7, 20],
    "payload": "we chose PKCE",
}
PHRASES = 'before:\n  - "bitte"\nremember:\n  - "merk dir, dass"\n'


def test_the_intent_of_a_message(tmp_path, run, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "please remember that we chose PKCE"
    assert json.loads(run("trigger", text, "--json").out) == ASKED
    assert run("trigger", text).out == "remember  we chose PKCE\n"
    assert run("trigger", "I forgot my keys").out == "none\n"


def test_a_message_on_standard_input(run, monkeypatch) -> None:
    given = io.TextIOWrapper(io.BytesIO("请记住我们用 PKCE".encode()))
    monkeypatch.setattr("sys.stdin", given)
    assert json.loads(run("trigger", "-", "--json").out)["payload"] == "我们用 PKCE"


@pytest.mark.parametrize("args", [("trigger",), ("trigger", "a", "--stdin-lines")])
def test_there_is_a_text_or_there_are_lines(run, args) -> None:
    assert run(*args).status == 2


def test_each_line_is_answered_as_it_comes(tmp_path) -> None:
    command = [sys.executable, "-m", "molt", "trigger", "--stdin-lines"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for line, intent in (
            (b"please remember that we chose PKCE\r\n", "remember"),
            (b"\n", "none"),
            (b"caf\xe9\n", "none"),
            ("忘掉我之前的地址\n".encode(), "forget"),
        ):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["intent"] == intent
        process.stdin.write(b"do you remember my name?")
        process.stdin.close()
        assert json.loads(process.stdout.readline())["intent"] == "recall"
    assert process.returncode == 0


def test_phrases_of_the_workspace_are_known(agent, run, git) -> None:
    (agent / "de.yaml").write_text(PHRASES)
    (agent / "molt.yaml").write_text("triggers: {files: [de.yaml]}\n")
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "German phrases")
    text = "Bitte merk dir, dass der Schlüssel hängt"
    for _ in range(2):
        said = run("trigger", text, "--json")
        assert json.loads(said.out)["payload"] == "der Schlüssel hängt"
        assert said.err == ""
    assert run("trigger", "remember that it is so").out == "remember  it is so\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('noun:\n  - "merk dir"\n', "de.yaml:2: not a phrase: noun:"),
        (None, "de.yaml, which is not committed"),
    ],
)
def test_a_file_of_phrases_that_is_none_is_named_and_left_out(agent, run, git, text, said) -> None:
    if text:
        (agent / "de.yaml").write_text(text)
    (agent / "molt.yaml").write_text("triggers: {files: [de.yaml]}\n")
    git(agent, "add", "-A")
    git(agent, "commit", "-qm", "German phrases")
    found = run("trigger", "please remember that we chose PKCE", "--json")
    assert json.loads(found.out) == ASKED
    assert said in found.err
