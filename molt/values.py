"""Frozen records that cost nothing at start-up.

`import dataclasses` takes one and a half times as long as starting Python, because it
imports `inspect`; a git hook would feel it. `Value` gives what we use of it: typed
fields, defaults, keyword arguments, equality, hashing, immutability and `replace`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_options: object) -> Callable[[T], T]:
        return lambda decorated: decorated


@dataclass_transform(frozen_default=True)
class Value:
    """A record: annotate fields in a subclass, in order, those with defaults last."""

    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        own = (name for name in cls.__annotations__ if name not in cls._fields)
        cls._fields = (*cls._fields, *own)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields = self._fields
        if len(args) > len(fields):
            raise TypeError(f"{type(self).__name__} takes {len(fields)} values, got {len(args)}")
        values = dict(zip(fields, args, strict=False))
        for name, value in kwargs.items():
            if name not in fields or name in values:
                raise TypeError(f"{type(self).__name__}: unexpected or repeated field {name!r}")
            values[name] = value
        for name in fields:
            if name not in values and not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} needs {name!r}")
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def _astuple(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._astuple() == other._astuple()

    def __hash__(self) -> int:
        return hash((type(self), self._astuple()))

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inner})"

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        return type(self)(**{name: getattr(self, name) for name in self._fields} | changes)

    def asdict(self) -> dict[str, Any]:
        """The fields as a plain dict, in order, nested records included."""
        return {name: _to_plain(getattr(self, name)) for name in self._fields}


def _to_plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.asdict()
    if isinstance(value, tuple | list):
        return [_to_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _to_plain(item) for key, item in value.items()}
    return value
