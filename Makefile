# Two commands do everything on a fresh machine: `make demo` and `make test`.
# `make LOCKED=1 ...` installs just the versions of requirements.lock, each held to its hash.
PYTHON ?= python3
LOCKED ?=
export LOCKED
BIN = .venv/bin
PYTEST_RUN = $(BIN)/pytest -n 2

KERNEL = $(wildcard mmsat/_core/*.* mmsat/_core/*/*.*)
KERNEL_TESTS = tests/test_core.py tests/counting/test_kernel.py tests/strategy/test_answers.py \
    tests/strategy/test_keys.py tests/strategy/test_annealer.py tests/solving/test_lattice.py tests/proof/test_lrat.py \
    tests/auditing/test_arrays.py tests/auditing/test_lines.py tests/strategy/test_beam.py tests/strategy/test_optimal.py \
    tests/strategy/test_static.py tests/strategy/test_value.py \
    tests/strategy/test_hash_collisions.py tests/solving/test_points.py tests/solving/test_queries.py tests/test_core_limits.py \
    tests/constraints/presolve/test_histogram_search.py
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wno-psabi -Werror
SANITIZER ?= address
SANITIZED = build/sanitized/$(SANITIZER)
REPORT = $(CURDIR)/$(SANITIZED)/report
SANITIZE = -O1 -g -fno-omit-frame-pointer -fsanitize=$(SANITIZE_$(SANITIZER))
SANITIZE_address = address,undefined -fno-sanitize-recover=undefined
SANITIZE_thread = thread
PRELOAD_address = libasan.so libstdc++.so
PRELOAD_thread = libtsan.so
FUZZED = $(addprefix mmsat/_core/,proof/lrat.cpp proof/trimmer.cpp batch/lines.cpp search/search.cpp search/annealer.cpp search/surrogate_filter.cpp search/weighted_search.cpp \
    counting/frame.cpp counting/histograms.cpp counting/sums.cpp counting/counter.cpp counting/diagram.cpp \
    lattice/basis.cpp lattice/lattice.cpp lattice/frank_wolfe.cpp lattice/walk.cpp)
CLANG ?= clang++
SECONDS ?= 600

.PHONY: demo quick test test-all check docs sanitize fuzz dist bench lock bom vulnerabilities clean

demo: .venv/.demo
	@$(BIN)/python -m docs.demo

# A slice of every law, within a minute.
quick: .venv/.test
	MMSAT_TIER=quick $(PYTEST_RUN) -m "not slow and not long" $(PYTEST)

# The tests of the page have processes of their own: those of the other tests grow to a gigabyte.
test: .venv/.test check
	$(PYTEST_RUN) -m "not slow" --ignore=tests/web $(PYTEST)
	$(PYTEST_RUN) -m "not slow" $(PYTEST) tests/web

test-all: .venv/.test check
	MMSAT_TIER=all $(PYTEST_RUN) $(PYTEST)

check: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(filter %.cpp %.hpp %.inc,$(KERNEL))
	$(CXX) -std=gnu++17 -fsyntax-only $(WARNINGS) -I mmsat/_core \
	    -isystem $$($(BIN)/python -m nanobind --include_dir) \
	    -isystem $$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('include'))") \
	    $(filter %.cpp,$(KERNEL))
	$(BIN)/mypy
	$(BIN)/lint-imports
	.ci/page/check
	$(BIN)/pytest -q tests/test_docstrings.py -k numpydoc

# The site: build/docs/html/index.html opens from disk.
docs: .venv/.docs
	$(BIN)/python -m docs.sources build/docs/source
	$(BIN)/python -m sphinx -q -n -W --keep-going -b html -d build/docs/trees -c docs build/docs/source build/docs/html
	@echo build/docs/html/index.html

# The kernel's tests under the sanitizers of addresses and of undefined behavior; SANITIZER=thread: of threads.
sanitize: .venv/.test
	rm -f $(REPORT).*
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --upgrade . \
	    --target $(SANITIZED)/site -C build-dir=$(SANITIZED)/kernel -C cmake.build-type=None \
	    -C cmake.define.CMAKE_CXX_FLAGS="$(SANITIZE)"
	PYTHONPATH=$(SANITIZED)/site:$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))") \
	    LD_PRELOAD="$$(for each in $(PRELOAD_$(SANITIZER)); do $(CXX) -print-file-name=$$each; done | xargs)" \
	    ASAN_OPTIONS=detect_leaks=0:log_path=$(REPORT) TSAN_OPTIONS=log_path=$(REPORT) \
	    PYTHONSAFEPATH=1 MMSAT_SLOWNESS=20 \
	    setarch -R $(BIN)/python -S -m pytest -p no:cacheprovider -m "not slow" $(KERNEL_TESTS) \
	    || { cat $(REPORT).* 2>/dev/null; exit 1; }

# What the kernel does with any bytes, sizes and numbers, by libFuzzer for so many SECONDS; needs clang.
fuzz:
	mkdir -p build/fuzz/kernel
	$(CLANG) -std=gnu++17 -O1 -g -fno-sanitize-recover=all -fsanitize=fuzzer,address,undefined,implicit-conversion \
	    -I mmsat/_core tests/fuzz/kernel.cpp $(FUZZED) -lpthread -o build/fuzz/fuzz-kernel
	build/fuzz/fuzz-kernel -max_total_time=$(SECONDS) -timeout=20 -artifact_prefix=build/fuzz/ build/fuzz/kernel

# The sdist, the wheel made of it, and both tried in empty environments of every Python here.
dist: .venv/.test
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	MMSAT_DIST=dist $(BIN)/pytest tests/test_wheel.py

bench: .venv/.test
	$(BIN)/python -m benchmarks

# The newest versions that pyproject.toml allows, with hashes of all their files.
lock: .venv/.supply
	$(BIN)/pip-compile --quiet --upgrade --all-build-deps --extra test --strip-extras --generate-hashes \
	    --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header \
	    --unsafe-package mmsat --output-file build/requirements.lock pyproject.toml
	sed '/^$$/,$$d' build/requirements.lock > requirements.lock

# What a user of mmsat runs, with licences: CycloneDX, from an environment with all that is optional.
bom: .venv/.supply
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	    --output-file build/mmsat.cdx.json $(BIN)/python

# Known vulnerabilities of the locked versions; asks a public database.
vulnerabilities: .venv/.supply
	$(BIN)/pip-audit --require-hashes --disable-pip --requirement requirements.lock

.venv/.demo: pyproject.toml $(KERNEL)
	@PYTHON=$(PYTHON) .ci/install --editable .
	@touch $@

.venv/.test: .venv/.demo
	@.ci/install "mmsat[test]"
	@touch $@

.venv/.supply: .venv/.demo
	@.ci/install "mmsat[supply]"
	@touch $@

.venv/.docs: .venv/.demo
	@.ci/install "mmsat[docs]"
	@touch $@

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
