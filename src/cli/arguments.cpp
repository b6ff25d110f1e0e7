#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "metrics/options.h"

namespace isometric::cli {
namespace {

std::string with_underscores(std::string_view name) {
    std::string plain(name);
    std::ranges::replace(plain, '-', '_');
    return plain;
}

class Expansion {
public:
    Expansion(std::span<const std::string> given, std::span<const KnownOption> options, UnknownArguments unknown)
        : given_(given), options_(options), unknown_(unknown) {}

    Result<Arguments> run() {
        while (next_ < given_.size()) {
            const std::string& word = given_[next_++];
            if (word == "--") {
                while (next_ < given_.size()) ISO_DO(refuse_operand(given_[next_++]));
            } else if (word.starts_with("--")) {
                ISO_DO(expand_long(word));
            } else if (word.size() > 1 && word.front() == '-') {
                ISO_DO(expand_letters(word));
            } else {
                ISO_DO(refuse_operand(word));
            }
        }
        return std::move(arguments_);
    }

private:
    Status refuse(std::string message) {
        if (unknown_ == UnknownArguments::refuse) return Error{Code::invalid_argument, std::move(message)};
        arguments_.ignored.push_back(std::move(message));
        return {};
    }

    Status refuse_operand(const std::string& word) {
        return refuse(fmt::format("stray argument '{}': the videos are given with --reference and --distorted", word));
    }

    // The options that a name or prefix may mean.
    std::vector<const KnownOption*> candidates(std::string_view name) const {
        std::vector<const KnownOption*> found;
        for (const KnownOption& option : options_) {
            if (option.name.empty()) continue;
            const std::string known = with_underscores(option.name);
            if (known == name) return {&option};
            if (known.starts_with(name)) found.push_back(&option);
        }
        if (std::ranges::count_if(found, &KnownOption::from_libvmaf) == 1)
            return {*std::ranges::find_if(found, &KnownOption::from_libvmaf)};
        return found;
    }

    std::string unknown_option(std::string_view word, std::string_view name) const {
        std::vector<std::string_view> names;
        for (const KnownOption& option : options_)
            if (!option.hidden && !option.name.empty()) names.push_back(option.name);
        const std::string_view nearest = nearest_name(name, names);
        return fmt::format("unknown option {}{}", word, nearest.empty() ? "" : fmt::format("; did you mean --{}?", nearest));
    }

    Status expand_long(const std::string& word) {
        const auto equals = word.find('=');
        const std::string given = word.substr(2, equals == std::string::npos ? equals : equals - 2);
        const std::string name = with_underscores(given);
        const auto found = name.empty() ? std::vector<const KnownOption*>() : candidates(name);
        if (found.empty()) return refuse(unknown_option("--" + given, name));
        if (found.size() > 1) {
            std::vector<std::string> names;
            for (const KnownOption* option : found) names.push_back("--" + option->name);
            return refuse(fmt::format("option --{} is ambiguous: {}", given, fmt::join(names, ", ")));
        }
        const KnownOption& option = *found.front();
        const std::string full = "--" + option.name;
        if (equals != std::string::npos && !option.takes_value)
            return error(Code::invalid_argument, "option {} takes no value ({})", full, word);
        arguments_.words.push_back(full);
        if (equals != std::string::npos) arguments_.words.push_back(word.substr(equals + 1));
        else if (option.takes_value) ISO_DO(take_value(full));
        return {};
    }

    // "-q", "-nq", "-w576", "-w 576".
    Status expand_letters(const std::string& word) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            const auto option = std::ranges::find(options_, word[i], &KnownOption::letter);
            if (option == options_.end()) {
                ISO_DO(refuse(fmt::format("unknown option -{}{}", word[i], word.size() > 2 ? fmt::format(" in {}", word) : "")));
                continue;
            }
            const std::string full = std::string("-") + word[i];
            arguments_.words.push_back(full);
            if (!option->takes_value) continue;
            if (i + 1 < word.size()) arguments_.words.push_back(word.substr(i + 1));
            else ISO_DO(take_value(full));
            break;
        }
        return {};
    }

    Status take_value(std::string_view option) {
        if (next_ == given_.size()) return error(Code::invalid_argument, "option {} needs a value", option);
        arguments_.words.push_back(given_[next_++]);
        return {};
    }

    std::span<const std::string> given_;
    std::span<const KnownOption> options_;
    UnknownArguments unknown_;
    std::size_t next_ = 0;
    Arguments arguments_;
};

}  // namespace

Result<Arguments> expand_arguments(std::span<const std::string> given, std::span<const KnownOption> options, UnknownArguments unknown) {
    return Expansion(given, options, unknown).run();
}

}  // namespace isometric::cli
