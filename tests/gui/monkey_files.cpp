#include "monkey_files.h"

#include <sys/stat.h>
#include <filesystem>
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "state/experiment_model.h"
#include "store/run_file.h"
#include "store/run_folder.h"

namespace casp::monkey {

namespace {

namespace fs = std::filesystem;

QStringList corpus(const QString& kind) {
    const QDir folder(QStringLiteral(CASP_SOURCE_DIR "/tests/fuzz/corpus/") + kind);
    QStringList files;
    for (const auto& name : folder.entryList(QDir::Files, QDir::Name)) files << folder.filePath(name);
    return files;
}

bool is_refused(const QString& experiment_file) {
    widgets::ExperimentModel model;
    return !model
                .replace_from_toml(QString::fromUtf8(bytes_of(experiment_file)), experiment_file,
                                   QFileInfo(experiment_file).absolutePath(), "tried")
                .isEmpty();
}

std::string system_path(const QString& path) { return QFile::encodeName(path).toStdString(); }

void copy_tree(const QString& from, const QString& to) {
    std::error_code gone;  // a run that goes on may lose files meanwhile
    fs::create_directories(system_path(to), gone);
    fs::copy(system_path(from), system_path(to),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks, gone);
}

}  // namespace

QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool write_bytes(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush();
}

QStringList write_bad_files(const QString& folder) {
    QDir().mkpath(folder);
    QStringList files;
    const auto add = [&](const QString& name) { return files << folder + '/' + name, files.back(); };
    const auto write = [&](const QString& name, const QByteArray& bytes) { write_bytes(add(name), bytes); };
    for (const auto* kind : {"csv", "run_file", "run_json", "safetensors", "config"}) {
        const bool is_experiment = QString(kind) == "config";
        for (const auto& path : corpus(kind)) {
            const auto name = QFileInfo(path).fileName();
            if (is_experiment && (!name.endsWith(".toml") || !is_refused(path))) continue;
            write(name, bytes_of(path));
        }
    }
    QByteArray header, row;
    for (int column = 0; column < 100'000; ++column) {
        header += 'c' + QByteArray::number(column) + ',';
        row += "1,";
    }
    write("columns.csv", header + "z\n" + row + "2\n" + row + "3\n");
    write("long_line.csv", "a,b\n1,2\n" + QByteArray(5'000'000, '7') + ",1\n3,4\n");
    write("zeros.csv", QByteArray("a,b\n1,\0\0\n", 9));
    write("program.csv", QByteArray("\x7f"
                                    "ELF\2\1\1\0",
                                    8) +
                             QByteArray(4096, '\1'));
    write("unknown.toml", "[nothing]\nx = 1\n");
    write("cut.toml", "[data\npath = 3");
    write("deep.toml", "x = " + QByteArray(100'000, '[') + QByteArray(100'000, ']') + '\n');
    write("large.toml", "# " + QByteArray(5'000'000, 'x') + '\n');
    write("closed.csv", "a,b\n1,2\n");
    QFile::setPermissions(files.back(), {});
    ::mkfifo(system_path(add("pipe.csv")).c_str(), 0600);
    ::mkfifo(system_path(add("pipe.toml")).c_str(), 0600);
    QDir().mkpath(add("folder.csv"));
    QFile::link("circle.csv", add("circle.csv"));
    QFile::link("nothing", add("link.toml"));
    QFile::link("/dev/zero", add("device.csv"));
    add("gone.csv");
    return files;
}

QStringList run_folders(const QString& output) {
    QStringList runs;
    constexpr auto folders = QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks;
    const QDir top(output);
    for (const auto& experiment : top.entryList(folders, QDir::Name)) {
        const QDir inside(top.filePath(experiment));
        for (const auto& run : inside.entryList(folders, QDir::Name))
            if (QFileInfo::exists(inside.filePath(run) + "/run.json")) runs << inside.filePath(run);
    }
    return runs;
}

QStringList complete_runs(const QString& output) {
    QStringList complete;
    for (const auto& run : run_folders(output)) try {
            const auto status = store::read_run_status(store::RunFolder(system_path(run)));
            if (status && store::is_complete(status->row.state)) complete << run;
        } catch (const std::exception&) {  // no run of ours
        }
    return complete;
}

QString damage_of(const QString& run) {
    if (!QFileInfo::exists(run)) return {};
    try {
        const store::RunFolder folder(system_path(run));
        const auto status = store::read_run_status(folder);
        if (!status) throw std::runtime_error(system_path(run) + " has no run.json any more");
        if (!store::is_complete(status->row.state)) return {};  // it is trained again
        std::ignore = store::read_run_file(folder.run_file());
    } catch (const std::exception& problem) {
        if (QFileInfo::exists(run)) return QString::fromUtf8(problem.what());
    }
    return {};
}

QString make_foreign_run(const QString& folder, const QStringList& samples, Choices& choices) {
    const auto in = [&](const char* name) { return folder + '/' + name; };
    const int what = choices.pick(samples.isEmpty() ? 3 : 7);
    const auto sample = choices.pick_from(samples);
    QDir().mkpath(QFileInfo(folder).path());
    if (what == 6) {
        QFile::link(sample, folder);
        return "a link to a run";
    }
    QDir().mkpath(folder);
    if (what == 0) {
        write_bytes(in("run.json"), R"({"program": "another", "status": [1, 2], "loss": "small"})");
        write_bytes(in("weights.bin"), QByteArray(1000, '\5'));
        return "a run of another program";
    }
    if (what <= 2) {
        const auto file = choices.pick_from(corpus("run_file")), json = choices.pick_from(corpus("run_json"));
        write_bytes(in("run.json"), bytes_of(json));
        if (what == 1) {
            write_bytes(in("run.h5"), bytes_of(file));
            return "a run of " + QFileInfo(json).fileName() + " and " + QFileInfo(file).fileName();
        }
        ::mkfifo(system_path(in("run.h5")).c_str(), 0600);
        QDir().mkpath(in("arrays.h5"));
        return "a run of " + QFileInfo(json).fileName() + ", a pipe and a folder";
    }
    copy_tree(sample, folder);
    const auto files = QDir(folder).entryList(QDir::Files, QDir::Name);
    const auto name = what == 3 ? QString("run.h5") : choices.pick_from(files);
    const auto path = folder + '/' + name;
    auto bytes = bytes_of(path);
    const int at = choices.pick(static_cast<int>(bytes.size()));
    if (what == 5) {
        QFile::remove(path);
        return "a run without " + name;
    }
    if (what == 3)
        bytes.truncate(at);
    else if (!bytes.isEmpty())
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << choices.pick(8)));
    write_bytes(path, bytes);
    return QString(what == 3 ? "a run with %1 cut at %2" : "a run with %1 changed at %2").arg(name).arg(at);
}

}  // namespace casp::monkey
