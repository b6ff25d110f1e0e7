// synthclip: writes a test clip as y4m or raw YUV.
//
//   synthclip --size 577x323 --bits 10 --chroma 420 --frames 6 --source texture --distortion quant:12 --seed 1 -o dis.y4m
//
// The reference of a pair is the same call with --distortion none. A name that ends in .yuv gets raw YUV without headers.
#include <cstdio>
#include <iostream>
#include <map>
#include <string>

#include "base/error.h"
#include "tests/support/clip.h"

namespace isometric::test {
namespace {

Result<ClipSpec> spec_from(std::map<std::string, std::string>& o) {
    return ClipSpec::parse(fmt::format("{} {} {} {} {} {} {}", o["--size"], o["--bits"], o["--chroma"], o["--frames"], o["--source"],
                                       o["--distortion"], o["--seed"]));
}

Status write_clip(const ClipSpec& spec, const std::string& path) {
    ISO_DO(spec.format.check());
    const bool raw = path.ends_with(".yuv");
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return error(Code::output_failed, "{} cannot be opened", path);
    std::string bytes = raw ? std::string() : y4m_header(spec);
    bool written = true;
    for (int n = 0; n < spec.frames && written; ++n) {
        if (!raw) bytes += "FRAME\n";
        append_planes(spec, make_frame(spec, n), bytes);
        written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
        bytes.clear();
    }
    written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && written;
    if (std::fclose(file) != 0 || !written) return error(Code::output_failed, "{} cannot be written", path);
    return {};
}

int run(int argc, char** argv) {
    std::map<std::string, std::string> options{{"--size", "576x324"},   {"--bits", "8"},          {"--chroma", "420"}, {"--frames", "3"},
                                               {"--source", "texture"}, {"--distortion", "none"}, {"--seed", "1"},     {"-o", ""}};
    for (int i = 1; i < argc; i += 2) {
        if (!options.count(argv[i]) || i + 1 == argc) return std::cerr << "synthclip: unknown option or no value: " << argv[i] << "\n", 2;
        options[argv[i]] = argv[i + 1];
    }
    if (options["-o"].empty()) return std::cerr << "synthclip: needs -o FILE\n", 2;
    const Result<ClipSpec> spec = spec_from(options);
    if (!spec) return std::cerr << "synthclip: " << spec.error().message << "\n", 2;
    const Status written = write_clip(*spec, options["-o"]);
    if (!written) return std::cerr << "synthclip: " << written.error().message << "\n", 1;
    return 0;
}

}  // namespace
}  // namespace isometric::test

int main(int argc, char** argv) { return isometric::test::run(argc, argv); }
