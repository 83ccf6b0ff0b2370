// What --figures and the menu Figures make of runs' files: what is read of them, what may stand in one
// picture, what a damaged file costs, what captions say.
#include <algorithm>
#include <numeric>

#include "evidence/run_settings.h"
#include "figures/recipe_compare.h"
#include "figures/style.h"
#include "gui/made_runs.h"
#include "panels/runs/runs_settings.h"
#include "state/file_run_library.h"
#include "test_program.h"
#include "util/digest.h"
#include "util/error.h"
#include "verify_text.h"

using namespace casp;
using casp::test::made_run;

namespace {

float smooth(std::int64_t row, std::int64_t channel) {
    return std::sin(static_cast<float>(row) / 5) + static_cast<float>(channel);
}

/// `median` errs by 1; of the others (an even number) as many err by half of that as by twice.
std::vector<float> errors_around(std::size_t median, std::size_t windows) {
    std::vector<float> errors(windows);
    for (std::size_t i = 0; i < windows; ++i) errors[i] = i % 2 == 1 ? 0.5F : 2;
    std::swap(errors[0], errors[median]);
    errors[median] = 1;
    return errors;
}

const figures::Series* series_called(const figures::Plot& plot, const QString& name) {
    for (const auto& series : plot.series)
        if (series.name.startsWith(name)) return &series;
    return nullptr;
}

/// Runs whose forecasts are drawn.
QStringList runs_in(const figures::Figure& figure) {
    QStringList runs;
    for (const auto& series : figure.plots.front().series)
        if (!series.run.isEmpty()) runs << series.run.section('/', -1);
    return runs;
}

bool has_condition(const figures::Figure& figure, const QString& label) {
    const auto column = figure.numbers->columns.indexOf(QStringLiteral("condition"));
    return std::any_of(figure.numbers->rows.begin(), figure.numbers->rows.end(),
                       [&](const QStringList& row) { return row[column] == label; });
}

/// λ_cov {0, 0.01, 0.1}, K {2, 4} and two seeds, without files.
figure_jobs::FigureRuns swept_runs() {
    figure_jobs::FigureRuns runs;
    runs.swept = {QStringLiteral("loss.lambda_cov"), QStringLiteral("model.top_k")};
    for (const double lambda : {0.0, 0.01, 0.1})
        for (const std::int64_t k : {2, 4})
            for (const std::int64_t seed : {1, 2}) {
                auto config = std::make_shared<config::Config>(made_run(lambda, seed).config);
                config->model.top_k = k;
                figures::CompareRun run;
                run.row.state = store::RunState::finished;
                run.row.data = "series";
                run.row.lambda_cov = lambda;
                run.row.seed = seed;
                run.row.test_mse = 0.4 + lambda;
                run.row.usage_entropy = 2;
                run.row.key_cosine = 0.5;
                run.row.seconds = 10;
                run.config = std::move(config);
                runs.compared.push_back(std::move(run));
            }
    return runs;
}

figures::Figure sensitivity_of(const figure_jobs::FigureRuns& runs, const std::string& name = "sensitivity") {
    return figures::sensitivity(runs.compared, runs.swept, name);
}

}  // namespace

class TestFigureRecipes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { runs_ = std::make_unique<test::MadeRuns>(); }

    /// Some data sets have gigabytes of forecasts.
    void forecast_reads_the_errors_and_one_window() {
        auto run = made_run(0, 1);
        run.config.data.horizon = 96;
        test::add_forecasts(run, 100, errors_around(10, 1501), smooth);
        run.forecast().prediction.back() = test::marker;  // of the last window, in another chunk
        runs_->write(run);
        runs_->damage(run);
        QVERIFY_THROWS_EXCEPTION(Error, (void)store::read_forecast(runs_->arrays(run), "test"));
        const auto made = runs_->make("forecast");
        QVERIFY2(runs_->notes.empty(), qPrintable(runs_->all_notes()));
        QCOMPARE(made.size(), std::size_t{1});
        QCOMPARE(made[0].plots[0].title, QStringLiteral("OT · test window 10"));
        for (const auto error : series_called(made[0].plots[1], {})->y) QVERIFY(std::abs(error - 1) < 1e-6);
    }

    void damaged_forecasts_omit_only_their_run_data() {
        QTest::addColumn<bool>("in_errors");
        QTest::newRow("errors") << true;
        QTest::newRow("forecasts") << false;
    }
    void damaged_forecasts_omit_only_their_run() {
        QFETCH(bool, in_errors);
        std::vector<test::MadeRun> all;
        for (const double lambda : {0.0, 0.1})
            for (const std::int64_t seed : {1, 2}) {
                all.push_back(made_run(lambda, seed));
                test::add_forecasts(all.back(), 100, errors_around(4, 9), smooth);
                auto& forecast = all.back().forecast();
                (in_errors ? forecast.mse : forecast.prediction).back() = test::marker;
                runs_->write(all.back());
            }
        runs_->damage(all[2]);
        auto made = runs_->make("forecast");
        QCOMPARE(made.size(), std::size_t{1});
        // The other seed of both, so that they differ in λ_cov alone.
        QCOMPARE(runs_in(made[0]), (QStringList{"lambda_cov-0_seed-2", "lambda_cov-0.1_seed-2"}));
        QCOMPARE(runs_->notes.size(), std::size_t{1});
        QVERIFY2(
            runs_->all_notes().startsWith("lambda_cov-0.1_seed-1 is omitted from figures of forecasts: ") &&
                runs_->all_notes().contains("arrays.h5") && runs_->all_notes().contains("damaged"),
            qPrintable(runs_->all_notes()));
        for (const int i : {0, 1, 3}) runs_->damage(all[static_cast<std::size_t>(i)]);
        made = runs_->make("forecast");
        QVERIFY(made.empty());
        for (const auto& run : all)
            QVERIFY(
                runs_->all_notes().contains(QString::fromStdString(run.name + " is omitted from figures")));
        QVERIFY(runs_->all_notes().contains("no forecast: "));
    }

    /// Labels do not say which case comes first.
    void the_first_case_of_the_sweep_is_the_base() {
        std::vector<std::filesystem::path> folders;
        for (const char* label : {"plain", "a variant"}) {
            auto run = made_run(0.1, 1);
            run.name = label;
            run.swept = {{"train.seed", "1"}, {"case", label}};
            test::add_forecasts(run, 100, errors_around(4, 9), smooth);
            runs_->write(run);
            folders.push_back(runs_->folder(run));
        }
        std::vector<Phrase> notes;
        const auto read = figure_jobs::read_figure_runs(folders, notes);
        QVERIFY(notes.empty());
        QCOMPARE(read.cells.size(), std::size_t{1});
        const auto& conditions = read.cells[0].conditions;
        QCOMPARE(conditions.size(), std::size_t{2});
        QCOMPARE(conditions[0].label, QStringLiteral("plain"));
        QVERIFY(conditions[0].colour == figures::run_colour(0));
    }

    /// A model without λ_cov is no condition "λ_cov = –".
    void a_model_without_the_setting_is_named() {
        auto run = made_run(0.1, 1);
        run.config.model.name = "patchtst";
        run.swept.clear();
        test::add_forecasts(run, 100, errors_around(4, 9), smooth);
        runs_->write(run);
        const auto made = runs_->make("forecast");
        QCOMPARE(made.size(), std::size_t{1});
        QVERIFY2(made[0].caption.contains("for PatchTST.") && !made[0].caption.contains(QStringLiteral("–")),
                 qPrintable(made[0].caption));
    }

    void windows_outside_the_data_are_reported() {
        auto run = made_run(0, 1);
        test::add_forecasts(run, 100, errors_around(4, 9), smooth);
        run.forecast().start[4] = std::numeric_limits<std::int64_t>::max();
        runs_->write(run);
        QVERIFY(runs_->make("forecast").empty());
        VERIFY_HAS(runs_->all_notes(), "a window starts at row 9223372036854775807");
    }

    /// An arrays.h5 does not say whose it is: its errors do.
    void forecasts_of_another_run_are_reported() {
        auto run = made_run(0, 1);
        test::add_forecasts(run, 100, errors_around(4, 9), smooth);
        const auto& mse = run.forecast().mse;
        run.record.test.emplace().mse =
            std::accumulate(mse.begin(), mse.end(), 0.0) / static_cast<double>(mse.size());
        runs_->write(run);
        QCOMPARE(runs_->make("forecast").size(), std::size_t{1});
        QVERIFY2(runs_->notes.empty(), qPrintable(runs_->all_notes()));
        run.record.test->mse *= 1.001;
        runs_->write(run);
        QVERIFY(runs_->make("forecast").empty());
        VERIFY_HAS(runs_->all_notes(), "/forecast/test: the mean squared error of its windows is ",
                   "expected the forecasts of this run");
    }

    void lost_forecasts_are_reported() {
        auto run = made_run(0, 1);
        run.config.run.store_forecasts = {"test"};
        runs_->write(run);
        QVERIFY(runs_->make("forecast").empty());
        VERIFY_HAS(runs_->all_notes(), "arrays.h5: there is no /forecast/test; expected the forecasts");
        run.config.run.store_forecasts = {"val"};
        runs_->write(run);
        QVERIFY(runs_->make("forecast").empty());
        QVERIFY2(!runs_->all_notes().contains("/forecast/test"), qPrintable(runs_->all_notes()));
    }

    void forecasts_of_other_data_have_separate_figures_data() {
        QTest::addColumn<int>("what");
        QTest::newRow("another file") << 0;
        QTest::newRow("other columns") << 1;
        QTest::newRow("another scale") << 2;
    }
    void forecasts_of_other_data_have_separate_figures() {
        QFETCH(int, what);
        auto a = made_run(0, 1), again = made_run(0, 1), b = made_run(0, 1);
        for (auto* run : {&a, &again, &b}) {
            run->name = run == &a ? "path-a" : run == &b ? "path-b" : "path-c";
            run->swept = {{"data.path", run->name.substr(5) + ".csv"}};
        }
        if (what == 0) b.record.attributes.dataset_sha256 = "bb";
        if (what == 1) b.record.data.channel_names = {"load", "heat"};
        if (what == 2) b.record.data.mean = {0, 0.5};
        test::add_forecasts(a, 100, errors_around(3, 9), smooth);
        test::add_forecasts(again, 100, errors_around(5, 9), smooth);
        const auto other = [](std::int64_t row, std::int64_t) { return static_cast<float>(row % 7); };
        test::add_forecasts(b, 100, errors_around(6, 9), other);
        for (const auto* run : {&a, &b, &again}) runs_->write(*run);
        const auto made = runs_->make("forecast");
        QVERIFY2(runs_->notes.empty(), qPrintable(runs_->all_notes()));
        QCOMPARE(made.size(), std::size_t{2});
        QCOMPARE(made[0].id, QStringLiteral("forecast"));
        QCOMPARE(made[1].id, QStringLiteral("forecast-data-b.csv"));
        QVERIFY(made[0].title.endsWith(QStringLiteral("data = a.csv, data = c.csv")));
        QVERIFY(made[1].title.endsWith(QStringLiteral("data = b.csv")));
        QCOMPARE(runs_in(made[0]), (QStringList{"path-a", "path-c"}));
        QCOMPARE(runs_in(made[1]), (QStringList{"path-b"}));
        // Each with the window in the middle of its own errors, its own truth and its own names.
        QCOMPARE(made[0].plots[0].title, QStringLiteral("OT · test window 3"));
        QCOMPARE(made[1].plots[0].title,
                 (what == 1 ? QStringLiteral("heat") : QStringLiteral("OT")) + " · test window 6");
        for (int h = 0; h < 12; ++h) {
            const auto at = static_cast<std::size_t>(h);
            QCOMPARE(series_called(made[0].plots[0], "truth")->y[at],
                     static_cast<double>(smooth(151 + h, 1)));
            QCOMPARE(series_called(made[1].plots[0], "truth")->y[at], static_cast<double>(other(154 + h, 1)));
        }
    }

    /// With another lookback or split the same rows may be a window of another number.
    void windows_are_matched_by_rows() {
        auto base = made_run(0, 1), longer = made_run(0.1, 1), without = made_run(0.5, 1);
        longer.config.data.lookback = 64;
        test::add_forecasts(base, 200, errors_around(4, 9), smooth);
        std::vector<float> errors(20);
        std::iota(errors.begin(), errors.end(), 1.0F);
        test::add_forecasts(longer, 200 - 16 - 5, errors, smooth);  // five windows more at the front
        test::add_forecasts(without, 300, errors, smooth);
        for (const auto* run : {&base, &longer, &without}) runs_->write(*run);
        const auto made = runs_->make("forecast");
        QCOMPARE(made.size(), std::size_t{1});
        QCOMPARE(made[0].plots[0].title, QStringLiteral("OT · test window 4"));
        QCOMPARE(runs_in(made[0]), (QStringList{"lambda_cov-0_seed-1", "lambda_cov-0.1_seed-1"}));
        QCOMPARE(made[0].plots[1].series.size(), std::size_t{2});
        for (const auto error : made[0].plots[1].series[1].y) QVERIFY(std::abs(error - 10) < 1e-5);
        QCOMPARE(made[0].plots[0].series[1].x, made[0].plots[0].series[2].x);
        VERIFY_HAS(runs_->all_notes(),
                   "lambda_cov-0.5_seed-1 is omitted from figures of forecasts: none of its test windows "
                   "has a forecast from row 252");
    }

    void the_longest_horizon_has_a_truth() {
        for (const std::int64_t horizon : {12, 24}) {
            auto run = made_run(0, 1);
            run.name = "horizon-" + std::to_string(horizon);
            run.swept = {{"data.horizon", std::to_string(horizon)}};
            run.config.data.horizon = horizon;
            test::add_forecasts(run, 200, errors_around(4, 9), smooth);
            runs_->write(run);
        }
        const auto made = runs_->make("forecast");
        QCOMPARE(made.size(), std::size_t{1});
        QCOMPARE(series_called(made[0].plots[0], "truth")->y.size(), std::size_t{24});
        // Both horizons are in it: its name says no other thing.
        QVERIFY2(made[0].title.endsWith(QStringLiteral("series · H 12, 24")), qPrintable(made[0].title));
    }

    void lookbacks_are_read_from_the_file() {
        QTemporaryDir place;
        const auto csv = place.filePath("series.csv").toStdString();
        {
            std::ofstream file(csv);
            file << "date,load,OT\n";
            for (int r = 0; r < 400; ++r)
                file << 1577836800 + 3600 * r << ',' << r % 5 << ',' << (r % 7) * 2 + r % 3 << '\n';
        }
        auto run = made_run(0, 1);
        run.config.data.path = csv;
        run.record.attributes.dataset_sha256 = sha256_of_file(csv);
        test::add_forecasts(run, 300, errors_around(2, 9), smooth);
        runs_->write(run);
        auto made = runs_->make("forecast");
        QCOMPARE(made.size(), std::size_t{1});
        const auto* past = series_called(made[0].plots[0], "look-back");
        QVERIFY(past != nullptr);
        QCOMPARE(past->y.size(), std::size_t{48});
        // Scaled: differences are those of the file, divided by one number.
        const auto in_file = [](std::size_t t) {
            return static_cast<double>((302 + t) % 7 * 2 + (302 + t) % 3);
        };
        const double scale = (past->y[2] - past->y[0]) / (in_file(2) - in_file(0));
        QVERIFY(scale > 0.1 && scale < 1);
        for (std::size_t t = 0; t < 48; ++t)
            QVERIFY(std::abs(past->y[t] - past->y[0] - scale * (in_file(t) - in_file(0))) < 1e-5);
        // Forecasts that say they are of rows which the file has not.
        test::add_forecasts(run, 390, errors_around(2, 9), smooth);
        runs_->write(run);
        made = runs_->make("forecast");
        QCOMPARE(made.size(), std::size_t{1});
        QVERIFY(series_called(made[0].plots[0], "look-back") == nullptr);
    }

    void non_finite_values_omit_only_their_run_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"score-heatmap", "score-distribution", "pca", "tsne", "alignment"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void non_finite_values_omit_only_their_run() {
        QFETCH(QString, name);
        for (const double lambda : {0.0, 0.1}) {
            auto run = made_run(lambda, 1);
            test::add_forecasts(run, 100, errors_around(4, 41), smooth);
            test::add_embeddings(run);
            if (lambda == 0) run.embedding().series[5] = std::numeric_limits<float>::quiet_NaN();
            runs_->write(run);
        }
        const auto made = runs_->make(name.toStdString());
        QVERIFY(!made.empty());
        for (const auto& figure : made) {
            QVERIFY(has_condition(figure, QStringLiteral("λ_cov = 0.1")));
            QVERIFY(!has_condition(figure, QStringLiteral("λ_cov = 0")));
        }
        QVERIFY2(runs_->all_notes().startsWith("lambda_cov-0_seed-1 is omitted from figures of "),
                 qPrintable(runs_->all_notes()));
    }

    /// There is no checkpoint here: what is not taken from arrays.h5 cannot be had.
    void stored_rows_are_validated_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<bool>("is_taken");
        QTest::newRow("as they come") << 0 << true;
        QTest::newRow("numbered") << 1 << true;
        QTest::newRow("channels turned around") << 2 << true;
        QTest::newRow("windows turned around") << 3 << true;
        QTest::newRow("an anchor that is not there") << 4 << false;
    }
    void stored_rows_are_validated() {
        QFETCH(int, what);
        QFETCH(bool, is_taken);
        auto run = made_run(0, 1);
        test::add_forecasts(run, 100, errors_around(4, 41), smooth);
        test::add_embeddings(run);
        auto& set = run.embedding();
        if (what > 0 && what < 4) {
            set.start = run.forecast().start;
            set.windows.resize(41);
            std::iota(set.windows.begin(), set.windows.end(), 0);
            set.channels = {0, 1};
        }
        if (what == 2) set.channels = {1, 0};
        if (what == 3) std::reverse(set.windows.begin(), set.windows.end());
        if (what == 4) run.forecast().retrieved[7] = 20;
        runs_->write(run);
        QCOMPARE(!runs_->make("score-heatmap").empty(), is_taken);
        QCOMPARE(runs_->all_notes().contains("is omitted from figures of embeddings"), !is_taken);
    }

    /// Older presets left the split to the catalogue.
    void auto_split_equals_the_catalogue_split() {
        auto older = made_run(0, 1), newer = made_run(0.1, 1);
        older.record.attributes.dataset = newer.record.attributes.dataset = "ETTh1";
        newer.config.data.split.rule = "ett-hourly";
        newer.config.data.batching = "multi-channel";
        for (const auto& run : {older, newer}) runs_->write(run);
        const auto folder = runs_->folder(older);
        QVERIFY(figure_jobs::read_figure_runs({folder, runs_->folder(newer)}, runs_->notes).swept ==
                QStringList("loss.lambda_cov"));
        QVERIFY(evidence::finished_runs({folder}).runs[0].config.data.split.rule == "ett-hourly");
        widgets::FileRunLibrary library;
        auto& settings = widgets::RunsSettings::of(library);
        settings.want({QString::fromStdString(folder.string())});
        QTRY_VERIFY(!settings.is_pending());
        QCOMPARE(settings.find(QString::fromStdString(folder.string()))->data.split.rule, "ett-hourly");
    }

    void sensitivity_caption_describes_every_plot() {
        auto runs = swept_runs();
        const auto same =
                       QStringLiteral("n = 2. Faint marks: single runs, joined where the seed is the same."),
                   log = QStringLiteral(
                       " Logarithmic axis; 0 is placed separately at the left, joined by a dashed line.");
        auto caption = sensitivity_of(runs).caption;
        QVERIFY2(caption.endsWith(QStringLiteral("over seeds. (a), (b) and (c): ") + same + log +
                                  QStringLiteral(" (d), (e) and (f): ") + same),
                 qPrintable(caption));
        // What all have in common is said once, without letters.
        caption = sensitivity_of(runs, "sensitivity:test_mse:model.top_k").caption;
        QVERIFY2(caption.endsWith(QStringLiteral("over seeds. ") + same), qPrintable(caption));
        // A metric that one value alone has compares nothing.
        auto baselines = swept_runs();
        for (auto& run : baselines.compared)
            if (run.row.lambda_cov > 0) run.row.usage_entropy = run.row.key_cosine = store::not_known;
        caption = sensitivity_of(baselines, "sensitivity").caption;
        QVERIFY2(
            caption.contains(QStringLiteral(" (c) and (d): ")) && !caption.contains(QStringLiteral("(e)")),
            qPrintable(caption));
        runs.compared.front().row.key_cosine = store::not_known;
        caption = sensitivity_of(runs, "sensitivity").caption;
        const auto fewer = QStringLiteral(
                       "n = 1–2. Faint marks: single runs, joined where the seed is the same. The means are "
                       "over different seeds."),
                   left_out = QStringLiteral(" Omitted: 1 run, not finished or without this metric.");
        QVERIFY2(caption.endsWith(QStringLiteral("over seeds. (a) and (b): ") + same + log +
                                  QStringLiteral(" (c): ") + fewer + log + left_out +
                                  QStringLiteral(" (d) and (e): ") + same + QStringLiteral(" (f): ") + fewer +
                                  left_out),
                 qPrintable(caption));
    }

private:
    std::unique_ptr<test::MadeRuns> runs_;
};

TEST_MAIN_WITHOUT_GUI(TestFigureRecipes)
#include "test_figure_recipes.moc"
