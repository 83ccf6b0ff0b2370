// Recipes: from records made by hand to the exact series of a figure.

#include <QTest>

#include <cmath>
#include <limits>

#include "figures/numbers.h"
#include "figures/recipe_anchors.h"
#include "figures/recipe_embeddings.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_training.h"
#include "recipe_samples.h"
#include "test_program.h"

using namespace casp;
using namespace casp::figures;
using samples::input_of;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// `steps` steps in epochs of `per_epoch`: L_forecast = 1 / step, L_sim below 0, c̃ and usage of 25 anchors at
/// every fifth step.
store::RunRecord made_record(std::int64_t steps, std::int64_t per_epoch, double seconds = 0.5) {
    store::RunRecord r;
    for (std::int64_t s = 1; s <= steps; ++s) {
        r.steps.step.push_back(s);
        r.steps.epoch.push_back((s - 1) / per_epoch + 1);
        r.steps.learning_rate.push_back(1e-3);
        r.steps.forecast.push_back(1.0 / static_cast<double>(s));
        r.steps.term("similarity").push_back(-0.5);
        r.steps.term("coverage").push_back(2);
        r.steps.total.push_back(1.0 / static_cast<double>(s) + 0.175);
        r.steps.gate_share.push_back(0.25);
        r.steps.seconds.push_back(seconds);
        if (s % per_epoch != 0) continue;
        const auto epoch = s / per_epoch;
        r.epochs.epoch.push_back(epoch);
        r.epochs.train_forecast.push_back(1);
        r.epochs.val_mse.push_back(epoch == 2 ? 0.25 : 0.5);
        r.epochs.val_mae.push_back(0.75);
        r.epochs.learning_rate.push_back(1e-3);
        r.epochs.seconds.push_back(seconds);
    }
    r.anchors.pool_size = 25;
    for (std::int64_t s = 5; s <= steps; s += 5) {
        r.anchors.snapshot_step.push_back(s);
        for (std::int64_t a = 0; a < 25; ++a) {
            r.anchors.usage_train.push_back(a == 3 ? 8 : a == 24 ? 2 : 0);
            r.anchors.coverage_statistic.push_back(static_cast<float>(a) / 100);
        }
    }
    r.data.channel_names = {"HUFL", "OT"};
    r.data.mean = {10, 20};
    r.data.std = {2, 4};
    return r;
}

/// K = 1, V' = 25.
std::shared_ptr<train::Probe> made_probe(std::int64_t step, float sign = 1) {
    auto p = samples::probe_of_two_windows(step);
    p->pool_size = 25;
    p->top_k = 1;
    p->retrieved = {3, 3, 24, 3};
    for (int row = 0; row < 4; ++row)
        for (int a = 0; a < 25; ++a)
            p->similarity.push_back(static_cast<float>(a) / 100 + static_cast<float>(row));
    p->pca.components = 3;
    for (int a = 0; a < 29; ++a) {
        p->pca.points.insert(p->pca.points.end(), {sign * static_cast<float>(a + 1), 1, 0});
        p->pca.kind.push_back(a < 25 ? 0 : a < 27 ? 1 : 2);
        p->pca.row.push_back(a < 25 ? a : a < 27 ? a - 25 : a - 27);
    }
    p->pca.variance_ratio = {0.5, 0.25, 0, 0.75, 0.125, 0, 1, 0, 0};
    p->pca.explained = {0.625, 0.25, 0.0625};
    return p;
}

const Series& series_with(const Plot& plot, MarkKind kind, std::size_t skip = 0) {
    for (const auto& s : plot.series)
        if (s.kind == kind && skip-- == 0) return s;
    qFatal("no such series");
}

}  // namespace

class TestRecipes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void positions_of_steps() {
        const auto record = made_record(7, 3);
        const auto run = input_of(record);
        QCOMPARE(training_positions(run, TrainingAxis::step), (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
        const auto epochs = training_positions(run, TrainingAxis::epoch);
        QCOMPARE(epochs[2], 1.0);
        QCOMPARE(epochs[5], 2.0);
        QCOMPARE(epochs[6], 2 + 1.0 / 3);
        QCOMPARE(training_positions(run, TrainingAxis::time).back(), 3.5);
    }

    void first_epoch_is_not_stretched_where_its_length_is_known() {
        const auto record = made_record(2, 10);
        auto run = input_of(record);
        run.steps_per_epoch = 10;
        QCOMPARE(training_positions(run, TrainingAxis::epoch), (std::vector<double>{0.1, 0.2}));
    }

    void each_loss_term_has_its_own_plot() {
        const auto record = made_record(6, 3);
        TrainingOptions options;
        options.smoothing = 0;
        const auto figure = loss_terms({input_of(record)}, options);
        QCOMPARE(figure.plots.size(), std::size_t{4});
        QCOMPARE(figure.plots[0].series.size(), std::size_t{1});
        QCOMPARE(figure.plots[0].series[0].y, record.steps.forecast);
        QCOMPARE(figure.plots[1].series[0].y, (*record.steps.find_term("similarity")));
        QCOMPARE(figure.plots[2].series[0].y, (*record.steps.find_term("coverage")));
        QCOMPARE(figure.plots[3].series[0].y, record.steps.total);
        QCOMPARE(figure.plots[0].series[0].run, QStringLiteral("/runs/a"));
    }

    void smoothing_keeps_the_raw_line_faint_behind() {
        const auto record = made_record(4, 2);
        TrainingOptions options;
        options.smoothing = 0.5;
        const auto plot = loss_terms({input_of(record)}, options).plots[0];
        QCOMPARE(plot.series.size(), std::size_t{2});
        QCOMPARE(plot.series[0].y, record.steps.forecast);
        QVERIFY(plot.series[0].opacity < 0.5 && plot.series[0].name.isEmpty());
        // (0.5·1 + 0.5)/(1 + 0.5) with weights 0.5 and 1.
        QVERIFY(std::fabs(plot.series[1].y[1] - (0.5 * 1 + 1 * 0.5) / 1.5) < 1e-12);
        QCOMPARE(plot.series[1].y[0], 1.0);
    }

    void numbers_are_unsmoothed_and_named_by_run() {
        const auto first = made_record(40, 20);
        auto second = made_record(40, 20);
        for (auto& value : second.steps.forecast) value = 3 + std::sin(40 * value);
        TrainingOptions options;
        options.smoothing = 0.9;
        const std::vector<RunInput> runs{input_of(first, QStringLiteral("a")),
                                         input_of(second, QStringLiteral("b"))};
        for (const auto& figure : {loss_terms(runs, options), training_pace(runs, options)}) {
            const auto numbers = numbers_of(figure);
            for (const auto& row : numbers.rows) QVERIFY2(!row[1].isEmpty(), qPrintable(row.join(',')));
        }
        const auto numbers = numbers_of(loss_terms(runs, options));
        const auto raw = numbers.columns.indexOf(QStringLiteral("unsmoothed"));
        QVERIFY(raw > 0);
        using Named = std::pair<const char*, const store::RunRecord*>;
        for (const auto& [label, record] : {Named{"a", &first}, Named{"b", &second}}) {
            std::vector<double> values, drawn;
            for (const auto& row : numbers.rows)
                if (row[0] == QLatin1String("L_forecast") && row[1] == QLatin1String(label)) {
                    values.push_back(row[raw].toDouble());
                    drawn.push_back(row[raw - 1].toDouble());
                }
            QCOMPARE(values, record->steps.forecast);
            QVERIFY(drawn != values);
        }
        // A fork's first part is its parent's.
        auto fork = input_of(second, QStringLiteral("b"));
        auto parent = second;
        parent.steps.cut_after(30);
        fork.parent = &parent;
        QVERIFY(shared_steps(fork) > 0);
        int own = 0, before = 0;
        for (const auto& row : numbers_of(loss_terms({fork}, options)).rows)
            if (row[0] == QLatin1String("L_forecast")) {
                own += row[1] == QLatin1String("b");
                before += row[1] == QLatin1String("b, before the fork");
            }
        QCOMPARE(before, static_cast<int>(shared_steps(fork)));
        QCOMPARE(own, 40 - before);  // no step twice
        for (const auto& row : numbers_of(validation(runs, options)).rows)
            QVERIFY2(!row[1].isEmpty(), qPrintable(row.join(',')));
    }

    void log_axis_only_where_something_is_above_zero() {
        const auto record = made_record(6, 3);
        TrainingOptions options;
        options.log_x = options.log_y = true;
        const auto figure = loss_terms({input_of(record)}, options);
        QVERIFY(figure.plots[0].x.log && figure.plots[0].y.log);
        QVERIFY(!figure.plots[1].y.log);  // L_sim is −0.5
        QVERIFY(figure.plots[1].y.title.contains(QStringLiteral("linear")));
    }

    void not_finite_losses_stay_and_do_not_spread() {
        auto record = made_record(6, 3);
        record.steps.forecast[2] = nan_value;
        record.steps.forecast[3] = std::numeric_limits<double>::infinity();
        const auto plot = loss_terms({input_of(record)}, {}).plots[0];
        const auto& smoothed = plot.series.back().y;
        QVERIFY(std::isnan(smoothed[2]));
        QVERIFY(std::isfinite(smoothed[4]) && smoothed[4] <= 1);
    }

    void empty_records_teach() {
        const store::RunRecord nothing;
        for (const auto& runs :
             {std::vector<RunInput>{}, std::vector<RunInput>{input_of(nothing)}, {RunInput{}}}) {
            for (const auto& figure :
                 {loss_terms(runs, {}), validation(runs, {}), training_pace(runs, {}), gate_share(runs, {}),
                  usage_histogram(runs, {}), concentration(runs, {}), concentration_course(runs, {}),
                  coverage_statistic(runs, {}), coverage_course(runs, {}), variance_course(runs, {}),
                  error_per_step(runs, false), error_per_channel(runs, true),
                  window_errors({}, QStringLiteral("test"), {}), forecast_windows({}, {}, {})}) {
                QVERIFY2(figure.plots.empty(), qPrintable(figure.id));
                QVERIFY2(figure.empty_text.size() > 40, qPrintable(figure.id));
                QVERIFY(!figure.id.isEmpty() && !figure.title.isEmpty());
            }
        }
    }

    void fork_is_dimmed_up_to_its_step_and_marked() {
        const auto parent = made_record(9, 3);
        auto fork = parent;
        fork.steps.cut_after(6);
        fork.epochs.cut_after(2);
        auto rest = made_record(9, 3, 0.7);
        for (std::size_t i = 6; i < 9; ++i) {
            fork.steps.step.push_back(rest.steps.step[i]);
            fork.steps.epoch.push_back(rest.steps.epoch[i]);
            fork.steps.forecast.push_back(3);
            fork.steps.total.push_back(3);
            fork.steps.seconds.push_back(0.7);
        }
        fork.epochs.epoch.push_back(3);
        fork.epochs.val_mse.push_back(0.4);
        fork.epochs.seconds.push_back(9);
        auto run = input_of(fork);
        run.parent = &parent;
        QCOMPARE(shared_steps(run), std::size_t{6});
        QCOMPARE(shared_epochs(run), std::size_t{2});
        // The parent's epoch 2 was better, but this run's best is its own.
        QCOMPARE(best_epoch(run), std::ptrdiff_t{2});
        TrainingOptions options;
        options.smoothing = 0;
        const auto plot = loss_terms({run}, options).plots[0];
        QCOMPARE(plot.series.size(), std::size_t{3});
        QCOMPARE(plot.series[0].x.back(), 6.0);
        QVERIFY(plot.series[0].opacity < 0.5);
        QCOMPARE(plot.series[1].x, (std::vector<double>{6, 7}));  // the two touch
        QCOMPARE(plot.series[2].x, (std::vector<double>{7, 8, 9}));
        QCOMPARE(plot.rules.size(), std::size_t{1});
        QCOMPARE(plot.rules[0].at, 6.0);
    }

    void similar_runs_are_not_forks() {
        const auto a = made_record(4, 2, 0.5), b = made_record(4, 2, 0.6);
        auto run = input_of(a);
        run.parent = &b;
        QCOMPARE(shared_steps(run), std::size_t{0});
    }

    void best_epoch_is_marked_and_waiting_shaded() {
        const auto record = made_record(12, 3);  // epoch 2 of 4 is best
        auto config = std::make_shared<config::Config>();
        config->train.patience = 3;
        auto run = input_of(record);
        run.config = config;
        const auto figure = validation({run}, {});
        const auto& plot = figure.plots[0];
        bool marked = false;
        for (const auto& s : plot.series)
            if (s.marker == MarkerShape::diamond) {
                QCOMPARE(s.x, (std::vector<double>{6}));
                QCOMPARE(s.y, (std::vector<double>{0.25}));
                marked = true;
            }
        QVERIFY(marked);
        QCOMPARE(plot.bands.size(), std::size_t{1});
        QCOMPARE(plot.bands[0].from, 6.0);
        QCOMPARE(plot.bands[0].to, 12.0);
        QVERIFY(
            plot.bands[0].label.contains(QStringLiteral("2 epochs without improvement in MSE (patience 3)")));
    }

    void gate_share_is_in_percent() {
        const auto record = made_record(4, 2);
        TrainingOptions options;
        options.smoothing = 0;
        QCOMPARE(gate_share({input_of(record)}, options).plots[0].series[0].y,
                 (std::vector<double>{25, 25, 25, 25}));
    }

    void usage_by_snapshot_training_and_test() {
        auto record = made_record(10, 5);
        record.anchors.usage_test.assign(25, 1);
        QCOMPARE(usage_counts(record.anchors, UsageOf::training)[3], 16);
        QCOMPARE(usage_counts(record.anchors, UsageOf::training, 7)[3], 8);
        QCOMPARE(usage_counts(record.anchors, UsageOf::training, 1)[3], 8);  // before the first: the first
        QCOMPARE(usage_counts(record.anchors, UsageOf::snapshot)[24], 2);
        QCOMPARE(usage_counts(record.anchors, UsageOf::test)[0], 1);
        QCOMPARE(snapshot_at(record.anchors, 9), std::ptrdiff_t{0});
        const auto bars = usage_histogram({input_of(record)}, {}).plots[0].series[0];
        QCOMPARE(bars.kind, MarkKind::bars);
        QCOMPARE(bars.y[3], 16.0);
        QCOMPARE(bars.ids[24], 24);
        AnchorOptions sorted;
        sorted.sorted = true;
        const auto curve = usage_histogram({input_of(record)}, sorted).plots[0].series[0];
        QCOMPARE(curve.ids[0], 3);
        QCOMPARE(curve.ids[1], 24);
        QCOMPARE(curve.y[1], 4.0);
    }

    void caption_reports_omitted_runs() {
        const auto record = made_record(5, 5);
        const std::vector<RunInput> runs(8, input_of(record));
        const auto figure = usage_histogram(runs, {});
        QCOMPARE(figure.plots.size(), std::size_t{6});
        QVERIFY(figure.caption.contains(QStringLiteral("6 of 8")));
    }

    void concentration_of_two_used_anchors() {
        const auto record = made_record(5, 5);
        const auto figure = concentration({input_of(record)}, {});
        const auto& line = series_with(figure.plots[0], MarkKind::line);
        QCOMPARE(line.y[0], 80.0);
        QCOMPARE(line.y[1], 100.0);
        QCOMPARE(line.ids[0], 3);
        QVERIFY(line.name.contains(QStringLiteral("100 %")));
        const auto& counts = series_with(figure.plots[1], MarkKind::line);
        QCOMPARE(counts.x.size(), std::size_t{20});
        QCOMPARE(counts.y[0], 8.0);
        QCOMPARE(counts.y[1], 2.0);
    }

    void single_snapshot_shows_a_point() {
        const auto record = made_record(5, 5);
        const auto figure = concentration_course({input_of(record)}, {});
        QCOMPARE(figure.plots.size(), std::size_t{3});
        const auto& dots = series_with(figure.plots[1], MarkKind::points);
        QCOMPARE(dots.x, (std::vector<double>{5}));
        QVERIFY(std::fabs(dots.y[0] - (-0.8 * std::log(0.8) - 0.2 * std::log(0.2))) < 1e-12);
        QCOMPARE(series_with(figure.plots[2], MarkKind::points).y[0], 2.0);
    }

    void one_anchor_per_window_has_entropy_floor_zero() {
        const auto record = made_record(10, 5);
        auto config = std::make_shared<config::Config>();
        config->model.top_k = 1;
        auto run = input_of(record);
        run.config = config;
        QCOMPARE(top_k(run), 1);
        const auto figure = concentration_course({run}, {});
        bool floor = false;
        for (const auto& rule : figure.plots[1].rules)
            if (rule.label == QStringLiteral("ln K")) {
                QCOMPARE(rule.at, 0.0);
                floor = true;
            }
        QVERIFY(floor);
    }

    void missing_coverage_is_explained() {
        auto record = made_record(5, 5);
        record.anchors.coverage_statistic.clear();
        const auto figure = coverage_statistic({input_of(record)}, {});
        QVERIFY(figure.plots.empty());
        QVERIFY(figure.empty_text.contains(QStringLiteral("coverage.enabled")));
    }

    void coverage_by_number_and_sorted() {
        const auto record = made_record(5, 5);
        const auto by_number = coverage_statistic({input_of(record)}, {}).plots[0].series[0];
        QCOMPARE(by_number.y[24], static_cast<double>(0.24F));
        QCOMPARE(by_number.ids[24], 24);
        AnchorOptions sorted;
        sorted.sorted = true;
        const auto by_rank = coverage_statistic({input_of(record)}, sorted).plots[0].series[0];
        QCOMPARE(by_rank.x[0], 1.0);
        QCOMPARE(by_rank.ids[0], 24);
        const auto course = coverage_course({input_of(record)}, {}).plots[0];
        QCOMPARE(series_with(course, MarkKind::points).y[0], static_cast<double>(0.12F));
    }

    void live_usage_caption_names_step() {
        auto record = made_record(10, 5);
        record.anchors.snapshot_step.back() = 8;
        record.anchors.last_is_live = true;
        const std::vector<RunInput> runs{input_of(record)};
        AnchorOptions since;
        since.of = UsageOf::snapshot;
        QVERIFY(
            usage_histogram(runs, {}).caption.contains(QStringLiteral("in training up to step 8 (running)")));
        QVERIFY(concentration(runs, since)
                    .caption.contains(QStringLiteral("from the previous snapshot (or the start) to step 8")));
        QVERIFY(coverage_statistic(runs, {}).caption.contains(QStringLiteral("is running: c̃ at step 8")));
        QVERIFY(concentration_course(runs, {}).caption.contains(QStringLiteral("running run")));
        // The snapshot before is one like any other.
        since.step = 5;
        QVERIFY(usage_histogram(runs, since)
                    .caption.contains(QStringLiteral("between the previous snapshot and the one at step 5")));
        QVERIFY(!coverage_statistic(runs, since).caption.contains(QStringLiteral("is running")));
        record.anchors.last_is_live = false;
        QVERIFY(!coverage_statistic(runs, {}).caption.contains(QStringLiteral("is running")));
    }

    void plots_name_their_step_where_different() {
        const auto earlier = made_record(5, 5), later = made_record(10, 5);
        const std::vector<RunInput> runs{input_of(earlier), input_of(later, QStringLiteral("b"))};
        const auto names = [&](const std::vector<RunInput>& shown, const AnchorOptions& options) {
            const auto usage = usage_histogram(shown, options);
            return QStringList{usage.plots.back().title,
                               series_with(concentration(shown, options).plots[0], MarkKind::line).name,
                               coverage_statistic(shown, options).plots[0].series[0].name};
        };
        for (const auto& name : names(runs, {}))
            QVERIFY2(name.contains(QStringLiteral("· step ")), qPrintable(name));
        QVERIFY(names(runs, {}).front().startsWith(QStringLiteral("b · step 10 · ")));
        AnchorOptions at_five;
        at_five.step = 5;
        for (const auto& name : names(runs, at_five)) QVERIFY(!name.contains(QStringLiteral("· step ")));
    }

    void probe_for_a_step() {
        RunInput run;
        run.probes = {made_probe(10), made_probe(20)};
        QCOMPARE(probe_at(run, {})->step, 20);
        QCOMPARE(probe_at(run, 15)->step, 10);
        QCOMPARE(probe_at(run, 1)->step, 10);
        QVERIFY(!probe_at(RunInput{}, 1));
    }

    /// What a run has stored of its steps comes without forecasts.
    void forecasts_come_from_a_probe_with_forecasts() {
        auto stored = made_probe(5), latest = made_probe(30);
        stored->prediction.clear();
        latest->prediction.clear();
        auto record = made_record(5, 5);
        record.test.reset();
        auto run = input_of(record);
        run.probes = {stored, made_probe(10), made_probe(20), latest};
        QCOMPARE(forecast_probe_at(run, {})->step, 20);
        QCOMPARE(forecast_probe_at(run, 15)->step, 10);
        QCOMPARE(forecast_probe_at(run, 5)->step, 10);
        QVERIFY(!error_per_step({run}, false, 5).plots.empty());
        QVERIFY(!error_per_channel({run}, true, {}).plots.empty());
        run.probes = {stored};
        QVERIFY(!forecast_probe_at(run, 5));
    }

    void forecast_in_scaled_and_original_units() {
        const auto record = made_record(5, 5);
        const auto run = input_of(record);
        const auto probe = made_probe(5);
        const auto window = window_of(run, *probe, 1);
        QVERIFY(window && !window_of(run, *probe, 2));
        QCOMPARE(window->number, 40);
        QCOMPARE(window->start, 140);
        const auto scaled = forecast_windows({*window}, record.data, {});
        QCOMPARE(scaled.plots.size(), std::size_t{1});
        const auto& series = scaled.plots[0].series;  // lookback, truth, prediction of the last channel
        QCOMPARE(series[0].x, (std::vector<double>{140, 141, 142}));
        QCOMPARE(series[0].y, (std::vector<double>{7, 9, 11}));
        QCOMPARE(series[1].y, (std::vector<double>{11, 6, 8}));  // begins where the lookback ends
        QCOMPARE(series[2].y, (std::vector<double>{6, 10}));
        QCOMPARE(series[2].x, (std::vector<double>{143, 144}));
        QVERIFY(series[2].name.contains(QStringLiteral("MSE 2")));
        QVERIFY(!scaled.plots[0].x.time);
        ForecastOptions options;
        options.original = options.errors = options.last_value = true;
        options.channels = {0, 1, 9};
        const auto original = forecast_windows({*window}, record.data, options);
        QCOMPARE(original.plots.size(), std::size_t{4});
        QCOMPARE(original.plots[2].series[2].y, (std::vector<double>{64, 64}));  // last value 11·4 + 20
        QCOMPARE(original.plots[3].series[0].y, (std::vector<double>{0, 8}));
    }

    void forecast_over_dates_where_the_file_has_them() {
        auto record = made_record(5, 5);
        for (int i = 0; i < 200; ++i) record.data.time.push_back(1e9 + 3600.0 * i);
        const auto window = window_of(input_of(record), *made_probe(5), 0);
        const auto plot = forecast_windows({*window}, record.data, {}).plots[0];
        QVERIFY(plot.x.time);
        QCOMPARE(plot.series[0].x[0], 1e9 + 3600.0 * 107);
        record.data.time.resize(110);  // too short for this window: rows
        QVERIFY(!forecast_windows({*window}, record.data, {}).plots[0].x.time);
    }

    void stored_window_without_lookback() {
        const auto record = made_record(5, 5);
        store::ForecastArrays arrays;
        arrays.windows = 1;
        arrays.horizon = 2;
        arrays.channels = 2;
        arrays.truth = {1, 2, 3, 4};
        arrays.prediction = {1, 2, 3, 6};
        arrays.start = {50};
        const auto window = window_of(input_of(record), arrays, 12, 0, nullptr, 3);
        QVERIFY(window);
        QCOMPARE(window->number, 12);
        const auto plot = forecast_windows({*window}, record.data, {}).plots[0];
        QCOMPARE(plot.series.size(), std::size_t{2});
        QCOMPARE(plot.series[1].x, (std::vector<double>{53, 54}));
    }

    void errors_by_step_and_channel_from_the_probe_until_evaluated() {
        auto record = made_record(5, 5);
        auto run = input_of(record);
        run.probes = {made_probe(5)};
        // Errors: (0,0),(1,0) and (0,0),(0,2): by step 0 and (1 + 4)/4; by channel 1/4 and 4/4.
        QCOMPARE(error_per_step({run}, false).plots[0].series[0].y, (std::vector<double>{0, 1.25}));
        QCOMPARE(error_per_step({run}, true).plots[0].series[0].y, (std::vector<double>{0, 0.75}));
        QCOMPARE(error_per_channel({run}, false).plots[0].series[0].y, (std::vector<double>{0.25, 1}));
        record.test.emplace();
        record.test->mse_per_step = {0.5, 0.6};
        record.test->last_value_mse = 2;
        const auto evaluated = error_per_step({run}, false);
        QCOMPARE(evaluated.plots[0].series[0].y, record.test->mse_per_step);
        QVERIFY(evaluated.plots[0].rules.empty());  // its mean over all steps is no error of a step
        QVERIFY(evaluated.caption.contains(QStringLiteral("test")));
    }

    void every_window_is_in_one_bin() {
        const auto record = made_record(5, 5);
        store::ForecastArrays arrays;
        arrays.windows = 100;
        arrays.channels = 2;
        for (int w = 0; w < 100; ++w)
            arrays.mse.insert(arrays.mse.end(), {0.01F * static_cast<float>(w + 1), 1});
        const auto run = input_of(record);
        QCOMPARE(window_errors_of(run, arrays, {1}).mse[7], 1.0);
        QVERIFY(std::fabs(window_errors_of(run, arrays, {}).mse[0] - 0.505) < 1e-6);
        auto errors = window_errors_of(run, arrays, {0});
        errors.mse[50] = nan_value;
        const auto figure = window_errors({errors}, QStringLiteral("test"), {3});
        double sum = 0;
        const auto& fill = series_with(figure.plots[0], MarkKind::area);
        for (std::size_t i = 0; i < fill.y.size(); i += 2) sum += fill.y[i];
        QCOMPARE(sum, 99.0);
        QVERIFY(figure.caption.contains(QStringLiteral(" 1 errors that are zero")));
        QCOMPARE(figure.plots[1].series[0].ids[99], 99);
    }

    void variance_over_snapshots() {
        auto run = RunInput{};
        run.probes = {made_probe(5), made_probe(10)};
        const auto figure = variance_course({run}, {});
        QCOMPARE(figure.plots.size(), std::size_t{3});
        const auto& both = series_with(figure.plots[0], MarkKind::line, 0);
        const auto& first = series_with(figure.plots[0], MarkKind::line, 1);
        QCOMPARE(both.y, (std::vector<double>{75, 75}));
        QCOMPARE(first.y, (std::vector<double>{50, 50}));
    }
};

TEST_MAIN_WITHOUT_GUI(TestRecipes)
#include "test_recipes.moc"
