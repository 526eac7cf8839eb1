# `make demo` and `make test` do everything, from a virtual environment on; `make check` does what is quick of `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test check lint docs schemas clean

demo: $(VENV)/installed
	$(BIN)/cynical demo --overwrite

test: $(VENV)/installed-dev lint
	$(BIN)/cynical warm-up --quiet
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: $(VENV)/installed-dev lint
	$(BIN)/cynical warm-up --quiet
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow and not ray and not browser"

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/installed-docs
	$(BIN)/sphinx-build --builder html --fresh-env --fail-on-warning --keep-going --quiet docs docs/_build/html

schemas: $(VENV)/installed-dev
	$(BIN)/python -m tests.test_records

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@ $(VENV)/installed

$(VENV)/installed-docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) cynical-demo docs/_build
