// What stands in one plot can be compared, or says that it cannot: errors of different windows, a fork's
// average, forecasts of several channels, strips over one another.
#include <QtTest>

#include "figures/recipe_anchors.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_training.h"
#include "recipe_samples.h"
#include "test_program.h"

using namespace casp;
using namespace casp::figures;
using samples::input_of;
using samples::probe_of_two_windows;
using samples::series_named;

class TestComparable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Test errors beside those on a live run's few windows: the legend says which are which.
    void error_legend_names_the_windows() {
        store::RunRecord done, live;
        done.test.emplace();
        done.test->mse_per_step = {0.5, 0.6};
        done.test->mse_per_channel = {0.5, 0.6};
        done.test->last_value_mse = 2;
        auto a = input_of(done, QStringLiteral("a")), b = input_of(live, QStringLiteral("b"));
        b.probes = {probe_of_two_windows(385)};
        const auto wanted = QStringLiteral("b: 2 validation windows, step 385");
        for (const auto& figure : {error_per_step({a, b}, false), error_per_channel({a, b}, false)}) {
            const auto& plot = figure.plots[0];
            QVERIFY(series_named(plot, QStringLiteral("a")));
            QVERIFY(series_named(plot, wanted));
            // The persistence error is known as a mean over all steps and channels only.
            QVERIFY(plot.rules.empty());
            QVERIFY(figure.caption.contains(QStringLiteral("validation")));
        }
        QVERIFY(series_named(error_per_step({a, b}, false).plots[0], wanted)->dashed);
        QCOMPARE(series_named(error_per_channel({a, b}, false).plots[0], wanted)->marker,
                 MarkerShape::diamond);
    }

    /// Models without anchors have zeros for the gate, and are in no sentence on anchors but as omitted.
    void runs_without_anchors_are_omitted_and_named() {
        store::RunRecord record, plain;
        for (auto* r : {&record, &plain}) {
            r->steps.step = {1, 2};
            r->steps.epoch = {1, 1};
            r->steps.gate_share = {0, r == &record ? 0.5 : 0.0};
        }
        record.anchors.pool_size = 3;
        record.anchors.snapshot_step = {1, 2};
        record.anchors.usage_train = {1, 0, 3, 0, 2, 2};
        record.anchors.coverage_statistic = {0.1F, 0.2F, 0.3F, 0.1F, 0.2F, 0.3F};
        std::vector<RunInput> runs;
        for (const auto& [label, model] :
             {std::pair{"CASP", "casp-llm"}, {"DLinear", "dlinear"}, {"PatchTST", "patchtst"}}) {
            config::Config config;
            config.model.name = model;
            runs.push_back(input_of(runs.empty() ? record : plain, QString::fromLatin1(label)));
            runs.back().config = std::make_shared<const config::Config>(config);
        }
        AnchorOptions sorted;
        sorted.sorted = true;
        for (const auto& figure :
             {usage_histogram(runs, {}), usage_histogram(runs, sorted), concentration(runs, {}),
              concentration_course(runs, {}), coverage_statistic(runs, {}), coverage_course(runs, {}),
              gate_share(runs, {})}) {
            QVERIFY2(!figure.plots.empty(), qPrintable(figure.id));
            for (const auto& plot : figure.plots)
                for (const auto& series : plot.series)
                    QVERIFY2(series.run.isEmpty() || series.run == runs[0].folder, qPrintable(figure.id));
            const auto& remarks = figure.plots[0].remarks;
            QVERIFY2(std::any_of(remarks.begin(), remarks.end(),
                                 [](const Remark& remark) {
                                     return remark.text.startsWith(QStringLiteral("omitted (no ")) &&
                                            remark.text.endsWith(QStringLiteral("): DLinear, PatchTST"));
                                 }),
                     qPrintable(figure.id));
            QVERIFY2(figure.caption.contains(QStringLiteral("for CASP.")) &&
                         figure.caption.contains(QStringLiteral(": DLinear, PatchTST.")),
                     qPrintable(figure.caption));
        }
        // Coverage that is on, but never active, is a line at 0; with another loss there is no gate.
        runs[1].config = runs[0].config;
        QCOMPARE(gate_share(runs, {}).plots[0].series.size(), std::size_t{2});
        auto config = *runs[0].config;
        config.coverage.term = "entropy";
        runs[1].config = std::make_shared<const config::Config>(config);
        QCOMPARE(gate_share(runs, {}).plots[0].series.size(), std::size_t{1});
    }

    /// A baseline without steps has no place on the axis of steps, and must not stretch the other one.
    void baselines_are_not_on_the_axis_of_steps() {
        store::RunRecord trained, naive;
        trained.steps.step = {1, 2};
        trained.steps.epoch = {1, 1};
        for (auto* record : {&trained, &naive}) {
            record->epochs.epoch = {1};
            record->epochs.val_mse = record->epochs.val_mae = {record == &naive ? 9.0 : 0.5};
        }
        const auto a = input_of(trained, QStringLiteral("a")), b = input_of(naive, QStringLiteral("b"));
        const auto figure = validation({a, b}, {});
        QVERIFY(series_named(figure.plots[0], QStringLiteral("a")));
        QVERIFY(!series_named(figure.plots[0], QStringLiteral("b")));
        QVERIFY2(figure.caption.contains(QStringLiteral("for a; ")), qPrintable(figure.caption));
        QVERIFY(*figure.plots[0].y.max < 1);
        QVERIFY(validation({b}, {}).plots.empty());
    }

    /// Channel 0 of another data set is another channel: it has a plot with its own names.
    void errors_of_other_channels_have_separate_plots() {
        store::RunRecord one, other;
        one.data.channel_names = {"HUFL", "OT"};
        other.data.channel_names = {"p (mbar)", "T (degC)", "OT"};
        one.test.emplace().mse_per_channel = {0.5, 0.6};
        other.test.emplace().mse_per_channel = {0.1, 0.2, 0.3};
        auto a = input_of(one, QStringLiteral("a")), b = input_of(other, QStringLiteral("b"));
        const auto c = input_of(one, QStringLiteral("c"));
        const auto figure = error_per_channel({a, b, c}, false);
        QCOMPARE(figure.plots.size(), std::size_t{2});
        const auto &first = figure.plots[0], &second = figure.plots[1];
        QCOMPARE(first.x.categories, (QStringList{QStringLiteral("HUFL"), QStringLiteral("OT")}));
        QCOMPARE(second.x.categories.size(), 3);
        QCOMPARE(second.x.categories[0], QStringLiteral("p (mbar)"));
        QVERIFY(series_named(first, QStringLiteral("a")) && series_named(first, QStringLiteral("c")));
        QVERIFY(!series_named(first, QStringLiteral("b")) && series_named(second, QStringLiteral("b")));
        QCOMPARE(first.title, QStringLiteral("a, c"));  // where no file is known
        // One data set needs no title.
        QVERIFY(error_per_channel({a, c}, false).plots[0].title.isEmpty());
    }

    /// A spike in a short run is drawn as high as it is.
    void smoothing_is_for_long_runs() {
        const auto record_of = [](std::int64_t steps) {
            store::RunRecord record;
            for (std::int64_t s = 1; s <= steps; ++s) {
                record.steps.step.push_back(s);
                record.steps.epoch.push_back(1);
                record.steps.forecast.push_back(s == 45 ? 1.65 : 0.4);
                record.steps.seconds.push_back(0.5);
            }
            return record;
        };
        const auto shorter = record_of(90), longer = record_of(400), longest = record_of(4000);
        const auto a = input_of(shorter, QStringLiteral("a")), b = input_of(longer, QStringLiteral("b")),
                   c = input_of(longest, QStringLiteral("c"));
        const auto figure = loss_terms({a}, {});
        for (const auto& series : figure.plots[0].series)
            QCOMPARE(*std::max_element(series.y.begin(), series.y.end()), 1.65);
        QCOMPARE(smoothing_of({a}), 0.0);
        QCOMPARE(smoothing_of({b}), 0.5);
        QCOMPARE(smoothing_of({a, c}), 0.9);
        QCOMPARE(loss_terms({b}, {}).plots[0].series.size(), std::size_t{2});
    }

    /// Values within seed noise do not fill the height.
    void axes_do_not_magnify_noise() {
        store::RunRecord record;
        record.epochs.epoch = {1};
        record.epochs.val_mae = {0.5};
        record.epochs.val_mse = {0.4};
        auto other = record;
        other.epochs.val_mse = {0.401};
        TrainingOptions options;
        options.x = TrainingAxis::epoch;
        const auto validated = [&] {
            return validation({input_of(record, QStringLiteral("a")), input_of(other, QStringLiteral("b"))},
                              options)
                .plots[0];
        };
        const auto plot = validated();
        QVERIFY(plot.y.min && *plot.y.min < 0.381 && *plot.y.max > 0.42);
        QCOMPARE(plot.remarks.back().text, QStringLiteral("axis covers at least ±5 %"));
        options.log_y = true;
        QCOMPARE(validated().y.min, plot.y.min);
        record.epochs.val_mse = {0.8};
        QVERIFY(!validated().y.min);
    }

    void picking_windows() {
        const std::vector<double> mse{0.5, 0.1, 0.9, 0.3, 0.7};
        QCOMPARE(pick_window(mse, Pick::best), 1);
        QCOMPARE(pick_window(mse, Pick::worst), 2);
        QCOMPARE(pick_window(mse, Pick::median), 0);
        QCOMPARE(pick_window({0.5, std::nan(""), 0.9}, Pick::worst), 1);
        QCOMPARE(pick_window({std::nan(""), 0.9}, Pick::best), 1);
        QCOMPARE(pick_window({}, Pick::random), -1);
        QCOMPARE(pick_window(mse, Pick::random, 5), pick_window(mse, Pick::random, 5));
    }

    /// A fork's smoothed line begins with its own first value, whatever the parent's were.
    void smoothing_begins_anew_at_a_fork() {
        store::RunRecord parent, fork;
        for (int s = 1; s <= 40; ++s) {
            for (auto* record : {&parent, &fork}) {
                auto& h = record->steps;
                const double value = record == &fork && s > 20 ? 1 : 100;
                h.step.push_back(s);
                h.epoch.push_back(1);
                h.forecast.push_back(value);
                h.term("similarity").push_back(value);
                h.term("coverage").push_back(value);
                h.total.push_back(value);
                h.seconds.push_back(record == &fork && s > 20 ? 0.25 : 0.5);
            }
        }
        auto run = input_of(fork, QStringLiteral("fork"));
        run.parent = &parent;
        TrainingOptions options;
        options.smoothing = 0.9;
        const auto figure = loss_terms({run, input_of(parent, QStringLiteral("parent"))}, options);
        const auto* own = series_named(figure.plots[0], QStringLiteral("fork"));
        QVERIFY(own);
        QCOMPARE(own->x.front(), 21.0);
        QCOMPARE(own->y.front(), 1.0);
        QCOMPARE(own->y.back(), 1.0);
    }

    /// Names of several channels' plots are the same, so that one legend serves; errors stand at each plot.
    void forecasts_of_channels_share_a_legend() {
        store::RunRecord record;
        record.data.channel_names = {"rh (%)", "T (degC)"};
        record.data.mean = {0, 0};
        record.data.std = {1, 1};
        const auto run = input_of(record, QStringLiteral("λ_cov 0"));
        const auto window = *window_of(run, *probe_of_two_windows(5), 1);
        auto longer = window;
        longer.label = QStringLiteral("λ_cov 0.1");
        longer.lookback_length = 4;
        longer.start = window.start - 1;
        longer.lookback.insert(longer.lookback.begin(), {50, 50});
        ForecastOptions options;
        options.channels = {0, 1};
        options.original = true;
        const auto figure = forecast_windows({window, longer}, record.data, options);
        QCOMPARE(figure.plots.size(), std::size_t{2});
        for (std::size_t i = 0; i < figure.plots[0].series.size(); ++i)
            QCOMPARE(figure.plots[0].series[i].name, figure.plots[1].series[i].name);
        QCOMPARE(figure.plots[0].remarks.size(), std::size_t{2});
        QCOMPARE(figure.plots[0].remarks[0].text, QStringLiteral("MSE 0"));
        QCOMPARE(figure.plots[1].remarks[0].text, QStringLiteral("MSE 2"));
        QCOMPARE(figure.plots[0].y.title, QStringLiteral("%"));
        QCOMPARE(figure.plots[1].y.title, QStringLiteral("degC"));
        // The lookback of the run that looks back furthest, in another grey than the truth.
        const auto* past = series_named(figure.plots[0], QStringLiteral("look-back"));
        QCOMPARE(past->y.size(), std::size_t{4});
        QVERIFY(past->opacity < series_named(figure.plots[0], QStringLiteral("truth"))->opacity);
        // One plot has its errors in the legend.
        options.channels = {1};
        const auto one = forecast_windows({window}, record.data, options);
        QVERIFY(one.plots[0].remarks.empty());
        QVERIFY(series_named(one.plots[0], QStringLiteral("λ_cov 0: MSE 2, step 5")));
    }

    /// Row numbers and channel numbers are the same in many files.
    void runs_of_other_data_are_distinguished() {
        store::RunRecord record;
        record.attributes.dataset_sha256 = "aa";
        record.data.channel_names = {"load", "OT"};
        record.data.mean = {1000, 2};
        record.data.std = {50, 0.5};
        const auto difference = [&record](const store::RunRecord& other) {
            return data_difference(input_of(other, QStringLiteral("b")),
                                   input_of(record, QStringLiteral("a")));
        };
        auto other = record;
        QVERIFY(difference(other).isEmpty());
        other.data.mean[0] += 1e-10;  // summed up in another order
        QVERIFY(difference(other).isEmpty());
        other.data.mean[0] += 0.01;
        QVERIFY(difference(other).contains(QStringLiteral("scaler has a different mean")));
        other = record;
        other.data.std[1] = 0.51;
        QVERIFY(difference(other).contains(QStringLiteral("scaler has a different mean")));
        other = record;
        other.data.channel_names = {"OT", "load"};
        QVERIFY(difference(other).contains(QStringLiteral("different channels")));
        other.attributes.dataset_sha256 = "bb";
        QVERIFY(difference(other).contains(QStringLiteral("different data file")));
        // Nothing is known of a run that has only begun.
        QVERIFY(difference({}).isEmpty());
    }

    /// Runs of one file share a truth; each other file has plots of its own, in its own units.
    void forecasts_of_other_data_have_separate_truths() {
        store::RunRecord one, other;
        one.attributes.dataset_sha256 = "aa";
        one.data.channel_names = {"rh (%)", "T (degC)"};
        one.data.mean = {0, 10};
        one.data.std = {1, 2};
        other = one;
        other.attributes.dataset_sha256 = "bb";
        other.data.channel_names = {"HULL", "OT"};
        other.data.mean = {0, 1000};
        const auto a = input_of(one, QStringLiteral("a")), b = input_of(one, QStringLiteral("b")),
                   c = input_of(other, QStringLiteral("c"));
        const auto of = [](const RunInput& run) {
            return ForecastOfRun{&run, {*window_of(run, *probe_of_two_windows(5), 1)}};
        };
        auto groups = groups_by_data({of(a), of(c), of(b)});
        QCOMPARE(groups.size(), std::size_t{2});
        QCOMPARE(groups[0].windows.size(), std::size_t{2});
        QCOMPARE(groups[0].windows[1].label, QStringLiteral("b"));
        QVERIFY(groups[0].why.isEmpty());
        QVERIFY2(groups[1].why.contains(QStringLiteral("different data file")), qPrintable(groups[1].why));
        ForecastOptions options;
        options.original = true;
        const auto figure = forecast_windows(groups, options);
        QCOMPARE(figure.plots.size(), std::size_t{2});
        QVERIFY(series_named(figure.plots[0], QStringLiteral("a, step 5")));
        QVERIFY(series_named(figure.plots[0], QStringLiteral("b, step 5")));
        QVERIFY(!series_named(figure.plots[0], QStringLiteral("c, step 5")));
        QVERIFY(series_named(figure.plots[1], QStringLiteral("c, step 5")));
        QCOMPARE(series_named(figure.plots[0], QStringLiteral("truth"))->y.back(), 10.0 + 2 * 8);
        QCOMPARE(series_named(figure.plots[1], QStringLiteral("truth"))->y.back(), 1000.0 + 2 * 8);
        QCOMPARE(figure.plots[0].y.title, QStringLiteral("degC"));
        QVERIFY2(figure.plots[1].title.startsWith(QStringLiteral("OT")) &&
                     figure.plots[1].title.endsWith(QStringLiteral("c")),
                 qPrintable(figure.plots[1].title));
        QVERIFY(figure.caption.contains(QStringLiteral("separate plots")));
        // Runs of one file are drawn as ever.
        const auto alone = forecast_windows(groups_by_data({of(a), of(b)}), options);
        QCOMPARE(alone.plots.size(), std::size_t{1});
        QVERIFY(!alone.plots[0].title.contains(QStringLiteral("a, b")));
        QVERIFY(!alone.caption.contains(QStringLiteral("separate plots")));
    }

    /// The number of a window says little: its rows count.
    void forecasts_of_other_rows_have_separate_truths() {
        store::RunRecord record;
        const auto a = input_of(record, QStringLiteral("a")), b = input_of(record, QStringLiteral("b"));
        const auto window = *window_of(a, *probe_of_two_windows(5), 1);
        const auto apart = [&](const ForecastWindow& changed) {
            const auto groups = groups_by_data({{&a, {window}}, {&b, {changed}}});
            return groups.size() > 1 ? groups[1].why : QString();
        };
        auto changed = window;
        changed.lookback_length = 5;  // looks back further at the same rows
        changed.start = window.start - 2;
        changed.lookback.clear();
        QCOMPARE(apart(changed), QString());
        changed = window;
        changed.horizon = 1;
        changed.truth.resize(2);
        changed.prediction.resize(2);
        QCOMPARE(apart(changed), QString());
        changed = window;
        changed.start += 1;
        QVERIFY2(apart(changed).contains(QStringLiteral("different rows")), qPrintable(apart(changed)));
        // Nothing is known of their data, but that they are not the same.
        changed = window;
        changed.truth[1] += 0.5F;
        QVERIFY2(apart(changed).contains(QStringLiteral("its true values differ")),
                 qPrintable(apart(changed)));
        changed = window;
        changed.channels = 4;
        changed.horizon = 1;
        QVERIFY2(apart(changed).contains(QStringLiteral("number of channels")), qPrintable(apart(changed)));
        // No window of one is the other's.
        changed = window;
        changed.number = 41;
        QCOMPARE(apart(changed), QString());
        QCOMPARE(groups_by_data({{&a, {}}, {&b, {window}}}).size(), std::size_t{1});
    }

    void forecasts_of_many_data_name_omitted_runs() {
        std::vector<store::RunRecord> records(14);
        std::vector<RunInput> runs;
        for (std::size_t i = 0; i < records.size(); ++i) {
            records[i].attributes.dataset_sha256 = std::to_string(i);
            runs.push_back(input_of(records[i], QString(QChar('a' + static_cast<int>(i)))));
        }
        std::vector<ForecastOfRun> found;
        for (const auto& run : runs) found.push_back({&run, {*window_of(run, *probe_of_two_windows(5), 0)}});
        found[0].windows[0].channels = 1;  // one channel of four steps
        found[0].windows[0].horizon = 4;
        ForecastOptions options;
        options.channels = {1};
        const auto groups = groups_by_data(found);
        QCOMPARE(groups.size(), records.size());
        const auto figure = forecast_windows(groups, options);
        QCOMPARE(figure.plots.size(), std::size_t{12});
        QVERIFY2(figure.left_out.contains(QStringLiteral("12 of 13")), qPrintable(figure.left_out));
        QVERIFY2(figure.left_out.contains(QStringLiteral("the data of a have none")),
                 qPrintable(figure.left_out));
        QVERIFY2(figure.left_out.endsWith(QStringLiteral("Not plotted: n.")), qPrintable(figure.left_out));
        options.channels = {7};
        const auto empty = forecast_windows(groups, options);
        QVERIFY(empty.plots.empty() && !empty.empty_text.isEmpty());
    }

    void many_strips_are_outlines() {
        store::RunRecord record;
        record.anchors.pool_size = 3;
        for (std::int64_t s = 5; s <= 15; s += 5) {
            record.anchors.snapshot_step.push_back(s);
            for (const float value : {0.1F, 0.2F, 0.9F}) record.anchors.coverage_statistic.push_back(value);
            for (int a = 0; a < 3; ++a) record.anchors.usage_train.push_back(1);
        }
        const auto areas = [&](int runs) {
            std::vector<RunInput> list;
            for (int i = 0; i < runs; ++i) list.push_back(input_of(record, QString::number(i)));
            const auto figure = coverage_course(list, {});
            return std::count_if(figure.plots[0].series.begin(), figure.plots[0].series.end(),
                                 [](const Series& s) { return s.kind == MarkKind::area; });
        };
        QCOMPARE(areas(2), 2);
        QCOMPARE(areas(5), 0);
    }
};

TEST_MAIN_WITHOUT_GUI(TestComparable)
#include "test_comparable.moc"
