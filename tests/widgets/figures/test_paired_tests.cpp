// What the Compare page and the figure sensitivity say about differences: pairs, sentences, intervals, axes.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <QTest>

#include "figures/comparison.h"
#include "figures/recipe_compare.h"
#include "figures/scale.h"
#include "test_program.h"

using namespace casp;
using namespace casp::figures;

namespace {

const QString lambda = QStringLiteral("loss.lambda_cov");
/// Differences of eight pairs with W = 16 (p = 0.844), and eight of one sign (p = 2⁻⁷).
const std::vector<double> noise{1e-4, -2e-4, 3e-4, -4e-4, 5e-4, -6e-4, 7e-4, -8e-4};
const std::vector<double> effect{-9e-3, -8e-3, -7e-3, -6e-3, -5e-3, -4e-3, -3e-3, -2e-3};

CompareRun run_of(double lambda_cov, std::int64_t seed, double mse, std::int64_t top_k = 8) {
    auto config = std::make_shared<config::Config>();
    config->data.path = "/data/ETTh1.csv";
    config->loss.lambda_cov = lambda_cov;
    config->train.seed = seed;
    config->model.top_k = top_k;
    CompareRun run;
    run.folder = QStringLiteral("/runs/%1-%2-%3").arg(lambda_cov).arg(seed).arg(top_k);
    run.row.state = store::RunState::finished;
    run.row.data = "ETTh1";
    run.row.model = "casp-llm";
    run.row.horizon = 96;
    run.row.lambda_cov = lambda_cov;
    run.row.seed = seed;
    run.row.test_mse = mse;
    run.row.key_cosine = mse;
    run.config = std::move(config);
    return run;
}

/// Changes settings of a run.
template <class Change>
void change(CompareRun& run, Change changes) {
    auto config = std::make_shared<config::Config>(*run.config);
    changes(*config);
    run.config = std::move(config);
}

/// Runs with λ_cov 0 and 0.1 that differ by these amounts, seed by seed.
std::vector<CompareRun> pairs_of(const std::vector<double>& differences, std::int64_t top_k = 8) {
    std::vector<CompareRun> runs;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const auto seed = static_cast<std::int64_t>(2021 + i);
        const double base = 0.37 + 0.001 * static_cast<double>(i);
        runs.push_back(run_of(0, seed, base, top_k));
        runs.push_back(run_of(0.1, seed, base + differences[i], top_k));
    }
    return runs;
}

Comparison tested(const std::vector<CompareRun>& runs, const QString& key = lambda, const QString& base = {},
                  CompareMetric metric = metric_named("test_mse")) {
    auto comparison = compare(runs, metric, key);
    set_base(comparison, base);
    add_paired_tests(comparison);
    return comparison;
}

std::vector<const Series*> marks_at(const Plot& plot, bool hollow) {
    std::vector<const Series*> found;
    for (const auto& series : plot.series)
        if (!series.x.empty() && !series.low.empty() && series.hollow == hollow) found.push_back(&series);
    return found;
}

bool has_line(const Plot& plot) {
    return std::any_of(plot.series.begin(), plot.series.end(),
                       [](const Series& series) { return series.kind == MarkKind::line; });
}

QStringList remarks_of(const Plot& plot) {
    QStringList texts;
    for (const auto& remark : plot.remarks) texts << remark.text;
    return texts;
}

QString sentence_of(const Comparison& comparison, const PairedTest& test) {
    return QString::fromStdString(test_sentence(comparison, test).english());
}

QStringList summary_of(const Comparison& comparison, qsizetype most) {
    QStringList sentences;
    for (const auto& sentence : test_summary(comparison, most))
        sentences << QString::fromStdString(sentence.english());
    return sentences;
}

}  // namespace

class TestPairedTests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void axis_range_covers_exactly_the_band_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<double>("half");
        QTest::addColumn<bool>("widened");
        QTest::newRow("one value") << 0.4 << 0.4 << 0.02 << true;
        QTest::newRow("close") << 0.4 << 0.4004 << 0.02 << true;
        QTest::newRow("nearly as high") << 0.38 << 0.416 << 0.02 << true;
        QTest::newRow("with its margin as high") << 0.38 << 0.418 << 0.02 << false;
        QTest::newRow("higher") << 0.3 << 0.5 << 0.02 << false;
        QTest::newRow("about zero") << -0.001 << 0.001 << 0.05 << true;
        QTest::newRow("no band") << 0.0 << 0.0 << 0.0 << false;
    }
    void axis_range_covers_exactly_the_band() {
        QFETCH(const double, low);
        QFETCH(const double, high);
        QFETCH(const double, half);
        QFETCH(const bool, widened);
        const auto range = min_range(low, high, half);
        QCOMPARE(range.has_value(), widened);
        if (!range) return;
        QVERIFY(range->min <= low && range->max >= high);
        QVERIFY(std::abs((range->max - range->min) - 2 * half) < 1e-12);
        QVERIFY(std::abs((range->min + range->max) - (low + high)) < 1e-12);
    }

    /// The demonstration: λ_cov 0 and 0.1 differ by 0.1 % in one run each.
    void single_runs_show_no_trend() {
        const auto comparison = tested({run_of(0, 2021, 0.4), run_of(0.1, 2021, 0.3996)});
        const auto figure = compare_figure(comparison, {});
        QCOMPARE(figure.plots.size(), std::size_t{1});
        const auto& plot = figure.plots[0];
        QVERIFY(!has_line(plot));
        for (const auto& series : plot.series)
            for (const double low : series.low) QVERIFY(std::isnan(low));
        QVERIFY(plot.y.min && plot.y.max);
        QVERIFY(std::abs(*plot.y.min - 0.3998 * 0.95) < 1e-12);
        QVERIFY(std::abs(*plot.y.max - 0.3998 * 1.05) < 1e-12);
        QCOMPARE(remarks_of(plot), QStringList{QStringLiteral("axis covers at least ±5 %")});
        QVERIFY2(
            figure.caption.endsWith(QStringLiteral(
                "λ_cov 0.1 against 0 (ETTh1 · H 96, test MSE) – 1 pair: says nothing about seed noise.")),
            qPrintable(figure.caption));
        const auto cells = test_cells(comparison, &comparison.tests.at(0), false);
        QCOMPARE(cells[4], QStringLiteral("–"));  // no interval
        // A difference that is larger than the band needs none.
        const auto far = compare_figure(tested({run_of(0, 2021, 0.4), run_of(0.1, 2021, 0.3)}), {});
        QVERIFY(!far.plots[0].y.min && remarks_of(far.plots[0]).isEmpty());
    }

    /// λ_cov and the backbone, which DLinear does not have, keep no runs apart.
    void models_are_paired_over_equal_seeds() {
        const QString model = QStringLiteral("model.name");
        std::vector<CompareRun> runs;
        const auto add = [&](const std::string& name, double lambda_cov, std::int64_t seeds) {
            for (std::int64_t seed = 1; seed <= seeds; ++seed) {
                auto run = run_of(lambda_cov, seed, 0.4 + 0.001 * static_cast<double>(seed));
                change(run, [&](auto& config) {
                    config.model.name = run.row.model = name;
                    config.train.learning_rate = name == "dlinear" ? 0.005 : 0.0001;
                    config.preset = name + "-etth1-96";
                });
                run.row.backbone = name == "casp-llm" ? "untrained" : "";
                if (name != "casp-llm") run.row.lambda_cov = store::not_known;
                runs.push_back(std::move(run));
            }
        };
        add("casp-llm", 0, 6);
        add("dlinear", 0.1, 4);
        const auto two = tested(runs, model, QStringLiteral("casp-llm"));
        QCOMPARE(two.base, QStringLiteral("casp-llm"));
        QCOMPARE(two.lines.size(), std::size_t{1});
        QCOMPARE(two.line_keys, QStringList());
        QCOMPARE(two.tests.size(), std::size_t{1});
        QCOMPARE(two.tests[0].result.n, std::int64_t{4});
        QVERIFY(has_unequal_seeds(two));
        QVERIFY(
            compare_figure(two, {}).caption.contains(QStringLiteral("The means are over different seeds.")));
        // A second λ_cov is another value of the axis, and no mean over both.
        add("casp-llm", 0.1, 6);
        const auto three = tested(runs, model, QStringLiteral("dlinear"));
        QCOMPARE(three.lines.size(), std::size_t{1});
        QCOMPARE(three.x_values.size(), std::size_t{3});
        QCOMPARE(three.x_values[0].text, QStringLiteral("casp-llm · λ_cov 0"));
        QCOMPARE(setting_text(model, three.x_values[1].text), QStringLiteral("CASP-LLM · λ_cov 0.1"));
        QCOMPARE(three.tests.size(), std::size_t{2});
        for (const auto& test : three.tests) QCOMPARE(test.result.n, std::int64_t{4});
        // What both have and no preset explains keeps them apart, and the reason is named.
        for (auto& run : runs) change(run, [](auto& config) { config.preset.clear(); });
        const auto apart = tested(runs, model, QStringLiteral("dlinear"));
        QVERIFY(apart.tests.empty());
        QVERIFY2(summary_of(apart, 3).value(0).endsWith(
                     QStringLiteral("also differ in other settings (learning rate).")),
                 qPrintable(summary_of(apart, 3).value(0)));
    }

    void cosine_band_uses_absolute_units() {
        const auto figure = compare_figure(tested({run_of(0, 2021, 0.001), run_of(0.1, 2021, -0.001)}, lambda,
                                                  {}, metric_named("key_cosine")),
                                           {});
        QCOMPARE(*figure.plots[0].y.min, -0.05);
        QCOMPARE(*figure.plots[0].y.max, 0.05);
        QCOMPARE(remarks_of(figure.plots[0]), QStringList{QStringLiteral("axis covers at least ±0.05")});
    }

    /// A percentage of a cosine near zero means nothing, and a lower one is not an improvement.
    void cosines_differ_in_their_own_unit() {
        const auto comparison = tested(pairs_of(effect), lambda, {}, metric_named("key_cosine"));
        const auto sentence = summary_of(comparison, 3).value(0);
        QVERIFY2(sentence.contains(QStringLiteral("H 96, key cosine) – 8 pairs: lower by 0.0055 (p = ")),
                 qPrintable(sentence));
        QVERIFY(!sentence.contains(QLatin1Char('%')));
        QCOMPARE(test_cells(comparison, &comparison.tests.at(0), false)[3], QStringLiteral("–"));
        QCOMPARE(test_header(false)[1], QStringLiteral("lower"));
    }

    void eight_pairs_within_noise() {
        const auto comparison = tested(pairs_of(noise));
        QCOMPARE(comparison.base, QStringLiteral("0"));
        QCOMPARE(comparison.tests.size(), std::size_t{1});
        const auto& result = comparison.tests[0].result;
        QCOMPARE(result.n, std::int64_t{8});
        QCOMPARE(result.improved, std::int64_t{4});
        const auto summary = summary_of(comparison, 3);
        QCOMPARE(summary.size(), 1);
        QVERIFY2(summary[0].startsWith(QStringLiteral(
                     "λ_cov 0.1 against 0 (ETTh1 · H 96, test MSE) – 8 pairs: within seed noise (p = 0.84)")),
                 qPrintable(summary[0]));

        const auto figure = compare_figure(comparison, {});
        QCOMPARE(figure.plots.size(), std::size_t{2});
        const auto& plot = figure.plots[1];
        QCOMPARE(plot.x.categories, QStringList{QStringLiteral("0.1")});
        QCOMPARE(plot.y.title, QStringLiteral("Δ test MSE (% of λ_cov 0)"));
        QCOMPARE(plot.rules.size(), std::size_t{1});
        QCOMPARE(plot.rules[0].at, 0.0);
        QVERIFY(!plot.rules[0].vertical);
        QVERIFY(marks_at(plot, false).empty());
        const auto marks = marks_at(plot, true);
        QCOMPARE(marks.size(), std::size_t{1});
        QVERIFY(std::abs(marks[0]->y[0] - result.delta_percent) < 1e-9);
        QVERIFY(marks[0]->low[0] < 0 && marks[0]->high[0] > 0);
        QVERIFY(std::abs(marks[0]->low[0] - 100 * result.interval.low / result.mean_base) < 1e-9);
        QVERIFY2(remarks_of(plot).contains(QStringLiteral("axis covers at least ±1 %")),
                 qPrintable(remarks_of(plot).join(QLatin1Char('\n'))));
        QVERIFY(*plot.y.min < -0.9 && *plot.y.max > 0.9);
        CompareLook look;
        look.difference = false;
        QCOMPARE(compare_figure(comparison, look).plots.size(), std::size_t{1});
    }

    void eight_pairs_of_one_sign() {
        const auto comparison = tested(pairs_of(effect));
        QVERIFY(std::abs(comparison.tests.at(0).result.test.p - std::pow(2.0, -7)) < 1e-12);
        const auto summary = summary_of(comparison, 3);
        QVERIFY2(summary.value(0).contains(QStringLiteral("8 pairs: lower by ")) &&
                     !summary[0].contains(QStringLiteral("takes about")),
                 qPrintable(summary.join(QLatin1Char('\n'))));
        const auto figure = compare_figure(comparison, {});
        QCOMPARE(marks_at(figure.plots.at(1), false).size(), std::size_t{1});
        QVERIFY(marks_at(figure.plots[1], true).empty());
    }

    void thin_lines_join_the_runs_of_a_seed() {
        const auto plot = compare_figure(tested(pairs_of(noise)), {}).plots.at(0);
        const Series* lines = nullptr;
        for (const auto& series : plot.series)
            if (series.kind == MarkKind::line && series.opacity < 0.5) lines = &series;
        QVERIFY(lines != nullptr && lines->name.isEmpty());
        QCOMPARE(lines->y.size(), std::size_t{24});  // two values and a gap for each of eight seeds
        for (std::size_t i = 0; i < 24; i += 3) {
            QVERIFY(std::abs(lines->y[i + 1] - lines->y[i] - noise[i / 3]) < 1e-12);
            QVERIFY(std::isnan(lines->y[i + 2]));
        }
        CompareLook look;
        look.singles = false;
        for (const auto& series : compare_figure(tested(pairs_of(noise)), look).plots[0].series)
            QVERIFY(series.kind != MarkKind::line || series.opacity == 1);
        // Cases have no order: of two, the runs of a seed are joined, of three they are not.
        auto runs = pairs_of(noise);
        for (auto& run : runs) run.row.swept = {{"case", run.row.lambda_cov == 0 ? "b" : "a"}};
        QVERIFY(has_line(compare_figure(tested(runs, case_key), {}).plots.at(0)));
        for (auto run : pairs_of(noise)) {
            run.row.swept = {{"case", "c"}};
            runs.push_back(std::move(run));
        }
        QVERIFY(!has_line(compare_figure(tested(runs, case_key), {}).plots.at(0)));
    }

    /// Means of two or more runs are joined, a single run in between is not.
    void a_single_run_breaks_the_line_of_means() {
        std::vector<CompareRun> runs;
        for (const double l : {0.0, 0.1, 0.2, 0.3, 0.4})
            for (const std::int64_t seed : {1, 2})
                if (l != 0.2 || seed == 1) runs.push_back(run_of(l, seed, 0.4 + 0.01 * l));
        CompareLook look;
        look.singles = false;
        const auto plot = compare_figure(tested(runs), look).plots.at(0);
        const auto line = std::find_if(plot.series.begin(), plot.series.end(),
                                       [](const Series& series) { return series.kind == MarkKind::line; });
        QVERIFY(line != plot.series.end());
        QCOMPARE(line->y.size(), std::size_t{5});
        for (std::size_t i = 0; i < 5; ++i) QCOMPARE(std::isnan(line->y[i]), i == 2);
    }

    /// Means of seeds 1 to 3 and of seeds 1 and 2: they seem to rise by 0.5 %, the pairs by 0.03 %.
    void two_pairs_show_no_trend_or_interval() {
        std::vector<CompareRun> runs;
        for (const auto& [seed, mse, rise] :
             {std::tuple{1, 0.3790, 0.0001062}, std::tuple{2, 0.3810, 0.0001070}}) {
            runs.push_back(run_of(0, seed, mse));
            runs.push_back(run_of(0.1, seed, mse + rise));
        }
        const auto paired = compare_figure(tested(runs), {});
        QVERIFY(has_line(paired.plots.at(0)));
        runs.push_back(run_of(0, 3, 0.3740));
        const auto comparison = tested(runs);
        CompareLook look;
        look.singles = false;
        const auto figure = compare_figure(comparison, look);
        QVERIFY(!has_line(figure.plots.at(0)));
        for (const auto* wanted :
             {"Means over different seeds are not joined", "no interval: fewer than 6 pairs"})
            QVERIFY2(figure.caption.contains(QLatin1String(wanted)), qPrintable(figure.caption));
        const auto marks = marks_at(figure.plots.at(1), true);
        QCOMPARE(marks.size(), std::size_t{1});
        QVERIFY(std::isnan(marks[0]->low[0]) && std::isnan(marks[0]->high[0]));
        const auto& test = comparison.tests.at(0);
        QCOMPARE(test_cells(comparison, &test, false)[4], QStringLiteral("–"));
        QCOMPARE(test_cells(comparison, &test, false)[2], QStringLiteral("+0.0001066"));
        // Files keep it.
        QVERIFY(std::abs(test_cells(comparison, &test, true)[5].toDouble() - 0.0001062) < 1e-9);
    }

    void single_runs_are_tested_over_periods() {
        const std::vector<CompareRun> runs{run_of(0, 2021, 0.4), run_of(0.1, 2021, 0.3996)};
        auto comparison = tested(runs);
        QCOMPARE(test_cells(comparison, &comparison.tests.at(0), false).last(), QStringLiteral("–"));
        add_period_tests(comparison, runs);
        QVERIFY(
            sentence_of(comparison, comparison.tests.at(0))
                .endsWith(QStringLiteral("no test over periods: the errors of the test windows of 0-2021-8 "
                                         "are not stored (run.store_forecasts).")));
        comparison.tests[0].result.periods =
            evidence::PeriodTest{.windows = 2785, .mean_base = 0.4, .delta = -0.01, .p = 0.01};
        QVERIFY(sentence_of(comparison, comparison.tests.at(0))
                    .endsWith(QStringLiteral("1 pair: says nothing about seed noise; over periods: lower by "
                                             "2.5 % (p = 0.01, 2,785 windows).")));
        QCOMPARE(test_cells(comparison, &comparison.tests.at(0), false).last(), QStringLiteral("0.01"));
        auto pairs = tested(pairs_of(noise));
        add_period_tests(pairs, pairs_of(noise));  // the reason is only given where there is no other test
        QVERIFY(!sentence_of(pairs, pairs.tests.at(0)).contains(QStringLiteral("periods")));
    }

    /// Of two equal differences, the normal approximation gives 0.35: less than any two pairs can.
    void an_impossible_p_is_not_shown() {
        const auto comparison = tested(pairs_of({-0.25, -0.25}));
        const auto& test = comparison.tests.at(0);
        QVERIFY(test.result.test.p < 0.5);
        QCOMPARE(test_cells(comparison, &test, false).mid(5), (QStringList{"–", "–", "–"}));
    }

    void digits_end_where_the_spread_begins_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("sd");
        QTest::addColumn<QString>("text");
        QTest::newRow("wide") << 0.37214 << 0.021 << "0.372";
        QTest::newRow("wider than the value") << -0.00012 << 0.21 << "0.00";
        QTest::newRow("narrow") << 0.37214 << 0.00012 << "0.3721";
        QTest::newRow("large") << 13579.4 << 1234.0 << "13579";
        QTest::newRow("unknown") << 0.37214 << std::nan("") << "0.3721";
        QTest::newRow("none") << 0.37214 << 0.0 << "0.3721";
        QTest::newRow("the spread itself") << 0.0012345 << 0.0012345 << "0.0012";
        QTest::newRow("no value") << std::nan("") << 1.0 << "–";
    }
    void digits_end_where_the_spread_begins() {
        QFETCH(const double, value);
        QFETCH(const double, sd);
        QTEST(spread_text(value, sd), "text");
    }

    void base_can_be_chosen() {
        const auto runs = pairs_of(effect);
        QCOMPARE(tested(runs, lambda, QStringLiteral("9")).base, QStringLiteral("0"));
        const auto turned = tested(runs, lambda, QStringLiteral("0.1"));
        QCOMPARE(turned.base, QStringLiteral("0.1"));
        QCOMPARE(turned.tests.at(0).result.other, std::string("0"));
        QCOMPARE(turned.tests[0].result.delta, -tested(runs).tests.at(0).result.delta);
        // Seeds pair runs; they are not compared.
        const auto seeds = tested(runs, QStringLiteral("train.seed"));
        QVERIFY(seeds.base.isEmpty() && seeds.tests.empty() && summary_of(seeds, 3).isEmpty());
        QCOMPARE(comparison_header(seeds, false).last(), QStringLiteral("sd"));
    }

    void runs_without_a_partner_are_no_pairs() {
        const auto apart = tested({run_of(0, 1, 0.4), run_of(0.1, 2, 0.3)});
        QVERIFY(apart.tests.empty());
        QCOMPARE(summary_of(apart, 3),
                 QStringList{QStringLiteral(
                     "No pairs: no seed has finished runs both at λ_cov 0 and at another value.")});
        auto runs = pairs_of(effect);
        runs[1].row.state = store::RunState::finished_early;
        QCOMPARE(tested(runs).tests.at(0).result.n, std::int64_t{7});
        auto untested = compare(runs, metric_named("test_mse"), lambda);
        set_base(untested);
        QVERIFY(summary_of(untested, 3).isEmpty());
    }

    void several_tasks_have_a_row_over_all() {
        auto runs = pairs_of(effect);
        for (auto& run : pairs_of(noise, 4)) runs.push_back(std::move(run));
        QCOMPARE(tests_of_rows(tested(runs)).size(), std::size_t{4});  // one task with two values of K
        for (auto& run : runs)
            if (run.config->model.top_k == 4)
                change(run, [&](auto& config) {
                    run.row.horizon = config.data.horizon = 192;
                    config.model.top_k = 8;
                });
        const auto comparison = tested(runs);
        QCOMPARE(comparison.lines.size(), std::size_t{2});
        const auto tests = tests_of_rows(comparison);
        QCOMPARE(tests.size(), std::size_t{5});
        QVERIFY(tests[0] == nullptr && tests[2] == nullptr);  // the base
        QCOMPARE(tests[1]->line, std::optional<std::size_t>(0));
        QCOMPARE(tests[3]->line, std::optional<std::size_t>(1));
        QVERIFY(!tests[4]->line);
        QCOMPARE(tests[4]->result.n, std::int64_t{2});
        const auto rows = comparison_rows(comparison, false);
        QCOMPARE(rows.size(), tests.size());
        for (const auto& row : rows) QCOMPARE(row.size(), comparison_header(comparison, false).size());
        QCOMPARE(rows[4][0], QStringLiteral("all"));
        QCOMPARE(rows[1].mid(5, 2), (QStringList{QStringLiteral("8"), QStringLiteral("8 of 8")}));
        QVERIFY(rows[1][7].startsWith(QStringLiteral("−0.0055")));
        QCOMPARE(summary_of(comparison, 3).size(), 1);
        QVERIFY(summary_of(comparison, 3)[0].contains(QStringLiteral("over all tasks")));
        // Files have a row for each point and the columns of the test last.
        const auto exact = comparison_rows(comparison, true);
        QCOMPARE(exact.size(), std::size_t{4});
        const auto header = comparison_header(comparison, true);
        QCOMPARE(
            header.mid(header.size() - 9),
            (QStringList{QStringLiteral("base"), QStringLiteral("pairs"), QStringLiteral("improved"),
                         QStringLiteral("delta"), QStringLiteral("delta_percent"), QStringLiteral("ci_low"),
                         QStringLiteral("ci_high"), QStringLiteral("p"), QStringLiteral("p_holm")}));
        for (const auto& row : exact) QCOMPARE(row.size(), header.size());
        QCOMPARE(exact[0].last(), QString());
        QCOMPARE(exact[1][header.size() - 2].toDouble(), comparison.tests[0].result.test.p);
        // One mark per line and one over all, beside one another.
        const auto figure = compare_figure(comparison, {});
        std::set<double> places;
        for (const bool hollow : {false, true})
            for (const auto* marks : marks_at(figure.plots.at(1), hollow))
                places.insert(marks->x.begin(), marks->x.end());
        QCOMPARE(places.size(), std::size_t{3});
        QVERIFY(*places.begin() > -0.5 && *places.rbegin() < 0.5);
    }

    /// Cases bundle settings: what they give makes no lines, the first one is the base.
    void cases_are_compared_task_by_task() {
        std::vector<CompareRun> runs;
        for (const std::int64_t horizon : {96, 192})
            for (const std::int64_t seed : {1, 2, 3})
                for (const bool with : {false, true}) {
                    auto run = run_of(with ? 0.1 * 96 / static_cast<double>(horizon) : 0, seed,
                                      0.4 + 0.001 * static_cast<double>(seed) - (with ? 0.01 : 0));
                    change(run, [&](auto& config) { config.data.horizon = run.row.horizon = horizon; });
                    run.row.swept = {{"data.horizon", std::to_string(horizon)},
                                     {"case", with ? "preset" : "without coverage"}};
                    runs.push_back(std::move(run));
                }
        const auto comparison = tested(runs, case_key);
        QCOMPARE(comparison.line_keys, QStringList{QStringLiteral("data.horizon")});
        QCOMPARE(comparison.lines.size(), std::size_t{2});
        QCOMPARE(comparison.base, QStringLiteral("without coverage"));
        QCOMPARE(comparison.lines[0].points[0].x.text, QStringLiteral("without coverage"));
        QCOMPARE(comparison.tests.size(), std::size_t{3});
        QCOMPARE(comparison.tests[0].result.n, std::int64_t{3});
        QVERIFY2(
            sentence_of(comparison, comparison.tests[0])
                .startsWith(QStringLiteral("preset against without coverage (H 96, test MSE) – 3 pairs: ")),
            qPrintable(sentence_of(comparison, comparison.tests[0])));
        const auto figure = sensitivity(runs, {case_key}, "sensitivity:test_mse:case");
        QCOMPARE(figure.plots.size(), std::size_t{1});
        QCOMPARE(figure.plots[0].x.categories,
                 (QStringList{QStringLiteral("without coverage"), QStringLiteral("preset")}));
        check_sensitivity("sensitivity:test_mse:case");
    }

    /// Half a sweep: one case has the horizons 96 and 192, the other 192 and 336.
    void cases_of_different_tasks_are_no_pairs() {
        std::vector<CompareRun> runs;
        for (const bool with : {false, true})
            for (const std::int64_t horizon : with ? std::vector{192, 336} : std::vector{96, 192}) {
                auto run = run_of(with ? 0.1 : 0, 1, 0.001 * static_cast<double>(horizon));
                change(run, [&](auto& config) { config.data.horizon = run.row.horizon = horizon; });
                run.row.swept = {{"data.horizon", std::to_string(horizon)}, {"case", with ? "with" : "none"}};
                runs.push_back(std::move(run));
            }
        const auto comparison = tested(runs, case_key);
        QCOMPARE(comparison.line_keys, QStringList{QStringLiteral("data.horizon")});
        QCOMPARE(comparison.tests.size(), std::size_t{1});
        QCOMPARE(comparison.tests[0].result.delta, 0.0);  // of horizon 192 alone
        // Likewise a swept setting of which each case has other values.
        for (auto& run : runs) {
            change(run, [&](auto& config) {
                config.data.horizon = run.row.horizon = 96;
                config.model.top_k = run.row.lambda_cov == 0 ? 4 : 8;
            });
            run.row.swept[0] = {"model.top_k", std::to_string(run.config->model.top_k)};
        }
        const auto swept = tested(runs, case_key);
        QCOMPARE(swept.line_keys, QStringList{QStringLiteral("model.top_k")});
        QVERIFY(swept.tests.empty());
    }

    /// A case that leaves the learning rate to the presets still has a partner for each of them.
    void settings_of_presets_make_no_lines_between_cases() {
        std::vector<CompareRun> runs;
        for (const std::int64_t horizon : {96, 192})
            for (const bool with : {false, true}) {
                auto run = run_of(with ? 0.1 : 0, 1, 0.4);
                change(run, [&](auto& config) {
                    config.data.horizon = run.row.horizon = horizon;
                    config.train.learning_rate = with && horizon == 192 ? 1e-3 : 1e-4;
                });
                run.row.swept = {{"preset", "etth1-" + std::to_string(horizon)},
                                 {"case", with ? "preset" : "slow"}};
                runs.push_back(std::move(run));
            }
        const auto comparison = tested(runs, case_key);
        QCOMPARE(comparison.line_keys, QStringList{QStringLiteral("data.horizon")});
        QCOMPARE(comparison.tests.size(), std::size_t{3});
        // Another value in runs that are equal otherwise is a line of its own.
        auto other = runs[0];
        change(other, [](auto& config) { config.train.epochs = 7; });
        runs.push_back(other);
        QCOMPARE(compare(runs, metric_named("test_mse"), case_key).line_keys,
                 (QStringList{QStringLiteral("data.horizon"), QStringLiteral("train.epochs")}));
    }

    void sensitivity_has_tests_in_its_numbers() {
        const auto figure = sensitivity(pairs_of(noise), {lambda}, "sensitivity:test_mse");
        QCOMPARE(figure.plots.size(), std::size_t{1});
        QVERIFY(remarks_of(figure.plots[0]).contains(QStringLiteral("axis covers at least ±5 %")));
        const auto& columns = figure.numbers->columns;
        QCOMPARE(columns[columns.size() - 1], QStringLiteral("p_holm"));
        QCOMPARE(figure.numbers->rows.size(), std::size_t{2});
        const auto& row = figure.numbers->rows[1];
        QCOMPARE(row.size(), columns.size());
        QCOMPARE(row[columns.indexOf(QStringLiteral("pairs"))], QStringLiteral("8"));
        QVERIFY(row[columns.indexOf(QStringLiteral("ci_low"))].toDouble() < 0);
        const auto one = sensitivity({run_of(0, 1, 0.4), run_of(0.1, 1, 0.39)}, {lambda});
        QVERIFY2(one.caption.contains(
                     QStringLiteral(": single runs. n = 1. Differences of single runs say nothing")),
                 qPrintable(one.caption));
    }
};

TEST_MAIN_WITHOUT_GUI(TestPairedTests)
#include "test_paired_tests.moc"
