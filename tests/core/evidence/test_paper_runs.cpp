// What the paper's tables need besides the rows of runs, from small real runs.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <QtTest>

#include "analysis/strata.h"
#include "analysis/strata_labels.h"
#include "core/train/train_fixture.h"
#include "evidence/paper_runs.h"
#include "evidence/strata_axes.h"
#include "folder_test.h"
#include "inspect/window_embeddings.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

/// Largest eigenvalue of XᵀX divided by its trace, by power iteration. `values`: X [n, d].
double largest_fraction(const std::vector<float>& values, std::int64_t dimension, bool centred) {
    const auto d = static_cast<std::size_t>(dimension);
    const auto n = values.size() / d;
    std::vector<double> mean(d, 0), axis(d, 1), next(d);
    for (std::size_t i = 0; centred && i < values.size(); ++i)
        mean[i % d] += values[i] / static_cast<double>(n);
    const auto x = [&](std::size_t row, std::size_t k) { return values[row * d + k] - mean[k]; };
    double trace = 0, eigenvalue = 0;
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t k = 0; k < d; ++k) trace += x(row, k) * x(row, k);
    for (int iteration = 0; iteration < 2000; ++iteration) {
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t row = 0; row < n; ++row) {
            double dot = 0;
            for (std::size_t k = 0; k < d; ++k) dot += x(row, k) * axis[k];
            for (std::size_t k = 0; k < d; ++k) next[k] += dot * x(row, k);
        }
        double norm = 0;
        for (const double value : next) norm += value * value;
        eigenvalue = std::sqrt(norm);
        for (std::size_t k = 0; k < d; ++k) axis[k] = next[k] / eigenvalue;
    }
    return eigenvalue / trace;
}

}  // namespace

class TestPaperRuns : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
        train("a", 0, 1, "test");
        train("b", 0.1, 2, "test");
        train("bare", 0, 1, "val");
    }

    /// The figure embeds all windows with the run's weights; the table reads stored errors and the data only.
    void strata_are_those_of_the_figure() {
        const auto embedded = [&](const char* name) {
            inspect::EmbeddingRequest request;
            request.run = folder("batch") / name;
            request.device = "cpu";
            return inspect::compute_embeddings(request);
        };
        const auto a = embedded("a"), b = embedded("b");
        const auto input = [](const store::Embeddings& e) {
            return analysis::StrataInput{e.start, e.channels, e.residual, e.mse, e.mae, {}};
        };
        const auto pair = analysis::compare_strata(input(a), input(b));
        const auto of_a = measured("a"), of_b = measured("b");
        QCOMPARE(of_a.size(), std::size_t{1});
        QCOMPARE(of_a[0].problem, std::string());
        const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-12 * std::abs(y); };
        QVERIFY(near(of_a[0].measures.at("hard_mse"), pair.hardest.mse_a));
        QVERIFY(near(of_a[0].measures.at("easy_mse"), pair.easiest.mse_a));
        QVERIFY(near(of_b[0].measures.at("hard_mse"), pair.hardest.mse_b));
        QVERIFY(near(of_b[0].measures.at("easy_mse"), pair.easiest.mse_b));
        QVERIFY(!near(of_a[0].measures.at("hard_mse"), of_a[0].measures.at("easy_mse")));
    }

    /// Labels against analysis/window_labels.h, which has golden values; groups and means by hand.
    void axes_divide_by_their_labels() {
        const auto errors =
            store::read_forecast_errors(store::RunFolder(folder("batch") / "a").arrays_file(), "test");
        store::Embeddings windows;
        windows.start = errors.start;
        windows.channels = {0, 1, 2};
        const auto error_of = [&](std::size_t window) {
            double sum = 0;
            for (std::size_t c = 0; c < 3; ++c) sum += errors.mse[3 * window + c];
            return sum / 3;
        };
        const auto labels_of = [&](const analysis::StrataAxis& axis) {
            return analysis::strata_labels(folder("batch") / "a", axis, windows);
        };
        const auto changes = measured("a", "strata:trend-change")[0].measures;
        int divided = 0;
        for (const auto& axis : evidence::axes_of_table("strata:trend-change")) {
            const auto labels = labels_of(axis);
            double with = 0, n = 0, without = 0;
            for (std::size_t i = 0; i < labels.size(); ++i) {
                (labels[i] > 0 ? with : without) += error_of(i);
                n += labels[i] > 0 ? 1 : 0;
            }
            const auto count = static_cast<double>(labels.size());
            const auto at = [&](const char* measure) {
                return changes.at(std::string(measure) + "@" + analysis::name_of(axis));
            };
            QVERIFY(std::abs(at("with_percent") - 100 * n / count) < 1e-9);
            QVERIFY(std::abs(at("without_percent") - 100 * (count - n) / count) < 1e-9);
            const bool both = n > 0 && n < count;
            QCOMPARE(std::isfinite(at("hard_mse")), both);
            if (!both) continue;
            ++divided;
            QVERIFY(std::abs(at("hard_mse") - with / n) < 1e-12);
            QVERIFY(std::abs(at("easy_mse") - without / (count - n)) < 1e-12);
        }
        QVERIFY(divided > 0);
        for (const auto* table : {"strata:trend-strength", "strata:low-frequency"}) {
            const auto axis = evidence::axes_of_table(table).at(0);
            const auto measures = measured("a", table)[0].measures;
            const auto labels = labels_of(axis);
            std::vector<std::size_t> order(labels.size());
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](auto x, auto y) { return labels[x] < labels[y]; });
            const auto mean = [&](std::size_t from, std::size_t to) {
                double sum = 0;
                for (auto i = from; i < to; ++i) sum += error_of(order[i]);
                return sum / static_cast<double>(to - from);
            };
            const auto n = labels.size();
            QVERIFY(std::abs(measures.at("hard_mse@" + analysis::name_of(axis)) - mean(9 * n / 10, n)) <
                    1e-12);
            QVERIFY(std::abs(measures.at("easy_mse@" + analysis::name_of(axis)) - mean(0, 3 * n / 10)) <
                    1e-12);
        }
    }

    /// A longer horizon has fewer windows, of which the labels are known; another trend length has others.
    void labels_are_shared_only_by_equal_windows() {
        train("longer", 0, 1, "test", 24, 13);
        train("smoother", 0, 1, "test", 12, 21);
        const auto table = evidence::paper_table("strata:trend-change");
        const auto runs = evidence::finished_runs({folder("batch")}).runs;
        const auto together = evidence::with_measures(table, runs);
        QVERIFY(together.size() >= 4);
        bool differ = false;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto alone = evidence::with_measures(table, {runs[i]});
            QCOMPARE(alone[0].problem, together[i].problem);
            QCOMPARE(alone[0].measures.size(), together[i].measures.size());
            for (const auto& [name, value] : together[i].measures) {
                const auto again = alone[0].measures.at(name);
                QVERIFY2(again == value || (std::isnan(again) && std::isnan(value)), name.c_str());
                differ = differ || (name.starts_with("with") && together[0].measures.contains(name) &&
                                    value != together[0].measures.at(name));
            }
        }
        QVERIFY(differ);
    }

    void other_tables_do_not_read_data_files() {
        QVERIFY(measured("a", "lambda")[0].measures.empty());
        QVERIFY(measured("a", "lambda")[0].usage_test.empty());
        QCOMPARE(measured("a", "jaccard")[0].usage_test.size(), std::size_t{30});
    }

    /// Centred, and as the paper's formula XᵀX / (n − 1) is printed.
    void both_readings_of_the_variance() {
        QVERIFY(measured("a", "pca")[0].measures.empty());  // no stored embeddings
        auto config = small("test");
        config.run.store_embeddings = true;
        test::run_in(folder("batch") / "embedded", config);
        const auto run = measured("embedded", "pca")[0];
        const auto stored = store::read_embedding(store::RunFolder(run.folder).arrays_file(), "test");
        const auto largest = [&](bool centred) {
            return largest_fraction(stored.anchors, stored.dimension, centred);
        };
        const auto near = [](double x, double y) { return std::abs(x - y) < 1e-6; };
        QVERIFY(near(run.measures.at("pc1_anchors"), largest(true)));
        QVERIFY(near(run.measures.at("pc1_anchors_uncentred"), largest(false)));
        QVERIFY(!near(largest(true), largest(false)));
        for (const auto* kind : {"anchors", "series", "prompts"})
            for (const auto* reading : {"", "_uncentred"}) {
                const auto of = [&](const char* what) {
                    return run.measures.at(std::string(what) + kind + reading);
                };
                QVERIFY(of("pc1_") >= of("pc2_") && near(of("pc1_") + of("pc2_"), of("pc_total_")));
            }
    }

    void without_stored_errors() {
        const auto run = measured("bare")[0];
        QVERIFY(run.measures.empty());
        QVERIFY2(run.problem.english().find("run.store_forecasts") != std::string::npos,
                 run.problem.english().c_str());
    }

    void without_the_data_file() {
        fs::rename(folder("series.csv"), folder("moved.csv"));
        const auto run = measured("a")[0];
        QVERIFY(run.measures.empty());
        QVERIFY2(run.problem.english().find("series.csv") != std::string::npos,
                 run.problem.english().c_str());
        // Other values in the file are other strata.
        test::write_csv(folder("series.csv"), test::small_rows, test::small_channels, 0.002);
        const auto other = measured("a")[0];
        QVERIFY2(other.problem.english().find("not the run's data file") != std::string::npos,
                 other.problem.english().c_str());
    }

private:
    [[nodiscard]] config::Config small(const std::string& forecasts) const {
        auto config = test::small_config(folder("series.csv").string());
        config.train.epochs = 1;
        config.run.store_forecasts = {forecasts};
        return config;
    }
    void train(const std::string& name, double lambda, std::int64_t epochs, const std::string& forecasts,
               std::int64_t horizon = 12, std::int64_t trend_length = 13) const {
        auto config = small(forecasts);
        config.train.epochs = epochs;
        config.loss.lambda_cov = lambda;
        config.data.horizon = horizon;
        config.model.trend_length = trend_length;
        fs::create_directories(folder("batch"));
        test::run_in(folder("batch") / name, config);
    }
    [[nodiscard]] std::vector<evidence::PaperRun> measured(const std::string& name,
                                                           const char* table = "strata") const {
        return evidence::with_measures(evidence::paper_table(table),
                                       evidence::finished_runs({folder("batch") / name}).runs);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPaperRuns)
#include "test_paper_runs.moc"
