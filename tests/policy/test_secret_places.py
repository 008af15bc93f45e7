"""Where a secret is looked for leaves out no line, and no part of a file, that can hold one."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as some

from molt.policy import secrets
from molt.policy.secrets import places, vocabulary
from molt.policy.secrets.form import SecretForm, sample
from molt.policy.secrets.formats import FORMS

from .test_secrets import HARMLESS, NUMBERS, TOLD, filled

SAMPLES = [
    *(sample(text) for form in FORMS for text in (form.example, form.harmless)),
    *map(filled, (*TOLD, *HARMLESS)),
    *NUMBERS.values(),
    *("", "a plain line", "İİİİ", "ΣΑΣ", "to\u212aen", "in\\nJSON\\", "4012 8888", "\r", "\ud800"),
]
lines = some.lists(
    some.one_of(
        some.sampled_from(SAMPLES),
        some.sampled_from([repr(text)[1:-1].replace(" ", "\\n") for text in SAMPLES]),
        some.text(some.characters(exclude_characters="\n"), max_size=60),
        some.sampled_from(SAMPLES).map(lambda text: f"{'word ' * 900}{text}"),
    ),
    max_size=12,
)


@given(lines)
def test_what_is_found_in_the_lines_that_may_hold_something_is_all_there_is(
    rows: list[str],
) -> None:
    likely = secrets.suspects("\n".join(rows))
    every = {at: secrets.find(row, likely) for at, row in enumerate(rows)}
    found = {at: secrets.find(rows[at], few) for at, few in secrets.narrow(rows, likely)}

    assert list(found) == sorted(found)
    assert {at: said for at, said in found.items() if said} == {
        at: said for at, said in every.items() if said
    }


def test_of_many_lines_few_are_read() -> None:
    rows = ["we met at noon and spoke of the boat"] * 500
    rows[77], rows[400] = map(filled, TOLD[:2])

    assert [at for at, _ in secrets.narrow(rows, secrets.suspects("\n".join(rows)))] == [77, 400]


MARKED = [
    form for form in FORMS if form.words and all(len(word) >= 4 for word in form.words.split())
]

NOISE = random.Random(4)


@pytest.mark.parametrize("form", MARKED, ids=lambda form: f"{form.name} {form.words}"[:40])
@pytest.mark.parametrize("size", [40, 60_000])
def test_a_token_with_a_mark_of_its_own_is_suspected_among_any_bytes(
    form: SecretForm, size: int
) -> None:
    token = sample(form.example)
    noise = NOISE.randbytes(size)
    data = b"\0" + noise[: size // 2] + b"\0" + token.encode() + b"\0" + noise[size // 2 :]

    assert form.name in [name for name, _, _ in secrets.suspects_of_binary(data)]


def test_the_shortest_token_is_longer_than_what_is_left_out() -> None:
    shortest = "xoxb-" + "1" * 10
    assert len(shortest) > places.SHORTEST
    assert secrets.suspects_of_binary(b"\xff\0" * 9 + shortest.encode() + b"\xff\0" * 9)


def test_bytes_at_random_are_worth_no_look() -> None:
    assert secrets.suspects_of_binary(random.Random(5).randbytes(400_000)) == ()


LONG_MARKS = [(form, word) for form in MARKED for word in form.words.split()]


@pytest.mark.parametrize(("form", "word"), LONG_MARKS, ids=lambda one: str(one)[-30:])
def test_a_mark_is_left_in_what_a_file_is_condensed_to(form: SecretForm, word: str) -> None:
    whole = sample(form.example)
    used = next((mark for mark in form.words.split() if mark in whole), "")
    token = whole.replace(used, word, 1) if used else word + whole
    for data in (f"const x = '{token}';\n" * 3, f"const x = '{token}';\n\0"):
        assert word in places.condense(data.encode())


def test_an_address_with_a_date_is_no_live_key() -> None:
    slug = "uk-boats-live-harbour-expected-announce-she-will-sail-2026-06-22"
    assert secrets.find(f"https://news.example.org/world/{slug}/") == ()
    assert secrets.find("acme-live-7e6f82d841ecbaabce148d28f6e70a50")


@given(some.lists(some.sampled_from(SAMPLES), max_size=4), some.integers(0, 1300))
def test_nothing_is_lost_among_lines_that_differ_in_figures(few: list[str], at: int) -> None:
    rows = [
        f'"created": "2026-02-{number % 28:02}T07:{number % 60:02}Z",' for number in range(1300)
    ]
    rows[at:at] = [row for text in few for row in text.split("\n")]

    text = "\n".join(rows)
    folded = vocabulary.fold_digits(text, secrets._EVERY)
    assert len(folded) * 2 < len(text)
    kinds = {kind for row in rows for _, _, kind in secrets.find(row)}
    assert kinds <= {kind for kind, *_ in secrets.suspects(text)}


@given(lines, some.data())
def test_lines_that_are_known_to_tell_of_nothing_need_not_be_read(
    rows: list[str], data: some.DataObject
) -> None:
    text = "\n".join(rows)
    known = deepcopy(secrets.KNOWN)
    known.learn("\n".join(data.draw(some.lists(some.sampled_from(rows or [""])))))

    left = known.drop_plain(text)
    assert bool(secrets.suspects(left)) >= any(map(secrets.find, rows))
    known.learn("a plain line\nanother one")
    assert known.drop_plain("a plain line\nunknown") == "unknown"
