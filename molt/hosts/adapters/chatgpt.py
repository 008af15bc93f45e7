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
    talks = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    return bool(talks) and all("mapping" in one for one in talks)


FORMAT = Format("chatgpt", "ChatGPT", _knows, whole=FILE)
