"""molt: an agent's memory as a git repository of plain Markdown."""

from molt import imports

__version__ = "0.1.0"

imports.install()
