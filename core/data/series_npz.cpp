#include "data/series_npz.h"

#include <cmath>

#include "data/npy.h"
#include "util/digest.h"

namespace casp::data {

namespace {

void add_values(SeriesFile& file, const std::string& id, const NpyArray& array, const std::string& where) {
    if (array.shape.size() != 1)
        throw input_error(where,
                          shown_series(id) + " has " + std::to_string(array.shape.size()) + " dimensions",
                          "an array of one dimension per series");
    auto count = array.values.size();
    while (count > 0 && std::isnan(array.values[count - 1])) --count;
    for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite(array.values[i]))
            throw input_error(
                where,
                "value " + std::to_string(i + 1) + " of " + shown_series(id) + " is not a finite number",
                "numbers");
        file.values.push_back(array.values[i]);
    }
    file.ids.push_back(id);
    file.offsets.push_back(std::ssize(file.values));
}

}  // namespace

SeriesFile read_series_npz(const std::filesystem::path& path, const Frequency& frequency,
                           const std::stop_token& stop) {
    SeriesFile file;
    std::int64_t number = 0;
    const auto all = [](const std::string&) { return true; };
    read_npz(path, stop, all, [&](const std::string& name, std::string_view bytes) {
        ++number;
        const auto where = path.string() + ", " + shown_text(name);
        if (name.empty() || name.front() != frequency.name.front()) return;
        add_values(file, name, parse_npy(bytes, where), where);
        file.lines.push_back(number);
    });
    if (file.ids.empty())
        throw input_error(
            path.string(),
            "none of its " + std::to_string(number) + " arrays is a series of " + std::string(frequency.name),
            "arrays named by M4's ids, such as " + std::string(1, frequency.name.front()) + "1",
            "Save them with numpy.savez(\"training.npz\", **{id: values, …}), or set "
            "data.frequency.");
    file.sha256 = sha256_of_file(path);
    return file;
}

}  // namespace casp::data
