#include "gui/figure_sensitivity.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "config/options.h"
#include "config/text_utils.h"
#include "panels/compare/compare_figure.h"
#include "util/error.h"

namespace casp::gui {

namespace {

using widgets::CompareMetric;

/// Metrics by their columns in results.csv.
const std::vector<std::pair<std::string, CompareMetric>>& metrics() {
    static const std::vector<std::pair<std::string, CompareMetric>> all{
        {"test_mse", CompareMetric::test_mse},
        {"test_mae", CompareMetric::test_mae},
        {"val_mse", CompareMetric::val_mse},
        {"usage_entropy", CompareMetric::entropy},
        {"distinct_anchors", CompareMetric::distinct_anchors},
        {"key_cosine", CompareMetric::key_cosine},
        {"seconds", CompareMetric::seconds},
        {"last_value_mse", CompareMetric::last_value_mse},
        {"epochs", CompareMetric::epochs},
        {"best_epoch", CompareMetric::best_epoch},
        {"steps", CompareMetric::steps}};
    return all;
}

std::optional<CompareMetric> metric_of(const std::string& name) {
    for (const auto& [known, metric] : metrics())
        if (known == name) return metric;
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
bool wants_log(const widgets::Comparison& comparison) {
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
            return widgets::title_of(metric);
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
    for (const auto& key : keys) titles << widgets::key_title(key);
    QString text = QStringLiteral("%1 against %2: mean ± sample standard deviation over seeds.")
                       .arg(listed(metrics), listed(titles));
    text[0] = text[0].toUpper();
    QStringList written;
    for (const auto& remark : remarks) {
        if (written.contains(remark)) continue;
        written << remark;
        QStringList plots;
        for (qsizetype i = 0; i < remarks.size(); ++i)
            if (remarks[i] == remark) plots << figures::panel_letter(static_cast<std::size_t>(i)).trimmed();
        text += ' ';
        if (plots.size() < remarks.size()) text += listed(plots) + QStringLiteral(": ");
        text += remark;
    }
    return text;
}

void add_rows(figures::Numbers& numbers, const QString& metric, const widgets::Comparison& comparison) {
    const auto settings = comparison.line_keys.size();
    for (const auto& row : widgets::comparison_rows(comparison, true)) {
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
        for (const auto& [one, of] : metrics()) known.push_back(one);
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

figures::Figure sensitivity_figure(const FigureRuns& runs, const std::string& name) {
    const auto parts = parts_of(name);
    const auto wanted = parts.metric ? metric_of(*parts.metric) : std::nullopt;
    QStringList keys = runs.swept;
    if (parts.key) keys = QStringList{QString::fromStdString(*parts.key)};
    if (keys.isEmpty()) keys << QStringLiteral("loss.lambda_cov");
    std::vector<CompareMetric> drawn{CompareMetric::test_mse, CompareMetric::entropy,
                                     CompareMetric::key_cosine};
    if (wanted) drawn = {*wanted};

    figures::Figure figure;
    figure.id = QString::fromStdString(name).replace(':', '-');
    figure.title = QStringLiteral("Sensitivity");
    figures::Numbers numbers;
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
        for (const auto& [column, of] : metrics()) {
            if (wanted && of != drawn.front()) continue;
            const auto comparison = widgets::compare(runs.compared, of, one, parts.early);
            if (comparison.lines.empty()) continue;
            add_rows(numbers, QString::fromStdString(column), comparison);
            if (std::find(drawn.begin(), drawn.end(), of) == drawn.end()) continue;
            widgets::CompareLook look;
            look.log_x = wants_log(comparison);
            look.last_value = false;
            auto part = widgets::compare_figure(comparison, look);
            if (part.plots.empty()) continue;
            remarks << widgets::comparison_remarks(comparison, look);
            if (const auto words = words_for(of); !metrics_drawn.contains(words)) metrics_drawn << words;
            if (!keys_drawn.contains(one)) keys_drawn << one;
            auto plot = std::move(part.plots.front());
            plot.title = figures::panel_letter(figure.plots.size()) +
                         QStringLiteral("%1, %2").arg(widgets::name_of(of), widgets::key_title(one));
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

}  // namespace casp::gui
