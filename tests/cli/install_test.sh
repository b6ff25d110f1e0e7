#!/usr/bin/env bash
# install_test.sh BUILD SOURCE COMPILER [FLAG...]: what is installed is enough to build and run the example, by pkg-config and by CMake.
set -euo pipefail
build=$1 source=$2 compiler=$3
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" > /dev/null

"$prefix/bin/isometric" --version
synthclip=$build/tests/support/synthclip
"$synthclip" --size 96x80 --frames 3 -o "$work/reference.y4m"
"$synthclip" --size 96x80 --frames 3 --distortion quant:24 -o "$work/distorted.y4m"
expected=$("$prefix/bin/isometric" -r "$work/reference.y4m" -d "$work/distorted.y4m" | sed 's/ (.*//')

# The installed prefix differs from the configured one, as in a package's staging folder.
pc=$(find "$prefix" -name isometric.pc)
export PKG_CONFIG_PATH=$(dirname "$pc")
export LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")")  # for a shared library (BUILD_SHARED_LIBS)
flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs isometric)
# shellcheck disable=SC2086
"$compiler" "$@" -std=c++20 "$source/examples/score_pair.cpp" $flags -o "$work/by_pkg_config"
"$work/by_pkg_config" "$work/reference.y4m" "$work/distorted.y4m" | grep -F "$expected,"

mkdir "$work/package"
cat > "$work/package/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
find_package(isometric 0.1 REQUIRED)
add_executable(by_cmake ${EXAMPLE})
target_link_libraries(by_cmake PRIVATE isometric::isometric)
END
cmake -S "$work/package" -B "$work/package/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLE="$source/examples/score_pair.cpp" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="$*" > /dev/null
cmake --build "$work/package/build" > /dev/null
"$work/package/build/by_cmake" "$work/reference.y4m" "$work/distorted.y4m" | grep -F "$expected,"
