#include "figures/recipe_compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <QObject>

#include "figures/comparison.h"
#include "figures/recipe_input.h"
#include "figures/scale.h"
#include "figures/style.h"
#include "store/result_columns.h"

namespace casp::figures {

namespace {

constexpr std::size_t max_rules = 4;
constexpr qsizetype max_sentences = 3;
constexpr std::int64_t fewest = 2;   ///< runs behind a mean that may be joined or tested
constexpr double min_cosine = 0.05;  ///< that an axis of cosines, which can be zero, covers on either side
constexpr double min_difference = 0.01;  ///< likewise of their differences
constexpr double near_share = 0.05;      ///< of the highest value: the least span that counts as near
constexpr double slot_width = 0.7;       ///< of a category, for the marks of all lines

/// Position of each x on the axis.
struct Places {
    Axis axis;
    bool zero_apart = false;  ///< log axis: 0 is placed at `zero_at`
    double zero_at = 0;

    [[nodiscard]] double at(const SettingValue& x) const {
        if (!axis.categories.isEmpty()) return static_cast<double>(axis.categories.indexOf(x.text));
        if (axis.log && *x.number <= 0)
            return zero_apart ? zero_at : std::numeric_limits<double>::quiet_NaN();
        return *x.number;
    }
};

Places places_of(const Comparison& comparison, bool log_x) {
    Places places;
    places.axis.title = key_title(comparison.x_key);
    if (!comparison.numbers) {
        for (const auto& x : comparison.x_values) places.axis.categories += x.text;
        return places;
    }
    double least = std::numeric_limits<double>::infinity(), most = 0;
    bool zero = false, negative = false;
    for (const auto& line : comparison.lines)
        for (const auto& point : line.points) {
            const double x = *point.x.number;
            if (x > 0) least = std::min(least, x);
            most = std::max(most, x);
            zero = zero || x == 0;
            negative = negative || x < 0;
        }
    // Without a positive value, or with negative ones, a log axis would omit points.
    if (!log_x || !std::isfinite(least) || negative) return places;
    places.axis.log = true;
    if (zero) {
        places.zero_apart = true;
        // Half a decade left of the smallest value.
        places.zero_at = least / std::sqrt(10.0);
        places.axis.min = places.zero_at / 1.5;
        places.axis.max = most * 1.3;
    }
    return places;
}

/// Colour and shape of each line.
struct Dress {
    QColor colour;
    bool by_run = false;  ///< marks of single runs have their runs' colours
    MarkerShape marker = MarkerShape::circle;
    bool dashed = false;
};

std::vector<Dress> dresses_of(const Comparison& comparison, const QString& colour_by) {
    // No cross, which cannot be hollow.
    constexpr std::array shapes{MarkerShape::circle, MarkerShape::square, MarkerShape::triangle,
                                MarkerShape::diamond};
    const auto key = comparison.line_keys.indexOf(colour_by);
    std::vector<Dress> dresses;
    QStringList groups;
    std::vector<std::size_t> in_group;
    for (std::size_t i = 0; i < comparison.lines.size(); ++i) {
        Dress dress;
        if (key < 0) {
            // As in the list of runs, unless another line begins with a run of that colour.
            const auto& own = comparison.lines[i].points.front().colours.front();
            const bool is_taken = std::any_of(dresses.begin(), dresses.end(),
                                              [&](const Dress& other) { return other.colour == own; });
            dress.by_run = own.isValid();
            dress.colour = dress.by_run && !is_taken ? own : run_colour(static_cast<int>(i));
            dress.marker = shapes[i % shapes.size()];
        } else {
            const QString value = comparison.lines[i].settings[key];
            auto group = groups.indexOf(value);
            if (group < 0) {
                group = groups.size();
                groups += value;
                in_group.push_back(0);
            }
            const auto nth = in_group[static_cast<std::size_t>(group)]++;
            dress.colour = run_colour(static_cast<int>(group));
            dress.marker = shapes[nth % shapes.size()];
            dress.dashed = nth % 2 == 1;
        }
        dresses.push_back(dress);
    }
    return dresses;
}

/// Thin lines between the included runs of each seed. Empty with fewer than two such seeds: a single pair
/// would look like an effect; and between more than two categories, which have no order.
Series seed_lines(const CompareLine& line, const Places& places) {
    if (places.axis.categories.size() > 2) return {};
    std::map<std::int64_t, std::map<double, double>> seeds;  // of each, the first value at each x
    for (const auto& point : line.points)
        for (std::size_t i = 0; i < point.values.size(); ++i)
            if (!point.early[i]) seeds[point.seeds[i]].emplace(places.at(point.x), point.values[i]);
    Series lines;
    std::int64_t joined = 0;
    for (const auto& [seed, values] : seeds) {
        for (const auto& [x, value] : values) {
            lines.x.push_back(x);
            lines.y.push_back(value);
        }
        if (values.size() >= 2) ++joined;
        lines.x.push_back(lines.x.back());
        lines.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    if (joined < fewest) return {};
    lines.width = 0.8;
    lines.opacity = 0.3;
    return lines;
}

/// Seeds of the runs in a point's mean, ascending.
std::vector<std::int64_t> seeds_at(const ComparePoint& point) {
    std::vector<std::int64_t> seeds;
    for (std::size_t i = 0; i < point.seeds.size(); ++i)
        if (!point.early[i]) seeds.push_back(point.seeds[i]);
    std::sort(seeds.begin(), seeds.end());
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    return seeds;
}

/// Whether a line may join the means of two points: of several runs each, with the same seeds. Otherwise a
/// difference between seeds would look like one between the values.
bool may_join(const ComparePoint& a, const ComparePoint& b) {
    return a.statistic.n >= fewest && seeds_at(a) == seeds_at(b);
}

/// Adds marks, a series for each of their colours (invalid: the series').
void add_marks(Plot& plot, const Series& marks, const std::vector<QColor>& colours) {
    std::vector<Series> parts;
    for (std::size_t i = 0; i < marks.x.size(); ++i) {
        const auto colour = colours[i].isValid() ? colours[i] : marks.colour;
        auto part = std::find_if(parts.begin(), parts.end(),
                                 [&](const Series& other) { return other.colour == colour; });
        if (part == parts.end()) {
            Series fresh = marks;
            for (auto* list : {&fresh.x, &fresh.y, &fresh.low, &fresh.high}) list->clear();
            fresh.ids.clear();
            fresh.point_names.clear();
            fresh.colour = colour;
            if (!parts.empty()) fresh.name.clear();
            part = parts.insert(parts.end(), std::move(fresh));
        }
        part->x.push_back(marks.x[i]);
        part->y.push_back(marks.y[i]);
        if (!marks.low.empty()) part->low.push_back(marks.low[i]);
        if (!marks.high.empty()) part->high.push_back(marks.high[i]);
        if (!marks.ids.empty()) part->ids.push_back(marks.ids[i]);
        if (!marks.point_names.isEmpty()) part->point_names << marks.point_names[static_cast<qsizetype>(i)];
    }
    for (auto& part : parts) plot.series.push_back(std::move(part));
}

void add_line(Plot& plot, const CompareLine& line, const Dress& dress, const Places& places, bool singles) {
    Series faint, early, joined, from_zero, means, pairs = seed_lines(line, places);
    std::vector<QColor> faint_colours, early_colours, mean_colours;
    const ComparePoint* before = nullptr;  // the mean to the left
    for (const auto& point : line.points) {
        const double x = places.at(point.x);
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            auto& single = point.early[i] ? early : faint;
            single.x.push_back(x);
            single.y.push_back(point.values[i]);
            single.ids.push_back(static_cast<std::int64_t>(point.runs[i]));
            single.point_names << point.names[static_cast<qsizetype>(i)];
            (point.early[i] ? early_colours : faint_colours)
                .push_back(dress.by_run ? point.colours[i] : QColor());
        }
        if (point.statistic.n == 0) continue;  // only runs finished early
        mean_colours.push_back(dress.by_run && point.runs.size() == 1 ? point.colours.front() : QColor());
        means.x.push_back(x);
        means.y.push_back(point.statistic.mean);
        means.low.push_back(point.statistic.mean - point.statistic.sd);  // NaN for a single run
        means.high.push_back(point.statistic.mean + point.statistic.sd);
        const auto* left = std::exchange(before, &point);
        if (left == nullptr || !may_join(*left, point)) continue;
        const bool apart = places.zero_apart && *left->x.number == 0;
        auto& run = apart ? from_zero : joined;
        const auto go_to = [&run](double at, double value) {
            run.x.push_back(at);
            run.y.push_back(value);
        };
        if (const double from = places.at(left->x); run.x.empty() || run.x.back() != from) {
            if (!run.x.empty()) go_to(from, std::numeric_limits<double>::quiet_NaN());
            go_to(from, left->statistic.mean);
        }
        go_to(x, point.statistic.mean);
    }
    pairs.colour = dress.colour;
    for (auto* series : {&faint, &early, &joined, &from_zero, &means}) series->colour = dress.colour;
    for (auto* series : {&faint, &early, &means}) {
        series->kind = MarkKind::points;
        series->marker = dress.marker;
    }
    early.hollow = true;
    means.width = 6.5;
    faint.width = 4;
    faint.opacity = dress.by_run ? 0.7 : 0.35;  // the colours of runs must be recognised
    early.width = 4.5;
    // The legend entry belongs to the means or, without any, to the single runs.
    (!means.x.empty() ? means : early).name = line.name;
    if (singles && !pairs.x.empty()) plot.series.push_back(std::move(pairs));
    if (singles) add_marks(plot, faint, faint_colours);
    add_marks(plot, early, early_colours);
    joined.dashed = dress.dashed;
    from_zero.dashed = true;
    from_zero.opacity = 0.7;
    // Categories have no order, so no line.
    if (places.axis.categories.isEmpty() && !joined.x.empty()) plot.series.push_back(std::move(joined));
    if (!from_zero.x.empty()) plot.series.push_back(std::move(from_zero));
    add_marks(plot, means, mean_colours);
}

/// One legend entry for hollow marks, independent of lines.
void add_early_key(Plot& plot, const Comparison& comparison) {
    if (comparison.early == 0) return;
    Series key;
    key.kind = MarkKind::points;
    key.hollow = true;
    key.colour = neutral_colour();
    key.name = early_text(comparison) + QStringLiteral(", not in the means");
    key.csv_name = QString();
    plot.series.push_back(std::move(key));
}

/// A rule if it is near enough not to compress the data; else a line of text.
void add_last_values(Plot& plot, const Comparison& comparison) {
    std::vector<double> values;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& line : comparison.lines) {
        if (std::isfinite(line.last_value) &&
            std::find(values.begin(), values.end(), line.last_value) == values.end())
            values.push_back(line.last_value);
        for (const auto& point : line.points)
            for (const double value : point.values) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
    }
    if (values.empty() || values.size() > max_rules) return;
    QStringList away;
    const double span = std::max(high - low, near_share * std::abs(high));
    for (const double value : values) {
        const QString number = QString::fromStdString(store::four_digits(value));
        if (value <= high + 2 * span && value >= low - 2 * span) {
            Rule rule;
            rule.vertical = false;
            rule.at = value;
            rule.label = QStringLiteral("persistence ") + number;
            plot.rules.push_back(rule);
            const double edge = 0.06 * std::max(high - low, std::max(value, high) - std::min(value, low));
            if (value > high) plot.y.max = std::max(plot.y.max.value_or(value), value + edge);
            if (value < low) plot.y.min = std::min(plot.y.min.value_or(value), value - edge);
        } else {
            away += number;
        }
    }
    if (!away.isEmpty())
        plot.remarks.push_back(
            {QStringLiteral("persistence %1, outside the plot").arg(away.join(QStringLiteral(", "))), {}});
}

/// "3", or "2–3" if points have different numbers of runs.
QString runs_text(const Comparison& comparison) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
    for (const auto& line : comparison.lines)
        for (const auto& point : line.points) {
            if (point.statistic.n == 0) continue;
            least = std::min(least, point.statistic.n);
            most = std::max(most, point.statistic.n);
        }
    least = std::min(least, most);
    return least == most ? QString::number(most) : QStringLiteral("%1–%2").arg(least).arg(most);
}

/// Further sentences of the caption, each preceded by a space.
QString remarks_text(const Comparison& comparison, const CompareLook& look, const Places& places) {
    QString text;
    bool repeated = false, joined = false, apart = false;
    for (const auto& line : comparison.lines) {
        const ComparePoint* before = nullptr;
        for (const auto& point : line.points) {
            if (point.statistic.n < fewest) continue;
            const auto* left = std::exchange(before, &point);
            apart = apart || (left != nullptr && places.axis.categories.isEmpty() && !may_join(*left, point));
        }
        joined = joined || !seed_lines(line, places).x.empty();
        for (const auto& point : line.points) repeated = repeated || point.statistic.n >= fewest;
    }
    if (look.singles && repeated)
        text += joined ? QStringLiteral(" Faint marks: single runs, joined where the seed is the same.")
                       : QStringLiteral(" Faint marks: single runs.");
    if (apart)
        text += QStringLiteral(" Means over different seeds are not joined by a line.");
    else if (has_unequal_seeds(comparison))
        text += QStringLiteral(" The means are over different seeds.");
    if (places.zero_apart)
        text +=
            QStringLiteral(" Logarithmic axis; 0 is placed separately at the left, joined by a dashed line.");
    if (comparison.early > 0)
        text += QStringLiteral(
                    " Hollow marks: %1, trained for fewer steps than %2 settings specify, not in the means.")
                    .arg(early_text(comparison),
                         comparison.early == 1 ? QStringLiteral("its") : QStringLiteral("their"));
    const auto left_out = comparison.unfinished + comparison.unknown;
    if (left_out > 0)
        text += QStringLiteral(" Omitted: %1 %2, not finished or without this metric.")
                    .arg(left_out)
                    .arg(left_out == 1 ? QStringLiteral("run") : QStringLiteral("runs"));
    return text;
}

/// Legend entries without marks.
void add_keys_of(Plot& plot, const Plot& other) {
    for (const auto& series : other.series) {
        if (series.name.isEmpty()) continue;
        Series key;
        key.name = series.name;
        key.kind = series.kind;
        key.colour = series.colour;
        key.marker = series.marker;
        key.hollow = series.hollow;
        key.dashed = series.dashed;
        plot.series.push_back(std::move(key));
    }
}

/// The drawn tests: those with two or more pairs, by line and then over all tasks.
std::vector<std::vector<const PairedTest*>> drawn_tests(const Comparison& comparison) {
    std::vector<std::vector<const PairedTest*>> drawn;
    std::optional<std::size_t> last;
    for (const auto& test : comparison.tests) {
        if (test.result.n < fewest || (is_relative(comparison) && test.result.mean_base == 0)) continue;
        if (drawn.empty() || test.line != last) drawn.emplace_back();
        drawn.back().push_back(&test);
        last = test.line;
    }
    return drawn;
}

/// What the caption says of the intervals of the drawn tests.
QString intervals_text(const std::vector<std::vector<const PairedTest*>>& drawn) {
    bool some = false, few = false;
    for (const auto& tests : drawn)
        for (const auto* test : tests) (std::isfinite(shown_interval(test->result).low) ? some : few) = true;
    const auto fewest_shown = QString::number(evidence::fewest_pairs());
    if (!some) return QStringLiteral(" (no interval: fewer than %1 pairs)").arg(fewest_shown);
    return QStringLiteral(", with its 95 % bootstrap interval%1")
        .arg(few ? QStringLiteral(" from %1 pairs on").arg(fewest_shown) : QString());
}

/// Mean differences of one line, `offset` to the right of their categories.
void add_differences(Plot& plot, const Comparison& comparison, const std::vector<const PairedTest*>& tests,
                     const Series& look, double offset, bool singles) {
    Series found = look, noise = look, pairs = look;
    for (const auto* test : tests) {
        const auto& r = test->result;
        const double unit = is_relative(comparison) ? 100 / std::abs(r.mean_base) : 1;
        const auto category = plot.x.categories.indexOf(QString::fromStdString(r.other));
        const double x = static_cast<double>(category) + offset;
        auto& means = corrected_p(*test) < significance_level ? found : noise;
        means.x.push_back(x);
        means.y.push_back(r.delta * unit);
        const auto interval = shown_interval(r);
        means.low.push_back(interval.low * unit);
        means.high.push_back(interval.high * unit);
        for (const double difference : r.differences) {
            pairs.x.push_back(x);
            pairs.y.push_back(difference * unit);
        }
    }
    noise.hollow = true;
    pairs.name.clear();
    pairs.width = 4;
    pairs.opacity = 0.35;
    if (singles) plot.series.push_back(std::move(pairs));
    for (auto* means : {&noise, &found})
        if (!means->x.empty()) plot.series.push_back(std::move(*means));
}

/// Paired mean differences from the base with their intervals.
Plot difference_plot(const Comparison& comparison, const std::vector<std::vector<const PairedTest*>>& drawn,
                     const Plot& values, const std::vector<Dress>& dresses, bool singles) {
    Plot plot;
    plot.x.title = key_title(comparison.x_key);
    for (const auto& x : comparison.x_values)
        if (x.text != comparison.base) plot.x.categories += x.text;
    const bool relative = is_relative(comparison);
    plot.y.title = (relative ? QStringLiteral("Δ %1 (% of %2)") : QStringLiteral("Δ %1 from %2"))
                       .arg(in_sentence(comparison.metric), setting_text(comparison.x_key, comparison.base));
    add_keys_of(plot, values);
    const auto slots_of_all = static_cast<double>(drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        Series look;
        look.kind = MarkKind::points;
        look.width = 6.5;
        if (const auto line = drawn[i].front()->line) {
            look.name = comparison.lines[*line].name;
            look.colour = dresses[*line].colour;
            look.marker = dresses[*line].marker;
        } else {
            look.name = QStringLiteral("all tasks");
            look.colour = neutral_colour();
            look.marker = MarkerShape::diamond;
            look.width = 8;
        }
        const double offset = slot_width * ((static_cast<double>(i) + 0.5) / slots_of_all - 0.5);
        add_differences(plot, comparison, drawn[i], look, offset, singles);
    }
    if (std::any_of(plot.series.begin(), plot.series.end(),
                    [](const Series& series) { return series.hollow && !series.x.empty(); }))
        plot.remarks.push_back({QStringLiteral("hollow: p (Holm) ≥ 0.05"), {}});
    Rule zero;
    zero.vertical = false;
    zero.label = QStringLiteral("no difference");
    plot.rules.push_back(zero);
    if (relative)
        keep_percent_band(plot);
    else
        keep_band(plot, {0, min_difference}, QStringLiteral("axis covers at least ±0.01"));
    return plot;
}

}  // namespace

bool has_unequal_seeds(const Comparison& comparison) {
    if (comparison.x_key == QLatin1String("train.seed")) return false;
    return std::any_of(comparison.lines.begin(), comparison.lines.end(), [&](const CompareLine& line) {
        std::set<std::vector<std::int64_t>> seeds;
        for (const auto& point : line.points)
            if (point.statistic.n > 0) seeds.insert(seeds_at(point));
        return seeds.size() > 1;
    });
}

QString comparison_remarks(const Comparison& comparison, const CompareLook& look) {
    const auto runs = runs_text(comparison);
    QString text = QStringLiteral("n = %1.%2")
                       .arg(runs, remarks_text(comparison, look, places_of(comparison, look.log_x)));
    if (runs == QLatin1String("1") && comparison.x_values.size() > 1)
        text += QStringLiteral(" Differences of single runs say nothing about seed noise.");
    return text;
}

Figure compare_figure(const Comparison& comparison, const CompareLook& look) {
    Figure figure;
    figure.id = QStringLiteral("compare");
    figure.title =
        QStringLiteral("%1 against %2").arg(title_of(comparison.metric), key_title(comparison.x_key));
    if (comparison.lines.empty()) {
        const auto left_out = comparison.unfinished + comparison.unknown;
        figure.empty_text =
            left_out > 0
                ? QObject::tr(
                      "None of these %1 runs is finished and has this metric. Runs appear here as they "
                      "finish.")
                      .arg(left_out)
                : QObject::tr(
                      "An error or an anchor-usage metric is plotted here against λ_cov or any other "
                      "setting, with its spread over seeds.\nShow two or more runs in the list of runs.");
        return figure;
    }
    const auto places = places_of(comparison, look.log_x);
    Plot plot;
    plot.x = places.axis;
    plot.y.title = axis_title(comparison);
    const auto dresses = dresses_of(comparison, look.colour_by);
    for (std::size_t i = 0; i < comparison.lines.size(); ++i)
        add_line(plot, comparison.lines[i], dresses[i], places, look.singles);
    add_early_key(plot, comparison);
    if (places.zero_apart) {
        Rule rule;
        rule.at = places.zero_at;
        rule.label = key_title(comparison.x_key) + QStringLiteral(" = 0");
        plot.rules.push_back(rule);
    }
    if (look.last_value) add_last_values(plot, comparison);
    if (is_relative(comparison))
        keep_value_band(plot);
    else
        keep_band(plot, {0, min_cosine}, QStringLiteral("axis covers at least ±0.05"));
    figure.caption = QStringLiteral("%1 against %2: mean ± sample standard deviation over seeds (n = %3).%4")
                         .arg(title_of(comparison.metric), key_title(comparison.x_key), runs_text(comparison),
                              remarks_text(comparison, look, places));
    const auto drawn =
        look.difference ? drawn_tests(comparison) : std::vector<std::vector<const PairedTest*>>();
    figure.plots.push_back(std::move(plot));
    if (!drawn.empty()) {
        figure.plots.push_back(
            difference_plot(comparison, drawn, figure.plots.front(), dresses, look.singles));
        figure.columns = 2;
        figure.caption +=
            QStringLiteral(
                " Second plot: mean difference of runs with the same seed from %1%2%3; hollow: p ≥ 0.05 "
                "after Holm's correction (Wilcoxon's signed-rank test).")
                .arg(setting_text(comparison.x_key, comparison.base),
                     is_relative(comparison) ? QStringLiteral(", in per cent of the base's mean") : QString(),
                     intervals_text(drawn));
    }
    for (const auto& sentence : test_summary(comparison, max_sentences))
        figure.caption += ' ' + QString::fromStdString(sentence.english());
    // A CSV has no axis titles.
    Numbers numbers{comparison_header(comparison, true), comparison_rows(comparison, true)};
    numbers.columns.prepend(QStringLiteral("metric"));
    for (auto& row : numbers.rows) row.prepend(title_of(comparison.metric));
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
