"""The plan of a reflection by the LLM endpoint that is set in molt.yaml."""

from __future__ import annotations

from molt.memory.engines import chat, llm
from molt.memory.reflect import meta
from molt.memory.reflect.plans import plans
from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from molt.config import Config
    from molt.formats.reflections.plan import Operation, ParsedPlan
    from molt.memory.engines.chat import Said
    from molt.memory.reflect.plans.brief import ReflectionBrief

_SECONDS = 300.0
"""How long an answer may take: a plan is longer than a route, and runs in the background."""
_SLACK = 1_000
"""Tokens of an answer beyond the budget: JSON and thoughts around the plan."""
_MOST_FAULTS = 8
"""Faults that a second question names."""
_FORM = {
    "type": "object",
    "properties": {"operations": {"type": "array", "items": {"type": "object"}}},
    "required": ["operations"],
}
"""The schema that a server binds the answer to. The brief describes the operations already, and
`read_plan` reads each by itself."""


class ModelPlan(Value):
    """What a model proposes, and the tokens and the cost of it in words for people."""

    plan: ParsedPlan
    spent: str


def ask_plan(
    settings: Config,
    brief: ReflectionBrief,
    resolve: Callable[[str], str],
    *,
    cache: MutableMapping[str, bytes] | None = None,
) -> ModelPlan:
    """Return the plan of the model that is set, as far as it can be used. If something is wrong
    with it, the model is asked once more, and what was good in its first answer is kept.

    Raises Usage if no model is set, Unavailable if none answers.
    """
    most = max(settings.llm_max_tokens, settings.reflection_budget + _SLACK)
    patient = settings.replace(llm_max_tokens=most, llm_timeout=max(settings.llm_timeout, _SECONDS))
    prompt = chat.Prompt(brief.prompt, brief.material, _FORM, whole=False)
    talk = llm.hold_talk(
        patient,
        prompt,
        lambda reply: _describe_faults(_read_reply(reply, resolve)),
        cache=cache,
    )
    every = [_read_reply(reply, resolve) for reply in talk.replies]
    # The last answer is the better one; the first adds what the last has not.
    last = every[-1]
    kept: list[Operation] = list(last.operations)
    for one in every[0].operations if len(every) > 1 else ():
        if not any(meta.is_same(one, other) for other in kept):
            kept.append(one)
    tokens = f"{talk.tokens_in or '?'} tokens in, {talk.tokens_out or '?'} out"
    cost = f", {talk.cost:.6f}" if talk.cost is not None else ""
    return ModelPlan(last.replace(operations=tuple(kept)), f"{talk.model}: {tokens}{cost}")


def _read_reply(reply: Said, resolve: Callable[[str], str]) -> ParsedPlan:
    """Return the plan in a reply, which the server may have parsed already."""
    if isinstance(reply.value, dict):
        import json

        return plans.read_plan(json.dumps(reply.value, ensure_ascii=False), resolve)
    return plans.read_plan(reply.text, resolve)


def _describe_faults(plan: ParsedPlan) -> str:
    """Return what a model has to fix; empty for nothing."""
    return "; ".join(plans.describe_fault(one) for one in plan.faults[:_MOST_FAULTS])
