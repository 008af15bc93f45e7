"""What schedulers read: systemd's units, a block of a crontab, an agent of launchd. Pure."""

from __future__ import annotations

from hashlib import sha256

from molt import errors
from molt.formats import lines
from molt.values import Value

_SAID = "Written by `molt reflect schedule install`; `molt reflect schedule remove` takes it away."
_SHELL_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_"


class NightlyJob(Value):
    """What is run each night: of which workspace, by which Python, with which PATH, at which hour
    and minute, and the file that holds what the last run said.
    """

    root: str
    python: str
    search: str
    time: tuple[int, int]
    log: str

    @property
    def words(self) -> tuple[str, ...]:
        """The command."""
        return (self.python, "-m", "molt", "--workspace", self.root, "reflect", "--if-due")

    @property
    def key(self) -> str:
        """What tells this workspace from all others, also from one of its name elsewhere."""
        return sha256(self.root.encode()).hexdigest()[:8]

    @property
    def name(self) -> str:
        """Its name for systemd, of characters that unit names can have."""
        folder = "".join(char for char in self.root.rpartition("/")[2] if _is_plain(char))[:40]
        return f"molt-reflect-{folder or 'workspace'}-{self.key}"

    @property
    def label(self) -> str:
        """Its name for launchd."""
        return f"ai.molt.{self.name.removeprefix('molt-')}"


def _is_plain(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char in "-_")


def parse_time(text: str) -> tuple[int, int]:
    """Hour and minute of `HH:MM`. Raises Usage."""
    hour, colon, minute = text.strip().partition(":")
    fits = colon and all(len(one) in (1, 2) and one.isascii() for one in (hour, minute))
    if fits and hour.isdigit() and minute.isdigit() and int(hour) < 24 and int(minute) < 60:
        return int(hour), int(minute)
    raise errors.Usage(f"{text!r} is no time of day", "such as 03:00")


def render_service(job: NightlyJob) -> str:
    """The unit that runs it once (systemd.service(5))."""
    words = " ".join(map(_quote_unit, job.words))
    rows = (
        f"# {_SAID}",
        "[Unit]",
        f"Description=molt: reflection of {_escape_percent(job.root)}",
        "",
        "[Service]",
        "Type=oneshot",
        f"Environment={_quote_unit(f'PATH={job.search}', dollar=False)}",
        f"ExecStart={words}",
        "Nice=10",
    )
    return "".join(f"{row}\n" for row in rows)


def render_timer(job: NightlyJob) -> str:
    """The unit that starts it each night, or later where the machine slept (systemd.timer(5))."""
    hour, minute = job.time
    rows = (
        f"# {_SAID}",
        "[Unit]",
        f"Description=molt: each night a reflection of {_escape_percent(job.root)}",
        "",
        "[Timer]",
        f"OnCalendar=*-*-* {hour:02d}:{minute:02d}:00",
        "Persistent=true",
        "",
        "[Install]",
        "WantedBy=timers.target",
    )
    return "".join(f"{row}\n" for row in rows)


def _escape_percent(text: str) -> str:
    return text.replace("%", "%%")


def _quote_unit(text: str, *, dollar: bool = True) -> str:
    """A word of a unit: in double quotes, in which a backslash escapes; `%` stands for names, and
    in a command `$` for variables.
    """
    said = _escape_percent(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{said.replace("$", "$$") if dollar else said}"'


def render_agent(job: NightlyJob) -> str:
    """The property list of an agent (launchd.plist(5))."""
    import plistlib

    hour, minute = job.time
    data = {
        "Label": job.label,
        "ProgramArguments": list(job.words),
        "EnvironmentVariables": {"PATH": job.search},
        "StartCalendarInterval": {"Hour": hour, "Minute": minute},
        "StandardOutPath": job.log,
        "StandardErrorPath": job.log,
        "ProcessType": "Background",
    }
    return plistlib.dumps(data).decode()


def _begin(job: NightlyJob) -> str:
    return f"# molt reflect {job.key}: begin. {_SAID}"


def _end(job: NightlyJob) -> str:
    return f"# molt reflect {job.key}: end"


def render_line(job: NightlyJob) -> str:
    """The line of a crontab (crontab(5)), where `%` ends the command unless it is escaped."""
    hour, minute = job.time
    words = " ".join(map(_quote_shell, job.words))
    log, search = _quote_shell(job.log), _quote_shell(job.search)
    command = f"PATH={search} {words} >{log} 2>&1"
    return f"{minute} {hour} * * * {command.replace('%', chr(92) + '%')}"


def _quote_shell(text: str) -> str:
    if text and all(char in _SHELL_SAFE for char in text):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"


def has_block(text: str, job: NightlyJob) -> bool:
    """Whether a crontab runs the reflections of a workspace."""
    return any(row.startswith(_begin(job).partition(":")[0]) for row in text.split("\n"))


def remove_block(text: str, job: NightlyJob) -> str:
    """The crontab without its block; all other lines stay as they are, also where somebody has
    taken the block's last line away.
    """
    mark, end = _begin(job).partition(":")[0] + ":", _end(job)
    kept: list[str] = []
    inside = False
    for row in lines.split_lines(text):
        said = row.rstrip("\r\n")
        if said == end:
            inside = False
        elif said.startswith(mark):
            inside = True
        elif inside and "-m molt --workspace" not in said:
            inside = False
            kept.append(row)
        elif not inside:
            kept.append(row)
    return "".join(kept)


def add_block(text: str, job: NightlyJob) -> str:
    """The crontab with the block of a workspace at its end, or as it is where it has just that."""
    block = "".join(f"{row}\n" for row in (_begin(job), render_line(job), _end(job)))
    if block in text and text.count(_begin(job)) == 1:
        return text
    rest = remove_block(text, job)
    gap = "" if not rest or rest.endswith("\n") else "\n"
    return f"{rest}{gap}{block}"
