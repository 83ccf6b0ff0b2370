#pragma once
// Which data set of the catalogue a table is.

#include <string>

#include "data/catalog.h"
#include "data/table.h"

namespace casp::data {

/// What the catalogue knows of a table.
struct KnownData {
    const CatalogEntry* entry = nullptr;  ///< null: a file that it does not know
    std::string
        doubt;  ///< for a warning: the entry is taken though the bytes are not those it has a digest of
};

/// By the digest of the file. A file in an entry's own place in the cache ("catalog:ETTm2") is that entry's
/// also where its bytes have another digest, or none is known of it, provided that it has its rows and
/// channels and is no other entry. Else it throws an input Error: its splits would not be the ones asked for.
/// `table`: as import_csv() read it.
[[nodiscard]] KnownData known_data(const Table& table);

/// The entry, or null; also where known_data() throws. For words about a file.
[[nodiscard]] const CatalogEntry* known_entry(const Table& table);

/// The wrong size in words ("… has 100 rows and 7 channels"), or an empty text where `table` has the rows and
/// channels of `entry`, as far as they are known.
[[nodiscard]] std::string wrong_size(const Table& table, const CatalogEntry& entry);

/// "69,680 rows and 7 channels".
[[nodiscard]] std::string size_text(std::int64_t rows, std::int64_t channels);

}  // namespace casp::data
