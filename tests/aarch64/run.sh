#!/usr/bin/env bash
# Builds for 64-bit Arm and runs there, under QEMU: tests/aarch64/run.sh quick|all [BUILD].
# quick: the self-test, which compares NEON, SVE2 and portable code with each other and with the scores known from x86. all: the whole suite.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
extent=${1:-}
build=${2:-$root/build/aarch64}
case $extent in quick | all) ;; *) echo "usage: $0 quick|all [BUILD]" >&2; exit 1 ;; esac

"$root/scripts/setup-aarch64"
export CCACHE_BASEDIR=$root
[ -f "$build/build.ninja" ] || (cd "$root" && cmake --preset aarch64 -B "$build")
if [ "$extent" = quick ]; then
  ninja -C "$build" isometric_program
  report=$(qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu "$build/bin/isometric" selftest)
  echo "$report"
  # A machine without SVE2 would pass with less.
  for level in neon sve2; do grep -qw "$level" <<<"$report" || { echo "$level took no part" >&2; exit 1; }; done
else
  ninja -C "$build"
  cd "$build" && exec ctest --output-on-failure -j 2 -LE "slow|guards" --no-tests=error
fi
