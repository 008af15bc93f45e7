"""What went wrong, as one message and an exit status."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from molt import __version__, errors
from molt.cli import output
from molt.repo.write import news

if TYPE_CHECKING:
    from molt.cli.call import Call

INTERRUPTED = 130  # 128 and the number of SIGINT, as shells have it


def is_defect(error: BaseException) -> bool:
    """Whether nobody foresaw it, so that it is molt's own mistake."""
    return _translate_error(error) is None


def tell(error: BaseException, call: Call, *, as_json: bool, color: bool | None = None) -> int:
    """Say what was wrong, where, and what to do next; gives the exit status."""
    known = _translate_error(error)
    if known is None:
        place = write_report(error, call.start)
        said = " ".join(f"{type(error).__name__}: {error}".split())
        hint = f"{place} tells more; please report it" if place else "--debug tells more"
        known = errors.MoltError(f"this is a defect of molt: {said}", hint)
        known.kind = "defect"
    try:
        output.print_failure(known, as_json=as_json, color=color)
        sys.stdout.flush()
    except OSError:
        # What stdout would not take is not tried again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        output.print_failure(known, as_json=False, color=color)
    return known.status


def _translate_error(error: BaseException) -> errors.MoltError | None:
    if "click" in sys.modules:
        from molt.cli.misuse import translate_misuse

        error = translate_misuse(error)
    if isinstance(error, errors.MoltError):
        return error
    if isinstance(error, KeyboardInterrupt):
        stopped = errors.MoltError(f"interrupted; {_tell_written()}")
        stopped.status, stopped.kind = INTERRUPTED, "interrupted"
        return stopped
    if isinstance(error, OSError):
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return errors.Failed(f"{where}{error.strerror or error}")
    return None


def _tell_written() -> str:
    """What an interrupted call has done all the same."""
    written = news.list_written()
    if not written:
        return "nothing is half-done"
    if len(written) == 1:
        return f"what it wrote stays: {written[0]}"
    return f"its {len(written):,} commits stay, of which the last is {written[-1]}"


def write_report(error: BaseException, start: str) -> str:
    """Write the traceback into the workspace's git folder; gives the file, or an empty text.

    Arguments are left out: they may be what somebody wanted kept apart.
    """
    import traceback

    from molt.repo import find

    try:
        folder = find.find_repo(start).molt_dir
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "failed-molt.txt")
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"molt {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n\n")
            file.write("".join(traceback.format_exception(error)))
    except (OSError, errors.MoltError):
        return ""
    return path
