"""Text to value and back: which format a path of the workspace has."""

from __future__ import annotations

CORE = "MEMORY.md"
RELATIONS = "memory/graph/relations.md"
SCORES = "memory/meta/decay-scores.json"
PROPOSALS = "memory/meta/pending-memories.md"
CHECKSUMS = "memory/meta/critical.sha256"
CONFIG = "molt.yaml"
ENTITIES = "memory/graph/entities/"
PROCEDURES = "memory/procedures/"
VAULT = "memory/vault/"
EPISODES = "memory/episodes/"

PROJECTIONS = (
    "memory/meta/audit.log",
    "memory/graph/index.md",
    "memory/meta/pending-reflection.md",
)
PERSONA = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md")

_EXACT = {
    CORE: "core",
    RELATIONS: "relations",
    SCORES: "scores",
    PROPOSALS: "proposals",
    CHECKSUMS: "checksums",
    CONFIG: "config",
    **dict.fromkeys(PROJECTIONS, "projection"),
    **dict.fromkeys(PERSONA, "persona"),
}
_FOLDERS = ((ENTITIES, "entity"), (PROCEDURES, "procedure"), (VAULT, "vault"))
_STORES = {
    "core": "core",
    "episode": "episodic",
    "entity": "semantic",
    "procedure": "procedural",
    "vault": "vault",
}


def kind_of(path: str) -> str:
    """The format of a path: `core`, `episode`, `entity`, `relations`, `procedure`, `vault`,
    `scores`, `proposals`, `checksums`, `config`, `projection`, `persona`, `prose` (other
    Markdown below `memory/`) or `other`.
    """
    exact = _EXACT.get(path)
    if exact is not None:
        return exact
    if not path.startswith("memory/") or not path.endswith(".md"):
        return "other"
    for folder, name in _FOLDERS:
        if path.startswith(folder):
            return name
    from molt.formats import episodes

    return "episode" if episodes.is_episode_path(path) else "prose"


def store_of(path: str) -> str:
    """The memory store of a path: `core`, `episodic`, `semantic`, `procedural`, `vault`; or ``."""
    return _STORES.get(kind_of(path), "")
