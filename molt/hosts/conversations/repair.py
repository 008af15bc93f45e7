"""The turns of a transcript as a model takes them: calls with their results, roles in order."""

from __future__ import annotations

from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

USER, ASSISTANT, RESULT = "user", "assistant", "toolResult"
ROLES = (USER, ASSISTANT, RESULT)
NO_RESULT = (
    "[molt] the result of this call is missing in the transcript: it was interrupted, or not kept"
)
OPENING = "(the conversation goes on)"


def find_calls(turn: dict[str, Any]) -> list[dict[str, Any]]:
    """The calls of tools in a turn: blocks `toolCall` with an `id` and a `name`."""
    content = turn.get("content")
    if turn.get("role") != ASSISTANT or not isinstance(content, list):
        return []
    return [one for one in content if one.get("type") == "toolCall"]


def repair_turns(turns: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """The turns in an order that every model takes, and what was mended.

    Behind a call stands its result, also where that came later; a call without one has an error
    for its result; a result that is a second one or has no call is left out; turns of one role
    in a row are one turn; a user's turn is the first.
    """
    repairs: list[str] = []
    runs: list[list[dict[str, Any]]] = []
    for turn in _pair_results(list(turns), repairs):
        if not runs and turn["role"] != USER:
            repairs.append("a user's turn was put before the first one")
            runs.append([{"role": USER, "content": OPENING}])
        if runs and turn["role"] == runs[-1][0]["role"] != RESULT:
            runs[-1].append(turn)
        else:
            runs.append([turn])
    for run in runs:
        if len(run) > 1:
            repairs.append(f"{len(run)} turns of the {run[0]['role']} in a row became one")
    return [_join_turns(run) for run in runs], repairs


def _pair_results(turns: list[dict[str, Any]], repairs: list[str]) -> Iterator[dict[str, Any]]:
    """The turns, each call's result behind it; `repairs` takes what was done for that."""
    results, homeless = _find_results(turns)
    # How many turns up to each are no results.
    said = list(accumulate(turn["role"] != RESULT for turn in turns))
    for number, turn in enumerate(turns):
        if turn["role"] == RESULT:
            continue
        yield turn
        for place, call in enumerate(find_calls(turn)):
            at = results.get((number, place))
            if at is None:
                repairs.append(f"call {call.get('id')}: no result, an error was put in its place")
                yield _make_error(call)
                continue
            if said[at] > said[number]:
                repairs.append(f"call {call.get('id')}: its result stood further below")
            yield turns[at]
    for number in homeless:
        repairs.append(f"result {turns[number].get('toolCallId')}: without a call, left out")


def _find_results(
    turns: list[dict[str, Any]],
) -> tuple[dict[tuple[int, int], int], list[int]]:
    """The number of the result of each call (by its turn and its place in it), and the results
    without a call. Ids may be used again: a result belongs to the last call before it that has
    none yet.
    """
    found: dict[tuple[int, int], int] = {}
    homeless: list[int] = []
    waiting: dict[str, list[tuple[int, int]]] = {}
    for number, turn in enumerate(turns):
        for place, call in enumerate(find_calls(turn)):
            waiting.setdefault(str(call.get("id")), []).append((number, place))
        if turn["role"] == RESULT:
            calls = waiting.get(str(turn.get("toolCallId")))
            if calls:
                found[calls.pop()] = number
            else:
                homeless.append(number)
    return found, homeless


def _make_error(call: dict[str, Any]) -> dict[str, Any]:
    return {
        "role": RESULT,
        "toolCallId": call.get("id"),
        "toolName": call.get("name"),
        "content": [{"type": "text", "text": NO_RESULT}],
        "isError": True,
    }


def _join_turns(run: list[dict[str, Any]]) -> dict[str, Any]:
    if len(run) == 1:
        return run[0]
    return {**run[0], "content": [block for turn in run for block in _list_blocks(turn)]}


def _list_blocks(turn: dict[str, Any]) -> list[dict[str, Any]]:
    content = turn["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]
