"""Plans as models really give them, of the memories in tests/materials.py.

Each has what should come of it: how many of the good operations are in it. Nothing of `INVENTED`,
numbers, names and units, is in any memory; what else is not there a person sees beside its quote.
"""

from __future__ import annotations

import json
from typing import Any

from materials import IDS

PKCE, LISBON, COFFEE, SHANGHAI = IDS
INVENTED = (
    *("90,000", "90000", "ferrari", "bob", "madrid", "paris", "oauth2", "2019", "tournament"),
    *("巴黎", "李雷", "奔驰", "4711", "acme", "dollars"),
)
TASTE: dict[str, Any] = {
    "op": "add-fact",
    "entity": "person--alex",
    "fact": "loves dark roast coffee",
    "evidence": [COFFEE],
    "reason": "It was said outright.",
    "confidence": "high",
}
MOVE: dict[str, Any] = {
    "op": "supersede-fact",
    "entity": "person--alex",
    "fact": "lives in Berlin",
    "by": "lives in Lisbon",
    "since": "2026-01-30",
    "evidence": [LISBON],
}
CORE: dict[str, Any] = {
    "op": "rewrite-core",
    "add": [{"block": "Active Context", "text": "The mobile app uses PKCE", "evidence": [PKCE]}],
}
TRIP: dict[str, Any] = {
    "op": "add-fact",
    "entity": "person--alex",
    "fact": "2026-02-01去上海出差",
    "evidence": [SHANGHAI],
}
GOOD: list[dict[str, Any]] = [TASTE, MOVE, CORE, TRIP]
LIES = [
    {**TASTE, "fact": "earns 90,000 euros a year"},
    {**TASTE, "fact": "is allergic to peanuts"},
    {**TASTE, "fact": "loves dark roast coffee with Bob in Paris"},
    {**MOVE, "by": "lives in Madrid"},
    {**TRIP, "fact": "和李雷去巴黎出差"},
    {"op": "upsert-entity", "entity": "person:Bob", "facts": ["drives"], "evidence": [COFFEE]},
    {"op": "insight", "text": "Alex won a chess tournament in 2019", "evidence": [COFFEE, PKCE]},
    {"op": "question", "text": "Does Bob still drive the Ferrari?"},
    {
        "op": "upsert-procedure",
        "title": "Coffee",
        "steps": ["dark roast coffee", "add peanuts"],
        "evidence": [COFFEE],
    },
]


def _plan(*items: Any, **more: Any) -> str:
    return json.dumps({"operations": list(items), **more}, ensure_ascii=False)


def _with(item: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**item, **changes}


_WHOLE = _plan(*GOOD)
_PYTHON = str({"operations": GOOD})
_INDENTED = json.dumps({"operations": GOOD}, indent=2, ensure_ascii=False)
_YAML = "operations:\n" + "".join(
    "  - " + "\n    ".join(f"{key}: {json.dumps(value)}" for key, value in one.items()) + "\n"
    for one in GOOD
)
_BULK = [
    {
        "op": "add-fact",
        "entity": "person--alex",
        "fact": f"loves dark roast coffee {'and dark roast coffee ' * 20}",
        "evidence": [COFFEE],
        "reason": f"{'coffee is dark ' * 30}{number}",
    }
    for number in range(60)
]

PLANS: dict[str, tuple[str, int]] = {
    "good": (_WHOLE, 4),
    "indented": (_INDENTED, 4),
    "fenced": (f"```json\n{_INDENTED}\n```", 4),
    "words around": (f"Here is the plan:\n\n{_INDENTED}\n\nShall I go on?", 4),
    "thinking aloud": (f"<think>{{'operations': [1]}} or so?</think>\n{_WHOLE}", 4),
    "a thought that never ends": ("<think>" * 3 + _WHOLE, 4),
    "thoughts within thoughts": (f"<think>a<think>b</think>{_WHOLE}</think>", 4),
    "surer than a float can be": (_WHOLE.replace('"op"', f'"confidence": {"9" * 400}, "op"', 1), 4),
    "a bare list": (json.dumps(GOOD, ensure_ascii=False), 4),
    "a list below another name": (json.dumps({"plan": {"operations": GOOD}}), 4),
    "one item a line": ("\n".join(json.dumps(one, ensure_ascii=False) for one in GOOD), 4),
    "as Python writes it": (_PYTHON, 4),
    "commas too many": (_INDENTED.replace('"\n    }', '",\n    }').replace("}\n  ]", "},\n  ]"), 4),
    "YAML": (_YAML, 4),
    "YAML in a fence": (f"Here it is:\n\n```yaml\n{_YAML}```\nShall I go on?", 4),
    "comments": (_INDENTED.replace('    "op"', '    // what to do\n    "op"', 0) + "\n// end", 4),
    "cut off in its third item": (_WHOLE[: _WHOLE.index("rewrite-core") + 30], 2),
    "cut off after its second item": (_WHOLE[: _WHOLE.index('{"op": "rewrite-core')], 2),
    "one item is broken": (_WHOLE.replace('"fact": "lives in Berlin",', '"fact": lives", ,'), 3),
    "names in other spellings": (
        _plan(
            {"type": "addFact", "entityId": "person--alex", "content": "loves dark roast coffee",
             "sources": [COFFEE], "confidence": 0.9},
            {"action": "update_fact", "subject": "person--alex", "old": "lives in Berlin",
             "new": "lives in Lisbon", "evidence_ids": [LISBON]},
            {"rewrite_core": {"add": [{"section": "active context", "evidence": PKCE,
                                       "content": "The mobile app uses PKCE"}]}},
        ),
        3,
    ),
    "fields in `args`": (
        _plan({"op": "add-fact", "args": {"entity": "person--alex", "evidence": [COFFEE],
                                          "fact": "loves dark roast coffee"}}),
        1,
    ),
    "ids without prefix": (_plan(_with(TASTE, evidence=["2026-02-02:11:00"])), 1),
    "ids with seconds and brackets": (_plan(_with(TASTE, evidence=["[2026-02-02 11:00:00]"])), 1),
    "ids as files": (_plan(_with(TASTE, evidence=["memory/episodes/2026-02-02.md#11:00"])), 1),
    "ids as objects": (_plan(_with(TASTE, evidence=[{"id": COFFEE, "quote": "I love"}])), 1),
    "an id as a text": (_plan(_with(TASTE, evidence=COFFEE)), 1),
    "wrong ids": (_plan(_with(TASTE, evidence=["episode:2026-02-02:23:59"]), MOVE), 1),
    "no evidence": (_plan({"op": "add-fact", "entity": "Alex", "fact": "is vegan"}, MOVE), 1),
    "invented facts": (_plan(*LIES), 0),
    "invented among good ones": (_plan(LIES[0], TASTE, *LIES[1:4], MOVE, CORE, *LIES[4:], TRIP), 4),
    "a good fact beside an invented one": (
        _plan({"op": "upsert-entity", "entity": "person--alex", "evidence": [COFFEE],
               "facts": ["loves dark roast coffee", "listens to jazz", "is vegan"]}),
        1,
    ),
    "an invented reason": (_plan(_with(TASTE, reason="Alex told Bob so in Paris.")), 1),
    "an invented source": (
        _plan(_with(TASTE, fact="loves dark roast coffee (source: Acme 4711)")),
        0,
    ),
    "another language": (_plan(_with(TASTE, fact="liebt schwarzen Kaffee, fährt nach Paris")), 0),
    "unknown operations": (_plan({"op": "fly", "to": "Paris"}, {"do": "it"}, 7, TASTE), 1),
    "over the budget": (_plan(TASTE, *_BULK), 1),
    "nothing to do": (_plan(), 0),
    "a refusal": ("I'm sorry, I can't help with that.", 0),
    "no JSON": ("1. Alex loves dark roast coffee.\n2. Alex moved to Madrid.", 0),
    "an order from a memory": (_plan(TASTE, {"op": "rm", "path": "SOUL.md"}, force=True), 1),
    "a list with numbers": (json.dumps({"operations": dict(enumerate(GOOD))}), 4),
    "a list as a text": (json.dumps({"operations": json.dumps(GOOD)}), 4),
    "the arguments of a call": (
        json.dumps({"name": "propose", "arguments": json.dumps({"operations": [*GOOD, *LIES]})}),
        4,
    ),
    "the answer of a server": (json.dumps({"choices": [{"message": {"content": _WHOLE}}]}), 4),
    "names in capitals": (
        json.dumps({"Operations": [{k.upper(): v for k, v in one.items()} for one in GOOD]}),
        4,
    ),
    "in an element": (f"<plan>\n{_WHOLE}\n</plan>", 4),
    "each as one key": (
        _plan(*({one["op"]: {k: v for k, v in one.items() if k != "op"}} for one in GOOD)),
        4,
    ),
    "a denial cut off": (_plan(_with(TASTE, fact="drinks milk"), TASTE), 1),
    "a denial put in": (_plan(_with(TASTE, fact="does not love dark roast coffee"), MOVE), 1),
    "another unit": (_plan(_with(TASTE, fact="pays 1,450 dollars", evidence=[LISBON]), TRIP), 1),
    "two memories blended": (
        _plan({"op": "upsert-entity", "entity": "person:Dana", "evidence": [LISBON, PKCE],
               "facts": ["moved to Lisbon with two kids"]}, TASTE),
        1,
    ),
    "numbers and nulls": (_plan(_with(TASTE, reason=None, since=None, tags=5, confidence=97)), 1),
}  # fmt: skip
