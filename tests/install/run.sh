#!/usr/bin/env bash
# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs a build, moves the installation, and builds and runs project/ against it, as a user would:
# nothing of the build tree or of the sources is on any path. Then the same with a source that does not
# compile, which has to stop the user's build with the name of the user's file.
#
#   run.sh BUILD CXX
set -euo pipefail
build=$1
compiler=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/made" >/dev/null
mkdir "$scratch/elsewhere"
mv "$scratch/made" "$scratch/elsewhere/hostnpu installed"  # a blank in the path is part of the test
prefix="$scratch/elsewhere/hostnpu installed"
export HOSTNPU_CACHE_DIR=$scratch/cache

cp -r "$here/project" "$scratch/project"
cmake -S "$scratch/project" -B "$scratch/project/build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$scratch/configure.log" 2>&1 ||
  { cat "$scratch/configure.log"; exit 1; }
cmake --build "$scratch/project/build"
"$scratch/project/build/scale"

# Untouched sources are not compiled again; a touched kernel, or a header of its own, is.
says() {
  cmake --build "$scratch/project/build" >"$scratch/again.log" 2>&1
  grep -q "$1" "$scratch/again.log" || { echo "the build does not say '$1':"; cat "$scratch/again.log"; exit 1; }
}
says 'no work to do'
touch "$scratch/project/kernel.asc"
says 'Compiling Ascend C kernel.asc'
touch "$scratch/project/include/scale.h"
says 'Compiling Ascend C kernel.asc'

sed -i 's/Muls(/NoSuchInstruction(/' "$scratch/project/kernel.asc"
if cmake --build "$scratch/project/build" >"$scratch/broken.log" 2>&1; then
  echo "a kernel that does not compile did not stop the build"
  exit 1
fi
grep -E 'kernel\.asc:[0-9]+:[0-9]+: error: ' "$scratch/broken.log" || { cat "$scratch/broken.log"; exit 1; }
echo "the user project works, and its broken twin is refused"
