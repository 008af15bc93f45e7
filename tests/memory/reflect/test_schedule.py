"""What the machine's schedulers are told: with programs that only note what they were told."""

from __future__ import annotations

import os
import plistlib
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molt import errors
from molt.cli import main
from molt.memory.reflect.schedule import schedule, schedule_texts
from molt.memory.reflect.schedule.schedule_texts import NightlyJob
from molt.memory.workspace import Workspace

CRONTAB = """#!/bin/sh
case $1 in
-l) cat "$MACHINE/crontab" 2>/dev/null || { echo "no crontab for me" >&2; exit 1; } ;;
-) cat >"$MACHINE/crontab" ;;
esac
"""
SYSTEMCTL = """#!/bin/sh
echo "$*" >>"$MACHINE/calls"
case "$*" in
*is-enabled*) test -e "$MACHINE/enabled" ;;
*" enable "*) touch "$MACHINE/enabled" ;;
*disable*) rm "$MACHINE/enabled" ;;
esac
"""
LAUNCHCTL = """#!/bin/sh
echo "$*" >>"$MACHINE/calls"
case $1 in
print) test -e "$MACHINE/loaded" ;;
bootstrap) touch "$MACHINE/loaded" ;;
bootout) rm "$MACHINE/loaded" ;;
esac
"""
JOB = NightlyJob("/home/ada/agent", "/usr/bin/python3", "/usr/bin:/bin", (3, 0), "/x/schedule.log")
MINE = "# mine\n0 9 * * * backup\n"


class Machine:
    """A home and a PATH with some schedulers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)

    def add(self, name: str, text: str) -> None:
        program = self.bin / name
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)

    def read(self, name: str) -> str:
        file = self.folder / name
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def crontab(self) -> str:
        return self.read("crontab")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path / "machine")
    for name in ("cat", "touch", "rm", "git", "sh", "test"):
        found = next(p for p in os.environ["PATH"].split(":") if Path(p, name).exists())
        (made.bin / name).symlink_to(Path(found, name))
    monkeypatch.setenv("PATH", str(made.bin))
    monkeypatch.setenv("HOME", str(made.folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("MACHINE", str(made.folder))
    return made


def install(ws: Workspace, kind: str, time: str = "") -> int:
    change = schedule.plan_install(ws, kind, time)
    schedule.carry_out(change)
    return len(change.steps)


def remove(ws: Workspace, kind: str = "") -> int:
    changes = schedule.plan_remove(ws, kind)
    for change in changes:
        schedule.carry_out(change)
    return len(changes)


def installed(ws: Workspace) -> dict[str, bool]:
    return {one.kind: one.current for one in schedule.read_status(ws) if one.installed}


def test_cron_gets_a_block_beside_what_is_there(ws: Workspace, machine: Machine) -> None:
    machine.add("crontab", CRONTAB)
    (machine.folder / "crontab").write_text(MINE, encoding="utf-8")
    assert install(ws, "cron") == 1
    assert machine.crontab.startswith(MINE)
    line = machine.crontab.splitlines()[3]
    assert line.startswith("0 3 * * * PATH=")
    assert line.endswith(f"reflect --if-due >{ws.repo.molt_dir}/schedule.log 2>&1")
    assert installed(ws) == {"cron": True}
    assert install(ws, "cron") == 0
    assert install(ws, "cron", "4:30") == 1
    assert "30 4 * * * PATH=" in machine.crontab
    assert machine.crontab.count("begin") == 1
    assert installed(ws) == {"cron": False}
    assert remove(ws) == 1
    assert machine.crontab == MINE
    assert remove(ws) == 0


def test_a_user_without_a_crontab_gets_one(ws: Workspace, machine: Machine) -> None:
    machine.add("crontab", CRONTAB)
    install(ws, "cron")
    assert machine.crontab.startswith("# molt reflect ")
    remove(ws, "cron")
    assert machine.crontab == ""


def test_a_crontab_that_cannot_be_read_is_not_replaced(ws: Workspace, machine: Machine) -> None:
    machine.add("crontab", '#!/bin/sh\necho "you are not allowed" >&2\nexit 1\n')
    with pytest.raises(errors.Failed, match="not allowed"):
        schedule.plan_install(ws, "cron")
    assert installed(ws) == {}


def test_the_line_of_cron_runs_as_it_stands(ws: Workspace, machine: Machine) -> None:
    Path(ws.repo.molt_dir).mkdir(exist_ok=True)
    line = schedule_texts.render_line(schedule.make_job(ws, ""))
    command = line.split(" ", 5)[5].replace("\\%", "%")
    subprocess.run(["/bin/sh", "-c", command], check=True, env={"HOME": str(machine.folder)})
    said = Path(ws.repo.molt_dir, "schedule.log").read_text(encoding="utf-8")
    assert said == "not due: 1 of 20 episodes wait for a reflection\n"


def test_systemd_gets_a_timer_and_is_told_of_it(ws: Workspace, machine: Machine) -> None:
    machine.add("systemctl", SYSTEMCTL)
    assert schedule.choose_kind() == "systemd"
    assert install(ws, "systemd") == 5
    folder = machine.folder / ".config/systemd/user"
    timer, service = (
        next(folder.glob(f"molt-reflect-agent-*.{one}")) for one in ("timer", "service")
    )
    assert "OnCalendar=*-*-* 03:00:00\nPersistent=true\n" in timer.read_text()
    assert f'"--workspace" "{ws.repo.root}" "reflect" "--if-due"\n' in service.read_text()
    calls = machine.read("calls").splitlines()
    assert calls[-3:] == [
        "--user daemon-reload",
        f"--user enable {timer.name}",
        f"--user restart {timer.name}",
    ]
    assert installed(ws) == {"systemd": True}
    assert install(ws, "systemd") == 0
    assert remove(ws) == 1
    assert list(folder.iterdir()) == []
    assert machine.read("calls").splitlines()[-2:] == [
        f"--user disable --now {timer.name}",
        "--user daemon-reload",
    ]


def test_what_failed_half_way_is_finished_by_the_next_try(ws: Workspace, machine: Machine) -> None:
    machine.add("systemctl", "#!/bin/sh\necho 'no bus' >&2\nexit 1\n")
    with pytest.raises(errors.Failed, match="no bus"):
        install(ws, "systemd")
    assert installed(ws) == {"systemd": False}
    machine.add("systemctl", SYSTEMCTL)
    assert install(ws, "systemd") == 5
    assert installed(ws) == {"systemd": True}


def test_launchd_gets_an_agent(ws: Workspace, machine: Machine) -> None:
    machine.add("launchctl", LAUNCHCTL)
    assert install(ws, "launchd", "23:59") == 2
    file = next((machine.folder / "Library/LaunchAgents").iterdir())
    data = plistlib.loads(file.read_bytes())
    assert data["ProgramArguments"][-4:] == ["--workspace", ws.repo.root, "reflect", "--if-due"]
    assert data["StartCalendarInterval"] == {"Hour": 23, "Minute": 59}
    assert install(ws, "launchd", "23:59") == 0
    assert install(ws, "launchd", "22:00") == 3
    assert remove(ws) == 1
    assert not file.exists()


def test_one_scheduler_is_enough(ws: Workspace, machine: Machine) -> None:
    machine.add("crontab", CRONTAB)
    machine.add("systemctl", SYSTEMCTL)
    install(ws, "cron")
    with pytest.raises(errors.Failed, match="cron does it already"):
        schedule.plan_install(ws, "systemd")


def test_a_machine_without_a_scheduler_is_told_the_line(machine: Machine) -> None:
    with pytest.raises(errors.Failed) as caught:
        schedule.choose_kind()
    assert "reflect --if-due" in caught.value.hint
    machine.add("crontab", CRONTAB)
    assert schedule.choose_kind() == "cron"


@pytest.mark.parametrize("platform", ["darwin"])
def test_a_mac_has_launchd(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert schedule.choose_kind() == "launchd"


@pytest.mark.parametrize("time", ["25:00", "3", "03:60", "aa:bb", "03:00:00", "-1:00", "٣:٠٠"])
def test_a_time_that_is_none_is_refused(ws: Workspace, machine: Machine, time: str) -> None:
    with pytest.raises(errors.Usage, match="no time of day"):
        schedule.plan_install(ws, "launchd", time)
    odd = ws.replace(config=ws.config.replace(reflection_time=time))
    assert schedule.plan_remove(odd) == ()


names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=30)


@given(names)
@settings(deadline=None, max_examples=50)
def test_any_name_of_a_folder_reaches_the_shell_as_it_is(name: str) -> None:
    job = JOB.replace(root=f"/home/{name}")
    line = schedule_texts.render_line(job).split(" ", 5)[5]
    # cron ends a command at a bare percent sign.
    assert "%" not in line.replace("\\%", "")
    words = shlex.split(line.replace("\\%", "%"))
    assert words[1:8] == list(job.words)


def test_units_keep_what_systemd_would_replace() -> None:
    text = schedule_texts.render_service(JOB.replace(root='/home/50% "off" $HOME \\x'))
    assert '"/home/50%% \\"off\\" $$HOME \\\\x" "reflect"' in text


@given(st.lists(st.sampled_from(["", "# mine", "0 9 * * * backup", "MAILTO=x"]), max_size=6))
@settings(deadline=None)
def test_a_block_comes_and_goes_without_a_trace(rows: list[str]) -> None:
    text = "".join(f"{row}\n" for row in rows)
    other = JOB.replace(root="/home/ada/other")
    both = schedule_texts.add_block(schedule_texts.add_block(text, JOB), other)
    assert schedule_texts.add_block(both, JOB) == both
    assert schedule_texts.remove_block(schedule_texts.remove_block(both, JOB), other) == text


def test_a_block_whose_end_is_gone_takes_nothing_else_along() -> None:
    text = schedule_texts.add_block("", JOB).rpartition("# molt")[0] + MINE
    assert schedule_texts.remove_block(text, JOB) == MINE


def test_steps_are_shown_before_they_are_done(
    ws: Workspace, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.add("crontab", CRONTAB)

    def say(*words: str) -> str:
        assert main(["--workspace", ws.repo.root, "reflect", "schedule", *words]) == 0
        return capsys.readouterr().out

    assert say("install", "--dry-run").startswith("the crontab of this user:\n    # molt reflect ")
    assert machine.crontab == ""
    say("install")
    assert "cron     installed" in say("status")
    assert say("install") == "nothing to do\n"
    assert "begin" not in say("remove")
    assert machine.crontab == ""
