#pragma once
// Tiny runs for tests of the queue and the library.

#include <sys/resource.h>
#include <csignal>
#include <filesystem>

#include <QtTest>

#include "core/train/train_fixture.h"
#include "gui/run_queue.h"

namespace casp::test {

/// A folder with data and runs that goes when the test does.
class Workshop {
public:
    [[nodiscard]] bool valid() const { return dir_.isValid(); }
    [[nodiscard]] QString path(const QString& name) const { return dir_.filePath(name); }
    [[nodiscard]] fs::path file(const QString& name) const { return path(name).toStdString(); }
    /// Written once.
    [[nodiscard]] std::string csv() {
        if (csv_.empty()) csv_ = write_csv(file("series.csv"), small_rows, small_channels);
        return csv_;
    }
    /// Of 5 steps in an epoch.
    [[nodiscard]] run::RunRequest request(const QString& name, std::int64_t epochs = 2) {
        run::RunRequest request;
        request.config = small_config(csv());
        request.config.train.epochs = epochs;
        request.config.train.patience = 1000;
        request.config.run.checkpoint_seconds = 1000;
        request.folder = file("runs/test/" + name);
        request.name = name.toStdString();
        return request;
    }

private:
    QTemporaryDir dir_;
    std::string csv_;
};

/// A full disk as long as it lives: no file of this process can grow. Also for root.
struct FullDisk {
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        if (::getrlimit(RLIMIT_FSIZE, &before_) != 0) qFatal("no limits");
        rlimit none = before_;
        none.rlim_cur = 0;
        if (::setrlimit(RLIMIT_FSIZE, &none) != 0) qFatal("no limit");
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

inline gui::QueueState state_of(const gui::RunQueue& queue, int id) {
    for (const auto& item : queue.items())
        if (item.id == id) return item.state;
    qFatal("no such item");
    return gui::QueueState::failed;
}

inline store::RunState file_state(const fs::path& folder) {
    return store::read_run_status(store::RunFolder(folder))->row.state;
}

}  // namespace casp::test
