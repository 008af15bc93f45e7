"""A tool takes its inputs as one record; the protocol sees the record's fields as the inputs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

from pydantic import BaseModel

GIVEN = "given"
"""What the parameter of a tool that takes the record is called."""


class Input(BaseModel):
    """The inputs of a tool: their types, defaults and descriptions."""


def spread_input(tool: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    """The same tool with the fields of its record as parameters of their own."""
    hints = get_type_hints(tool, include_extras=True)
    record: type[Input] = hints[GIVEN]
    own = get_type_hints(record, include_extras=True)
    names = [name for name in own if name in record.model_fields]

    async def call_tool(**inputs: Any) -> object:
        fields = {name: inputs.pop(name) for name in names}
        return await tool(**inputs, **{GIVEN: record.model_construct(**fields)})

    kept = [name for name in signature(tool).parameters if name != GIVEN]
    every = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=hints[name]) for name in kept]
    every += [_make_parameter(name, own[name], record) for name in names]
    result = hints["return"]
    call_tool.__name__, call_tool.__doc__ = tool.__name__, tool.__doc__
    call_tool.__annotations__ = {**{one.name: one.annotation for one in every}, "return": result}
    call_tool.__signature__ = Signature(every, return_annotation=result)  # type: ignore[attr-defined]
    return call_tool


def _make_parameter(name: str, annotation: object, record: type[Input]) -> Parameter:
    field = record.model_fields[name]
    default = Parameter.empty if field.is_required() else field.get_default()
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
