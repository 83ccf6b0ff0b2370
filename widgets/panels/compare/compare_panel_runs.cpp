// Runs of the Compare page: what is compared, and notes on what cannot be.
#include <algorithm>
#include <cmath>
#include <utility>

#include "figures/recipe_compare.h"
#include "panels/compare/compare_panel.h"
#include "panels/runs/runs_columns.h"
#include "state/amount_text.h"
#include "state/mnemonic.h"

namespace casp::widgets {

using figures::CompareMetric;
using figures::CompareRun;

namespace {

constexpr qsizetype most_records =
    64;  ///< up to this number, runs are read directly; for more, RunsMetrics reads
constexpr qsizetype most_named = 2;  ///< maximum number of named runs without settings

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Incomplete runs are not plotted, so their progress does not matter.
bool same(const CompareRun& a, const CompareRun& b) {
    const auto &r = a.row, &s = b.row;
    const bool complete = store::is_complete(r.state);
    if (a.folder != b.folder || a.colour != b.colour || complete != store::is_complete(s.state)) return false;
    if (!complete) return true;
    using Number = double store::ResultRow::*;
    for (const Number number :
         {&store::ResultRow::lambda_sim, &store::ResultRow::lambda_cov, &store::ResultRow::val_mse,
          &store::ResultRow::test_mse, &store::ResultRow::test_mae, &store::ResultRow::test_smape,
          &store::ResultRow::test_mase, &store::ResultRow::test_owa, &store::ResultRow::last_value_mse,
          &store::ResultRow::usage_entropy, &store::ResultRow::distinct_anchors,
          &store::ResultRow::key_cosine, &store::ResultRow::seconds})
        if (!same(r.*number, s.*number)) return false;
    return a.config == b.config && same(a.last_value_mae, b.last_value_mae) && same(a.val_mae, b.val_mae) &&
           same(a.val_entropy, b.val_entropy) && same(a.val_key_cosine, b.val_key_cosine) &&
           r.state == s.state && r.run == s.run && r.data == s.data && r.model == s.model &&
           r.backbone == s.backbone && r.lookback == s.lookback && r.horizon == s.horizon &&
           r.seed == s.seed && r.epochs == s.epochs && r.best_epoch == s.best_epoch && r.steps == s.steps &&
           r.peak_memory == s.peak_memory && r.precision == s.precision && r.swept == s.swept;
}

}  // namespace

bool ComparePanel::needs_records() const {
    return is_of_validation(metric()) ||
           (metric() == CompareMetric::test_mae && last_value_->isChecked());  // needs the persistence line
}

void ComparePanel::take_metrics(CompareRun& run, const RunMetrics& metrics) {
    run.last_value_mae = metrics.last_value_mae;
    run.val_mae = metrics.val_mae;
    run.val_entropy = metrics.val_entropy;
    run.val_key_cosine = metrics.val_key_cosine;
}

/// Values of a run that are only in run.h5.
void ComparePanel::take_record(CompareRun& run) {
    RunData* numbers = library_.data(run.folder);
    if (numbers == nullptr) return;
    if (needs_records() && store::is_complete(run.row.state)) {
        connect(numbers, &RunData::changed, this, &ComparePanel::later, Qt::UniqueConnection);
        numbers->load();
    }
    if (numbers->is_loaded()) take_metrics(run, metrics_of(numbers->record()));
}

QStringList ComparePanel::reading_notes() const {
    QStringList lines;
    if (metrics_.is_pending()) {
        QString how_far = tr("%1 done").arg(metrics_.done());
        if (const auto left = time_left_text(metrics_.seconds_left()); !left.isEmpty())
            how_far += QStringLiteral(", ") + left;
        lines +=
            tr("Reading run.h5 of %1 runs: %2. %3")
                .arg(metrics_.wanted())
                .arg(how_far, is_of_validation(metric())
                                  ? tr("Select a test metric to stop.")
                                  : tr("Uncheck “%1” to stop.").arg(without_mnemonic(last_value_->text())));
    }
    // Few runs were read directly.
    const bool by_file = needs_records() && std::ssize(runs_) > most_records;
    int unreadable = 0;
    for (const auto& run : runs_) {
        const auto why = by_file ? metrics_.problem(run.folder) : QString();
        if (why.isEmpty() || ++unreadable > most_named) continue;
        const int index = library_.index_of(run.folder);
        lines += tr("⚠ %1: this metric is unknown because run.h5 cannot be read (%2)")
                     .arg(index < 0 ? run.folder : library_.at(index).label(), why);
    }
    if (unreadable > most_named) lines += tr("⚠ %1 more").arg(unreadable - most_named);
    return lines;
}

/// Report runs whose settings cannot be read and are compared by their result rows, and points without a
/// mean.
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
        lines += tr("⚠ %1: its settings cannot be read; only those in its result row are compared (%2)")
                     .arg(index < 0 ? run.folder : library_.at(index).label(), why);
    }
    if (more > 0) lines += tr("⚠ %1 more").arg(more);
    lines = reading_notes() + common_.notes() + lines;
    if (comparison_.early > 0 && comparison_.early == comparison_.complete && !comparison_.counts_early)
        lines += tr("All of these runs were finished early, so the means exclude them. Check “%1” to "
                    "include them.")
                     .arg(without_mnemonic(early_->text()));
    if (has_unequal_seeds(comparison_))
        lines += tr("Means over different seeds (see n): Δ compares runs with the same seed.");
    note_->setText(lines.join(QLatin1Char('\n')));
    note_->setVisible(!lines.isEmpty());
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
        if (few)
            take_record(run);
        else if (const auto* metrics = metrics_.find(folder))
            take_metrics(run, *metrics);
        runs.push_back(std::move(run));
    }
    common_.apply(runs);
    settings_.want(finished);
    metrics_.want(!few && needs_records() ? finished : QStringList());
    const auto unread = metrics_.wanted() - metrics_.done();
    const bool as_before = pending_ == settings_.is_pending() && std::exchange(unread_, unread) == unread &&
                           std::equal(runs.begin(), runs.end(), runs_.begin(), runs_.end(),
                                      [](const CompareRun& a, const CompareRun& b) { return same(a, b); });
    pending_ = settings_.is_pending();
    runs_ = std::move(runs);
    return !as_before;
}

}  // namespace casp::widgets
