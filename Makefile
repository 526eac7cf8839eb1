# `make demo` and `make test` do everything, from a virtual environment on; `make check` does what is quick of `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
QUICK = not slow and not ray and not browser
VERSIONS ?= 3.11 3.12 3.13
RELEASE ?=

.PHONY: demo test check quick test-versions test-lowest lint docs dist pictures schemas clean

demo: $(VENV)/installed
	$(BIN)/cynical demo --overwrite

test: $(VENV)/installed-dev lint
	$(BIN)/cynical warm-up --quiet
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: lint quick

quick: $(VENV)/installed-dev
	$(BIN)/cynical warm-up --quiet
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "$(QUICK)"

# The quick tests with every Python of VERSIONS that is on the PATH, each in a virtual environment of its own.
test-versions:
	@for version in $(VERSIONS); do \
		if python$$version -c "" 2>/dev/null; then \
			echo "Python $$version" && $(MAKE) --no-print-directory quick PYTHON=python$$version VENV=.venv-$$version || exit 1; \
		else \
			echo "Python $$version: skipped, there is no python$$version on the PATH"; \
		fi; \
	done

# The quick tests with the lowest versions of what the package needs; LOWEST=tests/model runs a part of them.
test-lowest:
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet $$($(PYTHON) packaging/lowest.py) pytest hypothesis jsonschema pyyaml hatchling
	.venv-lowest/bin/python -m pip install --quiet --no-deps --editable .
	.venv-lowest/bin/python -m pytest -m "$(QUICK)" $(LOWEST)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/installed-docs $(VENV)/installed-dev
	$(BIN)/sphinx-build --builder html --fresh-env --jobs auto --fail-on-warning --keep-going --quiet docs docs/_build/html
	$(BIN)/python docs/extensions/check_links.py docs/_build/html *.md
	$(BIN)/python -m pytest --quiet -n 2 tests/test_docs.py -k runs

export RELEASE

# What is published: built, checked, and the wheel tried in a clean environment. RELEASE=1.0.0 checks that it is this version.
dist: $(VENV)/installed-release
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*
	$(BIN)/python packaging/check_dist.py dist $(if $(RELEASE),--release "$$RELEASE") --sdist-tests model test_packaging.py

pictures: $(VENV)/installed-dev
	$(BIN)/python docs/pictures/curve.py
	$(BIN)/python docs/pictures/flow.py
	$(BIN)/python docs/pictures/heaps.py
	$(BIN)/python docs/pictures/screenshot.py

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

$(VENV)/installed-release: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[release]"
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) $(VENV)-3.* $(VENV)-lowest cynical-demo dist docs/_build
