#include "panels/forecasts/strata_work.h"

#include <algorithm>
#include <span>
#include <utility>

#include <QObject>

#include "analysis/strata_labels.h"
#include "figures/recipe_strata.h"
#include "words/plain_text.h"

namespace casp::widgets {

namespace {

constexpr std::int64_t strata = 10;  ///< deciles

analysis::StrataInput input_of(const EmbeddingSet& set, const StrataWork::Label& label,
                               const analysis::StrataAxis& axis, bool of_series) {
    return figures::strata_input(set.values, label ? std::span(*label) : std::span<const double>(), axis,
                                 of_series);
}

std::int64_t rows_of(const EmbeddingSet& set) {
    return static_cast<std::int64_t>(set.values.start.size() * set.values.channels.size());
}

}  // namespace

StrataWork::StrataWork(std::function<void(bool)> changed) : changed_(std::move(changed)) {}

void StrataWork::set_axis(const analysis::StrataAxis& axis) {
    if (axis == axis_) return;
    keep_only({});
    axis_ = axis;
}

StrataWork::Label StrataWork::label_of(const Set& set) const {
    for (const auto& [run, of] : known_)
        if (of.set == set) return of.label;
    return {};
}

const StrataWork::Of& StrataWork::cut(const QString& run, const Set& set, bool of_series) {
    auto& of = known_[run];
    if (of.set == set) return of;
    leave(of);
    of = {};
    of.set = set;
    of.of_series = of_series;
    begin(run, rows_of(*set), [run, set, of_series, axis = axis_](const JobContext& job) {
        auto label = std::make_shared<const std::vector<double>>(
            analysis::strata_labels(run.toStdString(), axis, set->values, job.progress, job.stop));
        auto made =
            analysis::strata_of(input_of(*set, label, axis, of_series), strata, job.stop, job.progress);
        return Made{std::move(made), {}, {}, std::move(label)};
    });
    return of;
}

const StrataWork::Of& StrataWork::compare(const QString& run, const Set& base, const QString& mismatch) {
    auto& of = known_[run];
    if (of.base == base) return of;
    leave(of);
    of.base = base;
    of.pair = {};
    of.mismatch = mismatch;
    if (mismatch.isEmpty())
        begin(run, rows_of(*base) + rows_of(*of.set),
              [base, first = label_of(base), set = of.set, label = of.label, of_series = of.of_series,
               axis = axis_](const JobContext& job) {
                  return Made{{},
                              analysis::compare_strata(input_of(*base, first, axis, of_series),
                                                       input_of(*set, label, axis, of_series), strata,
                                                       job.stop, job.progress)};
              });
    return of;
}

const StrataWork::Of* StrataWork::find(const QString& run) const {
    const auto found = known_.find(run);
    return found == known_.end() ? nullptr : &found->second;
}

void StrataWork::keep_only(const QStringList& runs) {
    for (auto& [run, of] : known_)
        if (!runs.contains(run)) leave(of);
    std::erase_if(known_, [&](const auto& entry) { return !runs.contains(entry.first); });
}

int StrataWork::pending() const {
    return static_cast<int>(
        std::count_if(known_.begin(), known_.end(), [](const auto& entry) { return entry.second.pending; }));
}

QString StrataWork::text() const {
    const int left = pending();
    if (left == 0) return {};
    auto text = QObject::tr("Sorting windows by %1").arg(figures::label_words(axis_));
    if (const auto& p = job_.progress(); p.total > 0)
        text += QObject::tr(": %1 %").arg(100 * p.done / p.total);
    if (left > 1) text += QObject::tr(", then %1 more").arg(left - 1);
    return text;
}

void StrataWork::take(Of& of, Made made) {
    of.pending = false;
    (of.base ? of.mismatch : of.problem) = made.problem;
    if (of.base) {
        of.pair = std::move(made.pair);
    } else {
        of.strata = std::move(made.strata);
        of.label = std::move(made.label);
    }
}

void StrataWork::leave(Of& of) {
    job_.cancel(std::exchange(of.request, 0));
    of.pending = false;
}

void StrataWork::begin(const QString& run, std::int64_t rows, Job<Made>::Work work) {
    auto& of = known_[run];
    // Labels are computed from the run's data file.
    const bool at_once = rows <= max_at_once && axis_.label == analysis::StrataLabel::residual;
    const auto finish = [this, run, at_once](Made made) {
        take(known_.at(run), std::move(made));
        if (!at_once) changed_(false);
    };
    of.pending = true;
    job_.set_synchronous(at_once);
    of.request = job_.add(std::move(work), {.done = finish,
                                            .failed =
                                                [finish](const std::exception& failure) {
                                                    finish({{}, {}, plain_text(failure)});
                                                },
                                            .progress =
                                                [this, at_once](const Progress&) {
                                                    if (!at_once) changed_(true);
                                                }});
}

}  // namespace casp::widgets
