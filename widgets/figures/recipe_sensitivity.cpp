#include "figures/recipe_compare.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "config/options.h"
#include "config/text_utils.h"
#include "figures/comparison.h"
#include "figures/paper_input.h"
#include "util/error.h"

namespace casp::figures {

namespace {

/// Metrics of the figure: those that results.csv has in the same unit.
std::vector<CompareMetric> sensitivity_metrics() {
    std::vector<CompareMetric> metrics;
    for (const auto* metric : compare_metrics())
        if (!is_only_in_run_file(metric) && !metric->has(store::ResultColumn::bytes))
            metrics.push_back(metric);
    return metrics;
}

/// Parts of "sensitivity:METRIC:KEY"; empty if not given.
struct Parts {
    std::optional<std::string> metric, key;
};

Parts parts_of(const std::string& name) {
    std::vector<std::string> words;
    for (auto at = name.find(':'); at != std::string::npos;) {
        const auto next = name.find(':', at + 1);
        words.push_back(name.substr(at + 1, next == std::string::npos ? next : next - at - 1));
        at = next;
    }
    Parts parts;
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

/// Description of a comparison's metric for a caption.
QString words_for(const Comparison& comparison) {
    const auto caption = QString::fromUtf8(comparison.metric->caption);
    return caption.isEmpty() ? axis_title(comparison) : caption;
}

/// "a", "a and b", "a, b and c".
QString listed(const QStringList& words) {
    if (words.size() < 2) return words.join(QString());
    return words.mid(0, words.size() - 1).join(QStringLiteral(", ")) + QStringLiteral(" and ") + words.back();
}

/// Caption of the plots; equal `remarks` of several plots appear once.
QString caption_of(const QStringList& metrics, const QStringList& keys, const QStringList& remarks,
                   bool repeated) {
    QStringList titles;
    for (const auto& key : keys) titles << key_title(key);
    QString text = QStringLiteral("%1 against %2: %3.")
                       .arg(listed(metrics), listed(titles),
                            repeated ? QStringLiteral("mean ± sample standard deviation over seeds")
                                     : QStringLiteral("single runs"));
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

/// Without the runs that have no other run beside them on a line against `key`: of the cases K = 2, 4, 8 and
/// V' = 500, 2000, those of K are points of one line against K, and only the one with the preset's K of that
/// against V'.
std::vector<CompareRun> runs_along(const std::vector<CompareRun>& runs, const QString& key) {
    std::set<std::size_t> single;
    const auto comparison = compare(runs, metric_named("test_mse"), key);
    for (const auto& line : comparison.lines)
        if (line.points.size() == 1) single.insert(line.points[0].runs.begin(), line.points[0].runs.end());
    std::vector<CompareRun> along;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (!single.contains(i)) along.push_back(runs[i]);
    return along;
}

void add_rows(Numbers& numbers, const QString& metric, const Comparison& comparison) {
    const auto settings = comparison.line_keys.size();
    for (const auto& row : comparison_rows(comparison, true)) {
        // Columns of a row: line settings, x, n, mean, sd, runs finished early, paired test.
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
    std::vector<std::string> metrics;
    for (const auto* metric : sensitivity_metrics()) metrics.emplace_back(metric->name);
    if (parts.metric && std::find(metrics.begin(), metrics.end(), *parts.metric) == metrics.end()) {
        const auto nearest = config::nearest_name(*parts.metric, metrics);
        throw input_error("--figures " + name, Phrase("there is no metric \"%1\"", *parts.metric),
                          joined(metrics), nearest.empty() ? Phrase() : Phrase("Did you mean %1?", nearest));
    }
    if (!parts.key || config::find_option(*parts.key) != nullptr || *parts.key == case_key.toStdString())
        return;
    const auto& key = *parts.key;
    std::vector<std::string> known;
    for (const auto& option : config::options()) known.emplace_back(option.key);
    const auto nearest = config::nearest_name(key, known);
    throw input_error(
        "--figures " + name, Phrase("there is no setting \"%1\"", key),
        "a key of the experiment file, e.g. model.top_k",
        nearest.empty() ? Phrase("--list-options lists all settings.") : Phrase("Did you mean %1?", nearest));
}

Figure sensitivity(const std::vector<CompareRun>& runs, const QStringList& swept, const std::string& name) {
    const auto parts = parts_of(name);
    QStringList keys = swept;
    if (parts.key) keys = QStringList{QString::fromStdString(*parts.key)};
    if (keys.isEmpty()) keys << QStringLiteral("loss.lambda_cov");
    const auto numbers_given = numbers_of_cases(runs);
    if (const auto at = keys.indexOf(case_key); at >= 0 && !parts.key && !numbers_given.isEmpty()) {
        keys.removeAt(at);
        keys.removeAll(QStringLiteral("preset"));  // the lines
        for (const auto& key : numbers_given)
            if (!keys.contains(key)) keys << key;
    }
    std::set<std::string> drawn{"test_mse", "usage_entropy", "key_cosine"};
    if (parts.metric) drawn = {*parts.metric};

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
    numbers.columns += test_header(true);
    QStringList metrics_drawn, keys_drawn, remarks;
    bool repeated = false;
    std::size_t columns = 0;
    for (const auto& one : keys) {
        const auto compared_runs = numbers_given.contains(one) ? runs_along(runs, one) : runs;
        std::size_t in_row = 0, compared = 0;
        for (const auto* metric : sensitivity_metrics()) {
            if (metric->name != parts.metric.value_or(metric->name)) continue;
            auto comparison = compare(compared_runs, metric, one);
            if (comparison.lines.empty()) continue;
            set_base(comparison);
            add_paired_tests(comparison);
            add_rows(numbers, QString::fromUtf8(metric->name), comparison);
            if (drawn.count(metric->name) == 0) continue;
            if (comparison.x_values.size() < 2 && compared > 1) continue;  // only one of the cases has it
            compared = std::max(compared, comparison.x_values.size());
            CompareLook look;
            look.log_x = wants_log(comparison);
            look.last_value = look.difference = false;
            auto part = compare_figure(comparison, look);
            if (part.plots.empty()) continue;
            remarks << comparison_remarks(comparison, look);
            for (const auto& line : comparison.lines)
                for (const auto& point : line.points) repeated = repeated || point.statistic.n > 1;
            if (const auto words = words_for(comparison); !metrics_drawn.contains(words))
                metrics_drawn << words;
            if (!keys_drawn.contains(one)) keys_drawn << one;
            auto plot = std::move(part.plots.front());
            plot.title = panel_letter(figure.plots.size()) +
                         QStringLiteral("%1, %2").arg(title_of(metric), key_title(one));
            plot.legend = comparison.lines.size() > 1 || comparison.early > 0;
            figure.plots.push_back(std::move(plot));
            ++in_row;
        }
        columns = std::max(columns, in_row);
    }
    if (figure.plots.empty()) return figure;
    figure.columns = static_cast<int>(std::max<std::size_t>(columns, 1));
    figure.aspect = 0.85;
    figure.caption = caption_of(metrics_drawn, keys_drawn, remarks, repeated);
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::figures
