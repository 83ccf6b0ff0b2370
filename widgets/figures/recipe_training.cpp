#include "figures/recipe_training.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "figures/recipe_input.h"
#include "figures/reduce.h"
#include "figures/scale.h"
#include "figures/ticks.h"
#include "model/descriptor.h"

namespace casp::figures {

namespace {

QString empty_training() {
    return QObject::tr("The loss terms appear here from the first step on.") + first_step();
}

/// Properties shared by all plots of a figure.
struct Shared {
    const std::vector<RunInput>& runs;
    const TrainingOptions& options;
    double smoothing = 0;
    double time_unit = 1;  ///< seconds
    QString x_title;
    std::vector<std::vector<double>> x;  ///< per run, per step
    std::vector<std::size_t> fork;       ///< per run: steps that were the parent's
};

Shared prepare(const std::vector<RunInput>& runs, const TrainingOptions& options) {
    Shared shared{runs, options, options.smoothing.value_or(smoothing_of(runs)), 1, {}, {}, {}};
    for (const auto& run : runs) {
        shared.x.push_back(run.record ? training_positions(run, options.x) : std::vector<double>{});
        shared.fork.push_back(shared_steps(run));
    }
    switch (options.x) {
        case TrainingAxis::step:
            shared.x_title = QStringLiteral("step");
            break;
        case TrainingAxis::epoch:
            shared.x_title = QStringLiteral("epoch");
            break;
        case TrainingAxis::time:
            shared.time_unit = time_unit(runs);
            shared.x_title = QStringLiteral("training time (%1)")
                                 .arg(shared.time_unit >= 3600 ? "h"
                                      : shared.time_unit >= 60 ? "min"
                                                               : "s");
            for (auto& values : shared.x)
                for (auto& value : values) value /= shared.time_unit;
    }
    return shared;
}

Axis x_axis(const Shared& shared) {
    Axis axis;
    axis.title = shared.x_title;
    axis.log = shared.options.log_x;
    axis.integers = shared.options.x == TrainingAxis::step;
    return axis;
}

/// Position of a training step on the axis of run `index`.
std::optional<double> position_of(const Shared& shared, std::size_t index, std::int64_t step) {
    const auto& steps = shared.runs[index].record->steps.step;
    const auto at = std::lower_bound(steps.begin(), steps.end(), step);
    if (at == steps.end()) return std::nullopt;
    const auto i = static_cast<std::size_t>(at - steps.begin());
    if (i >= shared.x[index].size()) return std::nullopt;
    return shared.x[index][i];
}

void add_rules(Plot& plot, const Shared& shared, bool labels) {
    for (std::size_t r = 0; r < shared.runs.size(); ++r) {
        if (shared.fork[r] == 0 || shared.x[r].empty()) continue;
        plot.rules.push_back({true, shared.x[r][shared.fork[r] - 1],
                              labels ? QStringLiteral("fork") : QString(), shared.runs[r].colour, true});
    }
    if (!shared.options.step) return;
    for (std::size_t r = 0; r < shared.runs.size(); ++r) {
        if (!shared.runs[r].record) continue;
        if (const auto at = position_of(shared, r, *shared.options.step)) {
            plot.rules.push_back({true,
                                  *at,
                                  labels ? QStringLiteral("step %1").arg(*shared.options.step) : QString(),
                                  {},
                                  false});
            break;
        }
    }
}

std::vector<double> part(const std::vector<double>& values, std::size_t from, std::size_t to) {
    using Offset = std::vector<double>::difference_type;
    return {values.begin() + static_cast<Offset>(from), values.begin() + static_cast<Offset>(to)};
}

/// The raw curve and, with smoothing, the smoothed one in front; the parent's part of a fork paler, with a
/// segment that joins the two. The CSV has each value once, smoothed and unsmoothed.
void add_curve(Plot& plot, const RunInput& run, const std::vector<double>& x, const std::vector<double>& y,
               std::size_t fork, double smoothing, bool steps = false) {
    const auto n = std::min(x.size(), y.size());
    if (n == 0) return;
    fork = std::min(fork, n);
    // behind: the faint line, which the smoothed one repeats; joint: the line between the two parts
    enum class Part { own, parents, behind, joint };
    const auto add = [&](const std::vector<double>& values, std::size_t from, std::size_t to, double opacity,
                         double width, Part which) {
        if (from >= to) return;
        Series s;
        if (which == Part::own) s.name = run.label;
        if (which == Part::parents) s.csv_name = run.label + QStringLiteral(", before the fork");
        if (which == Part::behind || which == Part::joint)
            s.csv_name = QString();
        else if (smoothing > 0)
            s.raw = part(y, from, to);
        s.kind = steps ? MarkKind::steps : MarkKind::line;
        s.x = part(x, from, to);
        s.y = part(values, from, to);
        s.colour = run.colour;
        s.opacity = opacity;
        s.width = width;
        if (which != Part::joint)
            s.run = run.folder;  // its two points are selectable as part of the other pieces
        // A line through one value would be invisible.
        if (to - from == 1) {
            s.kind = MarkKind::points;
            s.width = 5;
        }
        plot.series.push_back(std::move(s));
    };
    const bool joined = fork > 0 && fork < n;
    if (smoothing > 0) {
        add(y, 0, fork, 0.1, 1, Part::behind);
        add(y, joined ? fork - 1 : fork, n, 0.25, 1, Part::behind);
        // The fork's average restarts: the parent's values belong to other settings.
        auto averaged = figures::smoothed(part(y, 0, fork), smoothing);
        const auto own = figures::smoothed(part(y, fork, n), smoothing);
        averaged.insert(averaged.end(), own.begin(), own.end());
        add(averaged, 0, fork, 0.4, 1.6, Part::parents);
        if (joined) add(averaged, fork - 1, fork + 1, 1, 1.6, Part::joint);
        add(averaged, fork, n, 1, 1.6, Part::own);
    } else {
        add(y, 0, fork, 0.4, 1.2, Part::parents);
        if (joined) add(y, fork - 1, fork + 1, 1, 1.4, Part::joint);
        add(y, fork, n, 1, 1.4, Part::own);
    }
}

bool any_positive(const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double v) { return v > 0 && std::isfinite(v); });
}

/// The values of one curve in a run's history; empty where the run has none.
using Column = std::function<std::vector<double>(const store::StepHistory&)>;

Plot step_plot(const Shared& shared, const Column& column, const QString& title, const QString& y_title,
               bool log_y, double factor = 1) {
    Plot plot;
    plot.title = title;
    plot.x = x_axis(shared);
    plot.y.title = y_title;
    bool positive = false;
    for (const auto& run : shared.runs)
        positive = positive || (run.record && any_positive(column(run.record->steps)));
    plot.y.log = log_y && positive;
    if (log_y && !positive) plot.y.title += QStringLiteral(" (linear: no values above 0)");
    for (std::size_t r = 0; r < shared.runs.size(); ++r) {
        const auto& run = shared.runs[r];
        if (!run.record) continue;
        auto values = column(run.record->steps);
        if (factor != 1)
            for (auto& value : values) value *= factor;
        add_curve(plot, run, shared.x[r], values, shared.fork[r], shared.smoothing);
    }
    return plot;
}

/// Of runs of models without trainable parameters only; else empty.
QString no_training(const std::vector<RunInput>& runs) {
    return lack_text(runs, &model::Capabilities::trains, QObject::tr("training steps"));
}

bool has_steps(const std::vector<RunInput>& runs) {
    return std::any_of(runs.begin(), runs.end(),
                       [](const RunInput& run) { return run.record && !run.record->steps.step.empty(); });
}

/// The loss terms of all runs, each once, in their order of appearance.
std::vector<std::string> term_names(const std::vector<RunInput>& runs) {
    std::vector<std::string> names;
    for (const auto& run : runs) {
        if (!run.record) continue;
        for (const auto& curve : run.record->steps.terms)
            if (std::find(names.begin(), names.end(), curve.name) == names.end()) names.push_back(curve.name);
    }
    return names;
}

/// One legend for a row of small multiples; none for a single run, which the caption names.
void share_legend(Figure& figure, std::size_t runs) {
    for (std::size_t i = 0; i < figure.plots.size(); ++i) figure.plots[i].legend = runs > 1 && i == 0;
}

QString smoothing_text(double smoothing) {
    if (smoothing <= 0) return {};
    return QStringLiteral(
               " Dark lines: exponential moving average (weight of past values %1); faint lines: raw.")
        .arg(number_text(smoothing));
}

}  // namespace

double smoothing_of(const std::vector<RunInput>& runs) {
    constexpr double short_run = 200, most = 0.9;
    double steps = 0;
    for (const auto& run : runs)
        if (run.record) steps = std::max(steps, static_cast<double>(run.record->steps.step.size()));
    return steps <= short_run ? 0 : std::min(most, 1 - short_run / steps);
}

std::vector<double> training_positions(const RunInput& run, TrainingAxis axis) {
    const auto& h = run.record->steps;
    const auto n = h.step.size();
    std::vector<double> x(n);
    if (axis == TrainingAxis::step || (axis == TrainingAxis::epoch && h.epoch.size() != n)) {
        for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(h.step[i]);
    } else if (axis == TrainingAxis::epoch) {
        // Steps of a completed epoch; if there is none, the number given by the caller.
        std::map<std::int64_t, std::int64_t> count;
        for (const auto epoch : h.epoch) ++count[epoch];
        std::int64_t full = run.steps_per_epoch;
        for (const auto& [epoch, steps] : count) full = std::max(full, steps);
        std::int64_t position = 0;
        for (std::size_t i = 0; i < n; ++i) {
            position = i > 0 && h.epoch[i] == h.epoch[i - 1] ? position + 1 : 1;
            x[i] = static_cast<double>(h.epoch[i] - 1) +
                   static_cast<double>(position) / static_cast<double>(full);
        }
    } else {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double seconds = i < h.seconds.size() ? h.seconds[i] : 0;
            if (std::isfinite(seconds)) sum += seconds;
            x[i] = sum;
        }
    }
    return x;
}

double time_unit(const std::vector<RunInput>& runs) {
    double longest = 0;
    for (const auto& run : runs)
        if (run.record)
            if (const auto x = training_positions(run, TrainingAxis::time); !x.empty())
                longest = std::max(longest, x.back());
    return longest >= 2 * 3600 ? 3600 : longest >= 120 ? 60 : 1;
}

namespace {

/// "L_forecast", with the losses of the runs where one is not the MSE: "L_forecast (MSE, MAE)".
QString forecast_loss_label(const std::vector<RunInput>& runs) {
    QStringList losses;
    for (const auto& run : runs)
        if (run.config) losses << QString::fromStdString(model::forecast_loss_title(*run.config));
    losses.removeDuplicates();
    const bool usual = losses.isEmpty() || losses == QStringList{QStringLiteral("MSE")};
    return QStringLiteral("L_forecast") +
           (usual ? QString() : QStringLiteral(" (%1)").arg(losses.join(QStringLiteral(", "))));
}

}  // namespace

Figure loss_terms(const std::vector<RunInput>& runs, const TrainingOptions& options) {
    Figure figure{QStringLiteral("loss-terms"), QStringLiteral("Loss terms")};
    if (!has_steps(runs)) {
        const auto lack = no_training(runs);
        figure.empty_text = lack.isEmpty() ? empty_training() : lack;
        return figure;
    }
    const auto shared = prepare(runs, options);
    using H = store::StepHistory;
    const auto add = [&](const Column& column, const QString& title) {
        figure.plots.push_back(step_plot(shared, column, title, {}, options.log_y));
        keep_value_band(figure.plots.back());
        add_rules(figure.plots.back(), shared, figure.plots.size() == 1);
    };
    add(&H::forecast, forecast_loss_label(runs));
    QString sum = QStringLiteral("L_total = L_forecast");
    const auto names = term_names(runs);
    for (const auto& name : names) {
        const auto term = model::loss_term(name);
        add(
            [name](const H& steps) {
                const auto* values = steps.find_term(name);
                return values != nullptr ? *values : std::vector<double>();
            },
            QString::fromStdString(term.symbol));
        sum += QString::fromStdString(" + " + term.weight + "·" + term.symbol);
    }
    if (!names.empty()) add(&H::total, sum);
    figure.columns = 2;
    share_legend(figure, runs.size());
    figure.caption = QStringLiteral("Loss terms before weighting, and their weighted sum, for %1.%2")
                         .arg(join_names(runs), smoothing_text(shared.smoothing));
    return figure;
}

namespace {

bool watches_smape(const RunInput& run) { return run.record && !run.record->epochs.val_smape.empty(); }

/// The metric of early stopping: "MSE", of collections of series "sMAPE".
QString watched_metric(const std::vector<RunInput>& runs) {
    if (!std::any_of(runs.begin(), runs.end(), watches_smape)) return QStringLiteral("MSE");
    return std::all_of(runs.begin(), runs.end(), watches_smape)
               ? QStringLiteral("sMAPE")
               : QStringLiteral("MSE (collections of series: sMAPE)");
}

}  // namespace

std::ptrdiff_t best_epoch(const RunInput& run) {
    if (!run.record) return -1;
    const auto& epochs = run.record->epochs;
    const auto& values = watches_smape(run) ? epochs.val_smape : epochs.val_mse;
    std::ptrdiff_t best = -1;
    for (std::size_t i = shared_epochs(run); i < values.size(); ++i)
        if (std::isfinite(values[i]) && (best < 0 || values[i] < values[static_cast<std::size_t>(best)]))
            best = static_cast<std::ptrdiff_t>(i);
    return best;
}

namespace {

/// Position of each epoch's end on the axis of run `index`.
std::vector<double> epoch_positions(const Shared& shared, std::size_t index) {
    const auto& record = *shared.runs[index].record;
    std::vector<double> x(record.epochs.epoch.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto epoch = record.epochs.epoch[i];
        x[i] = std::nan("");
        if (shared.options.x == TrainingAxis::epoch) {
            x[i] = static_cast<double>(epoch);
            continue;
        }
        const auto& of = record.steps.epoch;
        const auto after = std::upper_bound(of.begin(), of.end(), epoch);
        if (after == of.begin()) continue;
        const auto last = static_cast<std::size_t>(after - of.begin()) - 1;
        if (last < shared.x[index].size()) x[i] = shared.x[index][last];
    }
    return x;
}

Plot epoch_plot(const Shared& shared, std::vector<double> store::EpochHistory::*column,
                const QString& title) {
    Plot plot;
    plot.title = title;
    plot.x = x_axis(shared);
    plot.x.integers = plot.x.integers || shared.options.x == TrainingAxis::epoch;
    plot.y.log = shared.options.log_y;
    for (std::size_t r = 0; r < shared.runs.size(); ++r) {
        const auto& run = shared.runs[r];
        if (!run.record || run.record->epochs.epoch.empty()) continue;
        const auto x = epoch_positions(shared, r);
        if (std::isnan(x.back())) continue;  // a baseline without steps
        const auto& y = run.record->epochs.*column;
        const auto fork = shared_epochs(run);
        add_curve(plot, run, x, y, fork, 0);
        const auto n = std::min(x.size(), y.size());
        if (fork < n && n - fork <= 40) {
            Series dots;
            dots.kind = MarkKind::points;
            dots.x = part(x, fork, n);
            dots.y = part(y, fork, n);
            dots.colour = run.colour;
            dots.width = 4.5;
            dots.run = run.folder;
            dots.csv_name = QString();  // repeats the line's values
            plot.series.push_back(std::move(dots));
        }
        const auto best = best_epoch(run);
        if (best >= 0 && static_cast<std::size_t>(best) < n) {
            const auto b = static_cast<std::size_t>(best);
            Series mark;
            mark.kind = MarkKind::points;
            mark.marker = MarkerShape::diamond;
            mark.x = {x[b]};
            mark.y = {y[b]};
            mark.colour = run.colour;
            mark.width = 10;
            mark.run = run.folder;
            mark.csv_name = run.label + QStringLiteral(", best epoch");
            if (shared.runs.size() == 1)
                mark.name = QStringLiteral("best: %1, epoch %2")
                                .arg(number_text(y[b]))
                                .arg(run.record->epochs.epoch[b]);
            plot.series.push_back(std::move(mark));
        }
    }
    keep_value_band(plot);
    return plot;
}

}  // namespace

Figure validation(const std::vector<RunInput>& runs, const TrainingOptions& options) {
    Figure figure{QStringLiteral("validation"), QStringLiteral("Validation")};
    // A baseline without steps has its error, but no place on the axis of steps.
    QStringList drawn;
    for (const auto& run : runs)
        if (run.record && !run.record->epochs.epoch.empty() &&
            (options.x == TrainingAxis::epoch || !run.record->steps.epoch.empty()))
            drawn << run.label;
    if (drawn.isEmpty()) {
        figure.empty_text =
            has_steps(runs)
                ? QObject::tr("The validation MSE and MAE appear here after the first epoch.")
                : QObject::tr("Validation MSE and MAE per epoch, with the best epoch marked, appear here.") +
                      first_step();
        return figure;
    }
    const auto shared = prepare(runs, options);
    if (std::any_of(runs.begin(), runs.end(), watches_smape))
        figure.plots.push_back(
            epoch_plot(shared, &store::EpochHistory::val_smape, QStringLiteral("validation sMAPE (%)")));
    figure.plots.push_back(epoch_plot(shared, &store::EpochHistory::val_mse,
                                      error_title(QStringLiteral("validation MSE"), runs)));
    figure.plots.push_back(epoch_plot(shared, &store::EpochHistory::val_mae,
                                      error_title(QStringLiteral("validation MAE"), runs)));
    figure.columns = static_cast<int>(figure.plots.size());
    if (runs.size() == 1) {
        const auto& epochs = runs[0].record->epochs;
        const auto best = best_epoch(runs[0]);
        const auto x = epoch_positions(shared, 0);
        const auto waited = best < 0 ? 0 : static_cast<std::ptrdiff_t>(epochs.epoch.size()) - 1 - best;
        if (waited > 0) {
            const auto text =
                QStringLiteral("%1 epochs without improvement in %2%3")
                    .arg(QString::number(waited), watched_metric(runs),
                         runs[0].config ? QStringLiteral(" (patience %1)").arg(runs[0].config->train.patience)
                                        : QString());
            figure.plots[0].bands.push_back(
                {x[static_cast<std::size_t>(best)], x.back(), text, neutral_colour()});
        }
    } else {
        share_legend(figure, runs.size());
    }
    figure.caption = QStringLiteral(
                         "Errors on the validation split in %1 after each epoch, for %2; diamonds: the epoch "
                         "with the lowest %3, whose weights are kept.")
                         .arg(error_units(runs),
                              drawn.size() > 3 ? QStringLiteral("%1 runs").arg(drawn.size())
                                               : drawn.join(QStringLiteral(", ")),
                              watched_metric(runs));
    return figure;
}

Figure training_pace(const std::vector<RunInput>& runs, const TrainingOptions& options) {
    Figure figure{QStringLiteral("learning-rate"), QStringLiteral("Learning rate and step time")};
    if (!has_steps(runs)) {
        const auto lack = no_training(runs);
        figure.empty_text =
            !lack.isEmpty()
                ? lack
                : QObject::tr("Learning rate and time per step appear here from the first step on.") +
                      first_step();
        return figure;
    }
    auto unsmoothed = options;
    unsmoothed.smoothing = 0;
    const auto exact = prepare(runs, unsmoothed);
    const auto shared = prepare(runs, options);
    using H = store::StepHistory;
    figure.plots.push_back(
        step_plot(exact, &H::learning_rate, QStringLiteral("learning rate"), {}, options.log_y));
    figure.plots.push_back(
        step_plot(shared, &H::seconds, QStringLiteral("time per step (ms)"), {}, options.log_y, 1000));
    for (auto& plot : figure.plots) add_rules(plot, shared, false);
    figure.columns = 2;
    share_legend(figure, runs.size());
    figure.caption = QStringLiteral("Learning rate and wall time of each training step, for %1.%2")
                         .arg(join_names(runs), smoothing_text(shared.smoothing));
    return figure;
}

namespace {

bool has_gate(const RunInput& run) {
    return run.record && !run.record->steps.gate_share.empty() && capabilities(run).coverage &&
           (!run.config || run.config->coverage.term == "coverage");
}

}  // namespace

Figure gate_share(const std::vector<RunInput>& runs, const TrainingOptions& options) {
    Figure figure{QStringLiteral("gate-share"), QStringLiteral("Coverage gate")};
    // A gate that is never active is a line at 0; a run without one has zeros, too.
    std::vector<RunInput> gated;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(gated), has_gate);
    if (std::none_of(gated.begin(), gated.end(),
                     [](const RunInput& run) { return any_positive(run.record->steps.gate_share); })) {
        const auto lack = lack_text(runs, &model::Capabilities::coverage, QObject::tr("coverage term"));
        figure.empty_text =
            !lack.isEmpty() ? lack + QObject::tr(" Show a run with coverage to see its gate.")
            : has_steps(runs)
                ? QObject::tr(
                      "The coverage gate was never active in these runs, coverage is off "
                      "(coverage.enabled), or another loss takes its place (coverage.term). Show a run with "
                      "coverage to see its gate.")
                : QObject::tr(
                      "The fraction of (row, anchor) pairs (one row per window and channel) with 0 < s < c̃, "
                      "for which the coverage gate is active, appears here from the first step on.") +
                      first_step();
        return figure;
    }
    const auto shared = prepare(gated, options);
    figure.plots.push_back(step_plot(shared, &store::StepHistory::gate_share, {},
                                     QStringLiteral("pairs with 0 < s < c̃ (%)"), options.log_y, 100));
    keep_value_band(figure.plots.back());
    add_rules(figure.plots.back(), shared, true);
    share_legend(figure, gated.size());
    figure.caption = QStringLiteral(
                         "Fraction of (row, anchor) pairs (one row per window and channel) for which the "
                         "coverage gate is active, for %1.%2")
                         .arg(join_names(gated), smoothing_text(shared.smoothing));
    name_omitted(figure, runs, gated, &model::Capabilities::coverage, QStringLiteral("coverage gate"));
    return figure;
}

}  // namespace casp::figures
