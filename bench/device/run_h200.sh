#!/bin/sh
# Bits and times on a machine with an NVIDIA card that has a driver and nothing else: no compiler, no CUDA toolkit, no packages.
#
#   bench/device/run_h200.sh bundle BUILD FOLDER   here: builds, and puts programs, libraries and this script into FOLDER
#   FOLDER/run_h200.sh [device_bench's options]    there: device tests on cuda, on hip over the forwarding library, the whole parity matrix, then
#                                                  device_bench
#
# BUILD is configured with -DCMAKE_BUILD_TYPE=Release -DISO_BENCH=ON. The run takes less than ten minutes; its exit status is that of the first
# part that failed, and it goes on after one.
set -u
here=$(cd "$(dirname "$0")" && pwd)

if [ "${1:-}" = bundle ]; then
    set -e
    build=$2 folder=$3
    cmake --build "$build" --target device_bench device_test device_twin_test device_runner_test hip_on_cuda isometric_program
    mkdir -p "$folder/lib" "$folder/hip_on_cuda"
    cp "$build/bench/device/device_bench" "$build"/tests/device/device_test "$build"/tests/device/device_twin_test \
        "$build"/tests/device/device_runner_test "$build/bin/isometric" "$here/run_h200.sh" "$folder"
    cp "$build/tests/device/hip_on_cuda/libamdhip64.so.7" "$folder/hip_on_cuda"
    strip "$folder"/device_* "$folder/isometric" "$folder/hip_on_cuda/libamdhip64.so.7"
    # Everything but the C library and the loader, which the other machine has in a version at least as new.
    for program in "$folder"/device_* "$folder/isometric"; do ldd "$program"; done | awk '$3 ~ /^\// {print $3}' | sort -u |
        grep -v -E '/(libc|libm|libdl|libpthread|librt)\.so' | xargs -I{} cp -L {} "$folder/lib"
    du -sh "$folder"
    exit 0
fi

cd "$here" || exit 1
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
status=0
part() {
    echo "== $*"
    "$@" || { code=$?; echo "FAILED ($code): $*"; [ $status -ne 0 ] || status=$code; }
}
tests() {
    for program in device_test device_twin_test device_runner_test; do
        part timeout 120 "./$program" --gtest_brief=1 --gtest_filter='-*Slow*:Devices.AreSelected*'
    done
}
ISOMETRIC_TEST_BACKEND=cuda
export ISOMETRIC_TEST_BACKEND
tests
ISOMETRIC_TEST_BACKEND=hip
LD_LIBRARY_PATH="$here/hip_on_cuda:$LD_LIBRARY_PATH"
tests
part timeout 240 ./isometric parity --full --path cuda --feature psnr --feature float_moment
part timeout 280 ./device_bench --backend cuda "$@"
exit $status
