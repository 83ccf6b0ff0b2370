#include "fetch/fetch.h"

#include <exception>

#include "data/csv_import.h"
#include "data/known_data.h"
#include "fetch/download.h"
#include "store/known_weights.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::fetch {

namespace fs = std::filesystem;

namespace {

bool holds_gpt2(const fs::path& file) {
    return store::WeightDigests::openai_gpt2_small().match_all(store::SafetensorsFile(file));
}

/// Throws an input Error where `file`, which was fetched, is not what the entry promises; says nothing of
/// digests of the whole file, which the download compares.
void look_at(const data::CatalogEntry& entry, const fs::path& file,
             const std::function<void(const std::string&)>& note, const std::stop_token& stop) {
    if (entry.kind == "csv" && entry.sha256.empty() && entry.md5.empty()) {
        const auto table = data::import_csv(file, {}, {}, stop);
        const auto* other = data::find_by_digest({}, table.sha256);
        const auto problem = other != nullptr ? "it is " + other->name : data::wrong_size(table, entry);
        if (!problem.empty())
            throw input_error(file.string(), "this is not " + entry.name + ": " + problem,
                              data::size_text(entry.rows, entry.channels));
        note("no digest of " + entry.name + " is known; it has its " +
             data::size_text(entry.rows, entry.channels));
    }
    if (entry.kind == "backbone") {
        // No digest of the whole file is known, but one of each tensor.
        if (!holds_gpt2(file))
            throw input_error(file.string(), "its weights are not those of OpenAI GPT-2 small",
                              "148 tensors whose SHA-256 are known",
                              "The address may hold another file now. Any other checkpoint goes by its path, "
                              "as backbone.path.");
        note("the weights are those of OpenAI GPT-2 small, tensor by tensor");
    }
}

/// Of a file that stands where the entry's would and is another one: it may be the user's, with corrections
/// or other numbers in it, and is in no case ours to replace.
Error not_ours(const fs::path& file, const std::string& found, const std::string& expected) {
    return input_error(file.string(), found, expected,
                       "It is left as it is, since it may be yours: rename or remove it and fetch again, or "
                       "fetch to another folder (--to DIR).");
}

/// Whether the entry's file is there already, whole; an input Error where another one is.
bool is_there(const data::CatalogEntry& entry, const fs::path& file,
              const std::function<void(const std::string&)>& note, const ProgressFn& progress,
              const std::stop_token& stop) {
    std::error_code problem;
    if (!fs::exists(fs::symlink_status(file, problem))) return false;
    if (!fs::is_regular_file(file, problem)) throw not_ours(file, "this is no file", entry.title);
    try {
        if (!entry.sha256.empty()) {
            const auto digest = digest_of_file(DigestKind::sha256, file, progress, stop);
            if (digest != entry.sha256)
                throw not_ours(file, "this is another file: its SHA-256 is " + digest, entry.sha256);
        } else if (!entry.md5.empty()) {
            const auto digest = digest_of_file(DigestKind::md5, file, progress, stop);
            if (digest != entry.md5)
                throw not_ours(file, "this is another file: its MD5 is " + digest, entry.md5);
        } else if (entry.kind == "backbone") {
            // Somebody may have put weights of their own there, which are not ours to replace.
            if (!holds_gpt2(file))
                note("the weights are not those known as OpenAI GPT-2 small: an unknown checkpoint");
        } else {
            look_at(entry, file, note, stop);
        }
    } catch (const Error& found) {
        if (found.kind() != ErrorKind::input) throw;
        throw not_ours(file, found.parts().found, found.parts().expected);
    }
    note(entry.title + ": it is there already (remove " + file.string() + " to have it fetched again)");
    return true;
}

/// What belongs to an entry comes first, unless it is there. The entry is of use without it, so a failure is
/// told and no more.
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
        note(companion.title + ": not fetched; caspstudio --fetch " + companion.name + " tries again");
    }
}

}  // namespace

fs::path fetch(const data::CatalogEntry& entry, const fs::path& folder, const ProgressFn& progress,
               const std::function<void(const std::string&)>& note, std::stop_token stop) {
    if (!entry.with.empty()) fetch_companion(data::catalog_entry(entry.with), folder, progress, note, stop);
    const auto destination = folder.empty() ? data::catalog_path(entry.name) : folder / entry.file;
    if (entry.address.empty())
        throw input_error(
            "--fetch " + entry.name, "no public address is known to work for it", {},
            "Get it by hand from " + entry.home + " and put it at " + destination.string() + ".");
    if (is_there(entry, destination, note, progress, stop)) return destination;
    std::error_code problem;
    fs::create_directories(destination.parent_path(), problem);
    if (problem)
        throw input_error(destination.parent_path().string(), "cannot be made: " + problem.message());

    note("fetching " + entry.title + (entry.licence.empty() ? "" : " (licence: " + entry.licence + ")"));
    std::exception_ptr last;
    for (const auto& address : entry.address) {
        try {
            fetch::DownloadRequest request;
            request.url = address;
            request.destination = destination;
            request.sha256 = entry.sha256;
            request.md5 = entry.md5;
            if (entry.bytes > 0) request.size = entry.bytes;
            request.check = [&](const fs::path& file) { look_at(entry, file, note, stop); };
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
