#pragma once
// Recognition of a table as a data set of the catalogue.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "data/catalog.h"
#include "data/table.h"
#include "util/phrase.h"

namespace casp::data {

/// Comparison of a table with a data set of the catalogue by its values (Fingerprint), whatever the file's
/// bytes.
struct Likeness {
    enum class Kind {
        other,    ///< nothing speaks for the data set
        similar,  ///< much does, but `difference`
        same      ///< its values, rounded or not
    };
    Kind kind = Kind::other;
    bool rounded = false;      ///< same: with fewer digits than the data set has
    Phrase compared;           ///< same: what was compared; empty: all values
    Phrase difference;         ///< similar: completes "it looks like ETTh1, but "
    std::size_t agreeing = 0;  ///< values of the first and the last row that agree; orders similar ones
};

/// Compares a table as read_table() returns it with an entry that has a fingerprint. Cheap, unless rows and
/// channels agree. Thread-safe.
[[nodiscard]] Likeness likeness_of(const Table& table, const CatalogEntry& entry);

/// Result of known_data().
struct KnownData {
    enum class How {
        none,
        digest,   ///< the file's bytes are those of the entry
        content,  ///< the values are, in another file
        place     ///< the file is in the entry's place in the cache, with its rows and channels
    };
    const CatalogEntry* entry = nullptr;  ///< null: not in the catalogue
    How how = How::none;
    Phrase like;   ///< no entry: what the table looks like, and what differs; empty: nothing known
    Phrase doubt;  ///< text for a warning: the entry was used, or was not, although …; else empty
};

/// Catalogue entry of a table: by the file's digest, else by its values (likeness_of()). A file in the cache
/// location of an entry ("catalog:ETTm2") is also accepted as that entry with other values, if its rows and
/// channels match and it is not another entry. Otherwise throws an input Error, since the entry's split would
/// not apply. `table`: as read by read_table(), all columns.
[[nodiscard]] KnownData known_data(const Table& table);

/// As known_data().entry, but null instead of an Error; for display.
[[nodiscard]] const CatalogEntry* known_entry(const Table& table);

/// Entry of a stored run's data set: by the name that the run recognised (`dataset` of run.h5), and where an
/// earlier version recorded none, by digest or place. `sha256`: lower-case hex. Null: none.
[[nodiscard]] const CatalogEntry* known_entry(const std::filesystem::path& path,
                                              const std::optional<std::string>& dataset,
                                              std::string_view sha256, std::int64_t rows,
                                              std::int64_t channels);

/// "ETTh1 (TITLE), by its content", or "not in the catalogue; …".
[[nodiscard]] Phrase origin_text(const KnownData& known);

/// Description of a mismatch ("it has 100 rows and 7 channels"); empty if these are the known rows and
/// channels of `entry`.
[[nodiscard]] Phrase wrong_size(std::int64_t rows, std::int64_t channels, const CatalogEntry& entry);

/// "69,680 rows and 7 channels".
[[nodiscard]] Phrase size_text(std::int64_t rows, std::int64_t channels);

}  // namespace casp::data
