// Which settings differ, means and spread over seeds, and the figure made from them.
#include <set>

#include <QTest>

#include "figures/recipe_compare.h"
#include "panels/compare/difference_panel.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp::figures;
using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;

namespace {

std::vector<CompareRun> runs_of(const MemoryLibrary& library) {
    std::vector<CompareRun> runs;
    for (const auto& run : library.runs) {
        CompareRun r{run->its_summary.folder, run->its_summary.row, nullptr};
        r.config = std::make_shared<casp::config::Config>(
            casp::config::load_text(run->its_record.attributes.config, "test", "/").base);
        runs.push_back(std::move(r));
    }
    return runs;
}

void set(CompareRun& run, const std::string& key, const casp::config::Value& value) {
    auto config = *run.config;
    casp::config::set(config, key, value);
    run.config = std::make_shared<casp::config::Config>(config);
}

const QString lambda = QStringLiteral("loss.lambda_cov");

}  // namespace

class TestCompareRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mean_and_spread_over_seeds() {
        MemoryLibrary library;
        for (const double l : {0.1, 0.0})
            for (const int seed : {2021, 2022, 2023}) library.add(QStringLiteral("ETTh1-96"), l, seed);
        const auto result = compare(runs_of(library), metric_named("test_mse"), lambda);
        QCOMPARE(result.lines.size(), std::size_t{1});
        QCOMPARE(result.line_keys, QStringList());
        const auto& line = result.lines[0];
        QCOMPARE(line.name, QStringLiteral("ETTh1 · H 96"));
        QCOMPARE(line.points.size(), std::size_t{2});
        QCOMPARE(*line.points[0].x.number, 0.0);  // ascending, whatever the order of the runs
        QCOMPARE(line.points[0].statistic.n, std::int64_t{3});
        // Seeds give 0.370, 0.372, 0.374 at λ_cov = 0: mean 0.372, sample sd 0.002.
        QVERIFY(std::abs(line.points[0].statistic.mean - 0.372) < 1e-12);
        QVERIFY(std::abs(line.points[0].statistic.sd - 0.002) < 1e-12);
        QVERIFY(std::abs(line.points[1].statistic.mean - 0.362) < 1e-12);
    }

    /// "Run again" gives the same numbers under another name.
    void repeated_run_is_counted_once() {
        MemoryLibrary library;
        for (const int seed : {2021, 2022}) library.add(QStringLiteral("ETTh1-96"), 0.0, seed);
        library.add(QStringLiteral("ETTh1-again"), 0.0, 2021);
        const auto point = compare(runs_of(library), metric_named("test_mse"), lambda).lines[0].points[0];
        QCOMPARE(point.runs.size(), std::size_t{3});
        QCOMPARE(point.statistic.n, std::int64_t{2});
        QVERIFY(std::abs(point.statistic.mean - 0.371) < 1e-12);
        QVERIFY(point.names[2].contains(QStringLiteral("repeats a seed")));
        QVERIFY(!point.names[0].contains(QStringLiteral("repeats")));
    }

    void marks_have_the_colours_of_the_list() {
        MemoryLibrary library;
        for (const double l : {0.0, 0.1})
            for (const int seed : {2021, 2022}) library.add(QStringLiteral("ETTh1-96"), l, seed);
        auto runs = runs_of(library);
        const QList<QColor> colours{QColor(1, 2, 3), QColor(40, 50, 60), QColor(7, 8, 9), QColor(1, 1, 1)};
        for (std::size_t i = 0; i < runs.size(); ++i) runs[i].colour = colours[static_cast<qsizetype>(i)];
        const auto marks_of = [](const std::vector<CompareRun>& of, const QString& colour_by) {
            std::map<std::int64_t, QColor> marks;  // of single runs and of means (−1)
            CompareLook look;
            look.colour_by = colour_by;
            const auto figure = compare_figure(compare(of, metric_named("test_mse"), lambda), look);
            for (const auto& series : figure.plots[0].series)
                for (std::size_t i = 0; series.kind == casp::figures::MarkKind::points && i < series.x.size();
                     ++i)
                    marks[series.ids.empty() ? -1 : series.ids[i]] = series.colour;
            return marks;
        };
        auto marks = marks_of(runs, {});
        for (int i = 0; i < 4; ++i) QCOMPARE(marks.at(i), colours[i]);
        QCOMPARE(marks.at(-1), colours[0]);  // a mean of two runs
        // The mean of one run is that run.
        QCOMPARE(marks_of({runs[3]}, {}).at(-1), colours[3]);
        // One colour for each value on request.
        set(runs[2], "model.top_k", std::int64_t{4});
        set(runs[3], "model.top_k", std::int64_t{4});
        marks = marks_of(runs, QStringLiteral("model.top_k"));
        QVERIFY(marks.at(0) == marks.at(1) && marks.at(2) == marks.at(3) && marks.at(0) != marks.at(2));
        QVERIFY(!colours.contains(marks.at(0)));
    }

    void settings_are_named_in_words() {
        using namespace casp::figures;
        QCOMPARE(key_title(QStringLiteral("train.learning_rate")), QStringLiteral("learning rate"));
        QCOMPARE(key_title(QStringLiteral("patchtst.dropout")), QStringLiteral("PatchTST dropout"));
        QCOMPARE(key_title(QStringLiteral("backbone.dropout")), QStringLiteral("backbone dropout"));
        QCOMPARE(setting_text(QStringLiteral("model.name"), QStringLiteral("patchtst")),
                 QStringLiteral("PatchTST"));
        const auto fork = QStringLiteral("train.continue_from");
        QCOMPARE(setting_text(fork, QStringLiteral("/runs/a/single")), QStringLiteral("fork of single"));
        QCOMPARE(setting_text(fork, QString()), QStringLiteral("not a fork"));
        MemoryLibrary library;
        for (const int seed : {2021, 2022}) library.add(QStringLiteral("ETTh1-96"), 0.1, seed);
        auto runs = runs_of(library);
        set(runs[1], "train.continue_from", std::string("/runs/a/single"));
        set(runs[1], "train.learning_rate", 0.5);
        const auto result = compare(runs, metric_named("test_mse"), lambda);
        QCOMPARE(result.lines[1].name, QStringLiteral("learning rate 0.5 · fork of single"));
        QVERIFY2(result.lines[0].name.endsWith(QStringLiteral(" · not a fork")) &&
                     !result.lines[0].name.contains(QStringLiteral("fork of")),
                 qPrintable(result.lines[0].name));
        QCOMPARE(comparison_header(result, false).first(), QStringLiteral("learning rate"));
        QCOMPARE(comparison_header(result, true).first(),
                 QStringLiteral("train.learning_rate"));  // for scripts
    }

    void a_hidden_setting_never_becomes_a_seed() {
        // Two batches that differ in K, which neither of them sweeps.
        MemoryLibrary library;
        for (const int seed : {2021, 2022}) library.add(QStringLiteral("ETTh1-a"), 0.1, seed);
        for (const int seed : {2021, 2022}) library.add(QStringLiteral("ETTh1-b"), 0.1, seed);
        auto runs = runs_of(library);
        QCOMPARE(compare(runs, metric_named("test_mse"), lambda).lines.size(), std::size_t{1});
        set(runs[2], "model.top_k", std::int64_t{4});
        set(runs[3], "model.top_k", std::int64_t{4});
        const auto result = compare(runs, metric_named("test_mse"), lambda);
        QCOMPARE(result.line_keys, QStringList{QStringLiteral("model.top_k")});
        QCOMPARE(result.lines.size(), std::size_t{2});
        QCOMPARE(result.lines[0].name, QStringLiteral("K 8"));
        QCOMPARE(result.lines[1].name, QStringLiteral("K 4"));
        QCOMPARE(result.lines[1].points[0].statistic.n, std::int64_t{2});
        // Names, folders and devices are no such settings.
        set(runs[0], "run.device", std::string("cpu"));
        set(runs[0], "run.threads", std::int64_t{3});
        QCOMPARE(compare(runs, metric_named("test_mse"), lambda).lines.size(), std::size_t{2});
        set(runs[0], "run.precision", std::string("bf16"));
        QCOMPARE(compare(runs, metric_named("test_mse"), lambda).lines.size(), std::size_t{3});
    }

    void options_of_python_models_are_settings_each() {
        MemoryLibrary library;
        for (const int seed : {2021, 2022, 2023}) library.add(QStringLiteral("ETTh1-96"), 0.1, seed);
        auto runs = runs_of(library);
        const QString width = QStringLiteral("python.options.width");
        for (std::size_t i = 0; i < runs.size(); ++i) {
            set(runs[i], "model.name", std::string("python"));
            set(runs[i], width.toStdString(), std::int64_t{i == 0 ? 32 : 64});
        }
        set(runs[2], "python.options.use_norm", true);
        QCOMPARE(differing_keys(runs), (QStringList{QStringLiteral("python.options.use_norm"), width,
                                                    QStringLiteral("train.seed")}));
        runs[2].config.reset();
        const auto result = compare(runs, metric_named("test_mse"), width);
        QCOMPARE(result.line_keys, QStringList());
        QVERIFY(result.numbers);
        QCOMPARE(result.lines[0].points.size(), std::size_t{2});
        QCOMPARE(key_title(width), QStringLiteral("width"));
        std::vector<DifferenceRun> shown;
        for (std::size_t i = 0; i < 2; ++i)
            shown.push_back({library.runs[i]->its_summary, runs[i].config, {}});
        const auto rows = difference_rows(shown, false);
        QCOMPARE(rows[0].key, width);
        QCOMPARE(rows[0].values, (QStringList{QStringLiteral("32"), QStringLiteral("64")}));
    }

    void runs_with_unreadable_settings_are_omitted() {
        MemoryLibrary library;
        for (const int seed : {2021, 2022, 2023}) library.add(QStringLiteral("ETTh1-96"), 0.1, seed);
        auto runs = runs_of(library);
        runs[2].config.reset();
        const auto result = compare(runs, metric_named("test_mse"), lambda);
        QCOMPARE(result.line_keys, QStringList());
        QCOMPARE(result.lines.size(), std::size_t{1});
        QCOMPARE(result.lines[0].points[0].statistic.n, std::int64_t{2});
        QCOMPARE(result.unknown, 1);
    }

    void data_and_backbone_are_compared_by_content() {
        MemoryLibrary library;
        library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        library.add(QStringLiteral("ETTh1-96"), 0.1, 2022);
        auto runs = runs_of(library);
        set(runs[1], "data.path", std::string("/elsewhere/ETTh1.csv"));
        set(runs[1], "backbone.path", std::string("/elsewhere/gpt2.safetensors"));
        QCOMPARE(differing_keys(runs), QStringList{QStringLiteral("train.seed")});
        runs[1].row.backbone = "untrained";
        QCOMPARE(differing_keys(runs),
                 (QStringList{QStringLiteral("backbone.path"), QStringLiteral("train.seed")}));
    }

    void unfinished_runs_are_counted_and_left_out() {
        MemoryLibrary library;
        for (const int seed : {2021, 2022, 2023, 2024}) library.add(QStringLiteral("ETTh1-96"), 0.1, seed);
        library.runs[1]->its_summary.row.state = casp::store::RunState::failed;
        library.runs[2]->its_summary.row.key_cosine = casp::store::not_known;  // K = 1
        const auto result = compare(runs_of(library), metric_named("key_cosine"), lambda);
        QCOMPARE(result.unfinished, 1);
        QCOMPARE(result.unknown, 1);
        QCOMPARE(result.lines[0].points[0].statistic.n, std::int64_t{2});
        QVERIFY(compare_figure(result, {}).caption.contains(QStringLiteral("Omitted: 2 runs, not finished")));
    }

    /// Two seeds at each λ_cov; at 0.1 the second was finished early, at 0.5 both were.
    void runs_finished_early_are_in_no_mean() {
        MemoryLibrary library;
        for (const double l : {0.0, 0.1, 0.5})
            for (const int seed : {2021, 2022}) {
                auto& row = library.add(QStringLiteral("ETTh1-96"), l, seed).its_summary.row;
                if (l == 0.5 || (l == 0.1 && seed == 2022)) {
                    row.state = casp::store::RunState::finished_early;
                    row.steps = 282;
                    row.test_mse += 0.1;
                }
            }
        const auto runs = runs_of(library);
        const auto apart = compare(runs, metric_named("test_mse"), lambda);
        QCOMPARE(apart.lines.size(), std::size_t{1});
        const auto& points = apart.lines[0].points;
        QCOMPARE(points.size(), std::size_t{3});
        QCOMPARE(points[0].statistic.n, std::int64_t{2});
        QCOMPARE(points[1].statistic.n, std::int64_t{1});
        QCOMPARE(points[1].statistic.mean, 0.36);
        QVERIFY(std::isnan(points[1].statistic.sd));
        QCOMPARE(points[2].statistic.n, std::int64_t{0});
        QCOMPARE(points[1].values.size(), std::size_t{2});
        QCOMPARE(points[1].early_runs(), std::size_t{1});
        QVERIFY(points[1].names[1].endsWith(QStringLiteral("finished early after 282 steps")));
        QCOMPARE(apart.early, 3);
        QCOMPARE(early_text(apart), QStringLiteral("3 of 6 runs finished early"));

        // For people one column, for files three.
        QCOMPARE(comparison_header(apart, false).last(), QStringLiteral("early"));
        QCOMPARE(comparison_rows(apart, false)[0].last(), QString());
        QCOMPARE(comparison_rows(apart, false)[1].last(), QStringLiteral("1 of 2"));
        const auto tail = [](const Comparison& comparison, std::size_t row) {
            return comparison_rows(comparison, true)[row].mid(4, 3);
        };
        QCOMPARE(comparison_header(apart, true)[4], QStringLiteral("finished_early"));
        QCOMPARE(tail(apart, 0), (QStringList{QStringLiteral("0"), QString(), QString()}));
        QCOMPARE(tail(apart, 1).mid(0, 2), (QStringList{QStringLiteral("1"), QStringLiteral("no")}));
        QVERIFY(std::abs(tail(apart, 1)[2].toDouble() - 0.462) < 1e-12);
        QCOMPARE(tail(apart, 2)[2].count(QLatin1Char(' ')), 1);
        // Without any, nothing of it.
        const auto none = compare({runs[0], runs[1]}, metric_named("test_mse"), lambda);
        QCOMPARE(comparison_header(none, false).last(), QStringLiteral("sd"));
        QCOMPARE(early_text(none), QString());
    }

    void runs_finished_early_are_hollow() {
        MemoryLibrary library;
        for (const double l : {0.0, 0.1})
            for (const int seed : {2021, 2022}) library.add(QStringLiteral("ETTh1-96"), l, seed);
        library.runs[3]->its_summary.row.state = casp::store::RunState::finished_early;
        const auto runs = runs_of(library);
        // Also without single runs: what is in no mean would be nowhere.
        CompareLook look;
        look.singles = look.last_value = false;
        const auto hollow = [](const casp::figures::Figure& figure) {
            std::vector<const casp::figures::Series*> list;
            for (const auto& series : figure.plots[0].series)
                if (series.hollow) list.push_back(&series);
            return list;
        };
        const auto apart = compare_figure(compare(runs, metric_named("test_mse"), lambda), look);
        const auto marks = hollow(apart);
        QCOMPARE(marks.size(), std::size_t{2});
        QCOMPARE(marks[0]->ids, std::vector<std::int64_t>{3});
        QCOMPARE(marks[0]->y, std::vector<double>{runs[3].row.test_mse});
        QVERIFY(marks[0]->name.isEmpty());
        QVERIFY(marks[1]->x.empty());  // the legend's
        QCOMPARE(marks[1]->name, QStringLiteral("1 of 4 runs finished early, not in the means"));
        QVERIFY2(apart.caption.contains(QStringLiteral("Hollow marks: 1 of 4 runs finished early")) &&
                     apart.caption.contains(QStringLiteral("not in the means")) &&
                     apart.caption.contains(QStringLiteral("(n = 1–2)")),
                 qPrintable(apart.caption));

        // A line of such runs alone keeps its name.
        auto all = runs;
        for (auto& run : all) run.row.state = casp::store::RunState::finished_early;
        const auto only = compare_figure(compare(all, metric_named("test_mse"), lambda), look);
        QCOMPARE(hollow(only).size(), std::size_t{2});
        QCOMPARE(hollow(only)[0]->name, QStringLiteral("ETTh1 · H 96"));
        QVERIFY(only.caption.contains(QStringLiteral("(n = 0)")));
    }

    void any_setting_is_an_axis() {
        MemoryLibrary library;
        for (const int seed : {2021, 2022, 2023}) library.add(QStringLiteral("ETTh1-96"), 0.1, seed);
        auto runs = runs_of(library);
        set(runs[1], "train.schedule", std::string("halving"));
        set(runs[2], "train.schedule", std::string("constant"));
        const auto result = compare(runs, metric_named("test_mae"), QStringLiteral("train.schedule"));
        QVERIFY(!result.numbers);
        const auto figure = compare_figure(result, {});
        QCOMPARE(figure.plots[0].x.categories.size(), 3);
        QCOMPARE(figure.plots[0].x.title, QStringLiteral("schedule"));
        for (const auto& series : figure.plots[0].series)
            QVERIFY(series.kind == casp::figures::MarkKind::points);
        const auto by_seed = compare(runs, metric_named("test_mae"), QStringLiteral("train.seed"));
        QCOMPARE(by_seed.lines.size(), std::size_t{3});
    }

    void a_run_without_coverage_has_no_lambda() {
        MemoryLibrary library;
        library.add(QStringLiteral("ETTh1-96"), 0.0, 2021);
        library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        auto runs = runs_of(library);
        QCOMPARE(setting_of(runs[0], lambda).text, QStringLiteral("0"));  // tracked, with weight 0
        set(runs[1], "coverage.enabled", false);
        QCOMPARE(setting_of(runs[1], lambda).text, QStringLiteral("–"));
        QVERIFY(!setting_of(runs[1], lambda).number);
        set(runs[1], "coverage.enabled", true);
        QCOMPARE(setting_of(runs[1], lambda).text, QStringLiteral("0.1"));
    }

    void figure_holds_what_was_compared() {
        MemoryLibrary library;
        for (const double l : {0.0, 0.05, 0.1})
            for (const int seed : {2021, 2022, 2023}) library.add(QStringLiteral("ETTh1-96"), l, seed);
        const auto runs = runs_of(library);
        const auto result = compare(runs, metric_named("test_mse"), lambda);
        CompareLook look;
        auto figure = compare_figure(result, look);
        QCOMPARE(figure.plots.size(), std::size_t{1});
        QCOMPARE(figure.plots[0].x.title, QStringLiteral("λ_cov"));
        const auto* faint = &figure.plots[0].series[1];  // on the lines that join seeds
        QCOMPARE(faint->ids.size(), std::size_t{9});
        QVERIFY(faint->opacity < 0.5);
        for (std::size_t i = 0; i < faint->ids.size(); ++i)
            QCOMPARE(faint->y[i], runs[static_cast<std::size_t>(faint->ids[i])].row.test_mse);
        const auto& means = figure.plots[0].series.back();
        QCOMPARE(means.name, QStringLiteral("ETTh1 · H 96"));
        QCOMPARE(means.x.size(), std::size_t{3});
        QVERIFY(std::abs((means.high[0] - means.low[0]) - 2 * 0.002) < 1e-12);
        QCOMPARE(figure.numbers->columns.mid(4, 4),
                 (QStringList{QStringLiteral("sd"), QStringLiteral("finished_early"),
                              QStringLiteral("early_in_mean"), QStringLiteral("early_values")}));
        QCOMPARE(figure.numbers->rows[0].mid(5, 3), (QStringList{QStringLiteral("0"), QString(), QString()}));
        QCOMPARE(figure.numbers->rows.size(), std::size_t{3});
        QCOMPARE(figure.numbers->rows[2][2], QStringLiteral("3"));
        QCOMPARE(figure.numbers->columns.first(), QStringLiteral("metric"));
        QCOMPARE(figure.numbers->rows[0].first(), QStringLiteral("Test MSE"));
        // 0.7134 is far above 0.36 … 0.374: said in words instead of squeezing the line.
        QVERIFY(figure.plots[0].rules.empty());
        QVERIFY(figure.plots[0].title.isEmpty());
        QVERIFY(figure.plots[0].remarks.front().text.contains(QStringLiteral("0.7134")));
        look.singles = look.last_value = false;
        figure = compare_figure(result, look);
        QCOMPARE(figure.plots[0].remarks.size(), std::size_t{1});
        QVERIFY(figure.plots[0].remarks[0].text.contains(QStringLiteral("±5 %")));
        for (const auto& series : figure.plots[0].series) QVERIFY(series.ids.empty());
        // Near enough: a rule, and the axis reaches it.
        auto near = runs;
        for (auto& run : near) run.row.last_value_mse = 0.38;
        figure = compare_figure(compare(near, metric_named("test_mse"), lambda), {});
        QCOMPARE(figure.plots[0].rules.size(), std::size_t{1});
        QCOMPARE(figure.plots[0].rules[0].at, 0.38);
        QVERIFY(!figure.plots[0].rules[0].vertical);
        QVERIFY(*figure.plots[0].y.max > 0.38);
    }

    void zero_has_a_place_on_the_log_axis() {
        MemoryLibrary library;
        for (const double l : {0.0, 0.01, 0.1, 1.0})
            for (const int seed : {2021, 2022}) library.add(QStringLiteral("ETTh1-96"), l, seed);
        CompareLook look;
        look.log_x = true;
        look.singles = false;
        const auto figure = compare_figure(compare(runs_of(library), metric_named("test_mse"), lambda), look);
        const auto& plot = figure.plots[0];
        QVERIFY(plot.x.log);
        const auto& means = plot.series.back();
        QCOMPARE(means.x.size(), std::size_t{4});
        QVERIFY(means.x[0] > 0 && means.x[0] < 0.01);
        QVERIFY(*plot.x.min < means.x[0]);
        QCOMPARE(plot.rules[0].at, means.x[0]);
        QVERIFY(plot.rules[0].label.contains(QStringLiteral("= 0")));
        int dashed = 0, solid = 0;
        for (const auto& series : plot.series) {
            if (series.kind != casp::figures::MarkKind::line) continue;
            if (series.dashed) {
                ++dashed;
                QCOMPARE(series.x, (std::vector<double>{means.x[0], 0.01}));
            } else {
                ++solid;
                QCOMPARE(series.x, (std::vector<double>{0.01, 0.1, 1.0}));
            }
        }
        QCOMPARE(dashed, 1);
        QCOMPARE(solid, 1);
        // Only zeros: a plain axis, nothing lost.
        MemoryLibrary zeros;
        zeros.add(QStringLiteral("ETTh1-96"), 0, 2021);
        const auto flat = compare_figure(compare(runs_of(zeros), metric_named("test_mse"), lambda), look);
        QVERIFY(!flat.plots[0].x.log);
        QCOMPARE(flat.plots[0].series.back().x, std::vector<double>{0.0});
    }

    void lines_share_colours_by_choice() {
        MemoryLibrary library;
        for (const auto* data : {"ETTh1-96", "Weather-96"})
            for (const double l : {0.0, 0.1})
                for (int k = 0; k < 2; ++k) library.add(QString::fromLatin1(data), l, 2021);
        auto runs = runs_of(library);
        for (std::size_t i = 1; i < runs.size(); i += 2) set(runs[i], "model.top_k", std::int64_t{4});
        const auto result = compare(runs, metric_named("test_mse"), lambda);
        QCOMPARE(result.lines.size(), std::size_t{4});
        const auto colours = [&](const QString& by) {
            CompareLook look;
            look.colour_by = by;
            std::set<QRgb> seen;
            const auto figure = compare_figure(result, look);
            for (const auto& series : figure.plots[0].series)
                if (!series.name.isEmpty()) seen.insert(series.colour.rgb());
            return seen.size();
        };
        QCOMPARE(colours(QString()), std::size_t{4});
        QCOMPARE(colours(QStringLiteral("data.path")), std::size_t{2});
        QCOMPARE(result.lines[0].name, QStringLiteral("ETTh1 · K 8"));
    }

    void empty_comparison_explains_itself() {
        const auto empty = compare_figure(compare({}, metric_named("test_mse"), lambda), {});
        QVERIFY(empty.plots.empty());
        QVERIFY(empty.empty_text.contains(QStringLiteral("two or more runs")));
        MemoryLibrary library;
        library.add(QStringLiteral("ETTh1-96"), 0, 2021).its_summary.row.state =
            casp::store::RunState::running;
        const auto waiting = compare_figure(compare(runs_of(library), metric_named("test_mse"), lambda), {});
        QVERIFY(waiting.empty_text.contains(QStringLiteral("as they finish")));
    }

    void difference_lists_what_differs() {
        MemoryLibrary library;
        library.add(QStringLiteral("ETTh1-96"), 0.0, 2021);
        library.add(QStringLiteral("ETTh1-96"), 0.1, 2021);
        const auto compared = runs_of(library);
        std::vector<DifferenceRun> runs{{library.runs[0]->its_summary, compared[0].config, {}},
                                        {library.runs[1]->its_summary, compared[1].config, {}}};
        auto rows = difference_rows(runs, false);
        QCOMPARE(rows[0].name, QStringLiteral("λ_cov"));
        QCOMPARE(rows[0].values, (QStringList{QStringLiteral("0.0"), QStringLiteral("0.1")}));
        QVERIFY(rows[1].result);  // nothing else differs
        const auto mse = std::find_if(rows.begin(), rows.end(),
                                      [](const auto& r) { return r.name == QStringLiteral("MSE"); });
        QCOMPARE(mse->values, (QStringList{QStringLiteral("0.3700"), QStringLiteral("0.3600")}));
        QCOMPARE(mse->change, QStringLiteral("−0.01000 (−2.7 %)"));
        QVERIFY(difference_rows(runs, true).size() > casp::config::options().size());
        const QString text = difference_markdown(runs, rows);
        QVERIFY(text.contains(QStringLiteral("| loss.lambda_cov ")));
        QCOMPARE(text.count(QLatin1Char('\n')), static_cast<qsizetype>(rows.size()) + 2);
        runs[1].config.reset();
        runs[1].problem = QStringLiteral("gone");
        QCOMPARE(difference_rows(runs, true)[0].values[1], QStringLiteral("not readable"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestCompareRuns)
#include "test_compare_runs.moc"
