"""The phrases of a summary, from a template for each language."""

from __future__ import annotations

from molt import resources


class _Fields(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "…"


class SummaryPhrases:
    """The phrases of one language (`en` or `zh`), by their names."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._phrases: dict[str, str] = {}
        with open(resources.find(f"templates/summaries/{language}.txt"), encoding="utf-8") as file:
            for row in file.read().split("\n"):
                name, mark, phrase = row.partition(" = ")
                if mark and not row.startswith("#"):
                    # Quotation marks keep the spaces of a phrase.
                    self._phrases[name] = phrase.strip('"')

    def __contains__(self, name: str) -> bool:
        return name in self._phrases

    def fill(self, name: str, /, **fields: object) -> str:
        """Return a phrase with its fields, `…` for one that is missing. Raises KeyError if there is
        no such phrase.
        """
        return self._phrases[name].format_map(_Fields(fields))

    def count(self, name: str, number: int, /, **fields: object) -> str:
        """Return a phrase that has a form for one and another for several, and may have one for
        none.
        """
        form = f"{name}.{('none', 'one')[number] if number < 2 else 'many'}"
        form = form if form in self._phrases else f"{name}.many"
        return self.fill(form, n=f"{number:,}", **fields)

    def join_counts(self, between: str, /, **numbers: int) -> str:
        """Return several counts with a phrase between them."""
        return self.fill(between).join(self.count(name, n) for name, n in numbers.items())
