#!/usr/bin/env bash
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# Rewrites the C++ sources with clang-format 19 and .clang-format, or with --check only says which
# lines would change (exit 1). Without file names: every file of the tree that git knows or could add.
# `.asc` files are not touched: clang-format does not know the `<<<blocks, l2, stream>>>` of a launch.
#
#   tools/format.sh [--check] [FILE...]
set -uo pipefail
formatter=${CLANG_FORMAT:-clang-format-19}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

mode=(-i)
if [[ ${1:-} == --check ]]; then
  mode=(--dry-run --Werror --ferror-limit=3)
  shift
fi
command -v "$formatter" >/dev/null || { echo "format: there is no $formatter; run: make setup" >&2; exit 2; }

if (($# > 0)); then
  files=("$@")
else
  cd "$root" || exit 1
  mapfile -d '' -t files < <(git ls-files -z --cached --others --exclude-standard -- '*.h' '*.cc' '*.cpp' '*.hpp' |
    while IFS= read -r -d '' file; do [[ -f $file && $file != third_party/* ]] && printf '%s\0' "$file"; done)
fi
((${#files[@]} == 0)) && exit 0
if ! printf '%s\0' "${files[@]}" | xargs -0 -n 16 -P "$(nproc)" "$formatter" "${mode[@]}"; then
  echo "format: some files are not in the project's format; run: make format" >&2
  exit 1
fi
