"""Errors in a person's words."""

from __future__ import annotations

from pathlib import Path

from molt import errors


def test_a_file_that_cannot_be_read_is_told_of_in_words(tmp_path: Path) -> None:
    said = []
    (tmp_path / "bytes").write_bytes(b"a\xff")
    for path in (tmp_path, tmp_path / "bytes"):
        try:
            path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            said.append(str(errors.unreadable("it", error, "go on")))
    assert said == ["cannot read it: Is a directory", "cannot read it: byte 1 is no UTF-8"]
