from __future__ import annotations

from molt.memory.recall.block import Block, Citation, Piece

PLACE = Citation("episode:2026-02-02:09:00", "memory/episodes/2026-02-02.md", 3, 3)
LONG = "# Monday\nThe gate opens at nine. " + "Boats leave on the hour. " * 9 + "It shuts at ten."


def show(*texts: str) -> str:
    block = Block(1_000)
    block.add("First", [Piece(PLACE, "", texts[0])], 1_000)
    block.add("Found", [Piece(PLACE, "", text) for text in texts[1:]], 1_000)
    return block.render_block()[0]


def test_a_piece_of_what_was_shown_is_not_shown_again() -> None:
    assert "Found" not in show(LONG, "# Monday\n… Boats leave on the hour. Boats leave …")
    assert "Found" not in show(LONG, LONG[:80] + " …")


def test_a_piece_with_something_more_is_shown() -> None:
    said = show(LONG[:120] + " …", "# Monday\n… hour. It shuts at ten.")
    assert "It shuts at ten." in said.partition("Found")[2]


def test_another_piece_of_one_long_line_is_shown() -> None:
    assert "Another part" in show(LONG, "Another part of the same line.")
