#!/usr/bin/env bash
# build.sh CACHE PREFIX: builds FFmpeg from Debian's source package against the libvmaf in PREFIX, with what its libvmaf filter needs and nothing else, in
# CACHE, and prints the path of the program. A second call with the same package and the same headers builds nothing.
set -euo pipefail
cache=$1 prefix=$2
mkdir -p "$cache"
cd "$cache"
log=$cache/build.log
: >"$log"
fail() { echo "$1; the log is $log" >&2; tail -n 20 "$log" >&2; exit 1; }

# Debian's source package, by a configuration of apt of its own: the machine's sources with deb-src in place of deb, its keys and its settings.
apt_folder=$cache/apt
apt_options=(-o "Dir::Etc::SourceList=$apt_folder/sources.list" -o "Dir::Etc::SourceParts=$apt_folder/parts" -o "Dir::State::Lists=$apt_folder/lists"
    -o "Dir::Cache=$apt_folder/cache" -o APT::Sandbox::User=root)
fetch_source() {
    mkdir -p "$apt_folder/parts" "$apt_folder/lists/partial" "$apt_folder/cache/archives/partial"
    local system=/etc/apt
    sed -n 's/^deb /deb-src /p' "$system"/sources.list "$system"/sources.list.d/*.list 2>/dev/null | grep debian >"$apt_folder/sources.list" || true
    for file in "$system"/sources.list.d/*.sources; do
        if [ -e "$file" ] && grep -q '^URIs:.*debian' "$file"; then sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt_folder/parts/$(basename "$file")"; fi
    done
    apt-get "${apt_options[@]}" update >>"$log" 2>&1 || fail "apt-get update of the source packages failed"
    apt-get "${apt_options[@]}" source --download-only ffmpeg >>"$log" 2>&1 || fail "Debian's FFmpeg source package cannot be fetched"
}
if ! ls ffmpeg_*.dsc >/dev/null 2>&1; then fetch_source; fi
dsc=$(ls ffmpeg_*.dsc | tail -n 1)
source=$cache/${dsc%.dsc}
if [ ! -e "$source/configure" ]; then dpkg-source --no-check -x "$dsc" "$source" >>"$log" 2>&1 || fail "the source package cannot be unpacked"; fi

# One build per package and interface: headers and pkg-config file. The library itself is found when the program runs.
key=$( (cat "$prefix"/include/libvmaf/*.h; sed '/^prefix=/d' "$prefix"/lib*/pkgconfig/libvmaf.pc) | sha256sum | cut -c 1-16)
build=$source/build-$key
if [ ! -x "$build/ffmpeg" ]; then
    mkdir -p "$build"
    cd "$build"
    pkg_config_path=$(dirname "$prefix"/lib*/pkgconfig/libvmaf.pc)
    PKG_CONFIG_PATH=$pkg_config_path ../configure --disable-everything --disable-autodetect --disable-doc --disable-network --disable-debug --disable-x86asm \
        --disable-ffplay --disable-ffprobe --disable-avdevice --disable-postproc --enable-libvmaf --enable-filter=libvmaf,null,scale,format \
        --enable-demuxer=rawvideo --enable-decoder=rawvideo --enable-muxer=null --enable-encoder=wrapped_avframe,rawvideo \
        --enable-protocol=file,pipe >>"$log" 2>&1 || fail "FFmpeg's configure failed (ffbuild/config.log in $build)"
    make -j"${JOBS:-2}" ffmpeg >>"$log" 2>&1 || fail "FFmpeg does not build"
fi
echo "$build/ffmpeg"
