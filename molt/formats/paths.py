"""Which format a path of the workspace has, and the one table of stores."""

from __future__ import annotations

from molt.formats import times
from molt.values import Value, keep_last

CORE = "MEMORY.md"
RELATIONS = "memory/graph/relations.md"
GRAPH_INDEX = "memory/graph/index.md"
SCORES = "memory/meta/decay-scores.json"
PROPOSALS = "memory/meta/pending-memories.md"
TOMBSTONES = "memory/meta/tombstones.txt"
QUESTIONS = "memory/meta/questions.yaml"
CHECKSUMS = "memory/meta/critical.sha256"
AUDIT_LOG = "memory/meta/audit.log"
AUDIT_ARCHIVE = "memory/meta/audit-archive.md"
PENDING_REFLECTION = "memory/meta/pending-reflection.md"
CONFIG = "molt.yaml"
EPISODES = "memory/episodes/"
ENTITIES = "memory/graph/entities/"
PROCEDURES = "memory/procedures/"
VAULT = "memory/vault/"

_SIGNS_OF_DAYS = {ord("年"): "-", ord("月"): "-", ord("日"): None}

PROJECTIONS = (AUDIT_LOG, GRAPH_INDEX, PENDING_REFLECTION)
PERSONA = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md")


class Store(Value):
    """One kind of memory: its name for people, the format of its files, which is also the prefix
    of its ids, the folder (for core memory the file), the weight of its memories in the formula
    of decay (seed, section 9), whether they never fade, and whether a file is one memory.
    """

    name: str
    kind: str
    folder: str
    weight: float
    pinned: bool = False
    file_is_memory: bool = True


STORES = (
    Store("core", "core", CORE, 1.5, file_is_memory=False),
    Store("episodic", "episode", EPISODES, 0.8, file_is_memory=False),
    Store("semantic", "entity", ENTITIES, 1.2),
    Store("procedural", "procedure", PROCEDURES, 1.0),
    Store("vault", "vault", VAULT, 1.0, pinned=True),
)
STORE_NAMES = tuple(store.name for store in STORES)
STORE_OF_KIND = {store.kind: store for store in STORES}
FILE_KINDS = tuple(store.kind for store in STORES if store.file_is_memory)
"""The kinds whose files are one memory each: entity, procedure, vault."""

_EXACT = {
    CORE: "core",
    RELATIONS: "relations",
    SCORES: "scores",
    PROPOSALS: "proposals",
    CHECKSUMS: "checksums",
    TOMBSTONES: "tombstones",
    QUESTIONS: "questions",
    CONFIG: "config",
    **dict.fromkeys(PROJECTIONS, "projection"),
    **dict.fromkeys(PERSONA, "persona"),
}
_TOLD = (
    *("memory/meta/reflections/", "memory/meta/reflection-log.md"),
    "memory/meta/audit-archive.md",
)
_FOLDERS = tuple((store.folder, store.kind) for store in STORES if store.file_is_memory)


def kind_of(path: str) -> str:
    """The format of a path: `core`, `episode`, `entity`, `relations`, `procedure`, `vault`,
    `scores`, `proposals`, `checksums`, `tombstones`, `questions`, `config`, `projection`,
    `persona`, `prose` (other Markdown below `memory/`) or `other`.
    """
    exact = _EXACT.get(path)
    if exact is not None:
        return exact
    if not path.startswith("memory/") or not path.endswith(".md"):
        return "other"
    for folder, name in _FOLDERS:
        if path.startswith(folder):
            return name
    return "episode" if is_episode_path(path) else "prose"


def is_markdown(path: str) -> bool:
    """Whether a path is called as Markdown is; memories all end with `.md`."""
    return path.lower().endswith((".md", ".markdown"))


def holds_memories(path: str) -> bool:
    """Whether a path holds memories: MEMORY.md, Markdown below `memory/`, no projections. What
    tells of reflections holds what was proposed, and of that what nobody has taken, too.
    """
    if kind_of(path) in ("projection", "proposals", "relations") or path.startswith(_TOLD):
        return False
    return path == CORE or (path.startswith("memory/") and path.endswith(".md"))


def is_workspace(path: str) -> bool:
    """Whether a path is Markdown at the top of the workspace and no memory: who the user is, what
    tools there are, how the agent is to work.
    """
    return "/" not in path and path.endswith(".md") and path != CORE


def weight_of(memory: str) -> float:
    """The weight of the store that a memory's id names; 1 for none."""
    store = STORE_OF_KIND.get(memory.partition(":")[0])
    return store.weight if store else 1.0


def store_of(path: str) -> str:
    """The memory store of a path: `core`, `episodic`, `semantic`, `procedural`, `vault`; or ``."""
    store = STORE_OF_KIND.get(kind_of(path))
    return store.name if store else ""


@keep_last
def date_of(path: str) -> str | None:
    """The date that a daily log is named for; None for any other path."""
    for folder in (EPISODES, "memory/"):
        name = path.removeprefix(folder)
        if name != path and name.endswith(".md") and times.is_date(name[:-3]):
            return name[:-3]
    return None


def find_named_day(path: str) -> str:
    """The day in the name of a file, such as `2026-03-04-release.md`; empty if there is none."""
    name = path.rpartition("/")[2]
    if not name.isascii():
        name = name.translate(_SIGNS_OF_DAYS)
    days = (name[at : at + 10] for at in range(len(name) - 9))
    return next(filter(times.is_date, days), "")


def is_episode_path(path: str) -> bool:
    """Whether a path is a log: `memory/episodes/*.md` or `memory/YYYY-MM-DD.md`."""
    return (path.startswith(EPISODES) and path.endswith(".md")) or date_of(path) is not None
