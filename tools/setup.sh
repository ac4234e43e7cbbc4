#!/usr/bin/env bash
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes this machine able to build and test hostnpu: Debian packages by apt, Python packages into
# .venv. Every make target calls it first, so the case that nothing is missing has to cost nothing:
# each package is proved by looking for what it brings (a command, a header), not by asking dpkg,
# which also makes the check true on a system that got the same things another way.
#
#   tools/setup.sh                      everything
#   tools/setup.sh --python=optional    go on without the Python side when it cannot be had
#   tools/setup.sh --check              install nothing; list what is missing, exit 1 if anything is
#
# Environment: HOSTNPU_PYTHON (which python3 makes .venv), HOSTNPU_TORCH=0 (do not install torch).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# package, need, proof. A proof is command:NAME or file:GLOB, the glob below one of `roots`.
# `required` stops the build when it cannot be installed; `optional` only costs the feature named.
readonly apt_packages="
clang-19              required  command:clang++-19
lld-19                required  command:ld.lld-19
llvm-19               required  command:llvm-symbolizer-19
libclang-rt-19-dev    required  file:lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan*.a
clang-format-19       required  command:clang-format-19
clang-tidy-19         optional  command:clang-tidy-19
ccache                required  command:ccache
ninja-build           required  command:ninja
cmake                 required  command:cmake
pkg-config            required  command:pkg-config
git                   optional  command:git
gdb                   optional  command:gdb
libgtest-dev          required  file:include/gtest/gtest.h
libgmock-dev          required  file:include/gmock/gmock.h
libbenchmark-dev      required  file:include/benchmark/benchmark.h
libboost-context-dev  required  file:include/boost/context/fiber.hpp
nlohmann-json3-dev    required  file:include/nlohmann/json.hpp
libcli11-dev          required  file:include/CLI/CLI.hpp
libfmt-dev            required  file:include/fmt/format.h
libspdlog-dev         required  file:include/spdlog/spdlog.h
libxxhash-dev         required  file:include/xxhash.h
"
readonly roots="/usr /usr/local"

# Into .venv. torch is apart: it is large, and the product and most tests do without it.
readonly pip_packages="numpy pytest pytest-xdist hypothesis rich nanobind scikit-build-core ml_dtypes"
readonly torch_package="torch==2.13.0"

python=${HOSTNPU_PYTHON:-python3}
python_need=required
check_only=0
for argument in "$@"; do
  case $argument in
    --python=optional) python_need=optional ;;
    --check) check_only=1 ;;
    *) echo "setup: unknown argument '$argument' (known: --python=optional, --check)" >&2; exit 2 ;;
  esac
done

say() { echo "setup: $*"; }
complain() { echo "setup: $*" >&2; }

# True when one of the words of a proof holds.
proved() {
  local kind=${1%%:*} what=${1#*:} root
  if [[ $kind == command ]]; then
    command -v "$what" >/dev/null
    return
  fi
  for root in $roots; do
    compgen -G "$root/$what" >/dev/null && return 0
    [[ $what == include/* ]] && compgen -G "$root/include/*-linux-gnu/${what#include/}" >/dev/null && return 0
  done
  return 1
}

# Sets missing_required and missing_optional.
find_missing() {
  missing_required=() missing_optional=()
  local package need proof
  while read -r package need proof; do
    [[ -z $package ]] && continue
    proved "$proof" && continue
    if [[ $need == required ]]; then missing_required+=("$package"); else missing_optional+=("$package"); fi
  done <<<"$apt_packages"
}

# Runs a command with its output in a log, and a line of progress every few seconds.
with_progress() {
  local label=$1 log=$2 started=$SECONDS waited=0
  shift 2
  "$@" >>"$log" 2>&1 </dev/null &
  local job=$!
  while kill -0 "$job" 2>/dev/null; do
    sleep 0.2
    waited=$((waited + 1))
    if ((waited % 25 == 0)); then
      say "  $label: $((SECONDS - started)) s; $(grep -v '^WARNING' "$log" 2>/dev/null | tail -n 1 | tr -d '\r' | cut -c1-90)"
    fi
  done
  wait "$job"
}

install_apt() {
  local packages=("$@") as_root=() log=build/setup-apt.log
  local command_line="apt-get install -y --no-install-recommends ${packages[*]}"
  if ! command -v apt-get >/dev/null; then
    cannot_install "this system has no apt-get; hostnpu's set-up knows Debian 12+ and Ubuntu 24.04+" \
      "install these with your package manager (the names are Debian's): ${packages[*]}"
    return 1
  fi
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      cannot_install "you are not root and there is no sudo" "as root: $command_line"
      return 1
    fi
    as_root=(sudo)
    if ! sudo -n true 2>/dev/null; then
      if [[ ! -t 0 ]]; then
        cannot_install "sudo asks for a password and there is no terminal to ask at" "sudo $command_line"
        return 1
      fi
      say "sudo will ask for your password to install: ${packages[*]}"
      sudo -v || { cannot_install "sudo refused" "as root: $command_line"; return 1; }
    fi
  fi
  : >"$log"
  say "installing ${#packages[@]} packages by apt: ${packages[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -o Dpkg::Use-Pty=0
             -o DPkg::Lock::Timeout=300)
  # A fresh container has no package lists, so that the first try may find nothing.
  with_progress "apt-get install" "$log" "${apt[@]}" install --no-install-recommends "${packages[@]}" && return 0
  with_progress "apt-get update" "$log" "${apt[@]}" update
  with_progress "apt-get install" "$log" "${apt[@]}" install --no-install-recommends "${packages[@]}" && return 0
  grep -E '^(E|W|Err):?' "$log" | sort -u | tail -n 8 >&2
  cannot_install "apt-get failed (no network, or a package that this release does not have; log: $log)" \
    "${as_root[*]:+sudo }apt-get update && ${as_root[*]:+sudo }$command_line"
  return 1
}

cannot_install() {
  complain "cannot go on: $1."
  complain "missing: ${missing_required[*]:-} ${missing_optional[*]:-}"
  complain "to do by hand: $2"
  complain "then run the same command again."
}

# What CMakeLists.txt asks for.
check_cmake() {
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  [[ $(printf '%s\n3.24\n' "$version" | sort -V | head -n 1) == 3.24 ]] && return 0
  complain "cmake $version ($(command -v cmake)) is too old: 3.24 is needed."
  return 1
}

# Why this Python cannot make the environment; empty when it can.
python_trouble() {
  if ! command -v "$python" >/dev/null; then
    echo "there is no '$python'; to do by hand: apt-get install -y python3 python3-venv python3-dev"
    return
  fi
  "$python" - <<'PY'
import importlib.util, os, sys, sysconfig
version = "%d.%d" % sys.version_info[:2]
if sys.version_info < (3, 9):
    print(f"{sys.executable} is Python {version}; 3.9 is needed (choose another: HOSTNPU_PYTHON=...)")
elif importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
    print(f"{sys.executable} has no venv; to do by hand: apt-get install -y python3-venv")
elif not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    print(f"{sys.executable} has no Python.h; to do by hand: apt-get install -y python3-dev")
PY
}

# What the environment must have been made of, to be taken as it is.
wanted_environment() { echo "$pip_packages"; }

install_python() {
  local log=build/setup-pip.log trouble
  : >"$log"
  trouble=$(python_trouble)
  if [[ $trouble == *python3-venv* || $trouble == *python3-dev* ]] && [[ $(command -v "$python") == /usr/bin/* ]]; then
    install_apt python3 python3-venv python3-dev && trouble=$(python_trouble)
  fi
  if [[ -n $trouble ]]; then
    complain "Python: $trouble"
    return 1
  fi
  say "making .venv with $("$python" --version) ($(command -v "$python"))"
  if ! with_progress "venv" "$log" "$python" -m venv --clear .venv; then
    complain "Python: '$python -m venv .venv' failed; log: $log"
    return 1
  fi
  say "installing by pip into .venv: $pip_packages"
  # shellcheck disable=SC2086
  if ! with_progress "pip install" "$log" .venv/bin/python -m pip install --disable-pip-version-check $pip_packages; then
    grep -E '^ERROR' "$log" | tail -n 3 >&2
    complain "Python: pip could not install into .venv (no network?); log: $log"
    complain "to do by hand: .venv/bin/python -m pip install $pip_packages"
    return 1
  fi
  wanted_environment >.venv/hostnpu-packages
}

# Never a reason to stop: the tests that compare with torch are skipped without it.
install_torch() {
  local log=build/setup-torch.log
  : >"$log"
  say "installing $torch_package by pip into .venv (some tests compare with it; HOSTNPU_TORCH=0 goes without)"
  # A "+cpu" build where the local package sources have one; it saves gigabytes of GPU libraries.
  if with_progress "pip install" "$log" .venv/bin/python -m pip install --disable-pip-version-check "$torch_package+cpu" ||
     with_progress "pip install" "$log" .venv/bin/python -m pip install --disable-pip-version-check "$torch_package"; then
    echo installed >.venv/hostnpu-torch
  else
    say "torch is not to be had here; tests that compare with it will be skipped (log: $log)"
    say "to try again: rm .venv/hostnpu-torch"
    echo "not to be had" >.venv/hostnpu-torch
  fi
}

python_present() {
  [[ -x .venv/bin/python && -f .venv/hostnpu-packages && $(<.venv/hostnpu-packages) == "$(wanted_environment)" ]]
}
torch_settled() { [[ ${HOSTNPU_TORCH:-1} == 0 || -f .venv/hostnpu-torch ]]; }

main() {
  find_missing
  local complete=1
  ((${#missing_required[@]} + ${#missing_optional[@]} > 0)) && complete=0
  if ((complete)) && python_present && torch_settled; then
    check_cmake
    return
  fi
  if ((check_only)); then
    complain "missing: ${missing_required[*]:-} ${missing_optional[*]:-}$(python_present || echo ' .venv')"
    return 1
  fi

  mkdir -p build
  exec 9>build/.setup.lock
  if command -v flock >/dev/null && ! flock -n 9; then
    say "waiting for another set-up of this folder"
    flock 9
    find_missing
  fi
  if ((${#missing_required[@]} > 0)); then
    install_apt "${missing_required[@]}" "${missing_optional[@]}" || return 1
    find_missing
    if ((${#missing_required[@]} > 0)); then
      cannot_install "apt-get was content, but these do not bring what they should" "look at build/setup-apt.log"
      return 1
    fi
  elif ((${#missing_optional[@]} > 0)); then
    install_apt "${missing_optional[@]}" || say "going on without: ${missing_optional[*]}"
  fi
  check_cmake || return 1
  if ! python_present && ! install_python; then
    [[ $python_need == required ]] && return 1
    say "going on without the Python side"
    return 0
  fi
  torch_settled || install_torch
  say "ready"
}

main
