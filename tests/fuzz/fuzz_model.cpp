// Model files. An input is a model file; one that starts with '#' is the text of an SVM, for 4 features. What is accepted must predict,
// with the bits of the naive reference, and must survive being written and read again.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "isometric/model.h"
#include "model/model_json.h"
#include "model/svm_text.h"
#include "tests/model/model_support.h"
#include "tests/support/bits.h"

namespace isometric::test {
namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check_error(const Error& error) {
    require(error.code == Code::bad_model);
    require(error.message.starts_with("fuzz"));
}

void check_model(std::string_view json) {
    const auto set = parse_model_json(json, "fuzz");
    if (!set) return check_error(set.error());
    ModelSettings settings;
    settings.disable_clip = settings.enable_transform = json.size() % 2;
    auto model = Model::parse(json, "fuzz", settings);
    require(bool(model));
    const std::size_t count = model->score_names().size();
    for (const std::vector<double>& features : feature_vectors(model->features().size(), 8, 1)) {
        std::vector<double> scores(count);
        model->predict(features, scores);
        const std::vector<double> expected = reference_scores(*set, settings, features);
        for (std::size_t i = 0; i < count; ++i)
            require(equal_bits(scores[i], expected[i]) || (std::isnan(scores[i]) && std::isnan(expected[i])));
    }
    (void)model->overload("vif", "vif_enhn_gain_limit", "1");

    const auto again = parse_model_json(to_json(*set), "fuzz");
    require(bool(again) && again->models.size() == set->models.size());
    for (std::size_t m = 0; m < set->models.size(); ++m) require(difference(set->models[m], again->models[m]).empty());
}

void check_svm(std::string_view text) {
    const auto svm = parse_svm_text(text, 4, "fuzz");
    if (!svm) return check_error(svm.error());
    require(svm->values.size() == 4 * svm->size() && svm->listed.size() == svm->size() && svm->size() > 0);
}

}  // namespace
}  // namespace isometric::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.starts_with('#')) isometric::test::check_svm(text.substr(1));
    else isometric::test::check_model(text);
    return 0;
}
