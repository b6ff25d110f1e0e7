#include "parity/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "metrics/registry.h"

namespace isometric {
namespace {

ClipSpec clip(int width, int height, int depth, ChromaFormat chroma, int frames, Source source, Distortion distortion, std::uint32_t seed) {
    ClipSpec spec;
    spec.format = {width, height, depth, chroma};
    spec.frames = frames;
    spec.source = source;
    spec.distortion = distortion;
    spec.seed = seed;
    return spec;
}

// The same visible change at every depth.
Distortion scaled(DistortionKind kind, int amount_at_8_bits, int depth) {
    const bool in_samples = kind == DistortionKind::noise || kind == DistortionKind::quant || kind == DistortionKind::posterize;
    return {kind, in_samples ? amount_at_8_bits << (depth - 8) : amount_at_8_bits};
}

std::vector<ClipSpec> quick_clips() {
    using enum ChromaFormat;
    using enum DistortionKind;
    return {
        clip(1, 1, 8, yuv420, 2, Source::noise, {}, 1),
        clip(3, 3, 8, yuv444, 3, Source::noise, scaled(noise, 9, 8), 2),
        clip(16, 16, 10, yuv420, 3, Source::noise, scaled(noise, 9, 10), 3),
        clip(33, 35, 8, yuv420, 4, Source::texture, scaled(quant, 24, 8), 4),
        clip(47, 33, 12, yuv422, 3, Source::noise, scaled(noise, 200, 12), 5),
        clip(64, 64, 16, yuv400, 3, Source::noise, scaled(noise, 9, 16), 6),
        clip(79, 53, 10, yuv444, 3, Source::checker1, scaled(shift, 1, 10), 7),
        clip(129, 65, 9, yuv420, 3, Source::texture, scaled(quant, 12, 9), 8),
        clip(176, 144, 8, yuv420, 4, Source::cut, scaled(blur, 1, 8), 9),
        clip(208, 120, 16, yuv420, 2, Source::max, scaled(noise, 3, 16), 10),
        clip(257, 131, 14, yuv422, 2, Source::texture, scaled(gain, 130, 14), 11),
        clip(353, 289, 10, yuv420, 3, Source::texture, scaled(blur, 2, 10), 12),
        clip(320, 180, 8, yuv444, 3, Source::flatdots, scaled(blur, 1, 8), 13),
        clip(577, 323, 8, yuv420, 2, Source::texture, scaled(quant, 24, 8), 14),
        clip(640, 362, 10, yuv420, 2, Source::gradient, scaled(posterize, 4, 10), 15),
    };
}

std::vector<ClipSpec> full_clips() {
    using enum DistortionKind;
    std::vector<ClipSpec> clips = quick_clips();
    // Where vector tails live: every width from one AVX2 vector of words to past two AVX-512 vectors of bytes.
    for (int width = 33; width <= 140; ++width)
        clips.push_back(clip(width, 37 + width % 9, width % 2 ? 8 : 10, ChromaFormat::yuv420, 2, Source::noise, scaled(noise, width, width % 2 ? 8 : 10),
                             std::uint32_t(width)));
    std::uint32_t seed = 1000;
    for (const int depth : {8, 9, 10, 11, 12, 13, 14, 15, 16})
        for (const ChromaFormat chroma : {ChromaFormat::yuv400, ChromaFormat::yuv420, ChromaFormat::yuv422, ChromaFormat::yuv444})
            clips.push_back(clip(193, 109, depth, chroma, 3, Source::texture, scaled(quant, 20, depth), ++seed));
    for (const Source source : {Source::texture, Source::cut, Source::noise, Source::max, Source::black, Source::flatdots, Source::checker1,
                                Source::checker10, Source::gradient})
        for (const DistortionKind kind : {none, noise, blur, quant, shift, gain})
            for (const int depth : {8, 16}) clips.push_back(clip(321, 179, depth, ChromaFormat::yuv420, 2, source, scaled(kind, kind == gain ? 120 : 2, depth), ++seed));
    for (const int depth : {8, 10, 16}) {
        clips.push_back(clip(1920, 1080, depth, ChromaFormat::yuv420, 2, Source::texture, scaled(quant, 24, depth), ++seed));
        clips.push_back(clip(3840, 2160, depth, ChromaFormat::yuv420, 2, Source::texture, scaled(noise, 9, depth), ++seed));
    }
    clips.push_back(clip(2560, 1440, 16, ChromaFormat::yuv400, 1, Source::noise, scaled(noise, 2, 16), ++seed));
    clips.push_back(clip(4096, 2560, 16, ChromaFormat::yuv400, 1, Source::max, scaled(noise, 3, 16), ++seed));
    return clips;
}

std::vector<std::string> values_to_try(const OptionSpec& option, Extent extent) {
    const auto whole = [&](double v) { return option.type == OptionType::integer ? fmt::format("{}", std::int64_t(v)) : fmt::format("{:g}", v); };
    switch (option.type) {
        case OptionType::boolean: return {option.default_number != 0 ? "false" : "true"};
        case OptionType::integer:
        case OptionType::real: {
            std::vector<std::string> values = {whole(option.minimum), whole(option.maximum)};
            if (extent == Extent::full) values.push_back(whole((option.minimum + option.default_number) / 2));
            return values;
        }
        case OptionType::text: return {};
    }
    return {};
}

}  // namespace

std::string MetricRequest::describe() const {
    std::string text = metric;
    for (const OptionText& option : options) text += fmt::format(":{}={}", option.name, option.value);
    return text;
}

Result<MetricRequest> MetricRequest::parse(std::string_view text) {
    MetricRequest request;
    const std::size_t end = text.find(':');
    request.metric = text.substr(0, end);
    while (end != std::string_view::npos && !text.empty()) {
        const std::size_t colon = text.find(':');
        if (colon == std::string_view::npos) break;
        text.remove_prefix(colon + 1);
        const std::string_view item = text.substr(0, text.find(':'));
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos) return error(Code::invalid_argument, "'{}': an option is NAME=VALUE", item);
        request.options.push_back({std::string(item.substr(0, equals)), std::string(item.substr(equals + 1))});
    }
    return request;
}

std::vector<ClipSpec> matrix_clips(Extent extent) { return extent == Extent::quick ? quick_clips() : full_clips(); }

std::vector<MetricRequest> matrix_requests(Extent extent) {
    std::vector<MetricRequest> requests;
    for (const MetricInfo* info : all_metrics()) {
        std::vector<OptionText> base;
        for (const OptionSpec& option : info->options)
            if (option.name == "debug" || (!option.in_name && option.type == OptionType::boolean && option.name.starts_with("enable_")))
                base.push_back({std::string(option.name), "true"});
        requests.push_back({std::string(info->name), base});
        for (const OptionSpec& option : info->options) {
            // Options that names do not show cannot run beside their defaults: they are on in the base configuration, or tested by the metric.
            if (!option.in_name) continue;
            for (const std::string& value : values_to_try(option, extent)) {
                std::vector<OptionText> options = base;
                options.push_back({std::string(option.name), value});
                requests.push_back({std::string(info->name), std::move(options)});
            }
        }
    }
    return requests;
}

}  // namespace isometric
