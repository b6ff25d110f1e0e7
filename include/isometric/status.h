// Errors as values. Nothing in isometric throws; a function that can fail returns Result<T> or Status.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace [[gnu::visibility("default")]] isometric {

// What went wrong, for programs; Error::message says it for people. docs/errors.md lists the exit status of each.
enum class Code {
    invalid_argument,     // a call, option or specification that can never work
    bad_input,            // a file or stream that cannot be read, is damaged, or does not match its partner
    bad_model,            // a model that cannot be loaded or that names what does not exist
    metric_failed,        // a metric could not measure a frame
    output_failed,        // a report could not be written
    backend_unavailable,  // a named backend or device that is not built or not present
    no_frames,            // nothing to score
    not_ready,            // a score that later frames will give
    not_found,            // a name or index that has no score
    out_of_memory,
    internal,  // a defect of isometric
};

struct Error {
    Code code = Code::internal;
    std::string message;
};

// A value or an error, after std::expected. value() and error() must match what it holds.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const { return content_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    T& value() & { return *std::get_if<0>(&content_); }
    const T& value() const& { return *std::get_if<0>(&content_); }
    T&& value() && { return std::move(*std::get_if<0>(&content_)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const& { return *std::get_if<1>(&content_); }
    Error&& error() && { return std::move(*std::get_if<1>(&content_)); }

private:
    std::variant<T, Error> content_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    bool has_value() const { return !error_; }
    explicit operator bool() const { return has_value(); }
    const Error& error() const& { return *error_; }
    Error&& error() && { return std::move(*error_); }

private:
    std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace isometric
