// Verification of synthetic runs whose metrics are computed here, and of what is changed in them.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stop_token>

#include <QtTest>

#include "config/experiment.h"
#include "core/evidence/digit_changes.h"
#include "evidence/batch_tables.h"
#include "evidence/verify.h"
#include "evidence/verify_text.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::evidence;
using verify_test::names;
using verify_test::text_of;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t windows = 5, horizon = 3, channels = 2, top_k = 2, pool_size = 4;

/// A run of the sweep, in memory.
struct TestRun {
    store::ForecastArrays forecast;
    store::RunRecord record;
    store::ResultRow row;
};

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

/// Forecasts of random numbers, with the metrics of the definitions.
TestRun made_run(double lambda_cov, std::int64_t seed) {
    TestRun run;
    std::mt19937 random(static_cast<unsigned>(seed * 100 + static_cast<int>(lambda_cov * 10)));
    std::uniform_real_distribution<float> uniform(-2, 2);
    auto& f = run.forecast;
    f.windows = windows;
    f.horizon = horizon;
    f.channels = channels;
    f.top_k = top_k;
    for (std::int64_t i = 0; i < windows * horizon * channels; ++i) {
        f.prediction.push_back(uniform(random));
        f.truth.push_back(uniform(random));
    }
    store::SplitMetrics metrics;
    std::vector<double> squares(f.prediction.size()), sizes(f.prediction.size());
    for (std::size_t i = 0; i < squares.size(); ++i) {
        const float error = f.prediction[i] - f.truth[i];
        squares[i] = static_cast<double>(error) * error;
        sizes[i] = std::abs(static_cast<double>(error));
    }
    metrics.mse = mean(squares);
    metrics.mae = mean(sizes);
    const auto over = [&](const std::vector<double>& values, auto&& wanted) {
        std::vector<double> chosen;
        for (std::int64_t i = 0; i < std::ssize(values); ++i)
            if (wanted(i / (horizon * channels), i / channels % horizon, i % channels))
                chosen.push_back(values[static_cast<std::size_t>(i)]);
        return mean(chosen);
    };
    for (std::int64_t c = 0; c < channels; ++c) {
        const auto in = [c](auto, auto, auto channel) { return channel == c; };
        metrics.mse_per_channel.push_back(over(squares, in));
        metrics.mae_per_channel.push_back(over(sizes, in));
    }
    for (std::int64_t h = 0; h < horizon; ++h) {
        const auto in = [h](auto, auto step, auto) { return step == h; };
        metrics.mse_per_step.push_back(over(squares, in));
        metrics.mae_per_step.push_back(over(sizes, in));
    }
    for (std::int64_t w = 0; w < windows; ++w) {
        f.start.push_back(100 + w);
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto in = [w, c](auto window, auto, auto channel) { return window == w && channel == c; };
            f.mse.push_back(static_cast<float>(over(squares, in)));
            f.mae.push_back(static_cast<float>(over(sizes, in)));
        }
    }
    // Anchors 0 and 1 in all rows, but 2 instead of 1 in the first: counts 10, 9, 1, 0.
    f.retrieved.assign(static_cast<std::size_t>(windows * channels * top_k), 0);
    for (std::size_t i = 1; i < f.retrieved.size(); i += 2) f.retrieved[i] = i == 1 ? 2 : 1;
    run.record.anchors.pool_size = pool_size;
    run.record.anchors.usage_test = {10, 9, 1, 0};
    metrics.usage_entropy = -(0.5 * std::log(0.5) + 0.45 * std::log(0.45) + 0.05 * std::log(0.05));
    metrics.distinct_anchors = 3;
    metrics.key_cosine = 0.25 + 0.01 * static_cast<double>(seed);
    metrics.last_value_mse = metrics.last_value_mae = 1.5;

    config::Config config;
    config.data.path = "/nowhere/series.csv";
    config.data.horizon = horizon;
    config.loss.lambda_cov = lambda_cov;
    config.train.seed = seed;
    auto& record = run.record;
    record.attributes.config = config::to_toml(config);
    record.attributes.state = store::RunState::finished;
    record.attributes.backbone = "untrained";
    record.attributes.dataset_sha256 = "abc";
    record.attributes.best_step = 4;
    record.test = metrics;
    record.val = metrics;
    record.val->mse = 0.75;  // no forecasts of this split are stored
    record.val->mse_per_channel = record.val->mse_per_step = {};
    record.val->mae_per_channel = record.val->mae_per_step = {};
    auto& steps = record.steps;
    steps.step = {2, 4, 6};
    steps.epoch = {1, 2, 3};
    steps.learning_rate = steps.forecast = steps.total = steps.gate_share = steps.seconds = {1, 1, 1};
    auto& epochs = record.epochs;
    epochs.epoch = {1, 2, 3};
    epochs.train_forecast = epochs.val_mae = epochs.learning_rate = epochs.seconds = {1, 1, 1};
    epochs.val_mse = {0.875, 0.75, 0.8125};

    auto& row = run.row;
    const std::string lambda = lambda_cov == 0 ? "0" : "0.1";
    row.run = "lambda_cov-" + lambda + "_seed-" + std::to_string(seed);
    row.state = store::RunState::finished;
    row.data = "series";
    row.model = "casp-llm";
    row.lookback = config.data.lookback;
    row.horizon = horizon;
    row.lambda_sim = config.loss.lambda_sim;
    row.lambda_cov = lambda_cov;
    row.seed = seed;
    row.epochs = 3;
    row.best_epoch = 2;
    row.steps = 6;
    row.val_mse = 0.75;
    row.test_mse = metrics.mse;
    row.test_mae = metrics.mae;
    row.last_value_mse = 1.5;
    row.usage_entropy = metrics.usage_entropy;
    row.distinct_anchors = 3;
    row.key_cosine = metrics.key_cosine;
    row.seconds = 12.3456789 + static_cast<double>(seed);
    row.backbone = "untrained";
    row.peak_memory = 191565824 + seed;
    store::set_swept(row, {{"loss.lambda_cov", lambda}, {"train.seed", std::to_string(seed)}});
    return run;
}

void write_arrays(const fs::path& folder, const TestRun& run) {
    store::ArraysRecord arrays;
    arrays.forecast["test"] = run.forecast;
    store::write_arrays_file(folder, arrays);
}

/// A batch of two values of λ_cov and two seeds.
class Batch {
public:
    Batch() {
        for (const double lambda : {0.1, 0.0})
            for (const std::int64_t seed : {1, 2}) {
                auto run = made_run(lambda, seed);
                const auto folder = path() / run.row.run;
                fs::create_directories(folder);
                write_arrays(folder, run);
                verify_test::put(folder / "best.safetensors", "weights of " + run.row.run);
                run.record.attributes.best_sha256 = sha256_of("weights of " + run.row.run);
                store::write_run_file(folder, run.record);
                store::write_run_status(store::RunFolder(folder), {run.row, {}, {}});
                runs.push_back(std::move(run));
            }
        std::vector<store::ResultRow> rows;
        for (const auto& run : runs) rows.push_back(run.row);
        write_batch_tables(path(), rows);
    }
    [[nodiscard]] fs::path path() const { return fs::path(dir_.path().toStdString()) / "sweep"; }
    [[nodiscard]] fs::path first() const { return path() / runs.front().row.run; }

    std::vector<TestRun> runs;

private:
    QTemporaryDir dir_;
};

/// All findings are about this file, and there is one.
bool names_only(const Verification& result, const fs::path& file) {
    return !result.findings.empty() &&
           std::all_of(result.findings.begin(), result.findings.end(),
                       [&](const Finding& finding) { return finding.file == file; });
}

bool is_unchecked(const Verification& result, const std::string& part) {
    return std::any_of(result.unchecked.begin(), result.unchecked.end(),
                       [&](const auto& entry) { return entry.first.find(part) != std::string::npos; });
}

}  // namespace

class TestVerify : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_sound_batch() {
        const Batch batch;
        const auto before = verify_test::digests(batch.path());
        QVERIFY(fs::exists(batch.path() / "comparisons.csv"));
        for (const auto& folder : {batch.path(), batch.path().parent_path()}) {
            const auto result = verify(folder);
            QVERIFY2(result.findings.empty(), text_of(result).c_str());
            QCOMPARE(result.runs, std::int64_t{4});
            QCOMPARE(result.batches, std::vector<fs::path>{batch.path()});
            QVERIFY(result.numbers > 300);
            QVERIFY(is_unchecked(result, "key_cosine") && is_unchecked(result, "the data file"));
            QVERIFY(is_unchecked(result, "val metrics against forecasts"));
        }
        const auto single = verify(batch.first());
        QVERIFY2(single.findings.empty(), text_of(single).c_str());
        QCOMPARE(single.runs, std::int64_t{1});
        QVERIFY(single.batches.empty());
        QCOMPARE(verify_test::digests(batch.path()), before);
    }

    void changed_cell_is_named() {
        const Batch batch;
        const auto file = batch.path() / "results.csv";
        auto text = verify_test::content(file);
        const auto error = csv_records(text)[2][13];  // test_mse of the second run
        QCOMPARE(csv_records(text)[0][13], std::string("test_mse"));
        auto other = error;
        other.back() = other.back() == '1' ? '2' : '1';
        verify_test::put(file, text.replace(text.find(error), error.size(), other));
        const auto result = verify(batch.path());
        QCOMPARE(result.findings.size(), std::size_t{1});
        QCOMPARE(result.findings[0].file, file);
        QCOMPARE(result.findings[0].cell, std::string("line 3 (lambda_cov-0.1_seed-2), column test_mse"));
        QCOMPARE(result.findings[0].found, other);
        QCOMPARE(result.findings[0].expected, error);
    }

    void changed_forecasts_are_named_data() {
        test::name_rows("what", {"prediction", "truth", "mse", "mae", "selected"});
    }

    void changed_forecasts_are_named() {
        QFETCH(QString, what);
        const Batch batch;
        auto run = batch.runs.front();
        auto& f = run.forecast;
        // 1e-5 of a value of the size of 1 is a few hundred units of float32.
        if (what == "prediction") f.prediction[7] += 1e-5F;
        if (what == "truth") f.truth[7] += 1e-5F;
        if (what == "mse") f.mse[3] = std::nextafter(f.mse[3], 10.0F);
        if (what == "mae") f.mae[3] = std::nextafter(f.mae[3], 10.0F);
        if (what == "selected") f.retrieved[0] = 3;
        write_arrays(batch.first(), run);
        const auto result = verify(batch.path());
        QVERIFY2(names_only(result, batch.first() / "arrays.h5"), text_of(result).c_str());
        if (what == "mse") QCOMPARE(result.findings[0].cell, std::string("/forecast/test/mse[1, 1]"));
        if (what == "selected") QVERIFY(result.findings[0].cell.find("selected") != std::string::npos);
    }

    void forecasts_of_another_run_are_named() {
        const Batch batch;
        write_arrays(batch.first(), made_run(0.1, 7));  // sound for themselves
        const auto result = verify(batch.path());
        QVERIFY2(names_only(result, batch.first() / "arrays.h5"), text_of(result).c_str());
        QCOMPARE(result.findings[0].cell, std::string("/forecast/test, mse"));
    }

    void damaged_files_are_named() {
        const Batch batch;
        auto bytes = verify_test::content(batch.first() / "arrays.h5");
        std::string pattern(sizeof(float), '\0');
        std::memcpy(pattern.data(), &batch.runs.front().forecast.prediction[7], sizeof(float));
        const auto at = bytes.find(pattern);
        QVERIFY(at != std::string::npos);
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        verify_test::put(batch.first() / "arrays.h5", bytes);
        auto result = verify(batch.path());
        QVERIFY2(names_only(result, batch.first() / "arrays.h5"), text_of(result).c_str());
        write_arrays(batch.first(), batch.runs.front());

        bytes = verify_test::content(batch.first() / "run.h5");
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        verify_test::put(batch.first() / "run.h5", bytes);
        result = verify(batch.path());
        QVERIFY2(names_only(result, batch.first() / "run.h5"), text_of(result).c_str());
        store::write_run_file(batch.first(), batch.runs.front().record);

        verify_test::put(batch.first() / "run.json", "{\"format_version\": 1,");
        result = verify(batch.path());
        QVERIFY2(names_only(result, batch.first() / "run.json"), text_of(result).c_str());
    }

    void a_rewritten_run_file_is_named_data() {
        test::name_rows("what", {"mse", "profile", "usage", "entropy"});
    }

    void a_rewritten_run_file_is_named() {
        QFETCH(QString, what);
        const Batch batch;
        auto record = batch.runs.front().record;
        record.attributes.best_sha256 = sha256_of("weights of " + batch.runs.front().row.run);
        if (what == "mse") record.test->mse *= 1 + 1e-10;
        if (what == "profile") record.test->mae_per_step[2] *= 1 + 1e-10;
        if (what == "usage") record.anchors.usage_test = {9, 9, 2, 0};
        if (what == "entropy") record.test->usage_entropy *= 1 + 1e-10;
        store::write_run_file(batch.first(), record);
        const auto result = verify(batch.path());
        QVERIFY2(names_only(result, batch.first() / "run.h5"), text_of(result).c_str());
    }

    void other_weights_are_named() {
        const Batch batch;
        const auto file = batch.first() / "best.safetensors";
        verify_test::put(file, "other weights");
        auto result = verify(batch.path());
        QVERIFY2(names_only(result, file), text_of(result).c_str());
        QCOMPARE(result.findings[0].found, "SHA-256 " + sha256_of("other weights"));
        fs::remove(file);  // an archive without weights
        result = verify(batch.path());
        QVERIFY2(result.findings.empty(), text_of(result).c_str());
        QVERIFY(is_unchecked(result, "best.safetensors is not here"));
    }

    void measured_columns_are_verified_by_other_tables() {
        const Batch batch;
        auto row = batch.runs.front().row;
        row.seconds += 1;
        store::write_run_status(store::RunFolder(batch.first()), {row, {}, {}});
        auto result = verify(batch.path());
        QVERIFY2(names_only(result, batch.first() / "run.json"), text_of(result).c_str());
        // Both have changed.
        row = batch.runs.front().row;
        row.peak_memory += 1;
        store::write_run_status(store::RunFolder(batch.first()), {row, {}, {}});
        result = verify(batch.path());
        QVERIFY2(names(result, batch.first() / "run.json") && names(result, batch.path() / "results.csv"),
                 text_of(result).c_str());
    }

    void unfinished_runs_and_stale_tables() {
        const Batch batch;
        auto row = batch.runs.back().row;
        row.state = store::RunState::interrupted;
        store::write_run_status(store::RunFolder(batch.path() / row.run), {row, {}, {}});
        auto rows = std::vector<store::ResultRow>();
        for (const auto& run : batch.runs) rows.push_back(run.row);
        rows.back() = row;
        write_batch_tables(batch.path(), rows);
        auto result = verify(batch.path());
        QVERIFY2(result.findings.empty(), text_of(result).c_str());
        QVERIFY(is_unchecked(result, "not finished"));
        verify_test::put(batch.path() / "ranks.csv", "metric,model\n");
        result = verify(batch.path());
        QVERIFY2(names_only(result, batch.path() / "ranks.csv"), text_of(result).c_str());
        fs::remove(batch.path() / "ranks.csv");
        fs::remove(batch.path() / "summary.md");
        result = verify(batch.path());
        QVERIFY2(result.findings.empty(), text_of(result).c_str());
        QVERIFY(is_unchecked(result, "summary.md is missing"));
        // As versions without tests over periods wrote them.
        rows.back().state = store::RunState::finished;
        store::write_run_status(store::RunFolder(batch.path() / row.run), {rows.back(), {}, {}});
        write_texts(batch.path(), batch_tables(batch.path(), rows, false).texts);
        result = verify(batch.path());
        QVERIFY2(result.findings.empty(), text_of(result).c_str());
    }

    void nothing_to_verify() {
        QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        const auto message = [](const fs::path& path) {
            try {
                (void)verify(path);
            } catch (const Error& problem) {
                return problem.kind() == ErrorKind::input ? std::string(problem.what()) : "another kind";
            }
            return std::string();
        };
        QVERIFY(message(folder).find("no run is in this folder") != std::string::npos);
        QVERIFY(!message(folder / "nowhere").empty());
        verify_test::put(folder / "run.tar.gz", "archive");
        QVERIFY(message(folder / "run.tar.gz").find("Unpack an archive first") != std::string::npos);
    }

    void a_stop_request() {
        const Batch batch;
        std::stop_source stop;
        int reports = 0;
        const auto progress = [&](const Progress& report) {
            QCOMPARE(report.total, std::int64_t{4});
            if (++reports == 2) stop.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN((void)verify(batch.path(), progress, stop.get_token()), Cancelled);
        QCOMPARE(reports, 2);
    }

    void records_of_csv() {
        const std::vector<std::vector<std::string>> expected{{"a", "b,\"c\""}, {"", "1\n2"}, {"3", ""}};
        QCOMPARE(csv_records("a,\"b,\"\"c\"\"\"\n,\"1\n2\"\n3,\n"), expected);
        QVERIFY(csv_records("").empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestVerify)
#include "test_verify.moc"
