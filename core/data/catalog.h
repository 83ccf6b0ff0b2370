#pragma once
// Catalogue of known data sets and checkpoints (datasets/catalog.toml, embedded in the program).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace casp::data {

/// What identifies the values of a table, whatever the bytes of its file (datasets/fingerprint.py).
struct Fingerprint {
    std::vector<std::string> channels;
    double first = 0, last = 0;               ///< times of the first and last row, in seconds since 1970
    std::vector<double> first_row, last_row;  ///< of all channels, or of the first ones
    /// Per channel: significant decimals (the files have noise of single precision behind them), and the sum
    /// of all values in units of the last one. Empty: unknown.
    std::vector<std::int64_t> decimals, sums;
    std::string values;  ///< SHA-256 of all values in these units, as i64 row by row; empty: unknown
};

struct CatalogEntry {
    std::string name;  ///< as in "catalog:ETTh1" and --fetch
    /// "csv"; "series" and "series-test": training and test values of a collection of series; "backbone";
    /// "vocabulary": a backbone's tokens as text
    std::string kind;
    std::string file;  ///< file name in the cache
    std::string title;
    std::string split;          ///< "ett-hourly", "ett-minutely", "ratio"; empty for a backbone
    std::string batching;       ///< "multi-channel" or "single-channel"; empty: by the number of channels
    std::string missing;        ///< data.missing used by published results; empty: unspecified
    double step_seconds = 0;    ///< time between rows
    std::int64_t channels = 0;  ///< 0: unknown
    std::int64_t rows = 0;      ///< of kind "series": number of series; 0: unknown
    std::vector<std::string>
        address;         ///< download addresses in order of preference; empty: manual download from `home`
    std::string home;    ///< web page
    std::string sha256;  ///< lower-case hex; empty: unknown
    std::optional<Fingerprint> content;  ///< of a table; nothing: unknown
    std::int64_t bytes = 0;              ///< exact size of the file; 0: unknown
    std::int64_t about_bytes = 0;        ///< approximate size, for display, if `bytes` is unknown; 0: unknown
    std::string with;                    ///< another entry to fetch before this one; empty: none
    std::string licence;
    std::string note;
};

/// Whether an entry of this kind can be the value of data.path.
[[nodiscard]] bool is_data_set(const CatalogEntry& entry);

/// All entries in file order. Parsed once; thread-safe.
[[nodiscard]] const std::vector<CatalogEntry>& catalog();

/// Entry by name, case-insensitive. Throws an input Error that suggests the nearest name.
[[nodiscard]] const CatalogEntry& catalog_entry(std::string_view name);

/// Data sets that are no entries, since no file of them was at hand: name, rows, channels, step, and the
/// split of the published results if it is not "ratio", as in "[0.6, 0.2, 0.2]".
[[nodiscard]] const std::vector<CatalogEntry>& known_sizes();

/// Entry with exactly this name; nullptr if there is none.
[[nodiscard]] const CatalogEntry* find_by_name(std::string_view name);

/// Entry by digest of the file; nullptr if none matches.
[[nodiscard]] const CatalogEntry* find_by_digest(std::string_view sha256);

/// $XDG_CACHE_HOME or ~/.cache. Throws an input Error if neither it nor HOME is set.
[[nodiscard]] std::filesystem::path cache_folder();

/// Location of an entry's file in the cache: $XDG_CACHE_HOME (or ~/.cache)/caspstudio/data/FILE, or
/// .../backbones/FILE for a checkpoint and its vocabulary. The file need not exist.
[[nodiscard]] std::filesystem::path catalog_path(std::string_view name);

/// Path of the cached file for "catalog:NAME"; any other text is returned as a path. Throws an input Error
/// with the command to fetch the file if it is not in the cache.
[[nodiscard]] std::filesystem::path resolve_data_path(const std::string& text);

/// Parses the [[entry]] tables of a catalogue, or its [[size]] tables; separate for tests.
[[nodiscard]] std::vector<CatalogEntry> parse_catalog(std::string_view toml, const char* tables = "entry");

}  // namespace casp::data
