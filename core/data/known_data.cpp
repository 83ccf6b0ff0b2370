#include "data/known_data.h"

#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "config/text_utils.h"
#include "data/describe.h"
#include "data/likeness.h"
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

/// The entries that the table may be, the most likely first: one that it is, or all that look alike equally.
struct Candidates {
    std::vector<const CatalogEntry*> entries;
    Likeness likeness;  ///< of the first one
};

Candidates candidates_of(const Table& table) {
    Candidates best;
    for (const auto& entry : catalog()) {
        auto likeness = likeness_of(table, entry);
        const auto is_worse = [](const Likeness& a, const Likeness& b) {
            return a.kind != b.kind ? a.kind < b.kind : a.agreeing < b.agreeing;
        };
        if (likeness.kind == Likeness::Kind::other || is_worse(likeness, best.likeness)) continue;
        if (is_worse(best.likeness, likeness)) best.entries.clear();
        if (best.entries.empty()) best.likeness = std::move(likeness);
        best.entries.push_back(&entry);
    }
    return best;
}

/// Of a data set whose values are in another file.
KnownData by_content(const CatalogEntry& entry, const Likeness& likeness) {
    KnownData known{&entry, KnownData::How::content, config::listed(likeness.form), {}, {}};
    if (!likeness.compared.empty())
        known.doubt = "the file is taken as " + entry.name + ", since its " + likeness.compared +
                      " agree; other values could not be compared";
    if (likeness.rounded)
        known.doubt +=
            (known.doubt.empty() ? "" : ". ") + ("Its values have fewer digits than those of " + entry.name +
                                                 ": errors differ from those on the catalogue's file");
    return known;
}

/// "ETTh1 or ETTh2".
std::string names_of(const std::vector<const CatalogEntry*>& entries) {
    std::vector<std::string> names;
    for (const auto* entry : entries) names.push_back(entry->name);
    return config::either(names);
}

/// A data set that is none of the catalogue, but looks like one.
KnownData alike(const Candidates& best) {
    KnownData known;
    const auto names = names_of(best.entries);
    known.like = "it looks like " + names + ", but " + best.likeness.difference;
    known.doubt = "the file looks like " + names + ", but " + best.likeness.difference +
                  ": it is not treated as that data set";
    const auto& entry = *best.entries.front();
    if (entry.split != "ratio") known.doubt += ", whose split is data.split = \"" + entry.split + "\"";
    return known;
}

/// A data set of which the catalogue knows only the size.
KnownData of_that_size(const Table& table) {
    KnownData known;
    const auto looks_like = [&](const CatalogEntry& entry) {
        const bool has_step = table.step.seconds > 0;
        if (table.rows() != entry.rows || std::ssize(table.columns) != entry.channels ||
            (has_step && table.step.seconds != entry.step_seconds))
            return false;
        known.like = "it looks like " + entry.name + " by its rows and channels" +
                     (has_step ? " every " + frequency_name(entry.step_seconds) : std::string()) +
                     "; its values are not known here";
        return true;
    };
    for (const auto& entry : catalog())
        if (entry.kind == "csv" && !entry.content) (void)looks_like(entry);
    for (const auto& size : known_sizes())
        if (looks_like(size) && !size.split.empty())
            known.doubt =
                "the file looks like " + size.name +
                " by its rows and channels; published results on it have data.split = " + size.split;
    return known;
}

/// A file in the cache location of an entry.
KnownData in_place(const CatalogEntry& entry, const std::string& path, const std::string& problem,
                   const std::string& difference) {
    if (!problem.empty())
        throw input_error("catalog:" + entry.name,
                          "the file in the cache (" + path + ") is a different data set: " + problem,
                          size_text(entry.rows, entry.channels),
                          entry.address.empty()
                              ? "Replace it, or move it to another folder and use it by its path."
                              : "Move it to another folder and run caspstudio --fetch " + entry.name +
                                    ", or use it there by its path.");
    KnownData known{&entry, KnownData::How::place, {}, {}, {}};
    if (!entry.sha256.empty())
        known.doubt = "the digest is not that of " + entry.name +
                      " in the catalogue; rows and channels match, so it is used as " + entry.name;
    if (!difference.empty()) known.doubt += ". Its values are not those of " + entry.name + ": " + difference;
    return known;
}

}  // namespace

KnownData known_data(const Table& table) {
    const auto* place = entry_in_place(table.path);
    const auto* by_digest = find_by_digest(table.sha256);
    if (by_digest != nullptr && (place == nullptr || place == by_digest))
        return {by_digest, KnownData::How::digest, {}, {}, {}};
    if (by_digest != nullptr) return in_place(*place, table.path.string(), "it is " + by_digest->name, {});
    const auto best = candidates_of(table);
    const bool is_known = best.likeness.kind == Likeness::Kind::same;
    if (is_known && (place == nullptr || place == best.entries.front()))
        return by_content(*best.entries.front(), best.likeness);
    if (place != nullptr) {
        const auto problem = is_known ? "it is " + best.entries.front()->name
                                      : wrong_size(table.rows(), std::ssize(table.columns), *place);
        auto likeness = likeness_of(table, *place);
        if (place->content && likeness.kind == Likeness::Kind::other)
            likeness.difference = "its first and last row are others";
        return in_place(*place, table.path.string(), problem, likeness.difference);
    }
    return best.entries.empty() ? of_that_size(table) : alike(best);
}

const CatalogEntry* known_entry(const Table& table) {
    try {
        return known_data(table).entry;
    } catch (const Error&) {
        return nullptr;
    }
}

const CatalogEntry* known_entry(const fs::path& path, const std::optional<std::string>& dataset,
                                std::string_view sha256, std::int64_t rows, std::int64_t channels) {
    if (dataset) return find_by_name(*dataset);
    if (const auto* entry = find_by_digest(sha256)) return entry;
    const auto* place = entry_in_place(path);
    return place != nullptr && wrong_size(rows, channels, *place).empty() ? place : nullptr;
}

std::string origin_text(const KnownData& known) {
    if (known.entry == nullptr) return "not in the catalogue" + (known.like.empty() ? "" : "; " + known.like);
    const auto name = known.entry->name + " (" + known.entry->title + ")";
    if (known.how == KnownData::How::digest) return name + ", by its digest";
    if (known.how == KnownData::How::place) return name + ", by its place in the cache, rows and channels";
    return name + ", by its content, with " + (known.form.empty() ? "other bytes" : known.form);
}

}  // namespace casp::data
