// Windows of a collection of series against values that are picked one by one.
#include <QtTest>

#include <set>

#include <torch/torch.h>

#include "data/look_backs.h"
#include "data/series_windows.h"
#include "model/ridge.h"
#include "test_program.h"
#include "train/closed_form_fit.h"
#include "train_fixture.h"

using namespace casp;

namespace {

constexpr std::int64_t lookback = 12, horizon = 6;

/// Series of `lengths` training values, at the given frequency. Value t of series i is 1000·(i + 1) + t +
/// 0.1, test values included, which no float holds exactly.
std::shared_ptr<const data::SeriesCollection> collection_of(const std::vector<std::int64_t>& lengths,
                                                            const std::string& frequency = "Yearly") {
    auto all = std::make_shared<data::SeriesCollection>();
    all->frequency = *data::find_frequency(frequency);
    all->horizon = horizon;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const auto value = [&](std::int64_t t) {
            return 1000.0 * static_cast<double>(i + 1) + static_cast<double>(t) + 0.1;
        };
        all->ids.push_back(std::string("S").append(std::to_string(i)));
        for (std::int64_t t = 0; t < lengths[i]; ++t) all->values.push_back(value(t));
        all->offsets.push_back(std::ssize(all->values));
        for (std::int64_t t = lengths[i]; t < lengths[i] + horizon; ++t) all->test.push_back(value(t));
    }
    return all;
}

/// Every length from the shortest that the reader takes to one with several full windows.
std::vector<std::int64_t> all_lengths() {
    std::vector<std::int64_t> lengths;
    for (std::int64_t n = horizon + 1; n <= 40; ++n) lengths.push_back(n);
    return lengths;
}

double element(const at::Tensor& t, std::int64_t row, std::int64_t step) {
    return t[row][step][0].item<double>();
}

/// Checks one window: look-back before `cut`, zeros before the series, target from `cut` on, masked beyond
/// `end`.
void check_window(const data::WindowBatch& batch, std::int64_t row, std::int64_t series, std::int64_t cut,
                  std::int64_t end) {
    const auto value = [&](std::int64_t t) {
        return 1000.0 * static_cast<double>(series + 1) + static_cast<double>(t) + 0.1;
    };
    const double tolerance = batch.lookback.scalar_type() == at::kDouble ? 0 : 0.002;
    for (std::int64_t s = 0; s < lookback; ++s) {
        const auto t = cut - lookback + s;
        QVERIFY(std::abs(element(batch.lookback, row, s) - (t < 0 ? 0.0 : value(t))) <= tolerance);
    }
    for (std::int64_t s = 0; s < horizon; ++s) {
        const bool known = cut + s < end;
        QVERIFY(std::abs(element(batch.target, row, s) - (known ? value(cut + s) : 0.0)) <= tolerance);
        if (batch.mask.defined()) QCOMPARE(element(batch.mask, row, s), known ? 1.0 : 0.0);
    }
}

/// The cut of a window, from its look-back: one past the last value.
std::int64_t cut_of(const data::WindowBatch& batch, std::int64_t row, std::int64_t series) {
    return std::llround(element(batch.lookback, row, lookback - 1) -
                        1000.0 * static_cast<double>(series + 1) - 0.1) +
           1;
}

}  // namespace

class TestSeriesWindows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_test_part_ends_with_the_training_values() {
        const auto lengths = all_lengths();
        const data::SeriesWindows windows(collection_of(lengths), data::SeriesPart::test, true, lookback,
                                          at::kCPU);
        QCOMPARE(windows.windows(), std::ssize(lengths));
        const auto batch = windows.range(0, windows.windows(), true);
        QCOMPARE(batch.lookback.scalar_type(), at::kDouble);
        for (std::int64_t i = 0; i < windows.windows(); ++i) {
            const auto n = lengths[static_cast<std::size_t>(i)];
            check_window(batch, i, i, n, n + horizon);
        }
        const auto some = windows.range(3, 2);
        QCOMPARE(some.lookback.scalar_type(), at::kFloat);
        check_window(some, 1, 4, lengths[4], lengths[4] + horizon);
    }

    void the_held_out_part_predicts_the_last_training_values() {
        const auto lengths = all_lengths();
        const data::SeriesWindows windows(collection_of(lengths), data::SeriesPart::held_out, true, lookback,
                                          at::kCPU);
        const auto batch = windows.range(0, windows.windows(), true);
        for (std::int64_t i = 0; i < windows.windows(); ++i) {
            const auto n = lengths[static_cast<std::size_t>(i)];
            check_window(batch, i, i, n - horizon, n);
        }
    }

    void cuts_are_within_the_history_and_targets_in_place() {
        const auto lengths = all_lengths();
        const auto collection = collection_of(lengths);
        for (const bool holds_out : {true, false}) {
            data::SeriesWindows windows(collection, data::SeriesPart::training, holds_out, lookback,
                                        at::kCPU);
            const std::int64_t left_out = std::ssize(lengths) - windows.windows();
            QCOMPARE(left_out, holds_out ? 1 : 0);  // the shortest has one value before those held out
            for (std::uint64_t epoch = 1; epoch <= 20; ++epoch) {
                windows.start_epoch(epoch);
                const auto batch = windows.gather(at::arange(windows.size()));
                for (std::int64_t i = 0; i < windows.size(); ++i) {
                    const auto series = i + left_out;
                    const auto n = lengths[static_cast<std::size_t>(series)] - (holds_out ? horizon : 0);
                    const auto cut = cut_of(batch, i, series);
                    QVERIFY2(cut >= std::max<std::int64_t>(1, n - 9) && cut < n,
                             qPrintable(QStringLiteral("cut %1 of %2").arg(cut).arg(n)));
                    check_window(batch, i, series, cut, n);
                }
            }
        }
    }

    void every_possible_cut_occurs() {
        data::SeriesWindows windows(collection_of({30}), data::SeriesPart::training, false, lookback,
                                    at::kCPU);
        std::set<std::int64_t> cuts;
        for (std::uint64_t epoch = 0; epoch < 300; ++epoch) {
            windows.start_epoch(epoch);
            cuts.insert(cut_of(windows.gather(at::zeros({1}, at::kLong)), 0, 0));
        }
        std::set<std::int64_t> wanted;
        for (std::int64_t cut = 21; cut < 30; ++cut) wanted.insert(cut);
        QVERIFY(cuts == wanted);
    }

    void an_epoch_depends_on_its_seed_only() {
        const auto collection = collection_of(all_lengths());
        const auto epoch = [&](std::uint64_t seed, bool after_others) {
            data::SeriesWindows windows(collection, data::SeriesPart::training, true, lookback, at::kCPU);
            if (after_others) windows.start_epoch(99);
            windows.start_epoch(seed);
            return windows.gather(at::arange(windows.size())).lookback;
        };
        QVERIFY(at::equal(epoch(7, false), epoch(7, true)));
        QVERIFY(!at::equal(epoch(7, false), epoch(8, false)));
        // What is evaluated is not random.
        data::SeriesWindows windows(collection, data::SeriesPart::training, true, lookback, at::kCPU);
        const auto before = windows.range(0, windows.windows()).lookback;
        windows.start_epoch(7);
        QVERIFY(at::equal(before, windows.range(0, windows.windows()).lookback));
    }

    void series_without_a_cut_are_no_items() {
        const data::SeriesWindows windows(collection_of({horizon + 1, 20, horizon + 1, 30}),
                                          data::SeriesPart::training, true, lookback, at::kCPU);
        QCOMPARE(windows.windows(), std::int64_t{2});
        const auto batch = windows.range(0, 2, true);
        check_window(batch, 0, 1, 8, 14);
        check_window(batch, 1, 3, 18, 24);
    }

    void look_backs_of_stored_windows_are_the_same() {
        data::PreparedData prepared;
        prepared.collection = collection_of(all_lengths());
        prepared.table.columns.push_back({"value", {}, 0});
        prepared.scaler = {{0.0}, {1.0}};
        for (const auto part : {data::SeriesPart::test, data::SeriesPart::held_out}) {
            const data::SeriesWindows windows(prepared.collection, part, true, lookback, at::kCPU);
            std::vector<std::int64_t> starts;
            for (std::int64_t i = 0; i < windows.windows(); ++i) {
                starts.push_back(windows.start_of(i));
                QCOMPARE(data::series_of_window(*prepared.collection, starts.back(), lookback), i);
            }
            const auto values = data::look_backs(prepared, prepared.scaler, starts, lookback);
            const auto wanted = windows.range(0, windows.windows()).lookback.contiguous();
            QVERIFY(std::equal(values.begin(), values.end(), wanted.data_ptr<float>()));
        }
    }

    void values_are_not_copied() {
        const auto collection = collection_of({20, 30});
        const auto owners = collection.use_count();
        {
            const data::SeriesWindows windows(collection, data::SeriesPart::test, true, lookback, at::kCPU);
            QVERIFY(collection.use_count() > owners + 1);  // the tensors share its memory
        }
        QCOMPARE(collection.use_count(), owners);
    }

    void a_closed_form_is_fitted_to_whole_targets() {
        const auto fitted = [](const std::vector<std::int64_t>& lengths) {
            const auto collection = collection_of(lengths);
            const data::SeriesWindows windows(collection, data::SeriesPart::training, false, lookback,
                                              at::kCPU);
            model::Ridge ridge(lookback, horizon, 1.0);
            train::TrainObserver observer;
            const train::StopControl stop;
            train::fit_closed_form(ridge, windows, windows, {}, observer, stop);
            std::vector<at::Tensor> tensors;
            for (const auto& [name, tensor] : ridge.trainable()) tensors.push_back(tensor.flatten());
            return at::cat(tensors);
        };
        // Of the third series, which has six values, five come after the cut: one target value is missing.
        QVERIFY(at::equal(fitted({30, 20, 6}), fitted({30, 20})));
        QVERIFY(!at::equal(fitted({30, 20, 10}), fitted({30, 20})));  // zeros before it, and a whole target
    }
};

TEST_MAIN_WITHOUT_GUI(TestSeriesWindows)
#include "test_series_windows.moc"
