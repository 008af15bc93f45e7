"""What a workspace's molt.yaml leads out of it, and what of that nobody has consented to.

Who clones a workspace has not written its molt.yaml. An address of another server, a variable that
holds a key, and a folder outside are used here only after a person of this machine has said so, of
just these values: a commit that changes one of them is asked about anew.
"""

from __future__ import annotations

from molt import errors
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.config import Config

LLM, EMBEDDING, EXTRA, SESSIONS = "llm", "embedding", "extra_paths", "sessions"
NAMES = (LLM, EMBEDDING, EXTRA, SESSIONS)
"""What a person can consent to, by the name that `molt consent` takes."""
_WHERE = {
    LLM: "llm",
    EMBEDDING: "embedding",
    EXTRA: "search.extra_paths",
    SESSIONS: "search.session_paths",
}


class Wish(Value):
    """Something that molt.yaml asks for: its name, the values that a consent is for, what it does
    in words, and whether a person has consented here.
    """

    name: str
    value: tuple[str, ...]
    said: str
    given: bool = False

    @property
    def line(self) -> str:
        """How it is kept, in one line, which no other wish has."""
        return f"{self.name} {self.value!r}"

    @property
    def refusal(self) -> str:
        """What to tell of one that nobody has consented to."""
        said = f"molt.yaml: {_WHERE[self.name]} {self.said}"
        return f"{said}: not without a consent in this clone, `molt consent {self.name}`"


def is_inward(settings: Config) -> bool:
    """Whether settings have nothing of what can lead out of a workspace: those of most have not."""
    return not (
        settings.llm_base_url
        or settings.llm_api_key_env
        or settings.embedding_base_url
        or settings.embedding_api_key_env
        or settings.embedding_headers
        or settings.search_extra_paths
        or "sessions" in settings.search_sources
    )


def withhold(settings: Config, missing: Sequence[Wish]) -> Config:
    """Settings without the folders that nobody has consented to. Of a model and of vectors they
    stay, to say what is missing: who uses these asks `require_consent`.
    """
    if not missing:
        return settings
    gone = {place for one in missing if one.name == EXTRA for place in one.value}
    extra = tuple(place for place in settings.search_extra_paths if place not in gone)
    sources = settings.search_sources
    if any(one.name == SESSIONS for one in missing):
        sources = tuple(one for one in sources if one != "sessions")
    return settings.replace(search_extra_paths=extra, search_sources=sources)


def explain_refusal(missing: Sequence[Wish], name: str) -> str:
    """Why what has a name is not used; empty where nothing is missing."""
    return next((one.refusal for one in missing if one.name == name), "")


def require_consent(missing: Sequence[Wish], name: str) -> None:
    """Raises Refused where nobody has consented to what has a name."""
    why = explain_refusal(missing, name)
    if why:
        raise errors.Refused(why, f"`molt consent {name}`, if you mean it")
