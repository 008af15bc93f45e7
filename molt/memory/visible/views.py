"""For whose eyes an answer is."""

from __future__ import annotations

from molt import errors
from molt.formats import scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from molt.config import Config
    from molt.formats.scopes import View


def read_view(config: Config, given: dict[str, Any]) -> View:
    """What `scopes` and `audience` let be seen; they are taken out of `given`. Raises Usage."""
    asked, audience = given.pop("scopes"), given.pop("audience")
    default, core = config.scope_default, config.scope_core
    try:
        return scopes.choose_view(asked, audience, default=default, core=core)
    except ValueError as error:
        raise errors.Usage(str(error)) from error
