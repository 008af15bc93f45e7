"""Parts that stand for a library do what it does: records, processes, dates.

The others have their law beside them; `docs/architecture.md` lists all of them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from molt import errors
from molt.formats import times
from molt.managed import managed
from molt.repo import process
from molt.values import Value


class Ours(Value):
    name: str
    size: int = 3
    parts: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Theirs:
    name: str
    size: int = 3
    parts: tuple[int, ...] = ()


def outcome(call: Callable[[], Any]) -> object:
    """What a call gives; of what it raises, the kind."""
    try:
        return call()
    except (TypeError, AttributeError) as error:
        # A frozen dataclass raises a kind of AttributeError of its own.
        return TypeError if isinstance(error, TypeError) else AttributeError


fields = st.dictionaries(st.sampled_from(["name", "size", "parts", "none"]), st.integers())
calls = st.tuples(st.lists(st.integers(), max_size=4), fields)


@given(calls, calls, fields)
def test_a_record_is_what_a_frozen_dataclass_is(
    one: tuple[list[int], dict[str, Any]],
    other: tuple[list[int], dict[str, Any]],
    changed: dict[str, Any],
) -> None:
    def describe(
        kind: type[Any], replace: Callable[..., Any], asdict: Callable[..., Any]
    ) -> object:
        made = kind(*one[0], **one[1])
        also = outcome(lambda: kind(*other[0], **other[1]))
        return (
            repr(made).removeprefix(kind.__name__),
            asdict(made),
            made == also,
            isinstance(also, kind) and hash(made) == hash(also),
            outcome(lambda: asdict(replace(made, **changed))),
            outcome(lambda: setattr(made, "name", "x")),
            outcome(lambda: delattr(made, "name")),
        )

    theirs = outcome(lambda: describe(Theirs, dataclasses.replace, dataclasses.asdict))
    assert outcome(lambda: describe(Ours, Value.replace, Value.asdict)) == theirs


PROGRAM = """
import sys
data = sys.stdin.buffer.read()
sys.stdout.buffer.write(data[::-1] * int(sys.argv[1]))
sys.stderr.write(sys.argv[2])
sys.exit(int(sys.argv[3]))
"""


@pytest.mark.parametrize("size", [0, 1, 32_768, 32_769, 70_000, 1_000_000])
@pytest.mark.parametrize(("times_over", "said", "status"), [(0, "", 0), (3, "no", 7)])
def test_a_program_is_run_as_subprocess_runs_it(
    size: int, times_over: int, said: str, status: int
) -> None:
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    args = (sys.executable, "-c", PROGRAM, str(times_over), said, str(status))
    theirs = subprocess.run(args, input=data, capture_output=True, check=False)
    ours = process.call(args, input=data)
    assert ours == (theirs.returncode, theirs.stdout, theirs.stderr)


def test_a_program_that_reads_nothing_breaks_no_pipe() -> None:
    args = (sys.executable, "-c", "pass")
    assert process.call(args, input=b"x" * 1_000_000) == (0, b"", b"")


def test_a_program_that_a_signal_ends_has_its_number() -> None:
    args = (sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")
    assert process.call(args)[0] == subprocess.run(args, check=False).returncode == -9


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(errors.Failed, match="no-such-program"):
        process.call(("no-such-program",))


def test_git_runs_in_the_folder_that_is_named(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    output = process.git(str(tmp_path), "rev-parse", "--show-toplevel")
    assert (output.status, Path(output.text.strip())) == (0, tmp_path.resolve())


SPELLINGS = st.sampled_from(
    ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S+02:00", "%d.%m.%Y"]
)


@given(st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31)), SPELLINGS)
def test_a_time_is_the_second_that_datetime_gives(moment: datetime, spelling: str) -> None:
    text = moment.strftime(spelling)
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        assert times.parse_time(text) is None
        return
    zoned = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    assert times.parse_time(text) == zoned.timestamp()


@given(st.dates(date(1000, 1, 1), date(9999, 12, 31)))
def test_the_name_of_a_day_is_that_of_datetime(day: date) -> None:
    since = (day - date(1970, 1, 1)) // timedelta(days=1)
    assert times.render_day(since) == day.isoformat()
    assert times.is_date(day.isoformat())


@given(st.text("0123456789-", min_size=10, max_size=10))
def test_what_datetime_calls_no_date_is_none(text: str) -> None:
    try:
        is_date = date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_date = False
    assert times.is_date(text) == is_date


STEPS = ["", "raise", "swallow", "other", "twice", "return"]


def walk(way: str, seen: list[str]) -> Iterator[str]:
    """A generator for a `with` statement that does something else with an error each way."""
    seen.append("enter")
    try:
        yield "given"
    except KeyError as error:
        seen.append("error")
        if way == "other":
            raise OSError("another one") from error
        if way not in ("swallow", "twice", "return"):
            raise
    finally:
        seen.append("end")
    if way == "twice":
        yield "again"


@pytest.mark.parametrize("way", STEPS)
@pytest.mark.parametrize("error", [None, KeyError("a"), StopIteration("b"), RuntimeError("c")])
def test_a_managed_generator_is_a_context_manager(way: str, error: Exception | None) -> None:
    def enter(make: Callable[..., Any]) -> tuple[object, list[str]]:
        seen: list[str] = []
        try:
            with make(walk)(way, seen) as given:
                seen.append(given)
                if error:
                    raise error
                if way == "return":
                    return "left", seen
        except (KeyError, OSError, RuntimeError, StopIteration) as raised:
            own = raised is error
            return (own or type(raised)), seen
        return "on", seen

    assert enter(managed) == enter(contextlib.contextmanager)
