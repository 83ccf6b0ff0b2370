#pragma once
// One HTTP connection that writes into an open file; for download.cpp only.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "util/progress.h"

namespace casp::fetch {

enum class HttpOutcome {
    complete,      ///< the server ended the answer where it said it would (or said nothing)
    dropped,       ///< no network, cut off, stalled, or the server is in trouble: worth another attempt
    nothing_left,  ///< the server has no byte at `offset` (416), or sends another part
    too_long       ///< more bytes than expected_size
};

struct HttpAnswer {
    HttpOutcome outcome = HttpOutcome::dropped;
    bool continued = false;     ///< the server went on at `offset`; otherwise the file was emptied first
    std::int64_t received = 0;  ///< bytes of this connection
    std::int64_t total = -1;    ///< the whole file's size, as the server says; -1: it does not
    std::string validator;      ///< strong ETag, or Last-Modified, or nothing
    std::string problem;        ///< in words, for `dropped`
};

struct HttpRequest {
    std::string url;
    int descriptor = -1;              ///< the file
    std::filesystem::path path;       ///< its name, for messages
    std::int64_t offset = 0;          ///< go on here
    std::string if_range;             ///< validator of what is there
    std::int64_t expected_size = -1;  ///< of the whole file
    std::chrono::seconds stall{30};
    std::chrono::seconds connect_timeout{20};
    /// Called once, before the first byte is written, where the file is begun anew.
    std::function<void(const HttpAnswer&)> on_begin;
};

/// Throws Cancelled, an input Error for an address the server refuses (4xx) or that is none, a run Error
/// where the file cannot be written or the server cannot be trusted (certificate).
HttpAnswer http_transfer(const HttpRequest& request, const ProgressFn& progress, const std::stop_token& stop);

}  // namespace casp::fetch
