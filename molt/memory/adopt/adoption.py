"""What a folder holds before molt adopts it: memories, and what a person should know of them."""

from __future__ import annotations

from molt import config, tokens, trees
from molt.formats import documents
from molt.formats import paths as layout
from molt.formats.prose import instructions, notes
from molt.index.content import sources
from molt.policy import allowed, secrets
from molt.repo import ignores
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from molt.config import Config
    from molt.repo.repository import Repo
    from molt.trees import Tree

_KINDS = {
    "episode": "daily notes",
    "entity": "entities",
    "procedure": "procedures",
    "vault": "vault notes",
    "prose": "other notes",
}
_NO_NOTES = frozenset(
    ("node_modules", "vendor", "dist", "build", "target", "venv", "site-packages")
)
AGENTS = ("AGENTS.md", "CLAUDE.md")
NO_DOCUMENTS: Mapping[str, int] = {}
_MOST_LINES = 5  # of a file with secrets that are named


class SecretsFound(Value):
    """A file that gives something away: how often, of which kinds, and in which lines."""

    path: str
    count: int
    kinds: tuple[str, ...]
    lines: tuple[int, ...]


class AdoptionReport(Value):
    """What was found: memories by kind, tokens of MEMORY.md and its cap, memory that git ignores,
    projections that git keeps, secrets, how many documents there are in which folder, how many
    notes in which place that is not searched, edges that `graph/index.md` alone has, and the block
    that tells an agent of molt (empty where its instructions do already).
    """

    memories: dict[str, int]
    core_tokens: int
    core_cap: int
    ignored: tuple[str, ...]
    projections: tuple[str, ...]
    secrets: tuple[SecretsFound, ...]
    unsearched: dict[str, int]
    edges: int = 0
    agents: str = ""
    documents: Mapping[str, int] = NO_DOCUMENTS

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing that could be adopted."""
        found = (self.core_tokens, self.ignored, self.projections, self.unsearched, self.documents)
        return not self.memories and not any(found)

    @property
    def has_too_many(self) -> bool:
        """Whether there are more documents than are searched unless somebody asks for it."""
        return sum(self.documents.values()) > documents.MOST


def survey_files(repo: Repo, tree: Tree, edges: int = 0) -> AdoptionReport:
    """What a tree holds, for the person who has it adopted."""
    entries = tree.entries()
    known = list_notes(tree)
    settings, _ = config.load(tree)
    searched = list_documents(tree, settings)
    core = trees.read_text(tree, layout.CORE)
    return AdoptionReport(
        memories=count_memories(known),
        core_tokens=tokens.count_tokens(core, settings.core_encoding) if core else 0,
        core_cap=settings.core_cap,
        ignored=ignores.list_ignored(repo),
        projections=tuple(path for path in layout.PROJECTIONS if path in entries),
        secrets=tuple(find_secrets(tree, (*known, *searched))),
        unsearched=count_unsearched(entries, settings.search_extra_paths),
        edges=edges,
        agents=instructions.BLOCK if list_untold(tree) else "",
        documents=_count_by_folder(filter(documents.is_document, entries)),
    )


def list_notes(tree: Tree) -> list[str]:
    """The memories and the persona of a tree, all read at once: one by one, ten thousand files
    take a minute.
    """
    entries = tree.entries()
    found = [path for path in sorted(entries) if layout.holds_memories(path) or _is_persona(path)]
    head = getattr(tree, "head", tree)
    prefetch = getattr(head, "prefetch", None)
    if prefetch is not None:
        known = head.entries()
        prefetch({path: known[path].oid for path in found if path in known})
    return found


def list_documents(tree: Tree, settings: Config) -> list[str]:
    """The documents of a tree that searches show, in order; none where they are not searched, or
    are more than a search takes without being asked.
    """
    if sources.DOCUMENTS not in settings.search_sources:
        return []
    found = sorted(filter(documents.is_document, tree.entries()))
    return found if len(found) <= documents.MOST else []


def _is_persona(path: str) -> bool:
    return layout.kind_of(path) == "persona"


def count_memories(paths: Iterable[str]) -> dict[str, int]:
    """How many files of each kind of memory there are, in words for people; none that is 0."""
    kinds = ["episode" if notes.is_daily(path) else layout.kind_of(path) for path in paths]
    counts = {word: kinds.count(kind) for kind, word in _KINDS.items()}
    return {word: count for word, count in counts.items() if count}


def render_kind(word: str, count: int) -> str:
    """A number of memories of a kind, in words that fit it."""
    one = word.removesuffix("ies") + "y" if word.endswith("ies") else word.removesuffix("s")
    return f"{count:,} {one if count == 1 else word}"


def find_secrets(tree: Tree, paths: Iterable[str]) -> Iterator[SecretsFound]:
    """The files of a tree that hold what nobody should read; a line that is allowed counts not."""
    for path in paths:
        text = trees.read_text(tree, path)
        if documents.is_document(path) and len(text) > documents.LARGEST:
            continue
        rows = text.split("\n")
        found = [
            (kind, at + 1)
            for at, matches in secrets.search(text)
            if allowed.MARK not in rows[at]
            for _, _, kind in matches
        ]
        if found:
            kinds, numbers = (tuple(dict.fromkeys(every)) for every in zip(*found, strict=True))
            yield SecretsFound(path, len(found), kinds, numbers)


def render_secrets(found: SecretsFound) -> str:
    """What a file gives away, for a person: `2 secrets: GitHub token, password (lines 3, 7)`."""
    noun = "secret" if found.count == 1 else "secrets"
    place = "line" if len(found.lines) == 1 else "lines"
    shown = ", ".join(f"{one:,}" for one in found.lines[:_MOST_LINES])
    more = " …" * (len(found.lines) > _MOST_LINES)
    return f"{found.count:,} {noun}: {', '.join(found.kinds)} ({place} {shown}{more})"


def count_unsearched(paths: Iterable[str], extra: Iterable[str] = ()) -> dict[str, int]:
    """How many Markdown files there are in each folder at the top, and beside them, that no
    search reads; hidden folders, and those that tools fill, hold no notes.
    """
    known = {"memory", *(place.rstrip("/") for place in extra)}
    return _count_by_folder(
        path
        for path in paths
        if path.endswith(".md") and not sources.is_searched(path) and not _is_of_tools(path)
        if path.partition("/")[0] not in known
    )


def _is_of_tools(path: str) -> bool:
    parts = path.split("/")
    return bool(_NO_NOTES.intersection(parts)) or any(part.startswith(".") for part in parts)


def _count_by_folder(paths: Iterable[str]) -> dict[str, int]:
    """How many paths there are in each folder at the top, most first."""
    counts: dict[str, int] = {}
    for path in paths:
        place = path.partition("/")[0]
        counts[place] = counts.get(place, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def list_untold(tree: Tree) -> tuple[str, ...]:
    """The instructions of agents that neither name molt nor have its block as it is now; one that
    sends to the other need not.
    """
    texts = {path: trees.read_text(tree, path) for path in AGENTS if _is_regular(tree, path)}
    return tuple(
        path
        for path, text in texts.items()
        if not _is_current(text) and not any(f"@{other}" in text for other in texts)
    )


def _is_regular(tree: Tree, path: str) -> bool:
    entry = tree.entry(path)
    return entry is not None and entry.mode != trees.SYMLINK


def _is_current(text: str) -> bool:
    try:
        return instructions.is_current(text)
    except ValueError:
        return True
