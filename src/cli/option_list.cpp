#include "cli/option_list.h"

#include <algorithm>

#include "base/error.h"

namespace isometric::cli {

OptionList::OptionList(const std::string& description, const std::string& program) : app_(description, program) {
    app_.set_help_flag();
    app_.get_formatter()->column_width(36);
}

std::string OptionList::declare(OptionNames names, bool takes_value) {
    known_.push_back({names.name, names.letter, takes_value, names.origin == Origin::libvmaf, group_.empty()});
    std::string all;
    if (names.letter) all = std::string("-") + names.letter;
    if (*names.name) all += std::string(all.empty() ? "--" : ",--") + names.name;
    return all;
}

void OptionList::value(OptionNames names, const std::string& type, const std::string& help, Setter set) {
    const auto run = [this, set = std::move(set)](const std::string& text) {
        if (status_) status_ = set(text);
    };
    app_.add_option_function<std::string>(declare(names, true), run, help)->type_name(type)->group(group_)->trigger_on_parse();
}

void OptionList::flag(OptionNames names, const std::string& help, std::function<void()> set) {
    app_.add_flag_callback(declare(names, false), std::move(set), help)->group(group_)->trigger_on_parse();
}

Status OptionList::apply(std::vector<std::string> words) {
    std::ranges::reverse(words);  // as CLI11 takes them
    try {
        app_.parse(std::move(words));
    } catch (const CLI::ParseError& problem) {
        return Error{Code::invalid_argument, problem.what()};
    }
    return status_;
}

std::string OptionList::help(const std::string& footer) {
    app_.footer(footer);
    return app_.help();
}

}  // namespace isometric::cli
