#!/bin/sh
# install_test.sh BUILD SOURCE CC [FLAGS...]: component compat installs headers, both libraries and the pkg-config file, with which C programs build, shared
# and static; a default install has none of it.
set -eu
build=$1 source=$2 cc=$3
shift 3
prefix=$build/compat/install
rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix/all" >/dev/null
if find "$prefix/all" -name 'libvmaf*' -o -path '*/libvmaf/*' | grep .; then
    echo "the default install contains libvmaf"
    exit 1
fi
cmake --install "$build" --prefix "$prefix/compat" --component compat >/dev/null
cd "$prefix/compat"
pc=$(find . -name libvmaf.pc)
PKG_CONFIG_PATH=$(pwd)/$(dirname "$pc")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion libvmaf)" = 3.2.0 ]
pkg-config --exists 'libvmaf >= 2.0.0'
# shellcheck disable=SC2046
"$cc" "$@" -std=c99 "$source/examples/score_raw.c" -o shared_program $(pkg-config --cflags --libs libvmaf)
# shellcheck disable=SC2046
"$cc" "$@" -std=c99 "$source/examples/score_raw.c" -o static_program $(pkg-config --cflags libvmaf) "$(find . -name libvmaf.a)" \
    $(pkg-config --libs --static libvmaf | sed 's/-lvmaf//')
libdir=$(dirname "$(find . -name libvmaf.so.3)")
awk 'BEGIN { for (i = 0; i < 2 * 64 * 64 * 3 / 2; ++i) printf "%c", 33 + (i * 7 + int(i / 64) * 5) % 90 }' >ref.yuv
awk 'BEGIN { for (i = 0; i < 2 * 64 * 64 * 3 / 2; ++i) printf "%c", 33 + (i * 7 + int(i / 64) * 5 + i % 3) % 90 }' >dis.yuv
a=$(LD_LIBRARY_PATH=$libdir ./shared_program ref.yuv dis.yuv 64 64)
b=$(./static_program ref.yuv dis.yuv 64 64)
[ -n "$a" ] && [ "$a" = "$b" ] || { echo "shared: $a; static: $b"; exit 1; }
! ldd ./static_program | grep -q libvmaf
ldd ./shared_program | grep -q 'libvmaf\.so\.3'
[ -x bin/vmaf ] || { echo "no command vmaf in component compat"; exit 1; }
echo "1 passed, 0 failed"
