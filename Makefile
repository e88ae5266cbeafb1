# One obvious command for each chore. `make demo` and `make test` set themselves up.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types unit verify kills vectors schemas mutation bench format clean

# The main job: a small engine with a mistake is checked, then the same engine mended.
demo: $(VENV)/.demo
	@echo
	@echo '$$ oracle check --game hearts --details 1 -- python examples/hearts_engine.py'
	@echo
	@$(BIN)/oracle check --game hearts --details 1 -- $(BIN)/python examples/hearts_engine.py; \
	  test $$? -eq 1
	@echo
	@echo 'Every failure says it: to this engine the queen of spades breaks hearts. Mended:'
	@echo
	@echo '$$ oracle check --game hearts -- python examples/hearts_engine.py --mended'
	@echo
	@$(BIN)/oracle check --game hearts -- $(BIN)/python examples/hearts_engine.py --mended

test: lint types unit verify

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

unit: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

verify: $(VENV)/.test
	$(BIN)/oracle verify

# Written by a command, never edited: schemas, generated vectors, index, the record of kills.
schemas: $(VENV)/.test
	$(BIN)/python -m oracle.schemas

vectors: $(VENV)/.test
	$(BIN)/oracle generate --published
	$(BIN)/oracle verify --write

kills: $(VENV)/.test
	$(BIN)/python -m tests.mutants

# Machine-made mutants of the reference, asked the published vectors; writes docs/mutation.md.
mutation: $(VENV)/.mutation
	$(BIN)/python -m tests.mutation

bench: $(VENV)/.test
	$(BIN)/python bench/bench.py

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.demo: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.test: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.demo

$(VENV)/.mutation: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mutation]'
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache tests/node/node_modules
