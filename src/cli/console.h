// Standard error: messages, and on a terminal one line of progress that messages make room for.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace isometric::cli {

struct ProgressState {
    std::int64_t frames = 0;
    std::optional<std::int64_t> total;  // frames expected, where the length of the input tells
    double elapsed_s = 0;               // wall clock
};

// "  120/300 frames [========>           ]  40%  87.3 frames/s, 2 s left", within `columns`.
std::string progress_line(const ProgressState& state, int columns);

class Console {
public:
    // `program` stands before every message. Quiet: no notes, no progress.
    Console(std::string program, bool quiet);
    ~Console() { clear_progress(); }
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    void error(std::string_view message) { print("error: ", message); }
    void warning(std::string_view message) { print("warning: ", message); }
    void note(std::string_view message);

    // On a terminal, at most ten times a second.
    void progress(const ProgressState& state);
    void clear_progress();

private:
    void print(std::string_view kind, std::string_view message);

    std::string program_;
    bool quiet_;
    bool shows_progress_;
    std::mutex mutex_;
    bool line_is_shown_ = false;
    std::chrono::steady_clock::time_point next_update_;
};

}  // namespace isometric::cli
