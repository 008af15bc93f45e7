"""Lossless lines of a Markdown file: front matter, sections, splices, length in tokens."""

from __future__ import annotations

from molt.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import tiktoken

RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_BOM = "\ufeff"


class Section(Value):
    """A heading and what it governs: lines `start` (the heading) to `end`, from 1, inclusive."""

    level: int
    title: str
    start: int
    end: int


def newline(text: str) -> str:
    """How the lines of a text end: CRLF if its first line does, else LF."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def lines(text: str) -> list[str]:
    """The lines with their ends; `"".join` gives the text back. Only LF ends a line."""
    parts = text.split("\n")
    ended = [f"{part}\n" for part in parts[:-1]]
    return [*ended, parts[-1]] if parts[-1] else ended


def bare(line: str) -> str:
    """A line without its end."""
    return line.removesuffix("\n").removesuffix("\r")


def is_control(char: str) -> bool:
    """Whether a character is a control, breaks a line, or fits in no UTF-8 or YAML text.

    Joiners and marks of any script are none, and what is not assigned yet is none either.
    """
    code = ord(char)
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
        return True
    return code in (0x2028, 0x2029, 0xFFFE, 0xFFFF)


def one_line(text: str) -> str:
    """The text on one line: controls become spaces, and runs of spaces one."""
    if not text.isprintable():
        text = "".join(" " if is_control(char) else char for char in text)
    return " ".join(part for part in text.split(" ") if part)


def splice(text: str, start: int, stop: int, new: Sequence[str]) -> str:
    """The text with lines `start` to `stop` (from 0, exclusive) replaced by bare lines `new`.

    The new lines get the newline of the file. Where they replace the last line and it had no
    end, the new last line has none either; where they follow it, it is ended first.
    """
    old, end = lines(text), newline(text)
    fresh = [f"{line}{end}" for line in new]
    if stop >= len(old) and old and not old[-1].endswith("\n"):
        if start >= len(old) and fresh:
            old[-1] += end
        if fresh:
            fresh[-1] = fresh[-1].removesuffix(end)
        elif start > 0 and start < len(old):
            old[start - 1] = bare(old[start - 1])
    return "".join((*old[:start], *fresh, *old[stop:]))


def split_front_matter(text: str) -> tuple[str | None, str, int]:
    """The YAML between two `---` lines (None if there is none), the body, and how many lines
    come before the body.
    """
    if not text.removeprefix(_BOM).startswith("---"):
        return None, text, 0
    every = lines(text)
    if bare(every[0]).removeprefix(_BOM).rstrip() != "---":
        return None, text, 0
    for number, line in enumerate(every[1:], 1):
        if bare(line).rstrip() in ("---", "..."):
            return "".join(every[1:number]), "".join(every[number + 1 :]), number + 1
    return None, text, 0


def front_matter(text: str) -> dict[str, object]:
    """The front matter as a dict, dates as ISO strings; empty if there is none.

    Raises ValueError when it is not valid YAML or not a mapping.
    """
    block, _, _ = split_front_matter(text)
    if block is None:
        return {}
    simple = _simple(block)
    if simple is not None:
        return simple
    import yaml

    try:
        data = yaml.safe_load(block)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 2}: " if mark else ""
        raise ValueError(f"{where}the front matter is not valid YAML") from error
    except RecursionError as error:
        raise ValueError("the front matter is nested too deeply") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ValueError("the front matter is not a mapping")
    return {str(key): _plain(value) for key, value in data.items()}


def _simple(block: str) -> dict[str, object] | None:
    """Front matter of the form that molt writes; None where YAML must say what it means.

    Reading YAML takes a hundred times as long, and a graph has thousands of files.
    """
    found: dict[str, object] = {}
    for line in lines(block):
        key, colon, rest = bare(line).partition(":")
        word = key.replace("_", "a").replace("-", "a")
        if not (colon and key[:1].isalpha() and word.isascii() and word.isalnum()):
            return None
        if key.lower() in YAML_WORDS or (rest and rest[0] != " "):
            return None
        value = rest.strip(" ")
        if value[:1] == "[" and value[-1:] == "]":
            inner = value[1:-1].strip(" ")
            items = [_scalar(item.strip(" ")) for item in inner.split(",")] if inner else []
            if None in items:
                return None
            found[key] = items
        else:
            found[key] = _scalar(value)
            if value and found[key] is None:
                return None
    return found


YAML_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))
"""What YAML takes for no text, in any case."""


def _scalar(text: str) -> object:
    """A date, a truth value, or a text that can be nothing else; None for all others."""
    from molt.formats import ids

    if text in ("true", "false"):
        return text == "true"
    if ids.is_date(text):
        return text
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        inner = text[1:-1]
        return inner if inner.isprintable() and not set(inner).intersection('"\\') else None
    plain = text[:1].isalpha() and all(char.isalnum() or char in " -_./" for char in text)
    return text if plain and text.lower() not in YAML_WORDS else None


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    iso = getattr(value, "isoformat", None)
    return iso() if callable(iso) else value


def heading(line: str) -> tuple[int, str] | None:
    """Level and title of an ATX heading line; None if it is none."""
    if not line.startswith("#"):
        return None
    rest = line.lstrip("#")
    level = len(line) - len(rest)
    if level > 6 or (rest and rest[0] not in " \t"):
        return None
    title = rest.strip()
    closed = title.rstrip("#")
    if closed != title and (not closed or closed[-1] in " \t"):
        title = closed.rstrip()
    return level, title


def fences(every: Sequence[str]) -> list[bool]:
    """For each line whether it is inside, or a mark of, a fenced code block or HTML comment."""
    inside: list[bool] = []
    mark, comment = "", False
    for line in every:
        stripped = line.strip()
        if mark:
            inside.append(True)
            if stripped.startswith(mark) and not stripped.strip(mark[0]):
                mark = ""
        elif comment:
            inside.append(True)
            comment = "-->" not in stripped
        elif stripped.startswith(("```", "~~~")):
            tail = stripped.lstrip(stripped[0])
            opens = not (stripped[0] == "`" and "`" in tail)
            inside.append(opens)
            mark = stripped[: len(stripped) - len(tail)] if opens else ""
        else:
            inside.append(stripped.startswith("<!--"))
            comment = stripped.startswith("<!--") and "-->" not in stripped
    return inside


def sections(text: str) -> tuple[Section, ...]:
    """The ATX headings with the lines they govern; those in code, comments and front matter
    are none.
    """
    _, body, before = split_front_matter(text)
    every = [bare(line).removeprefix(_BOM) for line in lines(body)]
    heads: list[tuple[int, str, int]] = []
    for number, (line, hidden) in enumerate(zip(every, fences(every), strict=True), before + 1):
        found = None if hidden else heading(line)
        if found:
            heads.append((*found, number))
    last = before + len(every)
    found_sections: list[Section] = []
    for at, (level, title, start) in enumerate(heads):
        later = (other[2] - 1 for other in heads[at + 1 :] if other[0] <= level)
        found_sections.append(Section(level, title, start, next(later, last)))
    return tuple(found_sections)


_encodings: dict[str, tiktoken.Encoding] = {}


def tokens(text: str, encoding: str = "cl100k_base") -> int:
    """How many tokens a text has; never asks the network.

    Raises ValueError for an encoding whose ranks do not ship, or are not what was shipped.
    """
    if encoding not in _encodings:
        _encodings[encoding] = _load_encoding(encoding)
    return len(_encodings[encoding].encode_ordinary(text))


def _load_encoding(name: str) -> tiktoken.Encoding:
    if name != "cl100k_base":
        raise ValueError(f"no ranks ship for the encoding {name}")
    from base64 import b64decode
    from hashlib import sha256

    import tiktoken

    from molt import resources

    with open(resources.find("data/cl100k_base.tiktoken"), "rb") as file:
        data = file.read()
    if sha256(data).hexdigest() != RANKS_SHA256:
        raise ValueError("data/cl100k_base.tiktoken is damaged; reinstall molt-memory")
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, data.splitlines())}
    return tiktoken.Encoding(
        name=name,
        pat_str=(
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|"
            r" ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
        ),
        mergeable_ranks=ranks,
        special_tokens={},
    )
