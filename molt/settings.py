"""What `molt.yaml` can set, what each setting means, and the reader that fits values to them."""

from __future__ import annotations

from molt import untrusted
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

PATH = "molt.yaml"
PROVIDERS = (
    *("static", "fastembed", "none"),
    *("openai", "gemini", "voyage", "mistral", "ollama"),
)
MODELS = ("none", "openai", "anthropic")
REVIEWS = ("batch", "auto", "manual")
RERANKERS = ("none", "fastembed")
SIGNED = ("all", "approve", "accept", "ack", "everyone")
CLASSES = ("warn", "ask", "block")
"""What follows from what may be a secret, from the mildest."""
ACTORS = ("bot", "reflection", "system", "manual", "skill", "subagent")
BOUND = "actors_keys"
"""The one setting that is a section itself: its keys are names."""


class Setting(Value):
    """What a setting means and which values it takes; `low` and `high` bound its numbers."""

    doc: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1_000_000.0


SETTINGS: dict[str, Setting] = {
    "core_cap": Setting("Most tokens that MEMORY.md may hold.", low=1),
    "core_encoding": Setting("The encoding that counts them.", ("cl100k_base",)),
    "audit_retention_days": Setting(
        "How long the audit log keeps its lines: months that ended before become digests, each "
        "night or by `molt audit prune`.",
        low=1,
        high=36_500,
    ),
    "history_budget_mb": Setting(
        "MiB that git's objects may take before `molt doctor` says so.", low=1
    ),
    "workspace_format": Setting(
        "Format of the workspace's files. A molt that knows only older ones reads and writes "
        "nothing here, and says which one is needed.",
        low=1,
    ),
    "workspace_needs": Setting("The oldest molt that knows the format; empty for format 1."),
    "workspace_timezone": Setting(
        "Zone of the times in episodes: `local`, or a name such as `Europe/Berlin`. "
        "With one that this machine does not know, nothing is written."
    ),
    "policy_critical": Setting("Files whose change raises an alert until acknowledged."),
    "policy_high": Setting(
        "Files that a bot changes with a person's approval only, as agents obey them also below "
        "`memory/`. `*` is any text: `X/*` all below a folder, `*/X` that name in any folder."
    ),
    "policy_severity": Setting("Rule code to `error`, `warning` or `off`."),
    "policy_secrets": Setting(
        "Kind of secret, as SEC001 names it, to `block`, `ask` or `warn`: see "
        "[privacy](privacy.md)."
    ),
    "agents_grants": Setting(
        "What a skill may change, as `NAME PATH`: `shop memory/procedures/*`."
    ),
    "agents_trusted": Setting(
        "Sub-agents whose high-confidence proposals need no review where `agents.review` is `auto`."
    ),
    "agents_review": Setting(
        "Who decides on proposals: `batch` for the main agent or a person with `molt review`; "
        "`auto` takes what trusted agents are sure of at once; `manual` leaves all to a person.",
        REVIEWS,
    ),
    BOUND: Setting(
        "Actors to the public SSH keys that sign for them, one or a list: an id such as "
        "`bot:main`, `manual` for people, `bot:*` for all of a kind that have none of their own. A "
        "key is a line `ssh-ed25519 AAAA… name`; `valid-after=DATE,valid-before=DATE` may precede "
        "it; an empty list is an actor that nobody signs for. `molt keys` writes them; see "
        "[signatures](signatures.md)."
    ),
    "signatures_require": Setting(
        "What has to be signed: `all` that a bound actor commits; of a person's commits, where "
        "`all` is left out, the decisions `approve`, `accept` and `ack`, which then nobody else "
        "makes; and with `everyone` whatever is committed, so that only bound actors can.",
        SIGNED,
    ),
    "graph_types": Setting("Entity types beside the built-in ones."),
    "graph_similarity": Setting(
        "How alike (0 to 1) two labels must be to mean one entity.", high=1.0
    ),
    "graph_ask": Setting(
        "How alike (0 to 1) two labels must be for a new entity to ask whether it is another one, "
        "and for a question to take one for the other.",
        high=1.0,
    ),
    "scope_core": Setting("Whom core memory is for: `private`, or an audience."),
    "scope_default": Setting("Whom what says nothing is for: anybody, `private`, or an audience."),
    "search_limit": Setting("Results that a search gives.", low=1, high=10_000),
    "search_min_score": Setting(
        "How sure (0 to 1) the best result must be for an answer at all; 0 for always.", high=1.0
    ),
    "search_fusion": Setting(
        "How rankings are merged.", ("min-max", "reciprocal-rank", "weighted-rank")
    ),
    "search_rerank": Setting(
        "What reads the best results once more, each together with the query.", RERANKERS
    ),
    "search_rerank_model": Setting(
        "Cross-encoder of fastembed; empty for `Xenova/ms-marco-MiniLM-L-6-v2`, or the folder's."
    ),
    "search_rerank_model_path": Setting("Folder with a local cross-encoder for fastembed."),
    "search_sync_budget_ms": Setting(
        "How long a search may wait for vectors before it answers without them.", high=600_000
    ),
    "search_sources": Setting(
        "What is searched: `memory`, `workspace` for the Markdown at the top of the workspace,"
        " `documents` for that in its folders, and `sessions` for transcripts of agents'"
        " conversations.",
        ("memory", "workspace", "documents", "sessions"),
    ),
    "search_extra_paths": Setting(
        "Folders with more Markdown to search: absolute, from `~`, or from the workspace."
    ),
    "search_session_paths": Setting(
        "Folders or files with transcripts; empty for those of Claude Code, Codex, OpenClaw and"
        " `molt session append`."
    ),
    "embedding_provider": Setting("Where vectors come from.", PROVIDERS),
    "embedding_model": Setting("Model of the provider; empty for its default."),
    "embedding_model_path": Setting("Folder with a local model for fastembed."),
    "embedding_allow_download": Setting("Let fastembed download its models."),
    "embedding_base_url": Setting(
        "Address of the provider's API; `openai` with another one is any compatible server."
    ),
    "embedding_api_key_env": Setting(
        "Name of the environment variable that holds the key; empty for the provider's own."
    ),
    "embedding_headers": Setting("More HTTP headers, name to value; no place for keys."),
    "embedding_dims": Setting("Dimensions to ask a remote model for; 0 for its own.", high=65_536),
    "embedding_query_prefix": Setting("Put before a query, for models that were trained so."),
    "embedding_document_prefix": Setting("Put before a text, for models that were trained so."),
    "embedding_timeout": Setting(
        "Seconds that one request to a provider may take.", low=0.001, high=3600.0
    ),
    "embedding_batch_size": Setting(
        "Texts in one request; 0 for what the provider takes.", high=100_000
    ),
    "embedding_fallback": Setting("What gives vectors when the provider cannot.", PROVIDERS),
    "embedding_cache_mb": Setting("How much disk vectors that cost time are kept on."),
    "decay_lambda": Setting("Decay per day without access.", high=100.0),
    "decay_active": Setting("Least score of an active memory; below, it fades.", high=1.0),
    "decay_fading": Setting("Least score of a fading memory; below, it is dormant.", high=1.0),
    "decay_dormant": Setting("Least score of a dormant memory; below, it is archived.", high=1.0),
    "decay_weight_core": Setting("What the score of a core memory is weighed by.", high=10.0),
    "decay_weight_episodic": Setting("That of an episode.", high=10.0),
    "decay_weight_semantic": Setting("That of an entity.", high=10.0),
    "decay_weight_procedural": Setting("That of a procedure.", high=10.0),
    "triggers_files": Setting(
        "Files of the workspace with more phrases of `molt trigger`, read as they are committed."
    ),
    "llm_provider": Setting(
        "The form in which a language model is asked where a text belongs; `none` for rules alone. "
        "What looks like a secret is taken out before it is sent.",
        MODELS,
    ),
    "llm_model": Setting("The model, as its provider calls it."),
    "llm_base_url": Setting(
        "Address of the API; empty for the provider's own. `openai` with another one is any "
        "compatible server."
    ),
    "llm_api_key_env": Setting(
        "Name of the environment variable that holds the key; empty for the provider's own."
    ),
    "llm_timeout": Setting("Seconds that one request to the model may take.", low=0.001, high=3600),
    "llm_max_tokens": Setting("Most tokens of an answer of the model.", low=16, high=200_000),
    "llm_input_price": Setting("What a million tokens cost that are sent; 0 for unknown."),
    "llm_output_price": Setting("What a million tokens cost that are answered; 0 for unknown."),
    "reflection_threshold": Setting(
        "Episodes that no reflection has read, for `molt reflect --if-due` to reflect.", low=1
    ),
    "reflection_time": Setting("Time of day (HH:MM) at which a schedule of the machine reflects."),
    "reflection_budget": Setting("Most tokens of what one reflection proposes.", low=100),
    "reflection_max_loss": Setting(
        "Share (0 to 1) of core's bullets, or of facts, that an approval takes unasked.", high=1.0
    ),
}
SECTIONS = tuple(dict.fromkeys(name.partition("_")[0] for name in SETTINGS))
UNREAD = "defaults are in force"
"""How a warning ends that says that the whole file counts for nothing."""
SEVERITIES = ("error", "warning", "off")
_LONGEST = 1_000
"""Most characters of a text in the file, and most items of a list."""
_MOST_WARNINGS = 20
"""A screen; of more the number is told."""


def read_settings(text: str, defaults: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a text sets, by name, and warnings. Whatever goes wrong, the file counts for nothing
    then: a workspace is never locked by its configuration, and the commit that mends it goes by.
    """
    try:
        return _read_sections(untrusted.parse_yaml(text), defaults)
    except ValueError as error:
        return {}, (f"{PATH}: {error}; {UNREAD}",)
    except Exception as error:
        return {}, (f"{PATH}: {type(error).__name__}; {UNREAD}",)


def _read_sections(
    data: object, defaults: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    if data is None:
        return {}, ()
    if not isinstance(data, dict):
        raise ValueError("not a mapping")
    warnings: list[str] = []
    values: dict[str, Any] = {}
    for section, content in data.items():
        if section not in SECTIONS:
            warnings.append(_describe_unknown_key(str(section), SECTIONS))
        elif not isinstance(content, dict):
            warnings.append(f"{PATH}: {section} is not a mapping; its defaults are in force")
        elif section == _BINDINGS:
            values[BOUND] = tuple(_read_bindings(content, warnings))
        else:
            _read_section(str(section), content, defaults, (values, warnings))
    more = len(warnings) - _MOST_WARNINGS
    if more > 0:
        warnings[_MOST_WARNINGS:] = [f"{PATH}: and {more:,} more"]
    return values, tuple(warnings)


def _read_bindings(content: dict[Any, Any], warnings: list[str]) -> Iterator[tuple[str, str]]:
    """The actors with a key each, as pairs. An actor is bound as soon as it is named: without a
    key, or with what is none, which is the empty text, to nothing that anybody can use.
    """
    for actor, value in content.items():
        kind, colon, rest = str(actor).partition(":")
        if kind not in ACTORS or bool(colon and rest) == (kind == "manual"):
            warnings.append(f"{PATH}: {_BINDINGS}: {str(actor)[:60]!r} is no actor")
            continue
        if value == []:
            yield str(actor), ""
        for item in value if isinstance(value, list) else [value]:
            if _is_one_of(item, Setting("")) and any(one in item for one in _KEYS):
                yield str(actor), " ".join(item.split())
                continue
            said = f"{repr(item)[:60]} is no public SSH key; nobody can sign by it"
            warnings.append(f"{PATH}: {_BINDINGS}.{actor}: {said}")
            yield str(actor), ""


_BINDINGS = "actors"
_KEYS = ("ssh-", "ecdsa-sha2-", "sk-ecdsa-")


def _read_section(
    section: str,
    content: dict[Any, Any],
    defaults: Mapping[str, Any],
    found: tuple[dict[str, Any], list[str]],
) -> None:
    values, warnings = found
    known = tuple(name.partition("_")[2] for name in SETTINGS if name.startswith(f"{section}_"))
    for key, value in content.items():
        if key not in known:
            warnings.append(_describe_unknown_key(str(key), known, f"{section}."))
            continue
        name = f"{section}_{key}"
        fitted = _fit_value(name, value, defaults[name])
        if fitted is None:
            shown = repr(value)[:60]
            warnings.append(f"{PATH}: {section}.{key}: {shown} does not fit; its default holds")
        else:
            values[name] = fitted


def _fit_value(name: str, value: Any, default: Any) -> Any:
    """The value in the type of its field, which is that of its default; None where it does not
    fit.
    """
    setting = SETTINGS[name]
    if name == "policy_severity":
        return _fit_severity(value)
    if name == "policy_secrets":
        return _fit_classes(value)
    if name == "embedding_headers":
        return _fit_headers(value)
    if isinstance(default, tuple):
        fits = isinstance(value, list) and len(value) <= _LONGEST
        return tuple(value) if fits and all(_is_one_of(item, setting) for item in value) else None
    if isinstance(default, bool) or isinstance(value, bool):
        return value if isinstance(default, bool) and isinstance(value, bool) else None
    if isinstance(default, str):
        return value if _is_one_of(value, setting) else None
    if not isinstance(value, int | float) or not setting.low <= value <= setting.high:
        return None
    whole = value if isinstance(value, int) else None
    return float(value) if isinstance(default, float) else whole


def _is_one_of(item: Any, setting: Setting) -> bool:
    fits = isinstance(item, str) and len(item) <= _LONGEST
    return fits and (not setting.choices or item in setting.choices)


def _fit_headers(value: Any) -> tuple[tuple[str, str], ...] | None:
    if not isinstance(value, dict):
        return None
    pairs = tuple((name, item) for name, item in value.items())
    fits = all(isinstance(part, str) and part.isprintable() for pair in pairs for part in pair)
    return pairs if fits else None


def _fit_severity(value: Any) -> tuple[tuple[str, str], ...] | None:
    if not isinstance(value, dict):
        return None
    pairs = {str(code): ("off" if level is False else level) for code, level in value.items()}
    fits = all(level in SEVERITIES for level in pairs.values())
    return tuple(sorted(pairs.items())) if fits else None


def _fit_classes(value: Any) -> tuple[tuple[str, str], ...] | None:
    fits = isinstance(value, dict) and all(
        isinstance(kind, str) and level in CLASSES for kind, level in value.items()
    )
    return tuple(sorted(value.items())) if fits else None


def _describe_unknown_key(key: str, known: tuple[str, ...], prefix: str = "") -> str:
    from difflib import get_close_matches

    # What is long is no slip of the pen, and comparing it takes its square.
    near = get_close_matches(key, known, n=1) if len(key) < 40 else []
    hint = f"; did you mean {prefix}{near[0]}?" if near else ""
    return f"{PATH}: unknown key {prefix}{key[:60]}{hint}"
