#pragma once
// Comparison of a table with a data set of the catalogue by its values (Fingerprint), whatever the file's
// bytes.

#include <cstddef>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "data/table.h"

namespace casp::data {

struct Likeness {
    enum class Kind {
        other,    ///< nothing speaks for the data set
        similar,  ///< much does, but `difference`
        same      ///< its values, rounded or not
    };
    Kind kind = Kind::other;
    /// same: how the file writes it otherwise, "other line endings (CRLF)"; empty: other bytes only
    std::vector<std::string> form;
    bool rounded = false;      ///< same: with fewer digits than the data set has
    std::string compared;      ///< same: what was compared; empty: all values
    std::string difference;    ///< similar: completes "it looks like ETTh1, but "
    std::size_t agreeing = 0;  ///< values of the first and the last row that agree; orders similar ones
};

/// Compares a table as read_table() returns it with an entry that has a fingerprint. Where that does not
/// decide, all values are compared with the entry's file in the cache, if it is there. Cheap, unless rows and
/// channels agree. Thread-safe.
[[nodiscard]] Likeness likeness_of(const Table& table, const CatalogEntry& entry);

}  // namespace casp::data
