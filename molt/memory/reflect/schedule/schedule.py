"""A reflection every night: what the machine's own scheduler is told, and what it is told now."""

from __future__ import annotations

import os
import sys

from molt import errors
from molt.memory.reflect.schedule import schedule_texts
from molt.memory.reflect.schedule.schedule_texts import NightlyJob
from molt.repo import disk
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.memory.workspace import Workspace

SYSTEMD, CRON, LAUNCHD = "systemd", "cron", "launchd"
KINDS = (SYSTEMD, CRON, LAUNCHD)
LOG = "schedule.log"
_MIDNIGHT = "00:00"
_PATIENCE = 60
"""Seconds that a scheduler's program may take."""


class ScheduleStep(Value):
    """One thing that is done: a file written (or deleted, where `text` is None), the user's crontab
    replaced (`path` is empty), or a program run.
    """

    path: str = ""
    text: str | None = None
    command: tuple[str, ...] = ()


class ScheduleChange(Value):
    """What installs or removes a schedule; no steps where all is as it should be."""

    kind: str
    steps: tuple[ScheduleStep, ...]


class ScheduleStatus(Value):
    """Whether a scheduler runs reflections of a workspace, and whether as it would be told now."""

    kind: str
    installed: bool
    current: bool
    where: str


def choose_kind(kind: str = "") -> str:
    """The scheduler of this machine, or the one that is named. Raises Failed for a machine that
    has none.
    """
    if kind:
        return kind
    if sys.platform == "darwin":
        return LAUNCHD
    if _find_program("systemctl") and not _run(("systemctl", "--user", "show-environment"))[0]:
        return SYSTEMD
    if _find_program("crontab"):
        return CRON
    said = "no scheduler that molt knows: neither systemd for users, nor cron, nor launchd"
    raise errors.Failed(said, "let yours run `molt --workspace FOLDER reflect --if-due` each night")


def plan_install(ws: Workspace, kind: str, time: str = "") -> ScheduleChange:
    """What tells a scheduler to reflect each night, at a time (HH:MM) or the configured one.

    Raises Usage for a time that is none and for a folder that no scheduler's file can hold, and
    Failed where another scheduler does it already.
    """
    job = make_job(ws, time)
    for one in read_status(ws, job):
        if one.installed and one.kind != kind:
            hint = "`molt reflect schedule remove` ends that"
            raise errors.Failed(f"{one.kind} does it already: {one.where}", hint)
    if kind == CRON:
        return ScheduleChange(kind, _set_crontab(schedule_texts.add_block(_read_crontab(), job)))
    wanted = _list_files(kind, job)
    if all(_read_file(path) == text for path, text in wanted) and _is_known(kind, job):
        return ScheduleChange(kind, ())
    files = tuple(ScheduleStep(path, text) for path, text in wanted)
    return ScheduleChange(kind, (*files, *_list_starts(kind, job)))


def plan_remove(ws: Workspace, kind: str = "") -> tuple[ScheduleChange, ...]:
    """What takes the schedules of a workspace away again, or that of one scheduler."""
    # The hour does not matter, and one that is none must not be in the way.
    job = make_job(ws, _MIDNIGHT)
    found = []
    for one in read_status(ws, job):
        if not one.installed or kind not in ("", one.kind):
            continue
        if one.kind == CRON:
            text = schedule_texts.remove_block(_read_crontab(), job)
            found.append(ScheduleChange(CRON, _set_crontab(text)))
            continue
        gone = tuple(ScheduleStep(path) for path, _ in _list_files(one.kind, job))
        reload = ScheduleStep(command=("systemctl", "--user", "daemon-reload"))
        after = (reload,) if one.kind == SYSTEMD else ()
        found.append(ScheduleChange(one.kind, (*_list_stops(one.kind, job), *gone, *after)))
    return tuple(found)


def read_status(ws: Workspace, job: NightlyJob | None = None) -> tuple[ScheduleStatus, ...]:
    """What each scheduler is told of a workspace."""
    job = job or make_job(ws, "")
    found = []
    for kind in (SYSTEMD, LAUNCHD):
        files = _list_files(kind, job)
        there = [_read_file(path) for path, _ in files]
        current = there == [text for _, text in files] and _is_known(kind, job)
        known = any(text is not None for text in there)
        found.append(ScheduleStatus(kind, known, current, files[0][0]))
    try:
        text = _read_crontab() if _find_program("crontab") else ""
    except errors.Failed:
        # Who may not use cron has nothing there.
        text = ""
    known = schedule_texts.has_block(text, job)
    current = known and schedule_texts.add_block(text, job) == text
    found.append(ScheduleStatus(CRON, known, current, "the crontab of this user"))
    return tuple(found)


def describe_step(step: ScheduleStep) -> str:
    """A step for people, in lines."""
    if step.command:
        return f"$ {' '.join(step.command)}\n"
    if step.path and step.text is None:
        return f"delete {step.path}\n"
    return f"{step.path or 'the crontab of this user'}:\n{_indent(step.text or '')}"


def _indent(text: str) -> str:
    return "".join(f"    {row}".rstrip() + "\n" for row in text.split("\n")[:-1])


def carry_out(change: ScheduleChange) -> None:
    """Do the steps, in order. Raises Failed at the first that fails."""
    for step in change.steps:
        if step.command:
            _require(step.command)
        elif not step.path:
            _require(("crontab", "-"), step.text or "")
        elif step.text is None:
            disk.remove_file(step.path)
        else:
            _write_file(step.path, step.text)


def make_job(ws: Workspace, time: str) -> NightlyJob:
    """What is to be run, when, and where it says what it did."""
    when = schedule_texts.parse_time(time or ws.config.reflection_time)
    root = ws.repo.root
    search = os.environ.get("PATH", os.defpath)
    log = os.path.join(ws.repo.molt_dir, LOG)
    if not all(map(str.isprintable, (root, sys.executable, search, log))):
        raise errors.Usage(
            f"{root!r}: no scheduler's file can hold this name, or that of Python or PATH",
            "rename what is not printable",
        )
    return NightlyJob(root, sys.executable, search, when, log)


def _list_files(kind: str, job: NightlyJob) -> tuple[tuple[str, str], ...]:
    """The files that a scheduler reads, with their texts."""
    home = os.path.expanduser("~")
    if kind == LAUNCHD:
        path = os.path.join(home, "Library", "LaunchAgents", f"{job.label}.plist")
        return ((path, schedule_texts.render_agent(job)),)
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    folder = os.path.join(base, "systemd", "user")
    return (
        (os.path.join(folder, f"{job.name}.timer"), schedule_texts.render_timer(job)),
        (os.path.join(folder, f"{job.name}.service"), schedule_texts.render_service(job)),
    )


def _list_starts(kind: str, job: NightlyJob) -> tuple[ScheduleStep, ...]:
    """What is run once the files are there."""
    if kind == LAUNCHD:
        path = _list_files(kind, job)[0][0]
        start = ScheduleStep(command=("launchctl", "bootstrap", _domain(), path))
        return (*_list_stops(kind, job), start)
    timer = f"{job.name}.timer"
    # A timer that runs already keeps its old time until it is started again.
    calls = (("daemon-reload",), ("enable", timer), ("restart", timer))
    return tuple(ScheduleStep(command=("systemctl", "--user", *words)) for words in calls)


def _list_stops(kind: str, job: NightlyJob) -> tuple[ScheduleStep, ...]:
    """What is run before the files go."""
    if not _is_known(kind, job):
        return ()
    if kind == LAUNCHD:
        return (ScheduleStep(command=("launchctl", "bootout", f"{_domain()}/{job.label}")),)
    stop = ("systemctl", "--user", "disable", "--now", f"{job.name}.timer")
    return (ScheduleStep(command=stop),)


def _is_known(kind: str, job: NightlyJob) -> bool:
    """Whether a scheduler has taken the files on."""
    if kind == LAUNCHD:
        return not _run(("launchctl", "print", f"{_domain()}/{job.label}"))[0]
    asked = ("systemctl", "--user", "is-enabled", "--quiet", f"{job.name}.timer")
    return not _run(asked)[0]


def _domain() -> str:
    return f"gui/{os.getuid()}"


def _set_crontab(text: str) -> tuple[ScheduleStep, ...]:
    return (ScheduleStep(text=text),) if text != _read_crontab() else ()


def _read_crontab() -> str:
    """The crontab of the user; empty for none. Raises Failed where it cannot be read."""
    status, out, said = _run(("crontab", "-l"))
    if status and "no crontab" not in said:
        raise errors.Failed(f"`crontab -l` says: {said or status}", "`crontab -e` shows more")
    return "" if status else out


def _find_program(name: str) -> str | None:
    from shutil import which

    return which(name)


def _run(command: Sequence[str], given: str = "") -> tuple[int, str, str]:
    """Exit status, output and complaint of a program; 127 for one that is not there."""
    import subprocess

    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return 127, "", str(error)
    return done.returncode, done.stdout, done.stderr.strip()


def _require(command: Sequence[str], given: str = "") -> None:
    status, _, said = _run(command, given)
    if status:
        line = " ".join(command)
        raise errors.Failed(f"`{line}` failed: {said or status}", "`--dry-run` shows each step")


def _read_file(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def _write_file(path: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        disk.replace_file(path, text.encode())
    except OSError as error:
        raise disk.unwritable_error(path, error) from error
