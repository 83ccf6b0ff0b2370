#include "config/presets.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

#include "config/text_utils.h"
#include "util/embedded.h"
#include "util/error.h"

namespace casp::config {

namespace {

constexpr std::string_view folder = "resources/presets/";
constexpr std::string_view suffix = ".toml";

constexpr std::array<std::string_view, 7> data_order{"etth1",   "etth2",       "ettm1", "ettm2",
                                                     "weather", "electricity", "m4"};
constexpr std::array<std::string_view, 6> m4_order{"yearly", "quarterly", "monthly",
                                                   "weekly", "daily",     "hourly"};

template <std::size_t N>
std::size_t place_in(const std::array<std::string_view, N>& order, std::string_view name) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), name) - order.begin());
}

/// Order of names "data-horizon" and "model-data-horizon": the paper's model first, data in the order of its
/// tables, then horizon. Those of M4 end with a frequency instead.
std::tuple<std::string, std::size_t, std::size_t> place(const std::string& name) {
    const auto dash = name.rfind('-');
    const auto cell = name.substr(0, dash);
    const auto model_end = cell.rfind('-');
    const bool has_model = model_end != std::string::npos;
    const auto last = dash != std::string::npos ? name.substr(dash + 1) : std::string();
    std::size_t horizon = place_in(m4_order, last);
    std::from_chars(last.data(), last.data() + last.size(), horizon);
    return {has_model ? cell.substr(0, model_end) : "",
            place_in(data_order, has_model ? cell.substr(model_end + 1) : cell), horizon};
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
        throw input_error("preset", Phrase("%1 is no preset", in_quotes(name)),
                          "a name that --list-presets shows",
                          near.empty() ? Phrase() : Phrase("Nearest preset: %1.", near));
    }
    return embedded_file(std::string(folder) + std::string(name) + std::string(suffix));
}

}  // namespace casp::config
