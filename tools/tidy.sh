#!/usr/bin/env bash
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs clang-tidy 19 with .clang-tidy over the sources that the build compiles: all of src/ and
# python/bindings, or the files named. Needs a configured build (compile_commands.json).
#
#   tools/tidy.sh [FILE...]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
build=build/${PRESET:-release}
if [[ ! -f $build/compile_commands.json ]]; then
  echo "tidy: there is no $build/compile_commands.json; run: make build" >&2
  exit 2
fi
if ! command -v clang-tidy-19 >/dev/null; then
  echo "tidy: there is no clang-tidy-19; run: make setup" >&2
  exit 2
fi
if (($# > 0)); then
  files=("$@")
else
  mapfile -t files < <(sed -n 's/^  "file": "\(.*\)",*$/\1/p' "$build/compile_commands.json" |
    grep -E "^$PWD/(src|python/bindings)/.*\.cc$" | grep -v '_test\.cc$' | sort -u)
fi
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 -p "$build" --quiet 2>/dev/null || {
  echo "tidy: findings above" >&2
  exit 1
}
