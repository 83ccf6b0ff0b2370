#include "store/run_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <memory>
#include <system_error>

#include <archive.h>
#include <archive_entry.h>

#include "store/atomic_file.h"
#include "store/folder_lock.h"
#include "store/run_folder.h"
#include "util/descriptor.h"
#include "util/error.h"
#include "util/thread_charset.h"
#include "util/whole_path.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

struct Source {
    fs::path path;     ///< on disk
    std::string name;  ///< in the run folder, with '/'
    std::int64_t size = 0;
    std::shared_ptr<const Descriptor> held;  ///< opened in advance if it may be removed
};

struct Sources {
    std::vector<Source> files;
    std::vector<std::string> left_out;
    std::int64_t bytes = 0;
};

bool is_of_checkpoint(const std::string& name) {
    return name.starts_with("last/gen-") || name == "last/current";
}

bool is_wanted(const std::string& name, const ArchiveOptions& options) {
    const auto file = name.substr(name.rfind('/') + 1);
    if (belongs_to_writer(file)) return false;
    if (!options.checkpoint && is_of_checkpoint(name)) return false;
    return options.weights || !name.ends_with(".safetensors") || name.starts_with("last/gen-");
}

void collect(const fs::path& folder, const std::string& prefix, const ArchiveOptions& options, Sources& all,
             bool below = true) {
    std::vector<fs::path> names;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
        names.push_back(it->path());
    // A checkpoint generation may be removed during the listing.
    if (problem && prefix.empty()) throw run_error(folder.string(), "cannot be read: " + problem.message());
    if (problem && is_wanted(prefix + "*", options)) all.left_out.push_back(prefix);
    for (const auto& path : names) {
        const auto name = prefix + path.filename().string();
        struct stat info {};
        if (::lstat(path.c_str(), &info) != 0) continue;
        if (S_ISDIR(info.st_mode)) {
            if (below && !is_temporary(path.filename().string())) collect(path, name + "/", options, all);
        } else if (!S_ISREG(info.st_mode)) {
            all.left_out.push_back(name);
        } else if (is_wanted(name, options)) {
            all.files.push_back({path, name, static_cast<std::int64_t>(info.st_size), nullptr});
            all.bytes += info.st_size;
        }
    }
}

std::shared_ptr<const Descriptor> open_source(const fs::path& path) {
    return std::make_shared<Descriptor>(
        repeated([&] { return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK); }));
}

/// Content of last/current; empty if it does not name a generation.
std::string current_generation(const fs::path& run) {
    std::error_code ignored;
    const auto last = RunFolder(run).last();
    if (fs::symlink_status(last, ignored).type() != fs::file_type::directory ||
        fs::symlink_status(last / "current", ignored).type() != fs::file_type::regular)
        return {};
    try {
        auto name = read_small_file(last / "current", 4096);
        name.erase(std::find(name.begin(), name.end(), '\n'), name.end());
        const bool is_one = name.starts_with("gen-") && name.find('/') == std::string::npos &&
                            fs::symlink_status(last / name, ignored).type() == fs::file_type::directory;
        return is_one ? name : std::string();
    } catch (const Error&) {
        return {};
    }
}

/// Of the checkpoint, collects only the current generation and opens its files, since the next one replaces
/// and removes it. Without a valid last/current, everything is packed.
void hold_checkpoint(const fs::path& run, const ArchiveOptions& options, Sources& all) {
    constexpr int attempts = 20;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const auto name = current_generation(run);
        if (name.empty()) continue;  // the pointer may just have changed
        Sources part;
        collect(run / "last" / name, "last/" + name + "/", options, part);
        part.files.push_back({run / "last" / "current", "last/current", 0, nullptr});
        bool whole = part.left_out.empty();
        for (auto& file : part.files) {
            file.held = open_source(file.path);
            struct stat info {};
            whole = whole && file.held->is_open() && ::fstat(file.held->get(), &info) == 0;
            file.size = info.st_size;
        }
        if (!whole || current_generation(run) != name) continue;
        const auto replaced = [](const Source& file) { return is_of_checkpoint(file.name); };
        for (const auto& file : all.files)
            if (replaced(file)) all.bytes -= file.size;
        std::erase_if(all.files, replaced);
        std::erase_if(all.left_out, is_of_checkpoint);
        for (auto& file : part.files) {
            all.bytes += file.size;
            all.files.push_back(std::move(file));
        }
        return;
    }
}

/// Whether the file at that path is still the opened one.
bool is_still(const fs::path& path, const Descriptor& opened) {
    struct stat named {
    }, held{};
    const bool there = ::lstat(path.c_str(), &named) == 0 && S_ISREG(named.st_mode);
    if (!opened.is_open() || ::fstat(opened.get(), &held) != 0) return !there;
    return there && named.st_ino == held.st_ino && named.st_dev == held.st_dev;
}

/// Uses the opened file for the entry of that name.
void hold(const std::shared_ptr<const Descriptor>& opened, const std::string& name, Sources& all) {
    struct stat info {};
    if (!opened->is_open() || ::fstat(opened->get(), &info) != 0) return;
    for (auto& file : all.files) {
        if (file.name != name) continue;
        all.bytes += info.st_size - file.size;
        file.size = info.st_size;
        file.held = opened;
    }
}

bool is_run(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(RunFolder(folder).run_json(), ignored) ||
           fs::exists(RunFolder(folder).run_file(), ignored);
}

/// What is listed and packed at once, so that a batch of thousands of runs holds the files of one open.
struct Unit {
    enum class Kind { run, files, tree };

    fs::path folder;
    std::string name;  ///< in the archive, with '/' at its end
    Kind kind;         ///< files: only those directly in the folder
};

/// Appends the runs in and below the folder, and of batches their other files. Returns whether there is one.
bool add_units(const fs::path& folder, const std::string& name, int levels, std::vector<Unit>& units) {
    if (is_run(folder)) {
        units.push_back({folder, name, Unit::Kind::run});
        return true;
    }
    if (levels == 0) return false;
    std::error_code problem, unknown;
    std::vector<fs::path> folders;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
        if (it->symlink_status(unknown).type() == fs::file_type::directory &&
            !it->path().filename().native().starts_with('.'))
            folders.push_back(it->path());
    std::sort(folders.begin(), folders.end());
    bool is_batch = fs::exists(folder / "results.csv", unknown), found = false;
    std::vector<Unit> others;
    for (const auto& below : folders) {
        is_batch = is_batch || is_run(below);
        const auto inside = name + below.filename().string() + "/";
        if (add_units(below, inside, levels - 1, units))
            found = true;
        else
            others.push_back({below, inside, Unit::Kind::tree});
    }
    if (!is_batch) return found;
    units.push_back({folder, name, Unit::Kind::files});
    units.insert(units.end(), others.begin(), others.end());
    return true;
}

constexpr int levels_packed = 5;  ///< folders of batches, batches and runs

std::vector<Unit> units_of(const fs::path& folder, const ArchiveOptions& options) {
    std::vector<Unit> units;
    (void)add_units(folder, folder.filename().string() + "/", levels_packed, units);
    for (const auto& run : options.runs_beside)
        if (is_run(run))
            units.push_back({run, whole_path(run).lexically_relative(folder.parent_path()).string() + "/",
                             Unit::Kind::run});
    if (std::none_of(units.begin(), units.end(),
                     [](const Unit& unit) { return unit.kind == Unit::Kind::run; }))
        throw input_error(folder.string(), "it is not a run and has none",
                          "a run, a batch or a folder of batches");
    return units;
}

/// Files of a run, consistent with each other.
Sources sources_of_run(const fs::path& run_folder, const ArchiveOptions& options) {
    // Collect the status first, since it must not be newer than the results: "finished" is written after them
    // and the checkpoint is then removed. If the status changed meanwhile, collect once more.
    const auto run_json = RunFolder(run_folder).run_json();
    constexpr int attempts = 20;
    Sources all;
    for (int attempt = 1;; ++attempt) {
        const auto status = open_source(run_json);
        all = {};
        collect(run_folder, "", options, all);
        if (options.checkpoint) hold_checkpoint(run_folder, options, all);
        if (attempt < attempts && !is_still(run_json, *status)) continue;
        hold(status, run_json.filename().string(), all);
        break;
    }
    return all;
}

Sources sources_of(const Unit& unit, const ArchiveOptions& options) {
    Sources all;
    if (unit.kind == Unit::Kind::run)
        all = sources_of_run(unit.folder, options);
    else
        collect(unit.folder, "", options, all, unit.kind == Unit::Kind::tree);
    if (unit.kind != Unit::Kind::run) {
        const auto hidden = [](const Source& file) {
            return file.name.starts_with('.') || file.name.find("/.") != std::string::npos;
        };
        for (const auto& file : all.files)
            if (hidden(file)) all.bytes -= file.size;
        std::erase_if(all.files, hidden);
    }
    const auto by_name = [](const Source& a, const Source& b) { return a.name < b.name; };
    std::sort(all.files.begin(), all.files.end(), by_name);
    std::sort(all.left_out.begin(), all.left_out.end());
    return all;
}

/// libarchive writer on an AtomicFile; stores exceptions, which must not pass through C.
class Writer {
public:
    explicit Writer(const fs::path& destination) : file_(destination), archive_(archive_write_new()) {
        auto* a = archive_.get();
        check(archive_write_set_format_pax_restricted(a));
        check(archive_write_add_filter_gzip(a));
        // Weights are hardly compressible, so use the fastest level; no time stamp, so that archives are
        // reproducible.
        check(archive_write_set_options(a, "gzip:compression-level=1,gzip:!timestamp"));
        check(archive_write_open(a, this, nullptr, &Writer::write, nullptr));
    }

    void begin(const std::string& name, std::int64_t size, std::int64_t seconds) {
        const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                                  &archive_entry_free);
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
            if (written <= 0) check(written < 0 ? static_cast<int>(written) : ARCHIVE_FATAL);
            bytes += written;
            size -= static_cast<std::size_t>(written);
        }
    }

    std::int64_t finish() {
        check(archive_write_close(archive_.get()));
        file_.commit();
        return bytes_;
    }

private:
    static la_ssize_t write(archive* a, void* self, const void* bytes, std::size_t size) {
        auto* writer = static_cast<Writer*>(self);
        try {
            writer->file_.write(bytes, size);
            writer->bytes_ += static_cast<std::int64_t>(size);
            return static_cast<la_ssize_t>(size);
        } catch (...) {
            writer->failure_ = std::current_exception();
            archive_set_error(a, EIO, "cannot be written");
            return -1;
        }
    }

    void check(int code) {
        if (code == ARCHIVE_OK) return;
        if (failure_) std::rethrow_exception(failure_);
        if (code == ARCHIVE_WARN) return;  // a name that is not UTF-8 is kept as bytes
        const char* words = archive_error_string(archive_.get());
        throw run_error(file_.destination().string(),
                        std::string("cannot be packed: ") + (words != nullptr ? words : "unknown reason"));
    }

    struct Free {
        void operator()(archive* a) const { archive_write_free(a); }
    };
    AtomicFile file_;
    std::exception_ptr failure_;
    std::int64_t bytes_ = 0;
    std::unique_ptr<archive, Free> archive_;  // last, since closing it writes
};

/// Reports progress at most 20 times per second.
class Reporter {
public:
    Reporter(const ProgressFn& progress, std::int64_t total) : progress_(progress), total_(total) {}
    void add(std::int64_t bytes, bool last = false) {
        done_ += bytes;
        const auto now = std::chrono::steady_clock::now();
        if (!progress_ || (!last && now - reported_ < std::chrono::milliseconds(50))) return;
        reported_ = now;
        progress_({"packing", std::min(done_, total_), total_, "bytes"});
    }

private:
    const ProgressFn& progress_;
    std::int64_t total_, done_ = 0;
    std::chrono::steady_clock::time_point reported_{};
};

/// Packs one file with its current size; false if it is gone or has become a link.
bool pack(Writer& writer, const Source& source, const std::string& name, Reporter& reporter,
          std::vector<char>& buffer, ArchiveResult& result, const std::stop_token& stop) {
    const auto held = source.held ? source.held : open_source(source.path);
    const auto& file = *held;
    if (!file.is_open() && (errno == ENOENT || errno == ELOOP)) return false;
    struct stat info {};
    if (!file.is_open() || ::fstat(file.get(), &info) != 0)
        throw run_error(source.path.string(), "cannot be read: " + std::generic_category().message(errno));
    if (!S_ISREG(info.st_mode)) return false;
    std::int64_t left = info.st_size;
    writer.begin(name, left, info.st_mtim.tv_sec);
    while (left > 0) {
        throw_if_stopped(stop);
        const auto wanted =
            static_cast<std::size_t>(std::min<std::int64_t>(left, static_cast<std::int64_t>(buffer.size())));
        const auto got = ::read(file.get(), buffer.data(), wanted);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw run_error(source.path.string(),
                            got < 0 ? "cannot be read: " + std::generic_category().message(errno)
                                    : "it became shorter while it was being read");
        writer.data(buffer.data(), static_cast<std::size_t>(got));
        left -= got;
        reporter.add(got);
    }
    ++result.files;
    result.bytes += info.st_size;
    return true;
}

}  // namespace

std::int64_t archive_input_bytes(const fs::path& folder, const ArchiveOptions& options) {
    std::int64_t bytes = 0;
    for (const auto& unit : units_of(whole_path(folder), options)) bytes += sources_of(unit, options).bytes;
    return bytes;
}

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
    const auto units = units_of(top, options);
    ArchiveResult result;
    Reporter reporter(progress, archive_input_bytes(top, options));
    const ThreadCharset names(ThreadCharset::Name::utf8);
    Writer writer(destination);
    std::vector<char> buffer(std::size_t{1} << 20);
    const auto own = top.filename().string() + "/";
    for (const auto& unit : units) {
        result.runs += unit.kind == Unit::Kind::run ? 1 : 0;
        const auto sources = sources_of(unit, options);
        const auto place = unit.name.starts_with(own) ? unit.name.substr(own.size()) : unit.name;
        for (const auto& name : sources.left_out) result.left_out.push_back(place + name);
        for (const auto& source : sources.files) {
            throw_if_stopped(stop);
            if (!pack(writer, source, unit.name + source.name, reporter, buffer, result, stop))
                result.left_out.push_back(place + source.name);
        }
    }
    std::sort(result.left_out.begin(), result.left_out.end());
    result.archive_bytes = writer.finish();
    reporter.add(0, true);
    return result;
}

}  // namespace casp::store
