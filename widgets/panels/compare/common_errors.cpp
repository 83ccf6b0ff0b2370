#include "panels/compare/common_errors.h"

#include <algorithm>
#include <filesystem>

#include <QFile>

#include "config/options.h"
#include "state/core_message.h"
#include "state/plain_text.h"

namespace casp::widgets {

void CommonErrors::apply(std::vector<figures::CompareRun>& runs) {
    const bool some_imported = std::any_of(
        runs.begin(), runs.end(), [](const auto& run) { return run.row.model == config::imported_model; });
    QStringList folders, key;
    for (const auto& run : runs) {
        if (!some_imported || !store::is_complete(run.row.state)) continue;
        folders << run.folder;
        // An import may be repeated in the same folder.
        key << run.folder << QString::number(run.row.test_mse, 'g', 17)
            << QString::number(run.row.test_mae, 'g', 17);
    }
    if (key != key_) {
        key_ = key;
        result_ = {};
        job_.cancel();
        if (!folders.isEmpty())
            job_.start([folders](const JobContext& job) { return read(folders, job); },
                       {.done =
                            [this](Result result) {
                                result_ = std::move(result);
                                Q_EMIT changed();
                            },
                        .failed =
                            [this](const std::exception& problem) {
                                result_.notes = {plain_text(problem)};
                                Q_EMIT changed();
                            }});
    }
    for (auto& run : runs)
        if (const auto found = result_.errors.constFind(run.folder); found != result_.errors.constEnd()) {
            run.row.test_mse = found->mse;
            run.row.test_mae = found->mae;
        }
}

CommonErrors::Result CommonErrors::read(const QStringList& folders, const JobContext& job) {
    std::vector<std::filesystem::path> paths;
    for (const auto& folder : folders) paths.emplace_back(QFile::encodeName(folder).toStdString());
    auto runs = evidence::finished_runs(paths, job.stop, true).runs;
    const auto before = runs;
    Result result;
    for (const auto& sentence : evidence::use_common_windows(runs, job.stop))
        result.notes << translated_message(sentence + '.');
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i].row.test_mse != before[i].row.test_mse)
            result.errors[QFile::decodeName(runs[i].folder.c_str())] = {runs[i].row.test_mse,
                                                                        runs[i].row.test_mae};
    return result;
}

}  // namespace casp::widgets
