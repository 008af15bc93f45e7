"""What has the words of its evidence and does not say what they do reaches no draft."""

from __future__ import annotations

import pytest
from materials import IDS, make_material

from molt.formats.reflections.plan import Operation
from molt.memory.reflect.evidence import evidence, misquotes

PKCE, LISBON, COFFEE, SHANGHAI = IDS
DAY = """# 2026-02-05

## 09:00 | decision | high | source: user-explicit
The launch is on 2026-03-01, and the review takes place on 2026-03-05.

## 09:10 | fact | high | source: user-explicit
Ada recommended the flat in Porto to Ben. I can't stand loud music at work.

## 09:20 | fact | high | source: user-explicit
I don't eat shellfish or pork, but I like grilled trout. The dog weighs 12 kg.

## 09:30 | fact | high | source: user-explicit
We are not going to migrate the billing service to Kubernetes this year.

## 09:40 | fact | high | source: user-explicit
Priya starts at Nordwind in March. The invoice of Nordwind was 300 dollars.

## 09:50 | fact | high | source: user-explicit
我不喜欢吃香菜，但是喜欢吃辣。房租是3500元，住了两年。

## 10:00 | fact | high | source: user-explicit
I never said that we should drop the Redis cache; Tom did. My run took 42 minutes and was 8 km long.

## 10:10 | fact | high | source: user-explicit
I can't wait to visit Kyoto in April with my sister Hana.
"""
LATER = """# 2026-03-07

## 08:00 | fact | high | source: user-explicit
Marta lent Oskar her drill; the drill is due back on 12 March, the ladder on 19 March.

## 08:10 | preference | high | source: user-explicit
Please never deploy on Fridays without asking me, mornings are fine.

## 08:20 | fact | high | source: user-explicit
The backup job runs at 02:30 and keeps 14 copies; the report job runs at 06:00 and keeps 7.

## 08:30 | fact | high | source: user-explicit
My brother Emil no longer works at Lindqvist; he teaches maths in Bergen now.

## 08:40 | decision | high | source: user-explicit
We rejected MongoDB and went with Postgres 16 for the ledger.

## 08:50 | fact | high | source: user-explicit
It is false that I own a motorbike; I own an old tractor.

## 09:00 | fact | high | source: user-explicit
Sofia might move to Ghent next year if she gets the scholarship.

## 09:10 | fact | high | source: user-explicit
我没有弟弟，只有一个姐姐叫林月。她在成都当医生，我在重庆当老师。

## 09:20 | fact | high | source: user-explicit
I asked Nadia whether the tests were green; she said they failed.

## 09:30 | fact | high | source: user-explicit
The API allows 100 requests per minute per key, and 5 keys per account.
"""
MATERIAL = make_material(
    {"memory/episodes/2026-02-05.md": DAY, "memory/episodes/2026-03-07.md": LATER}
)


def keep(who: str, fact: str, of: tuple[str, ...]) -> bool:
    args: dict[str, object] = {"entity": who, "facts": [fact]}
    found = evidence.check_operations(MATERIAL, [Operation("upsert-entity", args, of)])
    assert all(why for _, why in found.dropped)
    return any(fact in one.texts("facts") for one in found.kept)


@pytest.mark.parametrize(
    ("who", "fact", "of"),
    [
        ("person--alex", "review takes place on 2026-03-01", ("episode:2026-02-05:09:00",)),
        ("person--alex", "launch is on 2026-03-05", ("episode:2026-02-05:09:00",)),
        ("person:Ben", "recommended the flat in Porto to Ada", ("episode:2026-02-05:09:10",)),
        ("person--alex", "eats shellfish and pork", ("episode:2026-02-05:09:20",)),
        ("person--alex", "does not like grilled trout", ("episode:2026-02-05:09:20",)),
        ("person--alex", "dog weighs 12 pounds", ("episode:2026-02-05:09:20",)),
        (
            "person--alex",
            "is going to migrate the billing service to Kubernetes this year",
            ("episode:2026-02-05:09:30",),
        ),
        ("person--alex", "Priya starts at Nordwind in April", ("episode:2026-02-05:09:40",)),
        ("person--alex", "invoice of Nordwind was 300 euros", ("episode:2026-02-05:09:40",)),
        ("person--alex", "喜欢吃香菜", ("episode:2026-02-05:09:50",)),
        ("person--alex", "房租是3500美元", ("episode:2026-02-05:09:50",)),
        ("person--alex", "不喜欢吃辣", ("episode:2026-02-05:09:50",)),
        ("person--alex", "住了两个月", ("episode:2026-02-05:09:50",)),
        ("person--alex", "said that we should drop the Redis cache", ("episode:2026-02-05:10:00",)),
        ("person--alex", "run took 8 minutes and was 42 km long", ("episode:2026-02-05:10:00",)),
        ("person--alex", "run took 42 hours", ("episode:2026-02-05:10:00",)),
        ("person--alex", "drinks milk", (COFFEE,)),
        ("person--alex", "does not love dark roast coffee", (COFFEE,)),
        ("person--alex", "pays 1,450 dollars of rent", (LISBON,)),
        ("person--alex", "pays two euros of rent", (LISBON,)),
        ("person--alex", "loves dark roast coffee with milk", (COFFEE,)),
        ("person--alex", "Dana moved to Lisbon with two kids", (LISBON, PKCE)),
        ("person:Dana", "moved to Lisbon with two kids", (LISBON, PKCE)),
        (
            "person--alex",
            "Priya visits Kyoto in April",
            ("episode:2026-02-05:09:40", "episode:2026-02-05:10:10"),
        ),
        ("person--alex", "chose the implicit flow instead of PKCE", (PKCE,)),
        ("person--alex", "can stand loud music at work", ("episode:2026-02-05:09:10",)),
        (
            "person--alex",
            "sister Priya visits Kyoto",
            ("episode:2026-02-05:10:10", "episode:2026-02-05:09:40"),
        ),
        ("person:Oskar", "lent Marta the drill", ("episode:2026-03-07:08:00",)),
        ("person--alex", "the drill is due back on 19 March", ("episode:2026-03-07:08:00",)),
        ("person--alex", "deploys on Fridays without asking", ("episode:2026-03-07:08:10",)),
        ("person--alex", "backup job runs at 06:00", ("episode:2026-03-07:08:20",)),
        ("person--alex", "backup job keeps 7 copies", ("episode:2026-03-07:08:20",)),
        ("person--alex", "brother Emil works at Lindqvist", ("episode:2026-03-07:08:30",)),
        ("person--alex", "went with MongoDB for the ledger", ("episode:2026-03-07:08:40",)),
        ("person--alex", "owns a motorbike", ("episode:2026-03-07:08:50",)),
        ("person--alex", "Sofia moves to Ghent next year", ("episode:2026-03-07:09:00",)),
        ("person--alex", "有一个弟弟", ("episode:2026-03-07:09:10",)),
        ("person--alex", "the tests were green", ("episode:2026-03-07:09:20",)),
        (
            "person--alex",
            "The API allows 100 requests per hour per key",
            ("episode:2026-03-07:09:30",),
        ),
        ("person--alex", "The API allows 5 requests per minute", ("episode:2026-03-07:09:30",)),
        (
            "person:Emil",
            "teaches maths in Ghent",
            ("episode:2026-03-07:08:30", "episode:2026-03-07:09:00"),
        ),
        (
            "person--alex",
            "moved to Lisbon with two kids and chose PKCE for the mobile app",
            (LISBON, PKCE),
        ),
        ("person--alex", "林月在成都当医生", ("episode:2026-03-07:09:10",)),
    ],
)
def test_what_turns_its_evidence_round_is_not_told(
    who: str, fact: str, of: tuple[str, ...]
) -> None:
    assert not keep(who, fact, of)


@pytest.mark.parametrize(
    ("who", "fact", "of"),
    [
        ("person--alex", "review takes place on 2026-03-05", ("episode:2026-02-05:09:00",)),
        (
            "person--alex",
            "launch on 2026-03-01 and review on 2026-03-05",
            ("episode:2026-02-05:09:00",),
        ),
        ("person:Ada", "recommended the flat in Porto to Ben", ("episode:2026-02-05:09:10",)),
        ("person:Ben", "was recommended the flat in Porto by Ada", ("episode:2026-02-05:09:10",)),
        ("person--alex", "does not eat shellfish or pork", ("episode:2026-02-05:09:20",)),
        ("person--alex", "avoids shellfish and pork", ("episode:2026-02-05:09:20",)),
        ("person--alex", "likes grilled trout", ("episode:2026-02-05:09:20",)),
        ("person--alex", "likes grilled trout, but eats no pork", ("episode:2026-02-05:09:20",)),
        ("person--alex", "dog weighs 12 kilograms", ("episode:2026-02-05:09:20",)),
        (
            "person--alex",
            "will not migrate the billing service to Kubernetes this year",
            ("episode:2026-02-05:09:30",),
        ),
        ("person--alex", "Priya starts at Nordwind in March", ("episode:2026-02-05:09:40",)),
        ("person--alex", "不喜欢吃香菜", ("episode:2026-02-05:09:50",)),
        ("person--alex", "喜欢吃辣", ("episode:2026-02-05:09:50",)),
        ("person--alex", "房租3500元", ("episode:2026-02-05:09:50",)),
        ("person--alex", "住了2年", ("episode:2026-02-05:09:50",)),
        ("person--alex", "run took 42 minutes for 8 km", ("episode:2026-02-05:10:00",)),
        (
            "person--alex",
            "looks forward to visit Kyoto in April with sister Hana",
            ("episode:2026-02-05:10:10",),
        ),
        ("person--alex", "wants to visit Kyoto in April", ("episode:2026-02-05:10:10",)),
        ("person--alex", "does not drink milk", (COFFEE,)),
        ("person--alex", "loves dark roast coffee, does not drink milk", (COFFEE,)),
        ("person--alex", "moved to Lisbon with 2 kids and pays €1,450 of rent", (LISBON,)),
        ("person--alex", "chose PKCE instead of the implicit flow", (PKCE,)),
        ("person--alex", "cannot stand loud music at work", ("episode:2026-02-05:09:10",)),
        ("person:Marta", "lent Oskar a drill", ("episode:2026-03-07:08:00",)),
        ("person--alex", "ladder is due back on 19 March", ("episode:2026-03-07:08:00",)),
        ("person--alex", "never deploy on Fridays without asking", ("episode:2026-03-07:08:10",)),
        (
            "person--alex",
            "backup job runs at 02:30 and keeps 14 copies",
            ("episode:2026-03-07:08:20",),
        ),
        ("person:Emil", "teaches maths in Bergen", ("episode:2026-03-07:08:30",)),
        ("person:Emil", "no longer works at Lindqvist", ("episode:2026-03-07:08:30",)),
        ("person--alex", "uses Postgres 16 for the ledger", ("episode:2026-03-07:08:40",)),
        ("person--alex", "rejected MongoDB for the ledger", ("episode:2026-03-07:08:40",)),
        ("person--alex", "owns an old tractor", ("episode:2026-03-07:08:50",)),
        ("person:Sofia", "might move to Ghent next year", ("episode:2026-03-07:09:00",)),
        ("person--alex", "没有弟弟", ("episode:2026-03-07:09:10",)),
        ("person--alex", "姐姐叫林月", ("episode:2026-03-07:09:10",)),
        ("person--alex", "Nadia said the tests failed", ("episode:2026-03-07:09:20",)),
        ("person--alex", "100 requests per minute per key", ("episode:2026-03-07:09:30",)),
    ],
)
def test_what_says_it_in_other_words_is_kept(who: str, fact: str, of: tuple[str, ...]) -> None:
    assert keep(who, fact, of)


@pytest.mark.parametrize(
    "piece",
    ["!", "万", "一", "2026-01-02 ", "May 3, ", "a"],
    ids=["marks", "wan", "one", "days", "may", "word"],
)
def test_a_long_text_of_one_kind_is_read_to_its_end(piece: str) -> None:
    # Squares of so much, and numbers of so many digits, would end a night early.
    long = piece * 20_000
    assert not misquotes.find_misquote("Ada likes tea", [f"Ada likes tea. {long}x"])
    assert misquotes.find_misquote("Ada likes tea", [f"Ada does not like tea. {long}x"])


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        ("Mara", "Mara took up rowing", "Mara quit smoking in 2019 and took up rowing."),
        ("Bob", "Bob plays golf", "Bob declined the offer and plays golf."),
        ("team", "the team uses Grafana", "The team rejected Kibana and uses Grafana."),
    ],
)
def test_who_refuses_something_is_not_refused(who: str, claim: str, said: str) -> None:
    assert not misquotes.find_misquote(claim, (said,), who)


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        ("Mara", "Mara smokes", "Mara quit smoking in 2019 and took up rowing."),
        ("team", "the team uses Kibana", "The team rejected Kibana and uses Grafana."),
        ("trip", "the trip to Rome is in May", "The trip to Rome in May got cancelled."),
        ("offer", "the offer pays 60k", "The offer of 60k was rejected."),
    ],
)
def test_what_is_refused_is_found(who: str, claim: str, said: str) -> None:
    assert misquotes.find_misquote(claim, (said,), who)
