"""Where an English sentence belongs, by classes of cues in a fixed order."""

from __future__ import annotations

from itertools import pairwise

from molt.memory.engines.english import refusals, subjects, wishes
from molt.memory.engines.english import words as en
from molt.memory.engines.verdict import CREDENTIAL, NONE, UNKEPT, Verdict
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ENDS = "\"'“”‘’«»()[]{}<>.,;:!?…*`"
_BREAKS = ",;:.!?"
_OPENINGS = (
    *(" oh ", " btw ", " by the way ", " well ", " please ", " kindly ", " hey ", " so "),
    *(" and ", " also ", " just ", " hmm ", " hm ", " honestly ", " absolutely ", " totally "),
)
_KEEP_IT = (" keep it ", " keep this ", " keep that ", " store it ", " save it ")


class Sentence(Value):
    """A sentence: as it was said, its words without marks, whether a mark stands behind each, and
    its words in lower case with contractions spelt out, a space before and behind each.
    """

    text: str
    words: tuple[str, ...]
    breaks: tuple[bool, ...]
    flat: str

    @property
    def first(self) -> str:
        """Its first word, in lower case."""
        return self.flat[1:].partition(" ")[0]

    @property
    def count(self) -> int:
        """How many words it has."""
        return self.flat.count(" ") - 1


def parse_sentence(text: str) -> Sentence:
    """A sentence taken apart, without a `please` before it."""
    said = text.replace("’", "'").replace("\n", " ").strip()
    raw = [piece for piece in said.split() if any(map(str.isalnum, piece))]
    words = tuple(piece.strip(_ENDS) for piece in raw)
    breaks = tuple(piece[-1] in _BREAKS for piece in raw)
    low = f" {' '.join(words).lower()} "
    for short, full in en.CONTRACTIONS:
        if "'" in low or "'" not in short:
            low = low.replace(short, full)
    low = low.replace(" have got ", " have ").replace(" have have to ", " have to ")
    for polite in _OPENINGS:
        if low.startswith(polite) and low != polite:
            low = low[len(polite) - 1 :]
    return Sentence(said, words, breaks, low)


def has_cue(one: Sentence, cues: Iterable[str]) -> bool:
    """Whether a sentence has one of some phrases, as whole words."""
    return any(cue in one.flat for cue in cues)


def starts_with(one: Sentence, cues: tuple[str, ...]) -> bool:
    """Whether a sentence begins with one of some phrases."""
    return one.flat.startswith(cues)


def _longest_start(one: Sentence, cues: tuple[str, ...]) -> int:
    return max((len(cue) for cue in cues if one.flat.startswith(cue)), default=0)


def _has_word(one: Sentence, words: frozenset[str]) -> bool:
    return not words.isdisjoint(one.flat.split())


def judge(one: Sentence) -> Verdict | None:
    """Where a sentence belongs; None for what only says how things are."""
    for find in _ORDER:
        if found := find(one):
            return found
    return None


def _find_secret(one: Sentence) -> Verdict | None:
    for cue in en.SECRETS:
        at = one.flat.find(cue)
        if at < 0:
            continue
        rest = one.flat[at + len(cue) :].split()
        said = rest[1:] if rest[:1] == ["is"] else rest
        if said and said[0] not in en.SECRET_SAFE and _may_be_secret(said[0], one.text):
            return Verdict(NONE, why=CREDENTIAL)
    return None


def _may_be_secret(word: str, text: str) -> bool:
    odd = any(map(str.isdigit, word)) or not word.replace("-", "").isalnum()
    return odd or (len(text.split()) <= 6 and len(word) > 3)


def _find_vault(one: Sentence) -> Verdict | None:
    document = has_cue(one, en.DOCUMENTS) and has_cue(one, en.DOCUMENT_SAID)
    if document and not one.text.endswith("?") and not _is_asking(one):
        return Verdict("vault", why="a document of a person")
    told = one.first in ("keep", "store", "save", "archive") or has_cue(one, _KEEP_IT)
    if (told and has_cue(one, en.FOREVER)) or has_cue(one, en.VAULT):
        return Verdict("vault", why="to be kept for good")
    return None


def _find_correction(one: Sentence) -> Verdict | None:
    if one.text.endswith("?"):
        return None
    started = starts_with(one, en.CORRECTION_STARTS)
    alone = _longest_start(one, en.CORRECTION_STARTS) == len(f" {one.first} ")
    if started and alone and one.first in en.LOOSE_CORRECTION:
        started = one.breaks[:1] == (True,)
    if started and one.count > 3:
        return Verdict("episodic", "correction", why="a correction")
    if has_cue(one, en.CORRECTIONS):
        return Verdict("episodic", "correction", why="a correction")
    contrast = ", not " in one.text.lower() and " is " in one.flat and one.count < 16
    numbers = sum(any(map(str.isdigit, word)) for word in one.words)
    if contrast and numbers > 1:
        return Verdict("episodic", "correction", why="one value in place of another")
    return None


def _find_task(one: Sentence) -> Verdict | None:
    if one.text.endswith("?"):
        return None
    if _longest_start(one, en.TASK_STARTS) > _longest_start(one, en.STANDING_STARTS):
        return (
            None
            if " remind me what " in one.flat[:20]
            else Verdict("episodic", "task", why="a duty")
        )
    if has_cue(one, en.TASKS) and not has_cue(one, en.HABITS):
        return Verdict("episodic", "task", why="a duty")
    if _is_needed(one) and not has_cue(one, en.HABITS):
        return Verdict("episodic", "task", why="a duty")
    # The last clause may be what is to be done: "tomorrow I have to …".
    duty = any(
        cue in one.flat[:48] for cue in (" i need to ", " i have to ", " we need to ", " i must ")
    )
    return Verdict("episodic", "task", why="a duty") if duty else None


def _is_needed(one: Sentence) -> bool:
    """Whether somebody needs something by a day, or something needs to be done."""
    words = one.flat.split()
    at = next((at for at, word in enumerate(words[:6]) if word in ("need", "needs")), 0)
    follows = next(iter(words[at + 1 : at + 2]), "")
    doing = len(follows) > 5 and follows.endswith("ing") and not follows.endswith("thing")
    return at > 0 and (doing or has_cue(one, en.DEADLINES))


def _is_asking(one: Sentence) -> bool:
    if one.text.endswith("?") or starts_with(one, en.ASKING_STARTS):
        return True
    words = one.flat.split()
    return len(words) > 1 and words[0] in en.ASKING and words[1] in en.AUXILIARIES


def _find_no_memory(one: Sentence) -> Verdict | None:
    if _is_asking(one):
        return Verdict(NONE, why="a question")
    if starts_with(one, en.FORGETTING):
        return Verdict(NONE, why="a request to forget")
    if refusals.is_unkept(one.flat):
        return Verdict(NONE, why=UNKEPT)
    if one.flat.startswith(" let me ") and " correct " not in one.flat[:20]:
        return Verdict(NONE, why="said of the moment")
    words = one.flat.split()
    if words[:1] in (["thanks"], ["thank"]) and _is_about_you(one):
        return Verdict(NONE, why="small talk")
    chatter = sum(word in en.CHATTER for word in words)
    # `No, I work at Initech` says something, and `no, thanks` does not.
    greeted = starts_with(one, en.GREETINGS) and not one.text.lower().startswith("no,")
    if not words or (greeted and chatter * 3 >= len(words) * 2):
        return Verdict(NONE, why="small talk")
    return Verdict(NONE, why="small talk") if 1 < chatter == len(words) else None


def _is_about_you(one: Sentence) -> bool:
    """Whether each clause behind the first one has `you` for its subject."""
    clauses = [clause.split() for clause in one.text.lower().split(",")[1:]]
    return bool(clauses) and all(clause[:1] == ["you"] for clause in clauses)


def _find_steps(one: Sentence) -> Verdict | None:
    found = Verdict("procedural", why="steps")
    words = one.flat.split()
    if starts_with(one, en.STEP_STARTS):
        return found
    marked = "," in one.text or ":" in one.text
    ordered = has_cue(one, en.SEQUENCE)
    steps = sum(word in en.STEP_VERBS for word in words)
    if one.first in ("to", "for") and marked and steps:
        return found
    if one.first == "first" and ordered and steps > 1:
        return found
    if " 1. " in f" {one.text}" and " 2. " in one.text:
        return found
    conditional = one.first in ("if", "when", "before", "after", "once", "whenever", "on", "every")
    if words[:1] == ["you"] and words[1:2] and words[1] in en.STEP_VERBS and " by " in one.flat:
        return found
    named = one.text.partition(":")[0]
    if named != one.text and one.first.endswith("ing") and "," in one.text and steps:
        return found
    about_you = (
        " you " in one.flat[:24] or " me " in one.flat[:32] or starts_with(one, en.STANDING_STARTS)
    )
    listed = one.text.partition(": ")[2].count(",") > 1
    told = not has_cue(one, (" i ", " we ")) and ordered and one.text.count(",") > 1
    if conditional and (listed or told) and not about_you:
        return found
    if conditional and marked and steps and not about_you and _commands(one):
        return found
    return found if ": " in one.text and steps > 2 else None


def _commands(one: Sentence) -> bool:
    """Whether what follows the first clause begins with a step."""
    clause = next((at for at, mark in enumerate(one.breaks) if mark), len(one.words))
    rest = [word.lower() for word in one.words[clause + 1 : clause + 3]]
    return bool(rest) and (
        rest[0] in en.STEP_VERBS or (rest[0] == "then" and rest[-1] in en.STEP_VERBS)
    )


def _find_standing(one: Sentence) -> Verdict | None:
    found = Verdict("core", "preference", "Persona", "a standing order")
    words = one.flat.split()
    if starts_with(one, en.STANDING_STARTS):
        loose = starts_with(one, en.LOOSE_STANDING)
        after = words[2:3] if words[0] in ("in", "from", "going", "do", "for", "as") else words[1:2]
        follows = next(iter(after), "")
        if words[:3] == ["in", "the", "future"]:
            follows = next(iter(words[3:4]), "")
        if not loose or follows not in en.PRONOUNS or words[0] == "do":
            return None if words[:3] == ["do", "not", "worry"] else found
    if wishes.wishes_of_you(words) or wishes.names_yours(words):
        return found
    if has_cue(one, en.STANDING) and not starts_with(one, (" i am ", " i was ", " the user ")):
        return found
    wished = starts_with(one, en.WISHES) and _has_word(one, en.AGENT_THINGS)
    if wished:
        return found
    general = has_cue(
        one, (" in every ", " in all ", " always ", " never ", " rather than ", " instead of ")
    )
    imperative = one.first in (
        "use",
        "keep",
        "write",
        "put",
        "format",
        "name",
        "run",
        "ask",
        "give",
        "send",
        "show",
    )
    return found if imperative and general else None


def _find_medical(one: Sentence) -> Verdict | None:
    own = has_cue(one, (" i ", " my ", " me ", " our ", " we ")) or starts_with(
        one, (" allergic ", " the user ")
    )
    if own and has_cue(one, en.MEDICAL) and not has_cue(one, en.LATELY):
        return Verdict("core", "fact", "Critical Facts", "health or an emergency")
    return None


def _find_identity(one: Sentence) -> Verdict | None:
    found = Verdict("core", "fact", "Identity", "who the user is")
    words = one.flat.split()
    dated = has_cue(one, en.TIMES)
    if has_cue(one, en.IDENTITY):
        return found
    if starts_with(one, en.IDENTITY_STARTS) and not (dated and words[:1] == ["i"]):
        return found
    if words[:2] == ["i", "am"]:
        rest = words[2:]
        article = rest[:1] in (["a"], ["an"], ["the"]) and not en.NOT_IDENTITY.intersection(
            rest[1:3]
        )
        years = " years old " in one.flat or (rest[:1] and rest[0].isdigit())
        trait = any(word in en.IDENTITY_WORDS for word in rest[:5])
        if (article or years or trait) and not dated:
            return found
    led = [at for at, word in enumerate(one.words) if word in ("for", "at")]
    behind = [next(iter(one.words[at + 1 : at + 2]), "") for at in led]
    firm = any(word[:1].isupper() and word.lower() not in en.KIN for word in behind)
    if words[:2] == ["i", "do"] and firm and not dated:
        return found
    kids = words[:2] == ["i", "have"] and any(word in en.OFFSPRING for word in words[2:5])
    return found if kids and (words[2] in en.NUMBERS or words[2].isdigit()) else None


def _find_context(one: Sentence) -> Verdict | None:
    if has_cue(one, en.CONTEXT):
        return Verdict("core", "fact", "Active Context", "what is going on")
    return None


def _find_decision(one: Sentence) -> Verdict | None:
    if has_cue(one, en.DECISIONS) and one.first != "if":
        return Verdict("episodic", "decision", why="a choice that was made")
    return None


def _find_feeling(one: Sentence) -> Verdict | None:
    words = one.flat.split()
    feeling = any(word in en.FEELINGS for word in words)
    feeler = any(word in en.FEELERS for word in words[:4]) or one.first in (
        "feeling",
        "felt",
        "so",
        "my",
        "this",
    )
    if feeling and feeler and any(word in en.BEING for word in words):
        return Verdict("episodic", "emotion", why="a feeling")
    left = any(word in en.FEELINGS for word in _follow(words, ("me", "us")))
    if one.first == "feeling" or left or (feeling and one.first in en.FEELINGS | {"so"}):
        return Verdict("episodic", "emotion", why="a feeling")
    return (
        Verdict("episodic", "emotion", why="a feeling") if has_cue(one, en.FEELING_CUES) else None
    )


def _follow(words: list[str], leads: tuple[str, ...]) -> Iterator[str]:
    """The words that stand behind some others."""
    return (second for first, second in pairwise(words) if first in leads)


def _find_errand(one: Sentence) -> Verdict | None:
    bare = not subjects.begins_with_subject(one.text, one.first)
    if one.first in en.TASK_VERBS and bare:
        agents = one.first in en.AGENT_VERBS and not has_cue(one, en.DEADLINES)
        return None if agents else Verdict("episodic", "task", why="an errand")
    if one.first in en.AGENT_VERBS and bare:
        due = has_cue(one, en.DEADLINES)
        return (
            Verdict("episodic", "task", why="due by a day")
            if due
            else Verdict(NONE, why="an order to the agent")
        )
    return None


def _find_liking(one: Sentence) -> Verdict | None:
    words = one.flat.split()
    user = (
        words[:1] == ["i"]
        or words[:2] in (["the", "user"], ["user", "said"])
        or words[:1] in (["user"], ["my"], ["we"])
    )
    verb = any(word in en.LIKING for word in words[1:7])
    if user and words[:1] != ["my"] and verb:
        return Verdict("episodic", "preference", why="a liking")
    owned = words[:1] == ["my"] and any(word in en.KIN for word in words[1:3])
    if (
        not owned
        and has_cue(one, en.LIKING_CUES)
        and (user or one.first in ("favourite", "favorite", "big", "not", "can", "could", "would"))
    ):
        return Verdict("episodic", "preference", why="a liking")
    if " over " in one.flat and has_cue(one, (" for me ", " any day ", " every time ")):
        return Verdict("episodic", "preference", why="one before another")
    return None


_ORDER: tuple[Callable[[Sentence], Verdict | None], ...] = (
    _find_secret,
    _find_no_memory,
    _find_vault,
    _find_correction,
    _find_steps,
    _find_task,
    _find_decision,
    _find_medical,
    _find_context,
    _find_identity,
    _find_standing,
    _find_feeling,
    _find_errand,
    _find_liking,
)
