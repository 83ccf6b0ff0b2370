#pragma once
// Starts the real program with a home of its own.

#include <fcntl.h>
#include <unistd.h>

#include <map>
#include <string>

#include <QtTest>

#include <nlohmann/json.hpp>

#include "store/run_file.h"
#include "store/safetensors.h"

namespace casp::test {

struct Finished {
    int code = -1;
    QByteArray out, err;

    [[nodiscard]] QList<QByteArray> err_lines() const { return lines_of(err); }
    [[nodiscard]] QList<QByteArray> out_lines() const { return lines_of(out); }
    [[nodiscard]] static QList<QByteArray> lines_of(QByteArray text) {
        if (text.endsWith('\n')) text.chop(1);
        return text.isEmpty() ? QList<QByteArray>() : text.split('\n');
    }
};

/// What the program says reaches it no more than 4 kB ahead of what was read, about twelve steps of a JSON
/// log: it waits for a test that has seen an event, however long that takes. Called before start().
inline void keep_in_step(QProcess& process) {
    process.setChildProcessModifier([own = process.childProcessModifier()] {
        if (own) own();
        ::fcntl(STDERR_FILENO, F_SETPIPE_SZ, 4096);
    });
}

/// A folder with an experiment, its data, and the home of the programs started in it.
class Workplace {
public:
    Workplace() {
        if (!dir_.isValid() || !QFile::exists(CASP_EXECUTABLE)) qFatal("build the target caspstudio first");
    }
    [[nodiscard]] QString path(const QString& name) const { return dir_.filePath(name); }

    void prepare(QProcess& process, const QStringList& arguments) const {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", path("home"));
        environment.insert("XDG_CACHE_HOME", path("home/cache"));
        environment.insert("OMP_WAIT_POLICY", "passive");
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(dir_.path());
        process.setProgram(CASP_EXECUTABLE);
        process.setArguments(arguments);
    }
    [[nodiscard]] Finished run(const QStringList& arguments) const {
        QProcess process;
        prepare(process, arguments);
        process.start();
        Finished result;
        if (!process.waitForFinished(600000)) {  // other programs may have most of the machine
            process.kill();
            process.waitForFinished();
            result.err = "did not end in ten minutes";
            return result;
        }
        result.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        result.out = process.readAllStandardOutput();
        result.err = process.readAllStandardError();
        return result;
    }
    /// Starts the program, kept in step, and reads what it says into `log` until `text` came `times`; false:
    /// it ended before.
    bool start(QProcess& process, const QStringList& arguments, const QByteArray& text, int times = 1,
               QByteArray* log = nullptr) const {
        prepare(process, arguments);
        keep_in_step(process);
        process.start();
        process.setReadChannel(QProcess::StandardError);  // or waitForReadyRead() waits for the table
        QByteArray said;
        QElapsedTimer timer;
        timer.start();
        while (said.count(text) < times && timer.elapsed() < 120000) {
            if (!process.waitForReadyRead(1000) && process.state() == QProcess::NotRunning) break;
            said += process.readAllStandardError();
        }
        if (log != nullptr) *log = said;
        return said.count(text) >= times && process.state() == QProcess::Running;
    }
    void write(const QString& name, const QByteArray& text) const {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
    }
    [[nodiscard]] QByteArray read(const QString& name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private:
    QTemporaryDir dir_;
};

/// 400 rows of two periodic channels: 209 windows to train on.
inline QByteArray small_csv() {
    QByteArray text = "date,load,temperature\n";
    for (int r = 0; r < 400; ++r)
        text += QByteArray::number(1577836800LL + 3600LL * r) + "," +
                QByteArray::number(std::sin(r * 2 * M_PI / 24) + 0.1 * std::cos(r * 1.7), 'f', 5) + "," +
                QByteArray::number(10 + 3 * std::cos(r * 2 * M_PI / 24) + 0.2 * std::sin(r * 2.9), 'f', 5) +
                "\n";
    return text;
}

/// A run of 3 × 27 steps; dropout is on. `more` is appended.
inline QByteArray small_experiment(const QByteArray& more = {}) {
    return "[data]\npath = \"series.csv\"\nlookback = 48\nhorizon = 24\n"
           "[backbone]\npath = \"untrained\"\nlayers = 1\nwidth = 24\nheads = 2\nvocabulary = 100\npositions "
           "= 32\n"
           "[model]\ntrend_length = 13\nseasonal_length = 12\npool_size = 30\ntop_k = 4\n"
           "[train]\nepochs = 3\nbatch_size = 8\nlearning_rate = 1e-3\n"
           "[run]\ndevice = \"cpu\"\nthreads = 1\n" +
           more;
}

/// The persistence forecast of five yearly series, 100 i + 3.5 t of 19, 26, … values, as "runs/years/single".
inline Finished run_years(const Workplace& place) {
    QByteArray text = "unique_id,ds,y\n";
    for (int i = 0; i < 5; ++i)
        for (int t = 0; t < 19 + 7 * i; ++t)
            text += "Y" + QByteArray::number(i + 1) + ',' + QByteArray::number(1950 + t) + "-01-01," +
                    QByteArray::number(100 * i + 3.5 * t) + '\n';
    place.write("long.csv", text);
    place.write("years.toml",
                "preset = \"naive-m4-yearly\"\n[data]\npath = \"long.csv\"\n[run]\ndevice = \"cpu\"\n");
    return place.run({"--batch", "years.toml"});
}

/// Names and bytes of all tensors.
inline std::map<std::string, std::string> tensors_of(const QString& path) {
    const store::SafetensorsFile file(path.toStdString());
    std::map<std::string, std::string> all;
    for (const auto& view : file.tensors()) {
        auto& bytes = all[view.name];
        bytes.resize(view.nbytes);
        store::read_bytes(view, std::as_writable_bytes(std::span(bytes)));
    }
    return all;
}

/// A row of results.csv without its seconds.
inline QByteArray results_without_seconds(const QByteArray& csv) {
    QByteArray text;
    int seconds = -1, memory = -1;
    for (const auto& line : Finished::lines_of(csv)) {
        auto cells = line.split(',');
        if (seconds < 0) seconds = static_cast<int>(cells.indexOf("seconds"));
        if (memory < 0) memory = static_cast<int>(cells.indexOf("peak_memory"));
        cells.removeAt(memory);  // behind it
        cells.removeAt(seconds);
        text += cells.join(',') + '\n';
    }
    return text;
}

inline const QStringList batch{"--batch", "small.toml"};

/// A small experiment of one epoch.
inline QByteArray quick(const QByteArray& more) {
    return small_experiment(more).replace("epochs = 3", "epochs = 1");
}

/// Rows of a test of calls that are refused: name, arguments, and what is said.
struct Refusal {
    const char* name;
    QStringList arguments;
    QByteArray said;
};
inline void add_refusals(const QList<Refusal>& refusals) {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    for (const auto& [name, arguments, said] : refusals) QTest::newRow(name) << arguments << said;
}

/// The row of add_refusals(): exit status 2, its message, and nothing on standard output.
inline void verify_refusal(const Workplace& place) {
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, said);
    const auto r = place.run(arguments);
    QVERIFY2(r.code == 2 && r.err.contains(said), (r.err + "\nlacks: " + said).constData());
    QCOMPARE(r.out, QByteArray());
}

}  // namespace casp::test

#define VERIFY_CODE(finished, expected)                                    \
    do {                                                                   \
        const auto& has_ended = (finished);                                \
        QVERIFY2(has_ended.code == (expected), has_ended.err.constData()); \
    } while (false)

/// Runs the program in place_ with the arguments that follow; what it left is `name`.
#define VERIFY_RUN(name, expected, ...)        \
    const auto name = place_.run(__VA_ARGS__); \
    VERIFY_CODE(name, expected)
