// Cases that give numbers, as those of paper:sensitivity: which settings they vary, and the figure against
// these.
#include <QtTest>

#include "figures/comparison.h"
#include "figures/recipe_compare.h"
#include "test_program.h"

using namespace casp;
using namespace casp::figures;

namespace {

const QString k_key = QStringLiteral("model.top_k"), pool_key = QStringLiteral("model.pool_size");

struct Case {
    std::int64_t top_k, pool_size;
    const char* label;
};

/// A run of a preset with this K, in which the tuned weight follows from the data.
CompareRun run_of(const std::string& data, std::int64_t horizon, const Case& of, double mse) {
    auto config = std::make_shared<config::Config>();
    config->data.path = "/data/" + data + ".csv";
    config->data.horizon = horizon;
    config->data.batching =
        data == "ETTh1" ? "multi-channel" : "single-channel";  // another task, but of the data
    config->loss.lambda_cov = data == "ETTh1" ? 0.1 : 0.15;
    config->model.top_k = of.top_k;
    config->model.pool_size = of.pool_size;
    config->train.seed = 2021;
    CompareRun run;
    run.row.state = store::RunState::finished;
    run.row.data = data;
    run.row.model = "casp-llm";
    run.row.horizon = horizon;
    run.row.seed = 2021;
    run.row.test_mse = mse;
    run.row.swept = {
        {"preset", data + '-' + std::to_string(horizon)}, {"train.seed", "2021"}, {"case", of.label}};
    run.config = std::move(config);
    return run;
}

/// The paper's four cells; the preset has K = 8 at ETTh1 and 4 at ETTm1, and V' = 1000.
std::vector<CompareRun> cells() {
    std::vector<CompareRun> runs;
    for (const auto* data : {"ETTh1", "ETTm1"})
        for (const std::int64_t horizon : {96, 336}) {
            const std::int64_t own = std::string(data) == "ETTh1" ? 8 : 4;
            const std::vector<Case> cases{{2, 1000, "K = 2"},      {4, 1000, "K = 4"},
                                          {8, 1000, "K = 8"},      {16, 1000, "K = 16"},
                                          {own, 500, "V' = 500"},  {own, 2000, "V' = 2000"},
                                          {own, 5000, "V' = 5000"}};
            for (const auto& one : cases)
                runs.push_back(run_of(data, horizon, one,
                                      0.3 + 0.001 * static_cast<double>(one.top_k) +
                                          1e-6 * static_cast<double>(one.pool_size)));
        }
    return runs;
}

std::vector<double> x_numbers(const Comparison& comparison) {
    std::vector<double> numbers;
    for (const auto& x : comparison.x_values) numbers.push_back(x.number.value_or(-1));
    return numbers;
}

}  // namespace

class TestNumberCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbers_that_cases_give() {
        QCOMPARE(numbers_of_cases(cells()), (QStringList{pool_key, k_key}));
        // Two values of a number, another kind of setting, or no cases: categories.
        auto two = cells();
        std::erase_if(two, [](const CompareRun& run) { return run.config->model.pool_size > 1000; });
        QVERIFY(numbers_of_cases(two).isEmpty());
        auto texts = cells();
        auto config = *texts[0].config;
        config.model.anchors = "random";
        texts[0].config = std::make_shared<config::Config>(config);
        QVERIFY(numbers_of_cases(texts).isEmpty());
        auto none = cells();
        for (auto& run : none) run.row.swept.pop_back();
        QVERIFY(numbers_of_cases(none).isEmpty());
    }

    /// Each line has the points of its cases and of the preset.
    void figure_has_all_points_on_numeric_axes() {
        const auto figure = sensitivity(cells(), {case_key, QStringLiteral("preset")});
        QCOMPARE(figure.plots.size(), std::size_t{2});
        for (const auto& plot : figure.plots) QVERIFY(plot.x.categories.isEmpty());
        const auto& columns = figure.numbers->columns;
        const auto at = [&](const QStringList& row, const char* column) {
            return row[columns.indexOf(QString::fromLatin1(column))];
        };
        std::map<QString, std::map<QString, QStringList>> values;  // of setting and line
        for (const auto& row : figure.numbers->rows)
            if (at(row, "metric") == QLatin1String("test_mse"))
                values[at(row, "setting")][at(row, "others")] << at(row, "value");
        QCOMPARE(values.size(), std::size_t{2});
        QCOMPARE(values[k_key].size(), std::size_t{4});
        for (const auto& [line, points] : values[k_key]) QCOMPARE(points, (QStringList{"2", "4", "8", "16"}));
        QCOMPARE(values[pool_key].size(), std::size_t{4});
        for (const auto& [line, points] : values[pool_key]) {
            QCOMPARE(points, (QStringList{"500", "1000", "2000", "5000"}));
            // The tuned weight follows from the data and names no line.
            QVERIFY2(!line.contains(QStringLiteral("lambda")), qPrintable(line));
        }
    }

    void settings_of_cells_make_no_lines() {
        const auto comparison = compare(cells(), metric_named("test_mse"), k_key);
        QCOMPARE(x_numbers(comparison), (std::vector<double>{2, 4, 8, 16}));
        QCOMPARE(comparison.line_keys,
                 (QStringList{QStringLiteral("data.path"), QStringLiteral("data.horizon"), pool_key}));
    }
};

TEST_MAIN_WITHOUT_GUI(TestNumberCases)
#include "test_number_cases.moc"
