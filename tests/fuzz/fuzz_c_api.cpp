// Sequences of calls of the C interface, on handles that are alive, stale, NULL, made up or of another kind. Every call must return one of
// the documented values and keep its promises: failures leave NaN, NULL and zeroed structs, pairs and dictionaries are consumed.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "libvmaf/isometric.h"

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

int checked(int result) {
    require(result == 0 || result == -EINVAL || result == -EAGAIN || result == -EBUSY || result == -EIO || result == -ENODEV);
    if (result != 0) require(isometric_last_error() != nullptr);
    return result;
}

bool is_zero(const VmafPicture& picture) {
    const VmafPicture zero{};
    return std::memcmp(&picture, &zero, sizeof zero) == 0;
}

void on_score(void* data, VmafMetadata* metadata) {
    double score = 0;
    auto* const vmaf = *static_cast<VmafContext**>(data);
    checked(vmaf_feature_score_at_index(vmaf, metadata->feature_name, &score, metadata->picture_index));
    require(checked(vmaf_read_pictures(vmaf, nullptr, nullptr, 0)) != 0);
    require(checked(vmaf_close(vmaf)) != 0);
}

class Calls {
public:
    Calls(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + std::min<std::size_t>(size, 512)) {}

    void run() {
        while (data_ != end_) call(next() % 30);
        for (VmafContext* vmaf : contexts_)
            if (vmaf) vmaf_close(vmaf);
        for (VmafModel* model : models_) vmaf_model_destroy(model);
        for (VmafModelCollection* collection : collections_) vmaf_model_collection_destroy(collection);
        for (VmafFeatureDictionary*& dictionary : dictionaries_) vmaf_feature_dictionary_free(&dictionary);
        for (VmafPicture& picture : pictures_) vmaf_picture_unref(&picture);
    }

private:
    static constexpr std::size_t slots = 4;

    unsigned next() { return data_ == end_ ? 0 : *data_++; }
    unsigned slot() { return next() % slots; }

    VmafContext* context() {
        const unsigned choice = next();
        if (choice == 255) return nullptr;
        if (choice == 254) return reinterpret_cast<VmafContext*>(models_[0]);
        if (choice == 253) return reinterpret_cast<VmafContext*>(this);
        return contexts_[choice % slots];
    }
    const char* extractor() {
        static constexpr std::array names = {"psnr", "motion", "float_moment", "adm", "vif", "no_such_extractor", ""};
        const unsigned choice = next();
        return choice == 255 ? nullptr : names[choice % names.size()];
    }
    const char* score_name() {
        static constexpr std::array names = {"psnr_y",       "vmaf", "a", "VMAF_integer_feature_motion2_score", "integer_motion", "mos",
                                             "vmaf_bagging", "none", ""};
        const unsigned choice = next();
        return choice == 255 ? nullptr : names[choice % names.size()];
    }
    const char* version() {
        static constexpr std::array names = {"vmaf_v0.6.1", "vmaf_4k_v0.6.1", "vmaf_b_v0.6.3", "no_such_model"};
        const unsigned choice = next();
        return choice == 255 ? nullptr : names[choice % names.size()];
    }
    unsigned index() {
        const unsigned choice = next();
        return choice < 250 ? choice % 8 : std::numeric_limits<unsigned>::max() >> (choice - 250);
    }
    VmafPixelFormat pixel_format() { return VmafPixelFormat(next() % 6); }
    unsigned depth() {
        const unsigned choice = next();
        return choice < 200 ? 8 : choice < 230 ? 10 : choice - 230;
    }
    unsigned side() {
        const unsigned choice = next();
        return choice < 250 ? 32 : choice - 250;
    }
    VmafModelConfig model_config() {
        static constexpr std::array<const char*, 4> names = {nullptr, "vmaf", "a", "psnr_y"};
        return {names[next() % names.size()], next() % 8};
    }

    void call(unsigned function);
    void call_context(unsigned function);
    void call_score(unsigned function);
    void call_model(unsigned function);
    void read();
    void metadata();

    const std::uint8_t* data_;
    const std::uint8_t* end_;
    std::array<VmafContext*, slots> contexts_{};
    std::array<VmafModel*, slots> models_{};
    std::array<VmafModelCollection*, slots> collections_{};
    std::array<VmafFeatureDictionary*, slots> dictionaries_{};
    std::array<VmafPicture, 2 * slots> pictures_{};
};

void Calls::read() {
    VmafContext* const vmaf = context();
    VmafPicture none{};
    const unsigned a = next() % 9, b = next() % 9;
    VmafPicture* const ref = a == 8 ? &none : &pictures_[a];
    VmafPicture* const dis = b == 8 ? nullptr : &pictures_[b];
    checked(vmaf_read_pictures(vmaf, ref, dis, index()));
    if (dis) require(is_zero(*ref) && is_zero(*dis));
}

void Calls::metadata() {
    VmafContext*& vmaf = contexts_[slot()];
    char name[] = "psnr_y";
    checked(vmaf_register_metadata_handler(vmaf, {next() % 8 ? name : nullptr, next() % 8 ? on_score : nullptr, &vmaf}));
}

void Calls::call_context(unsigned function) {
    switch (function) {
        case 0: {
            VmafContext*& vmaf = contexts_[slot()];
            if (vmaf) vmaf_close(vmaf);
            const unsigned threads = next();
            const VmafConfiguration cfg{VMAF_LOG_LEVEL_NONE, threads == 255 ? ~0u : threads % 3, next() % 4, next(), 0};
            require((checked(vmaf_init(&vmaf, cfg)) == 0) == (vmaf != nullptr));
            break;
        }
        case 1: checked(vmaf_close(context())); break;
        case 2: {
            VmafFeatureDictionary* const dictionary = dictionaries_[slot()];
            VmafContext* const vmaf = context();
            checked(vmaf_use_feature(vmaf, extractor(), dictionary));
            if (VmafFeatureDictionary* stale = dictionary) require(checked(vmaf_feature_dictionary_set(&stale, "enable_mse", "true")) != 0);
            break;
        }
        case 3: {
            VmafContext* const vmaf = context();
            const char* const name = score_name();
            checked(vmaf_import_feature_score(vmaf, name, next(), index()));
            break;
        }
        case 4: {
            VmafContext* const vmaf = context();
            const unsigned w = side(), bpc = depth();
            checked(vmaf_preallocate_pictures(vmaf, {{w, 32, bpc, pixel_format()}, next() % 6}));
            break;
        }
        case 5: {
            VmafPicture& picture = pictures_[next() % pictures_.size()];
            vmaf_picture_unref(&picture);
            if (checked(isometric_fetch_picture(context(), &picture, 0)) != 0) require(is_zero(picture));
            break;
        }
        case 6: checked(vmaf_write_output(context(), next() % 8 ? "/dev/null" : nullptr, VmafOutputFormat(next() % 6))); break;
        case 7: metadata(); break;
        default: {
            char text[16];
            const int length = isometric_score_name(context(), next(), text, next() % 16);
            require(length >= 0 || length == -EINVAL);
            break;
        }
    }
}

void Calls::call_score(unsigned function) {
    VmafContext* const vmaf = context();
    double score = 1;
    double* const out = next() % 16 ? &score : nullptr;
    VmafModelCollectionScore bootstrap{};
    const auto method = VmafPoolingMethod(next() % 6);
    const unsigned low = index(), high = index();
    int result = 0;
    switch (function) {
        case 0: result = vmaf_feature_score_at_index(vmaf, score_name(), out, low); break;
        case 1: result = vmaf_feature_score_pooled(vmaf, score_name(), method, out, low, high); break;
        case 2: result = vmaf_score_at_index(vmaf, models_[slot()], out, low); break;
        case 3: result = vmaf_score_pooled(vmaf, models_[slot()], method, out, low, high); break;
        case 4: result = vmaf_score_at_index_model_collection(vmaf, collections_[slot()], out ? &bootstrap : nullptr, low); break;
        default:
            result = vmaf_score_pooled_model_collection(vmaf, collections_[slot()], method, out ? &bootstrap : nullptr, low, high);
            break;
    }
    if (checked(result) == 0 || !out) return;
    require(function < 4 ? std::isnan(score)
                         : bootstrap.type == VMAF_MODEL_COLLECTION_SCORE_UNKNOWN && std::isnan(bootstrap.bootstrap.bagging_score));
}

void Calls::call_model(unsigned function) {
    VmafModelConfig cfg = model_config();
    switch (function) {
        case 0: {
            VmafModel*& model = models_[slot()];
            vmaf_model_destroy(model);
            require((checked(vmaf_model_load(&model, &cfg, version())) == 0) == (model != nullptr));
            break;
        }
        case 1: {
            const unsigned k = slot();
            vmaf_model_destroy(models_[k]);
            vmaf_model_collection_destroy(collections_[k]);
            const int result = checked(vmaf_model_collection_load(&models_[k], &collections_[k], &cfg, version()));
            require((result == 0) == (models_[k] != nullptr) && (result == 0) == (collections_[k] != nullptr));
            break;
        }
        case 2: vmaf_model_destroy(models_[slot()]); break;  // the handle stays in its slot, stale
        case 3: vmaf_model_collection_destroy(collections_[slot()]); break;
        case 4: checked(vmaf_use_features_from_model(context(), models_[slot()])); break;
        case 5: checked(vmaf_use_features_from_model_collection(context(), collections_[slot()])); break;
        case 6: checked(vmaf_model_feature_overload(models_[slot()], extractor(), dictionaries_[slot()])); break;
        default: {
            VmafModelCollection* collection = collections_[slot()];
            checked(vmaf_model_collection_feature_overload(models_[slot()], &collection, extractor(), dictionaries_[slot()]));
            break;
        }
    }
}

void Calls::call(unsigned function) {
    if (function < 9) return call_context(function);
    if (function < 15) return call_score(function - 9);
    if (function < 23) return call_model(function - 15);
    switch (function) {
        case 23: checked(vmaf_read_pictures(context(), nullptr, nullptr, 0)); break;
        case 24: {
            static constexpr std::array keys = {"enable_mse", "motion_max_val", "adm_enhn_gain_limit", "vif_enhn_gain_limit", "nonsense"};
            static constexpr std::array values = {"true", "1", "18", "1e40", "nan", "", "100.0000001"};
            const char* const key = keys[next() % keys.size()];
            checked(vmaf_feature_dictionary_set(&dictionaries_[slot()], key, values[next() % values.size()]));
            break;
        }
        case 25: {
            VmafFeatureDictionary*& dictionary = dictionaries_[slot()];
            require(checked(vmaf_feature_dictionary_free(&dictionary)) == 0 && !dictionary);
            break;
        }
        case 26: {
            VmafPicture& picture = pictures_[next() % pictures_.size()];
            vmaf_picture_unref(&picture);
            const VmafPixelFormat format = pixel_format();
            const unsigned bpc = depth();
            if (checked(vmaf_picture_alloc(&picture, format, bpc, side(), 32)) != 0) require(is_zero(picture));
            if (picture.data[0]) std::memset(picture.data[0], int(next()), std::size_t(picture.stride[0]) * picture.h[0]);
            break;
        }
        case 27: {
            VmafPicture& picture = pictures_[next() % pictures_.size()];
            checked(vmaf_picture_unref(&picture));
            require(is_zero(picture));
            break;
        }
        case 28: {  // a copy of the struct: the same picture twice
            const unsigned from = next() % pictures_.size(), to = next() % pictures_.size();
            if (from != to) vmaf_picture_unref(&pictures_[to]);
            pictures_[to] = pictures_[from];
            break;
        }
        default: read(); break;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Calls(data, size).run();
    return 0;
}
