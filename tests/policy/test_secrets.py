"""Each format of the table is found and its look-alike is not; nothing else is guessed.

No line here holds a secret as it stands: `sample` makes them up, so that no scanner trips.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

import pytest

from molt.policy import secrets
from molt.policy.secrets import prefilter, values
from molt.policy.secrets.checksums import CHECKS
from molt.policy.secrets.patterns import SecretFormat, load_formats, sample

DATA = Path(__file__).parent / "data"
FORMATS = load_formats()
TOKEN = sample("ghp_{an:36}")


def read_lines(name: str) -> list[str]:
    """The lines of a file of templates, filled in; `${` and `{{` stand for themselves."""
    rows = (DATA / name).read_text("utf-8").splitlines()
    kept = (row.replace("${", "\0").replace("{{", "\1") for row in rows)
    return [sample(row).replace("\0", "${").replace("\1", "{{") for row in kept]


def kinds(line: str) -> list[str]:
    return [kind for _, _, kind in secrets.find(line)]


def is_blocked(line: str) -> bool:
    return any(secrets.class_of(kind) == secrets.BLOCK for kind in kinds(line))


def name_format(form: SecretFormat) -> str:
    return f"{form.name} {' '.join(form.prefixes)}"[:40]


@pytest.mark.parametrize("form", FORMATS, ids=name_format)
def test_format_example_is_found_and_lookalike_is_not(form: SecretFormat) -> None:
    example = sample(form.example)
    assert form.name in kinds(f"- use {example}")
    assert secrets.may_contain_secret(example)
    assert example not in secrets.redact(f"a\n- use {example}\nb")
    assert kinds(f"- use {sample(form.lookalike)}") == []
    if not form.check:
        assert form.name in kinds(sample(form.example, 1))


def test_table_has_all_formats_and_its_checks_exist() -> None:
    assert len(FORMATS) >= 279
    assert {form.check for form in FORMATS} - {""} == set(CHECKS)
    classes = {form.name: secrets.class_of(form.name) for form in FORMATS}
    assert {name for name, level in classes.items() if level != "block"} == {"bank account"}


def test_formats_in_context_are_found() -> None:
    lines = read_lines("formats.txt")
    assert len(lines) >= 130
    assert [line for line in lines if not is_blocked(line)] == []


def test_lookalikes_are_not_blocked_and_hardly_any_is_asked_about() -> None:
    lines = [*read_lines("lookalike-templates.txt")]
    lines += (DATA / "lookalikes.txt").read_text("utf-8").splitlines()
    assert len(lines) >= 500
    assert [line for line in lines if is_blocked(line)] == []
    assert len([line for line in lines if kinds(line)]) <= 0.02 * len(lines)


ASSIGNED = [
    *("password: Xk29!mm4q", "- **Password**: tulip-4471", "DB_PASSWORD=tulip4471"),
    *('{"password": "tulip4471"}', "password = 'P@ssw!rd9x'", "wifi passwd: tulip4471"),
    *("Passwort: tulip4471", "contraseña: tulip4471", "mot de passe : tulip4471"),
    *("пароль: tulip4471", "密码：tulip4471", "パスワード: tulip4471", "**Password:** `tulip4471`"),
    *("api_key={an:32}", "X-Api-Key: {an:32}", "token: {hex:40}", "client_secret={an:32}"),
    *("PRIVATE_KEY={hex:64}", "令牌：{hex:40}", "AWS_SECRET_ACCESS_KEY={b:40}", "pwd: tulip4471"),
]


@pytest.mark.parametrize("template", ASSIGNED)
def test_assignment_of_a_likely_value_asks(template: str) -> None:
    line = sample(template) if "{an" in template or "{hex" in template else template
    line = sample(line) if "{b:" in line else line
    (kind,) = kinds(line)
    assert kind in secrets.ASSIGNED
    assert secrets.class_of(kind) == secrets.ASK
    assert secrets.redact(f"a\n{line}\nb").count(f"[{kind}]") == 1


@pytest.mark.parametrize(
    "line",
    [
        *("the password is tulip4471", "the PIN of the card is 4718", "the door code is 4471#"),
        *("密码是tulip4471", "mijn pincode is 4470", "recovery codes 7639-1277 2038-3028"),
        "seed phrase legal winner thank year wave sausage worth useful legal winner thank yellow",
        *("mysql -u root -ptulip4471 shop", "the password was changed to tulip4471 in May"),
    ],
)
def test_prose_is_not_read_for_passwords(line: str) -> None:
    assert kinds(line) == []


@pytest.mark.parametrize(
    "value",
    [
        *("your-token-2024", "<your-token>", "${TOKEN}", "{{ token }}", "xxxxxxxxxxxx", "********"),
        *("example-token-1", "AKIAIOSFODNN7EXAMPLE", "changeme123", "password123", "9f8e7d…"),
        *("[redacted]", "sk_live_your_key_here", "db_password", "0000000000000000"),
    ],
)
def test_placeholder_is_no_secret(value: str) -> None:
    assert values.is_placeholder(value)
    assert kinds(f"password: {value}") == []


def test_ellipsis_cuts_an_assigned_value_off_but_no_whole_token() -> None:
    assert kinds(sample("JWT_SECRET={hex:24}...")) == []
    assert kinds("Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9...") == []
    assert kinds(f"my token is {TOKEN}...") == ["GitHub token"]


@pytest.mark.parametrize("char", ["\u200b", "\u2060", "\u00ad", "\ufe0f", "\U000e0041"])
def test_characters_that_no_reader_sees_hide_nothing(char: str) -> None:
    hidden = char.join((TOKEN[:2], TOKEN[2:20], TOKEN[20:]))
    line = f"so {char}use {hidden} there"
    ((start, end, kind),) = secrets.find(line)
    assert (line[start:end], kind) == (hidden, "GitHub token")
    assert TOKEN[20:] not in secrets.redact(line)


@pytest.mark.parametrize(("role", "found"), [("anon", []), ("service_role", ["JSON web token"])])
def test_web_token_that_every_visitor_gets_is_no_secret(role: str, found: list[str]) -> None:
    claims = base64.urlsafe_b64encode(f'{{"iss":"x","role":"{role}"}}'.encode()).decode()
    token = sample(f"eyJhbGciOiJIUzI1NiJ9.{claims.rstrip('=')}.{{w:43}}")
    assert kinds(f"a {token}") == kinds(f"Authorization: Bearer {token}") == found
    assert kinds(f"apikey: {token}") == found


def test_token_in_a_line_of_json_is_found() -> None:
    assert kinds(f'{{"text": "see\\n{TOKEN}"}}') == ["GitHub token"]


def test_token_inside_another_name_is_reported_once() -> None:
    assert kinds(f"GITHUB_TOKEN={TOKEN}") == ["GitHub token"]


@pytest.mark.parametrize("before", [0, 1, 3500, 3584, 4000, 4095, 4096, 7168, 50_000])
def test_window_edges_of_a_long_line_hide_nothing(before: int) -> None:
    line = f"{'word ' * (before // 5)}{' ' * (before % 5)} {TOKEN} {'word ' * 2000}"
    ((start, end, _),) = secrets.find(line)
    assert line[start:end] == TOKEN
    assert TOKEN not in secrets.redact(line)


def test_private_key_is_redacted_with_its_lines() -> None:
    key = sample(
        "-----BEGIN RSA PRIVATE{_:1}KEY-----\nMII{b:40}\n-----END RSA PRIVATE{_:1}KEY-----"
    )
    assert secrets.redact(f"a\n{key}\nb") == "a\n[private key]\nb"
    assert secrets.redact("a\n" + key.partition("-----END")[0]) == "a\n[private key]"
    public = sample("-----BEGIN PUBLIC KEY-----\nMII{b:40}\n-----END PUBLIC KEY-----\n")
    assert secrets.redact(public) == public


def test_redaction_counts_and_keeps_the_kinds_that_only_warn() -> None:
    text = f"use {TOKEN}\npassword: tulip4471\n"
    assert secrets.redact_counted(text) == ("use [GitHub token]\npassword: [password]\n", 2)
    kept = secrets.warn_only_kinds((("password", "warn"), ("secret", "ask")))
    assert secrets.redact_counted(text, kept)[0] == "use [GitHub token]\npassword: tulip4471\n"


def test_search_finds_what_find_does_in_any_row_of_a_long_text() -> None:
    rows = ["Ada führt ihr Boot am Abend über den See."] * 500
    for at in (0, 7, 250, 499):
        rows[at] = f"use {TOKEN}"
    found = dict(secrets.search("\n".join(rows)))
    assert found == {at: secrets.find(rows[at]) for at in (0, 7, 250, 499)}


PROSE = """
Ada takes her boat out on the lake at 18:30; see memory/graph/entities/concept--evening-boats.md
and https://example.org/a/page for 2026-02-03T10:00:00Z.
commit 9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a
device 7e6f82d8-7e6f-47e6-a7e6-7e6f82d841ec 他们在湖上航行，直到晚上。
"""


def test_plain_text_passes_the_prefilter_and_imports_nothing() -> None:
    assert not prefilter.may_contain_secret(PROSE)
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from molt.policy import secrets\n"
        "assert secrets.redact(sys.argv[1]) == sys.argv[1]\n"
        "assert not secrets.find(sys.argv[1])\n"
        "sys.exit(not {'re', 'molt.policy.secrets.scan'}.isdisjoint(sys.modules))"
    )
    subprocess.run([sys.executable, "-I", "-c", code, PROSE, *sys.path[1:]], check=True)


HOSTILE = [
    *("a", "A", "0", "x-", "_", "sk-", "pat", "://", "a://:@", "Bearer ", "Authorization: "),
    *("token: ", 'password: "', "eyJ", "4556 ", "AA00 ", "live_1a_", "-us1", "1a1", "密码："),
    *("%25", "-----BEGIN ", "\u200b", "WIFI:T:a;", "otpauth://?", "$6$a$", "xoxb-", "A1b2_"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_line_of_a_million_characters_is_searched_to_its_end(unit: str) -> None:
    line = unit * (1_000_000 // len(unit)) + f" {TOKEN}"
    assert line.rpartition(" ")[2] not in secrets.redact(line)
