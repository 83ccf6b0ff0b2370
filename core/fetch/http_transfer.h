#pragma once
// A single HTTP connection that writes into an open file; internal to download.cpp.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "util/progress.h"

namespace casp::fetch {

enum class HttpOutcome {
    complete,      ///< response complete, as far as its length is known
    dropped,       ///< no network, interrupted, stalled, or server error: can be retried
    nothing_left,  ///< the server has no data at `offset` (416) or sent another range
    too_long       ///< more bytes than expected_size
};

struct HttpAnswer {
    HttpOutcome outcome = HttpOutcome::dropped;
    bool continued = false;     ///< the server resumed at `offset`; false: the file was emptied first
    std::int64_t received = 0;  ///< bytes received on this connection
    std::int64_t total = -1;    ///< size of the whole file according to the server; -1: unknown
    std::string validator;      ///< strong ETag, or Last-Modified, or empty
    std::string problem;        ///< message, for `dropped`
};

struct HttpRequest {
    std::string url;
    int descriptor = -1;              ///< the file
    std::filesystem::path path;       ///< path of the file, for messages
    std::int64_t offset = 0;          ///< position to resume from
    std::string if_range;             ///< validator of the existing part; empty: unknown
    std::int64_t expected_size = -1;  ///< size of the whole file
    std::chrono::seconds stall{30};
    std::chrono::seconds connect_timeout{20};
};

/// Throws Cancelled, an input Error for an invalid or rejected (4xx) address, and a run Error if the file
/// cannot be written or the server's certificate is not valid.
HttpAnswer http_transfer(const HttpRequest& request, const ProgressFn& progress, const std::stop_token& stop);

}  // namespace casp::fetch
