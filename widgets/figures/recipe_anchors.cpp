#include "figures/recipe_anchors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/usage.h"
#include "figures/scale.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

constexpr std::size_t max_runs = 6;
constexpr std::size_t max_strips = 2;  ///< half-transparent areas that remain distinguishable

/// A run with the counts shown by a figure.
struct Counted {
    const RunInput* run;
    std::vector<std::int64_t> counts;
    analysis::UsageSummary numbers;
    std::int64_t step = -1;  ///< of the snapshot; −1: test
    bool live = false;       ///< counted since the last snapshot
};

std::vector<Counted> counted(const std::vector<RunInput>& runs, const AnchorOptions& options) {
    std::vector<Counted> result;
    for (const auto& run : runs) {
        if (!run.record) continue;
        const auto& anchors = run.record->anchors;
        Counted c{&run, usage_counts(anchors, options.of, options.step), {}, -1, false};
        if (c.counts.empty()) continue;
        c.numbers = analysis::summarise_usage(c.counts);
        if (options.of != UsageOf::test) {
            const auto at = snapshot_at(anchors, options.step);
            c.step = anchors.snapshot_step[static_cast<std::size_t>(at)];
            c.live = is_live(anchors, at);
        }
        result.push_back(std::move(c));
    }
    return result;
}

/// Name of a run in a plot; with its step if the shown steps differ.
QString name_at(const RunInput& run, std::int64_t step, bool steps_differ) {
    return steps_differ && step >= 0 ? QStringLiteral("%1 · step %2").arg(run.label, QString::number(step))
                                     : run.label;
}

bool differ(const std::vector<Counted>& runs) {
    return std::any_of(runs.begin(), runs.end(),
                       [&](const Counted& c) { return c.step != runs.front().step; });
}

QString what_is_counted(const AnchorOptions& options, const std::vector<Counted>& runs) {
    if (options.of == UsageOf::test) return QStringLiteral("on the test split at the best checkpoint");
    QString steps;
    const bool same = !differ(runs);
    if (same && !runs.empty()) steps = QStringLiteral(" %1").arg(runs.front().step);
    if (std::any_of(runs.begin(), runs.end(), [](const Counted& c) { return c.live; }))
        return (options.of == UsageOf::training
                    ? QStringLiteral("in training up to step%1 (running)")
                    : QStringLiteral("in training from the previous snapshot (or the start) to step%1"))
            .arg(same ? steps : QStringLiteral("s that differ between runs"));
    return options.of == UsageOf::training
               ? QStringLiteral("in training up to step%1")
                     .arg(same ? steps : QStringLiteral("s that differ between runs"))
               : QStringLiteral("in training between the previous snapshot and the one at step%1")
                     .arg(same ? steps : QStringLiteral("s that differ between runs"));
}

QString no_usage(const std::vector<RunInput>& runs, const AnchorOptions& options, const QString& what) {
    const bool any = std::any_of(runs.begin(), runs.end(), [](const RunInput& run) { return run.record; });
    if (!any) return QObject::tr("%1 appears here.").arg(what) + first_step();
    if (const auto lack = lack_text(runs, &model::Capabilities::anchors, QObject::tr("anchors"));
        !lack.isEmpty())
        return QObject::tr("%1 Show a run with anchors to see %2.")
            .arg(lack, what.left(1).toLower() + what.mid(1));
    if (options.of == UsageOf::test)
        return QObject::tr("%1 on the test split appears here when a run is evaluated.").arg(what);
    return QObject::
        tr("%1 appears here seconds after the first step of a run trained in this session. For other runs "
           "it appears with the first snapshot: after an epoch, or every run.snapshot_steps steps.")
            .arg(what);
}

std::int64_t largest(const std::vector<std::int64_t>& counts) {
    return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

std::vector<RunInput> runs_of(const std::vector<Counted>& shown) {
    std::vector<RunInput> runs;
    for (const auto& c : shown) runs.push_back(*c.run);
    return runs;
}

void name_without_anchors(Figure& figure, const std::vector<RunInput>& runs,
                          const std::vector<RunInput>& drawn) {
    name_omitted(figure, runs, drawn, &model::Capabilities::anchors, QStringLiteral("anchors"));
}

void name_without_coverage(Figure& figure, const std::vector<RunInput>& runs,
                           const std::vector<RunInput>& drawn) {
    name_omitted(figure, runs, drawn, &model::Capabilities::coverage, QStringLiteral("coverage statistic"));
}

Series series_of(const RunInput& run, MarkKind kind) {
    Series s;
    s.kind = kind;
    s.name = run.label;
    s.colour = run.colour;
    s.run = run.folder;
    return s;
}

}  // namespace

Figure usage_histogram(const std::vector<RunInput>& runs, const AnchorOptions& options) {
    Figure figure{QStringLiteral("anchor-usage"), QStringLiteral("Anchor usage")};
    const auto shown = counted(runs, options);
    if (shown.empty()) {
        figure.empty_text = no_usage(runs, options, QObject::tr("The usage of each of the V' anchors"));
        return figure;
    }
    const auto drawn = runs_of(shown);
    figure.caption = QStringLiteral("Retrievals per anchor %1, for %2.")
                         .arg(what_is_counted(options, shown), join_names(drawn));
    if (options.sorted) {
        Plot plot;
        plot.x.title = QStringLiteral("anchors by number of retrievals (rank)");
        plot.x.log = true;
        plot.x.integers = true;
        plot.y.title = QStringLiteral("retrievals");
        plot.y.integers = true;
        plot.y.log = options.log_y;
        for (const auto& c : shown) {
            auto s = series_of(*c.run, MarkKind::steps);
            s.name = name_at(*c.run, c.step, differ(shown));
            for (const auto anchor : analysis::concentration_of(c.counts).anchor) {
                s.x.push_back(static_cast<double>(s.x.size() + 1));
                s.y.push_back(static_cast<double>(c.counts[static_cast<std::size_t>(anchor)]));
                s.ids.push_back(anchor);
            }
            plot.series.push_back(std::move(s));
        }
        plot.legend = shown.size() > 1;
        figure.plots.push_back(std::move(plot));
        name_without_anchors(figure, runs, drawn);
        return figure;
    }
    std::int64_t most = 1;
    for (const auto& c : shown) most = std::max(most, largest(c.counts));
    for (std::size_t i = 0; i < std::min(shown.size(), max_runs); ++i) {
        const auto& c = shown[i];
        Plot plot;
        plot.title = QStringLiteral("%1 · %2 of %3 anchors retrieved")
                         .arg(name_at(*c.run, c.step, differ(shown)), QString::number(c.numbers.distinct),
                              QString::number(c.counts.size()));
        plot.x.title = QStringLiteral("anchor");
        plot.x.integers = true;
        plot.x.min = -0.5;
        plot.x.max = static_cast<double>(c.counts.size()) - 0.5;
        plot.y.title = QStringLiteral("retrievals");
        plot.y.integers = true;
        plot.y.log = options.log_y;
        if (!options.log_y) {
            plot.y.min = 0;
            plot.y.max = 1.05 * static_cast<double>(most);
        }
        plot.legend = false;
        auto s = series_of(*c.run, MarkKind::bars);
        for (std::size_t a = 0; a < c.counts.size(); ++a) {
            s.x.push_back(static_cast<double>(a));
            s.y.push_back(static_cast<double>(c.counts[a]));
            s.ids.push_back(static_cast<std::int64_t>(a));
        }
        plot.series.push_back(std::move(s));
        figure.plots.push_back(std::move(plot));
    }
    if (shown.size() > max_runs) {
        figure.caption += QStringLiteral(" Only the first %1 of %2 runs are shown; “Sorted” shows all runs.")
                              .arg(max_runs)
                              .arg(shown.size());
        figure.left_out = QObject::tr(
                              "Anchor usage: only the first %1 of %2 runs are plotted. Check “Sorted” to "
                              "show all runs in one plot, or show fewer runs.")
                              .arg(max_runs)
                              .arg(shown.size());
    }
    name_without_anchors(figure, runs, drawn);
    figure.columns = shown.size() > 3 ? 2 : 1;
    return figure;
}

Figure concentration(const std::vector<RunInput>& runs, const AnchorOptions& options) {
    Figure figure{QStringLiteral("concentration"), QStringLiteral("Concentration")};
    auto shown = counted(runs, options);
    shown.erase(std::remove_if(shown.begin(), shown.end(),
                               [](const Counted& c) { return c.numbers.retrievals == 0; }),
                shown.end());
    if (shown.empty()) {
        figure.empty_text = no_usage(
            runs, options, QObject::tr("The fraction of retrievals that fall on the most used anchors"));
        return figure;
    }
    Plot share, counts;
    share.x.title = QStringLiteral("anchors by number of retrievals (rank)");
    share.x.log = true;
    share.x.integers = true;
    share.y.title = QStringLiteral("cumulative fraction of retrievals (%)");
    share.y.min = 0;
    share.y.max = 105;
    counts.x.title = QStringLiteral("rank among the 20 most used anchors");
    counts.x.integers = true;
    counts.x.min = 0.5;
    counts.x.max = 20.5;
    counts.y.title = QStringLiteral("retrievals");
    counts.y.integers = true;
    counts.y.log = options.log_y;
    if (!counts.y.log) counts.y.min = 0;
    counts.legend = false;
    std::size_t pool = 0;
    for (const auto& c : shown) {
        pool = std::max(pool, c.counts.size());
        auto curve = series_of(*c.run, MarkKind::line);
        auto top = series_of(*c.run, MarkKind::line);
        Series dots = series_of(*c.run, MarkKind::points);
        dots.name.clear();
        dots.csv_name = curve.csv_name = c.run->label;
        dots.width = 4.5;
        const double top20 = analysis::top_share(c.counts, 20);
        curve.name = QStringLiteral("%1: top 20 account for %2 %")
                         .arg(name_at(*c.run, c.step, differ(shown)), number_text(100 * top20));
        std::int64_t sum = 0;
        for (const auto anchor : analysis::concentration_of(c.counts).anchor) {
            const auto count = c.counts[static_cast<std::size_t>(anchor)];
            sum += count;
            const auto rank = static_cast<double>(curve.x.size() + 1);
            curve.x.push_back(rank);
            curve.y.push_back(100 * static_cast<double>(sum) / static_cast<double>(c.numbers.retrievals));
            curve.ids.push_back(anchor);
            if (rank > 20) continue;
            dots.x.push_back(rank);
            dots.y.push_back(static_cast<double>(count));
            dots.ids.push_back(anchor);
        }
        top.x = dots.x;
        top.y = dots.y;
        top.name.clear();
        top.csv_name = QString();  // of the dots
        if (curve.x.size() >= 20) {
            Series mark = series_of(*c.run, MarkKind::points);
            mark.name.clear();
            mark.csv_name = QString();  // a point of the curve
            mark.width = 7;
            mark.x = {20};
            mark.y = {100 * top20};
            share.series.push_back(std::move(mark));
        }
        share.series.push_back(std::move(curve));
        counts.series.push_back(std::move(top));
        counts.series.push_back(std::move(dots));
    }
    Series even;
    even.name = QStringLiteral("uniform usage");
    even.csv_name = QStringLiteral("all anchors equally often");
    even.colour = neutral_colour();
    even.dashed = true;
    even.width = 1.2;
    for (std::size_t rank = 1; rank <= pool; ++rank) {
        even.x.push_back(static_cast<double>(rank));
        even.y.push_back(100 * static_cast<double>(rank) / static_cast<double>(pool));
    }
    share.series.push_back(std::move(even));
    if (pool >= 20) share.rules.push_back({true, 20, QStringLiteral("top 20"), {}, true});
    figure.plots = {std::move(share), std::move(counts)};
    figure.columns = 2;
    const auto drawn = runs_of(shown);
    figure.caption = QStringLiteral(
                         "Left: cumulative fraction of retrievals by anchor rank. Right: retrievals of the "
                         "20 most used anchors. Counted %1, for %2.")
                         .arg(what_is_counted(options, shown), join_names(drawn));
    name_without_anchors(figure, runs, drawn);
    return figure;
}

namespace {

/// Values of a run over its snapshots.
struct Course {
    const RunInput* run;
    std::vector<double> step, top20, entropy, distinct;
    std::int64_t pool = 0;
};

std::vector<Course> courses(const std::vector<RunInput>& runs) {
    std::vector<Course> result;
    for (const auto& run : runs) {
        if (!run.record) continue;
        const auto& a = run.record->anchors;
        const auto pool = static_cast<std::size_t>(std::max<std::int64_t>(0, a.pool_size));
        Course course{&run, {}, {}, {}, {}, a.pool_size};
        for (std::size_t s = 0; pool > 0 && s < a.snapshot_step.size(); ++s) {
            if (a.usage_train.size() < (s + 1) * pool) break;
            const auto counts = std::span(a.usage_train).subspan(s * pool, pool);
            const auto n = analysis::summarise_usage(counts);
            course.step.push_back(static_cast<double>(a.snapshot_step[s]));
            course.top20.push_back(100 * analysis::top_share(counts, 20));
            course.entropy.push_back(n.entropy);
            course.distinct.push_back(static_cast<double>(n.distinct));
        }
        if (!course.step.empty()) result.push_back(std::move(course));
    }
    return result;
}

/// Lines with a dot per snapshot if there are few snapshots.
void add_course(Plot& plot, const RunInput& run, const std::vector<double>& x, const std::vector<double>& y) {
    auto line = series_of(run, MarkKind::line);
    line.x = x;
    line.y = y;
    const bool dots = x.size() <= 60;
    if (dots) {
        auto marks = series_of(run, MarkKind::points);
        marks.x = x;
        marks.y = y;
        marks.width = 4.5;
        if (x.size() > 1) marks.name.clear();
        plot.series.push_back(std::move(marks));
    }
    if (x.size() > 1) plot.series.push_back(std::move(line));
}

/// The value common to all runs; 0: they differ or it is unknown.
template <class Of>
std::int64_t common(const std::vector<Course>& courses, Of of) {
    std::int64_t value = 0;
    for (const auto& course : courses) {
        const std::int64_t v = of(course);
        if (v <= 0 || (value > 0 && v != value)) return 0;
        value = v;
    }
    return value;
}

}  // namespace

Figure concentration_course(const std::vector<RunInput>& runs, const AnchorOptions& options) {
    Figure figure{QStringLiteral("concentration-course"), QStringLiteral("Concentration over training")};
    const auto all = courses(runs);
    if (all.empty()) {
        figure.empty_text =
            no_usage(runs, {}, QObject::tr("The concentration of anchor usage over training"));
        return figure;
    }
    Plot top, entropy, distinct;
    top.title = QStringLiteral("top-20 fraction (%)");
    entropy.title = QStringLiteral("usage entropy (nats)");
    distinct.title = QStringLiteral("distinct anchors");
    top.y.min = 0;
    top.y.max = 105;
    distinct.y.min = 0;
    distinct.y.integers = true;
    for (auto* plot : {&top, &entropy, &distinct}) {
        plot->x.title = QStringLiteral("step");
        plot->x.integers = true;
        if (options.step) plot->rules.push_back({true, static_cast<double>(*options.step), {}, {}, false});
    }
    for (const auto& course : all) {
        add_course(top, *course.run, course.step, course.top20);
        add_course(entropy, *course.run, course.step, course.entropy);
        add_course(distinct, *course.run, course.step, course.distinct);
    }
    if (const auto k = common(all, [](const Course& c) { return top_k(*c.run); })) {
        entropy.rules.push_back({false, std::log(static_cast<double>(k)), QStringLiteral("ln K"), {}, true});
        distinct.rules.push_back({false, static_cast<double>(k), QStringLiteral("K = %1").arg(k), {}, true});
    }
    if (const auto pool = common(all, [](const Course& c) { return c.pool; }))
        entropy.rules.push_back(
            {false, std::log(static_cast<double>(pool)), QStringLiteral("ln V'"), {}, true});
    keep_value_band(entropy);
    top.legend = all.size() > 1;
    entropy.legend = distinct.legend = false;
    figure.plots = {std::move(top), std::move(entropy), std::move(distinct)};
    figure.columns = 3;
    const auto drawn = drawn_in(figure, runs);
    figure.caption =
        QStringLiteral(
            "Fraction of retrievals that fall on the 20 most used anchors, usage entropy −Σ p ln p and "
            "number of distinct anchors, each counted between consecutive snapshots, for %1.")
            .arg(join_names(drawn));
    name_without_anchors(figure, runs, drawn);
    if (std::any_of(all.begin(), all.end(),
                    [](const Course& course) { return course.run->record->anchors.last_is_live; }))
        figure.caption +=
            QStringLiteral(" The last point of a running run counts the retrievals since its last snapshot.");
    return figure;
}

namespace {

QString no_coverage(const std::vector<RunInput>& runs) {
    bool any = false, snapshots = false;
    for (const auto& run : runs) {
        any = any || run.record;
        snapshots = snapshots || (run.record && !run.record->anchors.snapshot_step.empty());
    }
    if (const auto lack = lack_text(runs, &model::Capabilities::coverage, QObject::tr("coverage statistic"));
        any && !lack.isEmpty())
        return lack + QObject::tr(
                          " Show a run with coverage.enabled; the statistic is also computed for λ_cov = 0.");
    if (snapshots)
        return QObject::tr(
            "Coverage was off in these runs (coverage.enabled), so there is no coverage statistic. Show a "
            "run with coverage.enabled; the statistic is also computed for λ_cov = 0.");
    if (any)
        return QObject::tr(
            "The coverage statistic c̃ of each anchor appears here seconds after the first step of a run "
            "trained in this session. For other runs it appears with the first snapshot: after an epoch, or "
            "every run.snapshot_steps steps.");
    return QObject::tr("The coverage statistic c̃ of each anchor appears here.") + first_step();
}

}  // namespace

Figure coverage_statistic(const std::vector<RunInput>& runs, const AnchorOptions& options) {
    Figure figure{QStringLiteral("coverage-statistic"), QStringLiteral("Coverage statistic c̃")};
    Plot plot;
    QString so_far;  // of running runs, which are ahead of their snapshots
    std::vector<std::int64_t> steps;
    for (const auto& run : runs) {
        if (!run.record) continue;
        const auto& anchors = run.record->anchors;
        const auto at = snapshot_at(anchors, options.step);
        const auto values = coverage_at(anchors, at);
        if (values.empty()) continue;
        steps.push_back(anchors.snapshot_step[static_cast<std::size_t>(at)]);
        if (is_live(anchors, at))
            so_far += QStringLiteral(" %1 is running: c̃ at step %2.")
                          .arg(run.label, QString::number(anchors.snapshot_step.back()));
        auto s = series_of(run, options.sorted ? MarkKind::line : MarkKind::points);
        s.width = options.sorted ? 1.6 : 3.5;
        if (!options.sorted) s.opacity = 0.8;
        std::vector<std::int64_t> order(values.size());
        std::iota(order.begin(), order.end(), 0);
        if (options.sorted)
            std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
                return values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)];
            });
        for (const auto anchor : order) {
            s.x.push_back(
                static_cast<double>(options.sorted ? static_cast<std::int64_t>(s.x.size()) + 1 : anchor));
            s.y.push_back(values[static_cast<std::size_t>(anchor)]);
            s.ids.push_back(anchor);
        }
        plot.series.push_back(std::move(s));
    }
    if (plot.series.empty()) {
        figure.empty_text = no_coverage(runs);
        return figure;
    }
    if (const auto [first, last] = std::minmax_element(steps.begin(), steps.end()); *first != *last)
        for (std::size_t i = 0; i < steps.size(); ++i)
            plot.series[i].name += QStringLiteral(" · step %1").arg(steps[i]);
    plot.x.title = options.sorted ? QStringLiteral("anchors by c̃ (rank)") : QStringLiteral("anchor");
    plot.x.integers = true;
    plot.y.title = QStringLiteral("c̃");
    plot.y.log = options.log_y;
    plot.legend = plot.series.size() > 1;
    keep_value_band(plot);
    figure.plots.push_back(std::move(plot));
    const auto drawn = drawn_in(figure, runs);
    figure.caption = QStringLiteral(
                         "Coverage statistic c̃ (exponential moving average of the batch mean of max(s, 0) of "
                         "each anchor)%1, for %2.")
                         .arg(options.step ? QStringLiteral(" at the snapshot of step %1").arg(*options.step)
                                           : QStringLiteral(" at the latest snapshot"),
                              join_names(drawn)) +
                     so_far;
    name_without_coverage(figure, runs, drawn);
    return figure;
}

Figure coverage_course(const std::vector<RunInput>& runs, const AnchorOptions& options) {
    Figure figure{QStringLiteral("coverage-course"), QStringLiteral("c̃ over training")};
    Plot plot;
    for (const auto& run : runs) {
        if (!run.record) continue;
        const auto& anchors = run.record->anchors;
        Series strip = series_of(run, MarkKind::area);
        std::vector<double> median;
        for (std::size_t s = 0; s < anchors.snapshot_step.size(); ++s) {
            const auto values = coverage_at(anchors, static_cast<std::ptrdiff_t>(s));
            if (values.empty()) continue;
            std::vector<float> sorted(values.begin(), values.end());
            std::sort(sorted.begin(), sorted.end());
            const auto n = sorted.size();
            strip.x.push_back(static_cast<double>(anchors.snapshot_step[s]));
            strip.low.push_back(sorted.front());
            strip.y.push_back(sorted.back());
            median.push_back(0.5 *
                             (static_cast<double>(sorted[(n - 1) / 2]) + static_cast<double>(sorted[n / 2])));
        }
        if (strip.x.empty()) continue;
        strip.name.clear();
        strip.opacity = 0.18;
        const auto x = strip.x;
        if (x.size() > 1 && runs.size() <= max_strips)
            plot.series.push_back(std::move(strip));
        else if (x.size() > 1)
            // Overlapping ranges would merge into one grey area.
            for (const auto* edge : {&strip.low, &strip.y}) {
                Series line = strip;
                line.kind = MarkKind::line;
                line.low.clear();
                line.y = *edge;
                line.opacity = 0.55;
                line.width = 0.8;
                line.dashed = true;
                line.csv_name = run.label + (edge == &strip.low ? QStringLiteral(", lowest anchor")
                                                                : QStringLiteral(", highest anchor"));
                plot.series.push_back(std::move(line));
            }
        add_course(plot, run, x, median);
    }
    if (plot.series.empty()) {
        figure.empty_text = no_coverage(runs);
        return figure;
    }
    plot.x.title = QStringLiteral("step");
    plot.x.integers = true;
    plot.y.title = QStringLiteral("c̃ (median, range)");
    plot.y.log = options.log_y;
    keep_value_band(plot);
    if (options.step) plot.rules.push_back({true, static_cast<double>(*options.step), {}, {}, false});
    figure.plots.push_back(std::move(plot));
    const auto drawn = drawn_in(figure, runs);
    figure.plots.front().legend = drawn.size() > 1;
    figure.caption =
        QStringLiteral(
            "Coverage statistic c̃ over training: median over the anchors, and %2 from the lowest to the "
            "highest anchor, for %1.")
            .arg(join_names(drawn), runs.size() <= max_strips ? QStringLiteral("the shaded range")
                                                              : QStringLiteral("the dashed range"));
    name_without_coverage(figure, runs, drawn);
    return figure;
}

std::ptrdiff_t snapshot_at(const store::AnchorHistory& anchors, std::optional<std::int64_t> step) {
    const auto& steps = anchors.snapshot_step;
    if (steps.empty()) return -1;
    if (!step) return static_cast<std::ptrdiff_t>(steps.size()) - 1;
    const auto after = std::upper_bound(steps.begin(), steps.end(), *step);
    return std::max<std::ptrdiff_t>(0, after - steps.begin() - 1);
}

bool is_live(const store::AnchorHistory& anchors, std::ptrdiff_t index) {
    return anchors.last_is_live && index >= 0 &&
           static_cast<std::size_t>(index) + 1 == anchors.snapshot_step.size();
}

std::vector<std::int64_t> usage_counts(const store::AnchorHistory& anchors, UsageOf of,
                                       std::optional<std::int64_t> step) {
    if (of == UsageOf::test) return anchors.usage_test;
    const auto index = snapshot_at(anchors, step);
    const auto pool = static_cast<std::size_t>(std::max<std::int64_t>(0, anchors.pool_size));
    if (index < 0 || pool == 0) return {};
    const auto last = static_cast<std::size_t>(index);
    if (anchors.usage_train.size() < (last + 1) * pool) return {};
    std::vector<std::int64_t> counts(pool, 0);
    for (std::size_t s = of == UsageOf::training ? 0 : last; s <= last; ++s)
        for (std::size_t i = 0; i < pool; ++i) counts[i] += anchors.usage_train[s * pool + i];
    return counts;
}

std::span<const float> coverage_at(const store::AnchorHistory& anchors, std::ptrdiff_t index) {
    const auto pool = static_cast<std::size_t>(std::max<std::int64_t>(0, anchors.pool_size));
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, index));
    if (index < 0 || pool == 0 || anchors.coverage_statistic.size() < (at + 1) * pool) return {};
    return std::span(anchors.coverage_statistic).subspan(at * pool, pool);
}

}  // namespace casp::figures
