#pragma once
// Download of a file over HTTP(S): resumable, verified, cancellable. Downloaded files are never executed.

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
    std::filesystem::path destination;  ///< created only when complete and verified
    std::string sha256;                 ///< lower-case hex; empty: not verified
    std::int64_t size = -1;             ///< bytes; -1: unknown
    /// Optional check of the complete file, under its temporary name, for content without a known digest.
    /// Throws an input Error to reject the file.
    std::function<void(const std::filesystem::path&)> check;
    /// Whether `sha256` or `check` judges the whole content: only then a part of an earlier call is
    /// continued.
    bool resume = false;

    int attempts = 5;  ///< maximum number of failed connections without progress
    std::chrono::milliseconds first_wait{
        500};  ///< delay before the second attempt; doubles each time, up to 15 s
    std::chrono::seconds stall{
        30};  ///< below 1 byte per second for this long, the connection is dropped and retried
    std::chrono::seconds connect_timeout{20};
};

struct DownloadResult {
    std::int64_t bytes = 0;    ///< size of the file
    std::int64_t resumed = 0;  ///< bytes kept from an earlier attempt
    int connections = 0;
    std::string sha256;  ///< of the file, lower-case hex
};

/// Downloads request.url to request.destination. Blocks; thread-safe.
///
/// Data goes to `<destination>.part`, which is renamed after size and digests are verified. A later call may
/// resume an incomplete part (`resume`), unless the server ignores ranges. Progress is reported at most 20
/// times per second. A stop request takes effect within two seconds (Cancelled) and keeps the part.
///
/// Throws an input Error for an address that is not http(s), if the server rejects it (4xx), for a wrong
/// digest and for a file rejected by `check`; the last two remove the part. Throws a run Error for a missing
/// network, a dropped connection, a server error (5xx) and a full disk.
DownloadResult download(const DownloadRequest& request, const ProgressFn& progress = {},
                        const std::stop_token& stop = {});

}  // namespace casp::fetch
