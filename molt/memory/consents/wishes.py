"""What the settings of a workspace ask for that takes a consent, and the consents of a clone."""

from __future__ import annotations

import os

from molt import http
from molt.index import providers
from molt.index.providers import remote
from molt.memory.consents.consent import EMBEDDING, EXTRA, LLM, SESSIONS, Wish
from molt.memory.engines import chat
from molt.repo import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from molt.config import Config
    from molt.repo.repository import Repo

FILE = "consent"


def list_wishes(repo: Repo, settings: Config) -> tuple[Wish, ...]:
    """What some settings ask for, and what of it a person has consented to in this clone."""
    wishes = tuple(_find_wishes(repo.root, settings))
    kept = frozenset(_read_lines(repo)) if wishes else frozenset()
    return tuple(one.replace(given=one.line in kept) for one in wishes)


def _find_wishes(root: str, settings: Config) -> Iterator[Wish]:
    yield from _find_model(settings)
    yield from _find_embedding(settings)
    for place in settings.search_extra_paths:
        if _leads_out(root, place):
            yield Wish(EXTRA, (place,), f"has {place} searched, outside of the workspace")
    if "sessions" in settings.search_sources:
        places = settings.search_session_paths
        named = ", ".join(places) or "those of Claude Code, Codex, OpenClaw and `molt session`"
        yield Wish(SESSIONS, places, f"has transcripts of conversations searched: {named}")


def _find_model(settings: Config) -> Iterator[Wish]:
    base_url, variable = settings.llm_base_url, settings.llm_api_key_env
    if settings.llm_provider == "none" or not (base_url or variable):
        return
    shape = chat.SHAPES[settings.llm_provider]
    if not _is_usual((base_url, shape.base_url), (variable, shape.key_env)):
        value = (settings.llm_provider, base_url, variable)
        yield Wish(LLM, value, _describe_service(base_url or shape.base_url, variable))


def _find_embedding(settings: Config) -> Iterator[Wish]:
    base_url, variable = settings.embedding_base_url, settings.embedding_api_key_env
    headers = settings.embedding_headers
    if not (base_url or variable or headers):
        return
    if settings.embedding_provider not in providers.REMOTE:
        return
    api = remote.APIS[settings.embedding_provider]
    if headers or not _is_usual((base_url, api.base_url), (variable, api.key_env)):
        more = (f"{name}: {text}" for name, text in headers)
        value = (settings.embedding_provider, base_url, variable, *more)
        said = _describe_service(base_url or api.base_url, variable)
        yield Wish(EMBEDDING, value, said + ", with headers of its own" * bool(headers))


def _is_usual(address: tuple[str, str], variable: tuple[str, str]) -> bool:
    """Whether text and key go where they would without the setting, or nowhere beyond this machine
    and without a key. Both are pairs of what is set, or empty, and the provider's own.
    """
    base_url, own = address
    if not base_url or base_url.rstrip("/") == own:
        return variable[0] in ("", variable[1])
    return not variable[0] and http.is_loopback(base_url)


def _describe_service(base_url: str, variable: str) -> str:
    key = f", with the key in {variable}" if variable else ""
    return f"sends text to {base_url}{key}"


def _leads_out(root: str, place: str) -> bool:
    """Whether a path, links followed, is not below the root of a workspace."""
    full = os.path.realpath(os.path.join(root, os.path.expanduser(place)))
    inside = os.path.realpath(root)
    return full != inside and not full.startswith(inside.rstrip(os.sep) + os.sep)


def give_consent(repo: Repo, wishes: Sequence[Wish]) -> None:
    """Keep that a person consents to some wishes. Raises Failed where it cannot be kept."""
    with state.lock(repo.common_dir, FILE):
        before = _read_lines(repo)
        fresh = [one.line for one in wishes if one.line not in before]
        if fresh:
            _write_lines(repo, [*before, *fresh])


def withdraw_consent(repo: Repo, names: Sequence[str]) -> int:
    """Forget every consent to what has one of some names, also of values before these; how many
    there were. Raises Failed where that cannot be kept.
    """
    with state.lock(repo.common_dir, FILE):
        before = _read_lines(repo)
        kept = [line for line in before if line.partition(" ")[0] not in names]
        if kept != before:
            _write_lines(repo, kept)
    return len(before) - len(kept)


def _read_lines(repo: Repo) -> list[str]:
    """What was consented to; nothing where that cannot be read."""
    return [line for line in state.read(repo.common_dir, FILE).split("\n") if line]


def _write_lines(repo: Repo, lines: Sequence[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    state.write(repo.common_dir, FILE, text, durable=True)
