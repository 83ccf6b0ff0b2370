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
                   const std::function<void(const Phrase&)>& note, const std::stop_token& stop) {
    if (entry.kind == "csv" && entry.sha256.empty()) {
        const auto table = data::import_csv(file, {}, {}, stop);
        const auto* other = data::find_by_digest(table.sha256);
        const auto problem = other != nullptr
                                 ? Phrase("it is %1", other->name)
                                 : Phrase(data::wrong_size(table.rows(), std::ssize(table.columns), entry));
        if (!problem.empty())
            throw input_error(file.string(), Phrase("this is not %1: %2", entry.name, problem),
                              data::size_text(entry.rows, entry.channels));
        note(Phrase("no digest of %1 is known; it has the expected %2", entry.name,
                    data::size_text(entry.rows, entry.channels)));
    }
    if (entry.kind.starts_with("series") && entry.sha256.empty())
        note(Phrase("no digest of %1 is known: its content was not checked", entry.name));
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
Error not_ours(const fs::path& file, const Phrase& found, const Phrase& expected) {
    return input_error(file.string(), found, expected,
                       "It was not replaced, since it may be yours: rename or remove it and fetch again, or "
                       "fetch to another folder (--to DIR).");
}

/// Whether the entry's file is present and complete. Throws an input Error if another file is in its place.
bool is_there(const data::CatalogEntry& entry, const fs::path& file,
              const std::function<void(const Phrase&)>& note, const ProgressFn& progress,
              const std::stop_token& stop) {
    std::error_code problem;
    if (!fs::exists(fs::symlink_status(file, problem))) return false;
    if (!fs::is_regular_file(file, problem)) throw not_ours(file, "this is not a file", entry.title);
    try {
        if (!entry.sha256.empty()) {
            const auto digest = sha256_of_file(file, progress, stop);
            if (digest != entry.sha256)
                throw not_ours(file, Phrase("this is another file: its SHA-256 is %1", digest), entry.sha256);
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
    note(Phrase("%1: already present (remove %2 to fetch it again)", entry.title, file.string()));
    return true;
}

/// Fetches the companion entry first, unless present. The entry is usable without it, so a failure is only
/// noted.
void fetch_companion(const data::CatalogEntry& companion, const fs::path& folder, const ProgressFn& progress,
                     const std::function<void(const Phrase&)>& note, const std::stop_token& stop) {
    std::error_code problem;
    if (fs::exists(folder.empty() ? data::catalog_path(companion.name) : folder / companion.file, problem))
        return;
    try {
        (void)fetch(companion, folder, progress, note, stop);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        note(
            Phrase("%1: not fetched; try again with caspstudio --fetch %2", companion.title, companion.name));
    }
}

}  // namespace

fs::path fetch(const data::CatalogEntry& entry, const fs::path& folder, const ProgressFn& progress,
               const std::function<void(const Phrase&)>& note, std::stop_token stop) {
    if (!entry.with.empty()) fetch_companion(data::catalog_entry(entry.with), folder, progress, note, stop);
    const auto destination = folder.empty() ? data::catalog_path(entry.name) : folder / entry.file;
    if (entry.address.empty())
        throw input_error(
            "--fetch " + entry.name, "no working public address is known", {},
            Phrase("Download it manually from %1 and save it as %2.", entry.home, destination.string()));
    if (is_there(entry, destination, note, progress, stop)) return destination;
    const NewFolders made(destination.parent_path());
    note(entry.licence.empty() ? Phrase("fetching %1", entry.title)
                               : Phrase("fetching %1 (licence: %2)", entry.title, entry.licence));
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
            note(Phrase("%1 bytes, SHA-256 %2", result.bytes, result.sha256));
            return destination;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& found) {
            note(phrase_of(found));
            last = std::current_exception();
        }
    }
    std::rethrow_exception(last);
}

}  // namespace casp::fetch
