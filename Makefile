# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
BIN = .venv/bin
INSTALLED = .venv/.installed

.PHONY: demo test test-all check bench clean

demo: $(INSTALLED)
	@$(BIN)/python -m mmsat.cli.demo

test: $(INSTALLED) check
	$(BIN)/pytest -n 2 -m "not slow" $(PYTEST)

test-all: $(INSTALLED) check
	$(BIN)/pytest -n 2 $(PYTEST)

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror mmsat/_core/*.?pp mmsat/_core/*/*.*
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

$(INSTALLED): pyproject.toml $(wildcard mmsat/_core/*.* mmsat/_core/*/*.*)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing mmsat into .venv ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	@touch $@

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
