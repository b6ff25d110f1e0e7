#!/usr/bin/env bash
# no_avx_vnni.sh PROGRAM: it has none of AVX-VNNI's instructions. Highway compiles the level avx512_dl with them allowed, and Ice Lake, which gets that
# level, lacks them: a compiler that turned a loop into one would crash there.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The disassembler must know one when it sees it.
echo '{vex} vpdpbusd %ymm0, %ymm1, %ymm2' | as -o "$scratch/one.o" -
objdump -d "$scratch/one.o" | grep -q '{vex}' || { echo "this objdump does not tell AVX-VNNI's instructions" >&2; exit 1; }
objdump -d "$1" > "$scratch/code"
grep -q 'vpdp' "$scratch/code" || { echo "$1 has no dot products at all: is it the program?" >&2; exit 1; }
if grep -m 5 '{vex}' "$scratch/code"; then exit 1; fi
