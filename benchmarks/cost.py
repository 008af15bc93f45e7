"""What molt costs, in units of P: the CPU time of `python -I -c pass` in the same run.

    python benchmarks/cost.py [hooks] [remember] [search] [build] [model] [audit] [install]

Each figure is the median of interleaved runs. Workspaces are made in a temporary folder. `model`
needs fastembed, and `MOLT_BENCH_MODEL` to name a folder with an ONNX model and its tokenizer.
"""

from __future__ import annotations

import datetime
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNS = int(os.environ.get("MOLT_BENCH_RUNS", "15"))
MOLT = str(Path(sys.executable).with_name("molt"))
WORDS = (ROOT / "molt/data/static/vocab.txt").read_text(encoding="utf-8").split("\n")
WORDS = [word for word in WORDS if word.isascii() and word.isalpha() and len(word) > 3]
PASS = [sys.executable, "-I", "-c", "pass"]


def environment(home: Path) -> dict[str, str]:
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "MOLT_"))
    }
    return kept | {
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Bench",
        "GIT_AUTHOR_EMAIL": "bench@example.org",
        "GIT_COMMITTER_NAME": "Bench",
        "GIT_COMMITTER_EMAIL": "bench@example.org",
    }


class Cost:
    """CPU milliseconds and peak resident KiB of one process with all that it started."""

    def __init__(self, args: Sequence[str], cwd: Path, env: dict[str, str]) -> None:
        with open(os.devnull, "wb") as sink, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(args, cwd=cwd, env=env, stdout=sink, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                errors.seek(0)
                raise SystemExit(f"{args}: {errors.read().decode()}")
        self.cpu = (usage.ru_utime + usage.ru_stime) * 1000
        self.rss = usage.ru_maxrss


def text(seed: int, words: int) -> str:
    pick = random.Random(seed)
    return " ".join(pick.choice(WORDS) for _ in range(words))


def fill(path: Path, env: dict[str, str], files: int, per_file: int, words: int = 20) -> None:
    """A workspace with `files` episode files of `per_file` entries each."""
    subprocess.run([MOLT, "init", str(path)], env=env, check=True, capture_output=True)
    folder = path / "memory/episodes"
    folder.mkdir(parents=True, exist_ok=True)
    day = datetime.date(1990, 1, 1)
    for number in range(files):
        date = day + datetime.timedelta(days=number)
        lines = [f"# {date} — Episode Log\n"]
        for entry in range(per_file):
            clock = f"{entry // 60:02}:{entry % 60:02}"
            body = text(number * per_file + entry, words)
            lines.append(f"\n## {clock} | fact | confidence:high | tags:[bench]\n{body}\n")
        (folder / f"{date}.md").write_text("".join(lines), encoding="utf-8")
    git(path, env, "config", "gc.auto", "0")
    git(path, env, "add", "-A")
    git(path, env, "commit", "-q", "--no-verify", "-m", "[IMPORT] memory/episodes/* — bench")
    git(path, env, "gc", "-q")


def git(path: Path, env: dict[str, str], *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=path, env=env, check=True, capture_output=True)
    return done.stdout.decode()


def medians(steps: dict[str, Callable[[int], Cost]], runs: int = RUNS) -> dict[str, float]:
    """The median CPU milliseconds of each step, interleaved, after one warm-up round."""
    seen: dict[str, list[float]] = {name: [] for name in steps}
    for run in range(runs + 1):
        for name, step in steps.items():
            cost = step(run)
            if run:
                seen[name].append(cost.cpu)
    return {name: statistics.median(values) for name, values in seen.items()}


def report(name: str, value: float, unit: str, target: str) -> None:
    print(f"{name:58} {value:9.2f} {unit:8} target {target}", flush=True)


def sizes() -> list[int]:
    """How many files the workspaces have that are compared."""
    return [int(count) for count in os.environ.get("MOLT_BENCH_FILES", "100,10000").split(",")]


def hooks(home: Path, env: dict[str, str]) -> None:
    for files in sizes():
        hooked = home / f"hooks-{files}"
        fill(hooked, env, files, 1)
        shutil.copytree(hooked, home / f"bare-{files}")
        git(home / f"bare-{files}", env, "config", "core.hooksPath", os.devnull)
    for what, commit in (("an entry", entry), ("a new file", day)):
        steps: dict[str, Callable[[int], Cost]] = {"P": lambda _run: Cost(PASS, home, env)}
        for files in sizes():
            for name in ("bare", "hooks"):
                steps[f"{name}-{files}"] = partial(commit, home / f"{name}-{files}", env)
        found = medians(steps)
        costs = [(found[f"hooks-{n}"] - found[f"bare-{n}"]) / found["P"] for n in sizes()]
        for files, cost in zip(sizes(), costs, strict=True):
            report(f"hooks of a commit of {what}, {files} files", cost, "P", "<= 4")
        report(f"hooks of a commit of {what}, ratio", costs[-1] / costs[0], "x", "<= 1.3")


def entry(path: Path, env: dict[str, str], run: int) -> Cost:
    episode = path / "memory/episodes/1990-01-01.md"
    with episode.open("a", encoding="utf-8") as file:
        file.write(f"\n## 09:{run:02}:00 | fact | confidence:high | tags:[a]\nentry {run}\n")
    git(path, env, "add", str(episode))
    return Cost(["git", "commit", "-q", "-m", "one more"], path, env)


def day(path: Path, env: dict[str, str], run: int) -> Cost:
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days=run)
    episode = path / f"memory/episodes/{date}.md"
    head = f"# {date} — Episode Log\n\n## 09:00 | fact | confidence:high | tags:[a]\n"
    episode.write_text(f"{head}entry {run}\n", encoding="utf-8")
    git(path, env, "add", str(episode))
    return Cost(["git", "commit", "-q", "-m", "one more"], path, env)


def remember(home: Path, env: dict[str, str]) -> None:
    steps: dict[str, Callable[[int], Cost]] = {"P": lambda _run: Cost(PASS, home, env)}
    for files in sizes():
        path = home / f"remember-{files}"
        fill(path, env, files, 1)
        Cost([MOLT, "index"], path, env)
        steps[str(files)] = partial(fact, path, env)
    found = medians(steps)
    for files in sizes():
        report(f"remember, {files} files", found[str(files)] / found["P"], "P", "<= 9")
    ratio = found[str(sizes()[-1])] / found[str(sizes()[0])]
    report("remember, ratio", ratio, "x", "<= 1.3")


def fact(path: Path, env: dict[str, str], run: int) -> Cost:
    return Cost([MOLT, "remember", f"fact {run}: " + text(run, 12)], path, env)


OPEN = """
from molt.memory import workspace
from molt.memory.search import index as indexing
ws = workspace.find(".")
with indexing.provided(ws) as (provider, _), indexing.opened(ws, provider) as db:
    ws.repo.config("core.fileMode")
"""
FRESHEN = OPEN + "    indexing.freshen_index(ws, db, provider)\n"
NO_EXTENSION = """
import sys
from molt.index import db
db._load_vec = lambda con: False
from molt.cli import main
sys.exit(main(sys.argv[1:]))
"""


def search(home: Path, env: dict[str, str]) -> None:
    for memories, target in ((10_000, "<= 6"), (100_000, "<= 10")):
        path = home / f"search-{memories}"
        fill(path, env, memories // 25, 25)
        built = Cost([MOLT, "index"], path, env)
        # A second commit, so that the past is another tree; its index is made by asking once.
        fact(path, env, 1)
        Cost([MOLT, "search", "--at", "HEAD~1", "all"], path, env)
        calls: dict[str, list[str]] = {
            "search": [MOLT, "search"],
            "exact": [sys.executable, "-c", NO_EXTENSION, "search"],
            "recall": [MOLT, "recall"],
            "past": [MOLT, "search", "--at", "HEAD~1"],
            "status": ["git", "status", "--porcelain"],
            "open": [sys.executable, "-c", OPEN],
            "freshen": [sys.executable, "-c", FRESHEN],
        }
        steps: dict[str, Callable[[int], Cost]] = {"P": lambda _run: Cost(PASS, home, env)}
        for name, call in calls.items():
            steps[name] = partial(asked, call, path, env)
        found = medians(steps)
        start = found["P"]
        report(f"search, {memories} memories", found["search"] / start, "P", target)
        report("the same without sqlite-vec", found["exact"] / start, "P", "<= 20")
        report("recall / search", found["recall"] / found["search"], "x", "<= 1.5")
        report("search --at / search", found["past"] / found["search"], "x", "<= 1.5")
        fresh = found["freshen"] - found["open"]
        limit = 1.5 * found["status"] / start + 1
        report("freshness, nothing changed", fresh / start, "P", f"<= {limit:.2f}")
        rss = Cost([MOLT, "search", text(3, 5)], path, env).rss / 1024
        report(f"search, {memories} memories, resident", rss, "MiB", "<= 60")
        size = sum(file.stat().st_size for file in (path / ".git/molt").glob("index.sqlite*"))
        report(f"index on disk, {memories} memories", size / 2**20, "MiB", "< 1500 at 100,000")
        report(f"its build, {memories} short memories", memories / built.cpu * 1000, "/CPU s", "-")
        rss = Cost([MOLT, "remember", "one " + text(5, 12)], path, env).rss / 1024
        report(f"remember, {memories} memories, resident", rss, "MiB", "<= 60")


def asked(call: Sequence[str], path: Path, env: dict[str, str], run: int) -> Cost:
    query = [] if call[0] == "git" or call[-1] in (OPEN, FRESHEN) else [text(run * 7, 5)]
    return Cost([*call, *query], path, env)


def build(home: Path, env: dict[str, str]) -> None:
    path = home / "build"
    fill(path, env, 400, 10, words=130)
    found = []
    for _ in range(3):
        for file in (path / ".git/molt").glob("index.sqlite*"):
            file.unlink()
        found.append(Cost([MOLT, "index"], path, env).cpu)
    report(
        "index build, notes of 130 words", 4_000_000 / statistics.median(found), "/CPU s", ">= 1500"
    )


# The least that vectors of a model cost: its tokenizer and onnxruntime on texts of one length.
BARE = """
import json, os, sys, onnxruntime, numpy as np
from tokenizers import Tokenizer
folder, *paths = sys.argv[1:]
texts = [text for path in paths for text in open(path, encoding="utf-8").read().split("\\n")]
texts = sorted((text for text in texts if text and text[0] not in "#|"), key=len)
tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
with open(os.path.join(folder, "tokenizer_config.json")) as file:
    tokenizer.enable_truncation(json.load(file)["model_max_length"])
tokenizer.enable_padding()
session = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"))
names = {one.name for one in session.get_inputs()}
for at in range(0, len(texts), 16):
    batch = tokenizer.encode_batch(texts[at:at + 16])
    ids = np.array([one.ids for one in batch], np.int64)
    mask = np.array([one.attention_mask for one in batch], np.int64)
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    found = session.run(None, {name: given[name] for name in names})[0]
    found = (found * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
print(len(texts))
"""


def model(home: Path, env: dict[str, str]) -> None:
    folder = os.environ.get("MOLT_BENCH_MODEL", "")
    if not folder:
        print("index build with a model: not measured, MOLT_BENCH_MODEL names no folder")
        return
    path = home / "model"
    fill(path, env, 60, 10, words=130)
    settings = f"embedding:\n  provider: fastembed\n  model_path: {folder}\n  cache_mb: 0\n"
    (path / "molt.yaml").write_text(settings, encoding="utf-8")
    git(path, env, "commit", "-q", "--no-verify", "-m", "a model", "molt.yaml")
    made = subprocess.run(
        [MOLT, "index", "--json"], cwd=path, env=env, check=True, capture_output=True
    )
    if b"fastembed" not in made.stdout:
        raise SystemExit(f"the model was not used: {made.stdout.decode()}")
    notes = sorted(map(str, path.glob("memory/episodes/*.md")))

    def index(_run: int) -> Cost:
        for file in (path / ".git/molt").glob("index.sqlite*"):
            file.unlink()
        return Cost([MOLT, "index"], path, env)

    bare = [sys.executable, "-c", BARE, folder, *notes]
    found = medians({"index": index, "bare": lambda _run: Cost(bare, path, env)}, runs=3)
    report("index build with a model", found["bare"] / found["index"], "x bare", ">= 0.85")


def audit(home: Path, env: dict[str, str]) -> None:
    count = int(os.environ.get("MOLT_BENCH_COMMITS", "100000"))
    path = home / "audit"
    subprocess.run([MOLT, "init", str(path)], env=env, check=True, capture_output=True)
    head = git(path, env, "rev-parse", "HEAD").strip()
    branch = git(path, env, "symbolic-ref", "HEAD").strip()
    stream = []
    for number in range(count):
        message = (
            f"[APPEND] memory/episodes/e{number % 500}.md — fact {number}\n\n"
            "Actor: bot:main\nApproval: auto\nTrigger: bench\n"
        )
        start = f"from {head}\n" if number == 0 else ""
        data = f"line {number}\n"
        stream.append(
            f"commit {branch}\ncommitter Bench <b@example.org> {1_700_000_000 + number} +0000\n"
            f"data {len(message.encode())}\n{message}{start}"
            f"M 100644 inline memory/episodes/e{number % 500}.md\ndata {len(data)}\n{data}\n"
        )
    importing = subprocess.run(
        ["git", "fast-import", "--quiet"],
        cwd=path,
        env=env,
        input="".join(stream).encode(),
        check=False,
    )
    if importing.returncode:
        raise SystemExit("fast-import failed")
    git(path, env, "reset", "-q", "--hard")
    found = medians(
        {
            "log": lambda _run: Cost(["git", "log", "--raw"], path, env),
            "audit": lambda _run: Cost([MOLT, "audit", "rebuild"], path, env),
        },
        runs=3,
    )
    report(f"audit rebuild, {count} commits", found["audit"] / found["log"], "x log", "<= 1.6")


def install(home: Path, env: dict[str, str]) -> None:
    venv = home / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], env=env, check=True)
    packages = next(venv.glob("lib/python*/site-packages"))
    before = usage(packages)
    subprocess.run(
        [venv / "bin/pip", "install", "-q", "--disable-pip-version-check", str(ROOT)],
        check=True,
        capture_output=True,
    )
    report("core install", (usage(packages) - before) / 1e6, "MB", "<= 170, goal 60")


def usage(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main() -> None:
    parts: dict[str, Callable[[Path, dict[str, str]], None]] = {
        "hooks": hooks,
        "remember": remember,
        "search": search,
        "build": build,
        "model": model,
        "audit": audit,
        "install": install,
    }
    home = Path(tempfile.mkdtemp(prefix="molt-bench-"))
    try:
        for name in sys.argv[1:] or parts:
            parts[name](home, environment(home))
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
