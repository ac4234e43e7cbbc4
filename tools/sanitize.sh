#!/usr/bin/env bash
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds and tests hostnpu itself under each sanitizer; a report of any of them fails its test.
#
#   tools/sanitize.sh [--smoke] [PRESET...]      presets: asan (with UBSan in it) and tsan, unless named;
#                                                ubsan is UBSan alone
#   --smoke builds and runs the unit tests only, under tsan those of the layers that have threads
#
# Says at the start how long it takes, at the end how many tests each preset ran and how long that took, and
# in its last line whether all were clean.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

smoke=0
presets=()
for argument in "$@"; do
  case $argument in
    --smoke) smoke=1 ;;
    asan | tsan | ubsan) presets+=("$argument") ;;
    *) echo "sanitize: unknown argument '$argument' (known: --smoke, asan, tsan, ubsan)" >&2; exit 2 ;;
  esac
done
((${#presets[@]} == 0)) && presets=(asan tsan)
duration="about an hour on two cores each; with what is unchanged in the compiler's cache a quarter of it"
((smoke)) && duration="about ten minutes on two cores each, with a warm compiler cache two"

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=0:strict_string_checks=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
symbolizer=$(command -v llvm-symbolizer-19) && export ASAN_SYMBOLIZER_PATH=$symbolizer TSAN_SYMBOLIZER_PATH=$symbolizer

minutes() { printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }

echo "sanitize: ${presets[*]}: $duration"
failed=() summary=()
for preset in "${presets[@]}"; do
  echo "---- $preset"
  started=$SECONDS
  log=build/$preset-tests.log
  rm -f "$log"
  export HOSTNPU_CACHE_DIR=$PWD/build/$preset/test-cache  # not the one you work with
  selection=() targets=()
  if ((smoke)) && [[ $preset == tsan ]]; then
    selection=(-L '^unit$' -L '^(engine|runtime|workspace)$')
    targets=(--target engine_test runtime_test workspace_test)
  elif ((smoke)); then
    selection=(-L '^unit$')
    targets=(--target unit_tests)
  fi
  if ! { cmake --preset "$preset" -DHOSTNPU_BUILD_BENCHMARKS=OFF >"build/$preset.log" 2>&1 || {
           tail -n 20 "build/$preset.log"; false; }; } ||
     ! cmake --build "build/$preset" -j"$(nproc)" "${targets[@]}" ||
     ! ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j"$(nproc)" --timeout 600 \
         "${selection[@]}" 2>&1 | tee "$log"; then
    failed+=("$preset")
  fi
  summary+=("$preset: $(grep -E '^[0-9]+% tests passed' "$log" || echo 'no test was run'); $(minutes $((SECONDS - started)))")
done
printf 'sanitize: %s\n' "${summary[@]}"
if ((${#failed[@]} > 0)); then
  echo "sanitize: failed: ${failed[*]}"
  exit 1
fi
echo "sanitize: clean: ${presets[*]}"
