#include "panels/compare/compare_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "figures/recipe_input.h"
#include "figures/style.h"
#include "store/result_columns.h"

namespace casp::widgets {

namespace {

constexpr std::size_t most_rules = 4;

/// Position of each x on the axis.
struct Places {
    figures::Axis axis;
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
        std::vector<SettingValue> all;
        for (const auto& line : comparison.lines)
            for (const auto& point : line.points)
                if (std::find(all.begin(), all.end(), point.x) == all.end()) all.push_back(point.x);
        std::stable_sort(all.begin(), all.end(), [](const SettingValue& a, const SettingValue& b) {
            return a.number && b.number ? *a.number < *b.number : a.text < b.text;
        });
        for (const auto& x : all) places.axis.categories += x.text;
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
    figures::MarkerShape marker = figures::MarkerShape::circle;
    bool dashed = false;
};

std::vector<Dress> dresses_of(const Comparison& comparison, const QString& colour_by) {
    constexpr std::array shapes{figures::MarkerShape::circle, figures::MarkerShape::square,
                                figures::MarkerShape::triangle, figures::MarkerShape::diamond,
                                figures::MarkerShape::cross};
    const auto key = comparison.line_keys.indexOf(colour_by);
    std::vector<Dress> dresses;
    QStringList groups;
    std::vector<std::size_t> in_group;
    for (std::size_t i = 0; i < comparison.lines.size(); ++i) {
        Dress dress;
        if (key < 0) {
            dress.colour = figures::run_colour(static_cast<int>(i));
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
            dress.colour = figures::run_colour(static_cast<int>(group));
            dress.marker = shapes[nth % shapes.size()];
            dress.dashed = nth % 2 == 1;
        }
        dresses.push_back(dress);
    }
    return dresses;
}

void add_line(figures::Plot& plot, const CompareLine& line, const Dress& dress, const Places& places,
              bool singles, bool counts_early) {
    using figures::MarkKind;
    figures::Series faint, early, joined, from_zero, means, mixed;
    for (const auto& point : line.points) {
        const double x = places.at(point.x);
        for (std::size_t i = 0; i < point.values.size(); ++i) {
            auto& single = point.early[i] ? early : faint;
            single.x.push_back(x);
            single.y.push_back(point.values[i]);
            single.ids.push_back(static_cast<std::int64_t>(point.runs[i]));
            single.point_names << point.names[static_cast<qsizetype>(i)];
        }
        if (point.statistic.n == 0) continue;  // only runs finished early
        const double sd = std::isfinite(point.statistic.sd) ? point.statistic.sd : 0;
        auto& mean = counts_early && point.early_runs() > 0 ? mixed : means;
        mean.x.push_back(x);
        mean.y.push_back(point.statistic.mean);
        mean.low.push_back(point.statistic.mean - sd);
        mean.high.push_back(point.statistic.mean + sd);
        const bool apart = places.zero_apart && *point.x.number == 0;
        if (apart || (from_zero.x.size() == 1 && places.zero_apart)) {
            from_zero.x.push_back(x);
            from_zero.y.push_back(point.statistic.mean);
        }
        if (apart) continue;
        joined.x.push_back(x);
        joined.y.push_back(point.statistic.mean);
    }
    for (auto* series : {&faint, &early, &joined, &from_zero, &means, &mixed}) series->colour = dress.colour;
    for (auto* series : {&faint, &early, &means, &mixed}) {
        series->kind = MarkKind::points;
        series->marker = dress.marker;
    }
    for (auto* series : {&early, &mixed}) series->hollow = true;
    for (auto* series : {&means, &mixed}) series->width = 6.5;
    faint.width = 4;
    faint.opacity = 0.35;
    early.width = 4.5;
    // The legend entry belongs to the means or, without any, to the single runs.
    (!means.x.empty() ? means : !mixed.x.empty() ? mixed : early).name = line.name;
    if (singles && !faint.x.empty()) plot.series.push_back(std::move(faint));
    // Runs excluded from the means are still plotted.
    if ((singles || !counts_early) && !early.x.empty()) plot.series.push_back(std::move(early));
    joined.dashed = dress.dashed;
    from_zero.dashed = true;
    from_zero.opacity = 0.7;
    // Categories have no order, so no line.
    if (places.axis.categories.isEmpty() && joined.x.size() > 1) plot.series.push_back(std::move(joined));
    if (from_zero.x.size() == 2) plot.series.push_back(std::move(from_zero));
    for (auto* series : {&mixed, &means})
        if (!series->x.empty()) plot.series.push_back(std::move(*series));
}

/// One legend entry for hollow marks, independent of lines.
void add_early_key(figures::Plot& plot, const Comparison& comparison) {
    if (comparison.early == 0) return;
    figures::Series key;
    key.kind = figures::MarkKind::points;
    key.hollow = true;
    key.colour = figures::neutral_colour();
    key.name = early_text(comparison) + (comparison.counts_early ? QStringLiteral(", in the means")
                                                                 : QStringLiteral(", not in the means"));
    key.csv_name = QString();
    plot.series.push_back(std::move(key));
}

/// A rule if it is near enough not to compress the data; else a line of text.
void add_last_values(figures::Plot& plot, const Comparison& comparison) {
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
    if (values.empty() || values.size() > most_rules) return;
    QStringList away;
    const double span = std::max(high - low, 0.02 * std::abs(high));
    for (const double value : values) {
        const QString number = QString::fromStdString(store::four_digits(value));
        if (value <= high + 2 * span && value >= low - 2 * span) {
            figures::Rule rule;
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
            {QStringLiteral("persistence %1, outside the plot").arg(away.join(QStringLiteral(", "))),
             figures::neutral_colour()});
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
    const bool repeated = std::any_of(comparison.lines.begin(), comparison.lines.end(), [](const auto& line) {
        return std::any_of(line.points.begin(), line.points.end(),
                           [](const auto& point) { return point.statistic.n > 1; });
    });
    if (look.singles && repeated) text += QStringLiteral(" Faint marks: single runs.");
    if (places.zero_apart)
        text +=
            QStringLiteral(" Logarithmic axis; 0 is placed separately at the left, joined by a dashed line.");
    if (comparison.early > 0)
        text += QStringLiteral(
                    " Hollow marks: %1, trained for fewer steps than %2 settings specify, %3 the means.")
                    .arg(early_text(comparison),
                         comparison.early == 1 ? QStringLiteral("its") : QStringLiteral("their"),
                         comparison.counts_early ? QStringLiteral("and in") : QStringLiteral("not in"));
    const auto left_out = comparison.unfinished + comparison.unknown;
    if (left_out > 0)
        text += QStringLiteral(" Omitted: %1 %2, not finished or without this metric.")
                    .arg(left_out)
                    .arg(left_out == 1 ? QStringLiteral("run") : QStringLiteral("runs"));
    return text;
}

}  // namespace

QString comparison_remarks(const Comparison& comparison, const CompareLook& look) {
    return QStringLiteral("n = %1.%2")
        .arg(runs_text(comparison), remarks_text(comparison, look, places_of(comparison, look.log_x)));
}

figures::Figure compare_figure(const Comparison& comparison, const CompareLook& look) {
    figures::Figure figure;
    figure.id = QStringLiteral("compare");
    figure.title =
        QStringLiteral("%1 against %2").arg(name_of(comparison.metric), key_title(comparison.x_key));
    if (comparison.lines.empty()) {
        const auto left_out = comparison.unfinished + comparison.unknown;
        figure.empty_text =
            left_out > 0
                ? QStringLiteral(
                      "None of the %1 selected runs is finished and has this metric. They appear here as "
                      "they finish.")
                      .arg(left_out)
                : QStringLiteral(
                      "An error or an anchor-usage metric is plotted here against λ_cov or any other "
                      "setting, with its spread over seeds.\nShow two or more runs in the list of runs.");
        return figure;
    }
    const auto places = places_of(comparison, look.log_x);
    figures::Plot plot;
    plot.x = places.axis;
    plot.y.title = title_of(comparison.metric);
    const auto dresses = dresses_of(comparison, look.colour_by);
    for (std::size_t i = 0; i < comparison.lines.size(); ++i)
        add_line(plot, comparison.lines[i], dresses[i], places, look.singles, comparison.counts_early);
    add_early_key(plot, comparison);
    if (places.zero_apart) {
        figures::Rule rule;
        rule.at = places.zero_at;
        rule.label = key_title(comparison.x_key) + QStringLiteral(" = 0");
        plot.rules.push_back(rule);
    }
    if (look.last_value) add_last_values(plot, comparison);
    figure.caption = QStringLiteral("%1 against %2: mean ± sample standard deviation over seeds (n = %3).%4")
                         .arg(name_of(comparison.metric), key_title(comparison.x_key), runs_text(comparison),
                              remarks_text(comparison, look, places));
    figure.plots.push_back(std::move(plot));
    // A CSV has no axis titles.
    figures::Numbers numbers{comparison_header(comparison, true), comparison_rows(comparison, true)};
    numbers.columns.prepend(QStringLiteral("metric"));
    for (auto& row : numbers.rows) row.prepend(name_of(comparison.metric));
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::widgets
