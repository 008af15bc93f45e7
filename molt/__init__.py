"""molt: an agent's memory as a git repository of plain Markdown."""

__version__ = "0.1.0"
