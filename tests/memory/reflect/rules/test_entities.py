"""Who and what is named becomes an entity; what only looks like a name does not."""

from __future__ import annotations

import pytest
from told import apply_found, list_labels, make_told, propose

from molt import trees
from molt.formats import facts
from molt.memory.reflect.rules import spoken

NOTE = "---\nid: {stem}\ntype: {kind}\nlabel: {label}\n---\n# {label}\n\n## Facts\n- is tall\n"


def note(stem: str, label: str) -> str:
    return NOTE.format(stem=stem, kind=stem.partition("--")[0], label=label)


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("I had lunch with my friend Priya today.", "person:Priya"),
        ("Last night I met a violinist named Tomas at the bar.", "person:Tomas"),
        ("My guinea pig, Biscuit, ate the cable again.", "person:Biscuit"),
        ("We are travelling to Slovenia for a week.", "place:Slovenia"),
        ("I spent the weekend in the city of Zarvos.", "place:Zarvos"),
        ("We ate lunch on top of mount Kesselberg.", "place:Kesselberg"),
        ("That is an old photo with Marike at the lake.", "person:Marike"),
        ("He is a new dog and we named him Buddy.", "person:Buddy"),
        ("My neighbour started a running group in May.", "organization:running group"),
        ("I moved here from my home town, Bergamo.", "place:Bergamo"),
        ("We hiked all day around Echo Lake.", "place:Echo Lake"),
        ("I lost my job at Brightwater in May.", "organization:Brightwater"),
        ("We had cake at Crumb & Co after the walk.", "organization:Crumb & Co"),
        ('I am reading "The Quiet Orchard" at the moment.', "concept:The Quiet Orchard"),
        ("I signed up for a glassblowing class on Monday.", "event:glassblowing class"),
        ("I signed up for glassblowing classes on Monday.", "event:glassblowing class"),
        ("I went to a fancy gala yesterday, what a night.", "event:gala"),
        ("I was in the final of a big Valorant tournament.", "event:Valorant tournament"),
        ("They all liked it in my vegan diet group, I think.", "organization:vegan diet group"),
        ("My favourite of them all is Iron Man, by far.", "concept:Iron Man"),
        ("They played Animal Crossing: New Horizons all day.",
         "concept:Animal Crossing: New Horizons"),
        ("I like the style of J.K. Rowling a lot, you know.", "concept:J.K. Rowling"),
        ("We heard a song by Dr. Dre at the party.", "person:Dr. Dre"),
        ("We always watch \"Home Alone\" in the evening.", "concept:Home Alone"),
        ("We have a copy of \"Home Alone\" on the shelf.", "concept:Home Alone"),
        ('He plays a lot of "Cyberpunk 2077" in the evening.', "concept:Cyberpunk 2077"),
        ('We love playing "It takes two" together on Sundays.', "concept:It takes two"),
        ('I love a track called "Savana." What songs do you like?', "concept:Savana"),
        ("Anthony and I went to the lake on Sunday.", "person:Anthony"),
        ("Emma Watson, she is one of the best of them.", "person:Emma Watson"),
        ("I went to a castle on my trip to the UK in May.", "place:UK"),
        ("We ran a charity marathon for the hospital.", "event:charity marathon"),
        ("I volunteer at an animal shelter on weekends.", "place:animal shelter"),
        ("Last Friday I took the kids to the museum again.", "place:museum"),
        ("Yesterday I joined a nearby church in our street.", "place:church"),
        ("We had an accident on the way to the mountains.", "event:accident"),
        ("I am off to the hills next week for our honeymoon.", "event:honeymoon"),
        ("I wore that suit at my cousin's wedding in May.", "event:cousin's wedding"),
        ("We raised the money for the children's hospital.", "place:children's hospital"),
        ("We will meet tomorrow at McGee's pub on the corner.", "place:McGee's pub"),
        ("There was a power cut in our street last week.", "event:power cut"),
        ("I helped at the food bank in town on Sunday.", "place:food bank"),
        ("I gave the money to a homeless shelter in town.", "place:homeless shelter"),
        ("We planned a big family reunion for the summer.", "event:family reunion"),
        ("They were all keen on the dinosaur exhibit there.", "event:dinosaur exhibit"),
        ("We walked in the Japanese garden by the river.", "place:Japanese garden"),
        ("I am a fan of Ed Sheeran's \"Perfect\" these days.", "concept:Perfect"),
        ("我将要参加城市摄影大会。", "event:城市摄影大会"),
        ("我的同事名叫陈晓东。", "person:陈晓东"),
        ("我住的那个小区叫云杉花园。", "place:云杉花园"),
        ("我住的小区是在云杉雅苑。", "place:云杉雅苑"),
        ("我平时用的相机是佳能R50。", "concept:佳能R50"),
        ("我家用的冰箱是容声的。", "concept:容声"),
        ("我家用的空调是美的的。", "concept:美的"),
        ("我用的电饭煲是美的的电饭煲。", "concept:美的电饭煲"),
    ],
)  # fmt: skip
def test_a_name_with_a_cue_is_an_entity(said: str, label: str) -> None:
    assert label in list_labels(propose(said))


@pytest.mark.parametrize(
    "said",
    [
        "我去的那家医院是专门的儿童医院。",
        "Wow! Thanks a lot, that is so kind.",
        "Painting is my favourite thing on Sunday.",
        "See you on Monday or in March, OK?",
        "JUST DO IT, they said to me.",
        "Yep, Always look at the good side.",
        "I had a great time at a party.",
        "A museum is a fine thing to have in a town.",
        "It was a two-hour drive, and an external drive is no answer.",
        "What a strong team that is, and so helpful a group!",
        "We miss exploring nature trails with her.",
        "Do you know any cooking class around here?",
        "It was an LGBTQ friendly place.",
        "今天天气真不错，我很开心。",
        "我觉得这个公园挺好的。",
    ],
)
def test_words_that_name_nothing_are_no_entity(said: str) -> None:
    assert list_labels(propose(said)) == []


def test_a_name_without_a_cue_is_one_when_two_notes_have_it() -> None:
    said = ("We saw Calloway again this week.", "It rained, and Calloway came late.")
    assert list_labels(propose(said[0])) == []
    assert "Calloway" in "".join(list_labels(propose(*said)))


@pytest.mark.parametrize(
    ("said", "label"),
    [
        ("Ann: We played this game Catan with friends.", "concept:Catan"),
        (
            "Ann: Spider-Man has always been my favorite - who doesn't love him?",
            "concept:Spider-Man",
        ),
        ("Ann: That is a fine thing, Definitely Star Wars! I watch it a lot.", "concept:Star Wars"),
    ],
)
def test_who_talks_gives_capitals_to_names(said: str, label: str) -> None:
    assert label in list_labels(propose(said, f"Bo: And is {label.partition(':')[2]} any good?"))


@pytest.mark.parametrize(
    "said",
    [
        "Ann: I am a fellow Chef in the kitchen now.",
        "Ann: It is set in a small Midwestern town by the sea.",
        "Ann: I love learning new chess openings with them.",
        "Ann: I told Mom, it is fine with me.",
        "Ann: I work at home on Mondays and Tuesdays.",
        'Ann: I said "..." and left the room.',
    ],
)
def test_a_capital_that_names_nothing_gives_no_entity(said: str) -> None:
    assert list_labels(propose(said)) == ["person:Ann"]


def test_two_names_that_stand_together_are_names() -> None:
    found = propose("Ann: Luna and Oliver! They are so sweet.")
    assert "concept:Luna" in list_labels(found)


def test_a_relative_of_who_speaks_is_a_person() -> None:
    found = propose("Evan: My son fell off his bike on Tuesday and it was rough.")
    assert list_labels(found) == ["person:Evan", "person:Evan's son"]
    assert found[1].texts("facts")[0].startswith("Evan's son fell off his bike")


def test_who_a_relative_is_is_told_once_whatever_the_word() -> None:
    found = propose(
        "Evan: My mom taught me how to swim in the sea.",
        "Evan: My mother moved to a smaller house last year.",
    )
    assert list_labels(found) == ["person:Evan's mom", "person:Evan"]
    assert found[0].texts("aliases") == ("Evan's mother",)


def test_a_relative_with_a_name_is_called_by_both() -> None:
    told = make_told("John: We had a trip for my daughter Sara's birthday.")
    tree = apply_found(told)
    text = trees.read_text(tree, "memory/graph/entities/person--sara.md")
    assert "John's daughter" in text
    again = propose("John: My daughter plays the violin in an orchestra.", **{"person--sara": text})
    assert "person--sara" in [one.text("entity") for one in again]


def test_who_is_their_own_boss_has_none() -> None:
    assert list_labels(propose("Gina: Being my own boss is awesome.")) == ["person:Gina"]


def test_nobody_knows_whose_relative_it_is_where_nobody_is_named() -> None:
    assert list_labels(propose("My son fell off his bike on Tuesday.")) == []


def test_a_relative_is_not_asked_to_be_who_speaks() -> None:
    found = propose(
        "Melanie: My son got into an accident on the road.",
        **{"person--melanie": note("person--melanie", "Melanie")},
    )
    assert "question" not in [one.op for one in found]


def test_a_name_that_begins_with_initials_is_told_whole() -> None:
    said = ("J.K. Rowling is such an inspiring writer.", "I took notes on J.K. Rowling today.")
    (made,) = (one for one in propose(*said) if one.text("entity").endswith("Rowling"))
    assert any(fact.startswith("J.K. Rowling is such") for fact in made.texts("facts"))


def test_a_name_that_was_once_written_small_is_one_still() -> None:
    often = [f"Ann: We took the Prius to the {place}." for place in ("lake", "sea", "hills")]
    assert "concept:Prius" in list_labels(propose(*often, "Ann: My old prius broke down today."))


def test_who_speaks_is_a_person_and_a_short_form_another_name() -> None:
    said = ("Josephine: I bake bread each morning.", "Arun: That is good to hear, Jose!")
    found = propose(*said)
    assert list_labels(found) == ["person:Josephine", "person:Arun"]
    assert found[0].texts("aliases") == ("Jose",)


@pytest.mark.parametrize(
    "label",
    [
        "Decided", "TODO", "Note", "Fixed", "Update", "Correction", "Action Items", "Root Cause",
        "Lesson Learned", "Next Steps", "Open Question", "Escalation",
    ],
)  # fmt: skip
def test_a_label_before_a_colon_speaks_not(label: str) -> None:
    said = f"{label}: the disk of the host was full"
    assert spoken.split_speaker(said) == ("", said)
    assert list_labels(propose(said)) == []
    assert spoken.split_speaker("Ahmed: I will send it") == ("Ahmed", "I will send it")


def test_two_ways_to_tell_of_a_thing_are_one_entity() -> None:
    found = propose(
        "Ann: I joined a local chess club.", "Ann: We are at the chess club each day.",
        "Ann: We held a youth chess club meeting.",
    )  # fmt: skip
    assert [label for label in list_labels(found) if label.endswith("club")] == [
        "organization:chess club"
    ]


def test_a_name_much_like_a_known_one_is_a_question() -> None:
    found = propose(
        "We are visiting my cousin in Saint Clairville.",
        **{"place--saint-clairvile": note("place--saint-clairvile", "Saint Clairvile")},
    )
    assert [one.op for one in found] == ["question"]
    assert "Saint Clairvile" in found[0].text("text")


def test_facts_quote_their_episode_and_cite_it() -> None:
    tree = apply_found(make_told("Ann: I had lunch with my friend Priya today."))
    text = trees.read_text(tree, "memory/graph/entities/person--priya.md")
    said = "Ann: I had lunch with my friend Priya today"
    assert f"- {said} (source: episode:2026-02-02:09:00)" in text


def test_what_is_known_is_not_said_twice() -> None:
    material = make_told("Ann: I had lunch with my friend Priya today.")
    tree = apply_found(material)
    path = "memory/graph/entities/person--priya.md"
    again = make_told(
        "Ann: I had lunch with my friend Priya today.",
        **{"person--priya": trees.read_text(tree, path)},
    )
    assert trees.read_text(apply_found(again), path) == trees.read_text(tree, path)


def test_an_entity_gets_no_more_than_a_few_facts() -> None:
    facts = "".join(f"- fact {number}\n" for number in range(8))
    known = note("person--priya", "Priya").replace("- is tall\n", facts)
    found = propose("I met my friend Priya at noon.", **{"person--priya": known})
    assert list_labels(found) == []


def test_what_was_put_right_when_it_was_said_is_no_fact_once_more() -> None:
    said = "Actually, Priya works at Crumb & Co, not at the Harbour Bakery."
    source = "(source: episode:2026-02-02:09:00)"
    now = f"Priya works at Crumb & Co {source}"
    row = f"- ~~Priya works at the Harbour Bakery~~ (until 2026-02-02; now: {now})\n- {now}\n"
    known = {
        "person--priya": note("person--priya", "Priya").replace("- is tall\n", row),
        "organization--harbour-bakery": note("organization--harbour-bakery", "Harbour Bakery"),
    }
    assert list_labels(propose(said, **known)) == ["organization:Crumb & Co"]
    plain = {stem: text.replace(row, "- is tall\n") for stem, text in known.items()}
    assert "person--priya" in list_labels(propose(said, **plain))


def test_two_people_are_no_firm() -> None:
    found = list_labels(propose("I had lunch with Priya & Tomas at noon."))
    assert "person:Priya" in found
    assert not [label for label in found if "&" in label]


def test_what_an_assistant_says_is_no_evidence() -> None:
    assert propose("Assistant: I met my friend Priya in Slovenia.") == ()


def test_the_same_material_gives_the_same_operations() -> None:
    said = ("Ann: I went to Oslo with my friend Priya.", "Bob: I love the Alps, Ann!")
    assert propose(*said) == propose(*said)


@pytest.mark.parametrize(
    "said",
    [
        "```python\nfrom Halcyon import Widget\nclass WidgetFactory(Base): pass\n```",
        "from halcyon import WidgetFactory, OtherFactory",
        "class WidgetFactory(Base):",
        "widget = WidgetFactory(size)",
        "SELECT * FROM Widgets WHERE id = 3;",
        "We send a POST with API_KEY set.",
    ],
)
def test_a_program_names_nothing(said: str) -> None:
    assert list_labels(propose(said)) == []


def test_what_is_said_around_code_still_counts() -> None:
    said = "My friend Priya wrote this:\n```\nx = Widget()\n```\nWe met in Bergamo."
    assert list_labels(propose(said)) == ["person:Priya", "place:Bergamo"]


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Otto plays at Bath Abbey on Friday, want to come?", "Otto plays at Bath Abbey on Friday"),
        ("Bath Abbey is open until May, shall we go?", "Bath Abbey is open until May"),
        ("I like Bath Abbey - isn't it a great place?", "I like Bath Abbey"),
        ("Did you see Bath Abbey on Friday, was it crowded?", ""),
        ("If we go to Bath Abbey, will you come along?", ""),
        ("I am free on Friday, have you seen Bath Abbey?", ""),
    ],
)
def test_what_is_told_before_a_question_is_a_fact(said: str, fact: str) -> None:
    every = [one for one in propose(f"Ann: {said}") if one.text("entity").endswith(":Bath Abbey")]
    told = [facts.strip_asides(text) for one in every for text in one.texts("facts")]
    assert told == ([f"Ann: {fact}"] if fact else [])
