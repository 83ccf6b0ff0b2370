// Runs of the Compare page: what is compared, and notes on what cannot be.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <QFile>

#include "config/options.h"
#include "figures/recipe_compare.h"
#include "panels/compare/compare_panel.h"
#include "panels/runs/runs_columns.h"
#include "panels/view/view_flow.h"
#include "store/results.h"
#include "words/core_text.h"
#include "words/plain_text.h"

namespace casp::widgets {

using figures::CompareRun;

namespace {

constexpr qsizetype max_records = 64;  ///< runs whose run.h5 is read
constexpr qsizetype max_named = 2;     ///< maximum number of named runs without settings

/// Incomplete runs are not plotted, so their progress does not matter.
bool same(const CompareRun& a, const CompareRun& b) {
    const bool complete = store::is_complete(a.row.state);
    if (a.folder != b.folder || a.colour != b.colour || complete != store::is_complete(b.row.state))
        return false;
    return !complete || (a.config == b.config && store::equal_rows(a.row, b.row));
}

}  // namespace

bool ComparePanel::needs_records() const {
    return figures::is_only_in_run_file(metric()) ||  // or the line of the persistence forecast
           (metric() == figures::metric_named("test_mae") && last_value_->isChecked());
}

/// Values of a run that are only in run.h5.
void ComparePanel::take_record(CompareRun& run) {
    RunData* numbers = library_.data(run.folder);
    if (numbers == nullptr) return;
    if (needs_records() && store::is_complete(run.row.state)) {
        connect(numbers, &RunData::changed, this, &ComparePanel::later, Qt::UniqueConnection);
        numbers->load();
    }
    if (!numbers->is_loaded()) return;
    store::set_values(run.row, numbers->record(), store::run_file_metrics);
}

/// Reports runs whose settings cannot be read and points without a mean.
void ComparePanel::show_notes() {
    QStringList lines;
    int more = 0;
    for (const auto& run : runs_) {
        const auto why = settings_.problem(run.folder);
        if (why.isEmpty()) continue;
        if (lines.size() == max_named) {
            ++more;
            continue;
        }
        const int index = library_.index_of(run.folder);
        lines += tr("⚠ %1 is not compared: its settings cannot be read (%2)")
                     .arg(index < 0 ? run.folder : library_.at(index).label(), why);
    }
    if (more > 0) lines += tr("⚠ %1 more").arg(more);
    lines = common_.notes() + lines;
    if (figures::is_only_in_run_file(metric()) && std::ssize(runs_) > max_records)
        lines += tr("This metric is read from run.h5, for up to %1 runs.").arg(max_records);
    if (comparison_.early > 0 && comparison_.early == comparison_.complete)
        lines += tr("All of these runs were finished early, so the means exclude them.");
    if (has_unequal_seeds(comparison_))
        lines += tr("Means over different seeds (see n): Δ compares runs with the same seed.");
    show_note(note_, lines.join(QLatin1Char('\n')));
}

bool ComparePanel::read() {
    stale_ = false;
    auto which = folders();
    which.removeIf([this](const QString& folder) { return library_.index_of(folder) < 0; });
    which = in_sweep_order(library_, which);
    const bool few = which.size() <= max_records;
    QStringList finished;
    std::vector<CompareRun> runs;
    runs.reserve(static_cast<std::size_t>(which.size()));
    for (const auto& folder : which) {
        CompareRun run;
        run.folder = folder;
        const auto& summary = library_.at(library_.index_of(folder));
        run.row = summary.row;
        run.colour = summary.colour;
        run.config = settings_.find(folder);
        if (store::is_complete(run.row.state)) finished += folder;
        if (few) take_record(run);
        runs.push_back(std::move(run));
    }
    common_.apply(runs);
    settings_.want(finished);
    const bool as_before = pending_ == settings_.is_pending() &&
                           std::equal(runs.begin(), runs.end(), runs_.begin(), runs_.end(),
                                      [](const CompareRun& a, const CompareRun& b) { return same(a, b); });
    pending_ = settings_.is_pending();
    runs_ = std::move(runs);
    return !as_before;
}

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
        if (const auto found = result_.errors.constFind(run.folder); found != result_.errors.constEnd())
            evidence::set_test_errors(run.row, *found);
}

CommonErrors::Result CommonErrors::read(const QStringList& folders, const JobContext& job) {
    std::vector<std::filesystem::path> paths;
    for (const auto& folder : folders) paths.emplace_back(QFile::encodeName(folder).toStdString());
    auto runs = evidence::finished_runs(paths, job.stop, true).runs;
    const auto before = runs;
    Result result;
    for (const auto& sentence : evidence::use_common_windows(runs, job.stop))
        result.notes << translated(Phrase("%1.", sentence));
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i].row.test_mse != before[i].row.test_mse)
            result.errors[QFile::decodeName(runs[i].folder.c_str())] = {runs[i].row.test_mse,
                                                                        runs[i].row.test_mae};
    return result;
}

}  // namespace casp::widgets
