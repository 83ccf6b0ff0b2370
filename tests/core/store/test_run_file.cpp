#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <QtTest>

#include "store/hdf5_file.h"
#include "store/run_file.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp::store;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

#if defined(CASP_SANITIZES_MEMORY)
constexpr bool leaks_are_checked = true;
#else
constexpr bool leaks_are_checked = false;
#endif

template <class T>
std::vector<T> numbers(std::int64_t count, double scale) {
    std::vector<T> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<T>(static_cast<double>(i) * scale + 1);
    return values;
}

RunRecord sample(std::int64_t steps = 40, std::int64_t pool = 12) {
    RunRecord record;
    auto& a = record.attributes;
    a.config = "name = \"x\"\n[data]\nhorizon = 96\n";
    a.state = RunState::running;
    a.backbone = "untrained";
    a.dataset_sha256 = std::string(64, 'a');
    a.dataset = "ETTh1";
    a.parameters_total = 133'977'776;
    a.parameters_trainable = 52'871'600;
    a.best_step = 12;
    a.version = "0.1.0";
    a.libtorch = "2.11.0";
    a.hardware = "Prozessor ü";
    a.device = "cpu";
    a.precision = "fp32";
    a.threads = 2;
    a.created = "2026-11-21T08:30:00Z";
    a.checkpointed = true;
    a.former_devices = "cuda:0 (a GPU) to step 2";
    a.best_sha256 = std::string(64, 'b');
    auto& s = record.steps;
    s.step = numbers<std::int64_t>(steps, 1);
    s.epoch = numbers<std::int64_t>(steps, 0.1);
    int factor = 0;
    for (auto* values : {&s.learning_rate, &s.forecast, &s.term("similarity"), &s.term("coverage"), &s.total,
                         &s.gate_share, &s.seconds})
        *values = numbers<double>(steps, 0.1 * ++factor);
    auto& e = record.epochs;
    e.epoch = {1, 2};
    for (auto* values : {&e.train_forecast, &e.val_mse, &e.val_mae, &e.learning_rate, &e.seconds})
        *values = numbers<double>(2, 0.3 * ++factor);
    record.anchors.pool_size = pool;
    record.anchors.snapshot_step = {10, 20, 30};
    record.anchors.usage_train = numbers<std::int64_t>(3 * pool, 3);
    record.anchors.coverage_statistic = numbers<float>(3 * pool, 0.01);
    record.anchors.usage_test = numbers<std::int64_t>(pool, 5);
    record.val = SplitMetrics{};
    record.val->mse = 0.5;
    record.test = SplitMetrics{};
    record.test->mse = 0.1 + 0.2;
    record.test->mse_per_channel = {1, 2, 3};
    record.test->mae_per_step = {4, 5};
    record.data.channel_names = {"HUFL", "Größe", ""};
    record.data.mean = {1, 2, 3};
    record.data.std = {4, 5, 6};
    record.data.time = numbers<double>(50, 3600);
    return record;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Every member, bit for bit (NaN included).
bool same(const RunRecord& x, const RunRecord& y) {
    const auto& a = x.attributes;
    const auto& b = y.attributes;
    bool equal = a.format_version == b.format_version && a.config == b.config && a.state == b.state &&
                 a.backbone == b.backbone && a.dataset_sha256 == b.dataset_sha256 && a.dataset == b.dataset &&
                 a.parameters_total == b.parameters_total &&
                 a.parameters_trainable == b.parameters_trainable && a.best_step == b.best_step &&
                 a.parent == b.parent && a.version == b.version && a.libtorch == b.libtorch &&
                 a.hardware == b.hardware && a.device == b.device && a.precision == b.precision &&
                 a.threads == b.threads && a.created == b.created && a.checkpointed == b.checkpointed &&
                 a.former_devices == b.former_devices && a.best_sha256 == b.best_sha256;
    const auto& s = x.steps;
    const auto& t = y.steps;
    equal = equal && s.step == t.step && s.epoch == t.epoch && same_bits(s.learning_rate, t.learning_rate) &&
            same_bits(s.forecast, t.forecast) &&
            std::equal(s.terms.begin(), s.terms.end(), t.terms.begin(), t.terms.end(),
                       [](const LossCurve& one, const LossCurve& other) {
                           return one.name == other.name && same_bits(one.values, other.values);
                       }) &&
            same_bits(s.total, t.total) && same_bits(s.gate_share, t.gate_share) &&
            same_bits(s.seconds, t.seconds);
    const auto& e = x.epochs;
    const auto& f = y.epochs;
    equal = equal && e.epoch == f.epoch && same_bits(e.train_forecast, f.train_forecast) &&
            same_bits(e.val_mse, f.val_mse) && same_bits(e.val_mae, f.val_mae) &&
            same_bits(e.learning_rate, f.learning_rate) && same_bits(e.seconds, f.seconds);
    equal = equal && x.anchors.pool_size == y.anchors.pool_size &&
            x.anchors.snapshot_step == y.anchors.snapshot_step &&
            x.anchors.usage_train == y.anchors.usage_train &&
            same_bits(x.anchors.coverage_statistic, y.anchors.coverage_statistic) &&
            x.anchors.usage_test == y.anchors.usage_test;
    const auto metrics = [](const std::optional<SplitMetrics>& m, const std::optional<SplitMetrics>& n) {
        if (m.has_value() != n.has_value()) return false;
        if (!m) return true;
        const auto number = [](double p, double q) { return std::memcmp(&p, &q, sizeof p) == 0; };
        return number(m->mse, n->mse) && number(m->mae, n->mae) &&
               number(m->usage_entropy, n->usage_entropy) &&
               number(m->distinct_anchors, n->distinct_anchors) && number(m->key_cosine, n->key_cosine) &&
               number(m->last_value_mse, n->last_value_mse) && number(m->last_value_mae, n->last_value_mae) &&
               same_bits(m->mse_per_channel, n->mse_per_channel) &&
               same_bits(m->mae_per_channel, n->mae_per_channel) &&
               same_bits(m->mse_per_step, n->mse_per_step) && same_bits(m->mae_per_step, n->mae_per_step);
    };
    return equal && metrics(x.val, y.val) && metrics(x.test, y.test) &&
           x.data.channel_names == y.data.channel_names && same_bits(x.data.mean, y.data.mean) &&
           same_bits(x.data.std, y.data.std) && same_bits(x.data.time, y.data.time);
}

ForecastArrays forecast(std::int64_t windows, std::int64_t horizon, std::int64_t channels,
                        std::int64_t top_k) {
    ForecastArrays arrays;
    arrays.windows = windows;
    arrays.horizon = horizon;
    arrays.channels = channels;
    arrays.top_k = top_k;
    arrays.prediction = numbers<float>(windows * horizon * channels, 0.5);
    arrays.truth = numbers<float>(windows * horizon * channels, 0.25);
    arrays.mse = numbers<float>(windows * channels, 2);
    arrays.mae = numbers<float>(windows * channels, 3);
    arrays.start = numbers<std::int64_t>(windows, 1);
    arrays.retrieved = numbers<std::int32_t>(windows * channels * top_k, 1);
    return arrays;
}

template <class T>
std::vector<T> part(const std::vector<T>& values, std::int64_t first, std::int64_t count) {
    return {values.begin() + first, values.begin() + first + count};
}

}  // namespace

class TestRunFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void round_trip() {
        Folder folder;
        const auto record = sample();
        write_run_file(folder.path(), record);
        QVERIFY(same(read_run_file(folder / "run.h5"), record));
        QCOMPARE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()),
                 std::ptrdiff_t{1});
        // Again, with other content: replaced whole.
        auto other = sample(70'000, 1000);
        other.attributes.state = RunState::finished;
        write_run_file(folder.path(), other);
        QVERIFY(same(read_run_file(folder / "run.h5"), other));
    }

    void empty_run_round_trip() {
        Folder folder;
        RunRecord record;
        write_run_file(folder.path(), record);
        const auto back = read_run_file(folder / "run.h5");
        QVERIFY(same(back, record));
        QVERIFY(!back.test.has_value());
        // No anchors, no statistic of them.
        QVERIFY(!Hdf5File::open(folder / "run.h5").exists("/anchors/coverage_statistic"));
        record.anchors.pool_size = 5;
        record.anchors.snapshot_step = {1};
        record.anchors.usage_train = {1, 2, 3, 4, 5};  // coverage off: no statistic
        write_run_file(folder.path(), record);
        QVERIFY(same(read_run_file(folder / "run.h5"), record));
        QVERIFY(!Hdf5File::open(folder / "run.h5").exists("/anchors/coverage_statistic"));
    }

    void vectors_that_do_not_fit_are_refused() {
        Folder folder;
        write_run_file(folder.path(), sample());
        auto record = sample();
        record.steps.total.pop_back();
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, write_run_file(folder.path(), record));
        record = sample();
        record.anchors.usage_train.pop_back();
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, write_run_file(folder.path(), record));
        (void)read_run_file(folder / "run.h5");
        CASP_SAYS(error_of([&] { write_run_file(folder.path() / "none", sample()); }), "run: ");
    }

    void a_resume_cuts_the_history() {
        auto record = sample();
        record.steps.cut_after(25);
        record.epochs.cut_after(1);
        record.anchors.cut_after(25);
        QCOMPARE(record.steps.step.back(), std::int64_t{25});
        QCOMPARE(record.steps.seconds.size(), std::size_t{25});
        QCOMPARE(record.epochs.val_mae.size(), std::size_t{1});
        QCOMPARE(record.anchors.snapshot_step, (std::vector<std::int64_t>{10, 20}));
        QCOMPARE(record.anchors.usage_train.size(), std::size_t{24});
        QCOMPARE(record.anchors.coverage_statistic.size(), std::size_t{24});
        Folder folder;
        write_run_file(folder.path(), record);
        QVERIFY(same(read_run_file(folder / "run.h5"), record));
    }

    void invalid_files_are_reported() {
        Folder folder;
        const auto path = folder / "run.h5";
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }), "input: ");
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }), "there is no such file");
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }), "restore it from a copy");
        CASP_SAYS(error_of([&] { (void)read_run_file(folder.path()); }), "this is a folder");
        put(path, "date,HUFL\n");
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }), "this is not an HDF5 file");
        put(path, "");
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }), "this is not an HDF5 file");
        {
            auto file = Hdf5File::create(path);
            file.close();
        }
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }), "not a run file");
        {
            auto file = Hdf5File::create(path);
            file.set_attribute("/", "format_version", std::int64_t{2});
            file.close();
        }
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }),
                  "it has format version 2; expected at most 1");
        {
            auto file = Hdf5File::create(path);
            file.set_attribute("/", "format_version", "1");
            file.close();
        }
        CASP_SAYS(error_of([&] { (void)read_run_file(path); }), "it is not a whole number");
    }

    void wrong_shapes_and_types_are_named() {
        Folder folder;
        const auto path = folder / "x.h5";
        {
            auto file = Hdf5File::create(path);
            file.write<double>("/a/b", std::vector<double>{1, 2, 3}, {3});
            file.write<std::int64_t>("/i", std::vector<std::int64_t>{1}, {1});
            file.write<std::int32_t>("/narrow", std::vector<std::int32_t>{-7}, {1});
            file.close();
        }
        const auto file = Hdf5File::open(path);
        CASP_SAYS(error_of([&] { (void)file.read<double>("/a/b", {4}); }),
                  "/a/b: its shape is [3]; expected [4]");
        CASP_SAYS(error_of([&] { (void)file.read<double>("/a/b", {-1, 2}); }), "expected [any, 2]");
        QCOMPARE(file.read<float>("/a/b", {3})[2], 3.0F);  // views read forecasts of collections so
        CASP_SAYS(error_of([&] { (void)file.read<double>("/i", {1}); }), "expected floating-point numbers");
        CASP_SAYS(error_of([&] { (void)file.read<std::int64_t>("/a/b", {3}); }), "expected whole numbers");
        CASP_SAYS(error_of([&] { (void)file.read<double>("/none", {3}); }), "/none: cannot be opened");
        CASP_SAYS(error_of([&] { (void)file.read_strings("/i"); }), "it is not a list of texts");
        CASP_SAYS(error_of([&] { (void)file.read_rows<double>("/a/b", {-1}, 2, 2); }), "expected 3 rows");
        CASP_SAYS(error_of([&] { (void)file.text_attribute("/", "none"); }), "attribute \"none\" of /");
        QCOMPARE(file.read<std::int64_t>("/narrow", {1}).front(), std::int64_t{-7});
        QCOMPARE(file.read_rows<double>("/a/b", {3}, 1, 2), (std::vector<double>{2, 3}));
        QCOMPARE(file.children("/"), (std::vector<std::string>{"a", "i", "narrow"}));
    }

    /// A writer killed at any moment leaves a complete file.
    void run_h5_survives_kills() {
        Folder folder;
        write_run_file(folder.path(), sample(0));
        std::mt19937 random(5);
        std::size_t most = 0;
        for (int i = 0; i < 30; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                try {
                    for (std::int64_t steps = 1;; steps = steps % 5000 + 7)
                        write_run_file(folder.path(), sample(steps, 200));
                } catch (...) {
                }
                ::_exit(1);
            }
            ::usleep(1000 + random() % 60'000);
            ::kill(child, SIGKILL);
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY(WIFSIGNALED(status));
            const auto record = read_run_file(folder / "run.h5");
            most = std::max(most, record.steps.step.size());
        }
        QVERIFY(most > 0);
    }

    /// A reader that never waits sees complete files while the writer replaces them.
    void readers_and_a_writer_at_once() {
        Folder folder;
        write_run_file(folder.path(), sample(1));
        std::atomic<bool> done{false};
        std::string problem;
        std::thread reader([&] {
            while (!done) {
                const auto message = error_of([&] { (void)read_run_file(folder / "run.h5"); });
                if (!message.empty()) problem = message;
            }
        });
        for (int i = 0; i < 100; ++i) write_run_file(folder.path(), sample(i * 10));
        done = true;
        reader.join();
        QCOMPARE(problem, std::string());
    }

    void forecasts_grow_window_by_window() {
        Folder folder;
        const std::int64_t windows = 1003, horizon = 24, channels = 7, k = 4;
        const auto all = forecast(windows, horizon, channels, k);
        {
            ArraysWriter writer(folder.path());
            writer.begin_forecast("test", horizon, channels, k);
            for (std::int64_t first = 0; first < windows;) {
                const auto n = std::min<std::int64_t>(first % 3 == 0 ? 64 : 37, windows - first);
                writer.append_forecast(
                    "test", n, part(all.prediction, first * horizon * channels, n * horizon * channels),
                    part(all.truth, first * horizon * channels, n * horizon * channels),
                    part(all.mse, first * channels, n * channels),
                    part(all.mae, first * channels, n * channels), part(all.start, first, n),
                    part(all.retrieved, first * channels * k, n * channels * k));
                first += n;
            }
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                     writer.append_forecast("test", 2, all.prediction, all.truth, all.mse,
                                                            all.mae, all.start, all.retrieved));
            QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                     writer.append_forecast("val", 0, {}, {}, {}, {}, {}, {}));
            QVERIFY(!fs::exists(folder / "arrays.h5"));
            writer.finish();
        }
        const auto path = folder / "arrays.h5";
        const auto read = read_forecast(path, "test");
        QCOMPARE(read.windows, windows);
        QVERIFY(read.prediction == all.prediction && read.truth == all.truth && read.mse == all.mse &&
                read.mae == all.mae && read.start == all.start && read.retrieved == all.retrieved);
        const auto some = read_forecast(path, "test", 500, 3);
        QCOMPARE(some.windows, std::int64_t{3});
        QVERIFY(some.prediction == part(all.prediction, 500 * horizon * channels, 3 * horizon * channels));
        QVERIFY(some.retrieved == part(all.retrieved, 500 * channels * k, 3 * channels * k));
        const auto shape = read_forecast_shape(path, "test");
        QCOMPARE(shape.windows, windows);
        QCOMPARE(shape.top_k, k);
        QVERIFY(shape.prediction.empty());
        CASP_SAYS(error_of([&] { (void)read_forecast(path, "val"); }), "store_forecasts = [\"val\"]");
        CASP_SAYS(error_of([&] { (void)read_forecast(path, "test", 1000, 4); }), "expected 1003 rows");
        // A flipped bit among the values is an error.
        auto bytes = bytes_of(path);
        const float needle = all.prediction[100'000];
        const auto place = bytes.find(std::string(reinterpret_cast<const char*>(&needle), 4));
        QVERIFY(place != std::string::npos);
        bytes[place] = static_cast<char>(bytes[place] ^ 1);
        put(path, bytes);
        CASP_SAYS(error_of([&] { (void)read_forecast(path, "test"); }), "the file is damaged");
    }

    void arrays_that_are_not_finished_leave_nothing() {
        Folder folder;
        {
            ArraysWriter writer(folder.path());
            writer.begin_forecast("test", 2, 2, 0);
        }
        QVERIFY(fs::is_empty(folder.path()));
        CASP_SAYS(error_of([&] { ArraysWriter writer(folder.path() / "none"); }), "run: ");
    }

    /// HDF5 notices a full disk late, as it closes the file: still an error, no half file, and no crash at
    /// the exit.
    void a_full_disk_leaves_nothing() {
        Folder folder;
        for (const rlim_t room : {rlim_t{100}, rlim_t{100'000}, rlim_t{900'000}}) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::signal(SIGXFSZ, SIG_IGN);
                const rlimit limit{room, RLIM_INFINITY};
                ::setrlimit(RLIMIT_FSIZE, &limit);
                ArraysRecord record;
                record.forecast["test"] = forecast(500, 96, 7, 2);
                const auto message = error_of([&] { write_arrays_file(folder.path(), record); });
                const auto run_message =
                    error_of([&] { write_run_file(folder.path(), sample(70'000, 1000)); });
                bool good = contains(message, "run: ") && contains(message, "File too large") &&
                            contains(run_message, "run: ") && contains(run_message, "File too large") &&
                            fs::is_empty(folder.path());
                // Room again: the same process goes on.
                const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
                ::setrlimit(RLIMIT_FSIZE, &none);
                const auto again = error_of([&] {
                    write_arrays_file(folder.path(), record);
                    write_run_file(folder.path(), sample());
                    good = good && read_forecast(folder / "run.h5", "test").windows == 500;
                });
                const int code = good && again.empty() ? 0 : 1;
                // HDF5 keeps what it could not close; a leak checker would report that at a regular exit.
                if (leaks_are_checked) ::_exit(code);
                std::exit(code);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY2(WIFEXITED(status) && WEXITSTATUS(status) == 0, std::to_string(status).c_str());
            fs::remove(folder / "arrays.h5");
            fs::remove(folder / "run.h5");
            QVERIFY(fs::is_empty(folder.path()));
        }
    }

    /// The second rows are wider than a chunk.
    void wide_rows() {
        Folder folder;
        const auto all = forecast(5, 720, 321, 0);
        ArraysRecord record;
        record.forecast["val"] = all;
        write_arrays_file(folder.path(), record);
        const auto read = read_forecast(folder / "arrays.h5", "val", 2, 2);
        QVERIFY(read.prediction == part(all.prediction, 2 * 720 * 321, 2 * 720 * 321));
        QCOMPARE(read.top_k, std::int64_t{0});
        QVERIFY(read.retrieved.empty());
    }

    void links_lead_to_what_is_there() {
        Folder folder;
        write_run_file(folder.path(), sample());
        QVERIFY(!Hdf5File::open(folder / "run.h5").exists("/forecast"));
        QVERIFY(forecast_splits(folder / "run.h5").empty());
        ArraysRecord arrays;
        arrays.forecast["test"] = forecast(3, 4, 2, 1);
        write_arrays_file(folder.path(), arrays);
        write_run_file(folder.path(), sample());
        QCOMPARE(forecast_splits(folder / "run.h5"), (std::vector<std::string>{"test"}));
        QVERIFY(read_forecast(folder / "run.h5", "test").prediction == arrays.forecast["test"].prediction);
        QVERIFY(!Hdf5File::open(folder / "run.h5").exists("/embedding"));
        // The folder moves as a whole; the links are relative.
        Folder other;
        fs::copy(folder.path(), other / "moved");
        QCOMPARE(read_forecast(other.path() / "moved" / "run.h5", "test").windows, std::int64_t{3});
        // arrays.h5 alone is gone.
        fs::remove(other.path() / "moved" / "arrays.h5");
        QVERIFY(same(read_run_file(other.path() / "moved" / "run.h5"), sample()));
        CASP_SAYS(error_of([&] { (void)read_forecast(other.path() / "moved" / "run.h5", "test"); }),
                  "input: ");
        put(folder / "arrays.h5", "nonsense");
        write_run_file(folder.path(), sample());
        QVERIFY(same(read_run_file(folder / "run.h5"), sample()));
    }

    void embeddings_and_similarities() {
        Folder folder;
        ArraysRecord record;
        auto& embedding = record.embedding["test"]["best"];
        embedding.dimension = 8;
        embedding.anchors = numbers<float>(5 * 8, 1);
        embedding.series = numbers<float>(3 * 8, 2);
        embedding.prompt = numbers<float>(3 * 8, 3);
        EmbeddingLayout layout;
        layout.components = 3;
        layout.points = numbers<float>(11 * 3, 0.5);
        layout.kind = numbers<std::int32_t>(11, 0.2);
        layout.row = numbers<std::int32_t>(11, 1);
        layout.variance_ratio = numbers<double>(9, 0.1);
        layout.explained = {0.5, 0.25, 0.125};
        embedding.pca = layout;
        layout.variance_ratio.clear();
        layout.explained.clear();
        layout.kl = 1.25;
        layout.perplexity = 30;
        layout.iterations = 1000;
        layout.seed = 42;
        layout.common_runs = 2;
        layout.common_points = 22;
        embedding.tsne = layout;
        record.embedding["test"]["120"].dimension = 2;
        record.similarity["test"]["best"] = {5, numbers<float>(4 * 5, 0.1)};
        write_arrays_file(folder.path(), record);
        write_run_file(folder.path(), sample());
        const auto read = read_embedding(folder / "run.h5", "test");
        QVERIFY(read.anchors == embedding.anchors && read.series == embedding.series &&
                read.prompt == embedding.prompt && read.dimension == 8);
        QVERIFY(read.pca.points == layout.points && read.pca.variance_ratio.size() == 9 &&
                read.pca.explained == embedding.pca.explained && std::isnan(read.pca.kl));
        QVERIFY(read.tsne.kl == 1.25 && read.tsne.seed == 42 && read.tsne.iterations == 1000 &&
                read.tsne.kind == layout.kind && read.tsne.components == 3);
        // Two runs in one layout: its KL is of all points, and says so; a layout of one run says nothing.
        QVERIFY(read.tsne.common_runs == 2 && read.tsne.common_points == 22);
        QVERIFY(read.pca.common_runs == 1 && read.pca.common_points == 0);
        QCOMPARE(read_embedding(folder / "run.h5", "test", "120").dimension, std::int64_t{2});
        CASP_SAYS(error_of([&] { (void)read_embedding(folder / "run.h5", "val"); }), "run.store_embeddings");
        QCOMPARE(read_similarity(folder / "run.h5", "test", "best", 1, 2).values,
                 part(record.similarity["test"]["best"].values, 5, 10));
    }

    /// What docs/run-file.md promises, seen from outside.
    void h5py_reads_names_types_and_values() {
        if (!python_has("h5py")) QSKIP("Python has no h5py");
        Folder folder;
        ArraysRecord arrays;
        arrays.forecast["test"] = forecast(3, 4, 2, 1);
        write_arrays_file(folder.path(), arrays);
        write_run_file(folder.path(), sample());
        const auto text = run_python(
            "import h5py, sys\n"
            "f = h5py.File(sys.argv[1], 'r')\n"
            "print(f.attrs['format_version'], f.attrs['state'], type(f.attrs['config']).__name__, "
            "f.attrs['hardware'])\n"
            "names = []\n"
            "f.visititems(lambda n, o: names.append(n + ' ' + str(o.shape) + ' ' + str(o.dtype)) "
            "if isinstance(o, h5py.Dataset) else None)\n"
            "print(len(names)); print('\\n'.join(names))\n"
            "print(f['/history/step/total'][39], f['/metrics/test/mse'][()], "
            "f['/data/channel_names'].asstr()[:])\n"
            "print(f['/forecast/test/prediction'][2].sum(), f['/forecast/test/selected'].dtype, "
            "f['/history/step/step'].fletcher32)\n",
            {QString::fromStdString((folder / "run.h5").string())});
        CASP_SAYS(text, "1 running str Prozessor ü\n");
        for (const char* line :
             {"history/step/step (40,) int64", "history/step/epoch (40,) int64",
              "history/step/gate_share (40,) float64", "history/epoch/val_mse (2,) float64",
              "anchors/snapshot_step (3,) int64", "anchors/usage_train (3, 12) int64",
              "anchors/coverage_statistic (3, 12) float32", "anchors/usage_test (12,) int64",
              "metrics/val/mse () float64", "metrics/test/key_cosine () float64",
              "metrics/test/last_value_mae () float64", "metrics/test/mse_per_channel (3,) float64",
              "metrics/test/mae_per_step (2,) float64", "data/channel_names (3,) object",
              "data/time (50,) float64"})
            CASP_SAYS(text, line);
        CASP_SAYS(text, "20.5 0.30000000000000004 ['HUFL' 'Größe' '']\n");
        CASP_SAYS(text, "86.0 int32 True");
    }
};

TEST_MAIN_WITHOUT_GUI(TestRunFile)
#include "test_run_file.moc"
