"""`python -m pytest tests/golden --golden-update` writes what the calls answer now."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "write the answers of the documented calls as they are now"
    parser.addoption("--golden-update", action="store_true", help=text)
