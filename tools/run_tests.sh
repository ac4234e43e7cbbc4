#!/usr/bin/env bash
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs ctest and pytest on what is built, both even if the first fails, and closes with the summary
# line of each, so that the end of a long log says what happened.
#
#   tools/run_tests.sh [PRESET] [ctest arguments]      -L smoke also narrows pytest to -m smoke
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

preset=${1:-release}
shift || true
build=build/$preset
if [[ ! -f $build/CTestTestfile.cmake ]]; then
  echo "run_tests: nothing is built in $build; run: make build PRESET=$preset" >&2
  exit 2
fi
python=.venv/bin/python
[[ -x $python ]] || python=python3

export HOSTNPU_CACHE_DIR=${HOSTNPU_CACHE_DIR:-$PWD/$build/test-cache}  # not the one you work with
logs=$build/Testing/logs
mkdir -p "$logs"
pytest_arguments=(-q)
[[ " $* " == *" -L smoke "* ]] && pytest_arguments+=(-m smoke)

echo "+ ctest --test-dir $build --output-on-failure $*"
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout 300 "$@" 2>&1 | tee "$logs/ctest.log"
ctest_status=${PIPESTATUS[0]}
[[ $ctest_status == 0 ]] || ctest_failed=1

pytest_line="pytest: there is no tests/python"
pytest_status=0
if [[ -d tests/python ]]; then
  export PYTHONPATH="$PWD/python:$PWD/$build/python${PYTHONPATH:+:$PYTHONPATH}"
  export HOSTNPU_BUILD_DIR="$PWD/$build"
  echo "+ pytest tests/python ${pytest_arguments[*]}"
  "$python" -m pytest tests/python "${pytest_arguments[@]}" 2>&1 | tee "$logs/pytest.log"
  pytest_status=${PIPESTATUS[0]}
  # Not the last line: a library may have its say when the interpreter ends.
  pytest_line=$(grep -E '^[0-9]+ (passed|failed|skipped|deselected|error).* in [0-9]|^no tests ran' "$logs/pytest.log" | tail -n 1)
  # 5: no test was selected, which is no failure of any test.
  [[ $pytest_status == 5 ]] && pytest_status=0
fi

echo
echo "---- the end of each ----"
if [[ ${ctest_failed:-0} == 1 ]]; then
  sed -n '/The following tests FAILED/,$p' "$logs/ctest.log"
  grep -E '^(FAILED|ERROR) ' "$logs/pytest.log" 2>/dev/null
fi
grep -E '^[0-9]+% tests passed|^No tests were found' "$logs/ctest.log" | tail -n 1
echo "$pytest_line"
((ctest_status == 0 && pytest_status == 0))
