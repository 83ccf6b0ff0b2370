#include "monkey_faults.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <iterator>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "monkey_files.h"

namespace casp::monkey {

namespace {

namespace fs = std::filesystem;

fs::path system_path(const QString& path) { return QFile::encodeName(path).toStdString(); }

/// What was made in `from` meanwhile, to where the folder belongs; what is there already stays.
void merge(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(from, problem)) {
        const auto there = to / entry.path().filename();
        if (!fs::exists(fs::symlink_status(there, problem)))
            fs::rename(entry.path(), there, problem);
        else if (fs::is_directory(entry.symlink_status(problem)) &&
                 fs::is_directory(fs::symlink_status(there, problem)))
            merge(entry.path(), there);
    }
}

bool can_write_into(const QString& folder) {
    QFile probe(folder + "/.probe");
    return probe.open(QIODevice::WriteOnly) && probe.remove();
}

}  // namespace

void obey_permissions() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
    if (::syscall(SYS_capget, &header, sets) != 0) return;
    for (const unsigned right : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) sets[0].effective &= ~(1U << right);
    ::syscall(SYS_capset, &header, sets);
}

Faults::Faults(const QString& place, const QString& data_file, Choices& choices)
    : place_(place), data_file_(data_file), choices_(choices), bad_files_(write_bad_files(place + "/bad")) {
    std::signal(SIGXFSZ, SIG_IGN);
}

Faults::Begun Faults::begin(const QString& output) {
    static constexpr Kind kinds[] = {
        &Faults::bad_files,      &Faults::bad_files,   &Faults::folder_away, &Faults::folder_away,
        &Faults::folder_removed, &Faults::read_only,   &Faults::full_disk,   &Faults::full_disk,
        &Faults::foreign_run,    &Faults::foreign_run, &Faults::damaged_run, &Faults::data_file_changes};
    ++count_;
    const auto kind = kinds[choices_.pick(static_cast<int>(std::size(kinds)))];
    auto begun = (this->*kind)(output);
    if (!undo_) undo_ = [] {};
    return begun;
}

void Faults::end() {
    const auto undo = std::exchange(undo_, nullptr);
    keeps_locks_ = false;
    if (undo) undo();
}

QString Faults::any_folder(const QString& output) {
    // Never what holds the session and the data: those have faults of their own.
    const bool is_all = !output.startsWith(place_ + '/');
    const auto run = choices_.pick_from(run_folders(output));
    switch (choices_.pick(4)) {
        case 0:
            return is_all || !QFileInfo::exists(output) ? QString() : output;
        case 1:
            return run.isEmpty() ? QString() : QFileInfo(run).path();
        default:
            return run;
    }
}

QString Faults::aside(const QString& path) {
    QDir().mkpath(place_ + "/aside");
    return QString("%1/aside/%2-%3").arg(place_, QFileInfo(path).fileName()).arg(count_);
}

void Faults::bring_back(const QString& aside, const QString& path) {
    std::error_code problem;
    if (QFileInfo::exists(path)) {  // it was made anew meanwhile
        const auto made = aside + "-made";
        fs::rename(system_path(path), system_path(made), problem);
        fs::rename(system_path(aside), system_path(path), problem);
        return merge(system_path(made), system_path(path));
    }
    QDir().mkpath(QFileInfo(path).path());
    fs::rename(system_path(aside), system_path(path), problem);
}

Faults::Begun Faults::bad_files(const QString&) {
    Begun begun{"bad files", {}};
    for (int i = choices_.pick(3); i >= 0; --i) begun.drop << choices_.pick_from(bad_files_);
    return begun;
}

Faults::Begun Faults::folder_away(const QString& output) {
    const auto folder = any_folder(output);
    if (folder.isEmpty()) return {"no folder to take away yet", {}};
    const auto to = aside(folder);
    std::error_code problem;
    fs::rename(system_path(folder), system_path(to), problem);
    if (problem) return {"skipped: " + folder + " cannot be renamed: " + problem.message().c_str(), {}};
    undo_ = [=, this] { bring_back(to, folder); };
    return {"taken away: " + folder, {}};
}

Faults::Begun Faults::folder_removed(const QString& output) {
    const auto folder = any_folder(output);
    if (folder.isEmpty()) return {"no folder to remove yet", {}};
    const auto to = aside(folder);
    std::error_code problem;
    fs::create_directories(system_path(to), problem);
    fs::copy(system_path(folder), system_path(to),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks, problem);
    if (problem) return {"skipped: " + folder + " changes too fast to be copied", {}};
    fs::remove_all(system_path(folder), problem);
    undo_ = [=, this] { bring_back(to, folder); };
    return {"removed: " + folder, {}};
}

Faults::Begun Faults::read_only(const QString& output) {
    const bool whole = choices_.pick(4) == 0;
    const auto folder = whole ? place_ : any_folder(output);
    if (folder.isEmpty()) return {"no folder to close yet", {}};
    const auto path = system_path(folder);
    if (::chmod(path.c_str(), 0555) != 0) return {"skipped: " + folder + " cannot be made read-only", {}};
    undo_ = [path] { ::chmod(path.c_str(), 0755); };
    if (can_write_into(folder)) return {"skipped: this user may write into read-only folders", {}};
    keeps_locks_ = whole;
    return {"read-only: " + folder, {}};
}

Faults::Begun Faults::full_disk(const QString&) {
    static constexpr rlim_t sizes[] = {0, 0, 100, 4096, 20'000, 100'000};
    const auto size = sizes[choices_.pick(static_cast<int>(std::size(sizes)))];
    rlimit before{};
    if (::getrlimit(RLIMIT_FSIZE, &before) != 0) return {"skipped: no limits", {}};
    auto small = before;
    small.rlim_cur = size;
    if (::setrlimit(RLIMIT_FSIZE, &small) != 0) return {"skipped: no limit of files' sizes is permitted", {}};
    undo_ = [before] { ::setrlimit(RLIMIT_FSIZE, &before); };
    return {QString("no file grows beyond %1 bytes").arg(size), {}};
}

Faults::Begun Faults::foreign_run(const QString& output) {
    const bool is_inside = choices_.pick(2) == 0 && QFileInfo::exists(output);
    const auto batch = QString("%1/foreign-%2").arg(is_inside ? output : place_).arg(count_);
    const auto folder = batch + "/run";
    const auto what = make_foreign_run(folder, complete_runs(output), choices_);
    undo_ = [batch] {
        std::error_code problem;
        fs::remove_all(system_path(batch), problem);
    };
    const bool is_dropped = !is_inside || choices_.pick(2) == 0;
    return {what + ": " + folder, is_dropped ? QStringList{folder} : QStringList()};
}

Faults::Begun Faults::damaged_run(const QString& output) {
    const auto run = choices_.pick_from(complete_runs(output));
    if (run.isEmpty()) return {"no run to damage yet", {}};
    static const QStringList names{"run.h5", "arrays.h5", "run.json", "best.safetensors", "config.toml"};
    const auto path = run + '/' + choices_.pick_from(names);
    const auto bytes = bytes_of(path);
    if (bytes.isEmpty()) return {"no " + path, {}};
    const int at = choices_.pick(static_cast<int>(bytes.size()));
    const bool is_cut = choices_.pick(2) == 0;
    auto damaged = bytes;
    if (is_cut)
        damaged.truncate(at);
    else
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write_bytes(path, damaged);  // in place, while it may be open
    undo_ = [=] {
        if (QFileInfo::exists(path)) write_bytes(path, bytes);
    };
    return {QString(is_cut ? "%1 cut at %2" : "%1 changed at %2").arg(path).arg(at), {}};
}

Faults::Begun Faults::data_file_changes(const QString&) {
    const auto bytes = bytes_of(data_file_);
    const auto path = data_file_;
    undo_ = [=] { write_bytes(path, bytes); };
    switch (choices_.pick(3)) {
        case 0:
            QFile::remove(path);
            return {"the data file is gone", {}};
        case 1:
            write_bytes(path, bytes.left(choices_.pick(static_cast<int>(bytes.size()))));
            return {"the data file is cut", {}};
        default:
            write_bytes(path, bytes + bytes.mid(bytes.indexOf('\n') + 1));
            return {"the data file is longer", {}};
    }
}

}  // namespace casp::monkey
