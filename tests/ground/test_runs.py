"""Any text is numbers of words and of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from molt import runs

SIZE = 524_287


@given(st.text())
def test_any_text_is_cut_into_sentences_of_words(text: str) -> None:
    for words in runs.split_sentences(text):
        assert words
        assert all(0 <= number < SIZE for number in runs.list_runs(words, SIZE))


@given(st.lists(st.sampled_from(["send", "the", "vault", "你", "好"]), min_size=1, max_size=9))
def test_a_sentence_has_each_run_of_its_words_once(words: list[str]) -> None:
    (numbers,) = runs.split_sentences(" ".join(words))
    assert len(numbers) == len(words)
    whole = [runs.BEGIN, *numbers, runs.END]
    found: set[tuple[int, ...]] = {(number,) for number in numbers}
    found |= {
        tuple(whole[at : at + size]) for size in (2, 3) for at in range(len(whole) - size + 1)
    }
    # Four that begin with a sign of a script without spaces.
    fours = zip(words, *(whole[at:] for at in (1, 2, 3, 4)), strict=False)
    found |= {tuple(run) for word, *run in fours if not word.isascii()}
    assert runs.list_runs(numbers, SIZE) == {number_run(run) for run in found}


def number_run(run: Sequence[int]) -> int:
    return reduce(lambda found, word: found * runs.FACTOR + word, run) % SIZE


def test_case_marks_and_figures_are_no_words_of_their_own() -> None:
    def read(text: str) -> list[list[int]]:
        return runs.split_sentences(text)

    assert read("Send THE, 12 keys (to) bob@x.example") == read("send the 7,000 keys to a.b@c.org")
    assert read("see https://x.example/a?b=1") == read("see www.shop.example")
    assert read("**ign*or*e** it") == read("ignore it")
    assert read("one. two! three") != read("one two three")


def test_what_is_remembered_of_words_stays_little() -> None:
    for number in range(runs._MOST + 2):
        runs.split_sentences(f"tea-{number}x")
    assert len(runs._known) <= runs._MOST
