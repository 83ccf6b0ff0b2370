#include "store/unpacked_archive.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

#include "config/text_utils.h"
#include "util/descriptor.h"
#include "util/error.h"
#include "util/regular_file.h"
#include "util/thread_charset.h"
#include "util/units.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr const char* expected_archive = "an archive of runs (.tar.gz)";
constexpr const char* other_disk = "Set TMPDIR to a folder on a disk with more room, or unpack it with tar.";
constexpr std::size_t longest_path = 4000;

fs::path make_folder() {
    std::error_code problem;
    auto name = (fs::temp_directory_path(problem) / "caspstudio-XXXXXX").string();
    if (problem || ::mkdtemp(name.data()) == nullptr)
        throw run_error("TMPDIR",
                        "no temporary folder can be made: " +
                            (problem ? problem : std::error_code(errno, std::generic_category())).message());
    return name;
}

class Unpacking {
public:
    Unpacking(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits)
        : path_(archive), folder_(folder), limits_(limits), opened_(archive, expected_archive) {
        if (limits_.bytes == 0) {
            std::error_code unknown;
            const auto space = fs::space(folder, unknown);
            limits_.bytes = unknown ? std::numeric_limits<std::int64_t>::max()
                                    : static_cast<std::int64_t>(space.available);
        }
        archive_read_support_format_tar(archive_.get());
        archive_read_support_filter_gzip(archive_.get());
        constexpr std::size_t block = std::size_t{1} << 16;
        if (archive_read_open_fd(archive_.get(), opened_.descriptor(), block) != ARCHIVE_OK) throw damaged();
    }

    void run(const ProgressFn& progress, const std::stop_token& stop) {
        std::int64_t files = 0;
        for (archive_entry* entry = nullptr;;) {
            const int status = archive_read_next_header(archive_.get(), &entry);
            if (status == ARCHIVE_EOF) return;
            // A warning is a name that is not ASCII: it is read as it is.
            if (status != ARCHIVE_OK && status != ARCHIVE_WARN) throw damaged();
            if (++files > limits_.files)
                throw input_error(path_.string(),
                                  "it has more than " + std::to_string(limits_.files) + " files",
                                  expected_archive, "Pack fewer batches into one archive.");
            unpack(entry, progress, stop);
        }
    }

private:
    [[nodiscard]] Error damaged() const {
        const char* text = archive_error_string(archive_.get());
        return input_error(
            path_.string(),
            std::string("the archive is damaged or not one: ") + (text != nullptr ? text : "unknown reason"),
            expected_archive, "Copy it again, or pack the runs again with --archive.");
    }

    [[nodiscard]] Error rejected(const std::string& name, const std::string& why) const {
        return input_error(path_.string() + ", " + config::in_quotes(config::abbreviated(name, 200)), why,
                           "files and folders below the archive's own folder",
                           "List its contents with tar -tvf: archives of this program have no such entry.");
    }

    /// The entry's path below the folder. Throws if it could lead elsewhere.
    [[nodiscard]] fs::path path_of(const std::string& name) const {
        if (name.empty() || name.size() > longest_path || name.find('\0') != std::string::npos)
            throw rejected(name, "its path is empty or too long");
        fs::path path;
        for (const auto& part : fs::path(name)) {
            if (part == "..") throw rejected(name, "its path has \"..\"");
            if (part.is_absolute()) throw rejected(name, "its path is absolute");
            if (!part.empty() && part != ".") path /= part;
        }
        return path;
    }

    void unpack(archive_entry* entry, const ProgressFn& progress, const std::stop_token& stop) {
        const char* text = archive_entry_pathname(entry);
        const std::string name = text != nullptr ? text : "";
        const auto relative = path_of(name);
        const auto type = archive_entry_filetype(entry);
        if (archive_entry_hardlink(entry) != nullptr || type == AE_IFLNK)
            throw rejected(name, "it is a link");
        if (type == AE_IFDIR) return;  // made with its first file
        if (type != AE_IFREG || relative.empty()) throw rejected(name, "it is neither a file nor a folder");
        const auto path = folder_ / relative;
        std::error_code problem;
        fs::create_directories(path.parent_path(), problem);
        // Also rejects a path below a file.
        const Descriptor file(
            ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
        if (!file.is_open()) {
            if (errno == EEXIST || errno == ENOTDIR || errno == EISDIR)
                throw rejected(name, "another file has its path");
            throw cannot_write(errno);
        }
        copy(file.get(), name, progress, stop);
    }

    void copy(int descriptor, const std::string& name, const ProgressFn& progress,
              const std::stop_token& stop) {
        for (;;) {
            throw_if_stopped(stop);
            const auto got = archive_read_data(archive_.get(), buffer_.data(), buffer_.size());
            if (got == 0) break;
            if (got < 0) throw damaged();
            bytes_ += got;
            if (bytes_ > limits_.bytes)
                throw input_error(path_.string() + ", " + config::in_quotes(config::abbreviated(name, 200)),
                                  "the files take more than " + bytes_text(limits_.bytes),
                                  "at most the free space of " + folder_.parent_path().string(), other_disk);
            if (const int code = write_all(descriptor, {buffer_.data(), static_cast<std::size_t>(got)});
                code != 0)
                throw cannot_write(code);
            if (progress)
                progress({"unpacking", archive_filter_bytes(archive_.get(), -1),
                          static_cast<std::int64_t>(opened_.size()), "bytes"});
        }
    }

    [[nodiscard]] Error cannot_write(int code) const {
        return run_error(folder_.string(), "cannot be written: " + std::generic_category().message(code), {},
                         other_disk);
    }

    struct Free {
        void operator()(archive* a) const { archive_read_free(a); }
    };
    ThreadCharset names_{ThreadCharset::Name::ascii};  // names are bytes
    fs::path path_, folder_;
    UnpackLimits limits_;
    RegularFile opened_;
    std::unique_ptr<archive, Free> archive_{archive_read_new()};
    std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 20);
    std::int64_t bytes_ = 0;
};

void remove_folder(const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

}  // namespace

UnpackedArchive::UnpackedArchive(const fs::path& archive, const ProgressFn& progress,
                                 const std::stop_token& stop, const UnpackLimits& limits)
    : folder_(make_folder()) {
    try {
        Unpacking(archive, folder_, limits).run(progress, stop);
    } catch (...) {
        remove_folder(folder_);
        throw;
    }
}

UnpackedArchive::~UnpackedArchive() { remove_folder(folder_); }

}  // namespace casp::store
