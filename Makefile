PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint bench soak clean

# Installed once, and again whenever the dependencies change. pip before 25.1 knows no dependency groups.
$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	touch $@

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The suite on the sources, then on the built wheel in a virtual environment of its own; on all cores.
test: lint
	$(BIN)/python -m pytest -q -n auto
	$(BIN)/python tests/on_wheel.py

demo: $(VENV)/installed
	$(BIN)/fcwseo demo

bench: $(VENV)/installed
	$(BIN)/python benchmarks/parse.py

# Live crawls that are killed fifty times; about a quarter of an hour.
soak: $(VENV)/installed
	$(BIN)/python benchmarks/soak.py

clean:
	rm -rf $(VENV) dist demo .mypy_cache .pytest_cache .ruff_cache .hypothesis
