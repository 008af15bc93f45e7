"""The words that tell Chinese sentences apart, in simplified signs."""

from __future__ import annotations

from molt.memory.engines import tables

_TABLE = tables.load("zh")

ORDERED = (
    ("首先", "然后"),
    ("先", "再"),
    ("先", "然后"),
    ("第一步", "第二步"),
    ("1.", "2."),
    ("1、", "2、"),
    ("①", "②"),
    ("一是", "二是"),
    ("先", "接着"),
    ("先", "最后"),
)

POLITE = _TABLE.split_cues("polite")
CHATTER = _TABLE.split_cues("chatter")
ASKING = _TABLE.split_cues("asking")
LATE_ASKING = _TABLE.split_cues("late_asking")
ORDERS = _TABLE.split_cues("orders")
FINITE = _TABLE.split_cues("finite")
NO_VERBS = _TABLE.split_cues("no_verbs")
CLAUSE_VERBS = _TABLE.split_names("clause_verbs")
NAMED_AFTER = _TABLE.split_cues("named_after")
NO_NAMING = _TABLE.split_signs("no_naming")
NO_OBJECTS = _TABLE.split_cues("no_objects")
INSIDE = _TABLE.split_cues("inside")
FORGETTING = _TABLE.split_cues("forgetting")
SECRETS = _TABLE.split_cues("secrets")
VAULT = _TABLE.split_cues("vault")
DOCUMENTS = _TABLE.split_cues("documents")
DOCUMENT_SAID = _TABLE.split_cues("document_said")
CORRECTION_STARTS = _TABLE.split_cues("correction_starts")
CORRECTIONS = _TABLE.split_cues("corrections")
TASKS = _TABLE.split_cues("tasks")
WEAK_TASKS = _TABLE.split_cues("weak_tasks")
TASK_VERBS = _TABLE.split_cues("task_verbs")
DEADLINES = _TABLE.split_cues("deadlines")
STANDING = _TABLE.split_cues("standing")
STANDING_STARTS = _TABLE.split_cues("standing_starts")
MEDICAL = _TABLE.split_cues("medical")
OWN = _TABLE.split_cues("own")
IDENTITY = _TABLE.split_cues("identity")
PROFESSIONS = _TABLE.split_cues("professions")
CONTEXT = _TABLE.split_cues("context")
GOING_ON = _TABLE.split_cues("going_on")
NOUN_ENDS = _TABLE.split_signs("noun_ends")
NO_NOUN_ENDS = _TABLE.split_cues("no_noun_ends")
SAID_OF = _TABLE.split_cues("said_of")
MADE_WITH = _TABLE.split_cues("made_with")
DECISIONS = _TABLE.split_cues("decisions")
FEELINGS = _TABLE.split_cues("feelings")
LIKINGS = _TABLE.split_cues("likings")
LIKERS = _TABLE.split_cues("likers")
TIMES = _TABLE.split_cues("times")
FIRM_TIMES = _TABLE.split_cues("firm_times")
HABITS = _TABLE.split_cues("habits")
EVENTS = _TABLE.split_cues("events")
STEPS = _TABLE.split_cues("steps")
CONDITIONS = _TABLE.split_cues("conditions")
STEP_VERBS = _TABLE.split_cues("step_verbs")
SURNAMES = _TABLE.split_signs("surnames")
GIVEN = _TABLE.split_signs("given")
GIVEN_BESIDE = _TABLE.split_signs("given_beside")
COMPOUND = _TABLE.split_cues("compound")
NO_NAMES = _TABLE.split_cues("no_names")
FOLLOWERS = _TABLE.split_signs("followers")
KIN = _TABLE.split_cues("kin")
TITLES = tuple(sorted(_TABLE.split_cues("titles"), key=len, reverse=True))
ORGANIZATION_ENDS = _TABLE.split_cues("organization_ends")
OFFICES = _TABLE.split_cues("offices")
SPOTS = _TABLE.split_names("spots")
STORING = _TABLE.split_cues("storing")
COMMON_THINGS = _TABLE.split_cues("common_things")
DEFINED_AS = _TABLE.split_cues("defined_as")
ROLE_ENDS = _TABLE.split_cues("role_ends")
GONE_LIVE = _TABLE.split_cues("gone_live")
HEADING = _TABLE.split_cues("heading")
STAYING = _TABLE.split_cues("staying")
TECHNICAL = _TABLE.split_cues("technical")
DEFINING = _TABLE.split_cues("defining")
USING = _TABLE.split_cues("using")
DEPENDING = _TABLE.split_cues("depending")
BELONGING = _TABLE.split_cues("belonging")
REPLACING = _TABLE.split_cues("replacing")
DEVELOPING = _TABLE.split_cues("developing")
PEOPLE = _TABLE.split_cues("people")
TOOL_NOUNS = _TABLE.split_cues("tool_nouns")
PROJECT_NOUNS = _TABLE.split_cues("project_nouns")
NO_LATIN = _TABLE.split_words("no_latin")
VERBS = _TABLE.split_cues("verbs")
PRONOUNS = _TABLE.split_cues("pronouns")
LEADS = _TABLE.split_cues("leads")
