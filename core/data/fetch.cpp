#include "data/fetch.h"

#include <exception>

#include "store/download.h"
#include "util/error.h"

namespace casp::data {

namespace fs = std::filesystem;

namespace {

/// What belongs to an entry comes first, unless it is there. The entry is of use without it, so a failure is
/// told and no more.
void fetch_companion(const CatalogEntry& companion, const fs::path& folder, const ProgressFn& progress,
                     const std::function<void(const std::string&)>& note, const std::stop_token& stop) {
    std::error_code problem;
    if (fs::exists(folder.empty() ? catalog_path(companion.name) : folder / companion.file, problem)) return;
    try {
        (void)fetch(companion, folder, progress, note, stop);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        note(companion.title + ": not fetched; caspstudio --fetch " + companion.name + " tries again");
    }
}

}  // namespace

fs::path fetch(const CatalogEntry& entry, const fs::path& folder, const ProgressFn& progress,
               const std::function<void(const std::string&)>& note, std::stop_token stop) {
    if (!entry.with.empty()) fetch_companion(catalog_entry(entry.with), folder, progress, note, stop);
    const auto destination = folder.empty() ? catalog_path(entry.name) : folder / entry.file;
    if (entry.address.empty())
        throw input_error(
            "--fetch " + entry.name, "no public address is known to work for it", {},
            "Get it by hand from " + entry.home + " and put it at " + destination.string() + ".");
    std::error_code problem;
    fs::create_directories(destination.parent_path(), problem);
    if (problem)
        throw input_error(destination.parent_path().string(), "cannot be made: " + problem.message());

    note("fetching " + entry.title + (entry.licence.empty() ? "" : " (licence: " + entry.licence + ")"));
    std::exception_ptr last;
    for (const auto& address : entry.address) {
        try {
            store::DownloadRequest request;
            request.url = address;
            request.destination = destination;
            request.sha256 = entry.sha256;
            request.md5 = entry.md5;
            if (entry.bytes > 0) request.size = entry.bytes;
            const auto result = store::download(request, progress, stop);
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

}  // namespace casp::data
