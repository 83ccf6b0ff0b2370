#include "audit/foreign_forecasts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/text_utils.h"
#include "store/safetensors.h"
#include "util/error.h"
#include "util/is_there.h"

namespace casp::audit {

namespace {

namespace fs = std::filesystem;

/// Names of the first files with this extension in a folder.
std::vector<fs::path> files_in(const fs::path& folder, const char* extension) {
    std::vector<fs::path> files;
    std::error_code unknown;
    for (const auto& entry : fs::directory_iterator(folder, unknown))
        if (entry.path().extension() == extension && files.size() < 20)
            files.push_back(entry.path().filename());
    return files;
}

/// The extents above 1, in any order of axes.
std::vector<std::int64_t> sizes_of(const WindowArray& array) {
    std::vector<std::int64_t> sizes;
    for (const auto extent : array.extents())
        if (extent > 1) sizes.push_back(extent);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

ForeignForecasts read_folder(const fs::path& path, const fs::path& folder, const std::stop_token& stop) {
    const auto prediction = folder / "pred.npy", truth = folder / "true.npy";
    if (!is_there(prediction)) {
        const auto arrays = files_in(folder, ".npy"), tables = files_in(folder, ".csv");
        if (arrays.empty() && tables.size() == 1) try {
                return read_forecasts_csv(folder / tables.front(), stop);
            } catch (const Error&) {  // another table, or a damaged one, which says so if it is given itself
            }
        std::vector<std::string> names;
        for (const auto& array : arrays) names.push_back(array.string());
        throw input_error(
            folder.string(),
            names.empty() ? Phrase("it has no .npy file") : Phrase("it has only %1", config::listed(names)),
            "pred.npy and true.npy", "Give the folder of one setting, or an .npz or CSV file.");
    }
    ForeignForecasts forecasts{path, WindowArray::open(prediction), {}};
    if (is_there(truth)) forecasts.truth = WindowArray::open(truth);
    return forecasts;
}

ForeignForecasts read_archive(const fs::path& path, const std::stop_token& stop) {
    std::optional<WindowArray> prediction, truth;
    std::string names;
    const auto wanted = [&](const std::string& name) {
        names += (names.empty() ? "" : ", ") + name.substr(0, 80);
        return name == "pred" || name == "true";
    };
    data::read_npz(path, stop, wanted, [&](const std::string& name, std::string_view bytes) {
        if (name == "pred") prediction = WindowArray::parse(bytes, path.string() + ", " + name);
        if (name == "true") truth = WindowArray::parse(bytes, path.string() + ", " + name);
    });
    if (!prediction)
        throw input_error(
            path.string(),
            names.empty() ? Phrase("its arrays are none") : Phrase("its arrays are %1", names.substr(0, 400)),
            "the arrays pred and true", "numpy.savez(\"forecasts.npz\", pred=…, true=…)");
    return {path, std::move(*prediction), std::move(truth)};
}

}  // namespace

ForeignForecasts read_foreign_forecasts(const fs::path& path, const std::stop_token& stop) {
    if (!is_there(path))
        throw input_error(path.string(), "there is no such file or folder",
                          "a folder with pred.npy and true.npy, an .npz file or a CSV file",
                          "Check the path and its spelling.");
    std::error_code unknown;
    const auto extension = path.extension();
    auto forecasts = fs::is_directory(path, unknown) ? read_folder(path, path, stop)
                     : extension == ".npy"           ? read_folder(path, path.parent_path(), stop)
                     : extension == ".npz"           ? read_archive(path, stop)
                                                     : read_forecasts_csv(path, stop);
    if (forecasts.truth && sizes_of(forecasts.prediction) != sizes_of(*forecasts.truth))
        require_equal_shapes(forecasts);
    return forecasts;
}

void require_equal_shapes(const ForeignForecasts& forecasts) {
    if (!forecasts.truth) return;
    const auto text = [](const WindowArray& array) {
        return store::shape_text(std::array{array.windows(), array.horizon(), array.channels()});
    };
    const auto prediction = text(forecasts.prediction), truth = text(*forecasts.truth);
    if (prediction != truth)
        throw input_error(forecasts.path.string(),
                          Phrase("the predictions have the shape %1 and the truths %2", prediction, truth),
                          "arrays of the same shape, [windows, horizon, channels]");
}

}  // namespace casp::audit
