"""All of a repository in one file of git's own: written, tried, and brought back."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress

from molt import errors, trees
from molt.repo import disk, process
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from molt.repo.repository import Repo

_HEADS = "refs/heads/"
_REFSPEC = "+refs/*:refs/*"
_PART = 1 << 20  # bytes that are read at once


class BundleReport(Value):
    """A bundle that was written and brought back once: where it is, its size in bytes, and how
    many refs and objects it holds.
    """

    path: str
    size: int
    refs: int
    objects: int


def write_bundle(repo: Repo, full: str) -> BundleReport:
    """Put every ref and all that it leads to into one file, once it was brought back beside it and
    found to be the same. What was at `full` stays until then.

    Raises Failed where git cannot, or what comes back is not what was there.
    """
    if repo.shallow() or repo.is_partial():
        said = "this clone has a part of the history only, and would be no backup of it"
        raise errors.Failed(said, "`git fetch --unshallow`, or make it in a whole clone")
    full = os.path.abspath(full)
    folder = os.path.dirname(full)
    fresh = f"{full}{disk.MARK}{os.getpid()}"
    try:
        os.makedirs(folder, exist_ok=True)
        disk.sweep_folder(folder, os.path.basename(full))
        made = repo.git("bundle", "create", "-q", fresh, "HEAD", "--all")
        if made.status:
            said = f"git cannot bundle this clone: {made.said.partition(chr(10))[0]}"
            raise errors.Failed(said, "`git fsck --full` tells what is missing or damaged")
        report = _try_bundle(repo, fresh)
        with open(fresh, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(fresh, full)
    except OSError as error:
        raise disk.unwritable_error(full, error) from error
    finally:
        with suppress(OSError):
            os.unlink(fresh)
    return report.replace(path=full, size=os.path.getsize(full))


def _try_bundle(repo: Repo, path: str) -> BundleReport:
    with tempfile.TemporaryDirectory(prefix="molt-", ignore_cleanup_errors=True) as folder:
        bare = os.path.join(folder, "tried.git")
        _fetch_all(path, bare, "--bare")
        before = _list_refs(repo.root)
        after = _list_refs(bare)
        # A ref that moved meanwhile is in the bundle as it was.
        lost = sorted(ref for ref in before if ref not in after)
        if lost:
            raise errors.Failed(f"the bundle came back without {', '.join(lost[:3])}")
        process.git(bare, "fsck", "--full", "--no-dangling", "--no-progress").require()
        tip = _ask(bare, "rev-parse", "FETCH_HEAD^{commit}")
        count = _ask(bare, "rev-list", "--all", "--objects", "--count")
        if not tip:
            raise errors.Failed("the bundle came back without a commit")
        trees = [_ask(where, "rev-parse", f"{tip}^{{tree}}") for where in (repo.root, bare)]
        if trees[0] != trees[1]:
            raise errors.Failed("the bundle came back with other files than it was made of")
        return BundleReport(path, 0, len(after), int(count))


def _fetch_all(path: str, folder: str, *how: str) -> str:
    """Make a repository of a bundle; gives the branch that its HEAD was on, or an empty text."""
    parent = os.path.dirname(folder) or "."
    process.git(parent, "init", "-q", *how, folder).require()
    listed = process.git(folder, "bundle", "list-heads", path).require().text.split("\n")
    rows = [row.split(" ", 1) for row in listed if " " in row]
    head = next((oid for oid, ref in rows if ref == "HEAD"), "")
    held = [ref for oid, ref in rows if oid == head and ref.startswith(_HEADS)]
    branch = f"{_HEADS}main" if f"{_HEADS}main" in held else next(iter(held), "")
    spare = ("-c", "transfer.fsckObjects=false", "-c", "maintenance.auto=false")
    refs = (_REFSPEC, "+HEAD:refs/molt/restored-head") if head else (_REFSPEC,)
    update = ("fetch", "-q", "--no-tags", "--update-head-ok", path, *refs)
    process.git(folder, *spare, *update).require()
    process.git(folder, "update-ref", "-d", "refs/molt/restored-head").require()
    if branch:
        process.git(folder, "symbolic-ref", "HEAD", branch).require()
    return branch


def _list_refs(folder: str) -> frozenset[str]:
    text = process.git(folder, "for-each-ref", "--format=%(refname)").require().text
    return frozenset(text.split())


def _ask(folder: str, *args: str) -> str:
    return process.git(folder, *args).text.strip()


def restore_bundle(path: str, folder: str) -> str:
    """Make a clone of a bundle in a new folder, with all refs as they were; gives its branch.

    Raises NotFound where there is no bundle, Failed where the folder is there already, or git
    cannot read the bundle; nothing is left of it then.
    """
    path, folder = os.path.abspath(path), os.path.abspath(folder)
    if not os.path.isfile(path):
        raise errors.NotFound(f"there is no bundle {path}")
    if os.path.lexists(folder) and not (os.path.isdir(folder) and not os.listdir(folder)):
        raise errors.Failed(f"{folder} is there already", "name a folder that is not")
    fresh = f"{folder}{disk.MARK}{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        try:
            branch = _fetch_all(path, fresh)
        except errors.Failed as error:
            raise _explain_damage(path, error) from error
        process.git(fresh, "reset", "-q", "--hard").require()
        if os.path.isdir(folder):
            os.rmdir(folder)
        os.rename(fresh, folder)
    except OSError as error:
        raise disk.unwritable_error(folder, error) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return branch


def _explain_damage(path: str, error: errors.Failed) -> errors.Failed:
    """What to say of a bundle that git could not read; the error itself where the file is whole."""
    with open(path, "rb") as file:
        if not file.readline().startswith(b"# v"):
            return errors.Failed(f"{path} is no bundle of git", "name a file of `molt backup`")
        if _is_whole(file):
            return error
    said = f"{path} is damaged: it was cut, or bytes of it have changed"
    return errors.Failed(said, "take another backup, or fetch this one again")


def _is_whole(file: BinaryIO) -> bool:
    """Whether what a bundle packs, behind an empty line, ends with its own checksum."""
    checksum = trees.sha1(b"")
    while (row := file.readline()) not in (b"\n", b""):
        if row == b"@object-format=sha256\n":
            checksum = hashlib.sha256()
    left = os.fstat(file.fileno()).st_size - file.tell() - checksum.digest_size
    while left > 0 and (part := file.read(min(left, _PART))):
        checksum.update(part)
        left -= len(part)
    return file.read() == checksum.digest()


def drop_oldest(folder: str, prefix: str, keep: int) -> tuple[str, ...]:
    """Delete all but the last `keep` bundles of a folder whose names begin so, by name; gives
    those that are gone.
    """
    names = sorted(
        name for name in os.listdir(folder) if name.startswith(prefix) and name.endswith(".bundle")
    )
    gone = names[: max(0, len(names) - keep)]
    try:
        for name in gone:
            os.unlink(os.path.join(folder, name))
    except OSError as error:
        raise disk.unwritable_error(folder, error) from error
    return tuple(gone)
