
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "evidence/verify_text.h"
#include "figure_jobs/figure_job.h"
#include "figure_jobs/figure_recipes.h"
#include "figures/numbers.h"
#include "util/error.h"

namespace casp::figure_jobs {

namespace {

namespace fs = std::filesystem;

/// The figure of the longest name with which the file's name begins: "forecast" of "forecast-etth1-336";
/// null: none.
const FigureInfo* figure_of_file(const std::string& stem) {
    const FigureInfo* found = nullptr;
    for (const auto& info : figure_list())
        if ((stem == info.name || stem.starts_with(info.name + "-")) &&
            (found == nullptr || info.name.size() > found->name.size()))
            found = &info;
    return found;
}

/// Its name for --figures. That of a sensitivity figure has options.
std::string name_of_file(const std::string& stem, const FigureInfo& info) {
    if (info.name != "sensitivity") return info.name;
    auto name = stem;
    std::replace(name.begin(), name.end(), '-', ':');
    return name;
}

/// CSV files by their stems.
std::map<std::string, fs::path> figure_files(const fs::path& folder) {
    std::map<std::string, fs::path> files;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
        if (it->path().extension() == ".csv") files[it->path().stem().string()] = it->path();
    return files;
}

/// Runs in the order of results.csv.
std::vector<std::string> runs_of_batch(const fs::path& batch_folder) {
    evidence::Verification reported;  // with the tables
    const auto lines = evidence::csv_records(evidence::text_of(batch_folder / "results.csv", reported));
    std::vector<std::string> runs;
    for (std::size_t i = 1; i < lines.size(); ++i) runs.push_back(lines[i].front());
    return runs;
}

}  // namespace

void verify_figures(const fs::path& batch_folder, evidence::Verification& result, const ProgressFn& progress,
                    const std::stop_token& stop) {
    auto files = figure_files(batch_folder / "figures");
    std::set<std::string> names;
    for (auto file = files.begin(); file != files.end();) {
        const auto* info = figure_of_file(file->first);
        if (info != nullptr && !info->weights) {
            names.insert(name_of_file(file->first, *info));
            ++file;
            continue;
        }
        result.unchecked["figures that need the weights or are not those of --figures"].push_back(
            file->second);
        file = files.erase(file);
    }
    if (names.empty()) return;
    std::vector<Phrase> notes;
    try {
        const auto wanted = checked_figures({names.begin(), names.end()});
        for (const auto& figure :
             draw_figures(batch_folder, runs_of_batch(batch_folder), wanted, notes, progress, stop)) {
            const auto file = files.find(figure.id.toStdString());
            if (file == files.end()) continue;
            evidence::compare_text(file->second, figures::csv_of(figure).toStdString(), result);
            files.erase(file);
        }
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& problem) {
        notes.push_back(phrase_of(problem));
    }
    for (const auto& [stem, file] : files)
        result.unchecked["figures that cannot be drawn again" + (notes.empty() ? "" : ": " + notes.front())]
            .push_back(file);
}

}  // namespace casp::figure_jobs
