#!/usr/bin/env bash
# Planted regressions: applies each small break of tests/planted/*.patch to a copy of the tree, builds the test that is said to catch it, and expects that test
# to fail. A break that survives its test is tried against the whole suite; one that survives that too is a hole.
#
#   tests/planted/run.sh --quick          the breaks of tests/planted/quick.txt
#   tests/planted/run.sh --all            every break
#   tests/planted/run.sh NAME...          some, by file name without .patch
#   --work DIR                            where the copy is built (kept between runs; default: build/planted)
#
# A patch begins with two lines, "# reason: what it breaks" and "# caught-by: TEST" (a test program's name).
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$root/build/planted
names=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) mapfile -t names < <(grep -v '^#' "$root/tests/planted/quick.txt" | sed '/^$/d') ;;
    --all) mapfile -t names < <(cd "$root/tests/planted" && ls -- *.patch | sed 's/\.patch$//') ;;
    --work) work=$2; shift ;;
    -*) echo "usage: $0 --quick | --all | NAME... [--work DIR]" >&2; exit 1 ;;
    *) names+=("$1") ;;
  esac
  shift
done
[ ${#names[@]} -gt 0 ] || { echo "usage: $0 --quick | --all | NAME... [--work DIR]" >&2; exit 1; }

# The copy: files as they are in the tree, times kept where the contents are the same, so that only what differs is built again.
tree=$work/tree
mkdir -p "$tree"
(cd "$root" && git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do [ -f "$file" ] && printf '%s\0' "$file"; done) > "$work/files"
(cd "$tree" && find . -type f -not -path './build/*' -printf '%P\0') > "$work/present"
comm -z -13 <(sort -z "$work/files") <(sort -z "$work/present") | (cd "$tree" && xargs -0 -r rm -f --)
while IFS= read -r -d '' file; do
  cmp -s "$root/$file" "$tree/$file" || { mkdir -p "$tree/$(dirname "$file")"; cp "$root/$file" "$tree/$file"; }
done < "$work/files"

build=$tree/build/release  # as deep as the build of the tree itself, so that a compiler cache knows what the copy has in common with it
jobs=$(nproc)
export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
log=$work/log
configure() { cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DISO_BENCH=OFF -DISO_PLANTED=OFF -DISO_SANITIZERS=OFF; }
configure > "$log" 2>&1 || { cat "$log"; exit 1; }

run_suite() { (cd "$build" && ctest -j "$jobs" -LE slow --output-on-failure "$@"); }
first_failure() { sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$1" | head -1; }

# The unbroken copy must pass, or nothing would be learned.
for name in "${names[@]}"; do sed -n 's/^# caught-by: //p' "$root/tests/planted/$name.patch" 2>/dev/null | head -1; done | sort -u > "$work/tests"
mapfile -t tests < "$work/tests"
for test in "${tests[@]}"; do
  cmake --build "$build" -j "$jobs" --target "$test" > "$log" 2>&1 && (cd "$build" && ctest -R "^$test\$" --output-on-failure --no-tests=error) > "$log" 2>&1 ||
    { tail -30 "$log"; echo "the unbroken tree does not pass $test"; exit 1; }
done

caught=0 missed=0
miss() { missed=$((missed + 1)); echo "MISSED  $1"; }
for name in "${names[@]}"; do
  patch=$root/tests/planted/$name.patch
  [ -f "$patch" ] || { miss "$name: there is no such patch"; continue; }
  reason=$(sed -n 's/^# reason: //p' "$patch" | head -1)
  test=$(sed -n 's/^# caught-by: //p' "$patch" | head -1)
  started=$SECONDS
  if ! (cd "$tree" && patch -p1 --dry-run --silent --forward --fuzz=3 < "$patch") > "$log" 2>&1; then
    miss "$name: the patch does not apply any more ($reason)"
    continue
  fi
  (cd "$tree" && patch -p1 --silent --forward --fuzz=3 --no-backup-if-mismatch < "$patch")
  by=""
  if ! cmake --build "$build" -j "$jobs" --target "$test" > "$log" 2>&1; then
    miss "$name: it does not compile, which is no test ($reason)"
    grep -m 3 'error' "$log" || true
  else
    if ! (cd "$build" && ctest -R "^$test\$" --output-on-failure --no-tests=error) > "$log" 2>&1; then
      by=$test
    elif ! cmake --build "$build" -j "$jobs" > "$log" 2>&1 || ! run_suite > "$log" 2>&1; then
      by="$(first_failure "$log") (not $test)"
    fi
    if [ -n "$by" ]; then
      caught=$((caught + 1))
      echo "caught  $name by $by ($((SECONDS - started)) s): $reason"
    else
      miss "$name: every test passes ($reason)"
    fi
  fi
  (cd "$tree" && patch -p1 --silent --reverse --fuzz=3 --no-backup-if-mismatch < "$patch")
done
echo "$caught caught, $missed missed"
[ "$missed" -eq 0 ]
