#include "fetch/fetch.h"

#include <exception>

#include "data/csv_import.h"
#include "data/known_data.h"
#include "fetch/download.h"
#include "store/known_weights.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/new_folders.h"

namespace casp::fetch {

namespace fs = std::filesystem;

namespace {

bool holds_gpt2(const fs::path& file) {
    return store::WeightDigests::openai_gpt2_small().match_all(store::SafetensorsFile(file));
}

/// Throws an input Error if the downloaded `file` is not the entry's. Digests of the whole file are compared
/// by the download.
void check_content(const data::CatalogEntry& entry, const fs::path& file,
                   const std::function<void(const std::string&)>& note, const std::stop_token& stop) {
    if (entry.kind == "csv" && entry.sha256.empty()) {
        const auto table = data::import_csv(file, {}, {}, stop);
        const auto* other = data::find_by_digest(table.sha256);
        const auto problem = other != nullptr
                                 ? "it is " + other->name
                                 : data::wrong_size(table.rows(), std::ssize(table.columns), entry);
        if (!problem.empty())
            throw input_error(file.string(), "this is not " + entry.name + ": " + problem,
                              data::size_text(entry.rows, entry.channels));
        note("no digest of " + entry.name + " is known; it has the expected " +
             data::size_text(entry.rows, entry.channels));
    }
    if (entry.kind.starts_with("series") && entry.sha256.empty())
        note("no digest of " + entry.name + " is known: its content was not checked");
    if (entry.kind == "backbone") {
        // There is no digest of the whole file, but one of each tensor.
        if (!holds_gpt2(file))
            throw input_error(file.string(), "its weights are not those of OpenAI GPT-2 small",
                              "148 tensors with known SHA-256",
                              "The file at that address may have changed. To use another checkpoint, set "
                              "backbone.path to its path.");
        note("the weights are those of OpenAI GPT-2 small, tensor by tensor");
    }
}

/// Error for a different file in the place of the entry's file. It may be the user's, so it is never
/// replaced.
Error not_ours(const fs::path& file, const std::string& found, const std::string& expected) {
    return input_error(file.string(), found, expected,
                       "It was not replaced, since it may be yours: rename or remove it and fetch again, or "
                       "fetch to another folder (--to DIR).");
}

/// Whether the entry's file is present and complete. Throws an input Error if another file is in its place.
bool is_there(const data::CatalogEntry& entry, const fs::path& file,
              const std::function<void(const std::string&)>& note, const ProgressFn& progress,
              const std::stop_token& stop) {
    std::error_code problem;
    if (!fs::exists(fs::symlink_status(file, problem))) return false;
    if (!fs::is_regular_file(file, problem)) throw not_ours(file, "this is not a file", entry.title);
    try {
        if (!entry.sha256.empty()) {
            const auto digest = sha256_of_file(file, progress, stop);
            if (digest != entry.sha256)
                throw not_ours(file, "this is another file: its SHA-256 is " + digest, entry.sha256);
        } else if (entry.kind == "backbone") {
            // The weights may be the user's own; they are not replaced.
            if (!holds_gpt2(file))
                note("the weights are not those of OpenAI GPT-2 small: an unknown checkpoint");
        } else {
            check_content(entry, file, note, stop);
        }
    } catch (const Error& found) {
        if (found.kind() != ErrorKind::input) throw;
        throw not_ours(file, found.parts().found, found.parts().expected);
    }
    note(entry.title + ": already present (remove " + file.string() + " to fetch it again)");
    return true;
}

/// Fetches the companion entry first, unless present. The entry is usable without it, so a failure is only
/// noted.
void fetch_companion(const data::CatalogEntry& companion, const fs::path& folder, const ProgressFn& progress,
                     const std::function<void(const std::string&)>& note, const std::stop_token& stop) {
    std::error_code problem;
    if (fs::exists(folder.empty() ? data::catalog_path(companion.name) : folder / companion.file, problem))
        return;
    try {
        (void)fetch(companion, folder, progress, note, stop);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        note(companion.title + ": not fetched; try again with caspstudio --fetch " + companion.name + "");
    }
}

}  // namespace

fs::path fetch(const data::CatalogEntry& entry, const fs::path& folder, const ProgressFn& progress,
               const std::function<void(const std::string&)>& note, std::stop_token stop) {
    if (!entry.with.empty()) fetch_companion(data::catalog_entry(entry.with), folder, progress, note, stop);
    const auto destination = folder.empty() ? data::catalog_path(entry.name) : folder / entry.file;
    if (entry.address.empty())
        throw input_error(
            "--fetch " + entry.name, "no working public address is known", {},
            "Download it manually from " + entry.home + " and save it as " + destination.string() + ".");
    if (is_there(entry, destination, note, progress, stop)) return destination;
    const NewFolders made(destination.parent_path());
    note("fetching " + entry.title + (entry.licence.empty() ? "" : " (licence: " + entry.licence + ")"));
    std::exception_ptr last;
    for (const auto& address : entry.address) {
        try {
            fetch::DownloadRequest request;
            request.url = address;
            request.destination = destination;
            request.sha256 = entry.sha256;
            if (entry.bytes > 0) request.size = entry.bytes;
            request.resume = !entry.sha256.empty() || entry.kind == "backbone";
            request.check = [&](const fs::path& file) { check_content(entry, file, note, stop); };
            const auto result = fetch::download(request, progress, stop);
            note(std::to_string(result.bytes) + " bytes, SHA-256 " + result.sha256);
            return destination;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& found) {
            note(found.what());
            last = std::current_exception();
        }
    }
    std::rethrow_exception(last);
}

}  // namespace casp::fetch
