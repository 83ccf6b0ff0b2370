#pragma once
// Runs of model.name = "python" in the tests.

#include <QProcess>
#include <QtTest>

#include "batch_fixture.h"

namespace casp::test {

/// CASP_PYTHON runs the file, on `small_csv()` as series.csv.
inline QByteArray experiment(const QByteArray& file, const QByteArray& more = {}) {
    return "[data]\npath = \"series.csv\"\nlookback = 48\nhorizon = 24\n[model]\nname = "
           "\"python\"\n[python]\nfile = \"" +
           file + "\"\ninterpreter = \"" + qgetenv("CASP_PYTHON") +
           "\"\n[train]\nepochs = 3\nbatch_size = 8\n[run]\ndevice = \"cpu\"\nthreads = 1\n" + more;
}

/// Trains the model of a text, which becomes NAME.py, by NAME.toml.
inline Finished run_python(const Workplace& place, const QByteArray& name, const QByteArray& model,
                           const QStringList& more = {}, const QByteArray& settings = {}) {
    place.write(name + ".py", model);
    place.write(name + ".toml", experiment(name + ".py", settings));
    return place.run(QStringList{"--batch", name + ".toml"} + more);
}

/// A cell of the first row of the run's results.csv.
inline QByteArray result_of(const Workplace& place, const QByteArray& name, const QByteArray& column) {
    const auto lines = Finished::lines_of(place.read("runs/" + name + "/results.csv"));
    return lines.value(1).split(',').value(lines.value(0).split(',').indexOf(column));
}

/// Whether CASP_PYTHON has a package.
inline bool python_has(const QString& package) {
    QProcess python;
    python.start(qEnvironmentVariable("CASP_PYTHON", "python3"), {"-c", "import " + package});
    return python.waitForFinished(120000) && python.exitCode() == 0;
}

}  // namespace casp::test
