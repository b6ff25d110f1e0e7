// Options declared once: CLI11 parses them and prints --help, arguments.h completes their names.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "isometric/status.h"

namespace isometric::cli {

enum class Origin : bool { isometric, libvmaf };

struct OptionNames {
    const char* name;
    char letter = '\0';
    Origin origin = Origin::isometric;
};

class OptionList {
public:
    using Setter = std::function<Status(const std::string&)>;

    OptionList(const std::string& description, const std::string& program);

    // The heading of the options that follow; empty: they are accepted and not listed.
    void group(const std::string& heading) { group_ = heading; }
    void value(OptionNames names, const std::string& type, const std::string& help, Setter set);
    void flag(OptionNames names, const std::string& help, std::function<void()> set);

    std::span<const KnownOption> known() const { return known_; }
    // Calls the setters in the order of the command line; the first error ends it.
    Status apply(std::vector<std::string> words);
    std::string help(const std::string& footer);

private:
    std::string declare(OptionNames names, bool takes_value);

    CLI::App app_;
    std::string group_;
    std::vector<KnownOption> known_;
    Status status_;
};

}  // namespace isometric::cli
