"""All formats that tokens have: what was found first gives what is found its name."""

from __future__ import annotations

from molt.policy.secrets import keys, services, tokens

FORMS = (*tokens.FORMS, *services.FORMS, *keys.FORMS)

_SHAPES = dict.fromkeys((*(form.shape for form in FORMS if not form.words), "b" * 40))
SHAPED = {shape: tuple(form for form in FORMS if form.shape == shape) for shape in _SHAPES}
"""The formats that are told by a shape, by these: what is so long needs no mark of its own."""
MARKED = tuple(form for form in FORMS if form.shape not in SHAPED)
"""The formats that are told by a mark."""
