"""A person's message: what it asks of the memory, and what the memory has to say to it."""

from __future__ import annotations

from molt import errors
from molt.formats import lines, paths
from molt.formats.prose import injected, speech
from molt.hosts.session import moment as moments
from molt.memory import triggers
from molt.memory.held import quarantine, withheld
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from molt.hosts.session.moment import TalkMoment, TalkState
    from molt.memory.search.search import Result
    from molt.memory.triggers.detect import Trigger

MOST = 3
"""Memories that a message is told of unasked."""
_SURE, _ASKED = 0.5, 0.25
"""How sure a memory must be to be about a message: one that asks for it says what it wants."""
_HEAD, _TAIL = 400, 200
"""Characters of a message that are searched for: what it is about stands at its head or its end."""
_WIDE = 300  # letters that are shown of what was said
_LONGEST = 400
"""Characters of a request that a person types; more is pasted, and goes to the day's log."""
_IDLE = frozenset(
    (
        *("ok", "okay", "k", "yes", "yeah", "yep", "yup", "no", "nope", "thanks", "thank", "thx"),
        *("please", "pls", "go", "ahead", "continue", "proceed", "next", "done", "good", "great"),
        *("nice", "cool", "perfect", "sure", "fine", "right", "correct", "exactly", "looks"),
        *("sounds", "lgtm", "now", "again", "try", "fix", "run", "stop", "wait", "hi"),
        *("hello", "hey", "let's", "lets", "keep", "going", "sorry", "well", "hm", "hmm", "not"),
        *("just", "too", "also", "one", "two", "three", "all", "some", "more", "make", "get"),
        *("continue.", "weiter", "ja", "nein", "danke"),
        *("好", "好的", "继续", "谢谢", "可以", "是的"),
    )
)
"""Words that say nothing to look for."""
_NO = "nothing was deleted; show the user what `molt forget` lists, and delete only after a yes"


class Stored(Value):
    """What the message asked to remember and molt has written: where, and what core memory says
    already that is `near`; of a sub-agent's the id of its proposal.
    """

    id: str
    store: str
    path: str
    commit: str = ""
    near: tuple[str, ...] = ()


class Noticed(Value):
    """What a message asks of the memory and what was done about it. `memories` are those that the
    model is told of, `note` is what it is told of a request, `context` both, marked as molt's;
    empty where there is nothing to tell. `failure` is why a write went wrong.
    """

    intent: str
    phrase: str
    payload: str
    stored: Stored | None = None
    memories: tuple[Result, ...] = ()
    note: str = ""
    context: str = ""
    failure: str = ""


class UserMessage(Value):
    """A message, and whether it is a person's own: of what a program says in the place of one
    nothing is stored.
    """

    text: str
    by_user: bool = True


def notice_prompt(moment: TalkMoment, message: UserMessage) -> Noticed:
    """What a message asks for; what it surely asks to remember is stored at once. Nothing is
    searched for where it says nothing, and nothing is deleted.
    """
    text = injected.strip_blocks(message.text)
    own = message.by_user and speech.is_said(text)
    found = _detect_intent(moment, text)
    stored, note, failure = _follow_intent(moment, text, found) if own else (None, "", "")
    told = () if stored else _find_memories(moment, text, found)
    if told:
        _keep_shown(moment, told)
    context = injected.wrap_block(_render_context(note, told))
    kept = (found.intent, found.phrase, found.payload) if own else ("none", "", "")
    more = {"note": note, "context": context, "failure": failure}
    return Noticed(*kept, stored=stored, memories=told, **more)


def _detect_intent(moment: TalkMoment, text: str) -> Trigger:
    ws = moment.ws
    tree = withheld.hide_blobs(ws.repo, ws.head(), quarantine.freshen_held(ws.repo))
    return triggers.detect_message(tree, ws.config.triggers_files, text)


def _follow_intent(moment: TalkMoment, text: str, found: Trigger) -> tuple[Stored | None, str, str]:
    """What was stored of a request, what the model is to know of it, and what went wrong."""
    said = _quote(found.payload)
    if found.intent == "remember":
        return _remember(moment, text, found)
    if found.intent == "forget":
        return None, f"The user asks to forget {said}: {_NO}.", ""
    if found.intent == "reflect":
        way = "`molt reflect`; only the user approves it"
        return None, f"The user asks for a reflection: {way}.", ""
    return None, "", ""


def _remember(moment: TalkMoment, text: str, found: Trigger) -> tuple[Stored | None, str, str]:
    said = _quote(found.payload)
    if not is_certain(text, found):
        way = "store it with `molt remember` if the user means it, and ask where you are not sure"
        note = f"The user may ask to remember {said}: {way}." if found.payload else ""
        return None, note, ""
    failure = ""
    try:
        stored, why = store_payload(moment, found)
    except (errors.MoltError, OSError) as error:
        stored, why = None, error.message if isinstance(error, errors.MoltError) else str(error)
        failure = why
    if stored is None:
        note = f"The user asks to remember {said}. molt has not stored it: {why}."
        return None, note, failure
    done = "It waits for a review" if stored.store == "proposal" else "It is stored"
    where = f"({stored.id} in {stored.path})"
    note = f"The user asks to remember {said}. {done} {where}; do not store it again."
    if stored.near:
        # Who has read the conversation can say whether it changes what stands there.
        rows = (one[:1].upper() + one[1:] for one in stored.near)
        note = f"{note} {'; '.join(rows)}, if the user's words change it."
    return stored, note, ""


def is_certain(text: str, found: Trigger) -> bool:
    """Whether a person surely asks to remember something: in so many words, on the first line of
    the message, for what stands below may be pasted, and without characters that nobody sees.
    """
    # The policy takes as long to import as all else, and few messages ask for anything.
    from molt.policy import invisible, texts

    before = text[: found.span[0]].lstrip()
    hidden = invisible.hides_characters(found.payload) or not texts.BIDI.isdisjoint(found.payload)
    said = bool(found.phrase and found.payload.strip())
    return said and "\n" not in before and not hidden


def store_payload(moment: TalkMoment, found: Trigger) -> tuple[Stored | None, str]:
    """Write what a person asks to remember, on that person's word; or why it is no memory.

    What is long or of several lines may be pasted: it goes to the day's log, whatever it says.
    Raises what a write raises.
    """
    from molt.memory.write import answers, near
    from molt.memory.write import remember as writing

    text = found.payload.strip()
    if moment.ws.actor.startswith("subagent:"):
        return _propose(moment, text), ""
    ws = moment.ws.replace(named="bot:trigger-remember")
    typed = len(text) <= _LONGEST and "\n" not in text
    flags = {} if typed else {"store": "episodic"}
    route = answers.choose_route(ws, text, answers.Asked(phrase=found.phrase), **flags)
    if route.store == "none":
        return None, route.why or "it is no memory"
    done = writing.remember_text(ws, route, moment.now)
    made = done.made
    beside = tuple(one.describe() for one in near.list_near(ws, route, made))
    return Stored(made.id, route.store, made.path, done.oid or "", beside), ""


def _propose(moment: TalkMoment, text: str) -> Stored:
    from molt.memory.write import propose

    one = propose.draft(text, propose.Suggestion(trigger="auto-detect", store="episodic"))
    made = propose.propose(moment.ws, one, moment.now)
    return Stored(made.proposal.id, "proposal", paths.PROPOSALS, made.done.oid or "")


def _find_memories(moment: TalkMoment, text: str, found: Trigger) -> tuple[Result, ...]:
    asked = found.intent in ("recall", "forget") and bool(found.payload.strip())
    query = found.payload if asked else _cut_query(text)
    if not says_something(query):
        return ()
    # What a search imports takes twice as long as starting Python.
    from molt.hosts.session import nearby

    seen = () if asked else moments.read_state(moment).shown
    return nearby.find_memories(
        moment, query, nearby.NearbyRequest(MOST, _ASKED if asked else _SURE, frozenset(seen))
    )


def _cut_query(text: str) -> str:
    """What of a message is searched for."""
    plain = " ".join(text.split())
    if plain.startswith("/"):
        return ""
    return plain if len(plain) <= _HEAD + _TAIL else f"{plain[:_HEAD]} {plain[-_TAIL:]}"


def says_something(query: str) -> bool:
    """Whether a text has a word that can be looked for."""
    if not query.isascii():
        return any(part.lower() not in _IDLE for part in query.strip("。！!?？,，. ").split())
    plain = "".join(char if char.isalnum() or char == "'" else " " for char in query.lower())
    return any(len(word) > 1 and word not in _IDLE for word in plain.split())


def _keep_shown(moment: TalkMoment, told: Sequence[Result]) -> None:
    names = tuple(one.id for one in told)

    def add(before: TalkState) -> TalkState:
        older = tuple(one for one in before.shown if one not in names)
        return before.replace(shown=(*older, *names))

    moments.change_state(moment, add)


def _quote(text: str) -> str:
    said = lines.escape_text(" ".join(text.split()))
    return f'"{said if len(said) <= _WIDE else f"{said[:_WIDE]} …"}"'


def _render_context(note: str, told: Sequence[Result]) -> str:
    rows = [note] if note else []
    if told:
        rows.append("From memory, on this message; check what matters before you rely on it:")
        rows += [f"- {_render_words(one)} ({one.citation})" for one in told]
    return "\n".join(rows)


def _render_words(one: Result) -> str:
    """A memory on one line, without the headings above it."""
    rows = [row for row in one.snippet.split("\n") if row.strip() and not row.startswith("#")]
    said = lines.escape_text(" ".join(" ".join(rows or [one.snippet]).split()))
    return said if len(said) <= _WIDE else f"{said[:_WIDE].rpartition(' ')[0]} …"
