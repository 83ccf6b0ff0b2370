// --verify of a batch that the program has trained.

#include <cmath>

#include <QtTest>

#include "batch_fixture.h"
#include "core/evidence/digit_changes.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace fs = std::filesystem;

class TestVerifyCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("sweep.toml", test::small_experiment("store_forecasts = [\"val\", \"test\"]\n")
                                       .replace("epochs = 3", "epochs = 1\nmax_steps = 4"));
        VERIFY_CODE(place_.run({"--batch", "sweep.toml", "--out", "runs", "--set",
                                "sweep.loss.lambda_cov=[0.1, 0]", "--set", "sweep.train.seed=[1, 2]"}),
                    0);
    }

    void a_batch_verifies() {
        for (const char* folder : {"runs", "runs/sweep", "runs/sweep/"}) {
            expect_sound(folder);
            const auto r = place_.run({"--verify", folder});
            VERIFY_HAS(r.out, " numbers of 4 runs: all equal.", "Not checked: key_cosine");
            // Everything else is: the data file is here, and forecasts of both splits are stored.
            QVERIFY2(!r.out.contains("against the data") && !r.out.contains("against forecasts"),
                     r.out.constData());
            QVERIFY2(!r.out.contains("best.safetensors"), r.out.constData());
            QVERIFY2(!r.out.contains("not recomputed"), r.out.constData());  // of every metric of a split
        }
    }

    void one_run_verifies() {
        expect_sound("runs/sweep/lambda_cov-0_seed-2");
        VERIFY_CODE(place_.run({"--evaluate", "runs/sweep/lambda_cov-0_seed-2", "--data", "series.csv",
                                "--out", "elsewhere"}),
                    0);
        expect_sound("elsewhere");
    }

    void models_without_steps_verify() {
        VERIFY_CODE(place_.run({"--batch", "sweep.toml", "--out", "models", "--set",
                                "sweep.model.name=[\"naive\", \"ridge\", \"dlinear\"]"}),
                    0);
        QVERIFY(fs::exists(file("models/sweep/ranks.csv")));
        expect_sound("models");
        const auto r = place_.run({"--verify", "models", "--repeat", "100"});
        QVERIFY2(r.code == 0 && r.out.contains(" forecasts of 3 runs, to the bit."),
                 (r.out + r.err).constData());
    }

    void a_collection_verifies() {
        QByteArray csv = "unique_id,ds,y\n";
        for (int series = 0; series < 5; ++series)
            for (int i = 0; i < 30 + series; ++i)
                csv += "S" + QByteArray::number(series) + "," + QByteArray::number(1950 + i) + "," +
                       QByteArray::number(100 + 10 * series + std::sin(i * 0.7 + series) * 9, 'f', 3) + "\n";
        place_.write("collection.csv", csv);
        VERIFY_RUN(r, 0,
                   {"--batch", "sweep.toml", "--out", "collections", "--set", "model.name=naive", "--set",
                    "data.path=collection.csv", "--set", "data.frequency=Yearly", "--set", "data.lookback=12",
                    "--set", "data.horizon=6"});
        expect_sound("collections");
        const auto repeated = place_.run({"--verify", "collections", "--repeat", "100"});
        // Not written for collections: the persistence forecast of the held-out values.
        VERIFY_HAS(repeated.out, "Not checked: /metrics/val/last_value_mae is not recomputed",
                   "Not checked: /metrics/val/last_value_mse is not recomputed");
        QCOMPARE(repeated.out.count("not recomputed"), qsizetype{2});
        QVERIFY2(
            repeated.code == 0 &&
                repeated.out.contains("Repeated with the weights: 10 of 10 forecasts of 1 run, to the bit."),
            (repeated.out + repeated.err).constData());
        const auto submission = file("collections/sweep/single/submission.csv");
        QVERIFY(fs::exists(submission));
        auto text = verify_test::content(submission);
        text[text.find_last_of("0123456789")] ^= 1;
        verify_test::put(submission, text);
        VERIFY_RUN(changed, 1, {"--verify", "collections"});
        VERIFY_HAS(changed.out, "submission.csv: line 6 (S4), column F6: ");
    }

    /// A compressed file has the digest of its content: its runs are those of the plain file.
    void compressed_data_verify() {
        QCOMPARE(QProcess::execute("gzip", {"-k", place_.path("series.csv")}), 0);
        VERIFY_RUN(described, 0, {"--describe", "series.csv.gz"});
        VERIFY_HAS(described.out, "channels");
        for (const QString data : {"series.csv", "series.csv.gz"})
            VERIFY_CODE(place_.run({"--batch", "sweep.toml", "--out", "of-" + data, "--set",
                                    "model.name=\"dlinear\"", "--set", "data.path=\"" + data + "\""}),
                        0);
        const auto plain = store::read_run_file(file("of-series.csv/sweep/single/run.h5"));
        const auto packed = store::read_run_file(file("of-series.csv.gz/sweep/single/run.h5"));
        QCOMPARE(packed.attributes.dataset_sha256, plain.attributes.dataset_sha256);
        QVERIFY(!packed.attributes.dataset_sha256.empty());
        const auto results = place_.read("of-series.csv.gz/sweep/results.csv");
        VERIFY_HAS(results, "single,finished,series,");
        expect_sound("of-series.csv.gz");
        const auto repeated = place_.run({"--verify", "of-series.csv.gz", "--repeat", "100"});
        QVERIFY2(repeated.code == 0 && repeated.out.contains("to the bit"),
                 (repeated.out + repeated.err).constData());
        VERIFY_CODE(place_.run({"--batch", "sweep.toml", "--out", "of-series.csv.gz", "--set",
                                "model.name=\"dlinear\"", "--set", "data.path=\"series.csv.gz\""}),
                    0);  // already finished: the digest fits
        VERIFY_CODE(place_.run({"--evaluate", "of-series.csv.gz/sweep/single", "--data", "series.csv.gz",
                                "--out", "evaluated-gz"}),
                    0);
        expect_sound("evaluated-gz");
        QFile::remove(place_.path("series.csv.gz"));
    }

    /// From --archive, without unpacking, and with a changed digit in it.
    void a_packed_batch_verifies() {
        VERIFY_RUN(packed, 0, {"--archive", "runs/sweep", "--out", "packed/sweep.tar.gz"});
        QVERIFY2(packed.out.startsWith("packed/sweep.tar.gz: 4 runs, "), packed.out.constData());
        const auto before = QDir("/tmp").entryList({"caspstudio-*"}, QDir::Dirs);
        VERIFY_RUN(r, 0, {"--verify", "packed/sweep.tar.gz"});
        QCOMPARE(QDir("/tmp").entryList({"caspstudio-*"}, QDir::Dirs), before);  // removed
        const auto direct = place_.run({"--verify", "runs/sweep"});
        QCOMPARE(r.out.mid(r.out.lastIndexOf('\n', -2)), direct.out.mid(direct.out.lastIndexOf('\n', -2)));
        const auto results = batch() / "results.csv";
        const auto whole = verify_test::content(results);
        auto text = whole;
        text[text.find_last_of("0123456789")] ^= 1;
        verify_test::put(results, text);
        VERIFY_CODE(place_.run({"--archive", "runs", "--out", "packed/runs.tar.gz", "--omit", "weights"}), 0);
        verify_test::put(results, whole);
        VERIFY_RUN(changed, 1, {"--verify", "packed/runs.tar.gz"});
        VERIFY_HAS(changed.out, "packed/runs.tar.gz/runs/sweep/results.csv: line 5 ",
                   "Not checked: best.safetensors is not here");
        QVERIFY2(!changed.out.contains("/tmp/"), changed.out.constData());
        VERIFY_CODE(place_.run({"--archive", "packed", "--out", "a.tar.gz"}), 2);
        VERIFY_CODE(place_.run({"--archive", "runs/sweep", "--out", "runs/sweep/a.tar.gz"}), 2);
    }

    /// Folders, batches and runs with names in any script, in the locale that knows ASCII only.
    void an_archive_of_any_names() {
        const auto batch_folder = place_.path("Läufe λ/实验 🙂");
        QVERIFY(QDir().mkpath(batch_folder));
        fs::copy(batch() / "lambda_cov-0_seed-1", (batch_folder + "/λ_cov = 0").toStdString(),
                 fs::copy_options::recursive);
        const auto before = qgetenv("LC_ALL");
        for (const char* locale : {"C", "C.UTF-8"}) {
            qputenv("LC_ALL", locale);
            QVERIFY(QDir(place_.path("gepackt λ")).removeRecursively());
            const auto packed = place_.run({"--archive", "Läufe λ", "--out", "gepackt λ/α.tar.gz"});
            const auto r = place_.run({"--verify", "gepackt λ/α.tar.gz"});
            before.isEmpty() ? qunsetenv("LC_ALL") : qputenv("LC_ALL", before);
            VERIFY_CODE(packed, 0);
            VERIFY_CODE(r, 0);
            VERIFY_HAS(r.out, "(gepackt λ/α.tar.gz/Läufe λ/实验 🙂/λ_cov = 0)");
            QCOMPARE(QDir(place_.path("gepackt λ"))
                         .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                     QStringList{"α.tar.gz"});
        }
        QVERIFY(QDir(place_.path("Läufe λ")).removeRecursively());
    }

    /// A changed byte is a finding or an error; it never verifies unless no number depends on it.
    void a_damaged_archive_is_named() {
        VERIFY_CODE(place_.run({"--archive", "runs/sweep/lambda_cov-0_seed-1", "--out", "whole.tar.gz"}), 0);
        const auto whole = verify_test::content(file("whole.tar.gz"));
        verify_test::put(file("cut.tar.gz"), whole.substr(0, whole.size() / 2));
        VERIFY_RUN(cut, 2, {"--verify", "cut.tar.gz"});
        VERIFY_HAS(cut.err, "cut.tar.gz: the archive is damaged or not one: ");
        auto bytes = whole;
        bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 16);
        verify_test::put(file("changed.tar.gz"), bytes);
        const auto changed = place_.run({"--verify", "changed.tar.gz"});
        QVERIFY2(changed.code == 1 || changed.code == 2, (changed.out + changed.err).constData());
        VERIFY_HAS((changed.out + changed.err), "changed.tar.gz");
        place_.write("text.tar.gz", "no archive");
        VERIFY_RUN(text, 2, {"--verify", "text.tar.gz"});
        QVERIFY2(!text.err.contains("/tmp/"), text.err.constData());
    }

    /// paper-jaccard lists runs of paper-lambda; both hold a table of the paper.
    void shared_runs_and_paper_tables_verify() {
        QByteArray csv = "date,a,b\n";
        for (int r = 0; r < 600; ++r)
            csv += QByteArray::number(1577836800LL + 3600LL * r) + "," +
                   QByteArray::number(std::sin(r * 0.26) + 0.1 * std::cos(r * 1.7), 'f', 5) + "," +
                   QByteArray::number(std::cos(r * 0.5) + 0.2 * std::sin(r * 2.9), 'f', 5) + "\n";
        place_.write("cells.csv", csv);
        for (const char* name : {"lambda", "jaccard"}) {
            QStringList arguments{"--batch", QString("paper:") + name, "--out", "paper"};
            for (const char* set :
                 {"data.path=cells.csv", "data.split=[240,150,150]", "data.lookback=48",
                  "backbone.path=untrained", "backbone.layers=1", "backbone.width=12", "backbone.heads=2",
                  "backbone.vocabulary=60", "backbone.positions=64", "model.trend_length=13",
                  "model.seasonal_length=12", "train.epochs=1", "train.max_steps=2", "train.batch_size=8",
                  "run.device=cpu", "run.threads=1", "sweep.preset=[\"etth1-96\"]",
                  "sweep.loss.lambda_cov=[0, 0.1]", "sweep.train.seed=[2021, 2022]"})
                arguments << "--set" << set;
            VERIFY_CODE(place_.run(arguments), 0);
            VERIFY_CODE(place_.run({"--table", name, "paper", "--out", QString("paper/paper-") + name}), 0);
        }
        const auto shared = verify_test::content(file("paper/paper-jaccard/results.csv"));
        QVERIFY2(shared.find("../paper-lambda/") != std::string::npos, shared.c_str());
        QVERIFY(!fs::exists(file("paper/paper-jaccard/seed-2021")));
        for (const char* folder : {"paper", "paper/paper-lambda", "paper/paper-jaccard"})
            expect_sound(folder);

        // Digits of the tables of the batch without own runs, and of the paper's tables.
        std::vector<verify_test::Digit> digits;
        for (const auto& digit : verify_test::printed_digits(file("paper"))) {
            const auto name = digit.file.filename().string();
            const bool of_paper = name.starts_with("lambda.") || name.starts_with("jaccard.");
            if (of_paper || digit.file.parent_path().filename() == "paper-jaccard") digits.push_back(digit);
        }
        QVERIFY(digits.size() > 200);
        std::mt19937 random(5);
        for (int i = 0; i < 16; ++i) {
            const verify_test::ChangedDigit changed(digits, random);
            const auto r = place_.run({"--verify", "paper"});
            const auto name = changed.file().lexically_relative(file("paper").parent_path()).string();
            // The swept settings of shared rows are those of results.csv: there, the other tables contradict
            // them.
            const bool is_results = name.ends_with("/results.csv");
            QVERIFY2(r.code == 1 && r.out.contains(QByteArray::fromStdString(
                                        (is_results ? std::string() : name) + ": line ")),
                     (changed.place() + "\n" + r.out.toStdString()).c_str());
        }
        // A changed error of a shared run contradicts both batches.
        const auto run = file("paper/paper-lambda");
        fs::path status;
        for (const auto& entry : fs::directory_iterator(run))
            if (fs::exists(entry.path() / "run.json")) status = entry.path() / "run.json";
        const auto whole = verify_test::content(status);
        auto text = whole;
        const auto at = text.find_first_of("123456789", text.find("\"test_mse\": ") + 16);
        text[at] = text[at] == '5' ? '6' : '5';
        verify_test::put(status, text);
        const auto r = place_.run({"--verify", "paper/paper-jaccard"});
        verify_test::put(status, whole);
        QVERIFY2(r.code == 1 && r.out.contains("run.json: row, test_mse: "), r.out.constData());

        // An archive of the batch holds the runs that it shares.
        VERIFY_CODE(place_.run({"--archive", "paper/paper-jaccard", "--out", "jaccard.tar.gz"}), 0);
        const auto packed = place_.run({"--verify", "jaccard.tar.gz"});
        QVERIFY2(packed.code == 0 && packed.out.contains(" numbers of 4 runs: all equal."),
                 (packed.out + packed.err).constData());
    }

    void every_changed_digit_is_named() {
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

    /// The last bit of a prediction whose window errors stay the same.
    void repetition_finds_a_changed_forecast_bit() {
        const auto run = batch() / "lambda_cov-0_seed-1";
        const auto arrays = verify_test::content(run / "arrays.h5");
        const auto restore = qScopeGuard([&] { verify_test::put(run / "arrays.h5", arrays); });
        VERIFY_RUN(sound, 0, {"--verify", "runs", "--repeat", "100"});
        VERIFY_HAS(sound.out, " forecasts of 4 runs, to the bit.\n");
        QVERIFY2(!sound.out.contains("against the weights"), sound.out.constData());

        store::ArraysRecord record;
        for (const char* split : {"val", "test"})
            record.forecast[split] = store::read_forecast(run / "arrays.h5", split);
        auto& values = record.forecast["test"].prediction;
        std::size_t at = 1000;
        for (;; ++at) {
            QVERIFY(at < 1100);
            const auto before = values[at];
            values[at] = std::nextafter(before, 10.F);
            store::write_arrays_file(run, record);
            if (evidence::verify(run).findings.empty()) break;
            values[at] = before;
        }
        VERIFY_CODE(place_.run({"--verify", "runs"}), 0);
        VERIFY_RUN(found, 1, {"--verify", "runs", "--repeat", "100"});
        const auto cell = "[" + std::to_string(at / 48) + ", " + std::to_string(at / 2 % 24) + ", " +
                          std::to_string(at % 2) + "]: ";  // 24 steps of 2 channels
        QVERIFY2(found.out.startsWith(QByteArray::fromStdString(
                     "runs/sweep/lambda_cov-0_seed-1/arrays.h5: /forecast/test/prediction" + cell)),
                 found.out.constData());
        VERIFY_HAS(found.out, " 1 difference in 1 file.");
    }

    /// With another number of threads, and without weights or data.
    void other_threads_repeat_within_the_tolerance() {
        VERIFY_RUN(share, 0, {"--verify", "runs/sweep/lambda_cov-0_seed-1", "--repeat", "1"});
        VERIFY_HAS(share.out, "Repeated with the weights: 16 of ");  // a batch each
        VERIFY_CODE(place_.run({"--archive", "runs/sweep/lambda_cov-0_seed-1", "--out", "light.tar.gz",
                                "--omit", "weights"}),
                    0);
        VERIFY_RUN(light, 0, {"--verify", "light.tar.gz", "--repeat", "100"});
        VERIFY_HAS(light.out, "Not checked: forecasts against the weights: best.safetensors is not here");
        QVERIFY(QDir().mkpath(place_.path("moved")));
        fs::copy(batch() / "lambda_cov-0_seed-2", file("moved/run"), fs::copy_options::recursive);
        auto record = store::read_run_file(file("moved/run/run.h5"));
        record.attributes.hardware = "another processor";
        store::write_run_file(file("moved/run"), record);
        VERIFY_RUN(moved, 0, {"--verify", "moved", "--repeat", "100"});
        VERIFY_HAS(moved.out, " of 1 run, within 0.0001");
        store::ArraysRecord arrays;
        for (const char* split : {"val", "test"})
            arrays.forecast[split] = store::read_forecast(file("moved/run/arrays.h5"), split);
        arrays.forecast["test"].prediction[7] += 0.001F;
        store::write_arrays_file(file("moved/run"), arrays);
        VERIFY_RUN(changed, 1, {"--verify", "moved", "--repeat", "100"});
        VERIFY_HAS(changed.out, "moved/run/arrays.h5: /forecast/test/prediction[0, 3, 1]: ");
        QVERIFY(QFile::rename(place_.path("series.csv"), place_.path("away.csv")));
        const auto no_data = place_.run({"--verify", "runs", "--repeat", "5"});
        QVERIFY(QFile::rename(place_.path("away.csv"), place_.path("series.csv")));
        VERIFY_CODE(no_data, 0);
        VERIFY_HAS(no_data.out, "Not checked: forecasts against the weights: ");
    }

    void figures_verify() {
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

    void bad_requests() {
        QVERIFY(QDir().mkpath(place_.path("empty")));
        VERIFY_RUN(empty, 2, {"--verify", "empty"});
        VERIFY_HAS(empty.err, "no run is in this folder");
        VERIFY_CODE(place_.run({"--verify", "nowhere"}), 2);
        VERIFY_CODE(place_.run({"--verify", "runs", "--out", "tables"}), 2);
        VERIFY_CODE(place_.run({"--verify", "runs", "runs"}), 2);
    }

private:
    [[nodiscard]] fs::path file(const QString& name) const { return place_.path(name).toStdString(); }
    [[nodiscard]] fs::path batch() const { return file("runs/sweep"); }

    void expect_sound(const QString& folder) const {
        const auto before = verify_test::digests(file(folder));
        const auto r = place_.run({"--verify", folder});
        QVERIFY2(r.code == 0, (r.out + r.err).constData());
        VERIFY_HAS(r.out, ": all equal.\n");
        QCOMPARE(verify_test::digests(file(folder)), before);
    }

    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestVerifyCommand)
#include "test_verify_command.moc"
