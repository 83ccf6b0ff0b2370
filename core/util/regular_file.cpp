#include "util/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "util/error.h"

namespace casp {

namespace {

Error cannot_open(const std::string& where, const Phrase& expected, int code) {
    switch (code) {
        case ENOENT:
        case ENOTDIR:
            return input_error(where, "there is no such file", expected, "Check the path and its spelling.");
        case EACCES:
        case EPERM:
            return input_error(where, "you have no permission to read this file", expected,
                               "Change its permissions (chmod) or copy it to where you may read it.");
        case ELOOP:
            return input_error(where, "this symbolic link points back to itself", expected,
                               "Give the path of the file itself.");
        case ENXIO:
            return input_error(where, "this is a socket or a device", expected,
                               "Save the data to a file first.");
        case EMFILE:
        case ENFILE:
            return run_error(where,
                             Phrase("the file cannot be opened: %1", std::generic_category().message(code)),
                             {}, "Close other programs, or raise the limit (ulimit -n).");
        default:
            return input_error(where,
                               Phrase("the file cannot be opened: %1", std::generic_category().message(code)),
                               expected, "Check the path, and the disk that it is on.");
    }
}

Phrase kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

}  // namespace

RegularFile::RegularFile(const std::filesystem::path& path, const Phrase& expected)
    : path_(path), expected_(expected) {
    const auto where = path.string();
    if (where.find('\0') != std::string::npos)
        throw input_error("a path", "it contains a zero byte", expected, "Check the path and its spelling.");
    // O_NONBLOCK: opening a pipe without a writer would block for ever.
    do {
        descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) throw cannot_open(where, expected, errno);
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) {
        const int code = errno;
        ::close(descriptor_);
        throw cannot_open(where, expected, code);
    }
    if (!S_ISREG(info.st_mode)) {
        ::close(descriptor_);
        throw input_error(
            where, Phrase("this is %1", kind_of(info.st_mode)), expected,
            S_ISDIR(info.st_mode) ? "Give the path of a file in it." : "Save the data to a file first.");
    }
    size_ = static_cast<std::uint64_t>(info.st_size);
}

RegularFile::~RegularFile() { ::close(descriptor_); }

void RegularFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
        const auto got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw input_error(path_.string(),
                              Phrase("cannot be read: %1", std::generic_category().message(errno)), expected_,
                              "Check the disk that it is on.");
        if (got == 0)
            throw input_error(
                path_.string(), "it became shorter while it was being read", expected_,
                "Another program is writing to this file: wait until it has finished, then try again.");
        offset += static_cast<std::uint64_t>(got);
        out = out.subspan(static_cast<std::size_t>(got));
    }
}

std::string RegularFile::read_all(std::size_t limit) const {
    const auto too_large = [&] {
        return input_error(path_.string(), Phrase("is larger than %1 bytes", limit), expected_,
                           "Is this the right file? Check the path.");
    };
    if (size_ > limit) throw too_large();
    std::string content;
    std::vector<char> buffer(std::size_t{1} << 16);
    for (;;) {
        const auto got = ::read(descriptor_, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            throw input_error(path_.string(),
                              Phrase("cannot be read: %1", std::generic_category().message(errno)), expected_,
                              "Check the disk that it is on.");
        if (got == 0) return content;
        content.append(buffer.data(), static_cast<std::size_t>(got));
        if (content.size() > limit) throw too_large();  // grew meanwhile, or reports no size (/proc)
    }
}

}  // namespace casp
