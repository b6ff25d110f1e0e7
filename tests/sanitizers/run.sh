#!/usr/bin/env bash
# Builds the suite under a sanitizer and runs it: tests/sanitizers/run.sh asan|tsan quick|all [BUILD].
# quick: the tests of what reads foreign bytes (asan) or shares memory between threads (tsan), with portable passes. all: the whole suite, with the
# passes of every instruction set.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
preset=${1:-} extent=${2:-}
build=${3:-$root/build/$preset-$extent}
case $preset in
  asan) quick=(picture_test report_test input_test model_file_test fuzz_y4m_replay fuzz_report_names_replay) ;;
  tsan) quick=(base_test picture_test session_test) ;;
  *) echo "usage: $0 asan|tsan quick|all [BUILD]" >&2; exit 1 ;;
esac
export CCACHE_BASEDIR=$root
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 TSAN_OPTIONS=halt_on_error=1
[ -f "$build/build.ninja" ] ||
  (cd "$root" && cmake --preset "$preset" -B "$build" -DISO_PORTABLE_ONLY="$([ "$extent" = quick ] && echo ON || echo OFF)")
case $extent in
  quick)
    ninja -C "$build" "${quick[@]}"
    cd "$build" && exec ctest --output-on-failure -j 2 -R "^($(IFS='|'; echo "${quick[*]}"))\$" --no-tests=error ;;
  all)
    ninja -C "$build"
    cd "$build" && exec ctest --output-on-failure -j 2 -LE slow --no-tests=error ;;
  *) echo "usage: $0 asan|tsan quick|all [BUILD]" >&2; exit 1 ;;
esac
