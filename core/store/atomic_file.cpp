#include "store/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "util/descriptor.h"
#include "util/error.h"
#include "util/regular_file.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

Error write_failure(const fs::path& path, const Phrase& doing, int code) {
    Phrase advice;
    if (code == ENOSPC || code == EDQUOT || code == EFBIG)
        advice = "Make room on that disk, or choose another folder.";
    else if (code == EROFS || code == EACCES || code == EPERM)
        advice = "Choose a folder you may write to.";
    else if (code == ENOENT || code == ENOTDIR)
        advice = "Its folder does not exist.";
    return run_error(path.string(), doing + ": " + std::generic_category().message(code), {}, advice);
}

int open_to_read(const fs::path& path) {
    return repeated([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
}

/// Creates a new file exclusively; never writes through an existing name, in particular a link.
int open_new(const fs::path& path) {
    const auto open = [&] {
        return repeated(
            [&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666); });
    };
    const int descriptor = open();
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
    ::unlink(path.c_str());  // left by a killed process with the same number
    return open();
}

void rename_durably(const fs::path& from, const fs::path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) throw write_failure(to, "cannot be replaced", errno);
    sync_path(to.has_parent_path() ? to.parent_path() : fs::path("."));
}

}  // namespace

bool is_temporary(const std::string& name) {
    return name.size() > 5 && name.front() == '.' && name.ends_with(".tmp");
}

fs::path temporary_name_for(const fs::path& destination) {
    static std::atomic<unsigned> counter{0};
    std::string name = ".";
    name.append(destination.filename().string()).append(".").append(std::to_string(::getpid()));
    name.append("-").append(std::to_string(++counter)).append(".tmp");
    return destination.parent_path() / name;
}

AtomicFile::AtomicFile(fs::path destination)
    : destination_(std::move(destination)), temporary_(temporary_name_for(destination_)) {
    descriptor_ = open_new(temporary_);
    if (descriptor_ < 0) throw write_failure(destination_, "cannot be written", errno);
}

AtomicFile::~AtomicFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* bytes, std::size_t size) {
    if (const int code = write_all(descriptor_, {static_cast<const char*>(bytes), size}); code != 0)
        throw write_failure(destination_, "cannot be written", code);
}

void AtomicFile::commit(bool flushed) {
    if (flushed && repeated([&] { return ::fsync(descriptor_); }) != 0)
        throw write_failure(destination_, "cannot be flushed to disk", errno);
    const int closing = descriptor_;
    descriptor_ = -1;
    try {
        // Some network file systems report a full disk only on close.
        // (EINTR: the file is closed, and was flushed before.)
        if (::close(closing) != 0 && errno != EINTR)
            throw write_failure(destination_, "cannot be closed", errno);
        if (flushed)
            rename_durably(temporary_, destination_);
        else if (::rename(temporary_.c_str(), destination_.c_str()) != 0)
            throw write_failure(destination_, "cannot be replaced", errno);
    } catch (...) {
        ::unlink(temporary_.c_str());
        throw;
    }
}

void write_file_atomically(const fs::path& destination, std::string_view content, bool flushed) {
    AtomicFile file(destination);
    file.write(content);
    file.commit(flushed);
}

void commit_file(const fs::path& temporary, const fs::path& destination) {
    sync_path(temporary);
    rename_durably(temporary, destination);
}

void sync_path(const fs::path& path) {
    const Descriptor file(open_to_read(path));
    if (!file.is_open()) throw write_failure(path, "cannot be opened", errno);
    // EINVAL: the file system does not support fsync on folders.
    if (repeated([&] { return ::fsync(file.get()); }) != 0 && errno != EINVAL)
        throw write_failure(path, "cannot be flushed to disk", errno);
}

std::size_t remove_temporaries(const fs::path& folder) {
    std::size_t removed = 0;
    std::error_code ignored;
    for (fs::directory_iterator it(folder, ignored), end; it != end; it.increment(ignored)) {
        if (ignored) break;
        if (is_temporary(it->path().filename().string())) {
            if (fs::remove_all(it->path(), ignored) != static_cast<std::uintmax_t>(-1)) ++removed;
        }
    }
    return removed;
}

void hard_link_or_copy(const fs::path& from, const fs::path& to) {
    const auto temporary = temporary_name_for(to);
    if (::link(from.c_str(), temporary.c_str()) == 0) {
        try {
            rename_durably(temporary, to);
        } catch (...) {
            ::unlink(temporary.c_str());
            throw;
        }
        // rename() between two links to the same file does nothing and keeps both.
        ::unlink(temporary.c_str());
        return;
    }
    const int link_code = errno;
    if (link_code == ENOENT)
        throw write_failure(from, Phrase("cannot be linked to %1", to.string()), link_code);
    std::error_code problem;
    fs::copy_file(from, temporary, fs::copy_options::overwrite_existing, problem);
    if (problem) {
        ::unlink(temporary.c_str());
        throw write_failure(to, Phrase("cannot be copied from %1", from.string()), problem.value());
    }
    commit_file(temporary, to);
}

std::string read_small_file(const fs::path& path, std::size_t limit) {
    return RegularFile(path, "a small text file").read_all(limit);
}

}  // namespace casp::store
