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
# pytest runs under asan and ubsan, with the sanitizer's run time loaded into the interpreter first. Under tsan it
# does not: neither the interpreter nor torch is built with it, and it would report what they do right.
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

# The last line of pytest; nothing where the preset has none.
run_pytest() {
  local preset=$1 library log=build/$1-pytest.log
  case $preset in
    asan) library=asan ;;
    ubsan) library=ubsan_standalone ;;
    *) return 0 ;;
  esac
  library=$(clang++-19 -print-file-name="libclang_rt.$library-$(uname -m).so")
  local report=$PWD/build/$preset-pytest-report  # pytest would keep the output of a process that ends in a test
  rm -f "$report".*
  HOSTNPU_BUILD_DIR=$PWD/build/$preset HOSTNPU_TEST_SANITIZE=$preset PYTHONPATH=$PWD/python \
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0:log_path=$report UBSAN_OPTIONS=$UBSAN_OPTIONS:log_path=$report \
    LD_PRELOAD=$library .venv/bin/python -m pytest tests/python -q -p no:cacheprovider >"$log" 2>&1
  local status=$?
  cat "$report".* >>"$log" 2>/dev/null && status=1
  grep -E '^[0-9]+ (passed|failed|skipped)|(passed|failed).* in [0-9]' "$log" | tail -n 1
  return "$status"
}

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
  python_line=""
  if ((!smoke)) && ! python_line=$(run_pytest "$preset"); then
    failed+=("$preset (pytest; see build/$preset-pytest.log)")
  fi
  ctest_line=$(grep -E '^[0-9]+% tests passed' "$log" || echo 'no test was run')
  summary+=("$preset: $ctest_line${python_line:+; pytest: $python_line}; $(minutes $((SECONDS - started)))")
done
printf 'sanitize: %s\n' "${summary[@]}"
if ((${#failed[@]} > 0)); then
  echo "sanitize: failed: ${failed[*]}"
  exit 1
fi
echo "sanitize: clean: ${presets[*]}"
