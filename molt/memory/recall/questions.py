"""What kind of answer a question asks for: plain rules on the words that ask, in six languages."""

from __future__ import annotations

from molt.values import Value

WHEN, ENTITY, PROCEDURE, LATEST, SEARCH = "when", "entity", "procedure", "latest", "search"

# Beginnings of questions, with a space where a word ends; a question is compared in small letters,
# without marks before it.
_STARTS = (
    (PROCEDURE, (
        "how do i ", "how do we ", "how do you ", "how should i ", "how should we ", "how can i ",
        "how can we ", "how to ", "how did we usually ", "how does one ", "how is it usually ",
        "what are the steps ", "what is the procedure ", "what's the procedure ",
        "what is our process ", "what's our process ", "what is the usual ", "what's the usual ",
        "wie mache ich ", "wie machen wir ", "wie macht man ", "wie geht ", "wie gehe ich ",
        "wie kann ich ", "wie können wir ", "wie soll ich ", "wie sollen wir ",
        "cómo hago ", "cómo hacemos ", "cómo se ", "cómo puedo ", "cómo podemos ", "cómo debo ",
        "как мне ", "как нам ", "как мы обычно ", "как я обычно ", "как обычно ", "как сделать ",
    )),
    (WHEN, (
        "when did ", "when was ", "when were ", "when have ", "when has ", "when had ", "when is ",
        "when are ", "when will ", "when do ", "when does ", "since when ", "on which day ",
        "on what day ", "what day did ", "what day was ", "on what date ", "what date ",
        "how long ago ", "what happened on ", "what happened in ", "what happened last ",
        "wann ", "seit wann ", "an welchem tag ", "cuándo ", "cuando fue ", "desde cuándo ",
        "qué día ", "когда ", "с каких пор ", "в какой день ",
    )),
)  # fmt: skip
_WITHIN = (
    (LATEST, (
        "latest", "newest", "most recent", "current state", "current status", "status of",
        "what's new", "what is new", "up to date on", "where are we with", "where do we stand",
        "neueste", "neuste", "neues ", "aktuelle stand", "aktueller stand", "stand der dinge",
        "lo último", "más reciente", "novedades", "estado actual", "qué hay de nuevo",
        "последн", "что нового", "текущее состояние", "как обстоят дела",
        "最新", "最近", "近况", "现状", "進展", "进展", "現状",
    )),
    (WHEN, (
        "什么时候", "什麼時候", "何时", "何時", "哪天", "哪一天", "几号", "多久以前",
        "いつ", "何日",
    )),
    (PROCEDURE, (
        "怎么", "怎麼", "如何", "怎样", "步骤", "どうやって", "やり方", "手順", "どのように",
        "normalerweise", "gewöhnlich", "normalmente", "suelo ", "solemos ",
    )),
)  # fmt: skip
# What stands before and after the name of what is asked about.
_ABOUT = (
    ("what do you know about ", ""), ("what do we know about ", ""), ("what do i know about ", ""),
    ("what can you tell me about ", ""), ("what have we got on ", ""), ("tell me about ", ""),
    ("tell me everything about ", ""), ("everything about ", ""), ("who is ", ""), ("who's ", ""),
    ("who was ", ""), ("who are ", ""), ("what is ", ""), ("what's ", ""), ("what are ", ""),
    ("describe ", ""), ("do you know ", ""), ("remind me who ", " is"), ("remind me what ", " is"),
    ("was weißt du über ", ""), ("was wissen wir über ", ""), ("erzähl mir von ", ""),
    ("erzähle mir von ", ""), ("wer ist ", ""), ("wer war ", ""), ("was ist ", ""),
    ("qué sabes de ", ""), ("qué sabes sobre ", ""), ("qué sabemos de ", ""),
    ("qué sabemos sobre ", ""), ("háblame de ", ""), ("quién es ", ""), ("qué es ", ""),
    ("что ты знаешь о ", ""), ("что ты знаешь об ", ""), ("что мы знаем о ", ""),
    ("расскажи о ", ""), ("расскажи об ", ""), ("расскажи про ", ""), ("кто такой ", ""),
    ("кто такая ", ""), ("что такое ", ""),
    ("关于", "你知道什么"), ("关于", "你知道些什么"), ("关于", "我们知道什么"),
    ("你对", "了解多少"), ("你对", "知道多少"), ("你知道", "吗"), ("你了解", "吗"),
    ("介绍一下", ""), ("告诉我关于", ""),
    ("谁是", ""), ("什么是", ""), ("", "是谁"), ("", "是什么"),
    ("", "について何を知っていますか"), ("", "について教えてください"), ("", "について教えて"),
    ("", "について"), ("", "は誰ですか"), ("", "は誰"), ("", "とは何ですか"), ("", "とは"),
)  # fmt: skip
_ARTICLES = ("the ", "our ", "my ", "der ", "die ", "das ", "el ", "la ", "los ", "las ")
_MARKS = " \t\n¿?!.,;:…？！。，、「」\"'“”"


class Question(Value):
    """A question: its type, and for an entity what is asked about, as it is written."""

    type: str
    about: str = ""


def parse(text: str) -> Question:
    """What a question asks for. A question about a thing may still be an ordinary one: whether
    there is such an entity is for the graph to say.
    """
    asked = " ".join(text.strip(_MARKS).split())
    lower = f"{asked.lower().replace('’', chr(39))} "
    for kind, starts in _STARTS:
        if lower.startswith(starts):
            return Question(kind)
    for kind, parts in _WITHIN:
        if any(part in lower for part in parts):
            return Question(kind)
    about = _find_subject(asked, lower.rstrip())
    return Question(ENTITY, about) if about else Question(SEARCH)


def _find_subject(asked: str, lower: str) -> str:
    """What a question is about, by what stands around it; empty where it is about no one thing."""
    # Small letters may be more or fewer; then their places are not those of the text.
    source = asked if len(asked) == len(lower) else lower
    for before, after in _ABOUT:
        if lower.startswith(before) and lower.endswith(after):
            inner = source[len(before) : len(source) - len(after)].strip(_MARKS)
            article = next((one for one in _ARTICLES if inner.lower().startswith(one)), "")
            return inner[len(article) :]
    return ""
