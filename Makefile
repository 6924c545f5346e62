# Each target installs what it needs in .venv. You need make and Python 3.11 or newer.
# Choose another Python with `make PYTHON=/path/to/python3 ...`.

BIN    := .venv/bin
PYTHON ?=
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
AFTER  :=
FINDER := import ensurepip, sys; sys.exit(sys.version_info < (3, 11))

.DEFAULT_GOAL := help
.PHONY: help demo quick test test-long test-browser check format bench docs web clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 12

demo: .venv/core.stamp  ## simulate a satellite and write a report to out/satellite
	$(BIN)/python examples/demo.py

test: check  ## run check, then all tests except the long ones
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -q -m "not long"

quick: .venv/dev.stamp  ## run a short part of the tests: the first case of each, without the slow ones
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -q --quick -m "not long"

test-long: .venv/dev.stamp  ## run all tests, also the long ones
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -q

test-browser: .venv/dev.stamp  ## run the tests of pages in a browser; fails where none is found
	FREEBODY_REQUIRE_BROWSER=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q tests/browser

check: .venv/dev.stamp  ## run the linter, the formatter (without changes), the type checker and the import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet || { echo "run make format"; exit 1; }
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: .venv/dev.stamp  ## format the code
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format

bench: .venv/bench.stamp  ## measure freebody and other libraries
	$(BIN)/python benchmarks/run.py

docs: .venv/docs.stamp  ## build the documentation as web pages in out/docs
	$(BIN)/mkdocs build --quiet --strict

web:  ## build the 3D viewer's viewer.js from its sources (needs Node.js and npm)
	cd src/freebody/viewer/web && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent build

clean:  ## remove the environment, caches and outputs
	rm -rf .venv out build dist src/freebody/viewer/web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +

.venv/core.stamp:  EXTRA :=
.venv/dev.stamp:   EXTRA := [dev]
.venv/dev.stamp:   AFTER = $(PIP) --only-binary pin,mujoco --editable '.[referee]' || echo "no wheels of Pinocchio or MuJoCo; their tests skip"; \
                   $(PIP) --only-binary exudyn --editable '.[exudyn]' || echo "no wheel of Exudyn; its tests skip"
.venv/docs.stamp:  EXTRA := [docs]
.venv/bench.stamp: EXTRA := [bench]
.venv/bench.stamp: AFTER = $(PIP) --only-binary pin --editable '.[peers]' || echo "no wheel of Pinocchio; it is left out"; \
                   $(PIP) --only-binary exudyn --editable '.[exudyn]' || echo "no wheel of Exudyn; it is left out"
.venv/%.stamp: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.$(EXTRA)'
	@$(AFTER)
	@touch $@

$(BIN)/python:
	@for p in $(PYTHON) python3 python3.13 python3.12 python3.11; do \
	    if $$p -c '$(FINDER)' 2>/dev/null; then echo "creating .venv with $$p"; exec $$p -m venv --clear .venv; fi; \
	done; \
	echo "freebody needs Python 3.11 or newer with venv (on Debian: apt install python3-venv); none was found." >&2; \
	echo "Name one: make PYTHON=/path/to/python3" >&2; exit 1
