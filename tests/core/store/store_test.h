#pragma once
// What the store's tests share.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include "store/results.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace store_test {

/// A folder of its own for each test function.
class Folder {
public:
    [[nodiscard]] std::filesystem::path path() const { return folder_.path().toStdString(); }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path() / name; }

private:
    QTemporaryDir folder_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream file(path, std::ios::binary);
    file << bytes;
}

/// run.json of a run with these steps and two swept settings; makes the folder.
inline void write_status(const std::filesystem::path& run, std::int64_t steps,
                         casp::store::RunState state = casp::store::RunState::finished) {
    std::filesystem::create_directories(run);
    casp::store::ResultRow row;
    row.run = run.filename().string();
    row.state = state;
    row.steps = steps;
    row.swept = {{"loss.lambda_cov", "0.1"}, {"train.seed", "2021"}};
    casp::store::write_run_status(casp::store::RunFolder(run), {row, {}, {}});
}

/// The message of the casp::Error that `call` throws, with the kind in front ("input: ..."); else "".
template <class Call>
std::string error_of(Call&& call) {
    try {
        call();
    } catch (const casp::Error& error) {
        const char* kind = error.kind() == casp::ErrorKind::input ? "input: "
                           : error.kind() == casp::ErrorKind::run ? "run: "
                                                                  : "interrupted: ";
        return kind + std::string(error.what());
    }
    return {};
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The Python to read files with: CASP_PYTHON, or python3.
inline QString python() { return qEnvironmentVariable("CASP_PYTHON", "python3"); }

inline bool python_has(const char* modules) {
    QProcess process;
    process.start(python(), {"-c", QString("import ") + modules});
    return process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit &&
           process.exitCode() == 0;
}

/// Runs a script; its standard output, or "failed: ..." with what it said.
inline std::string run_python(const QString& script, const QStringList& arguments) {
    QProcess process;
    process.start(python(), QStringList{"-c", script} + arguments);
    if (!process.waitForFinished(60000) || process.exitCode() != 0)
        return "failed: " + process.readAllStandardError().toStdString();
    return process.readAllStandardOutput().toStdString();
}

}  // namespace store_test

/// Fails with the whole message where `part` is not in it.
#define CASP_SAYS(message, part)                                                 \
    do {                                                                         \
        const std::string casp_message = (message);                              \
        QVERIFY2(store_test::contains(casp_message, part),                       \
                 ("\"" + casp_message + "\" lacks \"" + (part) + "\"").c_str()); \
    } while (false)
