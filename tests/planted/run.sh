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

build=$tree/build
jobs=$(nproc)
export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
log=$work/log
configure() { cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DISO_BENCH=OFF -DISO_PLANTED=OFF; }
configure > "$log" 2>&1 || { cat "$log"; exit 1; }

run_suite() { (cd "$build" && ctest -j "$jobs" -LE slow --output-on-failure "$@"); }
first_failure() { sed -n 's/^[[:space:]]*[0-9]* - \([^ ]*\) (.*/\1/p' "$1" | head -1; }

caught=0 missed=0
for name in "${names[@]}"; do
  patch=$root/tests/planted/$name.patch
  [ -f "$patch" ] || { echo "MISSED  $name: there is no such patch"; missed=$((missed + 1)); continue; }
  reason=$(sed -n 's/^# reason: //p' "$patch" | head -1)
  test=$(sed -n 's/^# caught-by: //p' "$patch" | head -1)
  started=$SECONDS
  if ! (cd "$tree" && patch -p1 --silent --forward --fuzz=3 < "$patch") > "$log" 2>&1; then
    echo "MISSED  $name: the patch does not apply any more ($reason)"
    (cd "$tree" && git -C "$root" ls-files -z >/dev/null; find . -name '*.rej' -not -path './build/*' -delete; find . -name '*.orig' -not -path './build/*' -delete)
    while IFS= read -r -d '' file; do cmp -s "$root/$file" "$tree/$file" || cp "$root/$file" "$tree/$file"; done < "$work/files"
    missed=$((missed + 1))
    continue
  fi
  by=""
  if ! cmake --build "$build" -j "$jobs" --target "$test" > "$log" 2>&1; then
    by="the compiler"
  elif ! (cd "$build" && ctest -R "^$test\$" --output-on-failure --no-tests=error) > "$log" 2>&1; then
    by=$test
  else
    cmake --build "$build" -j "$jobs" > "$log" 2>&1 && run_suite > "$log" 2>&1 || by="$(first_failure "$log") (not $test)"
  fi
  while IFS= read -r -d '' file; do cmp -s "$root/$file" "$tree/$file" || cp "$root/$file" "$tree/$file"; done < "$work/files"
  if [ -n "$by" ]; then
    caught=$((caught + 1))
    echo "caught  $name by $by ($((SECONDS - started)) s): $reason"
  else
    missed=$((missed + 1))
    echo "MISSED  $name: every test passes ($reason)"
  fi
done
echo "$caught caught, $missed missed"
[ "$missed" -eq 0 ]
