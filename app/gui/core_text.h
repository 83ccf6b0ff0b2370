#pragma once
// Core's texts (UTF-8) as the window's.

#include <string>

#include <QString>

namespace casp::gui {

[[nodiscard]] inline QString text_of(const std::string& text) { return QString::fromStdString(text); }

}  // namespace casp::gui
