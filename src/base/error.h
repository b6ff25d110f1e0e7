// Making and passing on errors inside the library.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

#include "isometric/status.h"

namespace isometric {

template <class... Args>
Error error(Code code, fmt::format_string<Args...> format, Args&&... args) {
    return Error{code, fmt::format(format, std::forward<Args>(args)...)};
}

// The same error with what was being done put before it.
inline Error within(std::string_view context, Error inner) {
    inner.message.insert(0, fmt::format("{}: ", context));
    return inner;
}

}  // namespace isometric

#define ISO_CONCAT_INNER(a, b) a##b
#define ISO_CONCAT(a, b) ISO_CONCAT_INNER(a, b)

// ISO_TRY(declaration, expression): declares the value of a Result, or returns its error.
#define ISO_TRY(declaration, expression) ISO_TRY_IMPL(ISO_CONCAT(iso_result_, __LINE__), declaration, expression)
#define ISO_TRY_IMPL(result, declaration, expression)     \
    auto result = (expression);                           \
    if (!result) return std::move(result).error();        \
    declaration = std::move(result).value()

// ISO_DO(expression): returns the error of a Status, if it is one.
#define ISO_DO(expression)                                          \
    do {                                                            \
        if (auto iso_status = (expression); !iso_status)            \
            return std::move(iso_status).error();                   \
    } while (false)
