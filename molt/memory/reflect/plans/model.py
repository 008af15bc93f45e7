"""The plan of a reflection by the model that is set in molt.yaml."""

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
"""Nobody waits for a reflection, and a plan has more words than a route."""
_SLACK = 1_000
"""Tokens more than the budget that a model may say: JSON and thoughts around the plan."""
_MOST_FAULTS = 8  # that a model is told of at once


class ModelPlan(Value):
    """What a model proposes, and what it took in words for people."""

    plan: ParsedPlan
    spent: str


def ask_plan(
    settings: Config,
    told: ReflectionBrief,
    resolve: Callable[[str], str],
    *,
    cache: MutableMapping[str, bytes] | None = None,
) -> ModelPlan:
    """The plan of the model that is set: what of its answers can be used. Where something is wrong
    it is asked once more, and what was good in the first answer stays.

    Raises Usage where no model is set, Unavailable where none answers.
    """
    most = max(settings.llm_max_tokens, settings.reflection_budget + _SLACK)
    patient = settings.replace(llm_max_tokens=most, llm_timeout=max(settings.llm_timeout, _SECONDS))
    prompt = chat.Prompt(told.prompt, told.material, told.schema, whole=False)
    talk = llm.hold_talk(
        patient, prompt, lambda said: _find_wrong(_read_said(said, resolve)), cache=cache
    )
    every = [_read_said(said, resolve) for said in talk.replies]
    # The last answer is the better one; of the one before stays what it does not say again.
    found = every[-1]
    kept: list[Operation] = list(found.operations)
    for one in every[0].operations if len(every) > 1 else ():
        core = one.op == "rewrite-core" and any(other.op == one.op for other in kept)
        if not core and not any(meta.is_same(one, other) for other in kept):
            kept.append(one)
    tokens = f"{talk.tokens_in or '?'} tokens in, {talk.tokens_out or '?'} out"
    cost = f", {talk.cost:.6f}" if talk.cost is not None else ""
    return ModelPlan(found.replace(operations=tuple(kept)), f"{talk.model}: {tokens}{cost}")


def _read_said(said: Said, resolve: Callable[[str], str]) -> ParsedPlan:
    if isinstance(said.value, dict):
        import json

        return plans.read_plan(json.dumps(said.value, ensure_ascii=False), resolve)
    return plans.read_plan(said.text, resolve)


def _find_wrong(found: ParsedPlan) -> str:
    """What a model has to mend; empty for nothing."""
    rows = (plans.describe_fault(one) for one in found.faults[:_MOST_FAULTS])
    return "; ".join(rows)
