# flexarm: `make demo` and `make test` are all that a newcomer needs (Python 3.11 or newer, make).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what it imports, when it does; all of the packages at once would take half of the installation.
PIP_OPTIONS := --quiet --disable-pip-version-check --no-compile
# ... and keeps the result, whatever the surroundings say: the next process need not compile again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test reproduce lint format bench docs install clean
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

demo: $(VENV)/.installed
	$(BIN)/flexarm demo --out results/demo --force

test: $(VENV)/.installed-test
	$(BIN)/flexarm warmup
	$(PYTEST) -m "not document" tests

# the documents computed anew, number by number, and what the pages show
reproduce: $(VENV)/.installed-test
	$(PYTEST) -m document tests/papers tests/docs tests/generic tests/control tests/studies

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check src tests docs
	$(BIN)/ruff format --check src tests docs
	$(BIN)/mypy

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix src tests docs
	$(BIN)/ruff format src tests docs

bench: $(VENV)/.installed
	$(BIN)/flexarm bench

docs: $(VENV)/.installed-docs
	$(BIN)/sphinx-build -W -q -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

install: $(VENV)/.installed

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "flexarm needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_OPTIONS) -e .
	@touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_OPTIONS) -e '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_OPTIONS) -e '.[dev]'
	@touch $@ $(VENV)/.installed-test $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_OPTIONS) -e '.[docs]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) results docs/_build .pytest_cache .mypy_cache .ruff_cache
