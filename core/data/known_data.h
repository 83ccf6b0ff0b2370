#pragma once
// Recognition of a table as a data set of the catalogue.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "data/catalog.h"
#include "data/table.h"

namespace casp::data {

/// Result of known_data().
struct KnownData {
    const CatalogEntry* entry = nullptr;  ///< null: not in the catalogue
    std::string
        doubt;  ///< text for a warning: the entry was used although the file's digest differs; else empty
};

/// Catalogue entry by the file's digest. A file in the cache location of an entry ("catalog:ETTm2") is also
/// accepted as that entry with a different digest, if its rows and channels match and its digest is not
/// another entry's. Otherwise throws an input Error, since the entry's split would not apply. `table`: as
/// read by import_csv().
[[nodiscard]] KnownData known_data(const Table& table);

/// As known_data().entry, but null instead of an Error; for display.
[[nodiscard]] const CatalogEntry* known_entry(const Table& table);

/// Likewise for a file of which only these are known. `sha256`: lower-case hex.
[[nodiscard]] const CatalogEntry* known_entry(const std::filesystem::path& path, std::string_view sha256,
                                              std::int64_t rows, std::int64_t channels);

/// Description of a mismatch ("it has 100 rows and 7 channels"); empty if these are the known rows and
/// channels of `entry`.
[[nodiscard]] std::string wrong_size(std::int64_t rows, std::int64_t channels, const CatalogEntry& entry);

/// "69,680 rows and 7 channels".
[[nodiscard]] std::string size_text(std::int64_t rows, std::int64_t channels);

}  // namespace casp::data
