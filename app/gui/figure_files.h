#pragma once
// caspstudio --batch FILE --figures LIST: figures of a batch's runs as files, by the recipes and the painter
// of the window. Needs no display.

#include <filesystem>
#include <string>
#include <vector>

namespace casp::gui {

/// Names that --figures knows, in the order in which "all" makes them.
[[nodiscard]] const std::vector<std::string>& figure_names();

/// The list with "all" written out. Throws an input Error that names the nearest figure.
[[nodiscard]] std::vector<std::string> checked_figures(const std::vector<std::string>& names);

/// Writes `batch_folder`/figures/<figure>.{png,svg,pdf,csv} from the runs' files; returns the files. Figures
/// for which the runs hold no numbers are left out and told in `notes`. Makes a QApplication of the offscreen
/// platform where there is none. Throws casp::Errors.
std::vector<std::filesystem::path> write_figures(const std::filesystem::path& batch_folder,
                                                 const std::vector<std::string>& runs,
                                                 const std::vector<std::string>& figures,
                                                 std::vector<std::string>& notes);

}  // namespace casp::gui
