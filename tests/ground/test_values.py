from __future__ import annotations

import pytest

from molt import values
from molt.values import Value


class Point(Value):
    x: int
    y: int = 0


class Named(Point):
    name: str = ""


def test_fields_come_by_position_or_name_and_default() -> None:
    assert Point(1) == Point(x=1, y=0)
    assert Named(1, 2, "a") == Named(x=1, y=2, name="a")


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        pytest.param((), {}, id="missing"),
        pytest.param((1, 2, 3), {}, id="too-many"),
        pytest.param((1,), {"x": 2}, id="twice"),
        pytest.param((1,), {"z": 2}, id="unknown"),
    ],
)
def test_wrong_fields_are_a_type_error(args: tuple[int, ...], kwargs: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Point(*args, **kwargs)


def test_a_value_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x


def test_replace_gives_a_changed_copy() -> None:
    point = Point(1, 2)
    assert point.replace(y=3) == Point(1, 3)
    assert point == Point(1, 2)


def test_values_of_another_class_are_never_equal() -> None:
    assert Point(1, 2) != Named(1, 2)
    assert len({Point(1, 2), Point(1, 2), Named(1, 2)}) == 2


def test_asdict_goes_through_nested_records() -> None:
    class Line(Value):
        ends: tuple[Point, ...]
        extra: dict[str, Point]

    line = Line((Point(1),), {"k": Point(2)})
    assert line.asdict() == {"ends": ({"x": 1, "y": 0},), "extra": {"k": {"x": 2, "y": 0}}}


def test_the_repr_names_the_fields() -> None:
    assert repr(Point(1)) == "Point(x=1, y=0)"


def test_a_field_called_like_a_method_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(TypeError, match="replace"):

        class Bad(Value):
            replace: str  # type: ignore[assignment]


def test_a_field_called_self_or_known_would_not_be_lost() -> None:
    class Odd(Value):
        known: int
        defaults: int = 3

    assert Odd(1).asdict() == {"known": 1, "defaults": 3}


def test_what_is_kept_beside_the_fields_is_not_copied() -> None:
    point = Point(1, 2)
    point.__dict__["_memo"] = "x"
    assert "_memo" not in point.replace(y=3).__dict__
    assert point == Point(1, 2)


def test_a_subclass_of_a_used_class_has_all_its_fields() -> None:
    Point(1)

    class Solid(Point):
        z: int = 9

    assert Solid(1, 2).asdict() == {"x": 1, "y": 2, "z": 9}


@pytest.mark.parametrize("made", [pytest.param(0, id="first"), pytest.param(100, id="compiled")])
def test_records_are_the_same_however_many_were_made_before(made: int) -> None:
    class Spot(Value):
        x: int
        y: int = 7
        z: tuple[int, ...] = ()

    for number in range(made):
        Spot(number)
    assert list(vars(Spot(1, z=(2,))).items()) == [("x", 1), ("y", 7), ("z", (2,))]
    for args, kwargs in (((), {}), ((1, 2, (), 4), {}), ((1,), {"x": 2}), ((1,), {"w": 2})):
        with pytest.raises(TypeError, match="argument"):
            Spot(*args, **kwargs)  # type: ignore[arg-type]
    assert Spot(1) == Spot(x=1, y=7, z=())


def test_what_was_made_of_the_last_texts_is_kept_and_of_others_made_again() -> None:
    asked: list[str] = []

    @values.keep_last
    def measure(text: str, unit: str = "") -> tuple[int, str]:
        asked.append(text)
        return len(text), unit

    assert [measure("ab"), measure("ab"), measure("ab", "x")] == [(2, ""), (2, ""), (2, "x")]
    assert asked == ["ab", "ab"]
    every = [str(number) for number in range(9)]
    assert [measure(one) for one in every] == [(1, "")] * 9
    assert measure("ab") == (2, "")
    assert asked == ["ab", "ab", *every, "ab"]
