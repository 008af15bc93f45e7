"""ChatGPT's export: conversations, which are read and never written."""

from __future__ import annotations

from molt import untrusted
from molt.hosts.adapters.shape import Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from molt.hosts.adapters.shape import Files

FILE = "conversations.json"


def _knows(files: Files) -> bool:
    try:
        data = untrusted.parse_json(files.get(FILE) or next(iter(files.values()), "null"))
    except ValueError:
        return False
    return (
        isinstance(data, list)
        and bool(data)
        and all(isinstance(one, dict) and "mapping" in one for one in data)
    )


FORMAT = Format("chatgpt", "ChatGPT", _knows, whole=FILE)
