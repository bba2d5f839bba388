# What a developer does here. `make` alone lists it.
PORT ?= 8000
BIN := .venv/bin
# One process of tests for each core, and the tests of a file one after the other in one of them. WORKERS=0 for one alone.
WORKERS ?= auto
TESTS := $(BIN)/python -m pytest --numprocesses $(WORKERS) --maxprocesses 8 --dist loadfile --no-loadscope-reorder
ON_POSTGRES := $(BIN)/python -m tests.servers.postgres $(TESTS) tests/accounts tests/api tests/authoring tests/definition tests/export tests/fieldwork tests/operation tests/results tests/security tests/web tests/whole_site features
# Where the environment forbids it as well: else every process of the tests would compile every file anew.
test quick test-long: export PYTHONDONTWRITEBYTECODE :=
BENCHES := mechanisms accuracy analysis submission inbox tickets holdups scale lists memory export importing subgroups relations workspace respondent batches workers

help:
	@echo "make demo        run a site with a demo survey, on http://127.0.0.1:$(PORT) (PORT=8001 make demo)"
	@echo "make serve       run the site as on a server, with the environment's settings"
	@echo "make page        print the SHA-256 of a survey's page, built again from its instrument (INSTRUMENT=instrument.json)"
	@echo "make test        install all it needs and run the whole suite: Python, JavaScript, a real browser"
	@echo "make test-long   the long tests too, for hours; FUZZED_REQUESTS=1000 makes them shorter"
	@echo "make quick       lint, and the tests without browser and PostgreSQL, in a few minutes"
	@echo "make lint        ruff and mypy"
	@echo "make audit       check that everything is pinned, and look up known vulnerabilities if online"
	@echo "make sbom        list all parts of a site with versions, hashes and licences (CycloneDX), in var/sbom.json"
	@echo "make pins        write requirements*.txt from requirements*.in, with hashes; needs uv"
	@echo "make format      format the code with ruff, and lower the limits of voice and plain code"
	@echo "make packages    build the statistics and the client as wheels and sources, in var/packages"
	@echo "make bench       run the measurements"
	@echo "make docs        build docs/ as a site, in build/docs"
	@echo "make release     cut a release: version, changes, hashes of all parts of respondents' pages, bill of materials"
	@echo "make pictures    take the pictures of the tutorial, the try and the report for README and docs"

.venv/runtime: requirements.txt
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Candor needs Python 3.11 or newer; python3 is " + sys.version.split()[0])'
	@test -x $(BIN)/python || python3 -m venv .venv
	@echo "Installing what requirements.txt pins ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	@touch $@

.venv/development: requirements.txt requirements-dev.txt
	@$(MAKE) --no-print-directory .venv/runtime
	@echo "Installing what requirements-dev.txt pins ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-dev.txt
	@touch $@

var/secret-key var/ticket-key:
	@mkdir -p var
	@umask 077 && python3 -c 'import secrets; print(secrets.token_urlsafe(50))' > $@

# Where demo, serve and page keep everything, unless the environment names another database.
DATABASE = export DATABASE_URL="$${DATABASE_URL:-sqlite:///$(CURDIR)/var/candor.sqlite3}"

demo: .venv/runtime
	@$(BIN)/python manage.py demo --port $(PORT)

# The same page as a site hands out to respondents, for whoever wants to compare: the instrument is what it is made of.
page: .venv/runtime var/secret-key
	@$(DATABASE) && export SECRET_KEY=$$(cat var/secret-key) && $(BIN)/python manage.py page $(INSTRUMENT) \
	  $(if $(PROGRAM),--program $(PROGRAM)) $(if $(STATE),--state $(STATE)) $(if $(HEADERS),--headers) \
	  $(if $(LOGO),--logo $(LOGO)) $(if $(OPENS),--opens $(OPENS)) $(if $(CLOSES),--closes $(CLOSES))

# As on a server: HTTPS expected, the environment decides. See docs/deployment.md.
serve: .venv/runtime var/secret-key var/ticket-key
	@$(DATABASE) && export SECRET_KEY="$${SECRET_KEY:-$$(cat var/secret-key)}" && \
	export TICKET_KEY="$${TICKET_KEY:-$$(cat var/ticket-key)}" && \
	$(BIN)/python manage.py migrate --verbosity 0 && $(BIN)/python manage.py collectstatic --no-input --verbosity 0 && \
	exec $(BIN)/python -m gunicorn config.wsgi --bind 127.0.0.1:$(PORT) --workers 3

test: .venv/development
	@$(BIN)/python -m tests.browser.chromium
	@$(BIN)/python -m tests.provider.program
	@$(BIN)/python -m tests.servers.r
	$(TESTS)
	$(ON_POSTGRES)
	$$($(BIN)/python -m tests.javascript.node) --test tests/javascript/*.test.mjs

# See is_quick in tests/fixtures.py for what is left out.
quick: lint
	$(TESTS) --quick --quiet

test-long: .venv/development
	@$(BIN)/python -m tests.browser.chromium
	@$(BIN)/python -m tests.browser.old_chromium
	@$(BIN)/python -m tests.provider.program
	@$(BIN)/python -m tests.servers.r
	$(TESTS) -m "long or not long"
	$(ON_POSTGRES) -m "long or not long"
	$$($(BIN)/python -m tests.javascript.node) --test tests/javascript/*.test.mjs

lint: .venv/development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

audit: .venv/development
	@$(BIN)/python .ci/audit.py

sbom: .venv/development
	@$(BIN)/python .ci/sbom.py

# What is written stays at its version. To change one, change it in the .in or delete its lines from the .txt first.
PIN := uv pip compile --quiet --generate-hashes --python-version 3.11 --no-emit-package pip
pins:
	$(PIN) --custom-compile-command "make pins" requirements.in --output-file requirements.txt
	$(PIN) --custom-compile-command "make pins" requirements-dev.in --output-file requirements-dev.txt
	@for file in tests/servers/postgres.txt tests/javascript/node.txt; do pin=$$(grep -o '^[a-z][^ ]*' $$file); \
	  echo $$pin | $(PIN) --no-deps --no-header --no-annotate - --output-file $$file; done

format: .venv/development
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@$(BIN)/python -m tests.web.test_voice
	@$(BIN)/python -m tests.whole_site.test_plain

# With the builder that is pinned, so that nothing is fetched.
packages: .venv/development
	@for folder in mechanisms candor_client; do \
	  $(BIN)/python -m build --no-isolation --outdir var/packages $$folder || exit 1; done

bench: .venv/development
	@$(BIN)/python -m tests.browser.chromium
	@for name in $(BENCHES); do echo "== $$name"; $(BIN)/python -m bench.$$name || exit 1; done

release: .venv/development
	@version=$$($(BIN)/python .ci/release.py) && $(BIN)/python .ci/sbom.py releases/$$version.cdx.json && \
	echo "Candor $$version is cut. CONTRIBUTING.md, “Releasing”, has the next steps."

# What is said of a page that cannot be right is an error. Nothing is asked of the network.
docs: .venv/development
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs build/docs
	@echo "Open $(CURDIR)/build/docs/index.html"

pictures: .venv/development
	@$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tests.whole_site.browser.pictures

.PHONY: help demo serve page test quick test-long lint audit sbom pins format packages bench release docs pictures
