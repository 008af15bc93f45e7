"""Run the command line with `python -m molt`."""

import sys

from molt.cli import main

sys.exit(main())
