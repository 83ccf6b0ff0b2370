#pragma once
// Entry point of the window, called by main() if no batch mode is given.

#include <string>
#include <vector>

namespace casp::gui {

/// Opens the window with these files, and returns the exit status when it is closed. Throws a one-line input
/// Error that mentions --batch if there is no display. Call once per process.
int run_window(int& argc, char** argv, const std::vector<std::string>& files);

}  // namespace casp::gui
