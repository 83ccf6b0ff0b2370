#include "fetch/cuda_libraries.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

#include "data/catalog.h"
#include "fetch/download.h"
#include "util/descriptor.h"
#include "util/digest.h"
#include "util/embedded.h"
#include "util/error.h"
#include "util/units.h"

namespace casp::fetch {

namespace fs = std::filesystem;

namespace {

/// One line: `torch==2.11.0 --hash=sha256:…  # bytes of the download, bytes unpacked`
struct Wheel {
    std::string requirement, name, sha256;
    std::int64_t bytes = 0, unpacked = 0;
};

std::vector<Wheel> wheels_of(const std::string& lists) {
    std::vector<Wheel> wheels;
    std::istringstream lines(lists);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') continue;
        Wheel wheel;
        std::string hash, mark;
        std::istringstream words(line);
        words >> wheel.requirement >> hash >> mark >> wheel.bytes >> wheel.unpacked;
        wheel.name = wheel.requirement.substr(0, wheel.requirement.find('='));
        wheel.sha256 = hash.substr(hash.find(':') + 1);
        wheel.requirement += " " + hash;
        wheels.push_back(std::move(wheel));
    }
    return wheels;
}

/// As fetch_libtorch.sh writes them: one file for each list.
constexpr std::array<const char*, 2> stamps{"complete", "complete-cuda"};

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Error cannot_write(const fs::path& path, const std::string& why) {
    return run_error(path.string(), "cannot be written: " + why, {},
                     "Free disk space, or set XDG_CACHE_HOME to a folder on a larger disk.");
}

void check_space(const fs::path& folder, const std::vector<Wheel>& wheels) {
    std::int64_t needed = 0;
    for (const auto& wheel : wheels) needed += wheel.unpacked + wheel.bytes;
    std::error_code unknown;
    const auto space = fs::space(folder, unknown);
    if (!unknown && static_cast<std::int64_t>(space.available) < needed)
        throw run_error(
            folder.string(), "only " + bytes_text(static_cast<std::int64_t>(space.available)) + " are free",
            bytes_text(needed), "Free disk space, or set XDG_CACHE_HOME to a folder on a larger disk.");
}

/// The address with this digest on the index's page of the project.
std::string address_of(const Wheel& wheel, const std::string& index, const fs::path& folder,
                       const std::stop_token& stop) {
    DownloadRequest request;
    request.url = index + "/" + wheel.name + "/";
    request.destination = folder / (wheel.name + ".html");
    std::error_code none_there;
    fs::remove(request.destination, none_there);
    (void)download(request, {}, stop);
    const auto page = text_of(request.destination);
    const auto digest = page.find("#sha256=" + wheel.sha256);
    const auto quote = digest == std::string::npos ? digest : page.rfind("href=\"", digest);
    if (quote == std::string::npos)
        throw input_error(request.url,
                          "this package index does not have the file with SHA-256 " + wheel.sha256,
                          wheel.requirement, "Set PIP_INDEX_URL to another index, or unset it for pypi.org.");
    constexpr std::size_t after_href = 6;
    const auto link = page.substr(quote + after_href, digest - quote - after_href);
    if (link.find("://") != std::string::npos) return link;
    if (link.starts_with("/")) return index.substr(0, index.find('/', index.find("://") + 3)) + link;
    return request.url + link;
}

bool is_wanted(const std::string& name) {
    if (name == "torch/lib/libtorch_python.so" || name.ends_with(".a") || name.ends_with(".py")) return false;
    return name.starts_with("torch/lib/") || name.starts_with("torch/include/") ||
           name.starts_with("torch/share/") || name.starts_with("nvidia/") ||
           (name.find(".dist-info/") != std::string::npos && name.find("icense") != std::string::npos);
}

/// Unpacks what programs and builds need. Each file gets its name when it is complete: others may be using
/// the folder.
void unpack(const fs::path& wheel, const fs::path& into, const std::stop_token& stop) {
    // libarchive follows no symbolic link, and a home folder may be behind one.
    const auto folder = fs::canonical(into);
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(),
                                                                        archive_read_free);
    const std::unique_ptr<archive, decltype(&archive_write_free)> writer(archive_write_disk_new(),
                                                                         archive_write_free);
    archive_write_disk_set_options(writer.get(),
                                   ARCHIVE_EXTRACT_SECURE_NODOTDOT | ARCHIVE_EXTRACT_SECURE_SYMLINKS);
    archive_read_support_format_zip(reader.get());
    constexpr std::size_t block = std::size_t{1} << 20;
    const auto check = [&](int status, archive* of) {
        if (status < ARCHIVE_WARN) throw cannot_write(folder, archive_error_string(of));
    };
    check(archive_read_open_filename(reader.get(), wheel.c_str(), block), reader.get());
    for (archive_entry* entry = nullptr;;) {
        const int status = archive_read_next_header(reader.get(), &entry);
        if (status == ARCHIVE_EOF) return;
        check(status, reader.get());
        const std::string name = archive_entry_pathname(entry);
        if (name.ends_with("/") || !is_wanted(name)) continue;
        const auto part = (folder / name).string() + ".part";
        archive_entry_set_pathname(entry, part.c_str());
        archive_entry_set_perm(entry, 0644);
        check(archive_write_header(writer.get(), entry), writer.get());
        const void* data = nullptr;
        std::size_t size = 0;
        for (la_int64_t offset = 0;;) {
            throw_if_stopped(stop);
            const int got = archive_read_data_block(reader.get(), &data, &size, &offset);
            if (got == ARCHIVE_EOF) break;
            check(got, reader.get());
            check(static_cast<int>(archive_write_data_block(writer.get(), data, size, offset)), writer.get());
        }
        check(archive_write_finish_entry(writer.get()), writer.get());
        fs::rename(part, folder / name);
    }
}

/// Does nothing if an interrupted call has downloaded it.
void fetch_wheel(const Wheel& wheel, const std::string& index, const fs::path& file,
                 const ProgressFn& progress, const std::stop_token& stop) {
    std::error_code unknown;
    if (fs::exists(file, unknown) && sha256_of_file(file, progress, stop) == wheel.sha256) return;
    fs::remove(file, unknown);
    DownloadRequest request;
    request.url = address_of(wheel, index, file.parent_path(), stop);
    request.destination = file;
    request.sha256 = wheel.sha256;
    request.size = wheel.bytes;
    (void)download(request, progress, stop);
}

/// Held while a process fetches; the file is that of packaging/lib.sh.
Descriptor locked(const fs::path& file) {
    Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!descriptor.is_open()) throw cannot_write(file, std::generic_category().message(errno));
    if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0)
        throw input_error(file.parent_path().string(), "another process is fetching LibTorch", {},
                          "Wait until it has finished, then try again.");
    return descriptor;
}

}  // namespace

fs::path cuda_folder() {
    constexpr std::string_view torch = "\ntorch==";
    const auto list = embedded_file("packaging/libtorch.txt");
    const auto version = list.substr(list.find(torch) + torch.size());
    return data::cache_folder() / "caspstudio" /
           ("libtorch-" + std::string(version.substr(0, version.find(' '))));
}

WheelSource cuda_source() {
    const char* index = std::getenv("PIP_INDEX_URL");
    std::string address = index != nullptr && *index != '\0' ? index : "https://pypi.org/simple";
    while (address.ends_with("/")) address.pop_back();
    return {{std::string(embedded_file("packaging/libtorch.txt")),
             std::string(embedded_file("packaging/libtorch-cuda.txt"))},
            address,
            cuda_folder()};
}

bool has_cuda_libraries(const fs::path& folder) {
    return std::all_of(stamps.begin(), stamps.end(), [&](const char* stamp) {
        std::error_code unknown;
        return fs::exists(folder / stamp, unknown);
    });
}

fs::path fetch_cuda_libraries(const WheelSource& source, const ProgressFn& progress,
                              const std::function<void(const std::string&)>& note,
                              const std::stop_token& stop) {
    const auto work =
        source.folder.parent_path() / ("." + source.folder.filename().string() + ".part") / "wheels";
    std::error_code problem;
    fs::create_directories(work, problem);
    if (!problem) fs::create_directories(source.folder, problem);
    if (problem) throw cannot_write(source.folder, problem.message());
    const auto lock = locked(source.folder.parent_path() / ".lock");
    for (std::size_t i = 0; i < stamps.size(); ++i) {
        const auto wheels = wheels_of(source.lists[i]);
        std::string stamp;
        for (const auto& wheel : wheels) stamp += wheel.requirement + "\n";
        if (text_of(source.folder / stamps[i]) == stamp) continue;
        check_space(source.folder, wheels);
        for (const auto& wheel : wheels) {
            note("fetching " + wheel.requirement.substr(0, wheel.requirement.find(' ')) + " (" +
                 bytes_text(wheel.bytes) + ")");
            const auto file = work / (wheel.name + ".whl");
            fetch_wheel(wheel, source.index, file, progress, stop);
            note("unpacking");
            unpack(file, source.folder, stop);
        }
        std::ofstream written(source.folder / stamps[i], std::ios::binary);
        if (!(written << stamp).flush())
            throw cannot_write(source.folder / stamps[i], "the disk may be full");
    }
    fs::remove_all(work.parent_path(), problem);
    return source.folder;
}

}  // namespace casp::fetch
