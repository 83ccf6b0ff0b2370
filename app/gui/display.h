#pragma once
// Whether a window can be opened here at all: Qt aborts where it cannot.

#include <string>

namespace casp::gui {

/// Why no window can be opened here ("no display: …"), or "" where one can. Call before QApplication is made.
[[nodiscard]] std::string display_problem();

}  // namespace casp::gui
