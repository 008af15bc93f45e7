"""Where a sentence ends, and where a stop is no end."""

from __future__ import annotations

import pytest

from molt.memory.engines import rules


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("I met Dr. Dre. He is nice.", 2, id="title"),
        pytest.param("Ask Mrs. Voss, e.g. at noon vs. nine, i.e. Ms. Bo.", 1, id="short words"),
        pytest.param("J.K. Rowling wrote it.", 1, id="initials"),
        pytest.param('I like "Savana." What do you like?', 2, id="stop-in-a-quotation"),
        pytest.param('He said "Stop." and left.', 1, id="quotation-goes-on"),
        pytest.param("We play Battlefield 1. It is fun.", 2, id="number-of-a-name"),
        pytest.param("1. Test it 2. Tag it 3. Push it", 1, id="steps"),
        pytest.param("Do this: 1) test. 2) tag. 3) push.", 1, id="steps-in-brackets"),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, count: int) -> None:
    assert len(rules.split_sentences(text)) == count
