#pragma once
// Fetching a file over HTTP(S): resumable, checked, cancellable. What is fetched is never run.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "util/progress.h"

namespace casp::fetch {

struct DownloadRequest {
    std::string url;                    ///< http:// or https://
    std::filesystem::path destination;  ///< appears only when complete and checked
    std::string sha256;                 ///< lower-case hex; empty: not checked
    std::string md5;                    ///< likewise
    std::int64_t size = -1;             ///< bytes; -1: not known
    /// Looks at the complete file, still under its temporary name, and throws an input Error where it is not
    /// what was wanted; for what no digest is known of. Empty: not called.
    std::function<void(const std::filesystem::path&)> check;

    int attempts = 5;  ///< connections in all that may fail without any progress
    std::chrono::milliseconds first_wait{
        500};                        ///< before the second attempt; doubles each time, at most 15 s
    std::chrono::seconds stall{30};  ///< less than 1 byte per second for so long: dropped, tried again
    std::chrono::seconds connect_timeout{20};
};

struct DownloadResult {
    std::int64_t bytes = 0;    ///< size of the file
    std::int64_t resumed = 0;  ///< of these, already there from an earlier attempt
    int connections = 0;
    std::string sha256;  ///< of the file, lower-case hex
};

/// Fetches request.url into request.destination.
///
/// The bytes go to `<destination>.part`; `<destination>.part.json` keeps the address and the server's ETag or
/// Last-Modified, so that a later call continues where this one stopped (Range with If-Range; a server that
/// ignores ranges or has another file by now starts it again from the beginning). Size and digests are
/// checked before the file gets its name. Progress is told at most 20 times per second. A stop request ends
/// it within half a second with Cancelled; the part stays.
///
/// Errors: input Error for an address that is not http or https, one the server does not know (4xx), a wrong
/// digest (found and expected; the part is removed) or what `check` objects to (likewise); run Error for no
/// network, dropped connections, server trouble (5xx) and a full disk. Blocks; any thread.
DownloadResult download(const DownloadRequest& request, const ProgressFn& progress = {},
                        const std::stop_token& stop = {});

}  // namespace casp::fetch
