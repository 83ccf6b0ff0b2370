#include "data/packed_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include "config/text_utils.h"
#include "data/foreign_format.h"
#include "util/error.h"
#include "util/thread_charset.h"
#include "util/units.h"

namespace casp::data {

namespace {

using namespace std::string_view_literals;

struct Packing {
    std::string_view magic;
    const char* name;
    std::string_view extension;
    std::string_view fifth{};  ///< bytes from the fifth on, where the first ones also begin texts
};
constexpr std::array<Packing, 5> packings{{{"\x1F\x8B\x08"sv, "gzip", ".gz"},
                                           {"PK\x03\x04"sv, "zip", ".zip"},
                                           {"BZh"sv, "bzip2", ".bz2", "1AY&SY"},
                                           {"\xFD\x37zXZ\0"sv, "xz", ".xz"},
                                           {"\x28\xB5\x2F\xFD"sv, "Zstandard", ".zst"}}};

constexpr std::uint64_t largest_ratio = 100;
constexpr std::uint64_t always_allowed = std::uint64_t{256} << 20;
constexpr std::size_t block = std::size_t{1} << 17;
constexpr std::size_t longest_name = 200;

const Packing* packing_of(std::string_view head) {
    for (const auto& packing : packings)
        if (head.starts_with(packing.magic) &&
            (packing.fifth.empty() || (head.size() > 4 && head.substr(4).starts_with(packing.fifth))))
            return &packing;
    return nullptr;
}

Error damaged_packed(const RegularFile& file, const Packing& packing, const char* reason) {
    return input_error(file.path().string(),
                       reason != nullptr && *reason != '\0'
                           ? Phrase("the %1 file is damaged or truncated: %2", packing.name, reason)
                           : Phrase("the %1 file is damaged or truncated", packing.name),
                       "a complete file", "Copy or download it again.");
}

/// Files that archives have beside the data.
bool is_beside_the_data(const std::filesystem::path& name) {
    const auto file = config::lower_case(name.filename().string());
    if (file.empty() || file.starts_with('.')) return true;
    for (const auto& part : name)
        if (part == "__MACOSX") return true;
    return file.starts_with("readme") || file.starts_with("license") || file.starts_with("licence");
}

bool has_table_extension(const std::filesystem::path& name) {
    const auto extension = config::lower_case(name.extension().string());
    for (const auto known : {".csv"sv, ".tsv"sv, ".dat"sv, ".tsf"sv, ".jsonl"sv, ".ndjson"sv})
        if (extension == known) return true;
    return false;
}

struct FreeReader {
    void operator()(archive* a) const { archive_read_free(a); }
};
using ArchiveReader = std::unique_ptr<archive, FreeReader>;

ArchiveReader opened_archive(const RegularFile& file, const Packing& packing) {
    ArchiveReader reader(archive_read_new());
    if (packing.extension == ".zip") {
        archive_read_support_format_zip(reader.get());
    } else {
        archive_read_support_format_raw(reader.get());
        archive_read_support_filter_bzip2(reader.get());
        archive_read_support_filter_xz(reader.get());
        archive_read_support_filter_zstd(reader.get());
    }
    ::lseek(file.descriptor(), 0, SEEK_SET);
    if (archive_read_open_fd(reader.get(), file.descriptor(), block) != ARCHIVE_OK)
        throw damaged_packed(file, packing, archive_error_string(reader.get()));
    return reader;
}

/// The next entry; null: there is no more.
archive_entry* next_entry(archive* reader, const RegularFile& file, const Packing& packing) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader, &entry);
    if (status == ARCHIVE_EOF) return nullptr;
    // A warning is a name that is not UTF-8.
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
        throw damaged_packed(file, packing, archive_error_string(reader));
    return entry;
}

std::string packed_name(archive_entry* entry) {
    const char* text = archive_entry_pathname(entry);
    return text != nullptr ? text : "";
}

/// Names of the files in a zip archive.
std::vector<std::string> packed_names(const RegularFile& file, const Packing& packing,
                                      const std::stop_token& stop) {
    const auto reader = opened_archive(file, packing);
    std::vector<std::string> names;
    for (archive_entry* entry = nullptr; (entry = next_entry(reader.get(), file, packing)) != nullptr;) {
        throw_if_stopped(stop);
        if (archive_entry_filetype(entry) == AE_IFREG) names.push_back(packed_name(entry));
    }
    return names;
}

/// For foreign_format().
std::string packed_head(const std::vector<std::string>& names_in_zip) {
    std::string head = "PK\x03\x04\n";
    for (const auto& name : names_in_zip) head += name + "\n";
    return head;
}

/// The only data file of a zip archive.
std::string data_file_of(const RegularFile& file, const Packing& packing, const std::stop_token& stop) {
    auto names = packed_names(file, packing, stop);
    if (const auto* other = foreign_format(packed_head(names)))
        throw foreign_error(*other, file.path().string(), "a data file");
    std::erase_if(names, is_beside_the_data);
    if (std::ranges::count_if(names, has_table_extension) == 1)
        return *std::ranges::find_if(names, has_table_extension);
    if (names.size() == 1) return names.front();
    std::vector<std::string> shown;
    for (const auto& name : names)
        shown.push_back(config::in_quotes(config::abbreviated(name, longest_name)));
    throw input_error(file.path().string(),
                      names.empty()
                          ? Phrase("the zip archive has no data file")
                          : Phrase("the zip archive has %1 files: %2", names.size(), config::listed(shown)),
                      "one data file", "Unpack it, and give the data file.");
}

}  // namespace

class PackedFile::Source {
public:
    virtual ~Source() = default;
    virtual std::size_t read(std::span<char> out) = 0;
    [[nodiscard]] virtual std::int64_t packed_bytes() const = 0;
};

/// By zlib: libarchive does not verify the check sum of gzip files.
class PackedFile::Gzip : public Source {
public:
    Gzip(const RegularFile& file, const Packing& packing) : file_(file), packing_(packing) {
        const int descriptor = ::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);
        if (descriptor >= 0) ::lseek(descriptor, 0, SEEK_SET);
        opened_.reset(descriptor >= 0 ? ::gzdopen(descriptor, "rb") : nullptr);
        if (!opened_) {
            const int code = errno;
            if (descriptor >= 0) ::close(descriptor);
            throw run_error(file.path().string(), Phrase("cannot be read: %1", std::strerror(code)));
        }
        ::gzbuffer(opened_.get(), block);
    }

    std::size_t read(std::span<char> out) override {
        const int got = ::gzread(opened_.get(), out.data(), static_cast<unsigned>(out.size()));
        int code = Z_OK;
        const char* reason = ::gzerror(opened_.get(), &code);
        if (got < 0 || code != Z_OK)  // a truncated file has Z_BUF_ERROR after its last bytes
            throw damaged_packed(file_, packing_,
                                 code == Z_ERRNO ? std::strerror(errno) : without_place(reason));
        return static_cast<std::size_t>(got);
    }

    [[nodiscard]] std::int64_t packed_bytes() const override { return ::gzoffset(opened_.get()); }

private:
    /// "unexpected end of file" of "<fd:4>: unexpected end of file".
    static const char* without_place(const char* reason) {
        const char* const colon = std::strstr(reason, ": ");
        return colon != nullptr ? colon + 2 : reason;
    }

    struct Close {
        void operator()(gzFile file) const { ::gzclose(file); }
    };
    const RegularFile& file_;
    const Packing& packing_;
    std::unique_ptr<gzFile_s, Close> opened_;
};

/// A zip archive, or a file compressed otherwise, by libarchive.
class PackedFile::Archive : public Source {
public:
    Archive(const RegularFile& file, const Packing& packing, const std::stop_token& stop)
        : file_(file), packing_(packing), archive_(opened_archive(file, packing)) {
        if (packing.extension == ".zip") member_ = data_file_of(file, packing, stop);
        for (archive_entry* entry = nullptr;
             (entry = next_entry(archive_.get(), file, packing)) != nullptr;) {
            if (!member_.empty() && packed_name(entry) != member_) continue;
            if (archive_entry_is_encrypted(entry) == 0) return;
            throw input_error(file.path().string(), "it is encrypted with a password", "a readable file",
                              "Unpack it first.");
        }
        throw damaged_packed(file, packing, "it has no content");
    }

    std::size_t read(std::span<char> out) override {
        std::size_t done = 0;
        while (done < out.size()) {
            const auto got = archive_read_data(archive_.get(), out.data() + done, out.size() - done);
            if (got < 0) throw damaged_packed(file_, packing_, archive_error_string(archive_.get()));
            if (got == 0) break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

    [[nodiscard]] std::int64_t packed_bytes() const override {
        return archive_filter_bytes(archive_.get(), -1);
    }

    [[nodiscard]] const std::string& member() const { return member_; }

private:
    const RegularFile& file_;
    const Packing& packing_;
    std::string member_;  ///< chosen in a zip archive
    ArchiveReader archive_;
};

bool is_packed(std::string_view head) { return packing_of(head) != nullptr; }

std::string format_head(const RegularFile& file) {
    const ThreadCharset names(ThreadCharset::Name::utf8);
    constexpr std::size_t bytes = std::size_t{64} << 10;
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), bytes)), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    const auto* packing = packing_of(head);
    return packing != nullptr && packing->extension == ".zip" ? packed_head(packed_names(file, *packing, {}))
                                                              : head;
}

std::vector<std::string> packed_extensions() {
    std::vector<std::string> extensions;
    for (const auto& packing : packings) extensions.emplace_back(packing.extension.substr(1));
    return extensions;
}

std::filesystem::path without_packing(const std::filesystem::path& path) {
    const auto extension = config::lower_case(path.extension().string());
    const bool packed =
        std::ranges::any_of(packings, [&](const Packing& packing) { return extension == packing.extension; });
    return packed ? path.parent_path() / path.stem() : path;
}

std::string data_name(const std::filesystem::path& path) { return without_packing(path).stem().string(); }

PackedFile::PackedFile(const RegularFile& file, const std::stop_token& stop) : file_(file) {
    const ThreadCharset names(ThreadCharset::Name::utf8);
    std::array<char, packed_head_bytes> head{};
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), head.size()));
    file.read_at(0, std::as_writable_bytes(std::span(head).first(size)));
    const auto* packing = packing_of({head.data(), size});
    if (packing == nullptr)
        throw input_error(file.path().string(), "it is not compressed", "a compressed file");
    origin_ = packing->name;
    if (packing->name == "gzip"sv) {
        source_ = std::make_unique<Gzip>(file, *packing);
        return;
    }
    auto archive = std::make_unique<Archive>(file, *packing, stop);
    if (!archive->member().empty())
        origin_ = Phrase("%1 in a zip archive",
                         config::in_quotes(config::abbreviated(archive->member(), longest_name)));
    source_ = std::move(archive);
}

PackedFile::~PackedFile() = default;

std::uint64_t PackedFile::largest() const {
    return std::max(always_allowed, largest_ratio * std::min(file_.size(), UINT64_MAX / largest_ratio));
}

std::size_t PackedFile::read(std::span<char> out) {
    const auto got = source_->read(out);
    done_ += got;
    if (done_ > largest())
        throw input_error(file_.path().string(),
                          Phrase("its unpacked content has more than %1, and the file only %2 bytes",
                                 bytes_text(static_cast<std::int64_t>(largest())), file_.size()),
                          Phrase("at most %1 times the size of the file or 256 MiB", largest_ratio),
                          "If the content is right, unpack the file first.");
    return got;
}

std::int64_t PackedFile::packed_bytes() const { return source_->packed_bytes(); }
const Phrase& PackedFile::origin() const { return origin_; }

}  // namespace casp::data
