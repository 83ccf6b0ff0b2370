#pragma once
// Messages of failures, as the window shows them.

#include <exception>

#include <QString>

namespace casp::widgets {

/// The message in the window's language, without sentences about options of the command line, which does not
/// help in the window. Thread-safe.
[[nodiscard]] QString plain_text(const std::exception& failure);

}  // namespace casp::widgets
