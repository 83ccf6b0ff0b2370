// Runs of the Compare page: what is compared, and notes on what cannot be.
#include <algorithm>
#include <utility>

#include "figures/recipe_compare.h"
#include "panels/compare/compare_panel.h"
#include "panels/runs/runs_columns.h"
#include "panels/view/reading.h"
#include "store/result_columns.h"

namespace casp::widgets {

using figures::CompareMetric;
using figures::CompareRun;

namespace {

constexpr qsizetype most_records = 64;  ///< runs whose run.h5 is read
constexpr qsizetype most_named = 2;     ///< maximum number of named runs without settings

/// Incomplete runs are not plotted, so their progress does not matter.
bool same(const CompareRun& a, const CompareRun& b) {
    const bool complete = store::is_complete(a.row.state);
    if (a.folder != b.folder || a.colour != b.colour || complete != store::is_complete(b.row.state))
        return false;
    const auto numbers = [](const CompareRun& run) {
        return store::results_csv({run.row}) +
               store::csv({{store::shortest(run.last_value_mae), store::shortest(run.val_mae),
                            store::shortest(run.val_entropy), store::shortest(run.val_key_cosine)}});
    };
    return !complete || (a.config == b.config && a.row.swept == b.row.swept && numbers(a) == numbers(b));
}

}  // namespace

bool ComparePanel::needs_records() const {
    return is_of_validation(metric()) ||
           (metric() == CompareMetric::test_mae && last_value_->isChecked());  // needs the persistence line
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
    if (const auto& test = numbers->record().test) run.last_value_mae = test->last_value_mae;
    if (const auto& val = numbers->record().val) {
        run.val_mae = val->mae;
        run.val_entropy = val->usage_entropy;
        run.val_key_cosine = val->key_cosine;
    }
}

/// Reports runs whose settings cannot be read and points without a mean.
void ComparePanel::show_notes() {
    QStringList lines;
    int more = 0;
    for (const auto& run : runs_) {
        const auto why = settings_.problem(run.folder);
        if (why.isEmpty()) continue;
        if (lines.size() == most_named) {
            ++more;
            continue;
        }
        const int index = library_.index_of(run.folder);
        lines += tr("⚠ %1 is not compared: its settings cannot be read (%2)")
                     .arg(index < 0 ? run.folder : library_.at(index).label(), why);
    }
    if (more > 0) lines += tr("⚠ %1 more").arg(more);
    lines = common_.notes() + lines;
    if (is_of_validation(metric()) && std::ssize(runs_) > most_records)
        lines += tr("This metric is read from run.h5, for up to %1 runs.").arg(most_records);
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
    const bool few = which.size() <= most_records;
    QStringList finished;
    std::vector<CompareRun> runs;
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

}  // namespace casp::widgets
