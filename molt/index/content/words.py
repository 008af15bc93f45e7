"""How texts and queries are cut into the words of the keyword index."""

from __future__ import annotations

import itertools

from molt.index.content import signs, variants
from molt.index.content.function_words import ELSEWHERE
from molt.normal import normalize

ENDING, SHORT = 2, 4
"""Letters of an ending, and of the longest words that are taken as they are."""
_ENDS = dict.fromkeys(map(ord, "\0\"'“”‘’«»()[]{},;!?¿¡。、，！？：；（）「」"), " ")
STOP = frozenset(
    (
        *("a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by"),
        *("can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have"),
        *("he", "her", "him", "his", "how", "i", "if", "in", "is", "it", "its", "me", "my"),
        *("of", "on", "or", "our", "s", "she", "so", "t", "than", "that", "the", "their"),
        *("them", "then", "there", "these", "they", "this", "to", "up", "us", "was", "we"),
        *("were", "what", "when", "where", "which", "who", "whom", "why", "will", "with"),
        *("would", "you", "your"),
    )
)


# What a question that somebody said is made of, in its order: what did the user tell me about.
_WHAT, _OF = "what", "about"
_SAID = frozenset(("say", "said", "tell", "told", "mention", "mentioned"))
_SIDES = frozenset(
    (
        *("did", "do", "does", "have", "has", "had", "the", "user", "assistant", "agent", "i"),
        *("you", "we", "he", "she", "they", "ever", "just", "already", "last"),
    )
)
_HEARERS = frozenset(("me", "you", "us", "him", "her", "them", "to"))

_ACCENTED = frozenset("àáâãäåçèéêëìíîïñòóôõöùúûüýÿ")
# A table, as what is printed has many texts, and most have none of these.
_PLAIN = str.maketrans("àáâãäåçèéêëìíîïñòóôõöùúûüýÿ", "aaaaaaceeeeiiiinooooouuuuyy")

STOP_PARTS = (
    *("为什么", "什么时候", "什么样", "什么", "哪一个", "哪一天"),
    *("哪些", "哪个", "哪里", "哪儿", "哪天", "怎么样"),
    *("怎么", "怎样", "如何", "百分之多少", "百分之几", "多少", "几个", "有没有"),
    *("请问", "告诉我", "我们", "你们", "他们", "谁的"),
    *("这个", "那个", "这天", "关于", "的时候", "聊了"),
    *("提到", "何时", "何地", "何人"),
)
"""What Chinese questions are made of, and nothing that is asked for, in simplified signs."""


_FILLING = frozenset(
    "的了在是和有我你他她它也都就从到把被这那个们与及吗呢吧啊谁哪几什么多少怎样为何时候请问要能会可以给让对上下里中"
    "去来过得地着不没又还很最第一次于之其或由并而且但所因如果"
)
"""Signs of particles, pronouns, prepositions and question words, which every Chinese text has."""


def tells_something(part: str) -> bool:
    """Whether a part of a run without spaces is of what is asked for, with no sign of a function
    word in it; a word between spaces is.
    """
    return part.isascii() or _FILLING.isdisjoint(part)


def _drop_question_parts(run: str) -> list[str]:
    """The pieces of a run without spaces between what only asks; the run where nothing is left."""
    left = run
    for part in STOP_PARTS:
        if part in left:
            left = left.replace(part, " ")
    pieces = [piece for piece in left.split() if len(piece) > 1]
    return pieces or [run]


def fold_text(text: str) -> str:
    """A text in the one form of its letters in which words are compared: narrow, simplified,
    Arabic without marks and articles.
    """
    if text.isascii():
        return text
    text = normalize("NFKC", text)
    if signs.has_unspaced(text):
        text = variants.fold_signs(text)
    return variants.fold_arabic(text) if variants.has_arabic(text) else text


def index_text(text: str) -> str:
    """The text for the keyword index: runs without spaces as all their short parts."""
    if text.isascii():
        return text
    text = fold_text(text)
    if not signs.has_unspaced(text):
        return text
    from molt.index.content import scripts

    return scripts.RUN.sub(scripts.spread_run, text)


def is_foreign(query: str) -> bool:
    """Whether a query is in a language with spaces other than English: its function words are of
    one, or it has letters that English lacks, and no word of English.
    """
    said = frozenset(_split_spaced(_drop_runs(query, " ").lower()))
    # A mark of another script, as the one that ends a Chinese question, says nothing.
    letters = "" if query.isascii() else "".join(filter(str.isalpha, "".join(said)))
    return _is_elsewhere(said) or not (letters.isascii() or STOP & said)


def _is_elsewhere(said: frozenset[str]) -> bool:
    """Whether words in small letters, function words among them, are of a language other than
    English. Two may be of a name, as in "La Paz" or "Los Angeles".
    """
    plain = said if all(map(str.isascii, said)) else frozenset(map(drop_accents, said))
    other = (plain & ELSEWHERE) - STOP
    return len(other) > 1 + len((said & STOP) - ELSEWHERE)


def drop_accents(word: str) -> str:
    """A word without accents, which many people leave out, if its letters are Latin ones."""
    if word.isascii():
        return word
    plain = normalize("NFD", word).encode("ascii", "ignore").decode()
    return plain if len(plain) == len(word) else word


def fold_accents(text: str) -> str:
    """A text in small letters without the accents of German, Spanish, French, Italian and
    Portuguese, each letter in its place.
    """
    if text.isascii() or _ACCENTED.isdisjoint(text):
        return text
    return text.translate(_PLAIN)


def is_latin(text: str) -> bool:
    """Whether most letters of a text are Latin ones."""
    if text.isascii():
        return True
    letters = [char for char in text if char.isalpha()]
    return sum(char < "\u0250" for char in letters) * 2 >= len(letters)


def split_terms(query: str) -> list[str]:
    """The words of a query, each once, runs without spaces as parts of the size that finds
    words best; stop words, and those that ask what somebody said, go unless nothing else is left.
    """
    found: list[str] = []
    if not query.isascii():
        query = _take_runs(fold_text(query), found)
    spaced = _split_spaced(query)
    every = list(dict.fromkeys((*found, *filter(None, spaced))))
    stop = _find_stop_words(every)
    asked = list(dict.fromkeys((*found, *filter(None, _drop_asking(spaced)))))
    asked = [term for term in asked if term.lower() not in stop]
    return asked or [term for term in every if term.lower() not in stop] or every


def _drop_asking(words: list[str]) -> list[str]:
    """The words of a question without those that ask what somebody said: `what did the user say
    about gradients` asks for gradients. Whose name stands there is asked for, too.
    """
    low = [*map(str.lower, words), ""]
    if _WHAT not in low or _SAID.isdisjoint(low):
        return words
    start = low.index(_WHAT)
    verb = _skip_words(low, start + 1, _SIDES)
    about = _skip_words(low, verb + 1, _HEARERS) if low[verb] in _SAID else verb
    return words[:start] + words[about + 1 :] if low[about] == _OF else words


def _skip_words(words: list[str], at: int, known: frozenset[str]) -> int:
    """The place of the first word from a place on that is not among some."""
    while words[at] in known:
        at += 1
    return at


def cut_ending(word: str) -> str:
    """A word in small letters without the endings in which most of its forms differ."""
    low = word.lower()
    return low.removesuffix("'s").removesuffix("s") if len(low) > 3 else low


def cut_forms(word: str) -> str:
    """What a word has in common with its forms in languages other than English, of which no
    endings are known: all but its last letters.
    """
    if len(word) <= SHORT or not word.isalpha() or signs.has_unspaced(word):
        return word
    return word[: max(SHORT, len(word) - ENDING)]


def _find_stop_words(words: list[str]) -> frozenset[str]:
    """The words in small letters that ask for nothing among those of a query, and of English."""
    said = frozenset(map(str.lower, words))
    if not _is_elsewhere(said):
        return STOP
    return STOP.union(word for word in said if drop_accents(word) in ELSEWHERE)


def list_proper_names(query: str) -> list[str]:
    """The words of an English question that it writes as names, with a capital within it."""
    if is_foreign(query):
        return []
    asked = {word for word in _split_spaced(query)[1:] if word[:1].isupper()}
    return [word for word in asked if word.lower() not in STOP]


def pair_words(query: str) -> list[str]:
    """The words of a query that stand side by side, neither a stop word, each pair once. Runs
    without spaces have none: their parts overlap, and so tell their order already.
    """
    if not query.isascii():
        query = _drop_runs(fold_text(query), " . ")
    spaced = _split_spaced(query)
    stop = _find_stop_words(spaced)
    every = _drop_asking(spaced)
    every = ["" if word.lower() in stop else word for word in every]
    both = (f"{one} {two}" for one, two in itertools.pairwise(every) if one and two)
    return list(dict.fromkeys(both))


def _split_spaced(query: str) -> list[str]:
    """The words between spaces, without what ends them; empty for marks alone."""
    bare = (part.strip(".:-/*`_") for part in query.translate(_ENDS).split())
    return [part if any(map(str.isalnum, part)) else "" for part in bare]


def _drop_runs(query: str, instead: str) -> str:
    """What is left of a query without its runs."""
    if not signs.has_unspaced(query):
        return query
    from molt.index.content import scripts

    return scripts.RUN.sub(instead, query)


def _take_runs(query: str, found: list[str]) -> str:
    """What is left of a query without its runs, whose parts are added to `found`."""
    if not signs.has_unspaced(query):
        return query
    from molt.index.content import scripts

    for run in scripts.RUN.findall(query):
        for piece in _drop_question_parts(run):
            found += scripts.split_run(piece, scripts.word_size(piece))
    return scripts.RUN.sub(" ", query)


def quote(part: str) -> str:
    """A part as an FTS5 string."""
    return '"' + part.replace('"', '""') + '"'
