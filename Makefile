# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# The front door. Each target installs what is missing first (tools/setup.sh: nothing to do costs
# nothing), then builds with the preset, then does its work. PRESET=dev, asan, ... chooses another.

PRESET ?= release
JOBS ?= $(shell nproc)
BUILD := build/$(PRESET)
HOSTNPU := $(BUILD)/bin/hostnpu

.DEFAULT_GOAL := help
.PHONY: help setup build demo test smoke bench format tidy check sanitize install clean

help:  ## List the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18
	@echo "  Settings: PRESET=$(PRESET) (dev release asan tsan ubsan), JOBS=$(JOBS)"

setup:  ## Install what is missing (apt, and pip into .venv)
	@tools/setup.sh

# Ninja runs cmake again by itself when a CMake file or a globbed folder changes.
$(BUILD)/build.ninja: CMakePresets.json
	@cmake --preset $(PRESET) && touch $@

build: setup  ## Build everything
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j$(JOBS)

demo:  ## Run an Ascend C vector add over 48 cores, and a TileLang flash attention with workspaces
	@tools/setup.sh --python=optional
	@$(MAKE) --no-print-directory $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j$(JOBS) --target hostnpu_cli hostnpu
	@echo "+ hostnpu run examples/lesson_01_vector_add/vector_add.asc"
	@$(HOSTNPU) run examples/lesson_01_vector_add/vector_add.asc
	@if .venv/bin/python -c "import torch" 2>/dev/null; then \
	  cmake --build $(BUILD) -j$(JOBS) --target _native && \
	  echo "+ hostnpu run examples/lesson_07_flash_attention/flash_attention.py" && \
	  PATH="$(CURDIR)/.venv/bin:$$PATH" $(HOSTNPU) run examples/lesson_07_flash_attention/flash_attention.py; \
	else echo "demo: no torch in .venv, so the TileLang flash attention is left out"; fi

test: build  ## Run every test: ctest, then pytest
	@tools/run_tests.sh $(PRESET) -j$(JOBS)

smoke: build  ## Run the quick tests only
	@tools/run_tests.sh $(PRESET) -j$(JOBS) -L smoke

bench: build  ## Measure, and write benchmarks/out/table.md
	@.venv/bin/python tools/bench_table.py --build $(BUILD)

format: setup  ## Rewrite the sources in the project's format
	@tools/format.sh

tidy: build  ## Run clang-tidy over src/: minutes, so not part of check
	@PRESET=$(PRESET) tools/tidy.sh

check: build  ## Format, layers, headers and sizes: what CI checks besides the tests
	@tools/presubmit.sh --no-tests

sanitize: setup  ## The whole suite under ASan with UBSan, and under TSan
	@tools/sanitize.sh

install: build  ## Install into PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(or $(PREFIX),/usr/local)

clean:  ## Remove everything that was built
	@rm -rf build
