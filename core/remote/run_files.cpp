#include "remote/run_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "config/text_utils.h"
#include "util/error.h"

namespace casp::remote {

namespace {

constexpr std::size_t max_lock_bytes = 512;

template <class Names>
bool is_among(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_folder_name(std::string_view name) {
    return !name.empty() && name.front() != '.' && name.size() < 256 &&
           name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos && config::is_utf8(name);
}

Descriptor opened(int folder, const std::string& name, int flags) {
    flags |= O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    return Descriptor(repeated([&] { return ::openat(folder, name.c_str(), flags); }));
}

}  // namespace

bool is_run_file(std::string_view name) {
    return is_among(listed_files, name) || is_among(followed_files, name) || is_among(requested_files, name);
}

bool is_run_name(std::string_view run) {
    const auto slash = run.find('/');
    if (slash == std::string_view::npos) return is_folder_name(run);
    return is_folder_name(run.substr(0, slash)) && is_folder_name(run.substr(slash + 1));
}

RunFiles::RunFiles(const std::filesystem::path& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!folder_.is_open())
        throw input_error(folder.string(), std::generic_category().message(errno), "a folder of runs",
                          "Check the path on that machine.");
}

Descriptor RunFiles::folder_of(std::string_view run) const {
    if (!is_run_name(run)) return Descriptor();
    const auto slash = run.find('/');
    auto folder = opened(folder_.get(), std::string(run.substr(0, slash)), O_DIRECTORY);
    if (slash == std::string_view::npos || !folder.is_open()) return folder;
    return opened(folder.get(), std::string(run.substr(slash + 1)), O_DIRECTORY);
}

std::optional<RunFiles::Open> RunFiles::open_in(const Descriptor& folder, const std::string& name) {
    if (!folder.is_open()) return std::nullopt;
    Open open{opened(folder.get(), name, 0), {}};
    struct stat info {};
    if (!open.file.is_open() || ::fstat(open.file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return std::nullopt;
    open.stamp = {static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
                  static_cast<std::int64_t>(info.st_size)};
    return open;
}

std::optional<RunFiles::Open> RunFiles::open(std::string_view run, std::string_view name) const {
    if (!is_run_file(name)) return std::nullopt;
    return open_in(folder_of(run), std::string(name));
}

Stamp RunFiles::stamp(std::string_view run, std::string_view name) const {
    const auto file = open(run, name);
    return file ? file->stamp : Stamp();
}

std::string RunFiles::lock_text(std::string_view run) const {
    const auto lock = open_in(folder_of(run), ".lock");
    return lock ? read_part(lock->file, 0, max_lock_bytes) : std::string();
}

std::string read_part(const Descriptor& file, std::int64_t offset, std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t done = 0;
    while (done < count) {
        const auto got =
            ::pread(file.get(), bytes.data() + done, count - done, offset + static_cast<std::int64_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw run_error("a file of a run",
                            Phrase("cannot be read: %1", std::generic_category().message(errno)));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
}

}  // namespace casp::remote
