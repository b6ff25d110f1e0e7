#!/usr/bin/env bash
# shared_test.sh BUILD: libisometric as a shared library: the example runs on it, from the build and installed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DISO_DEVICE_CODE=OFF -DISO_PLANTED=OFF -DISO_SANITIZERS=OFF
ninja -C "$build" score_pair isometric_program synthclip vmaf_shared vmaf_static
cd "$build" && ctest -R '^(install_test|example_score_pair)$' --output-on-failure --no-tests=error
