#!/usr/bin/env bash
# run.sh BUILD SOURCE: FFmpeg's libvmaf filter on our library. FFmpeg is Debian's source package (build.sh), unchanged; every report that the filter writes
# must be our command line's with the same settings, apart from the version and the speed. Downloads and FFmpeg's build are kept in
# $ISOMETRIC_FFMPEG_CACHE (default: ~/.cache/isometric/ffmpeg).
set -euo pipefail
build=$(realpath "$1") source=$(realpath "$2")
here=$source/tests/capi/ffmpeg
cache=${ISOMETRIC_FFMPEG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/isometric/ffmpeg}
work=$build/tests/capi/ffmpeg
prefix=$work/prefix
mkdir -p "$work"
rm -rf "$prefix"
cmake --install "$build" --prefix "$prefix" --component compat >/dev/null
ffmpeg=$("$here/build.sh" "$cache" "$prefix")
LD_LIBRARY_PATH=$(dirname "$prefix"/lib*/libvmaf.so.3)
export LD_LIBRARY_PATH
ldd "$ffmpeg" | grep -q "libvmaf.so.3 => $LD_LIBRARY_PATH" || { echo "FFmpeg does not use our library"; exit 1; }
cc -O1 -o "$work/half_rows" "$here/half_rows.c"
"$ffmpeg" -version | head -n 1
cd "$work"

width=176 height=144 frames=7
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() { echo "FAILED $1"; failed=$((failed + 1)); }

# clip CHROMA BITS: the raw pair ref-CHROMA-BITS.yuv, dis-CHROMA-BITS.yuv.
clip() {
    local chroma=$1 bits=$2 side distortion
    for side in ref dis; do
        [ $side = ref ] && distortion=none || distortion=quant:$((24 << (bits - 8)))
        "$build/tests/support/synthclip" --size ${width}x$height --bits "$bits" --chroma "$chroma" --frames $frames --seed 3 --distortion "$distortion" -o all.yuv
        if [ "$bits" -gt 8 ]; then ./half_rows $width $height "$chroma" <all.yuv >"$side-$chroma-$bits.yuv"; else cp all.yuv "$side-$chroma-$bits.yuv"; fi
    done
}

run_ffmpeg() {  # CHROMA BITS FILTER-OPTIONS
    local format=yuv${1}p
    [ "$2" -gt 8 ] && format=${format}${2}le
    "$ffmpeg" -nostdin -hide_banner -f rawvideo -pixel_format "$format" -video_size ${width}x$height -i "dis-$1-$2.yuv" \
        -f rawvideo -pixel_format "$format" -video_size ${width}x$height -i "ref-$1-$2.yuv" -lavfi "libvmaf=$3" -f null - >ffmpeg.log 2>&1
}

comparable() { grep -v -e '"version"' -e '"fps"' -e '<VMAF version' -e '<fyi fps' "$1"; }

# same NAME CHROMA BITS FORMAT FILTER-OPTIONS COMMAND-OPTIONS...: one report by each, which must be equal.
same() {
    local name=$1 chroma=$2 bits=$3 format=$4 options=$5
    shift 5
    rm -f "ffmpeg.$format" "vmaf.$format"
    [ -e "ref-$chroma-$bits.yuv" ] || clip "$chroma" "$bits"
    if ! run_ffmpeg "$chroma" "$bits" "log_fmt=$format:log_path=ffmpeg.$format${options:+:$options}"; then
        cat ffmpeg.log
        fail "$name: FFmpeg"
        return
    fi
    if ! "$prefix/bin/vmaf" -q -r "ref-$chroma-$bits.yuv" -d "dis-$chroma-$bits.yuv" -w $width -h $height -p "$chroma" -b "$bits" "--$format" -o "vmaf.$format" "$@"; then
        fail "$name: vmaf"
        return
    fi
    comparable "ffmpeg.$format" >a.txt
    comparable "vmaf.$format" >b.txt
    if [ "$(wc -l <a.txt)" -gt $((frames / 3)) ] && cmp -s a.txt b.txt; then pass; else diff a.txt b.txt | head -n 20; fail "$name"; fi
    [ "$format" = json ] || return 0
    # The score that FFmpeg prints is the mean of the last model's.
    local printed mean
    printed=$(sed -n 's/.*VMAF score: //p' ffmpeg.log | tail -n 1)
    mean=$(awk '/"pooled_metrics"/ { pooled = 1 } pooled && /"mean"/ { gsub(/[",]/, ""); mean = $2 } END { print mean }' ffmpeg.json)
    if [ "$(printf %.4f "$printed")" = "$(printf %.4f "$mean")" ]; then pass; else fail "$name: prints $printed, the report has $mean"; fi
}

# refused NAME TEXT FILTER-OPTIONS: FFmpeg must fail, and TEXT must be in what it prints.
refused() {
    if run_ffmpeg 420 8 "$3"; then fail "$1: FFmpeg succeeded"; return; fi
    if grep -q -e "$2" ffmpeg.log; then pass; else cat ffmpeg.log; fail "$1"; fi
}

same "defaults" 420 8 json ""
for format in xml csv sub; do same "defaults, $format" 420 8 $format ""; done
for threads in 1 2 5; do same "n_threads=$threads" 420 8 json "n_threads=$threads" --threads $threads; done
same "n_subsample=3" 420 8 json "n_subsample=3" --subsample 3
same "n_subsample=2, threads" 420 8 json "n_subsample=2:n_threads=3" --subsample 2
for chroma in 420 422 444; do
    for bits in 8 10; do
        same "$chroma, $bits bits, psnr" $chroma $bits json "feature=name=psnr" --feature psnr
        same "$chroma, $bits bits, psnr, threads" $chroma $bits json "feature=name=psnr:n_threads=2" --feature psnr
    done
done
same "an option of a feature" 420 8 json 'feature=name=psnr\\:enable_chroma=false' --feature psnr=enable_chroma=false
same "two features" 420 8 json 'feature=name=psnr|name=float_moment' --feature psnr --feature float_moment
same "another model" 420 8 json 'model=version=vmaf_4k_v0.6.1' -m version=vmaf_4k_v0.6.1
same "several models" 420 8 json 'model=version=vmaf_v0.6.1\\:name=a|version=vmaf_v0.6.1neg\\:name=neg|version=vmaf_4k_v0.6.1\\:name=big:n_threads=2' \
    -m version=vmaf_v0.6.1:name=a -m version=vmaf_v0.6.1neg:name=neg -m version=vmaf_4k_v0.6.1:name=big
same "flags of a model" 420 8 json 'model=version=vmaf_v0.6.1\\:enable_transform=true\\:disable_clip=true' -m version=vmaf_v0.6.1:enable_transform:disable_clip
same "an overload" 420 8 json 'model=version=vmaf_v0.6.1\\:vif.vif_enhn_gain_limit=1.0' -m version=vmaf_v0.6.1:vif.vif_enhn_gain_limit=1.0
same "a collection as a model" 420 8 csv 'model=version=vmaf_b_v0.6.3' -m version=vmaf_b_v0.6.3
refused "two models of one name" "name=NAME" 'model=version=vmaf_v0.6.1|version=vmaf_4k_v0.6.1'
refused "an unknown model" "vmaf_v0.6.7" 'model=version=vmaf_v0.6.7'
refused "an unknown feature" "psnrr" 'feature=name=psnrr'
refused "an unknown option" "enable_chroma" 'feature=name=psnr\\:enable_chrom=false'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
