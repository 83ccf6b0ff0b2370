// Runs that do not fit into memory: refused before anything is taken, or told with a way out, on the CPU.
#include <sys/resource.h>
#include <unistd.h>

#include <torch/torch.h>

#include "inspect/checkpoint_evaluation.h"
#include "inspect/window_embeddings.h"
#include "test_program.h"
#include "train/estimate.h"
#include "train_fixture.h"
#include "util/out_of_memory.h"

using namespace casp;
using casp::test::run_in;
namespace fs = std::filesystem;

#if defined(CASP_SANITIZES_MEMORY) || defined(CASP_SANITIZES_THREADS)
constexpr bool has_shadow_memory = true;
#else
constexpr bool has_shadow_memory = false;
#endif

namespace {

std::int64_t advised_batch(const QString& message) {
    const auto match = QRegularExpression("Set train.batch_size to (\\d+) or less").match(message);
    return match.hasMatch() ? match.captured(1).toLongLong() : -1;
}

/// The error of a run; an empty text where it has none.
QString told(const fs::path& folder, const config::Config& config, train::TrainObserver& observer) {
    train::StopControl stop;
    try {
        (void)run::run({{"memory", config, {}, folder}, true}, observer, stop);
    } catch (const Error& problem) {
        return QString::fromUtf8(problem.what());
    } catch (const std::exception& problem) {
        return "not a friendly error: " + QString::fromUtf8(problem.what());
    }
    return {};
}

/// From tighten() on the process may have `bytes` of addresses more than it has.
class AddressLimit {
public:
    explicit AddressLimit(std::int64_t bytes) : bytes_(bytes) { getrlimit(RLIMIT_AS, &before_); }
    ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
    AddressLimit(const AddressLimit&) = delete;
    AddressLimit& operator=(const AddressLimit&) = delete;

    void tighten() {
        std::ifstream statm("/proc/self/statm");
        std::int64_t pages = 0;
        statm >> pages;
        auto limit = before_;
        limit.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + bytes_);
        setrlimit(RLIMIT_AS, &limit);
    }

private:
    std::int64_t bytes_;
    rlimit before_{};
};

/// Little memory from the first step on.
class TightMemory : public test::Probe {
public:
    explicit TightMemory(std::int64_t bytes) : limit_(bytes) {}
    void on_started(const train::RunStarted& report) override {
        test::Probe::on_started(report);
        limit_.tighten();
    }

private:
    AddressLimit limit_;
};

}  // namespace

class TestMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(dir_.isValid());
        config_ = test::small_config(test::write_csv(dir_.filePath("data.csv").toStdString(), 1200, 3));
        config_.train.epochs = 1;
    }

    void run_that_cannot_fit_is_refused() {
        auto config = config_;
        // A thousand blocks: little to store, and activations of far more than any machine has for 700
        // windows.
        config.backbone.layers = 1000;
        config.backbone.width = 96;
        config.backbone.heads = 6;
        config.backbone.positions = 128;
        config.model.patch_stride = 1;
        config.model.patch_length = 8;
        config.model.head_ways = 1;
        config.train.batch_size = 700;
        const auto folder = fs::path(dir_.filePath("refused").toStdString());
        test::Probe probe;
        const auto message = told(folder, config, probe);
        QVERIFY2(message.contains("a training step needs about"), qPrintable(message));
        const auto advised = advised_batch(message);
        QVERIFY2(advised >= 1 && advised < 700, qPrintable(message));
        QVERIFY(!fs::exists(folder));
    }

    /// Each answer names a smaller batch; following them leads to one that fits.
    void out_of_memory_suggests_a_smaller_batch() {
        if (has_shadow_memory) QSKIP("a sanitizer's shadow memory needs the addresses");
        auto config = config_;
        config.backbone.layers = 2;
        config.backbone.width = 96;
        config.backbone.heads = 6;
        config.train.batch_size = 700;
        config.train.max_steps = 2;
        const auto folder = fs::path(dir_.filePath("tight").toStdString());
        QString message;
        int refusals = 0;
        for (; refusals < 12; ++refusals) {
            {
                TightMemory tight(std::int64_t{64} << 20);  // given back at the end of this block
                message = told(folder, config, tight);
            }
            if (message.isEmpty()) break;
            QVERIFY2(message.contains("out of memory"), qPrintable(message));
            const auto status = store::read_run_status(store::RunFolder(folder));
            QVERIFY(status && status->row.state == store::RunState::failed && !status->message.empty());
            const auto advised = advised_batch(message);
            QVERIFY2(advised >= 1 && advised < config.train.batch_size, qPrintable(message));
            config.train.batch_size = advised;
            fs::remove_all(folder);  // other settings
        }
        QVERIFY2(message.isEmpty(), qPrintable(message));
        QVERIFY2(refusals > 0, "there was memory enough for the largest batch: the test tests nothing");
        QVERIFY(store::read_run_status(store::RunFolder(folder))->row.state == store::RunState::finished);
    }

    /// As in training: each answer names a smaller batch, and one of them fits.
    void an_evaluation_names_a_batch_that_fits() {
        if (has_shadow_memory) QSKIP("a sanitizer's shadow memory needs the addresses");
        const auto run = trained();
        const auto out = fs::path(dir_.filePath("out").toStdString());
        std::int64_t batch = 700;
        int refusals = 0;
        for (; refusals < 12; ++refusals) {
            QString message;
            test::Probe probe;
            AddressLimit limit(std::int64_t{24} << 20);
            limit.tighten();
            try {
                const auto row = inspect::evaluate_checkpoint(
                    {run, {}, out, {"train.batch_size=" + std::to_string(batch)}}, probe, probe.stop);
                QCOMPARE(row.state, store::RunState::finished);
                break;
            } catch (const Error& problem) {
                QCOMPARE(problem.kind(), ErrorKind::run);
                message = QString::fromUtf8(problem.what());
            }
            QVERIFY2(message.startsWith("the evaluation: out of memory: ") &&
                         !message.contains("Allocator") && !message.contains("frame #"),
                     qPrintable(message));
            const auto advised = advised_batch(message);
            QVERIFY2(advised >= 1 && advised < batch, qPrintable(message));
            batch = advised;
            // Nothing half-made is left.
            if (fs::exists(out / "evaluations"))
                for (const auto& entry : fs::directory_iterator(out / "evaluations"))
                    QVERIFY(!fs::exists(entry.path() / "run.h5"));
        }
        QVERIFY2(refusals > 0, "there was memory enough for the largest batch: the test tests nothing");
        QVERIFY2(refusals < 12, "no advice led to a batch that fits");
    }

    void an_evaluation_that_cannot_fit_is_refused() {
        model::Estimate estimate;
        estimate.parameters_total = std::int64_t{1} << 20;  // 4 MiB
        estimate.evaluation_bytes_per_row = std::int64_t{1} << 20;
        const auto told_of = [&](std::int64_t windows, std::int64_t available) -> std::string {
            try {
                train::check_evaluation_memory(
                    estimate, windows, 3, available << 20,
                    [](std::int64_t fitting) { return "Take " + std::to_string(fitting) + " windows."; });
            } catch (const Error& problem) {
                return problem.kind() == ErrorKind::input ? problem.what() : "another kind of error";
            }
            return {};
        };
        QCOMPARE(told_of(8, 20),
                 std::string("the evaluation: it needs at least 28 MiB, 4 MiB for the model and "
                             "the rest for 8 windows at once; expected no more than the 20 MiB "
                             "that are free. Take 5 windows."));
        QCOMPARE(told_of(5, 20), std::string());
        QVERIFY(
            told_of(1, 6).ends_with("for 1 window; expected no more than the 6 MiB that are free. "
                                    "Take 0 windows."));
        QVERIFY(told_of(1, 3).ends_with("Take -1 windows."));
        QCOMPARE(told_of(8, 28), std::string());
        QCOMPARE(told_of(1000, 0), std::string());  // how much is free cannot be told
        estimate.evaluation_bytes_per_row = INT64_MAX / 2;
        QVERIFY(!told_of(8, 20).empty());  // no overflow makes it fit
    }

    /// More than any machine has, and known before the weights are read.
    void oversized_evaluation_creates_nothing() {
        const auto out = fs::path(dir_.filePath("nothing").toStdString());
        test::Probe probe;
        try {
            (void)inspect::evaluate_checkpoint(
                {trained(), {}, out, {"backbone.layers=1000", "backbone.width=65536", "backbone.heads=64"}},
                probe, probe.stop);
            QFAIL("it was evaluated");
        } catch (const Error& problem) {
            const auto message = QString::fromUtf8(problem.what());
            QVERIFY2(problem.kind() == ErrorKind::input, qPrintable(message));
            QVERIFY2(message.startsWith("the evaluation: it needs at least ") &&
                         message.contains("Data and model alone do not fit. "),
                     qPrintable(message));
        }
        QVERIFY(!fs::exists(out));
    }

    /// As LibTorch itself says it, from within the work.
    void embeddings_report_out_of_memory() {
        const auto exhaust = [] { (void)at::empty({std::int64_t{1} << 50}); };
        inspect::EmbeddingRequest request;
        request.run = trained();
        const auto message_of = [](const auto& work) {
            try {
                work();
            } catch (const Error& problem) {
                return (problem.kind() == ErrorKind::run ? "" : "no failure of a run: ") +
                       QString::fromUtf8(problem.what());
            } catch (const std::exception& problem) {
                return "not a friendly error: " + QString::fromUtf8(problem.what());
            }
            return QString("no error");
        };
        const auto collected = message_of(
            [&] { (void)inspect::compute_embeddings(request, [&](const Progress&) { exhaust(); }); });
        const auto streamed = message_of(
            [&] { (void)inspect::stream_embeddings(request, [&](const store::Embeddings&) { exhaust(); }); });
        for (const auto& message : {collected, streamed}) {
            const auto begin =
                QString::fromStdString(request.run.string()) + ": out of memory: can't allocate";
            QVERIFY2(message.startsWith(begin), qPrintable(message));
            QVERIFY2(message.contains("Request fewer channels"), qPrintable(message));
            QVERIFY2(!message.contains("Allocator") && !message.contains("frame #"), qPrintable(message));
        }
        QVERIFY(collected.contains("fewer windows") && !streamed.contains("fewer windows"));
        // Where nobody put it into words before it is told.
        try {
            exhaust();
            QFAIL("there was memory");
        } catch (const std::exception& problem) {
            const auto words = QString::fromStdString(casp::plain_message(problem));
            QVERIFY2(words.startsWith("out of memory: can't allocate"), qPrintable(words));
        }
    }

    void embeddings_that_cannot_fit_are_refused() {
        const auto told_of = [](std::int64_t bytes, std::int64_t available) -> std::string {
            try {
                inspect::check_memory(
                    {10, 3, bytes << 20U}, available << 20U, "here",
                    [](std::int64_t windows) { return "Ask for " + std::to_string(windows) + " windows."; });
            } catch (const Error& problem) {
                return problem.kind() == ErrorKind::input ? problem.what() : "another kind of error";
            }
            return {};
        };
        QCOMPARE(told_of(1000, 500),
                 std::string("here: the embeddings of 10 windows and 3 channels take 1000 "
                             "MiB, and 500 MiB are free. Ask for 4 windows."));
        QVERIFY(!told_of(460, 500).empty());  // a tenth stays free
        QVERIFY(told_of(440, 500).empty());
        QVERIFY(told_of(1000, 0).empty());  // how much is free cannot be told
    }

private:
    /// A finished run whose evaluation takes much: many tokens, few steps.
    [[nodiscard]] fs::path trained() const {
        auto config = config_;
        config.backbone.layers = 2;
        config.backbone.width = 192;
        config.backbone.heads = 6;
        config.backbone.positions = 128;
        config.model.patch_stride = 1;
        config.model.patch_length = 8;
        config.model.head_ways = 1;
        config.train.batch_size = 8;
        config.train.max_steps = 1;
        config.run.store_forecasts = {};
        auto folder = fs::path(dir_.filePath("trained").toStdString());
        if (!fs::exists(folder / "best.safetensors")) {
            test::Probe probe;
            const auto message = told(folder, config, probe);
            if (!message.isEmpty()) qFatal("%s", qPrintable(message));
        }
        return folder;
    }

    QTemporaryDir dir_;
    config::Config config_;
};

TEST_MAIN_WITHOUT_GUI(TestMemory)
#include "test_memory.moc"
