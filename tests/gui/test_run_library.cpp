// The runs of a folder: files, other processes, this process's queue, marks and the wastebasket.
#include <fcntl.h>

#include <cstdio>  // renameat2

#include <QtTest>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "batch/batch_fixture.h"
#include "config/experiment.h"
#include "figures/style.h"
#include "gui/run_queue.h"
#include "run_fixture.h"
#include "state/file_run_library.h"
#include "state/run_arrays.h"
#include "store/run_file.h"
#include "store/run_marks.h"

using namespace casp;
using gui::QueueState;
using gui::RunQueue;
using widgets::FileRunLibrary;
using widgets::RunData;
using widgets::RunPart;
namespace fs = std::filesystem;

namespace {

constexpr int patience_ms = 60000;

void connect_queue(RunQueue& queue, FileRunLibrary& library) {
    QObject::connect(&queue, &RunQueue::run_added, &library, &FileRunLibrary::live_added);
    QObject::connect(&queue, &RunQueue::run_progress, &library, &FileRunLibrary::live_progress);
    QObject::connect(&queue, &RunQueue::run_started, &library, &FileRunLibrary::live_started);
    QObject::connect(&queue, &RunQueue::run_steps, &library, &FileRunLibrary::live_steps);
    QObject::connect(&queue, &RunQueue::run_epoch, &library, &FileRunLibrary::live_epoch);
    QObject::connect(&queue, &RunQueue::run_snapshot, &library, &FileRunLibrary::live_snapshot);
    QObject::connect(&queue, &RunQueue::run_probe, &library, &FileRunLibrary::live_probe);
    QObject::connect(&queue, &RunQueue::run_finished, &library, &FileRunLibrary::live_finished);
    QObject::connect(&queue, &RunQueue::run_failed, &library, &FileRunLibrary::live_failed);
}

/// A run folder with nothing but a run.json.
void write_run(const fs::path& folder, store::RunState state, double val_mse = store::not_known,
               std::int64_t horizon = 96) {
    fs::create_directories(folder);
    store::ResultRow row;
    row.run = folder.filename().string();
    row.state = state;
    row.data = "series";
    row.model = "casp-llm";
    row.lookback = 512;
    row.horizon = horizon;
    row.lambda_cov = 0.1;
    row.val_mse = val_mse;
    row.swept = {{"loss.lambda_cov", "0.1"}};
    store::write_run_status(store::RunFolder(folder), {row, {}, {}});
}

const widgets::RunSummary& summary_of(const FileRunLibrary& library, const QString& run) {
    return library.at(library.index_of(run));
}

void open(FileRunLibrary& library, const QString& folder) {
    QSignalSpy loaded(&library, &FileRunLibrary::loaded);
    library.open(folder);
    QVERIFY(loaded.wait(patience_ms));
}

}  // namespace

class TestRunLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void lists_what_is_there();
    void marks_the_best_of_each_task();
    void notices_what_others_write();
    void a_damaged_run_is_listed_with_its_reason();
    void colours_and_notes_stay();
    void wastebasket_and_back();
    void a_note_on_its_way_is_not_lost();
    void a_note_that_was_not_read_yet_is_not_lost();
    void a_folder_that_comes_back();
    void ten_thousand_runs();
    void live_numbers_are_those_of_the_file();
    void a_resumed_run_shows_one_curve();
    void runs_of_another_process();
    void forecasts_in_slices();
    void lookbacks_from_the_data_file();
    void probes_are_thinned_evenly();
    void twenty_changes_a_second();
    void joins_a_run_after_another_folder();
    void slices_of_all_runs_share_a_budget();
    void what_is_removed_may_still_be_looked_at();

private:
    [[nodiscard]] QString runs() const { return shop_->path("runs"); }
    [[nodiscard]] QString run(const QString& name) const { return shop_->path("runs/test/" + name); }
    [[nodiscard]] fs::path folder(const QString& name) const { return run(name).toStdString(); }
    std::unique_ptr<test::Workshop> shop_;
    std::unique_ptr<test::Workshop> kept_;  ///< a finished run that several functions read
};

void TestRunLibrary::initTestCase() {
    kept_ = std::make_unique<test::Workshop>();
    const auto request = kept_->request("kept", 2);
    const auto row = test::run_in(request.folder, request.config);
    QVERIFY(row.state == store::RunState::finished);
}

void TestRunLibrary::init() {
    shop_ = std::make_unique<test::Workshop>();
    QVERIFY(shop_->valid());
    QVERIFY(QDir().mkpath(runs()));
}

void TestRunLibrary::lists_what_is_there() {
    write_run(folder("a"), store::RunState::finished, 0.5);
    write_run(folder("b"), store::RunState::failed);
    fs::create_directories(shop_->file("runs/not a run/deep"));
    fs::create_directories(shop_->file("runs/.hidden"));
    write_run(shop_->file("runs/.hidden/x"), store::RunState::finished);
    auto config = test::small_config("x.csv");
    config.train.continue_from = "/some \"odd\" place/run";
    std::ofstream(folder("b") / "config.toml") << config::to_toml(config);

    FileRunLibrary library;
    QCOMPARE(library.size(), 0);
    QSignalSpy added(&library, &FileRunLibrary::added), loading(&library, &FileRunLibrary::loading);
    open(library, runs() + "/./");
    QCOMPARE(library.folder(), runs());
    QCOMPARE(library.size(), 2);
    QCOMPARE(added.size(), 1);
    QCOMPARE(loading.back()[0].toInt(), loading.back()[1].toInt());
    const auto& a = summary_of(library, run("a"));
    QCOMPARE(a.batch, QString("test"));
    QCOMPARE(a.name, QString("a"));
    QCOMPARE(a.row.val_mse, 0.5);
    QCOMPARE(a.label(), QString("series-96 · λ_cov 0.1 · seed 0"));
    QVERIFY(!a.live && !a.ours);
    QVERIFY(summary_of(library, run("b")).row.state == store::RunState::failed);
    QCOMPARE(summary_of(library, run("b")).parent, QString("/some \"odd\" place/run"));
    QCOMPARE(library.index_of(run("c")), -1);
    QVERIFY(library.data(run("c")) == nullptr);
    library.open({});
    QCOMPARE(library.size(), 0);
    // A folder that the first run will make.
    QSignalSpy problems(&library, &FileRunLibrary::problem);
    open(library, shop_->path("later"));
    QCOMPARE(library.size(), 0);
    QVERIFY(library.why_empty().isEmpty() && problems.isEmpty());
    write_run(shop_->file("later/test/a"), store::RunState::queued);
    QTRY_COMPARE_WITH_TIMEOUT(library.size(), 1, 10000);
}

void TestRunLibrary::marks_the_best_of_each_task() {
    write_run(folder("a"), store::RunState::finished, 0.5);
    write_run(folder("b"), store::RunState::finished_early, 0.4);
    write_run(folder("c"), store::RunState::running, 0.1);
    write_run(folder("d"), store::RunState::finished, 0.9, 192);
    FileRunLibrary library;
    open(library, runs());
    const auto best = [&] {
        QStringList names;
        for (int i = 0; i < library.size(); ++i)
            if (library.at(i).best) names << library.at(i).name;
        return names;
    };
    QCOMPARE(best(), (QStringList{"b", "d"}));
    QSignalSpy changed(&library, &FileRunLibrary::changed);
    write_run(folder("e"), store::RunState::finished, 0.3);
    library.refresh();
    QTRY_COMPARE(best(), (QStringList{"d", "e"}));
    QTRY_VERIFY(changed.size() >= 2);  // b lost it, and e is told of after it was added
    QVERIFY(library.discard({run("e")}).isEmpty());
    QCOMPARE(best(), (QStringList{"b", "d"}));
}

void TestRunLibrary::notices_what_others_write() {
    FileRunLibrary library;
    open(library, runs());
    QSignalSpy added(&library, &FileRunLibrary::added), removed(&library, &FileRunLibrary::removed);
    write_run(folder("a"), store::RunState::queued);
    QTRY_COMPARE_WITH_TIMEOUT(added.size(), 1, 10000);
    write_run(folder("b"), store::RunState::queued);
    QTRY_COMPARE_WITH_TIMEOUT(library.size(), 2, 10000);
    auto lock = std::make_unique<store::RunLock>(store::RunFolder(folder("a")));
    write_run(folder("a"), store::RunState::running);
    QTRY_VERIFY_WITH_TIMEOUT(summary_of(library, run("a")).live, 10000);
    QVERIFY(summary_of(library, run("a")).row.state == store::RunState::running);
    QVERIFY(!summary_of(library, run("b")).live);
    // The writer dies.
    lock.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!summary_of(library, run("a")).live, 10000);
    QVERIFY(summary_of(library, run("a")).row.state == store::RunState::running);
    fs::remove_all(folder("a"));
    QTRY_COMPARE_WITH_TIMEOUT(removed.size(), 1, 10000);
    QCOMPARE(removed[0][0].toString(), run("a"));
    QCOMPARE(library.index_of(run("b")), 0);
    fs::remove_all(shop_->file("runs/test"));
    QTRY_COMPARE_WITH_TIMEOUT(library.size(), 0, 10000);
}

void TestRunLibrary::a_damaged_run_is_listed_with_its_reason() {
    fs::create_directories(folder("a"));
    std::ofstream(folder("a") / "run.json") << "{";
    FileRunLibrary library;
    open(library, runs());
    QVERIFY(summary_of(library, run("a")).row.state == store::RunState::failed);
    QVERIFY(summary_of(library, run("a")).message.contains("cannot be understood"));
}

void TestRunLibrary::colours_and_notes_stay() {
    for (const char* name : {"a", "b", "c", "d"}) write_run(folder(name), store::RunState::finished);
    QMap<QString, QColor> colours;
    {
        FileRunLibrary library;
        open(library, runs());
        for (int i = 0; i < library.size(); ++i) colours[library.at(i).name] = library.at(i).colour;
        QSet<QRgb> different;
        for (const auto& colour : colours) different.insert(colour.rgb());
        QCOMPARE(different.size(), 4);
        QCOMPARE(colours["a"].rgb(), figures::run_colour(0).rgb());
        library.set_colour(run("b"), QColor("#123456"));
        library.set_note(run("c"), "first with λ_cov > 0 \"really\"");
        QCOMPARE(summary_of(library, run("c")).note, QString("first with λ_cov > 0 \"really\""));
    }
    // The first run goes, another comes, and another program has put something of its own there.
    fs::remove_all(folder("a"));
    write_run(folder("0"), store::RunState::finished);
    auto marks = nlohmann::json::parse(test::bytes_of(folder("c") / "marks.json"));
    QCOMPARE(marks["colour_index"].get<int>(), 2);
    marks["stars"] = 5;
    std::ofstream(folder("c") / "marks.json") << marks.dump();
    {
        FileRunLibrary library;
        open(library, runs());
        QCOMPARE(summary_of(library, run("b")).colour, QColor("#123456"));
        QCOMPARE(summary_of(library, run("c")).colour, colours["c"]);
        QCOMPARE(summary_of(library, run("d")).colour, colours["d"]);
        QCOMPARE(summary_of(library, run("c")).note, QString("first with λ_cov > 0 \"really\""));
        library.set_note(run("c"), {});
    }
    marks = nlohmann::json::parse(test::bytes_of(folder("c") / "marks.json"));
    QCOMPARE(marks["stars"].get<int>(), 5);
    QVERIFY(marks["note"].get<std::string>().empty());
}

void TestRunLibrary::wastebasket_and_back() {
    write_run(folder("a"), store::RunState::finished);
    write_run(folder("b"), store::RunState::failed);
    FileRunLibrary library;
    open(library, runs());
    library.set_note(run("a"), "keep");
    const auto colour = summary_of(library, run("a")).colour;
    QTRY_VERIFY(test::bytes_of(folder("a") / "marks.json").find("keep") != std::string::npos);
    QSignalSpy removed(&library, &FileRunLibrary::removed);
    QVERIFY(library.discard({run("a"), run("b")}).isEmpty());
    QCOMPARE(removed.size(), 2);
    QCOMPARE(library.size(), 0);
    QCOMPARE(library.discarded(), (QStringList{run("b"), run("a")}));  // the newest first
    QVERIFY(!fs::exists(folder("a")));
    QVERIFY(library.restore({run("a")}).isEmpty());
    QTRY_COMPARE(library.size(), 1);
    QCOMPARE(summary_of(library, run("a")).note, QString("keep"));
    QCOMPARE(summary_of(library, run("a")).colour, colour);
    QCOMPARE(library.discarded(), QStringList{run("b")});

    // The place is taken by now.
    write_run(folder("b"), store::RunState::finished);
    const auto taken = library.restore({run("b")});
    QCOMPARE(taken.size(), 1);
    QVERIFY(taken[0].contains("another run stands there"));
    QTRY_COMPARE(library.size(), 2);
    // One that somebody writes stays; so does what is no run of this folder.
    const store::RunLock lock{store::RunFolder(folder("b"))};
    QVERIFY(library.discard({run("b")})[0].contains("being written by process"));
    QCOMPARE(library.discard({shop_->path("runs"), "/tmp", run("nothing")}).size(), 3);
    library.empty_wastebasket();
    QTRY_VERIFY(library.discarded().isEmpty());
    QCOMPARE(library.restore({run("b")}).size(), 1);
}

void TestRunLibrary::a_note_on_its_way_is_not_lost() {
    write_run(folder("a"), store::RunState::finished);
    FileRunLibrary library;
    open(library, runs());
    for (int i = 0; i < 20; ++i) {
        const auto note = QStringLiteral("note %1").arg(i);
        library.refresh();  // a look at the files that may have read the note before
        library.set_note(run("a"), note);
        QVERIFY(library.discard({run("a")}).isEmpty());
        QVERIFY(library.restore({run("a")}).isEmpty());
        QTRY_COMPARE(library.size(), 1);
        QCOMPARE(summary_of(library, run("a")).note, note);
        QVERIFY(test::bytes_of(folder("a") / "marks.json").find(note.toStdString()) != std::string::npos);
        // Away and back, and something else is written.
        library.set_note(run("a"), note + " again");
        library.open({});
        open(library, runs());
        QCOMPARE(summary_of(library, run("a")).note, note + " again");
        library.set_colour(run("a"), QColor(i, 1, 2));
        QTest::qWait(i);
        QCOMPARE(summary_of(library, run("a")).note, note + " again");
    }
    QTRY_VERIFY(test::bytes_of(folder("a") / "marks.json").find("#130102") != std::string::npos);
    QVERIFY(test::bytes_of(folder("a") / "marks.json").find("note 19 again") != std::string::npos);
}

void TestRunLibrary::a_note_that_was_not_read_yet_is_not_lost() {
    write_run(folder("a"), store::RunState::finished);
    write_run(folder("z"), store::RunState::failed);
    store::write_marks(folder("z"), {"precious", 7, {}});
    FileRunLibrary library;
    QSignalSpy loaded(&library, &FileRunLibrary::loaded);
    library.open(runs());
    library.live_added(run("z"));  // a retry before the folder has been read
    library.set_colour(run("z"), QColor("#123456"));
    QVERIFY(loaded.wait(patience_ms));
    QTRY_COMPARE(summary_of(library, run("z")).note, QString("precious"));
    QTRY_VERIFY(test::bytes_of(folder("z") / "marks.json").find("#123456") != std::string::npos);
    const auto marks = store::read_marks(folder("z"));
    QCOMPARE(marks.note, std::string("precious"));
    QCOMPARE(marks.colour_index, 7);
}

void TestRunLibrary::a_folder_that_comes_back() {
    write_run(folder("a"), store::RunState::finished);
    write_run(folder("b"), store::RunState::finished);
    FileRunLibrary library;
    open(library, runs());
    QCOMPARE(library.size(), 2);
    QSignalSpy problems(&library, &FileRunLibrary::problem);
    fs::rename(shop_->file("runs"), shop_->file("elsewhere"));
    QTRY_COMPARE_WITH_TIMEOUT(library.size(), 0, 10000);
    library.refresh();
    QTest::qWait(200);
    QCOMPARE(problems.size(), 1);  // said once
    QVERIFY(problems[0][0].toString().contains(runs() + " is not there any more"));
    QCOMPARE(library.why_empty(), problems[0][0].toString());
    problems.clear();
    fs::rename(shop_->file("elsewhere"), shop_->file("runs"));
    QTRY_COMPARE_WITH_TIMEOUT(library.size(), 2, 10000);
    QVERIFY(library.why_empty().isEmpty());
    QVERIFY(problems.isEmpty());
    // It cannot be looked at, which says nothing about what is in it.
    // A link to itself takes its place in one step, so that no look finds nothing at all.
    fs::create_symlink("runs", shop_->file("loop"));
    QCOMPARE(::renameat2(AT_FDCWD, shop_->file("loop").c_str(), AT_FDCWD, shop_->file("runs").c_str(),
                         RENAME_EXCHANGE),
             0);
    QTRY_VERIFY_WITH_TIMEOUT(!problems.isEmpty(), 10000);
    library.refresh();
    QTest::qWait(300);
    QCOMPARE(problems.size(), 1);
    QCOMPARE(library.size(), 2);
}

void TestRunLibrary::ten_thousand_runs() {
    constexpr int count = 10000;
    // What write_run_status would write, without its 10,000 waits for the disk.
    write_run(folder("model"), store::RunState::finished, 0.5);
    const auto json = test::bytes_of(folder("model") / "run.json");
    fs::remove_all(folder("model"));
    for (int i = 0; i < count; ++i) {
        const auto path = shop_->file(QStringLiteral("runs/sweep-%1/run-%2").arg(i / 1000).arg(i));
        fs::create_directories(path);
        std::ofstream(path / "run.json", std::ios::binary) << json;
    }
    std::vector<double> late;
    QElapsedTimer clock;
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    qint64 last = 0;
    QObject::connect(&timer, &QTimer::timeout, this, [&] {
        const auto now = clock.nsecsElapsed();
        late.push_back(static_cast<double>(now - last) / 1e6 - 10);
        last = now;
    });
    const auto report = [&](const char* what, qint64 ms) {
        std::sort(late.begin(), late.end());
        if (late.empty()) return;
        qInfo("%s: %lld ms; 10 ms timer late by %.1f ms (median), %.1f ms (p99), %.1f ms (worst), %zu ticks",
              what, static_cast<long long>(ms), late[late.size() / 2], late[late.size() * 99 / 100],
              late.back(), late.size());
        late.clear();
    };
    auto library = std::make_unique<FileRunLibrary>();
    QSignalSpy loaded(library.get(), &FileRunLibrary::loaded), added(library.get(), &FileRunLibrary::added);
    clock.start();
    timer.start(10);
    library->open(runs());
    QVERIFY(clock.elapsed() < 100);
    QVERIFY(loaded.wait(patience_ms));
    report("10,000 runs", clock.elapsed());
    QCOMPARE(library->size(), count);
    QVERIFY2(added.size() > 10, "they come in pieces");
    std::set<QString> names;
    for (int i = 0; i < library->size(); ++i) {
        QCOMPARE(library->index_of(library->at(i).folder), i);
        names.insert(library->at(i).name);
    }
    QCOMPARE(names.size(), std::size_t{count});
    last = clock.nsecsElapsed();
    const auto before = clock.elapsed();
    QTest::qWait(3000);  // at least one look at what has changed
    report("afterwards", clock.elapsed() - before);
    QCOMPARE(library->size(), count);
    clock.restart();
    library.reset();
    qInfo("closing: %lld ms", static_cast<long long>(clock.elapsed()));
}

void TestRunLibrary::live_numbers_are_those_of_the_file() {
    FileRunLibrary library;
    open(library, runs());
    RunQueue queue;
    connect_queue(queue, library);
    auto request = shop_->request("live", 12);
    request.config.run.snapshot_steps = 3;
    queue.hold(true);
    const int id = queue.add(request);
    QCOMPARE(library.size(), 1);  // at once
    QTRY_COMPARE(summary_of(library, run("live")).row.horizon, std::int64_t{12});
    QVERIFY(library.discard({run("live")})[0].contains("waits in the queue"));
    auto* data = library.data(run("live"));
    QVERIFY(data != nullptr);
    QCOMPARE(data->folder(), run("live"));
    std::size_t pieces = 0, seen = 0;
    bool ours = false, refused = false;
    QObject::connect(data, &RunData::changed, this, [&](RunPart part) {
        if (part != RunPart::curves) return;
        const auto& steps = data->record().steps;
        if (steps.step.size() > seen) ++pieces;
        seen = steps.step.size();
        for (std::size_t i = 0; i < seen; ++i) QCOMPARE(steps.step[i], static_cast<std::int64_t>(i) + 1);
        ours = ours || (data->summary().ours && data->summary().live);
        refused = refused || library.discard({run("live")}).value(0).contains("goes on");
        if (data->pace().step > 0) QVERIFY(data->pace().steps_per_second > 0 && data->pace().epochs == 12);
    });
    queue.hold(false);
    QTRY_COMPARE_WITH_TIMEOUT(test::state_of(queue, id), QueueState::done, patience_ms);
    QVERIFY(pieces > 2);
    QVERIFY(ours && refused);
    QTRY_VERIFY(data->is_loaded() && data->record().test.has_value());
    const auto file = test::record_of(request.folder);
    QVERIFY(test::same_bits(file.steps.total, data->record().steps.total));
    QVERIFY(test::same_bits(file.epochs.val_mse, data->record().epochs.val_mse));
    QVERIFY(test::same_bits(file.anchors.usage_train, data->record().anchors.usage_train));
    QVERIFY(file.anchors.usage_test == data->record().anchors.usage_test);
    const auto& summary = summary_of(library, run("live"));
    QVERIFY(!summary.ours && !summary.live && summary.best);
    QCOMPARE(summary.row.test_mse, file.test->mse);
    QCOMPARE(data->pace().step, std::int64_t{0});
}

void TestRunLibrary::a_resumed_run_shows_one_curve() {
    FileRunLibrary library;
    open(library, runs());
    RunQueue queue;
    connect_queue(queue, library);
    const int id = queue.add(shop_->request("again", 8));
    auto* data = library.data(run("again"));
    const auto stopper = QObject::connect(&queue, &RunQueue::run_steps, this, [&] { queue.cancel(id); });
    QTRY_COMPARE_WITH_TIMEOUT(test::state_of(queue, id), QueueState::cancelled, patience_ms);
    QObject::disconnect(stopper);
    QTRY_COMPARE(summary_of(library, run("again")).row.state, store::RunState::cancelled);
    const auto before = test::record_of(folder("again")).steps.step.size();
    QVERIFY(before < 40);
    queue.retry(id);
    QTRY_COMPARE_WITH_TIMEOUT(test::state_of(queue, id), QueueState::done, patience_ms);
    QTRY_VERIFY(data->record().test.has_value());
    const auto& steps = data->record().steps.step;
    QCOMPARE(steps.size(), std::size_t{40});
    for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE(steps[i], static_cast<std::int64_t>(i) + 1);
}

void TestRunLibrary::runs_of_another_process() {
    if (!QFile::exists(CASP_EXECUTABLE)) QSKIP("caspstudio is not built");
    const test::Workplace place;
    place.write("series.csv", test::small_csv());
    auto experiment = test::small_experiment("checkpoint_seconds = 1000\n");
    experiment.replace("epochs = 3", "epochs = 30\npatience = 1000");
    place.write("other.toml", experiment);
    FileRunLibrary library;
    QVERIFY(QDir().mkpath(place.path("runs")));
    open(library, place.path("runs"));
    QProcess process;
    place.prepare(process, {"--batch", "other.toml"});
    process.start();
    QVERIFY(process.waitForStarted());
    const auto single = place.path("runs/other/single");
    QTRY_VERIFY_WITH_TIMEOUT(library.index_of(single) == 0, patience_ms);
    QTRY_VERIFY_WITH_TIMEOUT(summary_of(library, single).live, patience_ms);
    QVERIFY(!summary_of(library, single).ours);
    auto* data = library.data(single);
    data->load();
    QTRY_VERIFY_WITH_TIMEOUT(data->is_loaded(), patience_ms);
    QVERIFY(library.discard({single})[0].contains("being written by process"));
    QTRY_COMPARE_WITH_TIMEOUT(summary_of(library, single).row.state, store::RunState::finished, patience_ms);
    QVERIFY(!summary_of(library, single).live);
    QTRY_COMPARE_WITH_TIMEOUT(data->record().steps.step.size(), std::size_t{30 * 27}, patience_ms);
    QTRY_VERIFY(data->record().test.has_value());
    QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(patience_ms));
}

void TestRunLibrary::forecasts_in_slices() {
    FileRunLibrary library;
    open(library, kept_->path("runs"));
    auto* data = library.data(kept_->path("runs/test/kept"));
    QSignalSpy changed(data, &RunData::changed);
    QVERIFY(data->forecasts("test", 10, 5) == nullptr);
    QVERIFY(data->forecasts("test", 10, 5) == nullptr);  // on its way, not asked for twice
    QTRY_VERIFY(data->forecasts("test", 10, 5) != nullptr);
    QVERIFY(!changed.isEmpty());
    const auto slice = data->forecasts("test", 10, 5);
    const auto whole = store::read_forecast(kept_->file("runs/test/kept/arrays.h5"), "test");
    QCOMPARE(slice->windows, std::int64_t{5});
    QCOMPARE(slice->start[0], whole.start[10]);
    const auto width = static_cast<std::size_t>(whole.horizon * whole.channels);
    for (std::size_t i = 0; i < 5 * width; ++i)
        QCOMPARE(slice->prediction[i], whole.prediction[10 * width + i]);
    // The last ones, and a split that is not there.
    (void)data->forecasts("test", test::test_windows - 2, 100);
    (void)data->forecasts("train", 0, 1);
    (void)data->window_errors("test");
    QTRY_VERIFY(data->forecasts("test", test::test_windows - 2, 100) && data->forecasts("train", 0, 1) &&
                data->window_errors("test"));
    QCOMPARE(data->forecasts("test", test::test_windows - 2, 100)->windows, std::int64_t{2});
    QCOMPARE(data->forecasts("train", 0, 1)->windows, std::int64_t{0});
    const auto errors = data->window_errors("test");
    QVERIFY(errors->mse == whole.mse && errors->mae == whole.mae && errors->start == whole.start &&
            errors->selected == whole.selected);
    QVERIFY(errors->prediction.empty() && errors->truth.empty());
    QVERIFY(data->problem().isEmpty());
}

void TestRunLibrary::lookbacks_from_the_data_file() {
    FileRunLibrary library;
    open(library, kept_->path("runs"));
    auto* data = library.data(kept_->path("runs/test/kept"));
    QTRY_VERIFY(data->lookbacks("test", 3, 2) != nullptr);
    const auto values = data->lookbacks("test", 3, 2);
    QCOMPARE(values->size(), std::size_t{2 * 48 * 3});
    const auto start = store::read_forecast(kept_->file("runs/test/kept/arrays.h5"), "test", 3, 1).start[0];
    const auto& scale = data->record().data;
    for (std::size_t t = 0; t < 48; ++t)
        for (std::size_t c = 0; c < 3; ++c) {
            const double raw = test::cell(start + static_cast<std::int64_t>(t), static_cast<std::int64_t>(c));
            const double scaled = (raw - scale.mean[c]) / scale.std[c];
            QVERIFY(std::abs((*values)[t * 3 + c] - scaled) < 1e-4);
        }
    QVERIFY(data->problem_with_data().isEmpty());
    // Another file under the same name.
    const auto csv = kept_->csv();
    const auto bytes = test::bytes_of(csv);
    test::write_csv(csv, test::small_rows, test::small_channels, 0.5);
    FileRunLibrary again;
    open(again, kept_->path("runs"));
    data = again.data(kept_->path("runs/test/kept"));
    (void)data->lookbacks("test", 3, 2);
    QTRY_VERIFY((void(data->lookbacks("test", 3, 2)), !data->problem_with_data().isEmpty()));
    QVERIFY(data->lookbacks("test", 3, 2) == nullptr);
    QVERIFY2(data->problem_with_data().contains("has changed since"), qPrintable(data->problem_with_data()));
    fs::remove(csv);
    data = again.data(kept_->path("runs/test/kept"));
    (void)data->lookbacks("test", 4, 2);
    QTRY_VERIFY(!data->problem_with_data().contains("has changed since"));
    QVERIFY2(data->problem_with_data().contains("series.csv"), qPrintable(data->problem_with_data()));
    std::ofstream(csv, std::ios::binary) << bytes;
}

void TestRunLibrary::probes_are_thinned_evenly() {
    FileRunLibrary library;
    open(library, runs());
    library.live_added(run("p"));
    auto* data = library.data(run("p"));
    for (int step = 0; step <= 1000; ++step) {
        auto probe = std::make_shared<train::Probe>();
        probe->step = step;
        library.live_probe(run("p"), probe);
        QVERIFY(data->probes().size() <= 64);
        QCOMPARE(data->probes().back()->step, static_cast<std::int64_t>(step));
    }
    const auto& probes = data->probes();
    QVERIFY(probes.size() > 30);
    const auto stride = probes[1]->step - probes[0]->step;
    for (std::size_t i = 0; i + 1 < probes.size(); ++i)
        QCOMPARE(probes[i]->step, static_cast<std::int64_t>(i) * stride);
}

void TestRunLibrary::twenty_changes_a_second() {
    FileRunLibrary library;
    open(library, runs());
    library.live_added(run("t"));
    auto* data = library.data(run("t"));
    std::map<RunPart, std::vector<qint64>> told;
    QElapsedTimer clock;
    clock.start();
    QObject::connect(data, &RunData::changed, this,
                     [&](RunPart part) { told[part].push_back(clock.elapsed()); });
    for (std::int64_t step = 1; clock.elapsed() < 600; ++step) {
        train::StepReport report;
        report.step = step;
        library.live_steps(run("t"), {report});
        QTest::qWait(1);
    }
    QTest::qWait(100);
    const auto& times = told[RunPart::curves];
    QVERIFY(times.size() >= 4 && times.size() <= 16);
    for (std::size_t i = 1; i < times.size(); ++i) QVERIFY(times[i] - times[i - 1] >= 45);
    QVERIFY(data->record().steps.step.size() > 20);
}

void TestRunLibrary::joins_a_run_after_another_folder() {
    const auto kept = kept_->path("runs/test/kept");
    const auto file = test::record_of(kept_->file("runs/test/kept"));
    FileRunLibrary library;
    open(library, runs());
    train::StepReport report;
    report.step = file.steps.step.back() + 5;
    library.live_steps(kept, {report});  // not here
    QCOMPARE(library.size(), 0);
    open(library, kept_->path("runs"));
    QVERIFY(!summary_of(library, kept).ours);
    ++report.step;
    library.live_steps(kept, {report});
    QVERIFY(summary_of(library, kept).ours && summary_of(library, kept).live);
    QVERIFY(library.discard({kept})[0].contains("goes on"));
    auto* data = library.data(kept);
    QTRY_VERIFY(data->is_loaded());
    const auto& steps = data->record().steps.step;
    QCOMPARE(steps.size(), file.steps.step.size() + 1);
    QCOMPARE(steps.front(), file.steps.step.front());
    QCOMPARE(steps.back(), report.step);
    QCOMPARE(data->pace().step, report.step);
    // The next checkpoint fills the gap.
    const auto path = kept_->file("runs/test/kept/run.h5");
    const auto bytes = test::bytes_of(path);
    auto longer = file;
    for (int i = 1; i <= 5; ++i) {
        auto& s = longer.steps;
        s.step.push_back(file.steps.step.back() + i);
        for (auto* column : {&s.learning_rate, &s.forecast, &s.similarity, &s.coverage, &s.total})
            column->push_back(column->back());
        s.epoch.push_back(s.epoch.back());
        s.gate_share.push_back(s.gate_share.back());
        s.seconds.push_back(s.seconds.back());
    }
    store::write_run_file(kept_->file("runs/test/kept"), longer);
    QTRY_COMPARE_WITH_TIMEOUT(data->record().steps.step.size(), file.steps.step.size() + 6, 10000);
    std::ofstream(path, std::ios::binary) << bytes;
    library.live_finished(kept, summary_of(library, kept).row);
    QVERIFY(!summary_of(library, kept).ours);
    QTRY_COMPARE(data->record().steps.step.size(), file.steps.step.size());
}

void TestRunLibrary::slices_of_all_runs_share_a_budget() {
    const auto folder = kept_->path("runs/test/kept");
    const auto pool = std::make_shared<widgets::WorkPool>(1);
    const auto tables = std::make_shared<widgets::DataTables>();
    const auto budget = std::make_shared<widgets::SliceBudget>(1, 200);
    int arrived = 0;
    widgets::RunArrays first(folder, pool, tables, budget, [&] { ++arrived; });
    auto second = std::make_unique<widgets::RunArrays>(folder, pool, tables, budget, [&] { ++arrived; });
    (void)first.forecasts("test", 0, 2);
    (void)second->forecasts("test", 0, 2);
    QTRY_COMPARE(arrived, 2);
    // Far too much, but both were asked a moment ago.
    QVERIFY(first.forecasts("test", 0, 2) && second->forecasts("test", 0, 2));
    QTest::qWait(250);
    (void)second->forecasts("test", 2, 2);
    QTRY_COMPARE(arrived, 3);
    QVERIFY(second->forecasts("test", 2, 2) != nullptr);
    QVERIFY(first.forecasts("test", 0, 2) == nullptr);
    second.reset();
    QTRY_COMPARE(arrived, 4);  // read again
    QVERIFY(first.forecasts("test", 0, 2) != nullptr);
}

void TestRunLibrary::what_is_removed_may_still_be_looked_at() {
    write_run(folder("a"), store::RunState::finished, 0.5);
    FileRunLibrary library;
    open(library, runs());
    QPointer<RunData> data = library.data(run("a"));
    bool looked = false;
    QObject::connect(&library, &FileRunLibrary::removed, this, [&](const QString& name) {
        looked = data != nullptr && data->folder() == name && data->summary().row.val_mse == 0.5;
    });
    QVERIFY(library.discard({run("a")}).isEmpty());
    QVERIFY(looked);
    QTRY_VERIFY(data == nullptr);
    // Everything goes at another open, also while reading goes on.
    QVERIFY(library.restore({run("a")}).isEmpty());
    QTRY_COMPARE(library.size(), 1);
    data = library.data(run("a"));
    data->load();
    library.open(kept_->path("runs"));
    QTRY_VERIFY(data == nullptr);
}

QTEST_MAIN(TestRunLibrary)
#include "test_run_library.moc"
