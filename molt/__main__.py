"""Run the command line with `python -m molt`."""

from molt.cli import run

run()
