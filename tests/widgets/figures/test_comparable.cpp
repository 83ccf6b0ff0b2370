// What stands in one plot can be compared, or says that it cannot: errors of different windows, a fork's
// average, forecasts of several channels, strips over one another.
#include <QtTest>

#include "figures/recipe_anchors.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_training.h"

using namespace casp;
using namespace casp::figures;

namespace {

RunInput input_of(const store::RunRecord& record, const QString& label) {
    RunInput run;
    run.folder = QStringLiteral("/runs/") + label;
    run.label = label;
    run.colour = QColor(Qt::blue);
    run.record = &record;
    return run;
}

std::shared_ptr<train::Probe> probe_of_two_windows(std::int64_t step) {
    auto p = std::make_shared<train::Probe>();
    p->step = step;
    p->windows = {7, 40};
    p->start = {107, 140};
    p->channels = 2;
    p->lookback_length = 3;
    p->horizon = 2;
    for (int i = 0; i < 12; ++i) p->lookback.push_back(static_cast<float>(i));
    p->truth = {1, 2, 3, 4, 5, 6, 7, 8};
    p->prediction = {1, 2, 4, 4, 5, 6, 7, 10};
    return p;
}

const Series* called(const Plot& plot, const QString& name) {
    for (const auto& series : plot.series)
        if (series.name == name) return &series;
    return nullptr;
}

}  // namespace

class TestComparable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Test errors beside those on a live run's few windows: the legend says which are which.
    void errors_say_of_which_windows() {
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
            QVERIFY(called(plot, QStringLiteral("a")));
            QVERIFY(called(plot, wanted));
            QCOMPARE(plot.rules.size(), std::size_t{1});
            QVERIFY2(plot.rules[0].label.contains(QStringLiteral("test split")),
                     qPrintable(plot.rules[0].label));
            QVERIFY(figure.caption.contains(QStringLiteral("validation")));
        }
        QVERIFY(called(error_per_step({a, b}, false).plots[0], wanted)->dashed);
        QCOMPARE(called(error_per_channel({a, b}, false).plots[0], wanted)->marker, MarkerShape::diamond);
        // Tested runs alone need no words.
        QCOMPARE(error_per_step({a, a}, false).plots[0].rules[0].label,
                 QStringLiteral("last value, mean: 2"));
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
                h.similarity.push_back(value);
                h.coverage.push_back(value);
                h.total.push_back(value);
                h.seconds.push_back(record == &fork && s > 20 ? 0.25 : 0.5);
            }
        }
        auto run = input_of(fork, QStringLiteral("fork"));
        run.parent = &parent;
        TrainingOptions options;
        options.smoothing = 0.9;
        const auto figure = loss_terms({run, input_of(parent, QStringLiteral("parent"))}, options);
        const auto* own = called(figure.plots[0], QStringLiteral("fork"));
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
        const auto* past = called(figure.plots[0], QStringLiteral("lookback"));
        QCOMPARE(past->y.size(), std::size_t{4});
        QVERIFY(past->opacity < called(figure.plots[0], QStringLiteral("truth"))->opacity);
        // One plot has its errors in the legend.
        options.channels = {1};
        const auto one = forecast_windows({window}, record.data, options);
        QVERIFY(one.plots[0].remarks.empty());
        QVERIFY(called(one.plots[0], QStringLiteral("λ_cov 0: MSE 2, step 5")));
    }

    /// Row numbers and channel numbers are the same in many files.
    void runs_of_other_data_are_told_apart() {
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
        QVERIFY(difference(other).contains(QStringLiteral("scaled by another mean")));
        other = record;
        other.data.std[1] = 0.51;
        QVERIFY(difference(other).contains(QStringLiteral("scaled by another mean")));
        other = record;
        other.data.channel_names = {"OT", "load"};
        QVERIFY(difference(other).contains(QStringLiteral("other channels")));
        other.attributes.dataset_sha256 = "bb";
        QVERIFY(difference(other).contains(QStringLiteral("another data file")));
        // Nothing is known of a run that has only begun.
        QVERIFY(difference({}).isEmpty());
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

QTEST_GUILESS_MAIN(TestComparable)
#include "test_comparable.moc"
