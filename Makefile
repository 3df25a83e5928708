# graphir: `make demo` and `make test` set themselves up; Python 3.11 or newer and make are all they need.

VENV   ?= .venv
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The engines, beside those of the extra `dev`, that the tests against real engines are promised.
ENGINES := kglite,ladybug,googlesql,spanner,hyper,oracle,postgres,spark
SAMPLES := graphir/corpora/samples/queries.jsonl
QUERY   := MATCH (b:Branch)<-[:KEPT_AT]-(:Copy)-[:COPY_OF]->(t:Title) WHERE t.pages > 300 RETURN b.name AS branch, count(t) AS titles ORDER BY titles DESC

.PHONY: help demo test engines check format golden docs bench package clean

help:
	@echo "make demo      translate the sample corpus into openCypher, GQL and SQL/PGQ, and run a query"
	@echo "make test      the tests"
	@echo "make engines   the tests against real engines (Neo4j: Java 21 and Maven; GoogleSQL: pip)"
	@echo "make check     ruff, mypy --strict, pyright"
	@echo "make format    ruff format"
	@echo "make golden    rewrite the golden cases and the output that pages show"
	@echo "make docs      rewrite the generated pages"
	@echo "make bench     measure; peers are installed into bench/.venv"
	@echo "make package   sdist and wheel into dist/"
	@echo "make clean     remove what the other targets made"

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed (set PYTHON=...)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(PIP) -e .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-engines: pyproject.toml Makefile | $(BIN)/python
	$(PIP) -e '.[dev,$(ENGINES)]'
	@touch $@ $(VENV)/installed $(VENV)/installed-dev

# Exit code 1 means findings: the sample corpus holds a few broken queries on purpose, and no dialect can say everything.
demo: $(VENV)/installed
	@mkdir -p build/demo
	@for to in opencypher-9 gql-spanner pgq-googlesql; do \
		echo; echo "== graphir translate $(SAMPLES) --from neo4j-25 --to $$to -o build/demo/$$to.jsonl"; \
		$(BIN)/graphir translate $(SAMPLES) --from neo4j-25 --to $$to -o build/demo/$$to.jsonl || [ $$? -eq 1 ] || exit 1; \
	done
	@for to in opencypher-9 gql-spanner pgq-googlesql; do \
		echo; echo "== graphir translate --to $$to \"$(QUERY)\""; $(BIN)/graphir translate --to $$to "$(QUERY)"; \
	done
	@echo; echo "== graphir run --graph example:library \"$(QUERY)\""; \
		$(BIN)/graphir run --graph example:library "$(QUERY)"

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest --ignore=tests/engines

engines: $(VENV)/installed-engines
	GRAPHIR_STRICT=1 $(BIN)/python -m pytest tests/engines

check: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy graphir
	$(BIN)/pyright

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(VENV)/installed-dev
	$(BIN)/python -m pytest tests/test_golden.py tests/test_docs.py -k 'case_is or commands_print' --update-golden

docs: $(VENV)/installed-dev
	$(BIN)/python docs/generate.py

bench/.venv/installed: bench/requirements.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m venv bench/.venv
	bench/.venv/bin/python -m pip install --quiet --disable-pip-version-check -r bench/requirements.txt -e .
	@touch $@

bench: bench/.venv/installed
	bench/.venv/bin/python bench/parse.py
	bench/.venv/bin/python bench/check.py
	bench/.venv/bin/python bench/gate.py
	bench/.venv/bin/python bench/mutations.py
	bench/.venv/bin/python bench/scaling.py
	bench/.venv/bin/python bench/corpus.py
	bench/.venv/bin/python bench/gql.py
	bench/.venv/bin/python bench/pgq.py

package: $(VENV)/installed-dev
	$(BIN)/python -m build

clean:
	rm -rf build dist bench/.venv *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find graphir tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} +
