#include "data/known_data.h"

#include <iterator>
#include <system_error>

#include "data/describe.h"
#include "util/error.h"

namespace casp::data {

namespace {

namespace fs = std::filesystem;

/// The entry whose cache location is `path`.
const CatalogEntry* entry_in_place(const fs::path& path) {
    std::error_code problem;  // invalid path, or no current folder
    const auto whole = fs::absolute(path, problem).lexically_normal();
    if (problem) return nullptr;
    try {
        for (const auto& entry : catalog())
            if (entry.kind == "csv" && whole == catalog_path(entry.name).lexically_normal()) return &entry;
    } catch (const Error&) {
        // Without a home folder there is no cache.
    }
    return nullptr;
}

}  // namespace

std::string size_text(std::int64_t rows, std::int64_t channels) {
    return with_commas(rows) + " rows and " + with_commas(channels) + " channels";
}

std::string wrong_size(std::int64_t rows, std::int64_t channels, const CatalogEntry& entry) {
    const bool fits =
        (entry.rows == 0 || entry.rows == rows) && (entry.channels == 0 || entry.channels == channels);
    return fits ? std::string() : "it has " + size_text(rows, channels);
}

namespace {

KnownData known_file(const fs::path& path, const CatalogEntry* by_digest, std::int64_t rows,
                     std::int64_t channels) {
    const auto* entry = entry_in_place(path);
    if (entry == nullptr || by_digest == entry) return {by_digest, {}};
    const auto problem =
        by_digest != nullptr ? "it is " + by_digest->name : wrong_size(rows, channels, *entry);
    if (!problem.empty())
        throw input_error("catalog:" + entry->name,
                          "the file in the cache (" + path.string() + ") is a different data set: " + problem,
                          size_text(entry->rows, entry->channels),
                          entry->address.empty()
                              ? "Replace it, or move it to another folder and use it by its path."
                              : "Move it to another folder and run caspstudio --fetch " + entry->name +
                                    ", or use it there by its path.");
    return {entry, !entry->sha256.empty()
                       ? "the digest is not that of " + entry->name +
                             " in the catalogue; rows and channels match, so it is used as " + entry->name
                       : std::string()};
}

}  // namespace

KnownData known_data(const Table& table) {
    return known_file(table.path, find_by_digest(table.sha256), table.rows(), std::ssize(table.columns));
}

const CatalogEntry* known_entry(const Table& table) {
    try {
        return known_data(table).entry;
    } catch (const Error&) {
        return nullptr;
    }
}

const CatalogEntry* known_entry(const fs::path& path, std::string_view sha256, std::int64_t rows,
                                std::int64_t channels) {
    try {
        return known_file(path, find_by_digest(sha256), rows, channels).entry;
    } catch (const Error&) {
        return nullptr;
    }
}

}  // namespace casp::data
