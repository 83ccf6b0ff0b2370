#include "state/remote_folder.h"

#include <QFileInfo>
#include <QMetaObject>

#include "words/core_text.h"

namespace casp::widgets {

namespace {

constexpr std::int64_t large_bytes = 2 << 20;  ///< smaller files are there before one could read of them

QString sentence_of(const Phrase& text) { return translated(text); }

}  // namespace

RemoteFolder::RemoteFolder(const QString& address, QObject* parent) : QObject(parent) {
    const auto parsed = remote::Address::parse(address.toStdString());
    remote::Mirror::Events events;
    // From the mirror's thread; it ends before this object does.
    const auto post = [this](std::function<void()> task) {
        QMetaObject::invokeMethod(this, std::move(task), Qt::QueuedConnection);
    };
    events.status = [this, post](const remote::MirrorStatus& status) {
        post([this, status] {
            const auto before = std::exchange(status_, status);
            Q_EMIT status_changed();
            if (before.folder.empty() && !status.folder.empty()) Q_EMIT connected();
        });
    };
    events.runs = [this, post](const std::vector<std::string>& runs) {
        post([this, runs] {
            QStringList folders;
            for (const auto& run : runs) folders << folder_of(run);
            Q_EMIT runs_changed(folders);
        });
    };
    const auto local = remote::mirror_folder(parsed);
    events.file = [this, post](const std::string& run, const std::string& name,
                               const remote::MirroredFile& file) {
        // Read here, not on the GUI thread.
        const bool paused = name == "control.json" && store::read_control(mirror_->folder() / run).pause;
        post([this, run, name, file, paused] { take_file(folder_of(run), sentence_of(name), file, paused); });
    };
    mirror_ = std::make_unique<remote::Mirror>(parsed, local, std::move(events));
}

RemoteFolder::~RemoteFolder() = default;

QString RemoteFolder::address() const { return sentence_of(mirror_->address().text()); }
QString RemoteFolder::machine() const { return sentence_of(mirror_->address().machine()); }
QString RemoteFolder::title() const { return machine() + ": " + sentence_of(mirror_->address().folder); }
QString RemoteFolder::folder() const { return sentence_of(mirror_->folder().string()); }
std::string RemoteFolder::run_of(const QString& run_folder) const {
    return mirror_->run_of(run_folder.toStdString());
}
QString RemoteFolder::folder_of(const std::string& run) const {
    return sentence_of((mirror_->folder() / run).string());
}
QString RemoteFolder::path_there(const QString& run_folder) const {
    const auto run = run_of(run_folder);
    return run.empty() || status_.folder.empty() ? QString() : sentence_of(status_.folder + '/' + run);
}

void RemoteFolder::follow() {
    std::vector<std::string> runs;
    for (const auto& folders : {shown_, looked_at_})
        for (const auto& folder : folders)
            if (auto run = run_of(folder); !run.empty()) runs.push_back(std::move(run));
    mirror_->follow(std::move(runs));
}

void RemoteFolder::look_at(const QString& run_folder) {
    if (shown_.contains(run_folder) || looked_at_.contains(run_folder)) return;
    looked_at_ << run_folder;
    follow();
}

void RemoteFolder::show(const QStringList& run_folders) {
    if (run_folders == shown_) return;
    shown_ = run_folders;
    looked_at_.clear();
    follow();
}

bool RemoteFolder::provide(const QString& run_folder, const char* name) {
    using State = remote::MirroredFile::State;
    const auto run = run_of(run_folder);
    const auto file = mirror_->file(run, name);
    if (file.state == State::current || file.state == State::absent || !file.problem.empty()) return true;
    look_at(run_folder);
    mirror_->request(run, name);
    // Without a connection, what an earlier one has copied is shown.
    const bool connected = status_.state == remote::MirrorStatus::State::connected ||
                           status_.state == remote::MirrorStatus::State::connecting;
    return !connected && QFileInfo::exists(run_folder + '/' + name);
}

void RemoteFolder::take_file(const QString& run_folder, const QString& name, const remote::MirroredFile& file,
                             bool paused) {
    using State = remote::MirroredFile::State;
    const File key{run_folder, name};
    const bool copying = file.state == State::fetching;
    if (copying && file.total >= large_bytes)
        copies_.insert(key, file);
    else
        copies_.remove(key);
    Q_EMIT copying_changed();
    if (copying) return;
    if (name == QLatin1String("control.json")) {
        if (paused)
            paused_.insert(run_folder);
        else
            paused_.remove(run_folder);
    }
    if (!file.problem.empty())
        Q_EMIT problem(
            tr("%1 of %2 could not be copied: %3").arg(name, run_folder, sentence_of(file.problem)));
    // One that could be copied, and is not wanted, is as it was.
    if (file.state != State::stale || !file.problem.empty()) Q_EMIT file_changed(run_folder, name);
}

QString RemoteFolder::copying() const {
    if (copies_.isEmpty()) return {};
    std::int64_t done = 0, total = 0;
    for (const auto& copy : copies_) {
        done += copy.done;
        total += copy.total;
    }
    const auto& [run, name] = copies_.constBegin().key();
    const auto what = copies_.size() == 1 ? tr("%1 of %2").arg(name, QFileInfo(run).fileName())
                                          : tr("%1 files").arg(copies_.size());
    constexpr double mega = 1e6;
    return tr("copying %1: %2 of %3 MB")
        .arg(what)
        .arg(static_cast<double>(done) / mega, 0, 'f', 0)
        .arg(static_cast<double>(total) / mega, 0, 'f', 0);
}

/// For answers on the mirror's thread: `done` on the GUI thread, or problem().
std::function<void(const std::string&)> RemoteFolder::when_answered(std::function<void()> done) {
    return [this, done = std::move(done)](const std::string& text) {
        QMetaObject::invokeMethod(
            this,
            [this, text, done] {
                if (!text.empty()) return Q_EMIT problem(sentence_of(text));
                if (done) done();
            },
            Qt::QueuedConnection);
    };
}

void RemoteFolder::send(const QString& run_folder, store::RunCommand command) {
    mirror_->send(run_of(run_folder), command, when_answered({}));
}

void RemoteFolder::ask_fork_place(const QString& run_folder,
                                  std::function<void(const run::ForkPlace&)> found) {
    mirror_->ask_fork_place(run_of(run_folder), [this, found = std::move(found)](const run::ForkPlace& place,
                                                                                 const std::string& text) {
        when_answered([found, place] { found(place); })(text);
    });
}

void RemoteFolder::start(const std::string& toml, std::function<void()> started) {
    mirror_->start(toml, when_answered(std::move(started)));
}

void RemoteFolder::connect_now() { mirror_->connect_now(); }

}  // namespace casp::widgets
