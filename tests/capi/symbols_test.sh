#!/bin/sh
# symbols_test.sh LIBRARY SYMBOLS HEADER: the library exports the functions of libvmaf that SYMBOLS lists, what HEADER declares under the prefix
# isometric_, and nothing else; its SONAME is libvmaf.so.3 and it has no symbol versions.
set -eu
library=$1 symbols=$2 header=$3
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort)
expected=$( (cat "$symbols"; sed -n 's/^.*[ *]\(isometric_[a-z_]*\)(.*/\1/p' "$header") | grep -v '^$' | sort -u)
if [ "$exported" != "$expected" ]; then
    echo "exported symbols differ (< expected, > exported):"
    a=$(mktemp) b=$(mktemp)
    echo "$expected" >"$a"
    echo "$exported" >"$b"
    diff "$a" "$b" || true
    rm -f "$a" "$b"
    exit 1
fi
readelf -d "$library" | grep -q 'SONAME.*\[libvmaf\.so\.3\]' || { echo "wrong SONAME"; exit 1; }
case $(basename "$(readlink -f "$library")") in
    libvmaf.so.3.2.0) ;;
    *) echo "wrong file name"; exit 1 ;;
esac
nm -D --defined-only "$library" | grep -q '@' && { echo "symbols have versions"; exit 1; }
echo "$(echo "$exported" | wc -l) passed, 0 failed"
