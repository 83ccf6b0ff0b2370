// What an older version of the program left half done goes on with this one
// (tests/golden/older_run/README.md).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <QtTest>

#include "batch_fixture.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t done = 12, all = 24;  // steps

template <class T>
bool begins_with(const std::vector<T>& whole, const std::vector<T>& part) {
    return whole.size() >= part.size() && !part.empty() &&
           std::memcmp(whole.data(), part.data(), part.size() * sizeof(T)) == 0;
}

/// The largest difference, relative to the expected values; infinite where it is none.
double difference(const std::vector<double>& found, const std::vector<double>& expected) {
    if (found.size() != expected.size()) return HUGE_VAL;
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double here = std::abs(found[i] / expected[i] - 1);
        worst = std::isfinite(here) ? std::max(worst, here) : HUGE_VAL;
    }
    return worst;
}

QByteArray bytes_of(const fs::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Names and contents of all files of a folder but its lock.
std::map<std::string, QByteArray> content_of(const fs::path& folder) {
    std::map<std::string, QByteArray> all_files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().filename() != ".lock")
            all_files[fs::relative(entry.path(), folder).string()] = bytes_of(entry.path());
    return all_files;
}

}  // namespace

class TestOlderRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // The data travel with the run, and lie at another place than when it began.
        for (const char* file : {"series.csv", "study.toml"})
            fs::copy_file(fixture_ / file, place_.path(file).toStdString());
    }

    /// Else the tests below would show nothing.
    void fixture_is_an_unfinished_older_run() {
        const auto state =
            nlohmann::json::parse(bytes_of(fixture_ / "single/last/gen-12/state.json").toStdString());
        QCOMPARE(state.at("step").get<std::size_t>(), done);
        QVERIFY2(!state.contains("fork_step"), "a version that writes this is not the older one");
        QVERIFY(state.at("config").get<std::string>().find("path = \"/home/researcher/study/series.csv\"") !=
                std::string::npos);
        const auto record = store::read_run_file(fixture_ / "single/run.h5");
        QVERIFY(record.attributes.state == store::RunState::interrupted);
        QCOMPARE(record.steps.step.size(), done);
        QCOMPARE(record.epochs.epoch, std::vector<std::int64_t>{1});
        QCOMPARE(record.anchors.snapshot_step, (std::vector<std::int64_t>{5, 10}));
        QVERIFY(!record.test.has_value());
    }

    void older_run_resumes_to_the_end() {
        const auto run = copy_of_run("older");
        VERIFY_RUN(r, 0, {"--batch", "study.toml", "--out", "older", "--resume"});
        VERIFY_HAS(r.err, "continuing after step 12");

        const auto former = store::read_run_file(fixture_ / "single/run.h5");
        const auto now = store::read_run_file(run / "run.h5");
        // What was there is there, bit by bit.
        QVERIFY(begins_with(now.steps.step, former.steps.step));
        QVERIFY(begins_with(now.steps.epoch, former.steps.epoch));
        for (const auto column :
             {&store::StepHistory::learning_rate, &store::StepHistory::forecast, &store::StepHistory::total,
              &store::StepHistory::gate_share, &store::StepHistory::seconds})
            QVERIFY(begins_with(now.steps.*column, former.steps.*column));
        for (const auto* term : {"similarity", "coverage"})
            QVERIFY(begins_with(*now.steps.find_term(term), *former.steps.find_term(term)));
        for (const auto column : {&store::EpochHistory::val_mse, &store::EpochHistory::val_mae,
                                  &store::EpochHistory::train_forecast, &store::EpochHistory::seconds})
            QVERIFY(begins_with(now.epochs.*column, former.epochs.*column));
        QVERIFY(begins_with(now.anchors.snapshot_step, former.anchors.snapshot_step));
        QVERIFY(begins_with(now.anchors.usage_train, former.anchors.usage_train));
        QVERIFY(begins_with(now.anchors.coverage_statistic, former.anchors.coverage_statistic));
        QCOMPARE(now.attributes.created, former.attributes.created);
        const auto log = bytes_of(run / "log.txt");
        QVERIFY2(log.startsWith(bytes_of(fixture_ / "single/log.txt")), log.constData());

        // The rest is what the older program would have made of it, but for rounding.
        const auto whole = store::read_run_file(fixture_ / "undisturbed.h5");
        QCOMPARE(now.steps.step.size(), all);
        QCOMPARE(now.steps.step, whole.steps.step);
        QCOMPARE(now.steps.epoch, whole.steps.epoch);
        QCOMPARE(now.steps.learning_rate, whole.steps.learning_rate);
        constexpr double bound = 1e-4;
        QVERIFY(difference(now.steps.total, whole.steps.total) <= bound);
        QVERIFY(difference(now.steps.forecast, whole.steps.forecast) <= bound);
        QVERIFY(difference(now.epochs.val_mse, whole.epochs.val_mse) <= bound);
        QCOMPARE(now.anchors.snapshot_step, whole.anchors.snapshot_step);
        QCOMPARE(now.attributes.best_step, whole.attributes.best_step);
        QVERIFY(now.test.has_value() && whole.test.has_value());
        QVERIFY(difference({now.test->mse, now.test->mae}, {whole.test->mse, whole.test->mae}) <= bound);
        QVERIFY(difference(now.test->mse_per_step, whole.test->mse_per_step) <= bound);

        QVERIFY(now.attributes.state == store::RunState::finished);
        QCOMPARE(now.attributes.dataset_sha256, former.attributes.dataset_sha256);
        QVERIFY2(now.attributes.config.find(place_.path("series.csv").toStdString()) != std::string::npos,
                 "the place of the data as it is now");
        QVERIFY(!fs::exists(run / "last"));
        QVERIFY(place_.read("older/study/results.csv").contains("\nsingle,finished,series,"));
    }

    void resumed_run_is_not_trained_again() {
        const auto before = content_of(place_.path("older/study/single").toStdString());
        QVERIFY(before.size() >= 6);
        VERIFY_RUN(r, 0, {"--batch", "study.toml", "--out", "older", "--resume"});
        VERIFY_HAS(r.err, "is already finished");
        QVERIFY(content_of(place_.path("older/study/single").toStdString()) == before);
    }

    void older_run_requires_resume_and_equal_settings() {
        const auto run = copy_of_run("refused");
        VERIFY_RUN(plain, 2, {"--batch", "study.toml", "--out", "refused"});
        VERIFY_HAS(plain.err, "--resume");
        VERIFY_RUN(other, 2,
                   {"--batch", "study.toml", "--out", "refused", "--resume", "--set", "loss.lambda_cov=0.2"});
        VERIFY_HAS(other.err, "loss.lambda_cov was 0.1, is now 0.2");
        QVERIFY(content_of(run) == content_of(fixture_ / "single"));
    }

    void older_weights_can_be_evaluated() {
        const auto run = QString::fromStdString((fixture_ / "single").string());
        VERIFY_RUN(r, 0, {"--evaluate", run, "--data", "series.csv", "--out", "elsewhere"});
        const auto found = store::read_run_file(
            place_.path("elsewhere/evaluations/older_run-single_series/run.h5").toStdString());
        // Its best epoch is its only one.
        const auto former = store::read_run_file(fixture_ / "single/run.h5");
        QVERIFY(difference({found.val->mse, found.val->mae},
                           {former.epochs.val_mse[0], former.epochs.val_mae[0]}) <= 1e-6);
    }

    void older_run_can_be_forked() {
        const auto parent = copy_of_run("parent");
        const auto before = content_of(parent);
        VERIFY_RUN(r, 0,
                   {"--batch", "study.toml", "--out", "fork", "--set",
                    QString::fromStdString("train.continue_from=\"" + parent.string() + "\""), "--set",
                    "loss.lambda_cov=0.3"});
        const auto former = store::read_run_file(fixture_ / "single/run.h5");
        const auto fork = store::read_run_file(place_.path("fork/study/single/run.h5").toStdString());
        QVERIFY(begins_with(fork.steps.total, former.steps.total));
        QCOMPARE(fork.steps.step.size(), all);
        // The same weights and the same batch, then another weight of the term.
        const auto whole = store::read_run_file(fixture_ / "undisturbed.h5");
        QVERIFY(std::abs(fork.steps.forecast[done] / whole.steps.forecast[done] - 1) < 1e-4);
        QVERIFY(fork.steps.total[done] > whole.steps.total[done]);
        QVERIFY(content_of(parent) == before);
    }

private:
    /// A folder as --out would have it, with a copy of the older run in it; returns the run's folder.
    fs::path copy_of_run(const char* out) const {
        const auto run = fs::path(place_.path(out).toStdString()) / "study" / "single";
        fs::create_directories(run.parent_path());
        fs::copy(fixture_ / "single", run, fs::copy_options::recursive);
        return run;
    }

    fs::path fixture_ = fs::path(CASP_SOURCE_DIR) / "tests/golden/older_run";
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestOlderRun)
#include "test_older_run.moc"
