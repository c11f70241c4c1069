PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
EXTRAS := embeddings,parquet,pdf,text,zh

.PHONY: help format quick lint test test-extras demo bench mutants soak clean

help: ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

# Installed once, and again whenever the dependencies change. pip before 25.1 knows no dependency groups.
$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	touch $@

$(VENV)/extras: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$(EXTRAS)]"
	touch $@

format: $(VENV)/installed ## Format the code, and mend what ruff can mend.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

quick: $(VENV)/installed ## Within a minute: ruff, and the tests that take no longer than two seconds each.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -q -n auto -m "not slow" --hypothesis-profile=quick $(ARGS)

lint: $(VENV)/installed ## Check style, format and types.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

ifeq ($(ARGS),)
test: lint ## All tests on the sources, then those of the built wheel. ARGS=tests/test_x.py runs only these.
	$(BIN)/python -m pytest -q -n auto
	$(BIN)/python tests/on_wheel.py
else
test: $(VENV)/installed
	$(BIN)/python -m pytest -q $(ARGS)
endif

test-extras: $(VENV)/extras ## The tests that need an extra (encoders, ...); installs all extras.
	$(BIN)/python -m pytest -q -n auto -m extra $(ARGS)

demo: $(VENV)/installed ## Crawl a generated web and write a report of it.
	$(BIN)/fcwseo demo

bench: $(VENV)/installed ## Measure how fast pages are parsed.
	$(BIN)/python benchmarks/parse.py

mutants: $(VENV)/installed ## Whether the tests notice wrong lines in web space evolution; under an hour.
	$(BIN)/python benchmarks/mutants.py

soak: $(VENV)/installed ## 120 live crawls with a fault each; up to forty minutes.
	$(BIN)/python benchmarks/soak.py

clean: ## Remove what was installed, built and cached.
	rm -rf $(VENV) dist demo .mypy_cache .pytest_cache .ruff_cache .hypothesis
