// model_table NAME=FILE.json ... > models.table: published model files as the project's table (src/model/table.h).
// model_table < models.table: the same table again, decoded and written anew; what it prints must equal what it read.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/model_json.h"
#include "model/table.h"
#include "tools/model_table/table_writer.h"

namespace isometric {
namespace {

constexpr std::string_view heading =
    "# Figures of published VMAF models. Their publisher and licence: NOTICE. Format: src/model/table.h. Made by tools/model_table.\n\n";

Result<NamedModels> from_json(std::string_view argument) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string_view::npos) return error(Code::invalid_argument, "'{}' is not NAME=FILE.json", argument);
    NamedModels models{std::string(argument.substr(0, equals)), {}};
    const std::string path(argument.substr(equals + 1));
    std::ifstream file(path, std::ios::binary);
    if (!file) return error(Code::bad_model, "{}: cannot be read", path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    ISO_TRY(models.set, parse_model_json(text, path));
    return models;
}

Status run(int count, char** arguments) {
    std::vector<NamedModels> models;
    for (int i = 1; i < count; ++i) {
        ISO_TRY(models.emplace_back(), from_json(arguments[i]));
    }
    if (count == 1) {
        const std::string table{std::istreambuf_iterator<char>(std::cin), {}};
        for (std::string_view name : model_table_names(table)) {
            models.push_back({std::string(name), {}});
            ISO_TRY(models.back().set, read_model_table(table, name));
        }
    }
    ISO_TRY(const std::string text, write_model_table(models));
    std::cout << heading << text;
    return {};
}

}  // namespace
}  // namespace isometric

int main(int argc, char** argv) {
    if (const isometric::Status status = isometric::run(argc, argv); !status) {
        std::fprintf(stderr, "model_table: %s\n", status.error().message.c_str());
        return 1;
    }
    return 0;
}
