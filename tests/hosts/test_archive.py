"""Exports that come as a zip archive are brought in as if they were unpacked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from molt import errors
from molt.hosts.adapters import archive, intake
from molt.hosts.adapters.intake import BringRequest
from molt.memory import workspace
from molt.memory.adopt import setup
from molt.memory.write.import_notes import Imported

NOW = datetime(2026, 3, 4, tzinfo=UTC)


@pytest.fixture
def ws(tmp_path: Path) -> workspace.Workspace:
    setup.init(str(tmp_path / "ws"), name="A", email="a@example.org")
    return workspace.find(str(tmp_path / "ws"), "manual")


def make_zip(path: Path, **texts: str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, text in texts.items():
            made.writestr(name.replace("__", "/") + ".md", text)
    return path


def bring(ws: workspace.Workspace, path: Path) -> Imported:
    return intake.bring_in(ws, BringRequest(str(path)), NOW)[1]


@pytest.mark.parametrize("above", ["", "notes__"])
def test_an_archive_is_brought_in_like_its_folder(
    ws: workspace.Workspace, tmp_path: Path, above: str
) -> None:
    whole = make_zip(tmp_path / "notes.zip", **{f"{above}one": "# One\n", f"{above}two": "# Two\n"})
    done = bring(ws, whole)
    assert sorted(done.memories) == ["one", "two"]
    assert bring(ws, whole).memories == {}
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "one.md").write_text("# One\n")
    assert bring(ws, folder).memories == {}


def test_a_damaged_archive_is_refused(ws: workspace.Workspace, tmp_path: Path) -> None:
    whole = make_zip(tmp_path / "notes.zip", one="# One\n" * 50)
    data = bytearray(whole.read_bytes())
    data[45] ^= 0xFF
    whole.write_bytes(data)
    with pytest.raises(errors.Usage, match="cannot be unpacked"):
        bring(ws, whole)


@pytest.mark.parametrize("packer", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_whose_packed_bytes_are_damaged_is_refused(
    ws: workspace.Workspace, tmp_path: Path, packer: int
) -> None:
    whole = tmp_path / "notes.zip"
    text = "".join(f"{number} of many lines\n" for number in range(500))
    with zipfile.ZipFile(whole, "w", packer) as made:
        made.writestr("one.md", text)
    data = bytearray(whole.read_bytes())
    data[50:90] = b"\xff" * 40
    whole.write_bytes(data)
    with pytest.raises(errors.Usage, match="cannot be unpacked"):
        bring(ws, whole)


def test_an_archive_that_holds_nothing_brings_nothing(
    ws: workspace.Workspace, tmp_path: Path
) -> None:
    assert not bring(ws, make_zip(tmp_path / "notes.zip")).memories


def test_a_large_archive_is_refused(
    ws: workspace.Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_MOST_BYTES", 10)
    whole = make_zip(tmp_path / "notes.zip", one="# One, longer than that\n")
    with pytest.raises(errors.Usage, match="1 GiB"):
        bring(ws, whole)


def test_what_only_has_the_name_of_an_archive_is_read_as_it_is(
    ws: workspace.Workspace, tmp_path: Path
) -> None:
    whole = tmp_path / "notes.zip"
    whole.write_text('{"text": "Tea at four"}\n')
    assert len(bring(ws, whole).memories) == 1


def test_who_is_ended_leaves_nothing_unpacked(ws: workspace.Workspace, tmp_path: Path) -> None:
    whole = make_zip(tmp_path / "notes.zip", **{f"n{n}": f"# {n}\n" for n in range(1500)})
    home = tmp_path / "tmp"
    home.mkdir()
    env = {**os.environ, "TMPDIR": str(home)}
    args = (sys.executable, "-m", "molt", "--workspace", ws.repo.root, "import", str(whole))
    with subprocess.Popen(args, env=env, stderr=subprocess.DEVNULL) as importer:
        while not any(home.glob("*/*/*/*")) and importer.poll() is None:
            time.sleep(0.001)
        assert importer.poll() is None
        importer.terminate()
    assert list(home.iterdir()) == []
