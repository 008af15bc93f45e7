"""A claim is said in one place, of whom it is about, and as something that is so."""

from __future__ import annotations

import pytest

from molt.memory.reflect.evidence import borne

BOAT = (
    "Rolf: Hi Kerstin! Thanks for the card. Last week I finished a wooden boat. "
    "My uncle taught me how to plane the planks. I would love to sail it to Gotland someday."
)
CHOIR = (
    "Kerstin: Rolf, you sang so well! I've joined a choir and also baked bread. "
    "We rehearse in the old mill. It's a mile from my flat. Have you been to Visby?"
)
MOVE = "Rolf: After the exam I moved to Lund. There's one who helps with the boxes, and I cook."


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        ("Rolf", "Rolf finished a wooden boat", BOAT),
        ("Rolf", "Rolf's uncle taught him how to plane the planks", BOAT),
        ("Rolf", "would love to sail to Gotland", BOAT),
        ("Kerstin", "Kerstin joined a choir and baked bread", CHOIR),
        ("Kerstin", "Kerstin's choir rehearses in the old mill", CHOIR),
        ("Kerstin", "Kerstin rehearses in the old mill a mile from her flat", CHOIR),
        ("Rolf", "Rolf sang so well", CHOIR),
        ("Rolf", "moved to Lund after the exam", MOVE),
        ("", "moved to Lund", "I moved to Lund."),
        (
            "database",
            "chose Postgres for the ledger",
            "Decision: we chose Postgres for the ledger.",
        ),
    ],
)
def test_what_one_place_says_is_borne_out(who: str, claim: str, said: str) -> None:
    assert not borne.find_unborne(claim, (said,), who)


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        ("Kerstin", "Kerstin finished a wooden boat", BOAT),
        ("Rolf", "Rolf taught his uncle how to plane the planks", BOAT),
        ("Rolf", "Rolf sailed to Gotland", BOAT),
        ("Rolf", "Rolf finished a boat with Kerstin", BOAT),
        ("Kerstin", "Kerstin has been to Visby", CHOIR),
        ("Rolf", "Rolf joined a choir", CHOIR),
        ("Rolf", "moved to Lund before the exam", MOVE),
        ("Rolf", "Rolf helps with the boxes", MOVE),
    ],
)
def test_what_no_place_says_is_found(who: str, claim: str, said: str) -> None:
    assert borne.find_unborne(claim, (said,), who)


def test_a_run_of_spaces_is_read_as_one() -> None:
    said = f"Rolf:{' ' * 50_000}I moved to{' ' * 50_000}Lund."
    assert not borne.find_unborne("Rolf moved to Lund", (said,), "Rolf")


LOFT = (
    "Kerstin: How did you get into beekeeping, Rolf?",
    "Rolf: My neighbour got me into it, and I was hooked.",
)


def test_an_answer_is_read_with_what_was_asked() -> None:
    claim = "Rolf's neighbour got him into beekeeping"
    assert not borne.find_unborne(claim, LOFT, "Rolf", (-1, 0))
    assert borne.find_unborne(claim, LOFT, "Rolf", (-1, -1))


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        pytest.param(
            "Rolf",
            "Rolf sent a play to the theatre",
            ("Kerstin: I sent a play to the theatre.", "Rolf: Wow! What did you think of it?"),
            id="only-the-other-one-did",
        ),
        pytest.param(
            "Kerstin",
            "Kerstin drinks coffee at the gym",
            ("Kerstin: I drink coffee.", "Kerstin: I was at the gym."),
            id="two-things-that-she-said",
        ),
        pytest.param("Rolf", "Rolf has geese", ("Rolf: I love your geese!",), id="yours"),
        pytest.param(
            "Rolf",
            "Rolf went to Gotland",
            ("Rolf: We are off to Gotland next month.",),
            id="still-to-come",
        ),
        pytest.param(
            "Rolf",
            "Rolf paints",
            ("Rolf: I was thinking about trying to paint. [shares a photo of a paint box]",),
            id="a-picture-says-nothing",
        ),
    ],
)
def test_what_two_turns_say_is_no_claim(who: str, claim: str, said: tuple[str, ...]) -> None:
    before = (-1, 0)[: len(said)]
    assert borne.find_unborne(claim, said, who, before)


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        ("Kerstin", "Tea is Kerstin's weakness", "Kerstin: Tea is my weakness for sure!"),
        ("Rolf", "had a check-up", "Rolf: Appreciate the offer, but had a check-up on Friday."),
        ("灯会", "的规模是六百人", "我将要参加的灯会，它的规模是六百人。"),
        ("莲山", "的山顶能看到大海", "莲山的树多，特别是山顶，能看到大海。"),
    ],
)
def test_what_is_said_of_somebody_is_theirs(who: str, claim: str, said: str) -> None:
    assert not borne.find_unborne(claim, (said,), who)
