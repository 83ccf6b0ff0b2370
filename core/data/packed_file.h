#pragma once
// Data files that are compressed, or are the only data file of a zip archive.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "util/regular_file.h"

namespace casp::data {

/// Bytes of a file that is_packed() needs.
inline constexpr std::size_t packed_head_bytes = 10;

/// Whether a file that begins with `head` is compressed (gzip, bzip2, xz, Zstandard) or a zip archive.
[[nodiscard]] bool is_packed(std::string_view head);

/// What foreign_format() recognises a file by: its first 64 KiB, or the names in a zip archive. Throws an
/// input Error for a damaged archive.
[[nodiscard]] std::string format_head(const RegularFile& file);

/// Usual extensions of packed files, without the dot: "gz".
[[nodiscard]] std::vector<std::string> packed_extensions();

/// "data/ETTh1.csv" of "data/ETTh1.csv.gz".
[[nodiscard]] std::filesystem::path without_packing(const std::filesystem::path& path);

/// The name of the data set in a file: "ETTh1" of "data/ETTh1.csv.gz".
[[nodiscard]] std::string data_name(const std::filesystem::path& path);

/// The content of a packed file, unpacked in parts. Check sums in the file are verified.
class PackedFile {
public:
    /// `file` must stay open. Throws an input Error if it is damaged, another kind of file inside a zip
    /// archive (a spreadsheet, NumPy arrays), or an archive without or with several data files, which are
    /// listed. Folders, hidden files, __MACOSX and read-me and licence files do not count, nor files without
    /// a usual extension of tables beside one that has it. Also throws Cancelled.
    explicit PackedFile(const RegularFile& file, const std::stop_token& stop = {});
    ~PackedFile();
    PackedFile(const PackedFile&) = delete;
    PackedFile& operator=(const PackedFile&) = delete;

    /// The next bytes of the content; fewer than out.size() only at its end. Throws an input Error if the
    /// file is damaged or truncated, or if the content has become larger than largest().
    std::size_t read(std::span<char> out);

    /// Bytes of the file read so far, for progress.
    [[nodiscard]] std::int64_t packed_bytes() const;
    /// Largest content that is unpacked: 100 times the size of the file or 256 MiB, whichever is more.
    [[nodiscard]] std::uint64_t largest() const;
    /// What was unpacked, for people: "gzip" or ""ETTh1.csv" in a zip archive".
    [[nodiscard]] const Phrase& origin() const;

private:
    class Source;
    class Gzip;
    class Archive;
    const RegularFile& file_;
    Phrase origin_;
    std::uint64_t done_ = 0;
    std::unique_ptr<Source> source_;
};

}  // namespace casp::data
