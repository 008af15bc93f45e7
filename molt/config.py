"""The configuration: `molt.yaml` of a tree as one frozen record."""

from __future__ import annotations

from molt import __version__, trees
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping
    from typing import Any

    from molt.trees import Tree

PATH = "molt.yaml"
FORMAT = 1
"""The newest format of a workspace's files that this molt knows; see docs/releasing.md."""


class Config(Value):
    """Every setting, flat; the key in `molt.yaml` is the name with its first `_` as a dot."""

    core_cap: int = 3000
    core_encoding: str = "cl100k_base"
    history_budget_mb: int = 60
    audit_retention_days: int = 90
    workspace_format: int = 1
    workspace_needs: str = ""
    workspace_timezone: str = "local"
    policy_critical: tuple[str, ...] = (
        *("SOUL.md", "IDENTITY.md", "molt.yaml"),
        *("openclaw.json", "moltbot.json"),
    )
    policy_high: tuple[str, ...] = (
        *("USER.md", "TOOLS.md", "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md"),
        *("AGENTS.override.md", ".claude/*", ".codex/*", ".gemini/*", ".agents/*", ".mcp.json"),
        *(".cursor/*", ".cursorrules", ".windsurf/*", ".windsurfrules", ".clinerules", ".roo/*"),
        *(".clinerules/*", ".kiro/*", ".opencode/*", "opencode.json", ".aider.conf.yml"),
        *(".gitattributes", "*/.gitattributes", ".gitmodules", ".lfsconfig", ".mailmap"),
        *(".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml", "lefthook.yml"),
        *(".github/*", ".gitea/*", ".forgejo/*", ".gitlab/*", ".gitlab-ci.yml", "CODEOWNERS"),
        *("docs/CODEOWNERS", ".circleci/*", ".buildkite/*", ".drone.yml", ".travis.yml"),
        *(".woodpecker/*", ".woodpecker.yml", "Jenkinsfile", "azure-pipelines.yml"),
        *("bitbucket-pipelines.yml", ".vscode/*", ".devcontainer/*", ".envrc", ".mise.toml"),
        *("BOOT.md", "WARP.md", "QWEN.md", "CRUSH.md", ".hermes.md", ".rules", ".goosehints"),
        *(".junie/*", ".amazonq/*", ".kilocode/*", ".trae/*", ".augment/*", ".continue/*"),
        *(".zed/*", ".idea/runConfigurations/*", ".npmrc", "mise.toml", ".husky/*"),
        *("hooks/*/HOOK.md", "hooks/*/handler.ts", "hooks/*/handler.js"),
    )
    policy_severity: tuple[tuple[str, str], ...] = ()
    policy_secrets: tuple[tuple[str, str], ...] = ()
    agents_trusted: tuple[str, ...] = ()
    agents_grants: tuple[str, ...] = ()
    agents_review: str = "batch"
    actors_keys: tuple[tuple[str, str], ...] = ()
    signatures_require: tuple[str, ...] = ("all",)
    graph_types: tuple[str, ...] = ()
    graph_similarity: float = 0.85
    graph_ask: float = 0.7
    scope_core: str = "private"
    scope_default: str = ""
    search_limit: int = 10
    search_min_score: float = 0.18
    search_fusion: str = "min-max"
    search_rerank: str = "none"
    search_rerank_model: str = ""
    search_rerank_model_path: str = ""
    search_sync_budget_ms: int = 2000
    search_sources: tuple[str, ...] = ("memory", "workspace", "documents")
    search_extra_paths: tuple[str, ...] = ()
    search_session_paths: tuple[str, ...] = ()
    embedding_provider: str = "static"
    embedding_model: str = ""
    embedding_model_path: str = ""
    embedding_allow_download: bool = False
    embedding_base_url: str = ""
    embedding_api_key_env: str = ""
    embedding_headers: tuple[tuple[str, str], ...] = ()
    embedding_dims: int = 0
    embedding_query_prefix: str = ""
    embedding_document_prefix: str = ""
    embedding_timeout: float = 30.0
    embedding_batch_size: int = 0
    embedding_fallback: str = "static"
    embedding_cache_mb: int = 256
    decay_lambda: float = 0.03
    decay_active: float = 0.5
    decay_fading: float = 0.2
    decay_dormant: float = 0.05
    decay_weight_core: float = 1.5
    decay_weight_episodic: float = 0.8
    decay_weight_semantic: float = 1.2
    decay_weight_procedural: float = 1.0
    triggers_files: tuple[str, ...] = ()
    llm_provider: str = "none"
    llm_model: str = ""
    llm_base_url: str = ""
    llm_api_key_env: str = ""
    llm_timeout: float = 60.0
    llm_max_tokens: int = 2000
    llm_input_price: float = 0.0
    llm_output_price: float = 0.0
    reflection_threshold: int = 20
    reflection_time: str = "03:00"
    reflection_budget: int = 8000
    reflection_max_loss: float = 0.2


DEFAULT = Config()


def load(
    tree: Tree, cache: MutableMapping[str, bytes] | None = None
) -> tuple[Config, tuple[str, ...]]:
    """The configuration in a tree, and warnings about what it holds that means nothing.

    Lenient: a value that does not fit falls back to its default with a warning, so that a
    broken file never locks its workspace. `cache` maps a key with the blob id to bytes;
    with it the YAML of one blob is parsed once per clone.
    """
    entry = tree.entry(PATH)
    if entry is None:
        return DEFAULT, ()
    import marshal

    key = f"config-{__version__}-{entry.oid}"
    if cache is not None and (kept := cache.get(key)) is not None:
        try:
            values, warnings = marshal.loads(kept)  # noqa: S302 written below, private to the clone
            return Config(**values), warnings
        except (EOFError, ValueError, TypeError):
            pass
    values, warnings = _read_settings(trees.read_text(tree, PATH))
    if cache is not None:
        # Only what the file sets: a default is that of the molt that asks.
        cache[key] = marshal.dumps((values, warnings))
    return Config(**values), warnings


UNTAKEN = (
    f"{PATH} was committed against the rules, as without molt's hooks, and is not in force: what "
    f"it said before holds until a person takes it by `molt ack {PATH}`"
)
"""Of settings that are not in force, what a person is told."""
_SETTLED = "settled-config"
"""Under which key a clone keeps which settings were looked at, and what is in force instead."""


def load_in_force(tree: Tree, cache: MutableMapping[str, bytes]) -> tuple[Config, tuple[str, ...]]:
    """The same of what is in force: settings that a commit has brought against the rules are not,
    until a person takes them. Which format the files have is none: whoever wrote it, an older molt
    cannot read them.
    """
    written, told = load(tree, cache)
    swap = _read_settled(cache)[1].get(find_id(tree))
    if swap is None:
        return written, told
    settings, warnings = parse(swap.decode("utf-8", "replace"))
    settings = settings.replace(
        workspace_format=written.workspace_format, workspace_needs=written.workspace_needs
    )
    # What is wrong with the new ones as well: a person is about to take them.
    return settings, tuple(dict.fromkeys((*warnings, *told, UNTAKEN)))


def find_id(tree: Tree) -> str:
    """The id of the settings of a tree; empty for none."""
    entry = tree.entry(PATH)
    return entry.oid if entry is not None else ""


def is_settled(cache: MutableMapping[str, bytes], oid: str) -> bool:
    """Whether somebody has looked at settings, by the id of their blob, and they are in force."""
    known, swaps = _read_settled(cache)
    return oid == known and oid not in swaps


def settle(cache: MutableMapping[str, bytes], oid: str, swaps: Mapping[str, bytes]) -> None:
    """Keep that settings were looked at, and which texts are in force in place of some."""
    import marshal

    made = marshal.dumps((oid, dict(swaps)))
    if cache.get(_SETTLED) != made:
        cache[_SETTLED] = made


def _read_settled(cache: MutableMapping[str, bytes]) -> tuple[str | None, Mapping[str, bytes]]:
    import marshal

    try:
        known, swaps = marshal.loads(cache.get(_SETTLED) or b"")  # noqa: S302 private to the clone
    except (EOFError, ValueError, TypeError):
        return None, {}
    return known, swaps


def describe_newer_format(settings: Config) -> tuple[str, str] | None:
    """What is wrong, and how to go on, where the files are of a format that this molt does not
    know; None where it knows it.
    """
    if settings.workspace_format <= FORMAT:
        return None
    needed = f"molt {settings.workspace_needs}" if settings.workspace_needs else "a newer molt"
    said = f"the workspace has format {settings.workspace_format}, and molt {__version__}"
    hint = f"it needs {needed}: `pip install --upgrade molt-memory`, or pipx, or uv"
    return f"{said} knows no format after {FORMAT}", hint


def parse(text: str) -> tuple[Config, tuple[str, ...]]:
    """The configuration in the text of a `molt.yaml`, and its warnings; never raises."""
    values, warnings = _read_settings(text)
    return Config(**values), warnings


def _read_settings(text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    # Of most files the clone keeps what they set.
    from molt import settings

    return settings.read_settings(text, DEFAULT.asdict())
