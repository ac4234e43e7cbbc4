#!/usr/bin/env bash
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# What CI checks, in the order in which it fails soonest; every step runs even if one before it failed.
#
#   tools/presubmit.sh               everything CI does
#   tools/presubmit.sh --quick       the static checks and the smoke tests: under a minute when built
#   tools/presubmit.sh --no-tests    the static checks only
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

mode=${1:-all}
case $mode in
  all | --quick | --no-tests) ;;
  *) echo "presubmit: unknown argument '$mode' (known: --quick, --no-tests)" >&2; exit 2 ;;
esac
preset=${PRESET:-release}
jobs=${JOBS:-$(nproc)}
table=() failed=0 closing=""

# Runs one named step, and keeps its verdict and its seconds.
step() {
  local name=$1 started=$SECONDS verdict=ok
  shift
  echo
  echo "==== $name: $*"
  "$@" </dev/null || { verdict=FAILED; failed=1; }
  table+=("$(printf '  %-10s %-7s %5d s' "$name" "$verdict" $((SECONDS - started)))")
  [[ $verdict == ok ]]
}

run_tests() { tools/run_tests.sh "$preset" -j"$jobs" "$@" 2>&1 | tee build/presubmit-tests.log; return "${PIPESTATUS[0]}"; }

step setup tools/setup.sh || exit 1
python=.venv/bin/python
step format tools/format.sh --check
step layers "$python" tools/check_layers.py
step size "$python" tools/size.py
step coverage "$python" tools/check_coverage.py
if [[ $mode == --quick || $mode == all ]]; then
  if step build make --no-print-directory build PRESET="$preset" JOBS="$jobs"; then
    if [[ $mode == --quick ]]; then step tests run_tests -L smoke; else step tests run_tests; fi
    closing=$(sed -n '/^---- the end of each ----$/,$p' build/presubmit-tests.log | tail -n +2)
  fi
fi
# The public headers are tests of ctest; what is left of them is checked here.
if [[ $mode == all ]]; then folders=(src); else folders=(src include); fi
step headers "$python" tools/check_headers.py --jobs "$jobs" "${folders[@]}"
# The sanitizer builds take longer than the rest together: `make sanitize` runs them, before a release.
# They join this list when a whole run of theirs has been seen to pass within CI's time.

echo
echo "==== presubmit"
printf '%s\n' "${table[@]}"
[[ -n $closing ]] && printf '%s\n' "$closing"
exit "$failed"
