#pragma once
// The pages of the window, in the order of the picture: left, centre, right, below.

#include <vector>

#include "panels/view/page_spec.h"

namespace casp::gui {

/// Tab, F6 and the View menu follow this order; within an area it is the order of the tabs.
[[nodiscard]] std::vector<widgets::PageSpec> pages();

/// The contents of the help: first steps, then the topics of each page, then those of no page.
[[nodiscard]] std::vector<widgets::HelpTopic> help_contents();

}  // namespace casp::gui
