# Every command a person needs; `make help` lists them. Tools are pinned in tools/ and land in .tmp/.

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GOFLAGS += -buildvcs=false
export GOFLAGS

PACKAGES   ?= ./...
TEST_FLAGS ?=
# Compares with this commit: `make check` tests what changed since, `make breaking` refuses what breaks it.
BASE       ?= origin/main
# Starts a PostgreSQL of its own for the command after `--`.
WITH_PG    := go run ./internal/pgdev/pgserve --

# Another buf, for example `make generate BUF='go tool -modfile=tools/buf/go.mod buf'`.
BUF        ?= tools/node_modules/.bin/buf
GOLANGCI   := .tmp/bin/golangci-lint

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/belfry
	go build -trimpath -ldflags '-X main.version=$(VERSION)' -o bin/belfry ./server/cmd/belfry

.PHONY: test
test: ## Run all tests on a PostgreSQL started for them (PACKAGES=./... TEST_FLAGS=)
	$(WITH_PG) go test $(TEST_FLAGS) $(PACKAGES)

.PHONY: check
check: ## Test the packages changed since BASE, short and with the race detector
# Twice as many packages at a time as there are cores: many tests wait for a lease, a restart or a time-out to pass.
	@packages="$$(tools/changed-packages $(BASE))"; \
	if [ -z "$$packages" ]; then echo "no Go package changed since $(BASE)"; \
	else $(WITH_PG) go test -race -short -timeout 3m -p $$((2 * $$(getconf _NPROCESSORS_ONLN))) $$packages; fi

.PHONY: race
race: ## Run all tests with the race detector
	$(MAKE) test TEST_FLAGS='-race $(TEST_FLAGS)'

.PHONY: test-pg
test-pg: ## Run all tests on the PostgreSQL whose bin folder is PG=/usr/lib/postgresql/17/bin
	@test -x '$(PG)/postgres' || { echo 'say which: make test-pg PG=/usr/lib/postgresql/17/bin' >&2; exit 2; }
	go run ./internal/pgdev/pgserve -bin '$(PG)' -- go test -count=1 $(TEST_FLAGS) $(PACKAGES)

.PHONY: nightly
nightly: ## Run all tests, the long ones too, uncached and with the race detector
	BELFRY_NIGHTLY=1 $(WITH_PG) go test -race -count=1 -timeout 60m $(TEST_FLAGS) $(PACKAGES)

.PHONY: demo
demo: build ## Run the main job end to end on an embedded PostgreSQL
	go run ./tests/demo

.PHONY: bench
bench: build ## Print throughput and lateness; never fails on a figure
	go run ./tests/bench

.PHONY: bench-layout
bench-layout: ## Compare ways to lay jobs out in PostgreSQL, about 10 minutes
	go run ./server/internal/store/layoutbench

.PHONY: lint
lint: $(GOLANGCI) tools/node_modules/.stamp ## Lint Go and proto files
	$(GOLANGCI) config verify
	$(GOLANGCI) run ./...
	$(BUF) lint
	$(BUF) format --diff --exit-code proto

.PHONY: breaking
breaking: tools/node_modules/.stamp ## Refuse proto changes that break BASE
	$(BUF) breaking --against '.git#ref=$(BASE)'

.PHONY: generate
generate: tools/node_modules/.stamp .tmp/python/.stamp .tmp/java/.stamp ## Regenerate gen/ from proto/
	$(BUF) generate --template buf.gen.yaml
	$(BUF) generate --template buf.gen.sdk.yaml

.PHONY: verify
verify: generate ## Fail if gen/ or go.mod is not what regenerating and tidying make of it
	@if [ -n "$$(git status --porcelain -- gen)" ]; then git status --short -- gen; \
	echo 'gen/ is not what proto/ generates: run make generate and commit gen/' >&2; exit 1; fi
	go mod tidy -diff

.PHONY: clean
clean: ## Remove what was built and downloaded
	rm -rf bin .tmp tools/node_modules

$(GOLANGCI): tools/golangci/go.mod tools/golangci/go.sum
	@echo 'building golangci-lint: some minutes, once per version'
	cd tools/golangci && go build -trimpath -ldflags '-s -w' -o ../../$(GOLANGCI) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

tools/node_modules/.stamp: tools/package.json tools/package-lock.json
	cd tools && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

.tmp/python/.stamp: tools/requirements.txt
	python3 -m venv --clear .tmp/python
	.tmp/python/bin/pip install --quiet --disable-pip-version-check -r tools/requirements.txt
	@touch $@

OS_CLASSIFIER := $(shell uname -sm | awk '{os = ($$1 == "Darwin") ? "osx" : "linux"; \
	cpu = ($$2 == "arm64" || $$2 == "aarch64") ? "aarch_64" : "x86_64"; print os "-" cpu}')

.tmp/java/.stamp: tools/pom.xml
	mvn --quiet --batch-mode -Dstyle.color=never -f tools/pom.xml dependency:copy -Dos.classifier=$(OS_CLASSIFIER) -DoutputDirectory=$(CURDIR)/.tmp/java
	@chmod +x .tmp/java/protoc .tmp/java/protoc-gen-grpc-java
	@touch $@
