"""What the words of a conversation are: who spoke, whether they only ask, and whether they say how
things are to be done from now on.
"""

from __future__ import annotations

USER, ASSISTANT, ASKS, STANDING, PREFERS = 1, 2, 4, 8, 16  # bits
# Of a piece that nobody says: it stands at the top of the workspace, a machine wrote it in bulk, or
# it is of a document and no memory.
WORKSPACE, BULK, DOCUMENT = 32, 64, 128
_ORDERS = (
    *(
        "always ",
        "never ",
        "from now on",
        "going forward",
        "in the future",
        "whenever ",
        "every time ",
    ),
    *(
        "please always ",
        "please never ",
        "make sure ",
        "don't ever ",
        "do not ever ",
        "be sure to ",
    ),
    *("remember to always", "remember to never", "i always want", "i never want", "no matter what"),
)
"""How a sentence begins that is an order for all time."""
_ORDERS_ZH = (
    *(
        "总是",
        "總是",
        "永远",
        "永遠",
        "从现在起",
        "從現在起",
        "以后都",
        "以後都",
        "今后",
        "今後",
        "一律",
    ),
    *("务必", "務必", "每次都", "千万不要", "千萬不要", "始终", "始終", "绝不", "絕不"),
)
_TASTES = (
    *("i prefer", "i'd prefer", "i would prefer", "i'd rather", "i would rather", "i like my "),
    *("my preference", "we prefer", "prefers ", "my favorite", "my favourite"),
)
_TASTES_ZH = (
    "我喜欢",
    "我喜歡",
    "我更喜欢",
    "我更喜歡",
    "我偏好",
    "我习惯",
    "我習慣",
    "我比较喜欢",
    "偏好",
)
_USERS = frozenset(("user", "human"))
_ASSISTANTS = frozenset(("assistant", "agent", "ai", "bot", "model", "system", "tool"))


def turn_flags(speaker: str, text: str) -> int:
    """The role of a speaker in a log of an assistant (people by name have none), and whether
    the text ends with a question.
    """
    name = speaker.strip().lower()
    role = USER if name in _USERS else ASSISTANT if name in _ASSISTANTS else 0
    asks = ASKS if text.rstrip("\"'”’) \n").endswith(("?", "？", "؟")) else 0
    # What people say to each other in passing binds no agent.
    talk = role == ASSISTANT or (name and not role)
    # Who wants something says so in a few words; a page that has such a word tells of others.
    page = not role and len(text) > _WISH
    return role | asks | (0 if talk or page else _find_will(text))


_WISH = 300
"""Characters of what somebody wants, where nobody is named that says it: a paragraph."""


def _find_will(text: str) -> int:
    """Whether a text is a standing instruction, or says what somebody prefers."""
    low = text.lower().replace("’", "'")
    starts = [low, *(row.lstrip("-*+ \t") for row in low.split("\n"))]
    # What it is called may stand before an order: "Money rule: never …".
    starts += [row.partition(":")[2].lstrip("* ") for row in starts]
    for mark in (". ", "! ", "? ", *("。！？，：" if not low.isascii() else "")):
        starts += low.split(mark)[1:]
    found = STANDING * any(one.startswith(_ORDERS) for one in starts)
    found |= PREFERS * any(word in low for word in _TASTES)
    if not low.isascii():
        found |= STANDING * any(one.startswith(_ORDERS_ZH) for one in starts)
        found |= PREFERS * any(word in low for word in _TASTES_ZH)
    return found


_OF_ASSISTANT = (
    *("did you", "you said", "you told", "you suggest", "you recommend", "you gave", "you mention"),
    *("you advise", "you explain", "you propose", "you list", "your advice", "your suggestion"),
    *("your recommendation", "your answer", "your explanation", "you provide", "you describe"),
    *(
        "你说",
        "你說",
        "你建议",
        "你建議",
        "你推荐",
        "你推薦",
        "你告诉",
        "你告訴",
        "你的建议",
        "你的建議",
    ),
)


def asks_assistant(query: str) -> bool:
    """Whether a query asks what the assistant has said: `what did you recommend …`. What it would
    say now (`how would you suggest`) is no memory.
    """
    low = f" {query.lower()} "
    future = ("would you", "could you", "can you", "should you", "will you")
    return any(one in low for one in _OF_ASSISTANT) and not any(one in low for one in future)


def prefix_speaker(speaker: str, text: str) -> str:
    """A text that names its speaker, so that keywords and vectors know who said it."""
    if not speaker or text.lower().startswith(f"{speaker.lower()}:"):
        return text
    return f"{speaker}: {text}"


def find_speaker(query: str, names: dict[int, str]) -> int:
    """The number of the one speaker that a query names; 0 for none or several."""
    words = {word.strip(".,;:!?\"'()").removesuffix("'s").removesuffix("’s") for word in
             query.lower().split()}  # fmt: skip
    found = [number for number, name in names.items() if _is_named(name, words)]
    return found[0] if len(found) == 1 else 0


def _is_named(name: str, words: set[str]) -> bool:
    lower = name.lower()
    return not turn_flags(lower, "") and not words.isdisjoint(lower.split())
