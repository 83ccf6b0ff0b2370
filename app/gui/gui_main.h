#pragma once
// The window as a program: what main() calls where no batch mode was asked for.

#include <string>
#include <vector>

namespace casp::gui {

/// Opens the window with these files and returns the exit status when it is closed. Throws an input Error in
/// one line that names --batch where there is no display. Once per process.
int run_window(int& argc, char** argv, const std::vector<std::string>& files);

}  // namespace casp::gui
