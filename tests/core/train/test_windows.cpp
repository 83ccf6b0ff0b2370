// Windows against slices of the table that are cut by hand.
#include <QtTest>

#include <torch/torch.h>

#include "data/windows.h"
#include "test_program.h"
#include "train_fixture.h"

using namespace casp;

namespace {

constexpr std::int64_t rows = 300, channels = 3, lookback = 48, horizon = 12;

data::Table table() {
    data::Table t;
    for (std::int64_t c = 0; c < channels; ++c) {
        data::Column column;
        column.name = std::string(1, 'c').append(std::to_string(c));
        // Far from zero, so that rounding before the subtraction would show.
        for (std::int64_t r = 0; r < rows; ++r)
            column.values.edit().push_back(12345.678 * static_cast<double>(c) + test::cell(r, c));
        t.columns.push_back(std::move(column));
    }
    return t;
}

/// Mean and population deviation of the first `n` rows, naively in long double.
std::pair<double, double> moments_of(const std::vector<double>& values, std::int64_t n) {
    long double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += values[static_cast<std::size_t>(i)];
    const long double mean = sum / static_cast<long double>(n);
    for (std::int64_t i = 0; i < n; ++i) {
        const auto d = values[static_cast<std::size_t>(i)] - mean;
        squares += d * d;
    }
    return {static_cast<double>(mean), static_cast<double>(std::sqrt(squares / static_cast<long double>(n)))};
}

struct Data {
    data::Table raw = table();
    data::SplitPlan plan = data::plan_split(data::split_rule({"ratio"}), rows, lookback, horizon);
    data::Scaler scaler = data::fit_scaler(raw, plan.scaler_rows);
    at::Tensor series = data::scaled_series(raw, scaler, at::kCPU);

    data::TableWindows set(const data::SplitPart& part, bool single = false,
                           const std::vector<std::int64_t>& targets = {}) const {
        return {series, part, lookback, horizon, single, {}, targets};
    }
    /// Rows [begin, begin + count) of a channel, by hand from the table.
    std::vector<float> slice(std::int64_t channel, std::int64_t begin, std::int64_t count) const {
        const auto& values = raw.columns[static_cast<std::size_t>(channel)].values;
        const auto [mean, deviation] = moments_of(values, plan.scaler_rows);
        std::vector<float> cut;
        for (std::int64_t r = begin; r < begin + count; ++r)
            cut.push_back(static_cast<float>((values[static_cast<std::size_t>(r)] - mean) / deviation));
        return cut;
    }
};

std::vector<float> floats(const at::Tensor& t) {
    const auto values = t.contiguous();
    return {values.data_ptr<float>(), values.data_ptr<float>() + values.numel()};
}

}  // namespace

class TestWindows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void values_are_scaled_in_double_and_rounded_once() {
        const Data d;
        QCOMPARE(d.plan.scaler_rows, std::int64_t{210});
        QCOMPARE(d.series.sizes(), at::IntArrayRef({rows, channels}));
        for (std::int64_t c = 0; c < channels; ++c)
            QVERIFY(floats(d.series.select(1, c)) == d.slice(c, 0, rows));
    }

    void multi_channel_items_are_windows() {
        const Data d;
        const auto set = d.set(d.plan.val);
        QCOMPARE(set.size(), set.windows());
        QCOMPARE(set.start_of(0), 210 - lookback);
        const std::vector<std::int64_t> items{18, 0, 7, 7};
        const auto batch = set.gather(at::tensor(items));
        QCOMPARE(batch.lookback.sizes(), at::IntArrayRef({4, lookback, channels}));
        QCOMPARE(batch.target.sizes(), at::IntArrayRef({4, horizon, channels}));
        for (std::int64_t i = 0; i < 4; ++i)
            for (std::int64_t c = 0; c < channels; ++c) {
                const auto begin = 210 - lookback + items[static_cast<std::size_t>(i)];
                QVERIFY(floats(batch.lookback[i].select(1, c)) == d.slice(c, begin, lookback));
                QVERIFY(floats(batch.target[i].select(1, c)) == d.slice(c, begin + lookback, horizon));
            }
    }

    void single_channel_items_are_channel_after_channel() {
        const Data d;
        const auto set = d.set(d.plan.train, true);
        const auto w = set.windows();
        QCOMPARE(w, std::int64_t{151});
        QCOMPARE(set.size(), 3 * w);
        // First and last of each channel, and some in between.
        const std::vector<std::int64_t> items{0, w - 1, w, 2 * w - 1, 2 * w, 3 * w - 1, w + 40, 17};
        const auto batch = set.gather(at::tensor(items));
        QCOMPARE(batch.lookback.sizes(), at::IntArrayRef({8, lookback, 1}));
        QCOMPARE(batch.target.sizes(), at::IntArrayRef({8, horizon, 1}));
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto channel = items[i] / w, window = items[i] % w;
            const auto row = static_cast<std::int64_t>(i);
            QVERIFY(floats(batch.lookback[row]) == d.slice(channel, window, lookback));
            QVERIFY(floats(batch.target[row]) == d.slice(channel, window + lookback, horizon));
        }
    }

    void range_has_all_channels_in_either_set() {
        const Data d;
        for (const bool single : {false, true}) {
            const auto set = d.set(d.plan.test, single);
            const auto batch = set.range(5, 3);
            QCOMPARE(batch.lookback.sizes(), at::IntArrayRef({3, lookback, channels}));
            for (std::int64_t i = 0; i < 3; ++i)
                for (std::int64_t c = 0; c < channels; ++c) {
                    const auto begin = 240 - lookback + 5 + i;
                    QVERIFY(floats(batch.lookback[i].select(1, c)) == d.slice(c, begin, lookback));
                    QVERIFY(floats(batch.target[i].select(1, c)) == d.slice(c, begin + lookback, horizon));
                }
        }
    }

    void parts_meet_without_gap_and_the_last_target_ends_with_the_file() {
        const Data d;
        // Nothing is dropped: as many windows as positions at which lookback and target fit.
        QCOMPARE(d.set(d.plan.train).windows(), std::int64_t{210 - 48 - 12 + 1});
        QCOMPARE(d.set(d.plan.val).windows(), std::int64_t{30 - 12 + 1});
        const auto test = d.set(d.plan.test);
        QCOMPARE(test.windows(), std::int64_t{60 - 12 + 1});
        const auto last = test.range(test.windows() - 1, 1);
        for (std::int64_t c = 0; c < channels; ++c)
            QVERIFY(floats(last.target[0].select(1, c)) == d.slice(c, rows - horizon, horizon));
        const auto last_train = d.set(d.plan.train).range(150, 1);
        QVERIFY(floats(last_train.target[0].select(1, 0)) == d.slice(0, 210 - horizon, horizon));
        const auto first_val = d.set(d.plan.val).range(0, 1);
        QVERIFY(floats(first_val.target[0].select(1, 0)) == d.slice(0, 210, horizon));
    }

    void few_shot_keeps_the_oldest_windows() {
        Data d;
        d.plan = data::plan_split(data::split_rule({"ratio"}), rows, lookback, horizon, 25);
        const auto set = d.set(d.plan.train);
        // (210 - 48) · 25 div 100 + 48 = 88 rows.
        QCOMPARE(set.windows(), std::int64_t{88 - 48 - 12 + 1});
        QCOMPARE(set.start_of(0), std::int64_t{0});
        QCOMPARE(d.plan.scaler_rows, std::int64_t{210});
        const auto last = set.range(set.windows() - 1, 1);
        QVERIFY(floats(last.target[0].select(1, 2)) == d.slice(2, 88 - horizon, horizon));
    }

    void time_features_are_those_of_the_windows_rows() {
        Data d;
        QVERIFY(!data::time_series(d.raw, at::kCPU).defined());
        QVERIFY(!d.set(d.plan.val).range(0, 2).time.defined());
        for (std::int64_t r = 0; r < rows; ++r) d.raw.time.push_back(1.6e9 + 3600.0 * static_cast<double>(r));
        d.raw.step = {3600};
        const auto time = data::time_series(d.raw, at::kCPU);
        QCOMPARE(time.sizes(), at::IntArrayRef({rows, 4}));
        for (const bool single : {false, true}) {
            const data::TableWindows set(d.series, d.plan.val, lookback, horizon, single, time);
            const auto begin = 210 - lookback;
            const auto range = set.range(5, 3).time;
            QCOMPARE(range.sizes(), at::IntArrayRef({3, lookback + horizon, 4}));
            for (std::int64_t i = 0; i < 3; ++i)
                QVERIFY(
                    at::equal(range[i], time.slice(0, begin + 5 + i, begin + 5 + i + lookback + horizon)));
            const std::vector<std::int64_t> items{18, 0, 7};
            const auto shift = single ? 2 * set.windows() : 0;  // windows of the third channel
            const auto gathered = set.gather(at::tensor(items) + shift).time;
            for (std::int64_t i = 0; i < 3; ++i) {
                const auto row = begin + items[static_cast<std::size_t>(i)];
                QVERIFY(at::equal(gathered[i], time.slice(0, row, row + lookback + horizon)));
            }
        }
    }

    void targets_are_a_part_of_what_is_read() {
        const Data d;
        const std::vector<std::int64_t> targets{0, 2};
        const auto set = d.set(d.plan.val, false, targets);
        QCOMPARE(set.channels(), channels);
        QCOMPARE(set.target_channels(), std::int64_t{2});
        QCOMPARE(set.size(), set.windows());
        for (const auto& batch : {set.range(3, 2), set.gather(at::tensor(std::vector<std::int64_t>{3, 4}))}) {
            QCOMPARE(batch.lookback.sizes(), at::IntArrayRef({2, lookback, channels}));
            QCOMPARE(batch.target.sizes(), at::IntArrayRef({2, horizon, 2}));
            QVERIFY(at::equal(batch.targets, at::tensor(targets)));
            for (std::int64_t i = 0; i < 2; ++i) {
                const auto begin = 210 - lookback + 3 + i;
                for (std::int64_t c = 0; c < channels; ++c)
                    QVERIFY(floats(batch.lookback[i].select(1, c)) == d.slice(c, begin, lookback));
                for (std::int64_t t = 0; t < 2; ++t)
                    QVERIFY(floats(batch.target[i].select(1, t)) ==
                            d.slice(targets[static_cast<std::size_t>(t)], begin + lookback, horizon));
            }
        }
        // Single-channel items are windows of targets only; range() is as for multi-channel ones.
        const auto single = d.set(d.plan.train, true, {1, 2});
        const auto w = single.windows();
        QCOMPARE(single.size(), 2 * w);
        const std::vector<std::int64_t> items{0, w - 1, w, 2 * w - 1};
        const auto batch = single.gather(at::tensor(items));
        QCOMPARE(batch.lookback.sizes(), at::IntArrayRef({4, lookback, 1}));
        QVERIFY(!batch.targets.defined());
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto channel = 1 + items[i] / w, window = items[i] % w;
            const auto row = static_cast<std::int64_t>(i);
            QVERIFY(floats(batch.lookback[row]) == d.slice(channel, window, lookback));
            QVERIFY(floats(batch.target[row]) == d.slice(channel, window + lookback, horizon));
        }
        QCOMPARE(single.range(0, 1).lookback.size(2), channels);
        QCOMPARE(single.range(0, 1).target.size(2), std::int64_t{2});
    }
};

TEST_MAIN_WITHOUT_GUI(TestWindows)
#include "test_windows.moc"
