#pragma once
// Messages of failures, as the window shows them.

#include <exception>

#include <QString>

namespace casp::widgets {

/// The message in the window's language, without sentences about options of the command line, which does not
/// help in the window. Thread-safe.
[[nodiscard]] QString plain_text(const std::exception& failure);

/// The parts of an Error (util/error.h), of which any may be empty, as one message; all are translated
/// already.
[[nodiscard]] QString joined_message(const QString& where, const QString& found, const QString& expected,
                                     const QString& advice);

}  // namespace casp::widgets
