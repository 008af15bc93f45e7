"""Frozen records that cost nothing at start-up.

`import dataclasses` takes one and a half times as long as starting Python, because it
imports `inspect`; a git hook would feel it. `Value` gives what we use of it: typed
fields, defaults, keyword arguments, equality, hashing, immutability and `replace`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Generic, ParamSpec, Self, TypeVar, dataclass_transform

    P = ParamSpec("P")
    T = TypeVar("T")
else:
    T = None

    def dataclass_transform(**_options: object) -> Callable[[T], T]:
        return lambda decorated: decorated


@dataclass_transform(frozen_default=True)
class Value:
    """A record: annotate fields in a subclass, in order, those with defaults last.

    Raises TypeError, when the class is made, for a field that is called like a method of
    records: its default would be that method, and nobody would ever be asked for it.
    """

    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        own = [name for name in cls.__annotations__ if name not in cls._fields]
        taken = [name for name in own if name in ("self", "_") or hasattr(Value, name)]
        if taken:
            raise TypeError(f"{cls.__name__}: no field can be called {', '.join(taken)}")
        cls._fields = (*cls._fields, *own)
        if "__init__" not in vars(cls):
            cls.__init__ = _first_init  # type: ignore[method-assign]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or kwargs:
            raise TypeError("a record without fields takes no values")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def _astuple(self) -> tuple[Any, ...]:
        return tuple(map(self.__dict__.__getitem__, self._fields))

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
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
        known = self.__dict__
        return type(self)(**{name: known[name] for name in self._fields} | changes)

    def asdict(self) -> dict[str, Any]:
        """The fields as a plain dict, in order, nested records included."""
        return {name: _to_plain(getattr(self, name)) for name in self._fields}


# A write asks for the text before it and after it, of two files at most.
_KEPT = 4


def keep_last(make: Callable[P, T]) -> Callable[P, T]:
    """A pure function of few texts that keeps what it gave for the last ones: rules and writers
    ask the same of the same text, and do not know of each other. What it gives must be frozen.
    """
    kept: dict[tuple[Any, ...], T] = {}

    def give_kept(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (*args, *kwargs.items())
        if (made := kept.get(key)) is not None:
            return made
        fresh = make(*args, **kwargs)
        if len(kept) >= _KEPT:
            # Another thread of a host may have done it meanwhile.
            kept.pop(next(iter(kept), ()), None)
        kept[key] = fresh
        return fresh

    give_kept.__name__, give_kept.__doc__ = make.__name__, make.__doc__
    give_kept.__module__ = make.__module__
    return give_kept


# A record that a loop fills takes 3 µs more than one by a compiled `__init__`, and to compile one
# takes 100 µs in a new process; most classes of a short command make one record or two.
_FEW = 24
_made: dict[type[Value], int] = {}
_NOTHING = object()


def _first_init(self: Value, *args: Any, **kwargs: Any) -> None:
    """The `__init__` of a class that has made few records yet: it makes way for a compiled one."""
    cls = type(self)
    _made[cls] = made = _made.get(cls, 0) + 1
    if made > _FEW or not _fill_fields(self, args, kwargs):
        # Of values that do not fit, Python says what is wrong with them.
        _compile_init(cls)
        self.__init__(*args, **kwargs)  # type: ignore[misc]


def _fill_fields(self: Value, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Give a record its fields; whether the values were those that its class takes."""
    cls, known, left = type(self), self.__dict__, len(kwargs)
    names = cls._fields
    known.update(zip(names, args, strict=False))
    for name in names[len(args) :]:
        if name in kwargs:
            known[name] = kwargs[name]
            left -= 1
        elif (value := getattr(cls, name, _NOTHING)) is not _NOTHING:
            known[name] = value
        else:
            return False
    return not left and len(args) <= len(names)


def _compile_init(cls: type[Value]) -> None:
    """Give a class an `__init__` with its fields as parameters, as dataclasses do.

    A loop over the fields takes 4 µs a record, this takes 0.4; compiling it takes as long as some
    thirty records, which is why it waits for the first two dozen.
    """
    defaults: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        defaults.update((name, vars(base)[name]) for name in cls._fields if name in vars(base))
    params = [f"{name}=_default_{name}" if name in defaults else name for name in cls._fields]
    sets = "".join(f" _[{name!r}] = {name}\n" for name in cls._fields)
    source = f"def __init__({', '.join(('self', *params))}):\n _ = self.__dict__\n{sets}"
    space: dict[str, Any] = {f"_default_{name}": value for name, value in defaults.items()}
    # The text is made of the names of fields, which are identifiers of this package.
    exec(source, space)  # noqa: S102
    space["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__init__ = space["__init__"]  # type: ignore[method-assign]


def _to_plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.asdict()
    if isinstance(value, tuple | list):
        return type(value)(map(_to_plain, value))
    if isinstance(value, dict):
        return {key: _to_plain(item) for key, item in value.items()}
    return value


if TYPE_CHECKING:

    class ValueOf(Value, Generic[T]):
        """A record with a field of a type that its maker chooses."""

else:

    class ValueOf(Value):
        """A record with a field of a type that its maker chooses; only type checkers ask which."""

        def __class_getitem__(cls, _of: object) -> type[Value]:
            return cls
