# The two commands: `make demo` and `make test`. Each makes its own virtual environment.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test check docs bench clean

demo: $(VENV)/.installed
	$(BIN)/molt demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.installed-dev
	$(BIN)/python docs/generate.py

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.cost $(ROWS)

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "molt needs Python 3.11 or newer on PATH" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) dist build
