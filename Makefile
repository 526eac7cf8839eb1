# `make demo` and `make test` do everything, from a virtual environment on.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test lint schemas clean

demo: $(VENV)/installed
	$(BIN)/cynical demo --overwrite

test: $(VENV)/installed-dev lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

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

clean:
	rm -rf $(VENV) cynical-demo
