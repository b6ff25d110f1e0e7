#include "cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace isometric::cli {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";
constexpr int bar_width = 30;

// "14 s", "3:05 min", "2:10 h".
std::string duration_text(double seconds) {
    const auto whole = std::int64_t(std::clamp(seconds, 0.0, 1e9) + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

int terminal_columns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string progress_line(const ProgressState& state, int columns) {
    const double rate = state.elapsed_s > 0 ? double(state.frames) / state.elapsed_s : 0;
    const std::string speed = fmt::format("{:.1f} frames/s", rate);
    const bool bounded = state.total && *state.total >= state.frames && *state.total > 0;
    std::string line;
    if (!bounded) {
        line = fmt::format("{} {}  {}", state.frames, state.frames == 1 ? "frame" : "frames", speed);
    } else {
        const double part = double(state.frames) / double(*state.total);
        const int filled = int(part * bar_width);
        std::string bar(std::size_t(filled), '=');
        if (filled < bar_width) bar += '>';
        bar.resize(bar_width, ' ');
        const std::string left = rate > 0 ? fmt::format(", {} left", duration_text(double(*state.total - state.frames) / rate)) : "";
        line = fmt::format("{}/{} frames [{}] {:3.0f}%  {}{}", state.frames, *state.total, bar, 100 * part, speed, left);
        if (int(line.size()) >= columns) line = fmt::format("{}/{} {:3.0f}%  {}{}", state.frames, *state.total, 100 * part, speed, left);
    }
    if (int(line.size()) >= columns) line.resize(std::size_t(std::max(columns - 1, 0)));  // a full last column would start a new line
    return line;
}

Console::Console(std::string program, bool quiet)
    : program_(std::move(program)), quiet_(quiet), shows_progress_(!quiet && isatty(STDERR_FILENO) == 1) {}

void Console::note(std::string_view message) {
    if (!quiet_) print("note: ", message);
}

void Console::print(std::string_view kind, std::string_view message) {
    const std::lock_guard lock(mutex_);
    const std::string text = fmt::format("{}{}: {}{}\n", line_is_shown_ ? erase_line : "", program_, kind, message);
    line_is_shown_ = false;
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void Console::progress(const ProgressState& state) {
    if (!shows_progress_) return;
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_update_) return;
    next_update_ = now + std::chrono::milliseconds(100);
    const std::string text = fmt::format("{}{}", erase_line, progress_line(state, terminal_columns()));
    line_is_shown_ = true;
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void Console::clear_progress() {
    const std::lock_guard lock(mutex_);
    if (!line_is_shown_) return;
    line_is_shown_ = false;
    std::fwrite(erase_line.data(), 1, erase_line.size(), stderr);
}

}  // namespace isometric::cli
