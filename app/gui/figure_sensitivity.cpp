#include "gui/figure_sensitivity.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "config/options.h"
#include "data/nearest_name.h"
#include "panels/compare_figure.h"
#include "util/error.h"

namespace casp::gui {

namespace {

using widgets::CompareMetric;

/// Names of the metrics as columns of results.csv have them.
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

/// Metric and key of "sensitivity:METRIC:KEY"; empty: not said.
std::pair<std::string, std::string> parts_of(const std::string& name) {
    const auto first = name.find(':');
    if (first == std::string::npos) return {};
    const auto second = name.find(':', first + 1);
    return {name.substr(first + 1, second == std::string::npos ? second : second - first - 1),
            second == std::string::npos ? std::string() : name.substr(second + 1)};
}

/// A logarithmic axis where the values are far apart.
bool wants_log(const widgets::Comparison& comparison) {
    std::set<double> values;
    for (const auto& line : comparison.lines)
        for (const auto& point : line.points)
            if (point.x.number && *point.x.number > 0) values.insert(*point.x.number);
    return comparison.numbers && values.size() >= 2 && *values.rbegin() >= 4 * *values.begin();
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

}  // namespace

void check_sensitivity(const std::string& name) {
    const auto [metric, key] = parts_of(name);
    if (!metric_of(metric)) {
        std::vector<std::string> known;
        for (const auto& [one, of] : metrics()) known.push_back(one);
        const auto nearest = data::nearest_name(metric, known);
        throw input_error("--figures " + name, "no metric is called \"" + metric + "\"", joined(known),
                          nearest.empty() ? "" : "Did you mean " + nearest + "?");
    }
    if (key.empty() && name.find(':', name.find(':') + 1) == std::string::npos) return;
    if (config::find_option(key) != nullptr) return;
    std::vector<std::string> known;
    for (const auto& option : config::options()) known.emplace_back(option.key);
    const auto nearest = data::nearest_name(key, known);
    throw input_error(
        "--figures " + name, "no setting is called \"" + key + "\"",
        "a key of the experiment file, e.g. model.top_k",
        nearest.empty() ? "--list-options shows all of them." : "Did you mean " + nearest + "?");
}

figures::Figure sensitivity_figure(const FigureRuns& runs, const std::string& name) {
    const auto [metric, key] = parts_of(name);
    QStringList keys = runs.swept;
    if (!key.empty()) keys = QStringList{QString::fromStdString(key)};
    if (keys.isEmpty()) keys << QStringLiteral("loss.lambda_cov");
    std::vector<CompareMetric> drawn{CompareMetric::test_mse, CompareMetric::entropy,
                                     CompareMetric::key_cosine};
    if (const auto wanted = metric_of(metric)) drawn = {*wanted};

    figures::Figure figure;
    figure.id = QString::fromStdString(name).replace(':', '-');
    figure.title = QStringLiteral("Sensitivity");
    figures::Numbers numbers;
    numbers.columns = {QStringLiteral("metric"), QStringLiteral("setting"), QStringLiteral("value"),
                       QStringLiteral("others"), QStringLiteral("n"),       QStringLiteral("mean"),
                       QStringLiteral("sd")};
    QStringList captions;
    std::size_t columns = 0;
    for (const auto& one : keys) {
        std::size_t in_row = 0;
        for (const auto& [column, of] : metrics()) {
            if (metric_of(metric) && of != drawn.front()) continue;
            const auto comparison = widgets::compare(runs.compared, of, one);
            if (comparison.lines.empty()) continue;
            for (const auto& row : widgets::comparison_rows(comparison, true)) {
                // The row: line settings, x, n, mean, sd.
                const auto settings = row.size() - 4;
                QStringList others;
                for (qsizetype i = 0; i < settings; ++i) others << comparison.line_keys[i] + '=' + row[i];
                numbers.rows.push_back({QString::fromStdString(column), one, row[settings],
                                        others.join(QStringLiteral("; ")), row[settings + 1],
                                        row[settings + 2], row[settings + 3]});
            }
            if (std::find(drawn.begin(), drawn.end(), of) == drawn.end()) continue;
            widgets::CompareLook look;
            look.log_x = wants_log(comparison);
            look.last_value = false;
            auto part = widgets::compare_figure(comparison, look);
            if (part.plots.empty()) continue;
            if (captions.isEmpty()) captions << part.caption;
            auto plot = std::move(part.plots.front());
            plot.title = figures::panel_letter(figure.plots.size()) +
                         QStringLiteral("%1, %2").arg(widgets::name_of(of), widgets::key_title(one));
            plot.legend = comparison.lines.size() > 1;
            figure.plots.push_back(std::move(plot));
            ++in_row;
        }
        columns = std::max(columns, in_row);
    }
    if (figure.plots.empty()) return figure;
    figure.columns = static_cast<int>(std::max<std::size_t>(columns, 1));
    figure.aspect = 0.85;
    figure.caption =
        QStringLiteral(
            "Test error (scaled), usage entropy of the selection over the test windows (nats) and "
            "mean pairwise cosine of the selected keys against the settings that were swept. ") +
        captions.join(QStringLiteral(" "));
    figure.numbers = std::move(numbers);
    return figure;
}

}  // namespace casp::gui
