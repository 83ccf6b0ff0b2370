#include "figures/recipe_sensitivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "config/options.h"
#include "config/text_utils.h"
#include "figures/paper_input.h"
#include "figures/style.h"
#include "store/result_columns.h"
#include "util/error.h"

namespace casp::figures {

namespace {

constexpr std::size_t most_rules = 4;

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
    MarkerShape marker = MarkerShape::circle;
    bool dashed = false;
};

std::vector<Dress> dresses_of(const Comparison& comparison, const QString& colour_by) {
    constexpr std::array shapes{MarkerShape::circle, MarkerShape::square, MarkerShape::triangle,
                                MarkerShape::diamond, MarkerShape::cross};
    const auto key = comparison.line_keys.indexOf(colour_by);
    std::vector<Dress> dresses;
    QStringList groups;
    std::vector<std::size_t> in_group;
    for (std::size_t i = 0; i < comparison.lines.size(); ++i) {
        Dress dress;
        if (key < 0) {
            dress.colour = run_colour(static_cast<int>(i));
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

void add_line(Plot& plot, const CompareLine& line, const Dress& dress, const Places& places, bool singles,
              bool counts_early) {
    Series faint, early, joined, from_zero, means, mixed;
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
void add_early_key(Plot& plot, const Comparison& comparison) {
    if (comparison.early == 0) return;
    Series key;
    key.kind = MarkKind::points;
    key.hollow = true;
    key.colour = neutral_colour();
    key.name = early_text(comparison) + (comparison.counts_early ? QStringLiteral(", in the means")
                                                                 : QStringLiteral(", not in the means"));
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
    if (values.empty() || values.size() > most_rules) return;
    QStringList away;
    const double span = std::max(high - low, 0.02 * std::abs(high));
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
            {QStringLiteral("persistence %1, outside the plot").arg(away.join(QStringLiteral(", "))),
             neutral_colour()});
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

/// The caption without metric and setting, for combined captions: "n = 3. Faint marks: single runs."
QString comparison_remarks(const Comparison& comparison, const CompareLook& look) {
    return QStringLiteral("n = %1.%2")
        .arg(runs_text(comparison), remarks_text(comparison, look, places_of(comparison, look.log_x)));
}

}  // namespace

Figure compare_figure(const Comparison& comparison, const CompareLook& look) {
    Figure figure;
    figure.id = QStringLiteral("compare");
    figure.title =
        QStringLiteral("%1 against %2").arg(info_of(comparison.metric).name, key_title(comparison.x_key));
    if (comparison.lines.empty()) {
        const auto left_out = comparison.unfinished + comparison.unknown;
        figure.empty_text =
            left_out > 0
                ? QStringLiteral(
                      "None of these %1 runs is finished and has this metric. Runs appear here as they "
                      "finish.")
                      .arg(left_out)
                : QStringLiteral(
                      "An error or an anchor-usage metric is plotted here against λ_cov or any other "
                      "setting, with its spread over seeds.\nShow two or more runs in the list of runs.");
        return figure;
    }
    const auto places = places_of(comparison, look.log_x);
    Plot plot;
    plot.x = places.axis;
    plot.y.title = info_of(comparison.metric).title;
    const auto dresses = dresses_of(comparison, look.colour_by);
    for (std::size_t i = 0; i < comparison.lines.size(); ++i)
        add_line(plot, comparison.lines[i], dresses[i], places, look.singles, comparison.counts_early);
    add_early_key(plot, comparison);
    if (places.zero_apart) {
        Rule rule;
        rule.at = places.zero_at;
        rule.label = key_title(comparison.x_key) + QStringLiteral(" = 0");
        plot.rules.push_back(rule);
    }
    if (look.last_value) add_last_values(plot, comparison);
    figure.caption = QStringLiteral("%1 against %2: mean ± sample standard deviation over seeds (n = %3).%4")
                         .arg(info_of(comparison.metric).name, key_title(comparison.x_key),
                              runs_text(comparison), remarks_text(comparison, look, places));
    figure.plots.push_back(std::move(plot));
    // A CSV has no axis titles.
    Numbers numbers{comparison_header(comparison, true), comparison_rows(comparison, true)};
    numbers.columns.prepend(QStringLiteral("metric"));
    for (auto& row : numbers.rows) row.prepend(info_of(comparison.metric).name);
    figure.numbers = std::move(numbers);
    return figure;
}

namespace {

std::optional<CompareMetric> metric_of(const std::string& column) {
    for (const auto& info : compare_metrics())
        if (!column.empty() && info.column == column) return info.metric;
    return {};
}

/// Parts of "sensitivity:METRIC:KEY:early"; empty if not given.
struct Parts {
    std::optional<std::string> metric, key;
    bool early = false;
};

Parts parts_of(const std::string& name) {
    std::vector<std::string> words;
    for (auto at = name.find(':'); at != std::string::npos;) {
        const auto next = name.find(':', at + 1);
        words.push_back(name.substr(at + 1, next == std::string::npos ? next : next - at - 1));
        at = next;
    }
    Parts parts;
    if (!words.empty() && words.back() == "early") {
        parts.early = true;
        words.pop_back();
    }
    if (!words.empty()) parts.metric = words[0];
    for (std::size_t i = 1; i < words.size(); ++i)
        parts.key = (parts.key ? *parts.key + ':' : std::string()) + words[i];
    return parts;
}

/// Whether the values span a range for a logarithmic axis.
bool wants_log(const Comparison& comparison) {
    std::set<double> values;
    for (const auto& line : comparison.lines)
        for (const auto& point : line.points)
            if (point.x.number && *point.x.number > 0) values.insert(*point.x.number);
    return comparison.numbers && values.size() >= 2 && *values.rbegin() >= 4 * *values.begin();
}

/// Description of a metric for a caption.
QString words_for(CompareMetric metric) {
    switch (metric) {
        case CompareMetric::entropy:
            return QStringLiteral("usage entropy over the test windows (nats)");
        case CompareMetric::key_cosine:
            return QStringLiteral("mean pairwise cosine of the retrieved keys");
        case CompareMetric::distinct_anchors:
            return QStringLiteral("number of distinct anchors retrieved over the test windows");
        case CompareMetric::seconds:
            return QStringLiteral("training and evaluation time (s)");
        default:
            return info_of(metric).title;
    }
}

/// "a", "a and b", "a, b and c".
QString listed(const QStringList& words) {
    if (words.size() < 2) return words.join(QString());
    return words.mid(0, words.size() - 1).join(QStringLiteral(", ")) + QStringLiteral(" and ") + words.back();
}

/// Caption of the plots; equal `remarks` of several plots appear once.
QString caption_of(const QStringList& metrics, const QStringList& keys, const QStringList& remarks) {
    QStringList titles;
    for (const auto& key : keys) titles << key_title(key);
    QString text = QStringLiteral("%1 against %2: mean ± sample standard deviation over seeds.")
                       .arg(listed(metrics), listed(titles));
    text[0] = text[0].toUpper();
    QStringList written;
    for (const auto& remark : remarks) {
        if (written.contains(remark)) continue;
        written << remark;
        QStringList plots;
        for (qsizetype i = 0; i < remarks.size(); ++i)
            if (remarks[i] == remark) plots << panel_letter(static_cast<std::size_t>(i)).trimmed();
        text += ' ';
        if (plots.size() < remarks.size()) text += listed(plots) + QStringLiteral(": ");
        text += remark;
    }
    return text;
}

void add_rows(Numbers& numbers, const QString& metric, const Comparison& comparison) {
    const auto settings = comparison.line_keys.size();
    for (const auto& row : comparison_rows(comparison, true)) {
        // Columns of a row: line settings, x, n, mean, sd, runs finished early.
        QStringList others;
        for (qsizetype i = 0; i < settings; ++i) others << comparison.line_keys[i] + '=' + row[i];
        numbers.rows.push_back(
            QStringList{metric, comparison.x_key, row[settings], others.join(QStringLiteral("; "))} +
            row.mid(settings + 1));
    }
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

void check_sensitivity(const std::string& name) {
    const auto parts = parts_of(name);
    if (parts.metric && !metric_of(*parts.metric)) {
        std::vector<std::string> known;
        for (const auto& info : compare_metrics())
            if (!info.column.empty()) known.push_back(info.column);
        const auto nearest = config::nearest_name(*parts.metric, known);
        known.emplace_back("early");
        throw input_error("--figures " + name, "there is no metric \"" + *parts.metric + "\"", joined(known),
                          nearest.empty() ? "" : "Did you mean " + nearest + "?");
    }
    if (!parts.key || config::find_option(*parts.key) != nullptr) return;
    const auto& key = *parts.key;
    std::vector<std::string> known;
    for (const auto& option : config::options()) known.emplace_back(option.key);
    const auto nearest = config::nearest_name(key, known);
    throw input_error(
        "--figures " + name, "there is no setting \"" + key + "\"",
        "a key of the experiment file, e.g. model.top_k",
        nearest.empty() ? "--list-options lists all settings." : "Did you mean " + nearest + "?");
}

Figure sensitivity(const std::vector<CompareRun>& runs, const QStringList& swept, const std::string& name) {
    const auto parts = parts_of(name);
    QStringList keys = swept;
    if (parts.key) keys = QStringList{QString::fromStdString(*parts.key)};
    if (keys.isEmpty()) keys << QStringLiteral("loss.lambda_cov");
    std::vector<CompareMetric> drawn{CompareMetric::test_mse, CompareMetric::entropy,
                                     CompareMetric::key_cosine};
    if (parts.metric)
        if (const auto metric = metric_of(*parts.metric)) drawn = {*metric};

    Figure figure;
    figure.id = QString::fromStdString(name).replace(':', '-');
    figure.title = QStringLiteral("Sensitivity");
    Numbers numbers;
    numbers.columns = {QStringLiteral("metric"),
                       QStringLiteral("setting"),
                       QStringLiteral("value"),
                       QStringLiteral("others"),
                       QStringLiteral("n"),
                       QStringLiteral("mean"),
                       QStringLiteral("sd"),
                       QStringLiteral("finished_early"),
                       QStringLiteral("early_in_mean"),
                       QStringLiteral("early_values")};
    QStringList metrics_drawn, keys_drawn, remarks;
    std::size_t columns = 0;
    for (const auto& one : keys) {
        std::size_t in_row = 0;
        for (const auto& info : compare_metrics()) {
            if (info.column.empty() || info.column != parts.metric.value_or(info.column)) continue;
            const auto comparison = compare(runs, info.metric, one, parts.early);
            if (comparison.lines.empty()) continue;
            add_rows(numbers, QString::fromStdString(info.column), comparison);
            if (std::find(drawn.begin(), drawn.end(), info.metric) == drawn.end()) continue;
            CompareLook look;
            look.log_x = wants_log(comparison);
            look.last_value = false;
            auto part = compare_figure(comparison, look);
            if (part.plots.empty()) continue;
            remarks << comparison_remarks(comparison, look);
            if (const auto words = words_for(info.metric); !metrics_drawn.contains(words))
                metrics_drawn << words;
            if (!keys_drawn.contains(one)) keys_drawn << one;
            auto plot = std::move(part.plots.front());
            plot.title =
                panel_letter(figure.plots.size()) + QStringLiteral("%1, %2").arg(info.name, key_title(one));
            plot.legend = comparison.lines.size() > 1 || comparison.early > 0;
            figure.plots.push_back(std::move(plot));
            ++in_row;
        }
        columns = std::max(columns, in_row);
    }
    if (figure.plots.empty()) return figure;
    figure.columns = static_cast<int>(std::max<std::size_t>(columns, 1));
    figure.aspect = 0.85;
    figure.caption = caption_of(metrics_drawn, keys_drawn, remarks);
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
