#include "store/run_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <system_error>

#include <archive.h>
#include <archive_entry.h>

#include "config/text_utils.h"
#include "store/atomic_file.h"
#include "store/folder_lock.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/descriptor.h"
#include "util/error.h"
#include "util/regular_file.h"
#include "util/thread_charset.h"
#include "util/whole_path.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr int levels_packed = 5;  ///< folders of batches, batches and runs
constexpr std::size_t piece_size = std::size_t{1} << 20;
constexpr const char* expected_archive = "an archive of runs (.tar.gz)";

std::string system_text(int code) { return std::generic_category().message(code); }

struct ArchivedFile {
    fs::path path;     ///< on disk
    std::string name;  ///< in the archive
    std::int64_t size = 0;
    std::optional<std::string> content = {};  ///< read in advance
};

struct FreeEntry {
    void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
struct FreeArchive {
    void operator()(archive* a) const { archive_free(a); }
};

std::vector<fs::path> sorted_entries(const fs::path& folder, std::error_code& problem) {
    std::vector<fs::path> paths;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
        paths.push_back(it->path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

/// What is packed, in its order.
class Listing {
public:
    explicit Listing(const ArchiveOptions& options) : options_(options) {}

    std::vector<ArchivedFile> files;
    std::vector<std::string> left_out;
    std::int64_t runs = 0, bytes = 0;

    /// Adds the runs in and below the folder, and of batches their other files. Returns whether there is one.
    bool add(const fs::path& folder, const std::string& name, int levels) {
        if (is_run(folder)) return add_run(folder, name);
        if (levels == 0) return false;
        std::error_code problem, unknown;
        bool is_batch = fs::exists(folder / "results.csv", unknown), found = false;
        std::vector<fs::path> others;
        for (const auto& path : sorted_entries(folder, problem)) {
            if (path.filename().native().starts_with('.')) continue;
            const bool is_folder = fs::symlink_status(path, unknown).type() == fs::file_type::directory;
            is_batch = is_batch || (is_folder && is_run(path));
            if (is_folder && add(path, name + "/" + path.filename().string(), levels - 1))
                found = true;
            else
                others.push_back(path);
        }
        if (!is_batch) return found;
        for (const auto& path : others)
            add_path(path, name + "/" + path.filename().string(), /*hidden=*/false, true);
        return true;
    }

    bool add_run(const fs::path& folder, const std::string& name) {
        ++runs;
        const RunFolder run(folder);
        // First: it must not be newer than the results, after which it says "finished".
        std::optional<std::string> status;
        if (std::error_code ignored; fs::is_regular_file(fs::symlink_status(run.run_json(), ignored)))
            status = read_small_file(run.run_json());
        // Its next checkpoint would replace the one that is being packed.
        const bool has_checkpoint = options_.checkpoint && !RunLock::holder(run);
        const auto first = files.size();
        add_path(folder, name, /*hidden=*/true, has_checkpoint);
        for (auto file = files.begin() + static_cast<std::ptrdiff_t>(first); file != files.end(); ++file)
            if (status && file->name == name + "/run.json") {
                bytes += std::ssize(*status) - file->size;
                file->size = std::ssize(*status);
                file->content = std::move(status);
                break;
            }
        return true;
    }

private:
    /// A file, or a folder with all that is in it.
    void add_path(const fs::path& path, const std::string& name, bool hidden, bool checkpoint) {
        const auto file = path.filename().string();
        struct stat info {};
        if (::lstat(path.c_str(), &info) != 0 || belongs_to_writer(file)) return;
        const bool is_of_checkpoint =
            path.parent_path().filename() == "last" && (file.starts_with("gen-") || file == "current");
        if (is_of_checkpoint && !checkpoint) return;
        if (S_ISDIR(info.st_mode)) {
            std::error_code problem;
            for (const auto& below : sorted_entries(path, problem))
                if (hidden || !below.filename().native().starts_with('.'))
                    add_path(below, name + "/" + below.filename().string(), hidden, checkpoint);
            if (problem) throw run_error(path.string(), Phrase("cannot be read: %1", problem.message()));
        } else if (!S_ISREG(info.st_mode)) {
            left_out.push_back(name);
        } else if (options_.weights || !(file.ends_with(".safetensors") || file.ends_with(".state")) ||
                   path.parent_path().filename().string().starts_with("gen-")) {
            files.push_back({path, name, static_cast<std::int64_t>(info.st_size)});
            bytes += info.st_size;
        }
    }

    const ArchiveOptions& options_;
};

/// An archive on its way.
class ArchiveWriter {
public:
    explicit ArchiveWriter(const fs::path& destination) : file_(destination) {
        auto* a = archive_.get();
        check(archive_write_set_format_pax_restricted(a));
        check(archive_write_add_filter_gzip(a));
        // Weights are hardly compressible, so use the fastest level; no time stamp, so that archives are
        // reproducible.
        check(archive_write_set_options(a, "gzip:compression-level=1,gzip:!timestamp"));
        check(archive_write_open_filename(a, file_.temporary().c_str()));
    }

    void begin(const std::string& name, std::int64_t size, std::int64_t seconds) {
        const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
        archive_entry_set_pathname(entry.get(), name.c_str());
        archive_entry_set_filetype(entry.get(), AE_IFREG);
        archive_entry_set_perm(entry.get(), 0644);
        archive_entry_set_size(entry.get(), size);
        archive_entry_set_mtime(entry.get(), seconds, 0);
        check(archive_write_header(archive_.get(), entry.get()));
    }

    void data(const char* bytes, std::size_t size) {
        while (size > 0) {
            const auto written = archive_write_data(archive_.get(), bytes, size);
            check(written > 0 ? ARCHIVE_OK : ARCHIVE_FATAL);
            bytes += written;
            size -= static_cast<std::size_t>(written);
        }
    }

    void finish() {
        check(archive_write_close(archive_.get()));
        file_.commit();
    }

private:
    void check(int status) const {
        if (status == ARCHIVE_OK || status == ARCHIVE_WARN) return;
        const int code = archive_errno(archive_.get());
        const char* text = archive_error_string(archive_.get());
        throw run_error(file_.destination().string(),
                        code > 0          ? Phrase("cannot be written: %1", system_text(code))
                        : text != nullptr ? Phrase("cannot be written: %1", text)
                                          : Phrase("cannot be written: unknown reason"),
                        {}, "Make room on that disk, or choose another folder.");
    }

    AtomicFile file_;
    std::unique_ptr<archive, FreeArchive> archive_{archive_write_new()};
};

/// Packs one file with its current size; false if it is gone or has become a link.
bool pack(const ArchivedFile& packed, ArchiveWriter& writer, ArchiveResult& result,
          const std::function<void(std::int64_t)>& done) {
    const auto cannot_be_read = [&](const Phrase& why) { return run_error(packed.path.string(), why); };
    const Descriptor file(repeated(
        [&] { return ::open(packed.path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK); }));
    struct stat info {};
    const bool opened = file.is_open() && ::fstat(file.get(), &info) == 0;
    if (!opened && errno != ENOENT && errno != ELOOP)
        throw cannot_be_read(Phrase("cannot be read: %1", system_text(errno)));
    if (!packed.content && (!opened || !S_ISREG(info.st_mode))) return false;
    auto left = packed.content ? packed.size : static_cast<std::int64_t>(info.st_size);
    writer.begin(packed.name, left, info.st_mtim.tv_sec);
    ++result.files;
    result.bytes += left;
    if (packed.content) {
        writer.data(packed.content->data(), packed.content->size());
        done(left);
        return true;
    }
    std::vector<char> buffer(std::min(piece_size, static_cast<std::size_t>(left)));
    while (left > 0) {
        const auto wanted = std::min(buffer.size(), static_cast<std::size_t>(left));
        const auto got = repeated([&] { return ::read(file.get(), buffer.data(), wanted); });
        if (got < 0) throw cannot_be_read(Phrase("cannot be read: %1", system_text(errno)));
        if (got == 0) throw cannot_be_read("it became shorter while it was being read");
        writer.data(buffer.data(), static_cast<std::size_t>(got));
        left -= got;
        done(got);
    }
    return true;
}

fs::path make_folder() {
    std::error_code problem;
    auto name = (fs::temp_directory_path(problem) / "caspstudio-XXXXXX").string();
    if (problem || ::mkdtemp(name.data()) == nullptr)
        throw run_error("TMPDIR", problem
                                      ? Phrase("no temporary folder can be made: %1", problem.message())
                                      : Phrase("no temporary folder can be made: %1", system_text(errno)));
    return name;
}

class Unpacking {
public:
    Unpacking(const fs::path& archive, const fs::path& folder)
        : path_(archive), folder_(folder), opened_(archive, expected_archive) {
        archive_read_support_format_tar(archive_.get());
        archive_read_support_filter_gzip(archive_.get());
        if (archive_read_open_fd(archive_.get(), opened_.descriptor(), piece_size) != ARCHIVE_OK)
            throw damaged();
    }

    void run(const ProgressFn& progress, const std::stop_token& stop) {
        for (archive_entry* entry = nullptr;;) {
            const int status = archive_read_next_header(archive_.get(), &entry);
            if (status == ARCHIVE_EOF) return;
            // A warning is a name that is not ASCII: it is read as it is.
            if (status != ARCHIVE_OK && status != ARCHIVE_WARN) throw damaged();
            unpack(entry, progress, stop);
        }
    }

private:
    [[nodiscard]] Error damaged() const {
        const char* text = archive_error_string(archive_.get());
        return input_error(path_.string(),
                           text != nullptr ? Phrase("the archive is damaged or not one: %1", text)
                                           : Phrase("the archive is damaged or not one: unknown reason"),
                           expected_archive, "Copy it again, or pack the runs again with --archive.");
    }

    [[nodiscard]] Error rejected(const std::string& name, const Phrase& why) const {
        return input_error(path_.string() + ", " + config::in_quotes(config::abbreviated(name, 200)), why,
                           "files and folders below the archive's own folder",
                           "List its contents with tar -tvf: archives of this program have no such entry.");
    }

    [[nodiscard]] Error cannot_write(int code) const {
        return run_error(folder_.string(), Phrase("cannot be written: %1", system_text(code)), {},
                         "Set TMPDIR to a folder on a disk with more room, or unpack it with tar.");
    }

    /// The entry's path below the folder. Throws if it could lead elsewhere.
    [[nodiscard]] fs::path path_of(const std::string& name) const {
        constexpr std::size_t longest_path = 4000;
        if (name.empty() || name.size() > longest_path) throw rejected(name, "its path is empty or too long");
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
        std::error_code ignored;
        fs::create_directories(path.parent_path(), ignored);
        // Also rejects a path below a file.
        const Descriptor file(
            ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
        if (!file.is_open() && (errno == EEXIST || errno == ENOTDIR || errno == EISDIR))
            throw rejected(name, "another file has its path");
        if (!file.is_open()) throw cannot_write(errno);
        while (true) {
            throw_if_stopped(stop);
            const auto got = archive_read_data(archive_.get(), buffer_.data(), buffer_.size());
            if (got < 0) throw damaged();
            if (got == 0) break;
            if (const int code = write_all(file.get(), {buffer_.data(), static_cast<std::size_t>(got)}))
                throw cannot_write(code);
            if (progress)
                progress({Stage::unpacking, archive_filter_bytes(archive_.get(), -1),
                          static_cast<std::int64_t>(opened_.size()), "bytes"});
        }
    }

    ThreadCharset names_{ThreadCharset::Name::ascii};  // names are bytes
    fs::path path_, folder_;
    RegularFile opened_;
    std::unique_ptr<archive, FreeArchive> archive_{archive_read_new()};
    std::vector<char> buffer_ = std::vector<char>(piece_size);
};

/// Runs of batches beside the folder that its tables list.
std::vector<fs::path> runs_beside(const fs::path& top, const std::stop_token& stop) {
    std::vector<fs::path> beside;
    if (std::error_code unknown; !fs::is_directory(top, unknown)) return beside;
    for (const auto& run : find_runs(top, stop))
        if (const auto inside = run.folder.lexically_relative(top); *inside.begin() == "..")
            beside.push_back(run.folder);
    std::sort(beside.begin(), beside.end());
    return beside;
}

void remove_folder(const fs::path& folder) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

}  // namespace

ArchiveResult write_archive(const fs::path& folder, const fs::path& destination,
                            const ArchiveOptions& options, const ProgressFn& progress,
                            const std::stop_token& stop) {
    std::error_code ignored;
    const auto top = whole_path(folder);
    const auto target = fs::weakly_canonical(fs::absolute(destination), ignored);
    const auto inside = target.lexically_relative(fs::weakly_canonical(top, ignored));
    if (!inside.empty() && *inside.begin() != "..")
        throw input_error(destination.string(), "the archive cannot be in the folder it packs", {},
                          "Choose another folder.");
    Listing all(options);
    (void)all.add(top, top.filename().string(), levels_packed);
    for (const auto& run : runs_beside(top, stop))
        (void)all.add_run(run, run.lexically_relative(top.parent_path()).string());
    if (all.runs == 0)
        throw input_error(folder.string(), "it is not a run and has none",
                          "a run, a batch or a folder of batches");
    ArchiveResult result{all.runs, 0, 0, 0, std::move(all.left_out)};
    std::int64_t done = 0;
    const auto report = [&](std::int64_t bytes) {
        throw_if_stopped(stop);
        done = std::min(done + bytes, all.bytes);
        if (progress) progress({Stage::packing, done, all.bytes, "bytes"});
    };
    const ThreadCharset names(ThreadCharset::Name::utf8);
    ArchiveWriter writer(destination);
    report(0);
    for (const auto& file : all.files)
        if (!pack(file, writer, result, report)) result.left_out.push_back(file.name);
    writer.finish();
    std::sort(result.left_out.begin(), result.left_out.end());
    result.archive_bytes = static_cast<std::int64_t>(fs::file_size(destination));
    return result;
}

UnpackedArchive::UnpackedArchive(const fs::path& archive, const ProgressFn& progress,
                                 const std::stop_token& stop)
    : folder_(make_folder()) {
    try {
        Unpacking(archive, folder_).run(progress, stop);
    } catch (...) {
        remove_folder(folder_);
        throw;
    }
}

UnpackedArchive::~UnpackedArchive() { remove_folder(folder_); }

}  // namespace casp::store
