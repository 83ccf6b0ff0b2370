#pragma once
// Known data sets and checkpoints: datasets/catalog.toml, which the program carries with it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace casp::data {

struct CatalogEntry {
    std::string name;  ///< as in "catalog:ETTh1" and --fetch
    std::string kind;  ///< "csv", "backbone" or "vocabulary" (the words of a backbone's tokens)
    std::string file;  ///< file name in the cache
    std::string title;
    std::string split;          ///< "ett-hourly", "ett-minutely", "ratio"; empty for a backbone
    std::string batching;       ///< "multi-channel" or "single-channel"
    std::string missing;        ///< data.missing that published numbers use; empty: no opinion
    double step_seconds = 0;    ///< time between rows
    std::int64_t channels = 0;  ///< 0: not known
    std::int64_t rows = 0;      ///< 0: not known
    std::vector<std::string>
        address;                   ///< where --fetch gets it, in the order to try; empty: by hand from `home`
    std::string home;              ///< page for people
    std::string md5;               ///< lower-case hex; empty: not known
    std::string sha256;            ///< likewise
    std::int64_t bytes = 0;        ///< size of the file; 0: not known
    std::int64_t about_bytes = 0;  ///< for people, where the exact size is not recorded; 0: not known either
    std::string with;              ///< another entry, fetched before this one; empty: none
    std::string licence;
    std::string note;
};

/// All entries, in the order of the file. Parsed once; thread-safe.
[[nodiscard]] const std::vector<CatalogEntry>& catalog();

/// By name without regard to case; throws an input Error that names the nearest one.
[[nodiscard]] const CatalogEntry& catalog_entry(std::string_view name);

/// By digest of the bytes (either may be empty); nullptr where none matches.
[[nodiscard]] const CatalogEntry* find_by_digest(std::string_view md5, std::string_view sha256);

/// Where a file of the catalogue lies once it was fetched: $XDG_CACHE_HOME (or
/// ~/.cache)/caspstudio/data/FILE, or
/// .../backbones/FILE for a checkpoint and its vocabulary. Says nothing about whether it is there.
[[nodiscard]] std::filesystem::path catalog_path(std::string_view name);

/// "catalog:ETTh1" to the file in the cache, any other text to itself as a path. Throws an input Error where
/// the catalogue's file is not there yet, with the command that fetches it.
[[nodiscard]] std::filesystem::path resolve_data_path(const std::string& text);

/// Reads a catalogue from text; for tests of the reader. Throws an input Error.
[[nodiscard]] std::vector<CatalogEntry> parse_catalog(std::string_view toml, const std::string& where);

}  // namespace casp::data
