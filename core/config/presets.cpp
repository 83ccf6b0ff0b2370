#include "config/presets.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "config/text_utils.h"
#include "util/embedded.h"
#include "util/error.h"

namespace casp::config {

namespace {

constexpr std::string_view folder = "resources/presets/";
constexpr std::string_view suffix = ".toml";

/// Order of the paper's table, then horizon.
std::pair<std::size_t, int> place(const std::string& name) {
    constexpr std::array<std::string_view, 6> order{"etth1", "etth2",   "ettm1",
                                                    "ettm2", "weather", "electricity"};
    const auto dash = name.rfind('-');
    const auto* data = std::find(order.begin(), order.end(), std::string_view(name).substr(0, dash));
    int horizon = 0;
    if (dash != std::string::npos)
        std::from_chars(name.data() + dash + 1, name.data() + name.size(), horizon);
    return {static_cast<std::size_t>(data - order.begin()), horizon};
}

}  // namespace

const std::vector<std::string>& preset_names() {
    static const auto names = [] {
        std::vector<std::string> found;
        for (const auto& file : embedded_files())
            if (file.path.substr(0, folder.size()) == folder)
                found.emplace_back(
                    file.path.substr(folder.size(), file.path.size() - folder.size() - suffix.size()));
        std::stable_sort(found.begin(), found.end(),
                         [](const auto& a, const auto& b) { return place(a) < place(b); });
        return found;
    }();
    return names;
}

std::string_view preset_text(std::string_view name) {
    const auto& names = preset_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        const auto near = nearest(name, names);
        throw input_error("preset", in_quotes(name) + " is no preset", "a name that --list-presets shows",
                          near.empty() ? "" : "Nearest preset: " + near + ".");
    }
    return embedded_file(std::string(folder) + std::string(name) + std::string(suffix));
}

}  // namespace casp::config
