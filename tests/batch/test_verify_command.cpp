// --verify of a batch that the program has trained.

#include <cstring>

#include <QtTest>

#include "batch_fixture.h"
#include "core/evidence/digit_changes.h"
#include "store/run_archive.h"
#include "store/run_folder.h"

using namespace casp;

namespace {

namespace fs = std::filesystem;

/// Position of the beginning of a value in the file's bytes.
template <class T>
std::size_t position_of(const std::string& bytes, T value) {
    std::string pattern(sizeof(T), '\0');
    std::memcpy(pattern.data(), &value, sizeof(T));
    return bytes.find(pattern);
}

}  // namespace

class TestVerifyCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void a_batch_verifies();
    void one_run_verifies();
    void models_without_steps_verify();
    void a_collection_verifies();
    void an_archive_verifies_elsewhere();
    void every_changed_digit_is_named();
    void the_program_names_changed_digits();
    void a_changed_forecast_is_named();
    void a_changed_byte_is_named();
    void figures_verify();
    void bad_requests();

private:
    [[nodiscard]] fs::path file(const QString& name) const { return place_.path(name).toStdString(); }
    [[nodiscard]] fs::path batch() const { return file("runs/sweep"); }
    void expect_sound(const QString& folder) const;

    test::Workplace place_;
};

void TestVerifyCommand::initTestCase() {
    QVERIFY(place_.valid());
    QVERIFY2(QFile::exists(CASP_EXECUTABLE), "build the target caspstudio first");
    place_.write("series.csv", test::small_csv());
    place_.write("sweep.toml", test::small_experiment("store_forecasts = [\"val\", \"test\"]\n")
                                   .replace("epochs = 3", "epochs = 1\nmax_steps = 4"));
    VERIFY_CODE(place_.run({"--batch", "sweep.toml", "--out", "runs", "--set",
                            "sweep.loss.lambda_cov=[0.1, 0]", "--set", "sweep.train.seed=[1, 2]"}),
                0);
}

void TestVerifyCommand::expect_sound(const QString& folder) const {
    const auto before = verify_test::digests(file(folder));
    const auto r = place_.run({"--verify", folder});
    QVERIFY2(r.code == 0, (r.out + r.err).constData());
    QVERIFY2(r.out.contains(": all equal.\n"), r.out.constData());
    QCOMPARE(verify_test::digests(file(folder)), before);
}

void TestVerifyCommand::a_batch_verifies() {
    for (const char* folder : {"runs", "runs/sweep", "runs/sweep/"}) {
        expect_sound(folder);
        const auto r = place_.run({"--verify", folder});
        QVERIFY2(r.out.contains(" numbers of 4 runs: all equal."), r.out.constData());
        QVERIFY2(r.out.contains("Not checked: key_cosine"), r.out.constData());
        // Everything else is: the data file is here, and forecasts of both splits are stored.
        QVERIFY2(!r.out.contains("against the data") && !r.out.contains("against forecasts"),
                 r.out.constData());
        QVERIFY2(!r.out.contains("best.safetensors"), r.out.constData());
    }
}

void TestVerifyCommand::one_run_verifies() {
    expect_sound("runs/sweep/lambda_cov-0_seed-2");
    VERIFY_CODE(place_.run({"--evaluate", "runs/sweep/lambda_cov-0_seed-2", "--data", "series.csv", "--out",
                            "elsewhere"}),
                0);
    expect_sound("elsewhere");
}

void TestVerifyCommand::models_without_steps_verify() {
    VERIFY_CODE(place_.run({"--batch", "sweep.toml", "--out", "models", "--set",
                            "sweep.model.name=[\"naive\", \"ridge\", \"dlinear\"]"}),
                0);
    QVERIFY(fs::exists(file("models/sweep/ranks.csv")));
    expect_sound("models");
}

void TestVerifyCommand::a_collection_verifies() {
    QByteArray csv = "unique_id,ds,y\n";
    for (int series = 0; series < 5; ++series)
        for (int i = 0; i < 30 + series; ++i)
            csv += "S" + QByteArray::number(series) + "," + QByteArray::number(1950 + i) + "," +
                   QByteArray::number(100 + 10 * series + std::sin(i * 0.7 + series) * 9, 'f', 3) + "\n";
    place_.write("collection.csv", csv);
    const auto r = place_.run({"--batch", "sweep.toml", "--out", "collections", "--set", "model.name=naive",
                               "--set", "data.path=collection.csv", "--set", "data.frequency=Yearly", "--set",
                               "data.lookback=12", "--set", "data.horizon=6"});
    VERIFY_CODE(r, 0);
    expect_sound("collections");
    const auto submission = file("collections/sweep/single/submission.csv");
    QVERIFY(fs::exists(submission));
    auto text = verify_test::content(submission);
    text[text.find_last_of("0123456789")] ^= 1;
    verify_test::put(submission, text);
    const auto changed = place_.run({"--verify", "collections"});
    VERIFY_CODE(changed, 1);
    QVERIFY2(changed.out.contains("submission.csv: line 6 (S4), column F6: "), changed.out.constData());
}

void TestVerifyCommand::an_archive_verifies_elsewhere() {
    store::ArchiveOptions options;
    options.weights = false;
    QVERIFY(QDir().mkpath(place_.path("stranger")));
    store::write_archive(batch() / "lambda_cov-0.1_seed-1", file("stranger/run.tar.gz"), options);
    QProcess tar;
    tar.start("tar", {"-xzf", place_.path("stranger/run.tar.gz"), "-C", place_.path("stranger")});
    QVERIFY(tar.waitForFinished(60000) && tar.exitCode() == 0);
    expect_sound("stranger/lambda_cov-0.1_seed-1");
    const auto r = place_.run({"--verify", "stranger"});
    VERIFY_CODE(r, 0);
    QVERIFY2(r.out.contains("Not checked: best.safetensors is not here"), r.out.constData());
    const auto packed = place_.run({"--verify", "stranger/run.tar.gz"});
    VERIFY_CODE(packed, 2);
    QVERIFY2(packed.err.contains("Unpack an archive first"), packed.err.constData());
}

void TestVerifyCommand::every_changed_digit_is_named() {
    const auto digits = verify_test::printed_digits(batch());
    QVERIFY(digits.size() > 1000);
    std::mt19937 random(20260);
    for (int i = 0; i < 500; ++i) {
        const verify_test::ChangedDigit changed(digits, random);
        const auto result = evidence::verify(batch());
        QVERIFY2(verify_test::names(result, changed.file()),
                 (changed.place() + "\n" + verify_test::text_of(result)).c_str());
    }
    QVERIFY(evidence::verify(batch()).findings.empty());
}

void TestVerifyCommand::the_program_names_changed_digits() {
    const auto digits = verify_test::printed_digits(batch());
    std::mt19937 random(7);
    for (int i = 0; i < 20; ++i) {
        const verify_test::ChangedDigit changed(digits, random);
        const auto r = place_.run({"--verify", "runs"});
        const auto name = changed.file().lexically_relative(file("runs").parent_path()).string();
        QVERIFY2(r.code == 1 && r.out.contains(QByteArray::fromStdString(name + ": ")),
                 (changed.place() + "\n" + r.out.toStdString() + r.err.toStdString()).c_str());
    }
}

void TestVerifyCommand::a_changed_forecast_is_named() {
    const auto run = batch() / "lambda_cov-0_seed-1";
    const auto arrays = verify_test::content(run / "arrays.h5");
    store::ArraysRecord record;
    for (const char* split : {"val", "test"})
        record.forecast[split] = store::read_forecast(run / "arrays.h5", split);
    store::write_arrays_file(run, record);
    expect_sound("runs");  // rewritten
    for (auto* values : {&record.forecast["test"].prediction, &record.forecast["val"].truth}) {
        const auto before = (*values)[5];
        (*values)[5] += 0.001F;
        store::write_arrays_file(run, record);
        const auto r = place_.run({"--verify", "runs"});
        VERIFY_CODE(r, 1);
        const auto lines = r.out_lines();
        QVERIFY2(lines.front().startsWith("runs/sweep/lambda_cov-0_seed-1/arrays.h5: /forecast/"),
                 r.out.constData());
        for (const auto& line : lines)
            QVERIFY2(line.startsWith("Not checked") || line.contains("arrays.h5") || line == lines.back(),
                     r.out.constData());
        QVERIFY2(lines.back().endsWith(" in 1 file."), r.out.constData());
        (*values)[5] = before;
    }
    verify_test::put(run / "arrays.h5", arrays);
    expect_sound("runs");
}

void TestVerifyCommand::a_changed_byte_is_named() {
    const auto run = batch() / "lambda_cov-0_seed-1";
    const auto prediction = store::read_forecast(run / "arrays.h5", "test").prediction[5];
    const auto mse = store::read_run_file(run / "run.h5").test->mse;
    const std::map<std::string, std::size_t> positions{
        {"arrays.h5", position_of(verify_test::content(run / "arrays.h5"), prediction)},
        {"run.h5", position_of(verify_test::content(run / "run.h5"), mse)},
        {"best.safetensors", verify_test::content(run / "best.safetensors").size() - 1}};
    for (const auto& [name, at] : positions) {
        const auto before = verify_test::content(run / name);
        QVERIFY(at < before.size());
        auto bytes = before;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        verify_test::put(run / name, bytes);
        const auto r = place_.run({"--verify", "runs"});
        VERIFY_CODE(r, 1);
        QVERIFY2(r.out.startsWith(QByteArray::fromStdString("runs/sweep/lambda_cov-0_seed-1/" + name + ": ")),
                 r.out.constData());
        QVERIFY2(r.out.contains(" 1 difference in 1 file."), r.out.constData());
        verify_test::put(run / name, before);
    }
    expect_sound("runs");
}

void TestVerifyCommand::figures_verify() {
#ifdef CASP_WITH_GUI
    VERIFY_CODE(
        place_.run({"--batch", "sweep.toml", "--out", "drawn", "--set", "sweep.loss.lambda_cov=[0.1, 0]",
                    "--figures", "validation,loss-terms,concentration,forecast,sensitivity:test_mae"}),
        0);
    expect_sound("drawn");
    const auto r = place_.run({"--verify", "drawn"});
    QVERIFY2(!r.out.contains("figures"), r.out.constData());
    std::vector<verify_test::Digit> digits;
    for (const auto& digit : verify_test::printed_digits(file("drawn/sweep/figures")))
        digits.push_back(digit);
    QVERIFY(digits.size() > 100);
    std::mt19937 random(11);
    for (int i = 0; i < 10; ++i) {
        const verify_test::ChangedDigit changed(digits, random);
        const auto found = place_.run({"--verify", "drawn"});
        const auto name = "figures/" + changed.file().filename().string() + ": line ";
        QVERIFY2(found.code == 1 && found.out.contains(QByteArray::fromStdString(name)),
                 (changed.place() + "\n" + found.out.toStdString()).c_str());
    }
#else
    QSKIP("this build draws no figures");
#endif
}

void TestVerifyCommand::bad_requests() {
    QVERIFY(QDir().mkpath(place_.path("empty")));
    const auto empty = place_.run({"--verify", "empty"});
    VERIFY_CODE(empty, 2);
    QVERIFY2(empty.err.contains("no run is in this folder"), empty.err.constData());
    VERIFY_CODE(place_.run({"--verify", "nowhere"}), 2);
    VERIFY_CODE(place_.run({"--verify", "runs", "--out", "tables"}), 2);
    VERIFY_CODE(place_.run({"--verify", "runs", "runs"}), 2);
}

QTEST_GUILESS_MAIN(TestVerifyCommand)
#include "test_verify_command.moc"
