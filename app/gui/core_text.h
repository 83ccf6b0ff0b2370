#pragma once
// Conversion of core's UTF-8 strings to QString.

#include <string>

#include <QString>

namespace casp::gui {

[[nodiscard]] inline QString text_of(const std::string& text) { return QString::fromStdString(text); }

}  // namespace casp::gui
